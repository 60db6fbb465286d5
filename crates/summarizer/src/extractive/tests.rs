//! Properties of the bullets as a whole, and one example of each kind of result.

use proptest::prelude::*;

use super::*;

fn call(tool: &str, args: &str, text: &str) -> CapturedCall {
    CapturedCall {
        tool: tool.to_owned(),
        args: args.to_owned(),
        text: text.to_owned(),
        ..CapturedCall::default()
    }
}

fn extract_one(call: CapturedCall) -> String {
    extract(&CapturedBatch {
        calls: vec![call],
        ..CapturedBatch::default()
    })
}

#[test]
fn an_empty_result_is_no_output() {
    assert_eq!(
        extract_one(call("bash", r#"{"command":"true"}"#, "")),
        "- [[1:bash]] `true`: no output"
    );
    assert_eq!(extract_one(call("x", "{}", " \n ")), "- [[1:x]] no output");
}

/// What any result may hold: plain text, labels, fences, escapes, every script.
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ -~]{0,40}",
        "\\PC{0,20}",
        ".{0,20}",
        Just("[[1:read]]".to_owned()),
        Just("[[ 2 :x".to_owned()),
        Just("[".to_owned()),
        Just("```".to_owned()),
        Just("~~~".to_owned()),
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("\u{1b}[31m".to_owned()),
        Just("\u{2028}\u{85}".to_owned()),
        Just("src/a.rs:12:3: error[E0433]: x".to_owned()),
        Just("diff --git a/x b/x\n@@ -1 +1 @@ fn x\n".to_owned()),
        Just("<!doctype html><h1>".to_owned()),
        Just("{\"a\":".to_owned()),
        Just("   1→fn a() {\n   2→}\n".to_owned()),
        Just("错误：文件".to_owned()),
    ];
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

fn any_call() -> impl Strategy<Value = CapturedCall> {
    let tool = prop_oneof![Just("read".to_owned()), "[a-z_\\]\n:]{0,12}"];
    let args = prop_oneof![
        any_text(),
        any_text().prop_map(|text| serde_json::json!({"path": text, "x": text}).to_string()),
        any_text().prop_map(|text| serde_json::json!({"command": text}).to_string()),
        (any_text(), any_text()).prop_map(|(old, new)| {
            serde_json::json!({"path": "a", "old_string": old, "new_string": new}).to_string()
        }),
        any_text().prop_map(|text| serde_json::json!({"path": "a", "content": text}).to_string()),
    ];
    (tool, args, any_text(), any::<bool>(), 0_usize..3).prop_map(
        |(tool, args, text, is_error, other_blocks)| CapturedCall {
            tool,
            args,
            text,
            is_error,
            other_blocks,
            ..CapturedCall::default()
        },
    )
}

proptest! {
    #[test]
    fn bullets_are_well_formed_whatever_the_calls_hold(
        calls in proptest::collection::vec(any_call(), 0..4)
    ) {
        let batch = CapturedBatch { calls, ..CapturedBatch::default() };
        let text = extract(&batch);
        prop_assert_eq!(&text, &extract(&batch));
        prop_assert!(!text.contains(char::REPLACEMENT_CHARACTER));
        let mut labelled = 0;
        for line in text.split('\n').filter(|line| !line.is_empty()) {
            let inner = line.strip_prefix("- ").expect("a line is a bullet");
            prop_assert!(!inner.chars().any(char::is_control));
            prop_assert!(!inner.starts_with("```") && !inner.starts_with("~~~"));
            let mut rest = inner;
            if let Some(call) = batch.calls.get(labelled) {
                if let Some(after) = inner.strip_prefix(&label(labelled + 1, &call.tool)) {
                    labelled += 1;
                    rest = after;
                }
            }
            prop_assert_eq!(line::find_label(rest), None);
            prop_assert!(line.chars().count() <= 360);
        }
        prop_assert_eq!(labelled, batch.calls.len());
        prop_assert!(text.lines().count() <= 3 * batch.calls.len());
    }
}
