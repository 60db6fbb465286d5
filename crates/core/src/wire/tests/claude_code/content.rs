//! What stands on the lines: responses, results, ids.

use super::*;

#[test]
fn one_response_over_several_lines_is_one_message() {
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "s"});
    let lines = [
        user("1", None, "hi"),
        part("2", Some("1"), "m", &thinking),
        says("3", Some("2"), "m", "a"),
        calls("4", Some("3"), "m", "x"),
        result("5", Some("4"), "x", "1"),
        says("6", Some("5"), "m2", "b"),
    ];
    check(&lines, "u:hi a:a(x#1=1) a:b | ");
    let transcript = read(jsonl(&lines).as_bytes()).unwrap();
    assert_eq!(transcript.context[1].thinking.len(), 1);
    assert_eq!(transcript.context[1].line, 2);
}

#[test]
fn several_results_on_one_line_find_their_calls() {
    let both = json!([block("x", "1"), block("y", "2"), {"type": "text", "text": "stop"}]);
    let lines = [
        user("1", None, "hi"),
        calls("2", Some("1"), "m", "x"),
        calls("3", Some("2"), "m", "y"),
        with(
            content("4", Some("3"), &both),
            &json!({"toolUseResult": {"stdout": "both"}}),
        ),
    ];
    check(&lines, "u:hi a:(x#1=1,y#1=2) u:stop | ");
    // Nobody can say which of them the second copy belongs to.
    let transcript = read(jsonl(&lines).as_bytes()).unwrap();
    let details = transcript
        .calls
        .iter()
        .map(|call| call.results[0].details.clone());
    assert_eq!(details.flatten().count(), 0);
    let one = with(
        result("4", Some("3"), "x", "1"),
        &json!({"toolUseResult": "copy"}),
    );
    let lines = [user("1", None, "hi"), calls("3", Some("1"), "m", "x"), one];
    let source = jsonl(&lines);
    let details = read(source.as_bytes()).unwrap().calls[0].results[0]
        .details
        .clone();
    assert_eq!(&source[details.unwrap()], "\"copy\"");
}

#[test]
fn an_orphan_is_reported_and_the_text_beside_it_stays() {
    // F2, F3.
    let orphan = json!([block("lost", "out"), {"type": "text", "text": "please stop"}]);
    let lines = [content("1", None, &orphan), calls("2", Some("1"), "m", "x")];
    check(&lines, "u:please stop a:(x#1=-) | ");
    assert_eq!(kinds(&lines), [ViolationKind::OrphanResult]);
    let twice = [
        calls("1", None, "m", "x"),
        result("2", Some("1"), "x", "first"),
        result("3", Some("2"), "x", "second"),
    ];
    check(&twice, "a:(x#1=first) | ");
    assert_eq!(kinds(&twice), [ViolationKind::SecondResult]);
}

#[test]
fn an_id_used_again_hides_the_call_that_was_never_answered() {
    // F4, F5, 298: what answers the newer call twice is no answer of the older one.
    let lines = [
        calls("1", None, "m", "bash_1"),
        user("2", Some("1"), "go on"),
        calls("3", Some("2"), "n", "bash_1"),
        result("4", Some("3"), "bash_1", "first"),
        result("5", Some("4"), "bash_1", "second"),
        says("6", Some("5"), "o", "end"),
    ];
    check(&lines, "a:(bash_1#1=-) u:go on a:(bash_1#2=first) a:end | ");
    // B15: inside one response nothing can be told apart.
    let twins = [
        calls("1", None, "m", "x"),
        calls("2", Some("1"), "m", "x"),
        result("3", Some("2"), "x", "out"),
    ];
    check(&twins, "a:(x#1=-?,x#2=out?) | ");
}

#[test]
fn unknown_lines_and_blocks_are_counted() {
    let blocks = json!([{"type": "text", "text": "t"}, {"type": "hologram"}, 7]);
    let lines = [
        json!({"type": "a-new-kind", "sessionId": "s"}),
        content("1", None, &blocks),
        content("2", Some("1"), &json!(7)),
        json!({"type": 7}),
    ];
    check(&lines, "u:t u: | ");
    let transcript = read(jsonl(&lines).as_bytes()).unwrap();
    assert_eq!(transcript.lines.unknown, 2);
    assert_eq!(transcript.lines.unknown_blocks, 3);
    assert_eq!(transcript.lines.total, 4);
}

#[test]
fn result_contents_of_every_shape_are_read() {
    // F24.
    let check = |content: &str, expected: &str, strange: bool| {
        let result = format!(
            r#"{{"type":"user","uuid":"2","parentUuid":"1","message":{{"content":[{{"type":"tool_result","tool_use_id":"x"{content}}}]}}}}"#
        );
        let source = jsonl(&[calls("1", None, "m", "x")]) + &result;
        assert_eq!(view(&source), format!("a:(x#1={expected}) | "), "{content}");
        let shape = faults(&source)
            .iter()
            .any(|(kind, _)| *kind == ViolationKind::ContentShape);
        assert_eq!(shape, strange, "{content}");
    };
    check(r#","content":"t""#, "t", false);
    check(r#","content":[{"type":"text","text":"t"}]"#, "t", false);
    check(
        r#","content":[{"type":"text","text":"t"},{"type":"text","text":"u"}]"#,
        "t\nu",
        false,
    );
    check(r#","content":[]"#, "", false);
    check(r#","content":"""#, "", false);
    check(r#","content":null"#, "", false);
    check("", "", false);
    check(r#","content":{"text":"t"}"#, "", true);
}

#[test]
fn every_session_id_is_found_in_both_spellings() {
    let lines = [
        json!({"type": "mode", "sessionId": "s"}),
        with(user("1", None, "hi"), &json!({"session_id": "s"})),
        json!({"type": "a-new-kind", "sessionId": "t", "nested": {"sessionId": "s"}}),
        json!({"type": "odd", "sessionId": 7}),
    ];
    let source = jsonl(&lines);
    let transcript = read(source.as_bytes()).unwrap();
    let mut ids: Vec<&str> = transcript
        .session_ids
        .into_iter()
        .map(|span| &source[span])
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, ["\"s\"", "\"s\"", "\"s\"", "\"t\""]);
    assert_eq!(transcript.session_id, "s");
}

#[test]
fn a_session_without_an_id_keeps_its_conversation_while_it_grows() {
    // Decisions, section 1.
    let bare = |mut line: Value| {
        line.as_object_mut().unwrap().remove("sessionId");
        line
    };
    let lines: Vec<Value> = [
        user("1", None, "hi"),
        calls("2", Some("1"), "m", "x"),
        result("3", Some("2"), "x", "out"),
        says("4", Some("3"), "n", "end"),
    ]
    .map(bare)
    .to_vec();
    let id = |lines: &[Value]| read(jsonl(lines).as_bytes()).unwrap().conversation();
    assert_eq!(id(&lines[..2]), id(&lines));
    let mut other = lines.clone();
    other[0] = bare(user("1", None, "ho"));
    assert_ne!(id(&other), id(&lines));
}
