//! Trees of Claude Code: forks, compactions, leaves, and calls that do not add up.

use anyhow::Context as _;
use epitome_tests::command::Sandbox;
use epitome_tests::fixtures::{ClaudeCode, long_text};
use serde_json::{Value, json};

use crate::check;

/// Checks a session that begins with a prompt, goes on like this and ends with an answer.
fn check_session(name: &str, expected: usize, write: &dyn Fn(&mut ClaudeCode)) {
    let mut session = ClaudeCode::new("/home/dev/a_b.c");
    session.user("Begin.");
    write(&mut session);
    session.says("msg_last", "Done.");
    check(name, &session.bytes(), expected);
}

#[test]
fn claude_code_trees_of_every_kind_stay_whole() {
    check_session("one call", 1, &|session| session.step("toolu_a"));
    check_session("parallel calls", 3, &|session| {
        let calls = ["toolu_a", "toolu_b", "toolu_c"].map(|id| (id, session.call("msg_p", id)));
        for (seed, (id, line)) in calls.into_iter().enumerate() {
            session.leaf = Some(line);
            session.result(id, &long_text(seed as u64, 50));
        }
    });
    check_session("a compaction", 1, &|session| {
        session.step("toolu_lost");
        session.leaf = None;
        session.line(
            "system",
            json!({ "subtype": "compact_boundary", "content": "Compacted" }),
        );
        let message = json!({ "role": "user", "content": "This session goes on." });
        session.line(
            "user",
            json!({ "message": message, "isCompactSummary": true }),
        );
        session.step("toolu_kept");
    });
    check_session("a new root in between", 1, &|session| {
        session.step("toolu_lost");
        session.leaf = None;
        session.user("Begin again.");
        session.step("toolu_kept");
    });
    check_session(
        "progress, attachments and notes on the way",
        2,
        &|session| {
            session.step("toolu_a");
            session.line("progress", json!({ "data": { "type": "hook_progress" } }));
            session.line("attachment", json!({ "attachment": { "type": "todo" } }));
            session.line(
                "system",
                json!({ "subtype": "turn_duration", "content": "" }),
            );
            session.step("toolu_b");
        },
    );
}

#[test]
fn claude_code_lines_beside_the_path_stay_beside_it() {
    check_session("a dead branch", 1, &|session| {
        let fork = session.leaf.clone();
        session.step("toolu_dead");
        session.leaf = fork;
        session.user("Another way.");
        session.step("toolu_live");
    });
    check_session("a missing parent, near", 2, &|session| {
        session.step("toolu_a");
        session.leaf = Some("5e551000-0000-4000-8000-00000000dead".to_owned());
        session.step("toolu_b");
    });
    check_session("a side chain in the file", 1, &|session| {
        session.step("toolu_a");
        let leaf = session.leaf.clone();
        session.step("toolu_side");
        for line in session.lines.iter_mut().rev().take(2) {
            line["isSidechain"] = true.into();
        }
        session.leaf = leaf;
    });
    check_session("copies of a line", 2, &|session| {
        session.step("toolu_a");
        let copy = session.lines.last().cloned().unwrap_or_default();
        session.lines.push(copy);
    });
    check_session("unknown lines and fields", 1, &|session| {
        session
            .lines
            .push(json!({ "type": "from-the-future", "sessionId": "x", "n": [1.0, 1e20] }));
        session.step("toolu_a");
        session
            .lines
            .push(json!({ "type": "summary", "summary": "A title", "leafUuid": "elsewhere" }));
    });
}

#[test]
fn claude_code_leaves_are_found() {
    let mut session = ClaudeCode::new("/home/dev/leaf");
    session.user("Begin.");
    session.step("toolu_a");
    let left = session.says("msg_left", "One way.");
    session.leaf = session.lines[0]["uuid"].as_str().map(str::to_owned);
    session.step("toolu_b");
    session.says("msg_right", "Another way.");
    check("the last line", &session.bytes(), 1);
    let prompt = |more: Value| {
        let mut lines = session.lines.clone();
        let mut line = json!({ "type": "last-prompt", "leafUuid": left, "lastPrompt": "x" });
        if let (Value::Object(line), Value::Object(more)) = (&mut line, more) {
            line.extend(more);
        }
        lines.push(line);
        let mut chosen = ClaudeCode::new("/home/dev/leaf");
        chosen.lines = lines;
        chosen.bytes()
    };
    check("a prompt elsewhere", &prompt(json!({})), 1);
    check("a chosen prompt", &prompt(json!({ "explicit": true })), 1);
    check(
        "an unknown prompt",
        &prompt(json!({ "leafUuid": "nobody" })),
        1,
    );
}

#[test]
fn claude_code_calls_that_do_not_add_up_are_mended_alike() {
    let write = |change: &dyn Fn(&mut ClaudeCode)| {
        let mut session = ClaudeCode::new("/home/dev/odd");
        session.user("Begin.");
        session.step("toolu_a");
        change(&mut session);
        session.user("Go on.");
        session.step("toolu_z");
        session.says("msg_last", "Done.");
        session.bytes()
    };
    let long = long_text(5, 50);
    let unanswered = write(&|session| drop(session.call("msg_b", "toolu_b")));
    check("a call without a result", &unanswered, 2);
    let orphan = write(&|session| drop(session.result("toolu_nobody", &long)));
    check("a result without a call", &orphan, 2);
    let second = write(&|session| drop(session.result("toolu_a", &long)));
    check("a second result", &second, 2);
    let open = write(&|session| {
        session.user("And now?");
        session.call("msg_b", "toolu_b");
    });
    check("an open call in between", &open, 2);
}

#[test]
fn thinking_goes_by_the_model() -> anyhow::Result<()> {
    let write = |model: &'static str| {
        let mut session = ClaudeCode::new("/home/dev/thinking");
        session.model = model;
        let think = |number: usize| json!({ "type": "thinking", "thinking": format!("idea {number}"), "signature": "c2ln" });
        session.user("Begin.");
        for (number, id) in ["toolu_a", "toolu_b", "toolu_c"].into_iter().enumerate() {
            session.block(&format!("msg_{id}"), &think(number));
            session.step(id);
        }
        session.block("msg_alone", &think(9));
        session.user("Go on.");
        session.says("msg_last", "Done.");
        session.bytes()
    };
    let blocks = |model: &'static str| -> anyhow::Result<u64> {
        let sandbox = Sandbox::new()?;
        sandbox.write("s.jsonl", &write(model))?;
        let report = sandbox
            .run(["condense", "--resume", "--json", "s.jsonl"])?
            .json()?;
        report["thinking_removed"].as_u64().context("no count")
    };
    check("thinking that is bound", &write("claude-opus-5-5"), 3);
    check(
        "thinking that is free",
        &write("claude-sonnet-4-5-20250929"),
        3,
    );
    assert_eq!(blocks("claude-opus-5-5")?, 2);
    assert_eq!(blocks("claude-sonnet-4-5-20250929")?, 0);
    Ok(())
}
