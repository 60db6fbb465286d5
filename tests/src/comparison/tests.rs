use serde_json::json;

use super::*;
use crate::fixtures::{ClaudeCode, Pi};

const FRESH: &str = "0d000000-0000-4000-8000-00000000000f";
const STUB: &str = "[Summarized, ref `t1`. Original kept: 60 lines, 9 bytes left out. \
                    Get it: epitome recover 3fa9c2d1/t1]\n- what it was";

/// Changes lines of a condensed session by their index.
type Change<'a> = &'a dyn Fn(&mut Vec<Value>);

fn claude_code() -> ClaudeCode {
    let mut session = ClaudeCode::new("/home/dev/sample");
    session.user("Begin.");
    let think = json!({ "type": "thinking", "thinking": "hm", "signature": "c2ln" });
    session.block("msg_toolu_a", &think);
    session.step("toolu_a");
    session.block("msg_toolu_b", &think);
    session.step("toolu_b");
    session.says("msg_last", "Done.");
    session
}

/// Compares the session with a right condensed form of it that was changed once more.
fn compare_claude_code(change: Change<'_>) -> anyhow::Result<Vec<Stub>> {
    let source = claude_code().bytes();
    let mut condensed = claude_code();
    for line in &mut condensed.lines {
        line["sessionId"] = FRESH.into();
    }
    condensed.lines[3]["message"]["content"][0]["content"] = STUB.into();
    condensed.lines[3]["toolUseResult"]["file"]["content"] = "left out".into();
    change(&mut condensed.lines);
    compare(&source, &condensed.bytes(), FRESH)
}

fn compare_pi(change: Change<'_>) -> anyhow::Result<Vec<Stub>> {
    let mut session = Pi::new(3, "/home/dev/sample");
    session.user("Begin.");
    session.step(&["call_a"]);
    session.says("Done.");
    let source = session.bytes();
    session.lines[0]["id"] = FRESH.into();
    session.lines[3]["message"]["content"] = json!([{ "type": "text", "text": STUB }]);
    session.lines[3]["message"]["details"]["truncation"]["content"] = "left out".into();
    change(&mut session.lines);
    compare(&source, &session.bytes(), FRESH)
}

#[test]
fn what_condensing_does_is_no_difference() {
    let check = |stubs: anyhow::Result<Vec<Stub>>, call: &str| {
        let stubs = stubs.unwrap();
        assert_eq!(stubs.len(), 1);
        assert_eq!(stubs[0].reference, "3fa9c2d1/t1");
        assert_eq!(stubs[0].call, call);
        assert!(stubs[0].raw.len() > 1_000);
    };
    check(compare_claude_code(&|_| {}), "toolu_a");
    check(compare_pi(&|_| {}), "call_a");
    // Thinking after the first edit goes as a whole.
    let removed = compare_claude_code(&|lines| lines[4]["message"]["content"] = json!([]));
    check(removed, "toolu_a");
}

#[test]
fn every_other_change_is_seen() {
    let check = |expected: &str, found: anyhow::Result<Vec<Stub>>| {
        let error = found.expect_err(expected);
        assert!(
            format!("{error:#}").contains(expected),
            "{expected}: {error:#}"
        );
    };
    let change = |change: Change<'_>| compare_claude_code(change);
    check(
        "lines, before",
        change(&|lines| lines.push(json!({ "type": "mode" }))),
    );
    check(
        "the fresh one",
        change(&|lines| lines[5]["sessionId"] = "other".into()),
    );
    check(
        "the path differs",
        change(&|lines| lines[4]["parentUuid"] = Value::Null),
    );
    check(
        "the path differs",
        change(&|lines| lines[4]["uuid"] = "other".into()),
    );
    check(
        "the agent mends",
        change(&|lines| {
            lines[3]["message"]["content"][0]["tool_use_id"] = "toolu_x".into();
        }),
    );
    check(
        "message 0",
        change(&|lines| lines[0]["message"]["content"] = "Start.".into()),
    );
    check(
        "between thinking",
        change(&|lines| {
            let blocks = &mut lines[1]["message"]["content"];
            *blocks = json!([]);
        }),
    );
    check(
        "no stub",
        change(&|lines| {
            lines[3]["message"]["content"][0]["content"] = "gone".into();
        }),
    );
    check(
        "no stub",
        change(&|lines| {
            lines[3]["message"]["content"][0]["content"] =
                json!([{ "type": "text", "text": STUB }]);
        }),
    );
    check(
        "outside results",
        change(&|lines| lines[6]["timestamp"] = "later".into()),
    );
    check(
        "lost keys or types",
        change(&|lines| {
            lines[3]["toolUseResult"]["file"] = json!({});
        }),
    );
    check(
        "lost keys or types",
        change(&|lines| {
            lines[3]["toolUseResult"]["file"]["numLines"] = "9".into();
        }),
    );
    check(
        "a result that stays",
        change(&|lines| {
            lines[6]["toolUseResult"]["file"]["content"] = "left out".into();
        }),
    );
    check(
        "did not get shorter",
        change(&|lines| {
            lines[3]["toolUseResult"]["file"]["content"] = "x".repeat(9_000).into();
        }),
    );
    check(
        "the fresh one",
        compare_pi(&|lines| lines[0]["id"] = "other".into()),
    );
    check(
        "the path differs",
        compare_pi(&|lines| lines[4]["parentId"] = Value::Null),
    );
    check(
        "no stub",
        compare_pi(&|lines| lines[3]["message"]["content"] = "x".into()),
    );
    check(
        "ids of the session went",
        compare_pi(&|lines| lines.swap(0, 1)),
    );
}
