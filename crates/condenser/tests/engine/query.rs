//! The recovery tool. Numbers are those of the conformance list; B11 is paging.

use epitome_condenser::tools::{ToolAnswer, table};
use epitome_core::id::ConversationId;
use epitome_index::{MemoryStore, Store};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::fixture::{Session, Wire, condensed, long, on_both_stores, recovered};

fn ask(store: &dyn Store, arguments: &Value) -> ToolAnswer {
    let tool = table().into_iter().next().unwrap();
    assert_eq!(tool.name, "context_tree_query");
    (tool.call)(store, arguments)
}

fn text(store: &dyn Store, arguments: &Value) -> String {
    let answer = ask(store, arguments);
    assert!(!answer.is_error, "{}", answer.text);
    answer.text
}

/// A store with one session of one call.
fn holding(content: &str) -> MemoryStore {
    let store = MemoryStore::new();
    condensed(
        &store,
        &Session::new(Wire::Pi, "s").chain("a", content).source(),
    );
    store
}

fn numbered(lines: usize) -> String {
    let lines = (1..=lines).flat_map(|n| ["line ".to_owned(), format!("{n}\n")]);
    lines.collect()
}

/// Refs that the answer heads its blocks with.
fn labels(answer: &str) -> Vec<&str> {
    let labels = answer
        .lines()
        .filter_map(|line| line.strip_prefix("## toolRef: "));
    labels.collect()
}

#[test]
fn ids_and_refs_find_their_occurrences() {
    // 377 to 382, 491, B3.
    on_both_stores(|store| {
        let session = Session::new(Wire::Pi, "s")
            .chain("x", &long("one"))
            .chain("x", &long("two"))
            .chain("y", &long("one"))
            .user("go")
            .calls(&[("z", "bash", json!({}))])
            .failure("z", long("bad"))
            .says("done");
        condensed(store, &session.source());
        let check = |ids: Value, expected: &[&str]| {
            let answer = text(store, &json!({"toolCallIds": ids}));
            assert_eq!(labels(&answer), expected, "{answer}");
        };
        check(json!(["x"]), &["x@200", "x@600"]);
        check(json!(["x@600"]), &["x@600"]);
        check(json!(["x@601"]), &["x@601"]);
        check(json!(["lost"]), &["lost"]);
        check(json!(["y"]), &["y"]);
        check(json!(["t1"]), &["x@200", "y@1000"]);
        check(json!(["t2", "t3"]), &["t2", "t3"]);
        check(json!(["t2", "t2"]), &["t2", "t2"]);
        check(json!("t2"), &["t2"]);
        check(json!([" `t2` "]), &[" `t2` "]);
        check(json!([]), &[]);
        assert_eq!(text(store, &json!({"toolCallIds": []})), "");
        assert_eq!(
            text(store, &json!({"toolCallIds": ["x@601"]})),
            "## toolRef: x@601\n(not found in index — may not have been summarized yet)"
        );
        let failed = text(store, &json!({"toolCallIds": ["t3"]}));
        assert_eq!(
            failed,
            format!(
                "## toolRef: t3\nTool: bash\nArgs: {{}}\nStatus: ERROR\nTurn: 6\n\n{}",
                long("bad")
            )
        );
    });
}

#[test]
fn an_id_that_ends_like_a_time_is_found() {
    let store = MemoryStore::new();
    condensed(
        &store,
        &Session::new(Wire::Pi, "s")
            .chain("call@7", &long("a"))
            .source(),
    );
    assert_eq!(recovered(&store, "call@7").len(), 1);
    assert_eq!(recovered(&store, "call@7@200").len(), 1);
}

#[test]
fn occurrences_without_a_time_are_told_apart_by_nothing() {
    // 383.
    let session = Session::new(Wire::ClaudeCode, "s")
        .chain("x", &long("one"))
        .chain("x", &long("two"));
    let source: String = session
        .source()
        .lines()
        .map(|line| line.replacen("\"timestamp\":\"2026", "\"timestamp\":\"soon", 1) + "\n")
        .collect();
    let store = MemoryStore::new();
    condensed(&store, &source);
    let answer = text(&store, &json!({"toolCallIds": ["x"]}));
    assert_eq!(labels(&answer), ["x", "x"]);
    assert_eq!(
        answer
            .matches("Occurrence: legacy (no resultTimestamp)\n")
            .count(),
        2
    );
    assert!(!answer.contains("undefined") && !answer.contains("@legacy"));
}

#[test]
fn a_bare_ref_means_the_only_conversation_that_has_it() {
    // Decisions, section 1.2.
    on_both_stores(|store| {
        condensed(
            store,
            &Session::new(Wire::Pi, "one")
                .chain("a", &long("a"))
                .source(),
        );
        let more = Session::new(Wire::Pi, "two").chain("b", &long("b"));
        condensed(store, &more.chain("c", &long("c")).source());
        let [one, two] = ["one", "two"].map(|id| ConversationId::of_session("pi", id));
        let answer = text(store, &json!({"toolCallIds": ["t1", "t2"]}));
        for full in [format!("{one}/t1"), format!("{two}/t1")] {
            assert!(answer.contains(&full), "{answer}");
        }
        assert!(answer.contains(&long("c")), "{answer}");
        assert!(!answer.contains("a line"), "{answer}");
        for session in [json!("one"), json!(one.to_string())] {
            let answer = text(
                store,
                &json!({"toolCallIds": ["t1", "t2"], "session": session}),
            );
            assert!(answer.contains(&long("a")), "{answer}");
            assert!(answer.contains("not found"), "{answer}");
        }
        let full = text(
            store,
            &json!({"toolCallIds": [format!("{two}/t1")], "session": "one"}),
        );
        assert!(full.contains(&long("b")), "{full}");
        assert!(ask(store, &json!({"toolCallIds": ["t1"], "session": "none"})).is_error);
    });
}

/// Reads a result to its end by the tool's own directions; the pages and how they join.
fn read_to_the_end(store: &dyn Store) -> String {
    let mut whole = String::new();
    let mut arguments = json!({"toolCallIds": ["t1"]});
    for _ in 0..100 {
        let answer = text(store, &arguments);
        let (_, body) = answer.split_once("\n\n").unwrap();
        let (body, notice) = match body.rfind("\n[Output truncated: ") {
            Some(at) => (&body[..at], &body[at..]),
            None => match body.rfind("\n[End of output: ") {
                Some(at) => (&body[..at], ""),
                None => (body, ""),
            },
        };
        whole.push_str(body);
        let Some((_, next)) = notice.split_once("[Next: line ") else {
            return whole;
        };
        let next = next.trim_end_matches(']');
        let (line, byte) = next.split_once(", byte ").unwrap_or((next, "0"));
        let byte: u64 = byte.parse().unwrap();
        if byte == 0 {
            whole.push('\n');
        }
        arguments = json!({"toolCallIds": ["t1"], "lines": format!("{line}-"), "byte": byte});
    }
    panic!("the pages have no end");
}

#[test]
fn every_result_can_be_read_to_its_end() {
    // B11.
    let numbered = numbered(2500);
    let wide = "é".repeat(30_000);
    for content in [
        numbered.clone(),
        numbered.trim_end().to_owned(),
        wide.clone(),
        format!("first\n{wide}\nlast\n\n"),
        format!("{}\n", "x".repeat(51_200)),
        "😀\n".repeat(6000),
    ] {
        assert_eq!(read_to_the_end(&holding(&content)), content);
    }
}

#[test]
fn lines_are_picked_by_range_and_by_pattern() {
    let numbered = numbered(50);
    let store = holding(&numbered);
    let body = |arguments: Value| {
        let mut whole = json!({"toolCallIds": ["t1"]});
        whole
            .as_object_mut()
            .unwrap()
            .extend(arguments.as_object().unwrap().clone());
        let answer = text(&store, &whole);
        answer.split_once("\n\n").unwrap().1.to_owned()
    };
    assert!(body(json!({"lines": "3-4"})).starts_with("line 3\nline 4\n["));
    assert!(body(json!({"lines": "50"})).starts_with("line 50\n"));
    assert!(body(json!({"lines": "49-"})).starts_with("line 49\nline 50\n"));
    assert!(body(json!({"lines": "2", "byte": 3})).starts_with("e 2\n"));
    assert!(body(json!({"lines": "51-"})).contains("no line 51 of 50"));
    assert!(body(json!({"lines": "3-4"})).contains("lines 3-4 of 50 shown]\n[Next: line 5]"));
    assert_eq!(
        body(json!({"pattern": "^line 4[89]$"})),
        "48:line 48\n49:line 49\n"
    );
    assert_eq!(
        body(json!({"pattern": "line 1", "lines": "11-12"})),
        "11:line 11\n12:line 12\n"
    );
    assert!(body(json!({"pattern": "absent"})).contains("[No line matches.]"));
    assert!(body(json!({"pattern": "LINE 7"})).contains("[No line matches.]"));
}

#[test]
fn matches_beyond_a_page_say_the_line_to_go_on_with() {
    let odd: String = (1..=6000)
        .flat_map(|n| {
            if n % 2 == 1 {
                ["hit ".to_owned(), format!("{n}\n")]
            } else {
                ["miss".to_owned(), "\n".to_owned()]
            }
        })
        .collect();
    let store = holding(&odd);
    let mut hits = Vec::new();
    let mut lines = "1-".to_owned();
    for _ in 0..10 {
        let arguments = json!({"toolCallIds": ["t1"], "pattern": "^hit", "lines": lines});
        let answer = text(&store, &arguments);
        let found = answer.lines().filter_map(|line| line.split_once(":hit "));
        hits.extend(found.map(|(number, _)| number.parse::<usize>().unwrap()));
        let Some((_, next)) = answer.rsplit_once("[More matches: pass lines \"") else {
            break;
        };
        lines = next.split('"').next().unwrap().to_owned();
    }
    let expected: Vec<usize> = (1..=6000).step_by(2).collect();
    assert_eq!(hits, expected);
}

#[test]
fn an_answer_has_a_largest_size_whatever_was_asked() {
    // B11; Claude Code puts answers over 500,000 characters aside.
    const MOST: usize = 500_000;
    let store = MemoryStore::new();
    let mut session = Session::new(Wire::Pi, "s").user("go");
    for number in 0..12_u8 {
        let id = format!("c{number}");
        session = session
            .calls(&[(id.as_str(), "write", json!({"content": "w".repeat(90_000)}))])
            .result(&id, char::from(b'a' + number).to_string().repeat(50_000));
    }
    condensed(&store, &session.says("done").source());
    let refs: Vec<String> = (1..=12).map(|n| format!("t{n}")).collect();
    let answer = text(&store, &json!({"toolCallIds": refs}));
    assert!(answer.len() < MOST, "{}", answer.len());
    assert_eq!(labels(&answer)[..2], ["t1", "t2"]);
    assert!(
        answer.contains("this answer is full"),
        "{}",
        &answer[answer.len() - 300..]
    );
    // One call always fits, however long its arguments are.
    for number in 0..12_u8 {
        let answer = text(
            &store,
            &json!({"toolCallIds": [format!("t{}", number + 1)]}),
        );
        assert!(answer.contains(&char::from(b'a' + number).to_string().repeat(50_000)));
    }
    let unknown: Vec<String> = (0..100_000).map(|n| format!("unknown {n}")).collect();
    let answer = text(&store, &json!({"toolCallIds": unknown}));
    assert!(answer.len() < MOST, "{}", answer.len());
}

#[test]
fn empty_and_blank_originals_say_so() {
    let content = json!([
        {"type": "text", "text": " \n"},
        {"type": "text", "text": ""},
    ]);
    let filler = Session::new(Wire::Pi, "s")
        .user("go")
        .calls(&[("a", "read", json!({})), ("b", "read", json!({}))])
        .result("a", content)
        .result("b", long("b"))
        .says("done");
    let store = MemoryStore::new();
    condensed(&store, &filler.source());
    let answer = text(&store, &json!({"toolCallIds": ["t1"]}));
    assert!(answer.contains("[The original text is blank.]"), "{answer}");
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        "[0-9]{0,21}-?[0-9]{0,21}".prop_map(Value::from),
        prop::sample::select(vec![
            "t1",
            "S/t1",
            "a@9999999999999999999",
            "(",
            "[a-",
            "\\p{L}{9999}",
            ".*",
            "1-1"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[a-z]{1,3}", inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn whatever_a_model_passes_is_answered(
        whole in any_json(),
        parts in prop::array::uniform5(any_json()),
    ) {
        let store = holding("one\ntwo é\nthree\n".repeat(20).as_str());
        let [ids, session, lines, byte, pattern] = parts;
        for tool in table() {
            (tool.call)(&store, &whole);
            for ids in [ids.clone(), json!(["t1"])] {
                (tool.call)(&store, &json!({
                    "toolCallIds": ids, "lines": lines, "byte": byte, "pattern": pattern,
                }));
                (tool.call)(&store, &json!({"toolCallIds": ids, "session": session, "after": lines}));
                (tool.call)(&store, &json!({"toolCallIds": ids, "lines": lines}));
                (tool.call)(&store, &json!({"toolCallIds": ids, "lines": "1-", "byte": byte}));
            }
        }
    }
}
