//! Sessions that grow between runs: a longer version of a file only adds flushes. Decisions,
//! section 2.

use epitome_condenser::CondenseOptions;
use epitome_core::condense::Extent;
use epitome_index::MemoryStore;
use proptest::prelude::*;
use serde_json::json;

use crate::fixture::{
    Scripted, Session, WIRES, Wire, condensed, fates, long, on_both_stores, options, output,
    results, run,
};

/// A session of steps: a letter is a call with that content, `.` an answer that closes the chain.
/// Content is unique unless the letter repeats.
fn session(wire: Wire, steps: &str) -> Session {
    let mut session = Session::new(wire, "s").user("go");
    for (number, step) in steps.chars().enumerate() {
        session = match step {
            '.' => session.says("done").user("go"),
            letter => {
                let id = format!("c{number}");
                session
                    .calls(&[(id.as_str(), "read", json!({}))])
                    .result(&id, long(&letter.to_string()))
            }
        };
    }
    session
}

#[test]
fn stubs_do_not_change_when_a_session_grows() {
    for wire in WIRES {
        on_both_stores(|store| {
            let check = |steps: &str, expected: &[&str]| {
                let source = session(wire, steps).source();
                let done = run(store, &source, &options(), &Scripted::bullets());
                assert_eq!(fates(store, &done), expected, "{steps}");
                output(&done)
            };
            let first = check("ab.", &["c0#1=t1", "c1#1=t2"]);
            let second = check("ab.cdefg", &["c0#1=t1", "c1#1=t2", "c3#1=t3", "c4#1=t4"]);
            let all = [
                "c0#1=t1", "c1#1=t2", "c3#1=t3", "c4#1=t4", "c5#1=t5", "c6#1=t6", "c7#1=t7",
            ];
            let third = check("ab.cdefg.", &all);
            assert_eq!(results(&first), results(&third)[..2]);
            assert_eq!(results(&second)[..4], results(&third)[..4]);
            // Once more: nothing is new, the same bytes come out.
            assert_eq!(check("ab.cdefg.", &all), third);
            assert_eq!(store.batches(&session_id(wire)).unwrap().len(), 7);
        });
    }
}

fn session_id(wire: Wire) -> epitome_core::id::ConversationId {
    let format = match wire {
        Wire::Pi => "pi",
        Wire::ClaudeCode => "claude-code",
    };
    epitome_core::id::ConversationId::of_session(format, "s")
}

#[test]
fn a_compaction_moves_calls_to_the_history_without_new_refs() {
    // F57: numbers of turns and refs stay, `--history` takes the rest in under the same refs.
    let whole = CondenseOptions {
        extent: Extent::WholeFile,
        ..options()
    };
    on_both_stores(|store| {
        let before = session(Wire::ClaudeCode, "ab.c.");
        run(store, &before.source(), &options(), &Scripted::bullets());
        let boundary = json!({"type": "system", "subtype": "compact_boundary", "uuid": "k", "parentUuid": null, "sessionId": "s"});
        let summary = json!({"type": "user", "uuid": "k2", "parentUuid": "k", "sessionId": "s", "isCompactSummary": true, "message": {"content": "sum"}});
        let after = before
            .raw(&boundary.to_string())
            .raw(&summary.to_string())
            .chain("z", &long("z"))
            .source()
            .replace("\"parentUuid\":\"e10\"", "\"parentUuid\":\"k2\"");
        let done = run(store, &after, &options(), &Scripted::bullets());
        assert_eq!(
            fates(store, &done),
            ["c0#1=t1", "c1#1=t2", "c3#1=t3", "z#1=t4"]
        );
        assert_eq!(output(&done).matches("[Summarized").count(), 1);
        let done = run(store, &after, &whole, &Scripted::bullets());
        assert_eq!(
            fates(store, &done),
            ["c0#1=t1", "c1#1=t2", "c3#1=t3", "z#1=t4"]
        );
        assert_eq!(output(&done).matches("[Summarized").count(), 4);
        let turns = store.calls(&done.conversation).unwrap();
        let turns: Vec<u32> = turns.iter().map(|call| call.turn).collect();
        assert_eq!(turns, [0, 1, 3, 5]);
    });
}

#[test]
fn a_line_that_is_written_again_makes_no_new_call() {
    let session = session(Wire::ClaudeCode, "ab.");
    let source = session.source();
    let store = MemoryStore::new();
    let out = condensed(&store, &source);
    for file in [source, out] {
        let lines: Vec<&str> = file.lines().collect();
        let copied = format!("{file}{}\n", lines[1..].join("\n"));
        let done = run(&store, &copied, &options(), &Scripted::bullets());
        assert_eq!(fates(&store, &done), ["c0#1=t1", "c1#1=t2"]);
        assert_eq!(done.report.calls.other, 0, "{:?}", done.report.warnings);
        let stubs = output(&done).matches("[Summarized, ref `t1`").count();
        assert_eq!(stubs, 2);
    }
}

#[test]
fn the_open_tail_and_calls_without_a_result_stay_raw() {
    let check = |keep_turns: usize, expected: &[&str], open: usize| {
        let session = session(Wire::Pi, "a.bcdef").calls(&[("w", "read", json!({}))]);
        let store = MemoryStore::new();
        let options = CondenseOptions {
            keep_turns,
            ..options()
        };
        let done = run(&store, &session.source(), &options, &Scripted::bullets());
        assert_eq!(fates(&store, &done), expected);
        assert_eq!(done.report.calls.open, open);
    };
    let refs = [
        "c0#1=t1", "c2#1=t2", "c3#1=t3", "c4#1=t4", "c5#1=t5", "c6#1=t6",
    ];
    check(3, &refs[..4], 3);
    check(1, &refs, 1);
    check(0, &refs, 1);
    check(9, &[], 7);
}

/// Steps of closed chains and a chain that may be open, each call with content of its own or one of
/// a few that repeat between chains.
fn steps() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop::sample::subsequence(vec!['p', 'q', 'r', 's'], 0..4),
        1..6,
    )
    .prop_map(|chains| {
        let chains = chains.into_iter().map(String::from_iter);
        chains.collect::<Vec<_>>().join(".")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_longer_version_of_a_file_only_adds_flushes(
        steps in steps(),
        cut in any::<prop::sample::Index>(),
        pi in any::<bool>(),
    ) {
        let wire = if pi { Wire::Pi } else { Wire::ClaudeCode };
        let whole = session(wire, &format!("{steps}.")).source();
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        let prefix = lines[..=cut.index(lines.len())].concat();
        let at_once = MemoryStore::new();
        let once = run(&at_once, &whole, &options(), &Scripted::bullets());
        let store = MemoryStore::new();
        let first = run(&store, &prefix, &options(), &Scripted::bullets());
        let before = fates(&store, &first);
        let both = run(&store, &whole, &options(), &Scripted::bullets());
        let after = fates(&store, &both);
        prop_assert_eq!(&after[..before.len()], &before[..]);
        // Ids of one chain never repeat content here, so that flushes cut in two find the same.
        prop_assert_eq!(after, fates(&at_once, &once));
        prop_assert_eq!(output(&both), output(&once));
    }
}
