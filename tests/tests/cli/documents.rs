//! Documents from import to forgetting, as a person, a script and an agent see them.

use std::fs;

use epitome_tests::binaries;
use serde_json::{Value, json};

use crate::mcp::{call, talk};
use crate::scene::{Ended, Scene};

const BACKUPS: &str = "---\ndate: 2025-03-04\n---\n# Backups\n\nThe nightly backup runs at two and \
keeps seven copies.\n\n## Restore\n\nStop the server, then copy the newest snapshot back.\n";

const FEES: &str = "# Fees\n\nEvery transfer costs two cents. Refunds are free of charge.\n";

/// A scene with a folder `docs`.
fn with_documents() -> Scene {
    let scene = Scene::new();
    fs::create_dir_all(scene.path("docs/ops")).expect("the scene is writable");
    scene
        .put("docs/ops/backups.md", BACKUPS)
        .put("docs/fees.md", FEES)
        .put("docs/index.txt", "Where to look for what.\n")
        .put("docs/logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    scene
}

fn imported() -> Scene {
    let scene = with_documents();
    scene.run(&["import", "docs"]).done();
    scene
}

/// The counters of the last line, without the time.
fn counters(ended: &Ended) -> Vec<u64> {
    let text = ended.text();
    let last = text.lines().last().unwrap_or_default();
    let value: Value = serde_json::from_str(last).expect("the last line is an object");
    let names =
        "added updated unchanged pruned skipped summaries summary_errors summary_backfilled";
    let counters = names
        .split(' ')
        .map(|name| value[name].as_u64().expect(name));
    assert!(value["ms"].is_u64());
    counters.collect()
}

#[test]
fn an_import_ends_with_its_counters() {
    let scene = with_documents();
    let check = |arguments: &[&str], expected: [u64; 8]| {
        let ended = scene.run(arguments).done();
        assert_eq!(counters(&ended), expected, "{ended:?}");
    };
    check(&["import", "docs", "--json"], [3, 0, 0, 0, 1, 3, 0, 0]);
    check(&["import", "docs", "--json"], [0, 0, 3, 0, 1, 0, 0, 0]);
    scene.put("docs/fees.md", "# Fees\n\nTransfers are free now.\n");
    fs::remove_file(scene.path("docs/index.txt")).unwrap();
    check(&["sync", "docs", "--json"], [0, 1, 1, 1, 1, 1, 0, 0]);
    scene.run(&["summary", "docs/fees.md", "--reset"]).done();
    check(&["sync", "--fast", "--json"], [0, 0, 2, 0, 1, 0, 0, 1]);
}

#[test]
fn an_import_names_what_it_skipped() {
    let scene = with_documents();
    let text = scene.run(&["import", "docs"]).done().text();
    assert!(text.starts_with("docs: 3 added, 0 updated"), "{text}");
    assert!(text.contains("  skipped  logo.png: binary"), "{text}");
    assert!(
        scene
            .run(&["import", "docs", "-q"])
            .done()
            .output
            .is_empty()
    );
}

#[test]
fn a_question_starts_from_the_right_document() {
    let scene = imported();
    let ended = scene.run(&["ask", "how do I restore a backup?"]).done();
    let text = ended.text();
    assert!(
        text.starts_with("HIGH: start here\n\n1. Backups\n"),
        "{text}"
    );
    assert!(text.contains("docs/ops/backups.md  2025-03-04"), "{text}");
    assert!(text.contains("docs/ops/backups.md:L"), "{text}");
    assert!(ended.error.contains("No model is configured"), "{ended:?}");
    let plan = scene
        .run(&["ask", "restore", "a", "backup", "--json"])
        .json();
    assert_eq!(plan["branch"], "HIGH");
    assert_eq!(plan["suggested"][0]["path"], "docs/ops/backups.md");
    let summary = plan["suggested"][0]["summary"].as_str().unwrap();
    assert!(summary.contains("nightly backup"), "{summary}");
    let low = scene.run(&["ask", "who was the first emperor of Rome?"]);
    assert_eq!(low.code, Some(1));
    assert!(low.text().starts_with("LOW: "), "{low:?}");
}

#[test]
fn questions_on_the_example_start_from_the_right_document() {
    let scene = Scene::new();
    let docs = binaries::workspace().join("examples/docs");
    scene.run(&["import", docs.to_str().unwrap()]).done();
    let check = |question: &str, expected: &str| {
        let plan = scene.run(&["ask", question, "--json"]).done().json();
        assert_eq!(plan["suggested"][0]["path"], expected, "{question}");
    };
    check("How do I restore a backup?", "docs/operations/backup.md");
    check(
        "Why do we not use a database server?",
        "docs/decisions/0002-sqlite.md",
    );
    check(
        "When does the nightly import run?",
        "docs/operations/nightly-import.md",
    );
    check("How are yen amounts rounded?", "docs/guides/money.md");
    check(
        "Which columns does a CSV statement have?",
        "docs/formats/csv.adoc",
    );
    check(
        "How do I correct a wrong booking?",
        "docs/guides/double-entry.md",
    );
    check("年度归档", "docs/guides/归档.md");
    let low = scene.run(&["ask", "What is the capital of France?"]);
    assert_eq!(low.code, Some(1), "{low:?}");
}

#[test]
fn settings_come_from_the_environment_and_flags() {
    let scene = imported();
    let run = |count: &str, flags: &[&str]| {
        let mut command = scene.command(&["search", "the", "backup", "transfer", "-q"]);
        command.args(flags).env("EPITOME_SUGGESTED_DOCS", count);
        crate::scene::ended(command.spawn().unwrap())
    };
    let lines = |ended: Ended| ended.done().text().lines().count();
    assert_eq!(lines(run("", &[])), 2);
    assert_eq!(lines(run("1", &[])), 1);
    assert_eq!(lines(run("1", &["--limit", "2"])), 2);
    let refused = run("0", &[]);
    assert_eq!(refused.code, Some(3));
    assert!(
        refused.error.contains("EPITOME_SUGGESTED_DOCS=0"),
        "{refused:?}"
    );
}

#[test]
fn documents_are_found_and_read() {
    let scene = imported();
    let check = |line: &str, expected: &str| {
        let arguments: Vec<&str> = line.split(' ').collect();
        assert_eq!(scene.run(&arguments).done().text(), expected, "{line}");
    };
    check("read docs/fees.md", FEES);
    check("read docs/ops/backups.md", BACKUPS);
    check("read docs/fees.md --lines 1-1", "# Fees\n");
    check(
        "grep costs|seven docs",
        "docs/fees.md:3: Every transfer costs two cents. Refunds are free of charge.\n\
         docs/ops/backups.md:6: The nightly backup runs at two and keeps seven copies.\n",
    );
    check("ls docs -q", "docs/fees.md\ndocs/index.txt\ndocs/ops\n");
    check("sources -q", "docs\n");
    let address = scene.run(&["search", "refunds", "-q"]).done().text();
    assert!(address.starts_with("docs/fees.md:L"), "{address}");
    let passage = scene.run(&["read", address.trim()]).done().text();
    assert!(passage.contains("Refunds are free"), "{passage}");
    let found = scene.run(&["search", "refunds", "--json"]).done().json();
    assert_eq!(found[0]["title"], "Fees");
}

#[test]
fn summaries_and_dates_of_the_owner_stay() {
    let scene = imported();
    scene
        .run(&["summary", "docs/fees.md", "--set", "What we charge."])
        .done();
    scene.run(&["date", "docs/fees.md", "2024-02-29"]).done();
    scene.put("docs/fees.md", "# Fees\n\nNothing costs anything.\n");
    let synced = scene.run(&["sync"]).done().text();
    assert!(synced.contains("stale  docs/fees.md"), "{synced}");
    let ended = scene.run(&["summary", "docs/fees.md"]).done();
    assert_eq!(ended.text(), "What we charge.\n");
    assert!(ended.error.contains("earlier version"), "{ended:?}");
    let document = scene.run(&["read", "docs/fees.md", "--json"]).json();
    assert_eq!(document["date"], "2024-02-29");
}

#[test]
fn a_summary_is_changed_in_the_editor() {
    let scene = imported();
    scene.put("editor.sh", "printf 'By hand.\\n' > \"$1\"\n");
    let run = |editor: &str| {
        let mut command = scene.command(&["summary", "docs/fees.md", "--edit"]);
        command.env("EDITOR", editor).env("PATH", "/usr/bin:/bin");
        crate::scene::ended(command.spawn().unwrap())
    };
    if cfg!(unix) {
        run("sh editor.sh").done();
        let summary = scene.run(&["summary", "docs/fees.md", "--json"]).json();
        assert_eq!(summary["summary"], "By hand.");
        assert_eq!(summary["by"], "owner");
        assert_eq!(run("false").code, Some(2));
    }
    assert_eq!(run("").code, Some(3));
}

#[cfg(unix)]
#[test]
fn an_interrupted_import_is_finished_by_the_next_one() {
    const FILES: u64 = 1500;
    let scene = Scene::new();
    fs::create_dir_all(scene.path("docs")).unwrap();
    for number in 0..FILES {
        scene.put(
            &format!("docs/{number}.md"),
            format!("# Note {number}\n\nText.\n"),
        );
    }
    let child = scene
        .command(&["import", "docs", "--json"])
        .spawn()
        .unwrap();
    while !scene.path("s.db").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(100));
    let interrupt = ["-INT", &child.id().to_string()];
    let sent = std::process::Command::new("kill").args(interrupt).status();
    assert!(sent.unwrap().success());
    let ended = crate::scene::ended(child);
    // Where the machine is fast enough, nothing was left to interrupt.
    assert!(matches!(ended.code, Some(130 | 0)), "{ended:?}");
    let counts = scene.run(&["import", "docs", "--json"]).done().json();
    let seen = counts["added"].as_u64().unwrap() + counts["unchanged"].as_u64().unwrap();
    assert_eq!(seen, FILES);
    let source = scene.run(&["sources", "--json"]).done().json();
    assert_eq!(source[0]["documents"], FILES);
    assert_eq!(source[0]["without_summary"], 0);
}

#[test]
fn another_folder_does_not_take_a_name_that_is_taken() {
    let scene = imported();
    fs::create_dir_all(scene.path("other/docs")).unwrap();
    scene.put("other/docs/new.md", "# New\n");
    let ended = scene.run(&["import", "other/docs"]);
    assert_eq!(ended.code, Some(3));
    assert!(ended.error.contains("--source"), "{ended:?}");
    scene
        .run(&["import", "other/docs", "--source", "new"])
        .done();
    assert_eq!(scene.run(&["sources", "-q"]).done().text(), "docs\nnew\n");
    scene.run(&["forget-source", "docs", "--yes"]).done();
    assert_eq!(scene.run(&["sources", "-q"]).done().text(), "new\n");
    assert_eq!(scene.run(&["read", "docs/fees.md"]).code, Some(1));
}

#[test]
fn documents_decide_the_exit_code() {
    let scene = with_documents();
    let check = |line: &str, code: i32| {
        let arguments: Vec<&str> = line.split(' ').collect();
        let ended = scene.run(&arguments);
        assert_eq!(ended.code, Some(code), "{line}: {ended:?}");
        assert!(!ended.error.is_empty(), "{line}: {ended:?}");
    };
    for line in [
        "sources",
        "sync",
        "search x",
        "ask x",
        "ls",
        "read a/b",
        "summary a/b",
    ] {
        check(line, 1);
    }
    check("import nowhere", 2);
    check("import docs/fees.md", 3);
    assert!(!scene.path("s.db").exists());
    scene.run(&["import", "docs"]).done();
    check("search zebras", 1);
    check("search fees --source nobody", 1);
    check("sync nobody", 1);
    check("forget-source nobody --yes", 1);
    check("forget-source docs", 3);
    check("read docs/fese.md", 1);
    check("read docs/fees.md --lines 99", 1);
    check("read docs/fees.md --lines x", 3);
    check("grep zebra", 1);
    check("grep (", 3);
    check("date docs/fees.md tomorrow", 3);
    check("search fees --limit 0", 3);
    check("summary docs/fees.md --set  ", 3);
}

#[test]
fn texts_about_documents_keep_to_80_columns() {
    let scene = imported();
    for line in [
        "import docs",
        "sources",
        "ls docs",
        "ask restore backup",
        "search fees",
        "import --help",
        "summary --help",
        "read docs/nowhere.md",
        "sync nobody",
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        let ended = scene.run(&arguments);
        let all = format!("{}{}", ended.text(), ended.error);
        // A passage stands as in its document, and what could not be done is one line.
        let breaks = |line: &&str| !line.starts_with("   | ") && !line.starts_with("could not");
        for shown in all.lines().filter(breaks) {
            let holds_path = shown.contains(scene.path("").to_str().unwrap());
            assert!(holds_path || shown.chars().count() <= 80, "{line}: {shown}");
        }
    }
}

#[test]
fn an_agent_finds_and_reads_documents() {
    let scene = imported();
    let answers = talk(
        &scene,
        &["mcp"],
        &[
            call(
                "suggest",
                &json!({ "question": "how do I restore a backup?" }),
            ),
            call("search", &json!({ "query": "refunds", "limit": 1 })),
            call("read", &json!({ "path": "docs/fees.md" })),
            call("ls", &json!({})),
            call("grep", &json!({ "pattern": "(?i)FREE" })),
            call("read", &json!({ "path": "docs/fee.md" })),
            call("read", &json!({ "path": "/etc/passwd" })),
        ],
    );
    let check = |index: usize, expected: &str, is_error: bool| {
        let result = &answers[index]["result"];
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(expected), "{text}");
        assert_eq!(result["isError"].as_bool().unwrap_or(false), is_error);
    };
    check(1, "1. Backups", false);
    check(2, "1. Fees", false);
    check(3, FEES, false);
    check(4, "docs/  3 documents", false);
    check(5, "docs/fees.md:3: ", false);
    check(6, "nearest: docs/fees.md", true);
    check(7, "Could not find", true);
}
