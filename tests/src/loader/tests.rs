use super::*;
use crate::fixtures::{ClaudeCode, Pi};

fn loaded(session: &[u8]) -> Loaded {
    Loaded::new(session).unwrap()
}

/// Roles and kinds of blocks that are sent: `u:text a:tool_use u:tool_result`.
fn outline(loaded: &Loaded) -> String {
    let messages = loaded.messages.iter().map(|message| {
        let blocks = message["content"].as_array().unwrap();
        let kinds: Vec<_> = blocks.iter().map(|b| b["type"].as_str().unwrap()).collect();
        format!(
            "{}:{}",
            &message["role"].as_str().unwrap()[..1],
            kinds.join("+")
        )
    });
    messages.collect::<Vec<_>>().join(" ")
}

#[test]
fn claude_code_is_loaded_as_it_was_seen_to_load() {
    let check = |write: &dyn Fn(&mut ClaudeCode), expected: &str, mended: usize| {
        let mut session = ClaudeCode::new("/home/dev/sample");
        session.user("Begin.");
        write(&mut session);
        let loaded = loaded(&session.bytes());
        assert_eq!(outline(&loaded), expected);
        assert_eq!(loaded.mended.len(), mended, "{:?}", loaded.mended);
    };
    check(
        &|session| session.step("a"),
        "u:text a:tool_use u:tool_result",
        0,
    );
    check(
        &|session| {
            let calls = ["a", "b"].map(|id| (id, session.call("msg", id)));
            for (id, line) in calls {
                session.leaf = Some(line);
                session.result(id, "x");
            }
        },
        "u:text a:tool_use+tool_use u:tool_result+tool_result",
        0,
    );
    check(
        &|session| {
            session.step("a");
            session.leaf = None;
            session.user("Begin again.");
        },
        "u:text",
        0,
    );
    check(&|session| drop(session.call("msg", "a")), "u:text", 1);
    check(&|session| drop(session.result("a", "x")), "u:text+text", 1);
    check(
        &|session| {
            session.step("a");
            session.result("a", "x");
        },
        "u:text a:tool_use u:tool_result",
        1,
    );
    check(
        &|session| {
            session.block("msg", &json!({ "type": "thinking", "thinking": "" }));
            session.user("Go on.");
        },
        "u:text+text",
        0,
    );
    check(
        &|session| {
            session.block("msg", &json!({ "type": "text", "text": "x" }));
            session.lines[1]["message"]["content"] = json!([]);
        },
        "u:text a:text",
        1,
    );
}

#[test]
fn pi_is_loaded_as_it_was_seen_to_load() {
    let check = |version: u64, write: &dyn Fn(&mut Pi), expected: &str, mended: usize| {
        let mut session = Pi::new(version, "/home/dev/sample");
        session.user("Begin.");
        write(&mut session);
        let loaded = loaded(&session.bytes());
        assert_eq!(outline(&loaded), expected);
        assert_eq!(loaded.mended.len(), mended, "{:?}", loaded.mended);
    };
    let call = json!([{ "type": "toolCall", "id": "a", "name": "read", "arguments": {} }]);
    for version in 1..=3 {
        check(
            version,
            &|session| session.step(&["a"]),
            "u:text a:tool_use u:tool_result",
            0,
        );
        check(
            version,
            &|session| {
                session.assistant(&call, "toolUse");
                session.user("Go on.");
            },
            "u:text a:tool_use u:tool_result+text",
            1,
        );
        check(
            version,
            &|session| drop(session.assistant(&call, "aborted")),
            "u:text",
            0,
        );
    }
    check(
        3,
        &|session| {
            session.step(&["a"]);
            session.entry(
                "compaction",
                json!({ "summary": "x", "firstKeptEntryId": "none" }),
            );
            session.says("Done.");
        },
        "u:text a:text",
        0,
    );
}

#[test]
fn halves_of_surrogate_pairs_are_read() {
    let check = |line: &str, expected: Value| assert_eq!(parse(line.as_bytes()), expected);
    check(r#"["\ud83e\udd80"]"#, json!(["🦀"]));
    check(r#"["\ud83e!"]"#, json!(["\\ud83e!"]));
    check(r#"["\\ud83e \uDD80"]"#, json!(["\\ud83e \\uDD80"]));
    check(r#"["\ud7ff"#, Value::Null);
}
