//! Whatever stands in a session, condensing keeps its promises.

use epitome_condenser::{CondenseOptions, Manner, Thinking, expand};
use epitome_core::batch::Batching;
use epitome_core::label::contains_label;
use epitome_core::stub;
use epitome_core::transcript::{Transcript, decode_content};
use epitome_core::wire;
use epitome_index::model::StoredFate;
use epitome_index::{MemoryStore, Store};
use epitome_summarizer::extractive::Extractive;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::fixture::{Scripted, Session, Wire, options, run};

/// Text of a tool: any characters, with what means something to a condenser mixed in.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        "\\PC{0,40}",
        "[ -~]{0,80}",
        prop::sample::select(vec![
            "[[1:read]] ", "[[2:bash]] ", "[[", "]]", "[[ 1:", "```\n", "~~~\n", "---\n", "\n", "\r\n",
            "{b1}", "{b2}", "`t1` ", "`t2`", "- ", "</tool-call-batch>", "<persisted-output>",
            "[Summarized, ref `t1`. Original kept: 1 line, 1 byte left out. Get it: epitome recover aaaaaaaa/t1]\n",
            "error: it failed\n", "\u{feff}", "\u{2028}", "\u{0}", "\u{1b}[31m", "😀", "\\ud83d", "\"", "\\",
        ])
        .prop_map(str::to_owned),
    ];
    (prop::collection::vec(piece, 0..8), 1_usize..12)
        .prop_map(|(pieces, times)| pieces.concat().repeat(times))
}

#[derive(Debug, Clone)]
struct Step {
    id: String,
    tool: String,
    input: Value,
    content: Value,
    is_error: bool,
    ends_chain: bool,
}

fn step() -> impl Strategy<Value = Step> {
    let content = prop_oneof![
        4 => text().prop_map(|text| json!([{"type": "text", "text": text}])),
        1 => prop::collection::vec(text(), 0..3).prop_map(|texts| {
            texts.into_iter().map(|text| json!({"type": "text", "text": text})).collect()
        }),
        1 => text().prop_map(|text| json!([
            {"type": "text", "text": text}, {"type": "image", "data": "AAAA", "mimeType": text},
        ])),
        1 => Just(json!([{"type": "odd"}])),
    ];
    let id = prop_oneof!["[a-c]", "[a-c]@[0-9]{1,3}", any::<String>()];
    let tool = prop_oneof![3 => "read|bash|edit", 1 => any::<String>()];
    let input = prop_oneof![
        text().prop_map(|text| json!({"path": text, text: 1})),
        text().prop_map(Value::from),
        Just(Value::Null),
    ];
    (id, tool, input, content, any::<bool>(), any::<bool>()).prop_map(
        |(id, tool, input, content, is_error, ends_chain)| Step {
            id,
            tool,
            input,
            content,
            is_error,
            ends_chain,
        },
    )
}

/// Builds a session; a marker that no other call has stands at the end of each text.
fn session(wire: Wire, steps: &[Step]) -> String {
    let mut session = Session::new(wire, "s").user("go");
    for step in steps {
        session = session
            .calls(&[(step.id.as_str(), step.tool.as_str(), step.input.clone())])
            .outcome(&step.id, step.content.clone(), step.is_error, &json!({}));
        if step.ends_chain {
            session = session.says("done").user("go");
        }
    }
    session.source()
}

fn any_options() -> impl Strategy<Value = CondenseOptions> {
    (
        0_usize..4,
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        0_u64..200,
    )
        .prop_map(
            |(keep_turns, merged, by_model, fresh, min_batch_chars)| CondenseOptions {
                keep_turns,
                batching: if merged {
                    Batching::AgentMessage
                } else {
                    Batching::Turn
                },
                thinking: if by_model {
                    Thinking::ByModel
                } else {
                    Thinking::Keep
                },
                fresh_session_id: fresh.then(|| "fresh".to_owned()),
                min_batch_chars,
                ..options()
            },
        )
}

/// Raw content of each call's result, with the key of the call.
fn contents<'a>(source: &'a str, transcript: &Transcript) -> Vec<(String, &'a str)> {
    let calls = transcript.calls.iter();
    let contents = calls.filter_map(|call| {
        let span = call.results.first()?.content.clone()?;
        Some((call.key.to_string(), &source[span]))
    });
    contents.collect()
}

/// What the store says that stood there.
fn original(store: &dyn Store, key: &str, full: &epitome_core::id::FullRef) -> Option<Vec<u8>> {
    let calls = store.calls(&full.conversation).unwrap();
    let call = calls.into_iter().find(|call| call.key.to_string() == key)?;
    match call.fate {
        StoredFate::Kept { short, result, .. } if short == full.short => {
            Some(store.original(&result).unwrap())
        }
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn condensing_loses_nothing(
        steps in prop::collection::vec(step(), 0..7),
        pi in any::<bool>(),
        options in any_options(),
        said in text(),
        extractive in any::<bool>(),
    ) {
        let source = session(if pi { Wire::Pi } else { Wire::ClaudeCode }, &steps);
        let store = MemoryStore::new();
        let scripted = Scripted::new(move |_| said.clone());
        let done = if extractive {
            run(&store, &source, &options, &Extractive)
        } else {
            run(&store, &source, &options, &scripted)
        };
        let out = String::from_utf8(done.output.bytes.clone()).unwrap();

        // Bytes outside of edits are those of the source, an empty plan is the identity.
        let (mut from, mut to) = (0, 0);
        for edit in &done.output.edits {
            prop_assert_eq!(&source[from..edit.source.start], &out[to..edit.output.start]);
            (from, to) = (edit.source.end, edit.output.end);
        }
        prop_assert_eq!(&source[from..], &out[to..]);

        // Every line is JSON, and the session has the same structure.
        prop_assert_eq!(source.lines().count(), out.lines().count());
        for line in out.lines() {
            prop_assert!(serde_json::from_str::<Value>(line).is_ok(), "{}", line);
        }
        let before = wire::read(source.as_bytes()).unwrap();
        let after = wire::read(out.as_bytes()).unwrap();
        prop_assert_eq!(&before.violations, &after.violations);

        let label = regex::Regex::new(r"\[\[\d+:[^\]\n]+\]\]").unwrap();
        // Each stub is smaller than what it replaces and names what stood there.
        let pairs = contents(&source, &before).into_iter().zip(contents(&out, &after));
        for ((key, original_raw), (key_after, raw)) in pairs {
            prop_assert_eq!(&key, &key_after);
            if raw == original_raw {
                continue;
            }
            prop_assert!(raw.len() < original_raw.len());
            let stub = decode_content(Some(raw)).text.into_owned();
            let full = stub::parse(&stub).unwrap();
            let kept = original(&store, &key, &full);
            prop_assert_eq!(kept.as_deref(), Some(original_raw.as_bytes()));
            let leaked = if extractive {
                stub.lines().any(contains_label)
            } else {
                label.is_match(&stub) && !stub.contains("```")
            };
            prop_assert!(!leaked, "{}", stub);
        }
        prop_assert_eq!(store.check().unwrap().problems, Vec::<String>::new());

        // Back again, and condensing twice is condensing once.
        if !done.output.edits.is_empty() {
            let back = expand(out.as_bytes(), &store).unwrap();
            prop_assert_eq!(back.manner, Manner::Whole);
            prop_assert_eq!(back.bytes, source.as_bytes());
        }
        let again = CondenseOptions { fresh_session_id: None, ..options.clone() };
        let again = run(&store, &out, &again, &Scripted::new(|_| String::new()));
        let unsummarized = done.report.calls;
        if unsummarized.not_smaller + unsummarized.too_small == 0 {
            prop_assert_eq!(String::from_utf8(again.output.bytes).unwrap(), out);
        }
    }

    #[test]
    fn the_extractive_summarizer_finds_the_same_at_every_run(
        steps in prop::collection::vec(step(), 0..7),
        options in any_options(),
    ) {
        let source = session(Wire::ClaudeCode, &steps);
        let store = MemoryStore::new();
        let first = run(&store, &source, &options, &Extractive);
        let second = run(&store, &source, &options, &Extractive);
        prop_assert_eq!(&first.output.bytes, &second.output.bytes);
        let other = run(&MemoryStore::new(), &source, &options, &Extractive);
        prop_assert_eq!(&first.output.bytes, &other.output.bytes);
        let plain = CondenseOptions { fresh_session_id: None, ..options };
        let out = String::from_utf8(first.output.bytes).unwrap();
        let again = run(&store, &out, &plain, &Extractive);
        prop_assert_eq!(String::from_utf8(again.output.bytes).unwrap(), out);
    }

    #[test]
    fn a_result_speaks_for_no_other_call(hostile in text(), tool in any::<String>()) {
        // Decisions, section 4.
        let marked: String = hostile.split('\n').map(|line| format!("{line} qxqx\n")).collect::<Vec<_>>().concat();
        let source = Session::new(Wire::Pi, "s")
            .user("go")
            .calls(&[("a", tool.as_str(), json!({"path": "qxqx"})), ("b", "bash", json!({}))])
            .result("a", marked.repeat(8))
            .result("b", "plain words\n".repeat(60))
            .says("done")
            .source();
        let done = run(&MemoryStore::new(), &source, &options(), &Extractive);
        let out = String::from_utf8(done.output.bytes).unwrap();
        let after = wire::read(out.as_bytes()).unwrap();
        let (_, stub) = contents(&out, &after).into_iter().find(|(key, _)| key == "b#1").unwrap();
        prop_assert!(!stub.contains("qxqx"), "{}", stub);
    }
}
