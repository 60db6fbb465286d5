use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_json::Value;

use super::{Format, generate, generate_session};

fn lines(bytes: &[u8]) -> Vec<Value> {
    bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

fn example(name: &str) -> Vec<Value> {
    let files = generate().unwrap();
    let (_, bytes) = files.iter().find(|(file, _)| *file == name).unwrap();
    lines(bytes)
}

fn text<'a>(line: &'a Value, pointer: &str) -> Option<&'a str> {
    line.pointer(pointer).and_then(Value::as_str)
}

fn blocks<'a>(line: &'a Value, kind: &'a str) -> impl Iterator<Item = &'a Value> {
    let content = line.pointer("/message/content").and_then(Value::as_array);
    content
        .into_iter()
        .flatten()
        .filter(move |block| block["type"] == kind)
}

/// Every uuid is there once, every parent exists earlier, every call has one result on the line of its call.
fn check_claude_code(lines: &[Value]) -> usize {
    let mut seen = HashSet::new();
    let mut calls = HashMap::new();
    let mut answered = HashSet::new();
    for line in lines {
        let Some(uuid) = text(line, "/uuid") else {
            continue;
        };
        if let Some(parent) = text(line, "/parentUuid") {
            assert!(
                seen.contains(parent),
                "{uuid} hangs on {parent}, which is not there"
            );
        }
        assert!(seen.insert(uuid), "{uuid} is there twice");
        for call in blocks(line, "tool_use") {
            assert!(calls.insert(text(call, "/id").unwrap(), uuid).is_none());
        }
        for result in blocks(line, "tool_result") {
            let id = text(result, "/tool_use_id").unwrap();
            assert!(answered.insert(id), "{id} is answered twice");
            assert_eq!(text(line, "/parentUuid"), calls.get(id).copied());
            assert_eq!(
                text(line, "/sourceToolAssistantUUID"),
                calls.get(id).copied()
            );
            assert!(!line["toolUseResult"].is_null());
        }
    }
    assert_eq!(answered.len(), calls.len());
    calls.len()
}

/// A straight chain in which results follow their calls.
fn check_pi(lines: &[Value]) -> usize {
    assert_eq!(
        (&lines[0]["type"], &lines[0]["version"]),
        (&"session".into(), &3.into())
    );
    let mut ids = HashSet::new();
    let mut open: Vec<&str> = Vec::new();
    let mut calls = 0;
    let mut last = None;
    for line in &lines[1..] {
        assert_eq!(text(line, "/parentId"), last);
        last = text(line, "/id");
        assert!(ids.insert(last.unwrap()));
        match text(line, "/message/role") {
            Some("toolResult") => {
                assert_eq!(text(line, "/message/toolCallId"), Some(open.remove(0)));
            }
            Some(_) => assert!(open.is_empty(), "calls without a result before {line}"),
            None => {}
        }
        open.extend(blocks(line, "toolCall").map(|call| text(call, "/id").unwrap()));
        calls += blocks(line, "toolCall").count();
    }
    assert!(open.is_empty());
    calls
}

#[test]
fn the_committed_examples_are_what_the_generator_writes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    for (name, bytes) in generate().unwrap() {
        let committed = std::fs::read(folder.join(name)).unwrap_or_default();
        assert!(
            committed == bytes,
            "run `cargo xtask example`: {name} differs"
        );
    }
}

#[test]
fn both_examples_are_well_formed_and_hold_the_same_calls() {
    let claude_code = check_claude_code(&example("coding-session.claude-code.jsonl"));
    let pi = check_pi(&example("coding-session.pi.jsonl"));
    assert_eq!(claude_code, pi);
    assert!((80..=120).contains(&pi), "{pi} calls");
}

#[test]
fn the_example_holds_every_kind_of_result() {
    let lines = example("coding-session.pi.jsonl");
    let results: Vec<&Value> = lines
        .iter()
        .filter(|line| line["message"]["role"] == "toolResult")
        .collect();
    let texts: Vec<&str> = results
        .iter()
        .filter_map(|line| text(line, "/message/content/0/text"))
        .collect();
    let longest = texts.iter().map(|text| text.len()).max().unwrap();
    assert!((65_537..120_000).contains(&longest), "{longest}");
    let distinct: HashSet<&&str> = texts.iter().filter(|text| text.len() > 500).collect();
    assert!(
        distinct.len() < texts.iter().filter(|text| text.len() > 500).count(),
        "no exact duplicate"
    );
    assert!(
        results
            .iter()
            .any(|line| line["message"]["isError"] == true)
    );
    assert_eq!(
        results
            .iter()
            .filter(|line| blocks(line, "image").count() == 1)
            .count(),
        1
    );
    assert!(texts.iter().any(|text| text.starts_with("<!DOCTYPE html>")));
    assert!(
        lines
            .iter()
            .any(|line| blocks(line, "thinking").count() == 1)
    );
    let prompts = lines
        .iter()
        .filter(|line| line["message"]["role"] == "user")
        .count();
    assert!((6..=9).contains(&prompts), "{prompts} prompts");
    assert_eq!(lines.last().unwrap()["message"]["stopReason"], "stop");
}

#[test]
fn bulk_sessions_are_repeatable_well_formed_and_of_the_size_asked_for() {
    let check = |format, seed, target: usize| {
        let bytes = generate_session(format, seed, target);
        assert!(bytes == generate_session(format, seed, target));
        assert!(bytes != generate_session(format, seed + 1, target));
        let off = bytes.len().abs_diff(target) * 100 / target;
        assert!(off <= 15, "{} bytes instead of {target}", bytes.len());
        lines(&bytes)
    };
    check_pi(&check(Format::Pi, 1, 1_000_000));
    check_claude_code(&check(Format::ClaudeCode, 2, 1_000_000));
}
