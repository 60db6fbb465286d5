//! Equal results share a ref only where nothing else tells them apart.

use epitome_index::MemoryStore;
use serde_json::json;

use crate::fixture::{
    Scripted, Session, WIRES, Wire, condensed, fates, long, on_both_stores, options, output,
    recovered, results, run,
};

#[test]
fn a_repeat_shares_the_ref_and_keeps_its_own_call() {
    // 252, 253, B3, B20.
    on_both_stores(|store| {
        let session = Session::new(Wire::Pi, "s")
            .chain("a", &long("same"))
            .chain("b", &(long("same").replace('\n', "  \r\n") + "\n\n"))
            .chain("c", &long("same"));
        let done = run(store, &session.source(), &options(), &Scripted::bullets());
        assert_eq!(fates(store, &done), ["a#1=t1", "b#1=t1+", "c#1=t1+"]);
        let counts = done.report.calls;
        assert_eq!((counts.summarized, counts.duplicates), (1, 2));
        let found = recovered(store, "t1");
        let paths: Vec<&str> = found.iter().map(|call| call.args.as_str()).collect();
        assert_eq!(
            paths,
            [r#"{"path":"a"}"#, r#"{"path":"b"}"#, r#"{"path":"c"}"#]
        );
        assert_eq!(found[0].raw, found[2].raw);
        assert_ne!(found[0].raw, found[1].raw);
        // The stub of each says what its own original is.
        let results = results(&output(&done));
        assert!(
            results[1].contains(&format!("{} bytes", found[1].bytes)),
            "{}",
            results[1]
        );
        assert!(results.iter().all(|result| result.ends_with("- about a")));
    });
}

#[test]
fn failures_images_and_tools_are_never_merged() {
    // B3.
    let image = |data: &str| {
        json!([
            {"type": "text", "text": long("Read image file")},
            {"type": "image", "data": data, "mimeType": "image/png"},
        ])
    };
    on_both_stores(|store| {
        let session = Session::new(Wire::Pi, "s")
            .chain("ok", &long("same"))
            .user("go")
            .calls(&[("bad", "read", json!({})), ("tool", "bash", json!({}))])
            .failure("bad", long("same"))
            .result("tool", long("same"))
            .says("done")
            .user("go")
            .calls(&[("i", "read", json!({}))])
            .result("i", image("aaaa"))
            .says("done")
            .user("go")
            .calls(&[("j", "read", json!({})), ("bad2", "read", json!({}))])
            .result("j", image("bbbb"))
            .failure("bad2", long("same"))
            .says("done")
            .user("go")
            .calls(&[("plain", "read", json!({}))])
            .result("plain", long("Read image file"))
            .says("done");
        let done = run(store, &session.source(), &options(), &Scripted::bullets());
        let mut fates = fates(store, &done);
        fates.sort();
        assert_eq!(
            fates,
            [
                "bad#1=t2",
                "bad2#1=t2+",
                "i#1=t4",
                "j#1=t5",
                "ok#1=t1",
                "plain#1=t6",
                "tool#1=t3"
            ]
        );
        let statuses: Vec<bool> = recovered(store, "t2")
            .iter()
            .map(|call| call.is_error)
            .collect();
        assert_eq!(statuses, [true, true]);
    });
}

#[test]
fn repeats_are_found_over_runs_as_within_one() {
    // 268.
    on_both_stores(|store| {
        let session = Session::new(Wire::ClaudeCode, "s").chain("a", &long("same"));
        condensed(store, &session.source());
        let grown = session.chain("b", &long("same")).chain("c", &long("c"));
        let done = run(store, &grown.source(), &options(), &Scripted::bullets());
        assert_eq!(fates(store, &done), ["a#1=t1", "b#1=t1+", "c#1=t2"]);
    });
}

#[test]
fn a_second_run_finds_no_originals_that_stand_later_in_the_file() {
    let options = epitome_condenser::CondenseOptions {
        min_batch_chars: long("same").len() as u64 + 1,
        ..options()
    };
    for wire in WIRES {
        // Too small alone; kept where another result makes the batch large enough.
        let session = Session::new(wire, "s")
            .chain("a", &long("same"))
            .user("go")
            .calls(&[("b", "read", json!({})), ("c", "read", json!({}))])
            .result("b", long("same"))
            .result("c", long("other"))
            .says("done");
        on_both_stores(|store| {
            let repeat = |source: &str| run(store, source, &options, &Scripted::bullets());
            let first = repeat(&session.source());
            assert_eq!(fates(store, &first), ["a#1 too-small", "b#1=t1", "c#1=t2"]);
            let first = output(&first);
            assert_eq!(output(&repeat(&session.source())), first);
            assert_eq!(output(&repeat(&first)), first);
            // What comes after it repeats it, also in a session that stands condensed.
            let grown = session.clone().over(&first, "s").chain("d", &long("same"));
            let grown = repeat(&grown.source());
            let fates = fates(store, &grown);
            assert_eq!(fates.last().map(String::as_str), Some("d#1=t1+"));
        });
    }
}

#[test]
fn ids_are_no_identity() {
    // 5, F4, F5, B18: ids that repeat, that differ in one character only, that are very long.
    for wire in WIRES {
        let long_id = "i".repeat(450);
        let ids = [
            "bash_1",
            "bash_1",
            "a.b",
            "a_b",
            "../../etc/passwd",
            long_id.as_str(),
            "bash_1",
        ];
        let mut session = Session::new(wire, "s");
        for (number, id) in ids.iter().enumerate() {
            session = session.chain(id, &long(&format!("content {number}")));
        }
        on_both_stores(|store| {
            condensed(store, &session.source());
            for (number, id) in ids.iter().enumerate() {
                let found = recovered(store, &format!("t{}", number + 1));
                assert_eq!(found.len(), 1);
                assert_eq!(found[0].text(), long(&format!("content {number}")));
                assert_eq!(found[0].provider_id, *id);
            }
            assert_eq!(recovered(store, "bash_1").len(), 3);
        });
    }
}

#[test]
fn copies_of_a_call_in_one_file_are_one_call() {
    // A compaction that holds its tail: the same call stands in the history and in the context.
    let tail = |text: &str| {
        let call = json!({"type": "toolCall", "id": "x", "name": "read", "arguments": {}});
        let content = json!([{"type": "text", "text": text}]);
        json!({"type": "compaction", "id": "k", "parentId": "e3", "summary": "sum", "retainedTail": [
            {"role": "assistant", "content": [call]},
            {"role": "toolResult", "toolCallId": "x", "content": content},
        ]})
        .to_string()
    };
    let whole = epitome_condenser::CondenseOptions {
        extent: epitome_core::condense::Extent::WholeFile,
        keep_turns: 0,
        ..options()
    };
    let interrupted = Session::new(Wire::Pi, "s")
        .user("go")
        .calls(&[("x", "read", json!({}))])
        .result("x", long("one"));
    let closed = Session::new(Wire::Pi, "s").chain("x", &long("one"));
    for session in [interrupted, closed] {
        let store = MemoryStore::new();
        let same = session.clone().raw(&tail(&long("one")));
        let done = run(&store, &same.source(), &whole, &Scripted::bullets());
        assert_eq!(fates(&store, &done), ["x#1=t1"]);
        assert_eq!(output(&done).matches("ref `t1`").count(), 2);
        assert_eq!(recovered(&store, "t1")[0].text(), long("one"));
        // A copy that differs is no copy: nobody can tell which of them the ref means.
        let store = MemoryStore::new();
        let other = session.clone().raw(&tail(&long("two")));
        let done = run(&store, &other.source(), &whole, &Scripted::bullets());
        assert_eq!(fates(&store, &done), ["x#1=t1"]);
        assert_eq!(results(&output(&done)), [long("two")]);
        assert_eq!(recovered(&store, "t1")[0].text(), long("one"));
    }
}
