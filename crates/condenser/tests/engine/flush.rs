//! What one flush takes in, keeps and leaves. Numbers are those of the conformance list.

use epitome_core::batch::Batching;
use epitome_core::protect::Protection;
use epitome_index::MemoryStore;
use serde_json::json;

use crate::fixture::{
    Scripted, Session, WIRES, Wire, condensed, fates, long, on_both_stores, options, output,
    results, run,
};

#[test]
fn a_summary_as_large_as_its_batch_is_accepted_and_one_unit_more_is_not() {
    // 480: sizes count UTF-16 units, the ref counts instead of its label.
    let text = long("😀");
    let units = text.encode_utf16().count();
    let check = |more: usize, expected: &str| {
        let opening = "- `t1` ".len();
        let filling = units - opening + more;
        let summarizer = Scripted::new(move |_| format!("- [[1:read]] {}", "x".repeat(filling)));
        let session = Session::new(Wire::Pi, "s").chain("a", &text);
        let store = MemoryStore::new();
        let done = run(&store, &session.source(), &options(), &summarizer);
        assert_eq!(fates(&store, &done), [expected], "{more}");
    };
    check(1, "a#1 oversized");
    check(0, "a#1=t1");
}

#[test]
fn every_reason_to_leave_a_call_is_told_and_the_call_stays_raw() {
    // 481, 490, F51, F53.
    on_both_stores(|store| {
        let session = Session::new(Wire::ClaudeCode, "s")
            .user("go")
            .calls(&[("tiny", "read", json!({}))])
            .result("tiny", "ok")
            .calls(&[("wide", "read", json!({}))])
            .result("wide", long("wide"))
            .calls(&[
                ("tool", "secret", json!({})),
                ("path", "read", json!({"file_path": "/x/skills/a/b.md"})),
                ("kept", "read", json!({"file_path": "/x/b.md"})),
            ])
            .result("tool", long("tool"))
            .result("path", long("path"))
            .result("kept", long("kept"))
            .calls(&[("stub", "read", json!({})), ("odd", "read", json!({}))])
            .result("stub", format!("<persisted-output>{}", long("stub")))
            .result(
                "odd",
                json!([{"type": "tool_reference", "tool_name": long("odd")}]),
            )
            .calls(&[("twin", "read", json!({})), ("twin", "read", json!({}))])
            .result("twin", long("twin"))
            .says("done");
        let summarizer = Scripted::new(|batch| match batch.calls[0].id.as_str() {
            "wide" => "y".repeat(5000),
            _ => "- [[1:read]] about it".to_owned(),
        });
        let options = epitome_condenser::CondenseOptions {
            min_batch_chars: 100,
            protection: Protection::new(&["secret"], &["**/skills/**/*.md"]),
            ..options()
        };
        let source = session.source();
        let done = run(store, &source, &options, &summarizer);
        assert_eq!(
            fates(store, &done),
            [
                "tiny#1 too-small",
                "wide#1 oversized",
                "tool#1 protected",
                "path#1 protected",
                "kept#1=t1",
                "stub#1 stub",
                "odd#1 unsupported",
                "twin#2 ambiguous",
            ]
        );
        let counts = done.report.calls;
        assert_eq!(
            (
                counts.too_small,
                counts.not_smaller,
                counts.protected,
                counts.summarized
            ),
            (1, 1, 2, 1)
        );
        assert_eq!((counts.other, counts.open, counts.total), (3, 1, 9));
        let changed = results(&source)
            .into_iter()
            .zip(results(&output(&done)))
            .filter(|(before, after)| before != after);
        assert_eq!(changed.count(), 1);
    });
}

#[test]
fn equal_results_of_one_flush_are_both_summarized() {
    // 483.
    on_both_stores(|store| {
        let session = Session::new(Wire::Pi, "s")
            .user("go")
            .calls(&[("a", "read", json!({}))])
            .result("a", long("same"))
            .calls(&[("b", "read", json!({}))])
            .result("b", long("same"))
            .says("done");
        let done = run(store, &session.source(), &options(), &Scripted::bullets());
        assert_eq!(fates(store, &done), ["a#1=t1", "b#1=t2"]);
    });
}

#[test]
fn turns_of_one_prompt_merge_into_one_batch() {
    // 484, 496: labels run from 1 over the whole batch; texts are joined by a blank line.
    for wire in WIRES {
        let session = Session::new(wire, "s")
            .user("go")
            .calls(&[("a", "read", json!({})), ("b", "bash", json!({}))])
            .result("a", long("a"))
            .result("b", long("b"))
            .calls(&[("c", "read", json!({}))])
            .result("c", long("c"))
            .user("and")
            .calls(&[("d", "read", json!({}))])
            .result("d", long("d"))
            .says("done");
        let merged = epitome_condenser::CondenseOptions {
            batching: Batching::AgentMessage,
            ..options()
        };
        let store = MemoryStore::new();
        let summarizer = Scripted::bullets();
        let done = run(&store, &session.source(), &merged, &summarizer);
        assert_eq!(summarizer.batches(), [vec!["a", "b", "c"], vec!["d"]]);
        assert_eq!(
            fates(&store, &done),
            ["a#1=t1", "b#1=t2", "c#1=t3", "d#1=t4"]
        );
        let results = results(&output(&done));
        for (result, id) in results.iter().zip(["a", "b", "c", "d"]) {
            assert!(result.ends_with(&format!("\n- about {id}")), "{result}");
        }
        let turns: Vec<usize> = summarizer
            .seen
            .lock()
            .unwrap()
            .iter()
            .map(|b| b.turn)
            .collect();
        assert_eq!(turns, [1, 2]);
    }
}

#[test]
fn labels_count_only_what_is_left_after_duplicates_went() {
    // 495.
    let session = Session::new(Wire::Pi, "s")
        .chain("a", &long("same"))
        .user("go")
        .calls(&[
            ("b", "read", json!({})),
            ("c", "bash", json!({})),
            ("d", "read", json!({})),
        ])
        .result("b", long("same"))
        .result("c", long("c"))
        .result("d", long("d"))
        .says("done");
    let store = MemoryStore::new();
    let summarizer = Scripted::bullets();
    let done = run(&store, &session.source(), &options(), &summarizer);
    assert_eq!(summarizer.batches(), [vec!["a"], vec!["c", "d"]]);
    let mut fates = fates(&store, &done);
    fates.sort();
    assert_eq!(fates, ["a#1=t1", "b#1=t1+", "c#1=t2", "d#1=t3"]);
    let results = results(&output(&done));
    assert!(results[1].ends_with("\n- about a"), "{}", results[1]);
    assert!(results[2].ends_with("\n- about c"), "{}", results[2]);
}

#[test]
fn a_result_smaller_than_its_stub_stays_raw() {
    // B19: inside a large batch, and as a repeat of one.
    let session = Session::new(Wire::Pi, "s")
        .user("go")
        .calls(&[("a", "bash", json!({})), ("b", "read", json!({}))])
        .result("a", "(no output)")
        .result("b", long("b"))
        .says("done")
        .user("go")
        .calls(&[("c", "bash", json!({}))])
        .result("c", "(no output)")
        .says("done");
    let store = MemoryStore::new();
    let out = condensed(&store, &session.source());
    let results = results(&out);
    assert_eq!(
        (results[0].as_str(), results[2].as_str()),
        ("(no output)", "(no output)")
    );
    assert!(
        results[1].starts_with("[Summarized, ref `t2`"),
        "{}",
        results[1]
    );
}

#[test]
fn what_the_assistant_said_is_shown_to_the_summarizer_and_what_it_thought_is_not() {
    // F71.
    let session = Session::new(Wire::ClaudeCode, "s")
        .user("go")
        .answer(&[
            json!({"type": "thinking", "thinking": "secret", "signature": "s"}),
            json!({"type": "text", "text": " first "}),
            json!({"type": "text", "text": "second"}),
            json!({"type": "tool_use", "id": "a", "name": "read"}),
        ])
        .result("a", long("a"))
        .says("done");
    let summarizer = Scripted::bullets();
    run(
        &MemoryStore::new(),
        &session.source(),
        &options(),
        &summarizer,
    );
    let seen = summarizer.seen.lock().unwrap();
    assert_eq!(seen[0].assistant_text, "first \nsecond");
    assert_eq!(seen[0].calls[0].args, "{}");
}
