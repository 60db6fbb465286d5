//! `sessions`, `show`, `expand`, `forget` and `doctor`.

use crate::scene::{pi_session, three_calls, with_session};

#[test]
fn sessions_are_listed_and_shown() {
    let scene = with_session();
    let facts = scene.condensed("session.jsonl");
    let conversation = facts["conversation"].as_str().unwrap();
    let list = scene.run(&["sessions"]).done().text();
    assert!(
        list.starts_with(conversation) && list.contains("session.jsonl"),
        "{list}"
    );
    assert_eq!(
        scene.run(&["-q", "sessions"]).done().text(),
        format!("{conversation}\n")
    );
    let value = scene.run(&["sessions", "--json"]).done().json();
    assert_eq!(value[0]["session"], conversation);
    assert_eq!(value[0]["refs"], 3);
    assert_eq!(value[0]["session_id"], "one");

    let shown = scene.run(&["show", conversation]).done().text();
    let mut lines = shown.lines();
    let head = format!("{conversation}  session.jsonl  3 batches  3 refs");
    assert_eq!(lines.next(), Some(head.as_str()));
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("  turn 0   1 call   2.6k -> "),
        "{shown}"
    );
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("     t1   read      80 lines, 2.7 kB"),
        "{shown}"
    );
    assert!(shown.contains("failed"), "{shown}");
    let value = scene.run(&["show", "one", "--json"]).done().json();
    assert_eq!(
        value["batches"][1]["calls"][0]["ref"],
        format!("{conversation}/t2")
    );
}

#[test]
fn show_says_why_something_was_left() {
    let scene = with_session();
    scene
        .run(&["condense", "session.jsonl", "--protect-tool", "read"])
        .done();
    let shown = scene.run(&["show", "one"]).done().text();
    assert!(
        shown.contains("  left: turn 0  protected (1 call, 2.7 kB: read)"),
        "{shown}"
    );
    let value = scene.run(&["show", "one", "--json"]).done().json();
    assert_eq!(value["batches"][0]["calls"][0]["left"], "protected");
}

#[test]
fn expand_gives_the_source_back() {
    let scene = with_session();
    let source = scene.read("session.jsonl");
    scene.condensed("session.jsonl");
    let ended = scene.run(&["expand", "session.condensed.jsonl"]).done();
    assert!(
        ended.output == source && ended.error.contains("byte for byte"),
        "{}",
        ended.error
    );
    let condensed = scene.read("session.condensed.jsonl");
    let ended = scene
        .run_with_input(&["-q", "expand", "-"], &condensed)
        .done();
    assert!(ended.output == source && ended.error.is_empty());
    let expand = ["expand", "session.condensed.jsonl", "-o", "back"];
    let value = scene
        .run(&[&expand[..], &["--json"]].concat())
        .done()
        .json();
    assert_eq!(
        (&value["manner"], &value["written"]),
        (&"whole".into(), &"back".into())
    );
    assert_eq!(scene.read("back"), source);
    assert_eq!(scene.run(&expand).code, Some(2), "an output that exists");
    scene.run(&[&expand[..], &["--force"]].concat()).done();

    // An agent went on in the condensed session.
    let mut grown = condensed;
    grown.extend(b"{\"type\":\"label\",\"id\":\"77777777\"}\n");
    let ended = scene.run_with_input(&["expand", "-"], &grown).done();
    assert!(ended.output.starts_with(&source) && ended.output.len() > source.len());
    let ended = scene.run(&["expand", "session.jsonl"]);
    assert_eq!(ended.code, Some(1), "never condensed");
}

#[test]
fn forget_deletes_when_it_is_sure() {
    let scene = with_session();
    scene.condensed("session.jsonl");
    scene.put("two.jsonl", pi_session("two", &three_calls()));
    scene.condensed("two.jsonl");
    let asked = scene.run(&["forget", "one"]);
    assert_eq!(asked.code, Some(3), "{asked:?}");
    assert!(asked.error.contains("--yes"), "{asked:?}");
    scene.run(&["recover", "t1", "--session", "one"]).done();
    let told = scene.run(&["forget", "one", "--yes"]).done().text();
    assert!(
        told.contains("3 refs, ") && told.starts_with("forgot "),
        "{told}"
    );
    assert_eq!(scene.run(&["show", "one"]).code, Some(1));
    scene.run(&["condense", "two.jsonl", "--resume"]).done();
    let value = scene
        .run(&["forget", "two", "--force", "--json"])
        .done()
        .json();
    assert_eq!(value["refs"], 3);
    assert_eq!(value["resumed_sessions"], 1);
    assert_eq!(scene.run(&["recover", "t1"]).code, Some(1));
}

#[test]
fn doctor_examines_the_store_and_tries_the_way() {
    let scene = with_session();
    let fresh = scene.run(&["doctor"]).done().text();
    assert!(
        fresh.contains("none yet") && fresh.contains("self-test   passed"),
        "{fresh}"
    );
    assert!(!scene.path("s.db").exists());
    scene.condensed("session.jsonl");
    let value = scene.run(&["doctor", "--json"]).done().json();
    assert_eq!(value["check"]["sessions"], 1, "{value}");
    assert_eq!(value["problems"], serde_json::json!([]));
    assert_eq!(scene.run(&["-q", "doctor"]).done().text(), "");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::Permissions::from_mode(0o644);
        std::fs::set_permissions(scene.path("s.db"), mode).unwrap();
        let ended = scene.run(&["doctor"]);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.error.contains("is 0644, not 0600"), "{ended:?}");
    }
}
