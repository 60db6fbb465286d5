//! Views of small hand-written sessions.

mod claude_code;
mod garbage;
mod pi;

use std::fmt::Write as _;

use serde_json::Value;

use super::*;
use crate::json::decode_string;
use crate::transcript::{Message, Role, ViolationKind, decode_content};

#[test]
fn what_is_no_session_is_refused_with_its_line() {
    let check = |source: &[u8], expected: &str| {
        let error = read(source).expect_err("no session").to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(b"", "empty");
    check(b"\n \n", "empty");
    check(b"\n\x00\xff\x01", "line 2 is not valid UTF-8");
    check(b"hello\n", "line 1 is not valid JSON");
    check(b"{\"a\":1", "cut off");
    check(b"[1]\n{\"a\":1}\n", "line 2 is neither");
}

/// One line for each value.
fn jsonl(lines: &[Value]) -> String {
    lines
        .iter()
        .flat_map(|line| [line.to_string(), "\n".to_owned()])
        .collect()
}

/// What a session says, short: `u:hi a:ok(x#1=out) o:note | u:dead` is a context and, behind the
/// bar, the history. `=-` is a call without a result, `!` a failed one, `?` an ambiguous one.
fn view(source: &str) -> String {
    let transcript = read(source.as_bytes()).unwrap();
    let shown = |messages: &[Message]| {
        let messages = messages
            .iter()
            .map(|message| shown(source, &transcript, message));
        messages.collect::<Vec<_>>().join(" ")
    };
    format!(
        "{} | {}",
        shown(&transcript.context),
        shown(&transcript.history)
    )
}

fn shown(source: &str, transcript: &Transcript, message: &Message) -> String {
    let role = match message.role {
        Role::User => "u",
        Role::Assistant => "a",
        Role::Other => "o",
    };
    let texts = message
        .texts
        .iter()
        .map(|span| decode_string(&source[span.clone()]).unwrap().into_owned());
    let mut out = format!("{role}:{}", texts.collect::<Vec<_>>().join("+"));
    let mut calls = Vec::new();
    for &index in &message.calls {
        let call = &transcript.calls[index];
        let mut shown = call.key.to_string();
        match call.results.first() {
            None => shown.push_str("=-"),
            Some(result) => {
                let raw = result.content.clone().map(|span| &source[span]);
                let _ = write!(shown, "={}", decode_content(raw).text);
                shown.push_str(if result.is_error { "!" } else { "" });
            }
        }
        shown.push_str(if call.ambiguous { "?" } else { "" });
        calls.push(shown);
    }
    if !calls.is_empty() {
        let _ = write!(out, "({})", calls.join(","));
    }
    out
}

/// Kinds and ids of a session's faults.
fn faults(source: &str) -> Vec<(ViolationKind, String)> {
    let transcript = read(source.as_bytes()).unwrap();
    let faults = transcript.violations.into_iter();
    faults.map(|fault| (fault.kind, fault.id)).collect()
}
