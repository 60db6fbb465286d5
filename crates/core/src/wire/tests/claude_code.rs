//! Claude Code sessions: the tree of lines.

mod content;

use serde_json::{Value, json};

use super::*;

/// A line of the tree. Its time is its number in milliseconds.
fn line(kind: &str, uuid: &str, parent: Option<&str>, at_ms: u32, rest: &Value) -> Value {
    let time = format!(
        "2026-01-01T00:{:02}:{:02}.{:03}Z",
        at_ms / 60_000,
        at_ms / 1000 % 60,
        at_ms % 1000
    );
    let mut line = json!({
        "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "timestamp": time,
    });
    line.as_object_mut()
        .unwrap()
        .extend(rest.as_object().unwrap().clone());
    line
}

fn user(uuid: &str, parent: Option<&str>, text: &str) -> Value {
    let message = json!({"message": {"role": "user", "content": text}});
    line("user", uuid, parent, 0, &message)
}

fn part(uuid: &str, parent: Option<&str>, response: &str, block: &Value) -> Value {
    let message = json!({"message": {"id": response, "role": "assistant", "content": [block]}});
    line("assistant", uuid, parent, 0, &message)
}

fn says(uuid: &str, parent: Option<&str>, response: &str, text: &str) -> Value {
    part(
        uuid,
        parent,
        response,
        &json!({"type": "text", "text": text}),
    )
}

fn calls(uuid: &str, parent: Option<&str>, response: &str, id: &str) -> Value {
    let block = json!({"type": "tool_use", "id": id, "name": "Read", "input": {}});
    part(uuid, parent, response, &block)
}

fn block(id: &str, text: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": text})
}

fn content(uuid: &str, parent: Option<&str>, content: &Value) -> Value {
    line(
        "user",
        uuid,
        parent,
        0,
        &json!({"message": {"role": "user", "content": content}}),
    )
}

fn result(uuid: &str, parent: Option<&str>, id: &str, text: &str) -> Value {
    content(uuid, parent, &json!([block(id, text)]))
}

/// The same line at another time, with further fields.
fn with(mut line: Value, fields: &Value) -> Value {
    line.as_object_mut()
        .unwrap()
        .extend(fields.as_object().unwrap().clone());
    line
}

fn at(line: Value, milliseconds: u32) -> Value {
    let time = format!(
        "2026-01-01T00:00:{:02}.{:03}Z",
        milliseconds / 1000,
        milliseconds % 1000
    );
    with(line, &json!({"timestamp": time}))
}

fn check(lines: &[Value], expected: &str) {
    assert_eq!(view(&jsonl(lines)), expected, "{}", jsonl(lines));
}

fn kinds(lines: &[Value]) -> Vec<ViolationKind> {
    faults(&jsonl(lines))
        .into_iter()
        .map(|(kind, _)| kind)
        .collect()
}

#[test]
fn parallel_calls_that_fork_the_tree_get_their_results() {
    let lines = [
        user("1", None, "hi"),
        says("2", Some("1"), "m", "look"),
        calls("3", Some("2"), "m", "x"),
        calls("4", Some("3"), "m", "y"),
        calls("5", Some("4"), "m", "z"),
        result("6", Some("3"), "x", "1"),
        result("7", Some("4"), "y", "2"),
        result("8", Some("5"), "z", "3"),
        says("9", Some("8"), "n", "done"),
    ];
    check(&lines, "u:hi a:look(x#1=1,y#1=2,z#1=3) a:done | ");
    assert_eq!(kinds(&lines), []);
    // The path may go through the first result: the later parts of the response still belong to it.
    let first = [&lines[..8], &[says("9", Some("6"), "n", "done")]].concat();
    check(&first, "u:hi a:look(x#1=1,y#1=2,z#1=3) a:done | ");
    assert_eq!(kinds(&first), []);
}

#[test]
fn a_dead_branch_keeps_its_results_to_itself() {
    // F4, F5: a rewound branch used the id again; the unanswered call of the path stays unanswered.
    let lines = [
        user("1", None, "hi"),
        calls("2", Some("1"), "m", "bash_1"),
        result("3", Some("2"), "bash_1", "dead"),
        user("4", Some("1"), "again"),
        calls("5", Some("4"), "n", "bash_1"),
        user("6", Some("5"), "stop"),
    ];
    check(
        &lines,
        "u:hi u:again a:(bash_1#2=-) u:stop | a:(bash_1#1=dead)",
    );
}

#[test]
fn side_chains_and_rewound_branches_are_history() {
    let side = json!({"isSidechain": true});
    let lines = [
        user("1", None, "hi"),
        calls("2", Some("1"), "m", "task"),
        with(user("s1", None, "sub"), &side),
        with(calls("s2", Some("s1"), "sm", "x"), &side),
        with(result("s3", Some("s2"), "x", "inner"), &side),
        result("3", Some("2"), "task", "report"),
        user("4", Some("3"), "old"),
        user("5", Some("3"), "new"),
        with(says("s4", Some("s3"), "sn", "end"), &side),
    ];
    check(
        &lines,
        "u:hi a:(task#1=report) u:new | u:sub a:(x#1=inner) u:old a:end",
    );
}

#[test]
fn a_compaction_is_a_new_root() {
    let boundary = |parent: Option<&str>| {
        let body = json!({"subtype": "compact_boundary", "logicalParentUuid": "2"});
        line("system", "3", parent, 0, &body)
    };
    let summary = with(
        user("4", Some("3"), "sum"),
        &json!({"isCompactSummary": true}),
    );
    for parent in [None, Some("2")] {
        let lines = [
            user("1", None, "hi"),
            calls("2", Some("1"), "m", "x"),
            boundary(parent),
            summary.clone(),
            says("5", Some("4"), "n", "on"),
        ];
        check(&lines, "o:sum a:on | u:hi a:(x#1=-)");
    }
    // A leaf that was noted before the compaction counts no longer.
    let prompted = json!({"type": "last-prompt", "leafUuid": "1", "explicit": true});
    let lines = [user("1", None, "hi"), prompted, boundary(None), summary];
    check(&lines, "o:sum | u:hi");
}

#[test]
fn notes_of_the_agent_are_sent_but_are_no_prompts() {
    let lines = [
        user("1", None, "hi"),
        with(user("2", Some("1"), "caveat"), &json!({"isMeta": true})),
        line("attachment", "3", Some("2"), 0, &json!({"attachment": {}})),
        line("system", "4", Some("3"), 0, &json!({"subtype": "info"})),
        user("5", Some("4"), "go"),
    ];
    check(&lines, "u:hi o:caveat u:go | ");
}

#[test]
fn the_last_prompt_names_the_leaf_only_when_it_is_elsewhere_or_chosen() {
    let tree = [
        user("1", None, "hi"),
        user("2", Some("1"), "a"),
        user("3", Some("1"), "b"),
        user("4", Some("3"), "c"),
    ];
    let check_leaf = |leaf: &str, explicit: bool, expected: &str| {
        let prompted = json!({"type": "last-prompt", "leafUuid": leaf, "explicit": explicit});
        check(&[&tree[..], &[prompted]].concat(), expected);
    };
    check(&tree, "u:hi u:b u:c | u:a");
    check_leaf("2", false, "u:hi u:a | u:b u:c");
    check_leaf("3", false, "u:hi u:b u:c | u:a");
    check_leaf("3", true, "u:hi u:b | u:a u:c");
    check_leaf("lost", true, "u:hi u:b u:c | u:a");
    // `summary` lines name leaves of other files.
    let summary = json!({"type": "summary", "leafUuid": "2"});
    check(&[&tree[..], &[summary]].concat(), "u:hi u:b u:c | u:a");
}

#[test]
fn a_line_without_its_parent_hangs_on_the_line_shortly_before_it() {
    let lines = |gap: u32| {
        [
            at(user("1", None, "far"), 1000),
            at(says("2", Some("1"), "m", "near"), 2000),
            at(user("3", Some("lost"), "on"), 2000 + gap),
            at(says("4", Some("3"), "n", "end"), 2000 + gap),
        ]
    };
    check(&lines(5000), "u:far a:near u:on a:end | ");
    check(&lines(5001), "u:on a:end | u:far a:near");
    // Its own children at the same time are no parents of it.
    check(&lines(0), "u:far a:near u:on a:end | ");
    // Neither is a side chain.
    let mut side = lines(10);
    side[1] = with(side[1].clone(), &json!({"isSidechain": true}));
    check(&side, "u:far u:on a:end | a:near");
    assert_eq!(kinds(&side), [ViolationKind::MissingParent]);
}

#[test]
fn a_repeated_line_counts_once_with_its_newest_content() {
    let lines = [
        user("1", None, "hi"),
        calls("2", Some("1"), "m", "x"),
        result("3", Some("2"), "x", "old"),
        calls("2", Some("1"), "m", "x"),
        result("3", Some("2"), "x", "new"),
        says("4", Some("3"), "n", "end"),
    ];
    // The call is the same one: its number does not change when its line is written again.
    check(&lines, "u:hi a:(x#1=new) a:end | ");
    assert_eq!(kinds(&lines), [ViolationKind::RepeatedId; 2]);
    let call = &read(jsonl(&lines).as_bytes()).unwrap().calls[0];
    let lines: Vec<usize> = call.results.iter().map(|result| result.line).collect();
    assert_eq!(lines, [5, 3]);
}

#[test]
fn the_path_leads_through_progress_but_not_through_unknown_lines() {
    let progress = line("progress", "3", Some("2"), 0, &json!({"data": {}}));
    let lines = [
        user("1", None, "hi"),
        calls("2", Some("1"), "m", "x"),
        progress,
        result("4", Some("3"), "x", "out"),
        says("5", Some("4"), "n", "end"),
    ];
    check(&lines, "u:hi a:(x#1=out) a:end | ");
    let unknown = line("novelty", "3", Some("2"), 60_000, &json!({}));
    let lines = [
        user("1", None, "hi"),
        unknown,
        at(user("4", Some("3"), "on"), 30_000),
    ];
    check(&lines, "u:on | u:hi");
    assert_eq!(read(jsonl(&lines).as_bytes()).unwrap().lines.unknown, 1);
}
