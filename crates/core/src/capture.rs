//! Capture of finished calls from a host's messages, as the reference system does it.
//!
//! Session files are read by [`wire`](crate::wire); this is for messages that are at hand as JSON
//! values: a turn that just ended, or the entries of a branch.

use serde_json::Value;

use crate::call::{CapturedBatch, CapturedCall};
use crate::occurrence::{OccurrenceKey, timestamp_of};
use crate::protect::Protection;
use crate::text::trim;
use crate::time::iso_milliseconds;

/// Text of a call whose result is missing.
pub const NO_RESULT: &str = "(no result)";

/// Captures a turn that just ended, condense specification 2.1.
///
/// Each call takes the first of `results` with its id; without one its text is [`NO_RESULT`].
/// `turn` counts the assistant messages of the branch, `now` is in milliseconds since the epoch.
pub fn capture_turn(message: &Value, results: &[Value], turn: usize, now: i64) -> CapturedBatch {
    let calls = call_blocks(message).map(|block| {
        let id = string(block, "id").unwrap_or_default();
        let result = results
            .iter()
            .find(|result| string(result, "toolCallId") == Some(id));
        captured(block, id, result)
    });
    CapturedBatch {
        turn,
        timestamp: now,
        assistant_text: trim(&text_of(message)).to_owned(),
        user_turn_group: None,
        calls: calls.collect(),
    }
}

/// Captures the calls of a branch that are finished and not summarized yet, condense
/// specification 2.2.
///
/// A result belongs to a call of the assistant message before it. Calls without a result, without
/// an id, protected ones and those that share their id with another call of their message stay
/// out: the last cannot be told apart. Turns with nothing left give no batch.
pub fn capture_branch(
    entries: &[Value],
    is_summarized: impl Fn(&OccurrenceKey) -> bool,
    protection: &Protection,
    now: i64,
) -> Vec<CapturedBatch> {
    let messages: Vec<(&Value, &Value)> = entries
        .iter()
        .filter(|entry| string(entry, "type") == Some("message"))
        .filter_map(|entry| Some((entry, entry.get("message")?)))
        .collect();
    let mut batches = Vec::new();
    let mut group = 0;
    let mut turn = 0;
    for (index, &(entry, message)) in messages.iter().enumerate() {
        match string(message, "role") {
            Some("user") => group += 1,
            Some("assistant") => {
                let results = results_after(&messages[index + 1..]);
                let mut calls = ready_calls(message, &results);
                calls.retain(|call| !is_summarized(&OccurrenceKey::of_call(call)));
                calls.retain(|call| !protection.protects(&call.tool, &call.args));
                if !calls.is_empty() {
                    batches.push(CapturedBatch {
                        turn,
                        timestamp: time_of(entry, message).unwrap_or(now),
                        assistant_text: trim(&text_of(message)).to_owned(),
                        user_turn_group: Some(group),
                        calls,
                    });
                }
                turn += 1;
            }
            _ => {}
        }
    }
    batches
}

/// The results that stand before the next assistant message.
fn results_after<'a>(messages: &[(&'a Value, &'a Value)]) -> Vec<&'a Value> {
    messages
        .iter()
        .map(|&(_, message)| message)
        .take_while(|message| string(message, "role") != Some("assistant"))
        .filter(|message| string(message, "role") == Some("toolResult"))
        .collect()
}

fn ready_calls(message: &Value, results: &[&Value]) -> Vec<CapturedCall> {
    let ids: Vec<&str> = call_blocks(message)
        .filter_map(|block| string(block, "id"))
        .collect();
    call_blocks(message)
        .filter_map(|block| {
            let id = string(block, "id").filter(|id| !id.is_empty())?;
            let alone = ids.iter().filter(|other| **other == id).count() == 1;
            let result = results
                .iter()
                .find(|result| string(result, "toolCallId") == Some(id))?;
            alone.then(|| captured(block, id, Some(result)))
        })
        .collect()
}

fn captured(block: &Value, id: &str, result: Option<&Value>) -> CapturedCall {
    let args = ["input", "args", "arguments"]
        .iter()
        .filter_map(|key| block.get(key))
        .find(|args| !args.is_null());
    let is_text = |part: &&Value| string(part, "type") == Some("text");
    CapturedCall {
        id: id.to_owned(),
        tool: string(block, "name").unwrap_or_default().to_owned(),
        args: args.map_or_else(|| "{}".to_owned(), Value::to_string),
        text: result.map_or_else(|| NO_RESULT.to_owned(), text_of),
        is_error: result.is_some_and(|r| r.get("isError") == Some(&Value::Bool(true))),
        timestamp: result.and_then(|r| timestamp_of(r.get("timestamp"))),
        other_blocks: result
            .into_iter()
            .flat_map(parts)
            .filter(|part| !is_text(part))
            .count(),
    }
}

fn string<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key)?.as_str()
}

fn call_blocks(message: &Value) -> impl Iterator<Item = &Value> {
    parts(message).filter(|part| string(part, "type") == Some("toolCall"))
}

fn parts(message: &Value) -> impl Iterator<Item = &Value> {
    let content = message.get("content").and_then(Value::as_array);
    content.into_iter().flatten()
}

/// Text blocks of a message, joined with a line feed; content that is a string is one block.
fn text_of(message: &Value) -> String {
    if let Some(text) = string(message, "content") {
        return text.to_owned();
    }
    let texts: Vec<&str> = parts(message)
        .filter(|part| string(part, "type") == Some("text"))
        .filter_map(|part| string(part, "text"))
        .collect();
    texts.join("\n")
}

fn time_of(entry: &Value, message: &Value) -> Option<i64> {
    string(entry, "timestamp")
        .and_then(iso_milliseconds)
        .or_else(|| timestamp_of(message.get("timestamp")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;
    use std::cell::RefCell;

    fn call(id: &str) -> Value {
        json!({"type": "toolCall", "id": id, "name": "bash", "arguments": {"n": 1.0}})
    }

    fn assistant(blocks: &[Value]) -> Value {
        json!({"role": "assistant", "content": blocks, "timestamp": 1000})
    }

    fn result(id: &str, text: &str, timestamp: i64) -> Value {
        let content = [json!({"type": "text", "text": text})];
        json!({"role": "toolResult", "toolCallId": id, "content": content, "timestamp": timestamp})
    }

    fn branch(messages: &[Value]) -> Vec<Value> {
        let entry = |message| json!({"type": "message", "message": message});
        messages.iter().map(entry).collect()
    }

    fn capture(messages: &[Value]) -> Vec<CapturedBatch> {
        capture_branch(&branch(messages), |_| false, &Protection::none(), 7)
    }

    #[test]
    fn a_live_turn_pairs_calls_with_results() {
        let message = assistant(&[
            json!({"type": "text", "text": " hi\n"}),
            call("a"),
            call("b"),
        ]);
        let batch = capture_turn(
            &message,
            &[result("a", "A", 2150), result("a", "B", 9)],
            4,
            7,
        );
        assert_eq!(
            (batch.turn, batch.timestamp, batch.assistant_text.as_str()),
            (4, 7, "hi")
        );
        let [a, b] = &batch.calls[..] else { panic!() };
        assert_eq!(
            (a.text.as_str(), a.timestamp, a.args.as_str()),
            ("A", Some(2150), r#"{"n":1.0}"#)
        ); // 3
        assert_eq!(
            (b.text.as_str(), b.timestamp, b.is_error),
            (NO_RESULT, None, false)
        ); // 4
    }

    #[test]
    fn reused_ids_pair_inside_their_turn() {
        let messages = [
            assistant(&[call("bash_23")]),
            result("bash_23", "one", 1150),
            assistant(&[call("bash_23")]),
            result("bash_23", "two", 2150),
        ];
        let found: Vec<_> = capture(&messages)
            .into_iter()
            .flat_map(|batch| batch.calls)
            .map(|call| (call.text, call.timestamp))
            .collect();
        let expected = [
            ("one".to_owned(), Some(1150)),
            ("two".to_owned(), Some(2150)),
        ];
        assert_eq!(found, expected); // 5
    }

    #[test]
    fn the_index_is_asked_by_occurrence() {
        let asked = RefCell::new(Vec::new());
        let entries = branch(&[assistant(&[call("bash_23")]), result("bash_23", "x", 1150)]);
        let is_summarized = |key: &OccurrenceKey| {
            asked.borrow_mut().push(key.to_string());
            true
        };
        let none = Protection::none();
        assert_eq!(capture_branch(&entries, is_summarized, &none, 7), []);
        assert_eq!(asked.into_inner(), ["bash_23@1150"]); // 6
    }

    #[test]
    fn calls_that_cannot_be_told_stay_out() {
        let user = json!({"role": "user", "content": "go"});
        assert_eq!(capture(&[assistant(&[call("a")])]), []); // 7
        let late = [assistant(&[call("a")]), assistant(&[]), result("a", "x", 5)];
        assert_eq!(capture(&late), []); // 8
        assert_eq!(capture(&[assistant(&[call("")]), result("", "x", 5)]), []);
        // B15: two calls with one id in one message.
        let twice = [
            assistant(&[call("a"), call("a")]),
            result("a", "x", 5),
            result("a", "y", 6),
        ];
        assert_eq!(capture(&twice), []);
        // Another role does not end the window.
        let batches = capture(&[
            assistant(&[]),
            assistant(&[call("a")]),
            user,
            result("a", "x", 5),
        ]);
        assert_eq!((batches[0].turn, batches[0].user_turn_group), (1, Some(0)));
    }

    #[test]
    fn blocks_that_are_no_text_are_counted() {
        let image = json!({"type": "image", "data": "AAAA"});
        let text = json!({"type": "text", "text": "x"});
        let result = json!({"role": "toolResult", "toolCallId": "a", "isError": true,
            "content": [text, image, text]});
        let batches = capture(&[assistant(&[call("a")]), result]);
        let call = &batches[0].calls[0];
        assert_eq!(
            (call.text.as_str(), call.other_blocks, call.is_error),
            ("x\nx", 1, true)
        );
        assert_eq!((call.timestamp, batches[0].timestamp), (None, 1000));
    }

    proptest! {
        #[test]
        fn malformed_entries_are_skipped(fields in prop::collection::vec(0usize..9, 0..12)) {
            let odd = |n: &usize| [
                json!(null), json!(3), json!({"type": "message"}), json!({"type": "message", "message": 1}),
                json!({"type": "message", "message": {"role": "assistant"}}),
                json!({"type": "message", "message": {"role": "assistant", "content": [null, {"type": "toolCall"}]}}),
                json!({"type": "message", "message": {"role": "toolResult", "toolCallId": 3}}),
                json!({"type": "message", "message": {"role": 5}}),
                json!({"type": "custom", "data": null}),
            ][*n].clone();
            let entries: Vec<Value> = fields.iter().map(odd).collect();
            prop_assert_eq!(capture_branch(&entries, |_| false, &Protection::none(), 0), vec![]);
        }
    }
}
