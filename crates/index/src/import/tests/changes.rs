//! What later imports find.

use std::sync::atomic::Ordering;

use super::*;
use crate::Error;
use crate::documents::model::{NewSummary, SummaryAuthor};

fn summarize(fixture: &Fixture, path: &str, by: SummaryAuthor) {
    let document = fixture.document(path).unwrap();
    let summary = NewSummary {
        text: "Short.",
        by,
        of_hash: document.content_hash,
        vector: None,
    };
    fixture.store.put_summary(document.id, &summary).unwrap();
}

#[test]
fn a_second_import_changes_nothing() {
    let fixture = Fixture::new(&[("a.md", "# A"), ("b/c.md", "# C"), ("empty.md", "")]);
    let first = fixture.import();
    assert_eq!(counts(&first), [2, 0, 0, 0, 1]);
    assert_eq!(first.version, 1);
    let before = fixture.store.documents(None, None, 10).unwrap();
    for check in [Check::Hash, Check::SizeAndTime] {
        let again = fixture.import_as(&ImportRequest {
            check,
            ..fixture.request()
        });
        assert_eq!(counts(&again), [0, 0, 2, 0, 1]);
        assert_eq!(again.version, 1);
        assert_eq!((again.added, again.updated), (vec![], vec![]));
        assert_eq!(fixture.store.documents(None, None, 10).unwrap(), before);
    }
}

#[test]
fn edits_update_and_make_summaries_stale() {
    let fixture = Fixture::new(&[("a.md", "# A"), ("b.md", "# B")]);
    fixture.import();
    summarize(&fixture, "a.md", SummaryAuthor::Owner);
    fixture.write("a.md", b"# A2");
    let report = fixture.import();
    assert_eq!(counts(&report), [0, 1, 1, 0, 0]);
    assert_eq!(report.version, 2);
    let document = fixture.document("a.md").unwrap();
    assert_eq!(report.updated, [document.id]);
    assert_eq!(document.title, "A2");
    assert!(document.summary_is_stale());
    assert_eq!(document.summary.unwrap().by, SummaryAuthor::Owner);
}

#[test]
fn a_touched_file_is_unchanged_but_for_its_date() {
    let touch = |path: &str| {
        let file = File::options().write(true).open(path).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(1_750_000_000))
            .unwrap();
    };
    let fixture = Fixture::new(&[
        ("a.md", "# A"),
        ("b.md", "# B"),
        ("c.md", "---\ndate: 2020-01-01\n---\n"),
    ]);
    fixture.import();
    fixture
        .store
        .set_date(fixture.document("b.md").unwrap().id, "1999-09-09")
        .unwrap();
    for name in ["a.md", "b.md", "c.md"] {
        touch(fixture.path(name).to_str().unwrap());
    }
    let report = fixture.import_as(&ImportRequest {
        check: Check::SizeAndTime,
        ..fixture.request()
    });
    assert_eq!(counts(&report), [0, 0, 3, 0, 0]);
    assert_eq!(report.version, 1);
    let date = |name: &str| fixture.document(name).unwrap().date.unwrap();
    assert_eq!(date("a.md"), "2025-06-15");
    assert_eq!(date("b.md"), "1999-09-09");
    assert_eq!(date("c.md"), "2020-01-01");
}

#[test]
fn a_renamed_file_keeps_its_summary() {
    let fixture = Fixture::new(&[("a.md", "no heading"), ("b.md", "# B")]);
    fixture.import();
    summarize(&fixture, "a.md", SummaryAuthor::Auto);
    let before = fixture.document("a.md").unwrap();
    fs::create_dir(fixture.path("sub")).unwrap();
    fs::rename(fixture.path("a.md"), fixture.path("sub/z.md")).unwrap();
    let report = fixture.import();
    assert_eq!(counts(&report), [0, 1, 1, 0, 0]);
    assert_eq!((report.moved, report.updated), (vec![before.id], vec![]));
    assert_eq!(report.version, 2);
    let document = fixture.document("sub/z.md").unwrap();
    assert_eq!(document.id, before.id);
    assert_eq!(document.title, "z");
    assert_eq!(document.summary, before.summary);
    assert!(!document.summary_is_stale());
    assert_eq!(fixture.paths(), ["b.md", "sub/z.md"]);
    assert_eq!(counts(&fixture.import()), [0, 0, 2, 0, 0]);
}

#[test]
fn equal_files_move_one_by_one() {
    let fixture = Fixture::new(&[("a/x.md", "same"), ("a/y.md", "same"), ("k.md", "same")]);
    assert_eq!(counts(&fixture.import()), [3, 0, 0, 0, 0]);
    let y = fixture.document("a/y.md").unwrap().id;
    fs::rename(fixture.path("a"), fixture.path("b")).unwrap();
    let report = fixture.import();
    assert_eq!(counts(&report), [0, 2, 1, 0, 0]);
    assert_eq!(fixture.document("b/y.md").unwrap().id, y);
    // Under another kind the same bytes have another structure.
    fs::rename(fixture.path("k.md"), fixture.path("k.txt")).unwrap();
    assert_eq!(counts(&fixture.import()), [1, 0, 2, 1, 0]);
}

#[test]
fn what_is_gone_is_pruned() {
    let fixture = Fixture::new(&[("a.md", "# A"), ("b.md", "# B"), ("c.md", "# C")]);
    fixture.import();
    fs::remove_file(fixture.path("a.md")).unwrap();
    fixture.write("b.md", b"\x01\x02\x03\x04");
    let report = fixture.import();
    assert_eq!(counts(&report), [0, 0, 1, 2, 0]);
    assert_eq!(report.version, 2);
    let pruned: Vec<&str> = report.pruned.iter().map(DocumentPath::path).collect();
    assert_eq!(pruned, ["b.md", "a.md"]);
    assert_eq!(
        report.skipped,
        [Skipped {
            path: "b.md".to_owned(),
            reason: SkipReason::Binary
        }]
    );
    assert_eq!(fixture.paths(), ["c.md"]);
    assert_eq!(counts(&fixture.import()), [0, 0, 1, 0, 1]);
}

#[test]
fn size_and_time_trust_the_folder() {
    let fixture = Fixture::new(&[("a.md", "one")]);
    fixture.import();
    fixture.write("a.md", b"two");
    let quick = ImportRequest {
        check: Check::SizeAndTime,
        ..fixture.request()
    };
    assert_eq!(counts(&fixture.import_as(&quick)), [0, 0, 1, 0, 0]);
    assert_eq!(counts(&fixture.import()), [0, 1, 0, 0, 0]);
    assert_eq!(fixture.content("a.md"), "two");
}

#[test]
fn a_cancelled_import_goes_on_next_time() {
    let fixture = Fixture::new(&[("a.md", "a"), ("b.md", "b"), ("c.md", "c")]);
    fixture.import();
    fs::remove_file(fixture.path("a.md")).unwrap();
    fixture.write("b.md", b"b2");
    fixture.write("c.md", b"c2");
    let cancelled = AtomicBool::new(false);
    let mut cancel = |event: ImportEvent<'_>| {
        cancelled.store(matches!(event, ImportEvent::Done { .. }), Ordering::Relaxed);
    };
    let report =
        import_folder(&fixture.store, &fixture.request(), &mut cancel, &cancelled).unwrap();
    assert_eq!(report.completion, Completion::Cancelled);
    assert_eq!(counts(&report), [0, 1, 0, 0, 0]);
    assert_eq!(report.version, 2);
    assert_eq!(fixture.paths(), ["a.md", "b.md", "c.md"]);
    let report = fixture.import();
    assert_eq!(report.completion, Completion::Complete);
    assert_eq!(counts(&report), [0, 1, 1, 1, 0]);
}

#[test]
fn imports_of_one_source_exclude_each_other() {
    let fixture = Fixture::new(&[("a.md", "a")]);
    let kind = |result: Result<ImportReport, Error>| result.map_err(|error| error.to_string());
    let import = || {
        kind(import_folder(
            &fixture.store,
            &fixture.request(),
            &mut |_| (),
            &AtomicBool::new(false),
        ))
    };
    let mut inner = None;
    let mut on_event = |_: ImportEvent<'_>| inner = Some(import());
    import_folder(
        &fixture.store,
        &fixture.request(),
        &mut on_event,
        &AtomicBool::new(false),
    )
    .unwrap();
    let refused = inner.unwrap().unwrap_err();
    assert_eq!(
        refused,
        "import the source `notes`: another import of it runs"
    );
    assert!(import().is_ok());
}
