//! Which files are found, and in which order.

use super::*;

#[test]
fn hidden_and_ignored_files_are_passed_by() {
    let fixture = Fixture::new(&[
        (".gitignore", "build/\n*.tmp\n"),
        (".ignore", "drafts/\n"),
        (".hidden.md", "x"),
        (".git/config.md", "x"),
        ("a.md", "x"),
        ("build/b.md", "x"),
        ("c.tmp", "x"),
        ("drafts/d.md", "x"),
        (".env", "KEY=x"),
    ]);
    let check = |request: &ImportRequest<'_>, expected: &[&str]| {
        fixture.import_as(request);
        assert_eq!(fixture.paths(), expected);
    };
    let request = fixture.request();
    check(&request, &["a.md"]);
    let ignored = ImportRequest {
        ignored: Passed::In,
        ..fixture.request()
    };
    check(&ignored, &["a.md", "build/b.md", "c.tmp", "drafts/d.md"]);
    let hidden = ImportRequest {
        hidden: Passed::In,
        ..fixture.request()
    };
    check(&hidden, &[".gitignore", ".hidden.md", ".ignore", "a.md"]);
    let globs = |globs: &[&str]| {
        globs
            .iter()
            .map(|&glob| glob.to_owned())
            .collect::<Vec<_>>()
    };
    let (only, without) = (globs(&["*.md"]), globs(&["a.*", "drafts/"]));
    check(
        &ImportRequest {
            exclude: &without,
            ..fixture.request()
        },
        &[],
    );
    check(
        &ImportRequest {
            include: &only,
            exclude: &without,
            ..fixture.request()
        },
        &[".hidden.md"],
    );
    // A credential file comes in only by its own name.
    check(
        &ImportRequest {
            include: &globs(&[".e*"]),
            ..fixture.request()
        },
        &[],
    );
    check(
        &ImportRequest {
            include: &globs(&[".env"]),
            ..fixture.request()
        },
        &[".env"],
    );
}

#[test]
fn order_and_events_do_not_depend_on_threads() {
    let names: Vec<String> = (0..60).map(|n| format!("{}/{n}.md", n % 7)).collect();
    let files: Vec<(&str, &str)> = names
        .iter()
        .map(|name| (name.as_str(), name.as_str()))
        .collect();
    let fixture = Fixture::new(&files);
    let events = |workers: usize| {
        let store = MemoryStore::new();
        let request = ImportRequest {
            workers: NonZeroUsize::new(workers).unwrap(),
            ..fixture.request()
        };
        let mut events = Vec::new();
        let mut on_event = |event: ImportEvent<'_>| events.push(format!("{event:?}"));
        import_folder(&store, &request, &mut on_event, &AtomicBool::new(false)).unwrap();
        events
    };
    let one = events(1);
    assert_eq!(one.len(), 61);
    assert_eq!(one, events(3));
    let mut sorted = names.clone();
    sorted.sort();
    assert_eq!(fixture.import().added.len(), 60);
    assert_eq!(fixture.paths(), sorted);
}

#[test]
fn two_forms_of_a_name_are_two_documents() {
    let fixture = Fixture::new(&[
        ("caf\u{e9}.md", "composed"),
        ("cafe\u{301}.md", "decomposed"),
        ("🙂 漢.md", "x"),
    ]);
    // Some file systems hold one form only.
    let files = fs::read_dir(fixture.folder.path()).unwrap().count() as u64;
    assert_eq!(counts(&fixture.import()), [files, 0, 0, 0, 0]);
    assert_eq!(counts(&fixture.import()), [0, 0, files, 0, 0]);
    assert_eq!(fixture.document("🙂 漢.md").unwrap().title, "🙂 漢");
}

#[cfg(unix)]
#[test]
fn links_end_inside() {
    use std::os::unix::fs::symlink;
    let outside = Fixture::new(&[("secret.md", "secret"), ("sub/secret.md", "secret")]);
    let fixture = Fixture::new(&[("a/b.md", "b"), (".store/kept.md", "kept"), (".env", "x")]);
    let link = |target: &str, path: &str| symlink(target, fixture.path(path)).unwrap();
    link(outside.path("secret.md").to_str().unwrap(), "out.md");
    link(outside.path("sub").to_str().unwrap(), "out");
    link("..", "a/loop");
    link("self", "self");
    link("a/b.md", "twin.md");
    link("a", "twin");
    link(".store/kept.md", "kept.md");
    link(".env", "innocent.md");
    link("nowhere", "dead.md");
    let report = fixture.import();
    assert_eq!(fixture.paths(), ["a/b.md", "kept.md"]);
    let skipped: Vec<String> = report
        .skipped
        .iter()
        .map(|s| format!("{}: {}", s.path, s.reason))
        .collect();
    assert_eq!(
        skipped,
        [
            "a/loop: link to the folder itself, imported at its own place",
            "dead.md: link that leads nowhere",
            "innocent.md: may hold keys or passwords",
            "out: link to outside of the folder",
            "out.md: link to outside of the folder",
            "self: link that leads nowhere",
            "twin: link to a, imported at its own place",
            "twin.md: link to a/b.md, imported at its own place",
        ]
    );
    assert_eq!(counts(&fixture.import()), [0, 0, 2, 0, 8]);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_now_stays() {
    use std::os::unix::fs::PermissionsExt as _;
    let fixture = Fixture::new(&[("a.md", "a"), ("sub/b.md", "b"), ("c.md", "c")]);
    fixture.import();
    let set = |path: &str, mode: u32| {
        fs::set_permissions(fixture.path(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    set("a.md", 0o000);
    set("sub", 0o000);
    // The superuser reads everything.
    let denied = File::open(fixture.path("a.md")).is_err();
    let report = fixture.import();
    set("sub", 0o700);
    if denied {
        assert_eq!(counts(&report), [0, 0, 1, 0, 2]);
        assert_eq!(report.version, 1);
    }
    assert_eq!(fixture.paths(), ["a.md", "c.md", "sub/b.md"]);
}

#[test]
fn bad_requests_are_refused() {
    let fixture = Fixture::new(&[("a.md", "a")]);
    let refused = |request: &ImportRequest<'_>| {
        let result = import_folder(
            &fixture.store,
            request,
            &mut |_| (),
            &AtomicBool::new(false),
        );
        result.unwrap_err().to_string()
    };
    for source in ["", "a/b", "a\nb"] {
        let message = refused(&ImportRequest {
            source,
            ..fixture.request()
        });
        assert!(message.starts_with("import under the name"), "{message}");
    }
    let missing = fixture.path("missing");
    let message = refused(&ImportRequest {
        root: &missing,
        ..fixture.request()
    });
    assert!(message.starts_with("read the folder"), "{message}");
    let file = fixture.path("a.md");
    let message = refused(&ImportRequest {
        root: &file,
        ..fixture.request()
    });
    assert!(message.starts_with("read the folder"), "{message}");
    let broken = ["a[".to_owned()];
    let message = refused(&ImportRequest {
        include: &broken,
        ..fixture.request()
    });
    assert!(message.starts_with("read the pattern `a[`"), "{message}");
    assert_eq!(fixture.store.sources().unwrap(), []);
}
