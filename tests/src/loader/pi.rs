//! Pi's way from the lines of a file to the messages of a request.

use std::collections::{HashMap, HashSet};

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use super::{Format, Loaded, Turn, blocks, messages};

pub(super) fn load(lines: Vec<Value>) -> anyhow::Result<Loaded> {
    let header = lines.first().context("the file is empty")?;
    ensure!(
        header["type"] == "session" && header["id"].is_string(),
        "the first line is no header"
    );
    let entries = migrate(&lines, header["version"].as_u64().unwrap_or(1));
    let path = path(&entries);
    let sent = after_compaction(&path);
    let mut turns = Vec::new();
    let mut mended = Vec::new();
    for entry in &sent {
        add_turn(entry, &mut turns);
    }
    answer_calls(&mut turns, &mut mended);
    let ids = sent.iter().map(|entry| entry.id.clone()).collect();
    let messages = messages(turns);
    Ok(Loaded {
        format: Format::Pi,
        path: ids,
        messages,
        mended,
        lines,
    })
}

/// A line below the header, in the shape of the newest version.
#[derive(Clone)]
struct Entry<'a> {
    id: String,
    parent: Option<String>,
    /// Id of the first entry that a compaction keeps.
    first_kept: Option<String>,
    line: &'a Value,
}

/// Version 1 has no ids: entries are numbered, each follows the one before it.
fn migrate(lines: &[Value], version: u64) -> Vec<Entry<'_>> {
    let entries = lines.iter().filter(|line| line.is_object()).skip(1);
    if version > 1 {
        return entries.filter_map(linked).collect();
    }
    // The header counts as number 0 and is never kept.
    let numbered = entries.zip(1..).map(|(line, number): (_, u64)| Entry {
        id: format!("#{number}"),
        parent: (number > 1).then(|| format!("#{}", number - 1)),
        first_kept: line["firstKeptEntryIndex"]
            .as_u64()
            .filter(|kept| *kept > 0)
            .map(|kept| format!("#{kept}")),
        line,
    });
    numbered.collect()
}

fn linked(line: &Value) -> Option<Entry<'_>> {
    let text = |key: &str| line[key].as_str().map(str::to_owned);
    Some(Entry {
        id: text("id")?,
        parent: text("parentId"),
        first_kept: text("firstKeptEntryId"),
        line,
    })
}

/// From the last entry to its root, root first.
fn path<'a>(entries: &[Entry<'a>]) -> Vec<Entry<'a>> {
    let by_id: HashMap<&str, &Entry<'_>> = entries.iter().map(|e| (e.id.as_str(), e)).collect();
    let mut seen = HashSet::new();
    let mut path = Vec::new();
    let mut next = entries.last();
    while let Some(entry) = next.filter(|entry| seen.insert(entry.id.as_str())) {
        path.push(entry.clone());
        next = entry
            .parent
            .as_deref()
            .and_then(|parent| by_id.get(parent).copied());
    }
    path.reverse();
    path
}

fn after_compaction<'a>(path: &[Entry<'a>]) -> Vec<Entry<'a>> {
    let newest = path
        .iter()
        .rposition(|entry| entry.line["type"] == "compaction");
    let Some(newest) = newest else {
        return path.to_vec();
    };
    let (before, rest) = path.split_at(newest);
    let holds_tail = rest[0].line["retainedTail"].is_array();
    let first_kept = before
        .iter()
        .position(|entry| !holds_tail && Some(&entry.id) == rest[0].first_kept.as_ref());
    let kept = first_kept.map_or(&[][..], |at| &before[at..]);
    [&rest[..1], kept, &rest[1..]].concat()
}

fn add_turn(entry: &Entry<'_>, turns: &mut Vec<Turn>) {
    let line = entry.line;
    let mut add = |role: &'static str, blocks: Vec<Value>| {
        turns.push(Turn {
            role,
            response: None,
            blocks,
        });
    };
    match line["type"].as_str().unwrap_or_default() {
        "message" => {
            if let Some((role, blocks)) = message(&line["message"]) {
                add(role, blocks);
            }
        }
        "compaction" => {
            add("user", blocks(&line["summary"]));
            for kept in line["retainedTail"].as_array().into_iter().flatten() {
                if let Some((role, blocks)) = message(kept) {
                    add(role, blocks);
                }
            }
        }
        "branch_summary" => add("user", blocks(&line["summary"])),
        "custom_message" => add("user", blocks(&line["content"])),
        _ => {}
    }
}

/// What a message sends; none where it is left out.
fn message(message: &Value) -> Option<(&'static str, Vec<Value>)> {
    match message["role"].as_str()? {
        "assistant" => {
            let failed = ["error", "aborted"].contains(&message["stopReason"].as_str()?);
            let blocks = blocks(&message["content"]).into_iter().map(assistant_block);
            (!failed).then(|| ("assistant", blocks.collect()))
        }
        "toolResult" => {
            let content = match &message["content"] {
                Value::Array(blocks) => Value::Array(blocks.clone()),
                _ => json!("not a list"),
            };
            let result = json!({
                "type": "tool_result",
                "tool_use_id": message["toolCallId"],
                "content": content,
                "is_error": message["isError"],
            });
            Some(("user", vec![result]))
        }
        "bashExecution" if message["excludeFromContext"] == true => None,
        "bashExecution" => Some(("user", blocks(&message["output"]))),
        _ => Some(("user", blocks(&message["content"]))),
    }
}

fn assistant_block(block: Value) -> Value {
    match block["type"].as_str() {
        Some("toolCall") => json!({
            "type": "tool_use",
            "id": block["id"],
            "name": block["name"],
            "input": block["arguments"],
        }),
        Some("thinking") => json!({
            "type": "thinking",
            "thinking": block["thinking"],
            "signature": block["thinkingSignature"],
        }),
        _ => block,
    }
}

/// A call that nothing answers before the next message gets an invented error.
fn answer_calls(turns: &mut Vec<Turn>, notes: &mut Vec<String>) {
    let mut at = 0;
    while at < turns.len() {
        if turns[at].role != "assistant" {
            at += 1;
            continue;
        }
        let results = turns[at + 1..]
            .iter()
            .take_while(|turn| turn.role == "user" && turn.blocks[..].iter().all(is_result));
        let answered: HashSet<String> = results
            .clone()
            .flat_map(|turn| &turn.blocks)
            .filter_map(|block| Some(block["tool_use_id"].as_str()?.to_owned()))
            .collect();
        let end = at + 1 + results.count();
        let invented: Vec<Value> = turns[at]
            .blocks
            .iter()
            .filter(|block| block["type"] == "tool_use")
            .filter(|call| !call["id"].as_str().is_some_and(|id| answered.contains(id)))
            .map(|call| {
                notes.push(format!("a call without a result {}", call["id"]));
                json!({
                    "type": "tool_result",
                    "tool_use_id": call["id"],
                    "content": [{ "type": "text", "text": "No result provided" }],
                    "is_error": true,
                })
            })
            .collect();
        if !invented.is_empty() {
            let turn = Turn {
                role: "user",
                response: None,
                blocks: invented,
            };
            turns.insert(end, turn);
        }
        at = end;
    }
}

fn is_result(block: &Value) -> bool {
    block["type"] == "tool_result"
}
