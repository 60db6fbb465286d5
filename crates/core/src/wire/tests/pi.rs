//! Pi sessions, versions 1 to 3.

use serde_json::{Value, json};

use super::*;

fn header(version: u64) -> Value {
    match version {
        1 => json!({"type": "session", "id": "s", "cwd": "/p"}),
        _ => json!({"type": "session", "version": version, "id": "s", "cwd": "/p"}),
    }
}

fn entry(id: &str, parent: Option<&str>, rest: &Value) -> Value {
    let mut entry = json!({"id": id, "parentId": parent, "timestamp": "2026-01-01T00:00:00.000Z"});
    let object = entry.as_object_mut().unwrap();
    object.extend(rest.as_object().unwrap().clone());
    entry
}

fn message(id: &str, parent: Option<&str>, message: &Value) -> Value {
    entry(id, parent, &json!({"type": "message", "message": message}))
}

fn user(id: &str, parent: Option<&str>, text: &str) -> Value {
    message(id, parent, &json!({"role": "user", "content": text}))
}

fn assistant(text: &str, calls: &[&str], stop: &str) -> Value {
    let mut content = vec![json!({"type": "text", "text": text})];
    content.extend(
        calls
            .iter()
            .map(|id| json!({"type": "toolCall", "id": id, "name": "read", "arguments": {}})),
    );
    json!({"role": "assistant", "content": content, "stopReason": stop})
}

fn says(id: &str, parent: Option<&str>, text: &str, calls: &[&str]) -> Value {
    message(id, parent, &assistant(text, calls, "stop"))
}

fn result(id: &str, parent: Option<&str>, call: &str, text: &str) -> Value {
    let content = json!([{"type": "text", "text": text}]);
    let body = json!({"role": "toolResult", "toolCallId": call, "content": content});
    message(id, parent, &body)
}

fn check(lines: &[Value], expected: &str) {
    assert_eq!(view(&jsonl(lines)), expected, "{}", jsonl(lines));
}

#[test]
fn dead_branches_are_history_and_the_last_line_is_the_leaf() {
    let tree = [
        header(3),
        user("1", None, "hi"),
        says("2", Some("1"), "dead", &["x"]),
        result("3", Some("2"), "x", "old"),
        says("4", Some("1"), "live", &["x"]),
        result("5", Some("4"), "x", "new"),
    ];
    check(&tree, "u:hi a:live(x#2=new) | a:dead(x#1=old)");
    // Any line with an id is a leaf, a label too.
    let label = |parent| {
        entry(
            "9",
            Some(parent),
            &json!({"type": "label", "targetId": "1"}),
        )
    };
    let with_label = [&tree[..], &[label("3")]].concat();
    check(&with_label, "u:hi a:dead(x#1=old) | a:live(x#2=new)");
    // Unknown kinds on the path are stepped through.
    let unknown = entry("7", Some("5"), &json!({"type": "new_kind"}));
    let grown = [&tree[..], &[unknown, user("8", Some("7"), "go")]].concat();
    check(&grown, "u:hi a:live(x#2=new) u:go | a:dead(x#1=old)");
    assert_eq!(read(jsonl(&grown).as_bytes()).unwrap().lines.unknown, 1);
}

#[test]
fn the_header_may_be_the_parent_and_a_missing_parent_ends_the_path() {
    let rooted = [
        header(3),
        user("1", Some("s"), "hi"),
        says("2", Some("1"), "ok", &[]),
    ];
    check(&rooted, "u:hi a:ok | ");
    assert_eq!(faults(&jsonl(&rooted)), []);
    let source = jsonl(&rooted);
    let ids: Vec<&str> = read(source.as_bytes())
        .unwrap()
        .session_ids
        .into_iter()
        .map(|span| &source[span])
        .collect();
    assert_eq!(ids, ["\"s\"", "\"s\""]);
    let cut = [
        header(3),
        user("1", None, "hi"),
        says("2", Some("lost"), "ok", &[]),
    ];
    check(&cut, "a:ok | u:hi");
    assert_eq!(
        faults(&jsonl(&cut)),
        [(ViolationKind::MissingParent, "lost".to_owned())]
    );
    // A circle ends where it closes.
    let circle = [
        header(3),
        user("1", Some("2"), "hi"),
        says("2", Some("1"), "ok", &[]),
    ];
    check(&circle, "u:hi a:ok | ");
}

#[test]
fn an_id_that_stands_twice_means_its_newest_line() {
    let lines = [
        header(3),
        user("1", None, "old"),
        user("1", None, "new"),
        says("2", Some("1"), "ok", &[]),
    ];
    check(&lines, "u:new a:ok | u:old");
    assert_eq!(
        faults(&jsonl(&lines)),
        [(ViolationKind::RepeatedId, "1".to_owned())]
    );
}

#[test]
fn a_compaction_by_id_keeps_what_stands_between_it_and_its_first_entry() {
    let compaction = |id: &str, parent: &str, first: &str| {
        let body = json!({"type": "compaction", "summary": "sum", "firstKeptEntryId": first});
        entry(id, Some(parent), &body)
    };
    let lines = |first| {
        [
            header(3),
            user("1", None, "a"),
            says("2", Some("1"), "b", &["x"]),
            result("3", Some("2"), "x", "1"),
            user("4", Some("3"), "c"),
            compaction("5", "4", first),
            says("6", Some("5"), "d", &[]),
        ]
    };
    check(&lines("4"), "o:sum u:c a:d | u:a a:b(x#1=1)");
    check(&lines("2"), "o:sum a:b(x#1=1) u:c a:d | u:a");
    // What is kept does not exist, or stands behind: then nothing is kept.
    check(&lines("lost"), "o:sum a:d | u:a a:b(x#1=1) u:c");
    check(&lines("6"), "o:sum a:d | u:a a:b(x#1=1) u:c");
    // The newest one wins.
    let twice = [&lines("2")[..], &[compaction("7", "6", "6")]].concat();
    check(&twice, "o:sum a:d | u:a a:b(x#1=1) u:c o:sum");
}

#[test]
fn a_compaction_by_index_counts_the_header_and_leaves_out_broken_lines() {
    let source = |index: usize| {
        let compaction =
            json!({"type": "compaction", "summary": "sum", "firstKeptEntryIndex": index});
        let mut lines = jsonl(&[header(1), user("", None, "a")]);
        lines.push_str("{cut off\n");
        lines.push_str(&jsonl(&[
            says("", None, "b", &[]),
            user("", None, "c"),
            compaction,
            says("", None, "d", &[]),
        ]));
        lines
    };
    assert_eq!(view(&source(2)), "o:sum a:b u:c a:d | u:a");
    assert_eq!(view(&source(3)), "o:sum u:c a:d | u:a a:b");
    assert_eq!(view(&source(0)), "o:sum a:d | u:a a:b u:c");
    assert_eq!(view(&source(99)), "o:sum a:d | u:a a:b u:c");
    let transcript = read(source(2).as_bytes()).unwrap();
    assert_eq!((transcript.broken[0].line, transcript.lines.total), (3, 7));
}

#[test]
fn a_retained_tail_repeats_the_calls_that_it_copies() {
    let tail = json!([
        {"role": "user", "content": "c"},
        assistant("b", &["x"], "toolUse"),
        {"role": "toolResult", "toolCallId": "x", "content": [{"type": "text", "text": "1"}]},
    ]);
    let lines = [
        header(3),
        user("1", None, "a"),
        says("2", Some("1"), "b", &["x"]),
        result("3", Some("2"), "x", "1"),
        entry(
            "4",
            Some("3"),
            &json!({"type": "compaction", "summary": "sum", "retainedTail": tail}),
        ),
        says("5", Some("4"), "d", &["x"]),
        result("6", Some("5"), "x", "2"),
    ];
    check(&lines, "o:sum u:c a:b(x#1=1) a:d(x#2=2) | u:a a:b(x#1=1)");
}

#[test]
fn ids_that_repeat_are_told_apart_by_their_place() {
    // 5, 297, F5.
    let lines = [
        header(2),
        says("1", None, "", &["bash_1"]),
        result("2", Some("1"), "bash_1", "one"),
        says("3", Some("2"), "", &["bash_1"]),
        result("4", Some("3"), "bash_1", "two"),
        says("5", Some("4"), "", &["bash_1"]),
    ];
    check(
        &lines,
        "a:(bash_1#1=one) a:(bash_1#2=two) a:(bash_1#3=-) | ",
    );
    // B15: two calls of one message share an id.
    let twins = [
        header(2),
        says("1", None, "", &["x", "x"]),
        result("2", Some("1"), "x", "one"),
        result("3", Some("2"), "x", "two"),
    ];
    check(&twins, "a:(x#1=two?,x#2=one?) | ");
}

#[test]
fn results_count_up_to_the_next_assistant_only() {
    // 8, 298: nothing is paired across an assistant, and the first result wins.
    let late = [
        header(3),
        says("1", None, "a", &["x"]),
        says("2", Some("1"), "b", &[]),
        result("3", Some("2"), "x", "late"),
    ];
    check(&late, "a:a(x#1=-) a:b | ");
    assert_eq!(
        faults(&jsonl(&late)),
        [
            (ViolationKind::OrphanResult, "x".to_owned()),
            (ViolationKind::UnansweredCall, "x#1".to_owned()),
        ]
    );
    // 303: another role in between ends nothing.
    let bash = json!({"role": "bashExecution", "command": "ls", "output": "a"});
    let between = [
        header(3),
        says("1", None, "a", &["x"]),
        message("2", Some("1"), &bash),
        result("3", Some("2"), "x", "first"),
        result("4", Some("3"), "x", "second"),
    ];
    check(&between, "a:a(x#1=first) o:ls+a | ");
    assert_eq!(
        faults(&jsonl(&between)),
        [(ViolationKind::SecondResult, "x".to_owned())]
    );
}

#[test]
fn what_pi_does_not_send_has_no_calls() {
    // B22: errors and aborts; 300 to 304: notes are sent but are no prompts.
    for stop in ["aborted", "error"] {
        let lines = [
            header(3),
            user("1", None, "hi"),
            message("2", Some("1"), &assistant("half", &["x"], stop)),
            result("3", Some("2"), "x", "out"),
        ];
        check(&lines, "u:hi a:half | ");
    }
    let note = |kind: &str| {
        let body = json!({"type": kind, "content": "note", "summary": "note"});
        [header(3), entry("1", None, &body)]
    };
    check(&note("custom_message"), "o:note | ");
    check(&note("branch_summary"), "o:note | ");
    check(&note("custom"), " | ");
    let custom = json!({"role": "custom", "content": [{"type": "text", "text": "c"}]});
    check(&[header(3), message("1", None, &custom)], "o:c | ");
}

#[test]
fn result_contents_of_every_shape_are_read_and_strange_ones_reported() {
    // F24: Pi sends a list only.
    let with = |content: &str| {
        let result = format!(
            r#"{{"type":"message","id":"2","parentId":"1","message":{{"role":"toolResult","toolCallId":"x"{content},"isError":true}}}}"#
        );
        jsonl(&[header(3), says("1", None, "", &["x"])]) + &result + "\n"
    };
    let check = |content: &str, expected: &str, shape: usize| {
        let source = with(content);
        assert_eq!(
            view(&source),
            format!("a:(x#1={expected}!) | "),
            "{content}"
        );
        let strange = faults(&source)
            .into_iter()
            .filter(|(kind, _)| *kind == ViolationKind::ContentShape);
        assert_eq!(strange.count(), shape, "{content}");
    };
    check(r#","content":[{"type":"text","text":"t"}]"#, "t", 0);
    check(
        r#","content":[{"type":"text","text":"t"},{"type":"text","text":"u"}]"#,
        "t\nu",
        0,
    );
    check(r#","content":[]"#, "", 0);
    check(r#","content":"t""#, "t", 1);
    check(r#","content":null"#, "", 1);
    check("", "", 1);
    check(
        r#","content":[{"type":"text","text":"\ud83d"}]"#,
        r"\ud83d",
        0,
    );
}

#[test]
fn odd_bytes_of_lines_are_survived() {
    let plain = jsonl(&[
        header(3),
        user("1", None, "hi"),
        says("2", Some("1"), "ok", &["x"]),
        result("3", Some("2"), "x", "out"),
    ]);
    let expected = "u:hi a:ok(x#1=out) | ";
    assert_eq!(view(&plain), expected);
    // CRLF, blank lines, no line feed at the end.
    assert_eq!(view(&plain.replace('\n', "\r\n")), expected);
    assert_eq!(view(&plain.replace('\n', "\n\n \n")), expected);
    assert_eq!(view(plain.trim_end()), expected);
    // A last line that is cut off is no leaf.
    assert_eq!(view(&format!("{plain}{{\"type\":\"mess")), expected);
    let cut = format!("{plain}{{\"type\":\"mess");
    let broken = read(cut.as_bytes()).unwrap().broken;
    assert_eq!(
        (broken[0].line, broken[0].reason.as_str()),
        (5, "cut off in the middle")
    );
    // Escaped letters are the same letters.
    let escaped = plain.replace("\"toolCallId\":\"x\"", "\"toolCallId\":\"\\u0078\"");
    assert_eq!(view(&escaped), expected);
    // A line that names a key twice says two things: it is left alone, and reported.
    let twice = plain.replace("\"id\":\"3\"", "\"id\":\"9\",\"id\":\"3\"");
    assert_eq!(view(&twice), "u:hi a:ok(x#1=-) | ");
    assert_eq!(read(twice.as_bytes()).unwrap().broken.len(), 1);
    // Keys that are not read may stand twice, and bytes outside of UTF-8 stay where they are.
    let other = plain.replace("\"id\":\"3\"", "\"k\":1,\"k\":2,\"id\":\"3\"");
    assert_eq!(view(&other), expected);
    let mut bytes = plain.clone().into_bytes();
    bytes.extend_from_slice(b"\xff\xfe\x00\n");
    assert_eq!(read(&bytes).unwrap().broken[0].reason, "not valid UTF-8");
}

#[test]
fn unknown_blocks_are_counted_and_pass() {
    let content = json!([{"type": "text", "text": "t"}, {"type": "video"}, 7, "s"]);
    let lines = [
        header(3),
        message("1", None, &json!({"role": "assistant", "content": content})),
    ];
    check(&lines, "a:t | ");
    let transcript = read(jsonl(&lines).as_bytes()).unwrap();
    assert_eq!(transcript.lines.unknown_blocks, 3);
}
