//! Plans over small hand-written sessions.

use serde_json::{Value, json};

use super::*;
use crate::edit::{self, Edit};
use crate::wire;

/// A Pi session in which each letter is an entry: `u` a prompt, `a` an answer, `c` an answer with a
/// call, `d` one with two calls, `r` the next result, `o` a note, `x` an aborted answer with a call.
fn session(entries: &str) -> String {
    let mut lines = vec![json!({"type": "session", "version": 3, "id": "s"})];
    let mut waiting: Vec<String> = Vec::new();
    for (number, kind) in entries.chars().enumerate() {
        let call = |suffix: &str| {
            let id = format!("{number}{suffix}");
            json!({"type": "toolCall", "id": id, "name": "read", "arguments": {}})
        };
        let text = json!({"type": "text", "text": format!("said {number}")});
        let message = match kind {
            'u' => json!({"role": "user", "content": "go"}),
            'a' => json!({"role": "assistant", "content": [text]}),
            'c' => json!({"role": "assistant", "content": [text, call("")]}),
            'd' => json!({"role": "assistant", "content": [call("a"), call("b")]}),
            'x' => json!({"role": "assistant", "content": [call("")], "stopReason": "aborted"}),
            'r' => json!({"role": "toolResult", "toolCallId": waiting.remove(0), "content": []}),
            'o' => json!({"role": "custom", "content": "note"}),
            _ => unreachable!("{kind}"),
        };
        match kind {
            'c' => waiting.push(number.to_string()),
            'd' => waiting.extend([format!("{number}a"), format!("{number}b")]),
            _ => {}
        }
        let parent = number.checked_sub(1).map(|before| format!("e{before}"));
        let id = format!("e{number}");
        lines.push(json!({"type": "message", "id": id, "parentId": parent, "message": message}));
    }
    jsonl(&lines)
}

fn jsonl(lines: &[Value]) -> String {
    lines
        .iter()
        .flat_map(|line| [line.to_string(), "\n".to_owned()])
        .collect()
}

/// A plan, short: calls of a turn joined by `+`, turns of a flush by blanks, flushes by ` / `, then
/// what stays open.
fn plan(source: &str, extent: Extent, keep_turns: usize) -> String {
    let transcript = wire::read(source.as_bytes()).unwrap();
    let replay = replay(&transcript, extent, keep_turns);
    let ids = |calls: &[usize], by: &str| {
        let ids = calls
            .iter()
            .map(|&call| transcript.calls[call].key.id.clone());
        ids.collect::<Vec<_>>().join(by)
    };
    let flushes = replay.flushes.iter().map(|flush| {
        let turns = flush.turns.iter().map(|turn| ids(&turn.calls, "+"));
        turns.collect::<Vec<_>>().join(" ")
    });
    let flushes = flushes.collect::<Vec<_>>().join(" / ");
    format!("{flushes} | {}", ids(&replay.open, " "))
}

#[test]
fn every_closed_chain_is_a_flush_and_the_tail_stays_open() {
    let check = |entries: &str, keep: usize, expected: &str| {
        let source = session(entries);
        assert_eq!(
            plan(&source, Extent::Context, keep),
            expected,
            "{entries} {keep}"
        );
    };
    check("", 3, " | ");
    check("ua", 3, " | ");
    // The last answer calls nothing: nothing is open, whatever follows that is no answer.
    check("ucra", 3, "1 | ");
    check("ucrau", 3, "1 | ");
    check("ucrao", 3, "1 | ");
    check("ucracra", 3, "1 / 4 | ");
    check("ucrcra", 3, "1 3 | ");
    check("udrra", 3, "1a+1b | ");
    // An unfinished chain keeps its last turns.
    check("ucr", 3, " | 1");
    check("ucrcrcrcr", 3, "1 | 3 5 7");
    check("ucrcrcrcr", 1, "1 3 5 | 7");
    check("ucrcrcrcr", 4, " | 1 3 5 7");
    check("ucraucrcrcrcr", 3, "1 / 5 | 7 9 11");
    check("ucrau", 0, "1 | ");
    // All: the tail goes too, calls without a result never do.
    check("ucrcrcrcr", 0, "1 3 5 7 | ");
    check("ucrc", 0, "1 | 3");
    check("udr", 0, "1a | 1b");
    check("ucua", 3, " | 1");
    // A prompt in mid chain interrupts it; what was called before goes with what follows.
    check("ucrucra", 3, "1 4 | ");
    check("ucrucr", 3, " | 1 4");
    // Aborted answers have no calls, and nothing is sent of them.
    check("ucrux", 3, "1 | ");
}

#[test]
fn history_is_taken_in_only_when_asked() {
    let mut lines: Vec<Value> = session("ucraucra")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let compaction = json!({"type": "compaction", "id": "k", "parentId": "e7", "summary": "s", "firstKeptEntryId": "e4"});
    let after = session("ca");
    let after = after.lines().skip(1).map(|line| {
        line.replace("\"e", "\"f")
            .replace("\"0\"", "\"late\"")
            .replace("\"parentId\":null", "\"parentId\":\"k\"")
    });
    let after: Vec<Value> = after
        .map(|line| serde_json::from_str(&line).unwrap())
        .collect();
    lines.push(compaction);
    lines.extend(after);
    let source = jsonl(&lines);
    assert_eq!(plan(&source, Extent::Context, 3), "5 | late");
    assert_eq!(plan(&source, Extent::WholeFile, 3), "1 / 5 | late");
    // The numbers of turns are those of the whole file, compacted or not.
    let turns = |source: &str, extent| {
        let transcript = wire::read(source.as_bytes()).unwrap();
        let replay = replay(&transcript, extent, 3);
        let turns = replay.flushes.into_iter().flat_map(|flush| flush.turns);
        turns
            .map(|turn| (turn.calls.len(), turn.number))
            .collect::<Vec<_>>()
    };
    let whole = session("ucraucra");
    assert_eq!(turns(&whole, Extent::Context), [(1, 0), (1, 2)]);
    assert_eq!(turns(&source, Extent::Context), [(1, 2)]);
    assert_eq!(turns(&source, Extent::WholeFile), [(1, 0), (1, 2)]);
}

#[test]
fn groups_count_prompts() {
    // 484: what agent-message batching merges.
    let source = session("ucroucrcra");
    let transcript = wire::read(source.as_bytes()).unwrap();
    let replay = replay(&transcript, Extent::Context, 3);
    let groups: Vec<usize> = replay.flushes[0]
        .turns
        .iter()
        .map(|turn| turn.user_turn_group)
        .collect();
    assert_eq!(groups, [1, 2, 2]);
}

/// A Claude Code session with thinking in every response, under this model.
fn thinking(model: &str) -> String {
    let think = |text: &str| json!({"type": "thinking", "thinking": text, "signature": "sig"});
    let text = |text: &str| json!({"type": "text", "text": text});
    let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "Read", "input": {}});
    let redacted = json!({"type": "redacted_thinking", "data": "xx"});
    let responses = [
        vec![think("first"), call("a")],
        vec![
            text("x"),
            think("second"),
            redacted,
            call("b"),
            think("third"),
        ],
        vec![think("alone")],
        vec![think("last"), redacted_again(), text("end")],
    ];
    let mut lines =
        vec![json!({"type": "user", "uuid": "u", "sessionId": "s", "message": {"content": "go"}})];
    let mut parent = "u".to_owned();
    for (number, content) in responses.into_iter().enumerate() {
        let answer = json!({"id": format!("m{number}"), "model": model, "content": content});
        let uuid = format!("a{number}");
        lines.push(json!({"type": "assistant", "uuid": uuid, "parentUuid": parent, "sessionId": "s", "message": answer}));
        parent = uuid;
        if number < 2 {
            let id = if number == 0 { "a" } else { "b" };
            let result = json!([{"type": "tool_result", "tool_use_id": id, "content": "out"}]);
            let uuid = format!("r{number}");
            lines.push(json!({"type": "user", "uuid": uuid, "parentUuid": parent, "sessionId": "s", "message": {"content": result}}));
            parent = uuid;
        }
    }
    jsonl(&lines)
}

fn redacted_again() -> Value {
    json!({"type": "redacted_thinking", "data": "yy"})
}

/// The session with this result edited and thinking treated as its model asks.
fn without_thinking(source: &str, edited: usize) -> String {
    let transcript = wire::read(source.as_bytes()).unwrap();
    let span = transcript.calls[edited].results[0].content.clone().unwrap();
    let mut edits = vec![Edit {
        span,
        replacement: "\"stub\"".to_owned(),
    }];
    edits.extend(remove_thinking(source.as_bytes(), &transcript, &edits));
    let edits = edit::normalize(source.as_bytes(), edits);
    String::from_utf8(edit::apply(source.as_bytes(), &edits).bytes).unwrap()
}

#[test]
fn bound_models_lose_all_thinking_behind_the_first_edit_and_none_before() {
    // Decisions, section 5; F10, F11.
    let source = thinking("claude-opus-5-5");
    let contents = |source: &str| -> Vec<String> {
        let lines = source.lines().filter(|line| line.contains("\"assistant\""));
        let lines = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines
            .map(|line| line["message"]["content"].to_string())
            .collect()
    };
    let before = contents(&source);
    let call =
        r#"[{"type":"text","text":"x"},{"type":"tool_use","id":"b","name":"Read","input":{}}]"#;
    let end = r#"[{"type":"text","text":"end"}]"#;
    let after = contents(&without_thinking(&source, 0));
    // A message that thinks only is not sent: it stays as it is.
    assert_eq!(after, [before[0].as_str(), call, before[2].as_str(), end]);
    let after = contents(&without_thinking(&source, 1));
    assert_eq!(
        after,
        [
            before[0].as_str(),
            before[1].as_str(),
            before[2].as_str(),
            end
        ]
    );
    // Unbound: nothing but the result changes.
    let free = thinking("claude-opus-4-5");
    assert_eq!(contents(&without_thinking(&free, 0)), contents(&free));
    assert_eq!(
        without_thinking(&free, 0),
        free.replacen("\"content\":\"out\"", "\"content\":\"stub\"", 1)
    );
    let transcript = wire::read(source.as_bytes()).unwrap();
    assert_eq!(remove_thinking(source.as_bytes(), &transcript, &[]), []);
}

#[test]
fn a_list_of_thinking_only_becomes_empty() {
    let think = r#"{"type":"thinking","thinking":"t"}"#;
    let text = r#"{"type":"text","text":"t"}"#;
    let check = |list: &str, expected: &str| {
        // Parts of one response, so that the list is no message of its own.
        let line = |uuid: &str, parent: &str, content: &str| {
            format!(
                r#"{{"type":"assistant","uuid":"{uuid}","parentUuid":{parent},"sessionId":"s","message":{{"id":"m","model":"claude-opus-5-5","content":{content}}}}}"#
            )
        };
        let source = [
            line("a", "null", &format!("[{text}]")),
            line("b", "\"a\"", list),
        ]
        .join("\n");
        let transcript = wire::read(source.as_bytes()).unwrap();
        let first = Edit {
            span: 0..1,
            replacement: "{".to_owned(),
        };
        let edits = remove_thinking(source.as_bytes(), &transcript, &[first]);
        let edits = edit::normalize(source.as_bytes(), edits);
        let output = String::from_utf8(edit::apply(source.as_bytes(), &edits).bytes).unwrap();
        assert!(
            output.ends_with(&format!("\"content\":{expected}}}}}")),
            "{output}"
        );
    };
    check(&format!("[{think}]"), "[]");
    check(&format!("[ {think} , {think} ]"), "[  ]");
    check(&format!("[{think},{text}]"), &format!("[{text}]"));
    check(&format!("[{text},{think}]"), &format!("[{text}]"));
    check(
        &format!("[{text}, {think}, {text}]"),
        &format!("[{text}, {text}]"),
    );
    check(
        &format!("[{think},{text},{think},{think}]"),
        &format!("[{text}]"),
    );
    check(
        &format!("[{think},{think},{text},{text}]"),
        &format!("[{text},{text}]"),
    );
}

#[test]
fn the_model_is_that_of_the_last_answer_that_a_model_gave() {
    let check = |models: &[&str], expected: Option<&str>| {
        let mut lines = vec![json!({"type": "session", "version": 3, "id": "s"})];
        for (number, model) in models.iter().enumerate() {
            let parent = number.checked_sub(1).map(|before| before.to_string());
            let message = json!({"role": "assistant", "model": model, "content": []});
            lines.push(json!({"type": "message", "id": number.to_string(), "parentId": parent, "message": message}));
        }
        let transcript = wire::read(jsonl(&lines).as_bytes()).unwrap();
        assert_eq!(session_model(&transcript), expected);
    };
    check(&[], None);
    check(&["a", "b"], Some("b"));
    check(&["a", "<synthetic>"], Some("a"));
}

#[test]
fn a_fresh_id_lands_on_every_line_and_nowhere_else() {
    let source = concat!(
        r#"{"type":"mode","sessionId":"old","x":"old"}"#,
        "\r\n",
        r#"{"type":"user","uuid":"u","parentUuid":null,"session_id" : "old","sessionId":"\u006fld","message":{"content":"old","sessionId":"old"}}"#,
        "\n{cut \"sessionId\":\"old\"\n",
    );
    let transcript = wire::read(source.as_bytes()).unwrap();
    let edits = replace_session_ids(&transcript, "new \"id\"");
    let edits = edit::normalize(source.as_bytes(), edits);
    let output = String::from_utf8(edit::apply(source.as_bytes(), &edits).bytes).unwrap();
    assert_eq!(
        output,
        concat!(
            r#"{"type":"mode","sessionId":"new \"id\"","x":"old"}"#,
            "\r\n",
            r#"{"type":"user","uuid":"u","parentUuid":null,"session_id" : "new \"id\"","sessionId":"new \"id\"","message":{"content":"old","sessionId":"old"}}"#,
            "\n{cut \"sessionId\":\"old\"\n",
        )
    );
}
