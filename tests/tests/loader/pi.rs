//! Pi's sessions: every version, branches, labels, compactions.

use epitome_tests::fixtures::Pi;
use serde_json::{Value, json};

use crate::check;

#[test]
fn pi_sessions_of_every_version_stay_whole() {
    for version in 1..=3 {
        let check_session = |name: &str, expected: usize, write: &dyn Fn(&mut Pi)| {
            let mut session = Pi::new(version, "/home/dev/a_b.c");
            session.user("Begin.");
            write(&mut session);
            session.says("Done.");
            check(
                &format!("{name}, version {version}"),
                &session.bytes(),
                expected,
            );
        };
        check_session("one call", 1, &|session| session.step(&["call_a"]));
        check_session("parallel calls", 2, &|session| {
            session.step(&["call_a|fc_1", "call_b|fc_2"]);
        });
        check_session("a compaction", 2, &|session| {
            session.step(&["call_lost"]);
            let kept = session.user("Go on.");
            let index = session.lines.len() - 1;
            session.step(&["call_kept"]);
            let first = if version == 1 {
                json!({ "firstKeptEntryIndex": index })
            } else {
                json!({ "firstKeptEntryId": kept })
            };
            let mut compaction = json!({ "summary": "What was.", "tokensBefore": 9 });
            if let (Value::Object(compaction), Value::Object(first)) = (&mut compaction, first) {
                compaction.extend(first);
            }
            session.entry("compaction", compaction);
            session.step(&["call_new"]);
        });
        check_session("entries that are not sent", 1, &|session| {
            session.entry(
                "model_change",
                json!({ "provider": "anthropic", "modelId": "m" }),
            );
            session.entry(
                "custom",
                json!({ "customType": "state", "data": { "n": 1.0 } }),
            );
            session.step(&["call_a"]);
            let hidden = json!({ "role": "bashExecution", "command": "ls", "output": "x", "excludeFromContext": true });
            session.entry("message", json!({ "message": hidden }));
        });
        check_session("an answer that failed", 1, &|session| {
            session.step(&["call_a"]);
            session.assistant(&json!([{ "type": "text", "text": "Oh" }]), "error");
        });
    }
}

#[test]
fn pi_trees_of_every_kind_stay_whole() {
    let check_session = |name: &str, expected: usize, write: &dyn Fn(&mut Pi)| {
        let mut session = Pi::new(3, "/home/dev/tree");
        session.user("Begin.");
        write(&mut session);
        check(name, &session.bytes(), expected);
    };
    check_session("a dead branch", 1, &|session| {
        let fork = session.leaf.clone();
        session.step(&["call_dead"]);
        session.leaf = fork;
        session.entry(
            "branch_summary",
            json!({ "fromId": "x", "summary": "It failed." }),
        );
        session.step(&["call_live"]);
    });
    check_session("a label at the end", 2, &|session| {
        session.step(&["call_a"]);
        session.step(&["call_b"]);
        session.entry("label", json!({ "targetId": "5e550001", "label": "here" }));
    });
    check_session("a missing parent", 1, &|session| {
        session.step(&["call_lost"]);
        session.leaf = Some("0000dead".to_owned());
        session.user("Begin again.");
        session.step(&["call_kept"]);
    });
    check_session("a message of an extension", 1, &|session| {
        session.step(&["call_a"]);
        let note = json!({ "customType": "note", "content": "Mind this.", "display": true });
        session.entry("custom_message", note);
        session.says("Done.");
    });
    check_session("a kept part that does not exist", 1, &|session| {
        session.step(&["call_lost"]);
        let compaction = json!({ "summary": "What was.", "firstKeptEntryId": "0000dead" });
        session.entry("compaction", compaction);
        session.step(&["call_new"]);
    });
}
