//! `epitome condense`: outputs, options and the report.

use std::fs;

use crate::scene::{Ended, Scene, pi_lines, pi_session, three_calls, with_session};

#[test]
fn a_report_says_what_was_done_and_its_recover_line_works() {
    let scene = with_session();
    let report = scene.run(&["condense", "session.jsonl"]).done().text();
    let row = |label: &str| {
        let found = report.lines().find(|line| line.starts_with(label));
        found
            .unwrap_or_else(|| panic!("no {label}: {report}"))
            .to_owned()
    };
    assert_eq!(
        row("session"),
        "session     session.jsonl   pi v3, 5 messages, 3 calls"
    );
    assert!(row("context").contains("tokens (-"), "{report}");
    assert!(report.contains("estimate: character classes"), "{report}");
    assert!(row("file").contains(" kB -> "), "{report}");
    assert_eq!(row("calls"), "calls       3 summarized");
    assert!(
        row("originals").starts_with("originals   3 kept in s.db, "),
        "{report}"
    );
    assert_eq!(row("written"), "written     session.condensed.jsonl");
    let words = row("recover");
    let words: Vec<&str> = words.split_whitespace().skip(2).collect();
    assert_eq!(words[..3], ["--store", "s.db", "recover"]);
    scene.run(&words).done();
}

#[test]
fn outputs_go_where_they_were_asked_to() {
    let scene = with_session();
    let source = scene.read("session.jsonl");
    let check = |line: &str, output: &str, expected: &str| {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let ended = scene.run_with_input(&arguments, &source).done();
        assert_eq!(ended.text(), expected, "{line}");
        let made = scene.read(output);
        assert!(made.len() < source.len() && made != source, "{line}");
        fs::remove_file(scene.path(output)).unwrap();
    };
    check(
        "condense -q session.jsonl",
        "session.condensed.jsonl",
        "session.condensed.jsonl\n",
    );
    check("condense -q session.jsonl -o out", "out", "out\n");
    check("condense -q - -o out", "out", "out\n");
    assert_eq!(scene.read("session.jsonl"), source);
}

#[test]
fn an_output_is_never_overwritten_unasked_and_never_the_source() {
    let scene = with_session();
    let source = scene.read("session.jsonl");
    scene.put("taken", "precious");
    let check = |line: &str, code: i32, message: &str| {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let ended = scene.run(&arguments);
        assert_eq!(ended.code, Some(code), "{line}: {ended:?}");
        assert!(ended.error.contains(message), "{line}: {ended:?}");
    };
    check("condense session.jsonl -o taken", 2, "it exists already");
    check(
        "condense session.jsonl -o session.jsonl --force",
        2,
        "it is the source itself",
    );
    check(
        "condense session.jsonl -o . --force",
        2,
        "it is a directory",
    );
    check(
        "condense session.jsonl -o no/folder/out",
        2,
        "could not write no/folder/out",
    );
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("session.jsonl", scene.path("link")).unwrap();
        fs::hard_link(scene.path("session.jsonl"), scene.path("twin")).unwrap();
        check(
            "condense session.jsonl -o link --force",
            2,
            "it is the source itself",
        );
        check(
            "condense session.jsonl -o twin --force",
            2,
            "it is the source itself",
        );
        check(
            "condense link -o session.jsonl --force",
            2,
            "it is the source itself",
        );
        check(
            "condense session.jsonl -o /dev/null --force",
            2,
            "it is no regular file",
        );
    }
    assert_eq!(scene.read("session.jsonl"), source);
    assert_eq!(scene.read("taken"), b"precious");
    check("condense session.jsonl -o taken --force", 0, "");
    assert_ne!(scene.read("taken"), b"precious");
}

#[test]
fn a_dry_run_writes_nothing() {
    let scene = with_session();
    let ended = scene
        .run(&["condense", "session.jsonl", "--dry-run"])
        .done();
    assert!(
        ended.text().contains("3 would be kept in s.db"),
        "{ended:?}"
    );
    let facts = scene
        .run(&["condense", "session.jsonl", "--dry-run", "--json"])
        .done()
        .json();
    assert_eq!(facts["dry_run"], true);
    assert_eq!(facts["written"], serde_json::Value::Null);
    assert_eq!(facts["calls"]["summarized"], 3);
    assert_eq!(scene.files(), ["session.jsonl"]);
    assert!(!scene.path("s.db").exists());
}

#[test]
fn with_nothing_to_condense_the_file_is_identical() {
    let scene = Scene::new();
    scene.put("none.jsonl", pi_session("none", &[]));
    let ended = scene.run(&["condense", "none.jsonl"]).done();
    assert!(
        ended.text().contains("there is nothing to condense"),
        "{ended:?}"
    );
    assert!(
        ended.text().contains("identical to the source"),
        "{ended:?}"
    );
    assert_eq!(scene.read("none.condensed.jsonl"), scene.read("none.jsonl"));

    // A condensed session holds nothing new either.
    scene.put("session.jsonl", pi_session("one", &three_calls()));
    scene.condensed("session.jsonl");
    let again = scene.condensed("session.condensed.jsonl");
    assert_eq!(again["identical"], true);
    assert_eq!(again["calls"]["already"], 3);
}

#[test]
fn options_decide_what_stays() {
    let scene = Scene::new();
    // The last turn is unfinished, so an open tail exists.
    scene.put(
        "open.jsonl",
        pi_lines("open", &three_calls()).join("\n") + "\n",
    );
    scene.put("session.jsonl", pi_session("one", &three_calls()));
    let check = |line: &str, key: &str, expected: u64| {
        let mut arguments = vec!["condense", "--json", "--dry-run"];
        arguments.extend(line.split_whitespace());
        let facts = scene.run(&arguments).done().json();
        assert_eq!(facts["calls"][key], expected, "{line}: {facts}");
    };
    check("open.jsonl", "open", 3);
    check("open.jsonl --keep-turns 1", "open", 1);
    check("open.jsonl --keep-turns 1", "summarized", 2);
    check("open.jsonl --all", "summarized", 3);
    check("session.jsonl", "summarized", 3);
    check("session.jsonl --protect-tool bash", "protected", 2);
    check(
        "session.jsonl --protect-tool bash --protect-tool read",
        "protected",
        3,
    );
    check("session.jsonl --protect-path src/*.rs", "protected", 1);
    check("session.jsonl --min-batch-chars 999999", "too_small", 3);
    check("session.jsonl --batching agent-message", "summarized", 3);
    check(
        "session.jsonl --batching agent-message --min-batch-chars 7000",
        "summarized",
        3,
    );
    check(
        "session.jsonl --batching turn --min-batch-chars 7000",
        "too_small",
        3,
    );
}

#[test]
fn stubs_name_the_way_back_that_was_asked_for() {
    let scene = with_session();
    let claude = epitome_tests::sessions::example("coding-session.claude-code.jsonl").unwrap();
    scene.put("claude.jsonl", claude);
    let check = |line: &str, expected: &str| {
        let mut arguments = vec!["condense", "-q", "-o", "-"];
        arguments.extend(line.split_whitespace());
        let output = scene.run(&arguments).done().text();
        assert!(output.contains(expected), "{line}");
    };
    check("session.jsonl", "Get it: epitome recover ");
    check(
        "session.jsonl --recovery tool",
        "Get it: context_tree_query with toolCallIds",
    );
    check(
        "claude.jsonl --recovery tool",
        "Get it: mcp__epitome__context_tree_query with",
    );
}

#[test]
fn a_resumed_session_stands_where_its_agent_looks() {
    let scene = with_session();
    let ended = scene
        .run(&["condense", "session.jsonl", "--resume", "--json"])
        .done();
    let facts = ended.json();
    let written = facts["written"].as_str().unwrap();
    assert!(written.contains("/.pi/agent/sessions/"), "{written}");
    let first = fs::read_to_string(written).unwrap();
    assert!(
        !first.lines().next().unwrap().contains("\"one\""),
        "a fresh id"
    );
    let resume = facts["resume"].as_str().unwrap();
    assert!(
        resume.contains("pi --session ") && resume.contains("EPITOME_STORE=/"),
        "{resume}"
    );
    let tool = [
        "condense",
        "session.jsonl",
        "--resume",
        "--recovery",
        "tool",
        "--json",
    ];
    let facts = scene.run(&tool).done().json();
    assert!(
        !facts["resume"].as_str().unwrap().contains("EPITOME_STORE"),
        "{facts}"
    );
    // Refs of the source are inherited.
    let sessions = scene.run(&["sessions", "--json"]).done().json();
    let list = sessions.as_array().unwrap();
    let resumed = list
        .iter()
        .find(|session| session["parent"].is_string())
        .unwrap();
    let session = resumed["session"].as_str().unwrap();
    scene.run(&["recover", "t1", "--session", session]).done();
}

#[test]
fn one_bad_session_does_not_stop_the_others() {
    let scene = with_session();
    scene.put("bad.jsonl", "not JSON\n");
    scene.put("two.jsonl", pi_session("two", &three_calls()));
    let ended = scene.run(&[
        "condense",
        "session.jsonl",
        "bad.jsonl",
        "two.jsonl",
        "--json",
    ]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    let facts: Vec<serde_json::Value> = ended
        .text()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let names: Vec<&str> = facts
        .iter()
        .filter_map(|fact| fact["session"].as_str())
        .collect();
    assert_eq!(names, ["session.jsonl", "bad.jsonl", "two.jsonl"]);
    assert_eq!(facts[0]["written"], "session.condensed.jsonl");
    assert!(
        facts[1]["error"]["what"]
            .as_str()
            .unwrap()
            .contains("bad.jsonl:1")
    );
    assert_eq!(facts[2]["written"], "two.condensed.jsonl");
    assert!(
        ended.error.contains("could not read bad.jsonl:1: "),
        "{ended:?}"
    );
}

#[test]
fn warnings_are_few_unless_all_are_wanted() {
    let scene = Scene::new();
    let broken = "{broken\n".repeat(14);
    scene.put("cut.jsonl", pi_session("cut", &three_calls()) + &broken);
    let count = |ended: &Ended| {
        let text = ended.text();
        text.lines()
            .filter(|line| line.starts_with("warning: cut.jsonl:"))
            .count()
    };
    let ended = scene.run(&["condense", "cut.jsonl"]).done();
    assert_eq!(count(&ended), 10, "{ended:?}");
    assert!(ended.text().contains("… and 4 more"), "{ended:?}");
    assert!(ended.text().contains("14 broken lines"), "{ended:?}");
    let ended = scene
        .run(&["condense", "cut.jsonl", "--force", "-v"])
        .done();
    assert_eq!(count(&ended), 14, "{ended:?}");
    let facts = scene.condensed("cut.jsonl");
    assert_eq!(facts["warnings"].as_array().map(Vec::len), Some(14));
    assert_eq!(facts["broken_lines"], 14);
}
