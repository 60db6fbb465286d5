//! Sessions that are resumed under a fresh id, and files that become whole again.

use epitome_condenser::recover::{Selector, recover};
use epitome_condenser::{CondenseOptions, ErrorKind, Manner, Thinking, expand};
use epitome_core::id::ConversationId;
use epitome_index::{MemoryStore, Store};
use serde_json::{Value, json};

use crate::fixture::{
    Scripted, Session, WIRES, Wire, condensed, fates, long, on_both_stores, options, output,
    recovered, results, run,
};

fn fresh(id: &str) -> CondenseOptions {
    CondenseOptions {
        fresh_session_id: Some(id.to_owned()),
        thinking: Thinking::ByModel,
        ..options()
    }
}

fn conversation(wire: Wire, id: &str) -> ConversationId {
    let format = match wire {
        Wire::Pi => "pi",
        Wire::ClaudeCode => "claude-code",
    };
    ConversationId::of_session(format, id)
}

fn resumed(store: &dyn Store, session: &Session, id: &str) -> String {
    output(&run(
        store,
        &session.source(),
        &fresh(id),
        &Scripted::bullets(),
    ))
}

#[test]
fn only_the_id_changes_and_a_second_run_changes_nothing() {
    for wire in WIRES {
        on_both_stores(|store| {
            let session = Session::new(wire, "old").chain("a", &long("a")).says("old");
            let stubbed = condensed(store, &session.source());
            let new = resumed(store, &session, "new");
            let field = match wire {
                Wire::Pi => "\"id\":\"",
                Wire::ClaudeCode => "\"sessionId\":\"",
            };
            let [old_id, new_id] = ["old", "new"].map(|id| format!("{field}{id}\""));
            assert_eq!(new, stubbed.replace(&old_id, &new_id));
            assert_eq!(condensed(store, &new), new);
            let again = run(store, &new, &options(), &Scripted::bullets());
            assert_eq!(
                (again.report.calls.already, again.report.calls.other),
                (1, 0)
            );
            assert_eq!(again.conversation, conversation(wire, "new"));
        });
    }
}

#[test]
fn refs_go_on_in_a_resumed_session_and_old_ones_are_inherited() {
    for wire in WIRES {
        on_both_stores(|store| {
            let session = Session::new(wire, "old")
                .chain("a", &long("a"))
                .chain("b", &long("b"));
            let new = resumed(store, &session, "new");
            let grown = session.over(&new, "new");
            let grown = grown.chain("c", &long("c")).chain("d", &long("a"));
            let done = run(store, &grown.source(), &options(), &Scripted::bullets());
            assert_eq!(fates(store, &done), ["c#1=t3", "d#1=t1+"]);
            let out = output(&done);
            assert_eq!(results(&out)[..2], results(&new)[..]);
            let child = conversation(wire, "new");
            let texts = |text: &str| -> Vec<String> {
                recovered(store, text)
                    .iter()
                    .map(epitome_condenser::recover::Recovered::text)
                    .collect()
            };
            assert_eq!(texts(&format!("{child}/t2")), [long("b")]);
            assert_eq!(texts(&format!("{child}/t3")), [long("c")]);
            assert_eq!(texts(&format!("{child}/t1")), [long("a"), long("a")]);
            assert_eq!(texts("t1"), [long("a"), long("a")]);
            assert_eq!(texts(&format!("{}/t3", conversation(wire, "old"))).len(), 0);
            // Every stub names a ref that recovers what stood there.
            for (stub, text) in results(&out).iter().zip(["a", "b", "c", "a"]) {
                let full = epitome_core::stub::parse(stub).unwrap().to_string();
                assert!(texts(&full).contains(&long(text)), "{stub}");
            }
            assert_eq!(condensed(store, &out), out);
        });
    }
}

#[test]
fn a_session_and_its_resumed_form_may_both_grow() {
    // The same number may then mean two calls, each in its own conversation.
    for wire in WIRES {
        on_both_stores(|store| {
            let session = Session::new(wire, "old").chain("a", &long("a"));
            let new = resumed(store, &session, "new");
            let child = session.clone().over(&new, "new").chain("c", &long("child"));
            let child_out = condensed(store, &child.source());
            let parent = session
                .chain("p", &long("parent"))
                .chain("q", &long("second"));
            condensed(store, &parent.source());
            let [old, new] = ["old", "new"].map(|id| conversation(wire, id));
            let texts = |text: String| -> Vec<String> {
                recovered(store, &text)
                    .iter()
                    .map(epitome_condenser::recover::Recovered::text)
                    .collect()
            };
            assert_eq!(texts(format!("{new}/t2")), [long("child")]);
            assert_eq!(texts(format!("{old}/t2")), [long("parent")]);
            // 1.2: a bare ref with two meanings is no ref.
            let error = recover(store, &Selector::parse("t2", None)).unwrap_err();
            let ErrorKind::AmbiguousRef { candidates, .. } = error.kind() else {
                panic!("{error}");
            };
            assert_eq!(candidates.len(), 2);
            // What the other branch added is no original of repeats in this one under a ref that
            // means something else here.
            let child = child.over(&child_out, "new").chain("d", &long("parent"));
            let done = run(store, &child.source(), &options(), &Scripted::bullets());
            let fates = fates(store, &done);
            assert_eq!(fates[0], "c#1=t2");
            assert!(!fates[1].contains("=t2"), "{fates:?}");
            let stub = epitome_core::stub::parse(&results(&output(&done))[2]).unwrap();
            assert!(
                texts(stub.to_string())
                    .iter()
                    .all(|text| *text == long("parent"))
            );
            assert_eq!(texts(format!("{new}/t2")), [long("child")]);
        });
    }
}

#[test]
fn a_condensed_file_becomes_its_source_again() {
    for wire in WIRES {
        on_both_stores(|store| {
            let session = Session::new(wire, "old")
                .chain("a", &long("a"))
                .chain("b", &long("b"));
            let source = session.source();
            let out = condensed(store, &source);
            let new = resumed(store, &session, "new");
            for file in [&out, &new] {
                let back = expand(file.as_bytes(), store).unwrap();
                assert_eq!(
                    (back.bytes.as_slice(), back.manner),
                    (source.as_bytes(), Manner::Whole)
                );
                let grown = format!("{file}{{\"type\":\"mode\"}}\n");
                let back = expand(grown.as_bytes(), store).unwrap();
                assert_eq!(back.manner, Manner::Grown { added_bytes: 16 });
                assert_eq!(
                    back.bytes,
                    format!("{source}{{\"type\":\"mode\"}}\n").as_bytes()
                );
                // An agent that parses and dumps its file: results come back where stubs stand.
                let dumped = file.replace("\":", "\" : ").replace("\",\"", "\", \"");
                let back = expand(dumped.as_bytes(), store).unwrap();
                let manner = Manner::ByStubs {
                    restored: 2,
                    missing: 0,
                };
                assert_eq!(back.manner, manner);
                let back = String::from_utf8(back.bytes).unwrap();
                assert_eq!(results(&back), results(&source));
            }
            assert!(expand(source.as_bytes(), store).is_err());
            assert!(expand(out.as_bytes(), &MemoryStore::new()).is_err());
        });
    }
}

#[test]
fn stubs_that_share_a_ref_and_an_id_become_their_own_results() {
    // F5: repeats differ in white space only, and the provider uses one id for both.
    let store = MemoryStore::new();
    let session = Session::new(Wire::Pi, "s")
        .chain("x", &long("a"))
        .chain("x", &long("a").replace('\n', " \r\n"));
    let out = condensed(&store, &session.source());
    let back = expand(out.replace("\":", "\" : ").as_bytes(), &store).unwrap();
    let back = String::from_utf8(back.bytes).unwrap();
    assert_eq!(results(&back), results(&session.source()));
}

#[test]
fn a_resumed_session_that_grew_and_was_condensed_again_becomes_whole_too() {
    let store = MemoryStore::new();
    let session = Session::new(Wire::ClaudeCode, "old").chain("a", &long("a"));
    let new = resumed(&store, &session, "new");
    let grown = session.over(&new, "new").chain("b", &long("b")).source();
    let out = condensed(&store, &grown);
    assert_eq!(
        expand(out.as_bytes(), &store).unwrap().bytes,
        grown.as_bytes()
    );
    let dumped = out.replace("\":", "\" : ");
    let back = expand(dumped.as_bytes(), &store).unwrap();
    assert_eq!(
        back.manner,
        Manner::ByStubs {
            restored: 2,
            missing: 0
        }
    );
    let back = String::from_utf8(back.bytes).unwrap();
    assert_eq!(results(&back), [long("a"), long("b")]);
}

#[test]
fn a_stub_whose_store_is_missing_is_reported_and_stays() {
    let out = condensed(
        &MemoryStore::new(),
        &Session::new(Wire::Pi, "s").chain("a", &long("a")).source(),
    );
    let store = MemoryStore::new();
    let done = run(&store, &out, &options(), &Scripted::bullets());
    assert_eq!(output(&done), out);
    assert_eq!(done.report.warnings.len(), 1);
    assert!(
        done.report.warnings[0]
            .text
            .contains("does not have its original")
    );
}

#[test]
fn thinking_of_bound_models_goes_behind_the_first_edit_only() {
    // Decisions, section 5; F10, F11, F12.
    let think =
        |text: &str| json!({"type": "thinking", "thinking": text, "signature": "s\u{2028}1.0"});
    let call = |id: &str, kind: &str| json!({"type": kind, "id": id, "name": "read", "input": {}, "arguments": {}});
    for (wire, kind) in [(Wire::ClaudeCode, "tool_use"), (Wire::Pi, "toolCall")] {
        let session = |model: &str| {
            Session::new(wire, "s")
                .model(model)
                .user("go")
                .answer(&[think("one"), call("a", kind)])
                .result("a", "short")
                .answer(&[think("two"), call("b", kind)])
                .result("b", long("b"))
                .answer(&[think("three")])
                .answer(&[think("four"), json!({"type": "text", "text": "x"})])
        };
        let count = |text: &str| text.matches("\"type\":\"thinking\"").count();
        let kept = if wire == Wire::ClaudeCode { 3 } else { 2 };
        let bound = session("claude-opus-5-5");
        let done = run(
            &MemoryStore::new(),
            &bound.source(),
            &fresh("new"),
            &Scripted::bullets(),
        );
        let out = output(&done);
        assert_eq!(count(&out), kept, "{out}");
        assert_eq!(done.report.thinking_removed, 4 - kept);
        let changed = |number: usize| bound.source().lines().nth(number) != out.lines().nth(number);
        let header = usize::from(wire == Wire::Pi);
        if wire == Wire::Pi {
            let lines: Vec<bool> = (0..8).map(changed).collect();
            assert_eq!(lines, [true, false, false, false, false, true, true, true]);
        }
        let line: Value = serde_json::from_str(out.lines().nth(6 + header).unwrap()).unwrap();
        assert_eq!(
            line["message"]["content"],
            json!([{"type": "text", "text": "x"}])
        );
        // Kept: a notice names the model. Unbound: not a byte of thinking goes.
        let kept = run(
            &MemoryStore::new(),
            &bound.source(),
            &options(),
            &Scripted::bullets(),
        );
        assert_eq!(count(&output(&kept)), 4);
        assert!(
            kept.report
                .warnings
                .iter()
                .any(|warning| warning.text.contains("claude-opus-5-5"))
        );
        let free = session("claude-opus-4-5").source();
        let free = run(
            &MemoryStore::new(),
            &free,
            &fresh("new"),
            &Scripted::bullets(),
        );
        assert_eq!((count(&output(&free)), free.report.warnings.len()), (4, 0));
    }
}
