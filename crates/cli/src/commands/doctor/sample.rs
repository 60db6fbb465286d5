//! A small session for the self-test.

use serde_json::{Value, json};

/// Lines that each result of the sample has.
const LINES: usize = 60;

/// A Pi session with three calls, one of them failed, and texts that are awkward to keep.
pub(crate) fn session() -> Vec<u8> {
    let steps = [
        (
            "read",
            json!({ "path": "src/main.rs" }),
            "fn line() {} ",
            false,
        ),
        (
            "bash",
            json!({ "command": "cargo test" }),
            "test café \u{1F980} ",
            false,
        ),
        (
            "bash",
            json!({ "command": "false" }),
            "error\u{1b}[31m \"quoted\"\t",
            true,
        ),
    ];
    let mut lines = vec![
        json!({
            "type": "session", "version": 3, "id": "epitome-self-test",
            "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/",
        }),
        message(
            1,
            &json!({ "role": "user", "content": "Please look at this." }),
        ),
    ];
    for (index, (tool, arguments, text, is_error)) in steps.into_iter().enumerate() {
        let id = format!("call_{index}");
        let call = json!({ "type": "toolCall", "id": id, "name": tool, "arguments": arguments });
        let asked = json!({ "role": "assistant", "content": [call], "stopReason": "toolUse" });
        let output = [text, "of the sample\n"].concat().repeat(LINES);
        let result = json!({
            "role": "toolResult", "toolCallId": id, "toolName": tool,
            "content": [{ "type": "text", "text": output }], "isError": is_error,
        });
        lines.push(message(lines.len(), &asked));
        lines.push(message(lines.len(), &result));
    }
    let answer = json!({
        "role": "assistant", "content": [{ "type": "text", "text": "Done." }], "stopReason": "stop",
    });
    lines.push(message(lines.len(), &answer));
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    (lines.join("\n") + "\n").into_bytes()
}

/// An entry of the session; each follows the one before.
fn message(number: usize, message: &Value) -> Value {
    json!({
        "type": "message",
        "id": format!("{number:08x}"),
        "parentId": (number > 1).then(|| format!("{:08x}", number - 1)),
        "timestamp": "2026-01-01T00:00:00.000Z",
        "message": message,
    })
}
