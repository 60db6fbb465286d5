//! Checks request bodies of the Anthropic Messages protocol.
//!
//! Rules: wire specification 1.1 and part 2, section 5. Messages of one role in a row count as one
//! turn, as the provider merges them; messages of the role `system` may stand anywhere and may be
//! empty, as Claude Code sends them.

use std::collections::HashSet;

use epitome_core::tokens::estimate_tokens;
use serde_json::Value;

/// A tool result of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolResult {
    /// Id of the call that it answers.
    pub id: String,
    /// Its text; of several text blocks, one after the other.
    pub text: String,
}

/// Says everything that the provider would refuse; empty for a valid body.
///
/// Each problem opens with the index of the message that it was found in.
pub fn request_problems(body: &Value) -> Vec<String> {
    let mut problems = Problems::default();
    let Some(messages) = body["messages"].as_array() else {
        return vec!["messages: no list".to_owned()];
    };
    let mut turns: Vec<Turn> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let role = message["role"].as_str().unwrap_or_default();
        match role {
            "user" | "assistant" => {}
            "system" => continue,
            _ => problems.add(index, &format!("unknown role `{role}`")),
        }
        problems.check_content(index, message);
        let blocks = blocks(message).iter().map(|block| (index, block));
        match turns.last_mut().filter(|turn| turn.role == role) {
            Some(turn) => turn.blocks.extend(blocks),
            None => turns.push(Turn {
                role,
                blocks: blocks.collect(),
            }),
        }
    }
    if turns.first().is_none_or(|turn| turn.role != "user") {
        problems.add(0, "the first turn is not the user's");
    }
    problems.check_pairs(&turns);
    problems.check_breakpoints(body);
    problems.found
}

/// Estimates the tokens of a body's messages: texts, thinking, calls' inputs and results.
pub fn request_tokens(body: &Value) -> u64 {
    let messages = body["messages"].as_array().into_iter().flatten();
    let text = |value: &Value| value.as_str().map_or(0, estimate_tokens);
    let block_tokens = |block: &Value| match block["type"].as_str() {
        Some("thinking") => text(&block["thinking"]),
        Some("tool_use") => estimate_tokens(&block["input"].to_string()),
        Some("tool_result") => estimate_tokens(&content_text(&block["content"])),
        _ => text(&block["text"]),
    };
    let message_tokens = |message: &Value| match &message["content"] {
        Value::String(content) => estimate_tokens(content),
        _ => blocks(message).iter().map(block_tokens).sum(),
    };
    messages.map(message_tokens).sum()
}

/// The tool results of a body, in order.
pub fn tool_results(body: &Value) -> Vec<ToolResult> {
    let messages = body["messages"].as_array().into_iter().flatten();
    messages
        .flat_map(blocks)
        .filter(|block| block["type"] == "tool_result")
        .map(|block| ToolResult {
            id: block["tool_use_id"].as_str().unwrap_or_default().to_owned(),
            text: content_text(&block["content"]),
        })
        .collect()
}

fn content_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks
            .iter()
            .filter_map(|block| block["text"].as_str())
            .collect(),
        _ => String::new(),
    }
}

fn blocks(message: &Value) -> &[Value] {
    message["content"].as_array().map_or(&[], Vec::as_slice)
}

fn block_problem(block: &Value, from_model: bool) -> Option<&'static str> {
    let text_of = |name: &str| block[name].as_str().unwrap_or_default();
    match text_of("type") {
        "" => Some("a block without a type"),
        "text" if text_of("text").trim().is_empty() => Some("empty text"),
        "tool_use" if !from_model => Some("a call of the user"),
        "tool_use" if !block["input"].is_object() || text_of("name").is_empty() => {
            Some("a call without a name or an input object")
        }
        "tool_result" if from_model => Some("a result of the model"),
        "tool_result" => result_problem(&block["content"]),
        "thinking" if !block["signature"].is_string() => Some("thinking without a signature"),
        _ => None,
    }
}

fn result_problem(content: &Value) -> Option<&'static str> {
    let empty = |block: &Value| block["type"] == "text" && block["text"] == "";
    match content {
        Value::Array(blocks) if blocks.iter().any(empty) => Some("empty text in a result"),
        Value::Null | Value::String(_) | Value::Array(_) => None,
        _ => Some("a result that is neither a text nor a list"),
    }
}

/// Messages of one role in a row, as blocks with the index of their message.
struct Turn<'a> {
    role: &'a str,
    blocks: Vec<(usize, &'a Value)>,
}

impl<'a> Turn<'a> {
    fn of_kind(&self, kind: &'static str) -> impl Iterator<Item = (usize, &'a Value)> {
        let all = self.blocks.iter().copied();
        all.filter(move |(_, block)| block["type"] == kind)
    }
}

#[derive(Default)]
struct Problems {
    found: Vec<String>,
}

impl Problems {
    fn add(&mut self, index: usize, problem: &str) {
        self.found.push(format!("messages[{index}]: {problem}"));
    }

    fn check_content(&mut self, index: usize, message: &Value) {
        let from_model = message["role"] == "assistant";
        match &message["content"] {
            Value::String(text) if text.trim().is_empty() => self.add(index, "empty text"),
            Value::String(_) => {}
            Value::Array(blocks) if blocks.is_empty() => self.add(index, "no content"),
            Value::Array(blocks) => {
                for problem in blocks
                    .iter()
                    .filter_map(|block| block_problem(block, from_model))
                {
                    self.add(index, problem);
                }
            }
            _ => self.add(index, "content is neither a text nor a list"),
        }
    }

    /// Every call is answered in the next turn of the user, results first, and nothing else is.
    fn check_pairs(&mut self, turns: &[Turn<'_>]) {
        let mut known: HashSet<&str> = HashSet::new();
        for (position, turn) in turns.iter().enumerate() {
            let mut open: HashSet<&str> = HashSet::new();
            for (index, call) in turn.of_kind("tool_use") {
                let id = call["id"].as_str().unwrap_or_default();
                open.insert(id);
                if !known.insert(id) {
                    self.add(index, &format!("call id `{id}` a second time"));
                }
            }
            if let Some(next) = turns.get(position + 1) {
                for (index, result) in next.of_kind("tool_result") {
                    let id = result["tool_use_id"].as_str().unwrap_or_default();
                    if !open.remove(id) {
                        self.add(index, &format!("result of `{id}`, which is no open call"));
                    }
                }
                self.check_results_first(next);
            }
            let last = turn.blocks.last().map_or(0, |(index, _)| *index);
            let mut open: Vec<&str> = open.into_iter().collect();
            open.sort_unstable();
            for id in open {
                self.add(last, &format!("call `{id}` without a result"));
            }
        }
        if let Some(first) = turns.first() {
            for (index, _) in first.of_kind("tool_result") {
                self.add(index, "a result before any call");
            }
        }
    }

    fn check_results_first(&mut self, turn: &Turn<'_>) {
        let mut other = false;
        for (index, block) in &turn.blocks {
            if block["type"] != "tool_result" {
                other = true;
            } else if other {
                self.add(*index, "a result behind other content");
            }
        }
    }

    fn check_breakpoints(&mut self, body: &Value) {
        let messages = body["messages"].as_array().into_iter().flatten();
        let lists = [&body["system"], &body["tools"]];
        let around = lists.into_iter().filter_map(Value::as_array).flatten();
        let marked = messages
            .flat_map(blocks)
            .chain(around)
            .filter(|block| !block["cache_control"].is_null());
        let count = marked.count();
        if count > 4 {
            self.found
                .push(format!("{count} cache breakpoints, 4 are allowed"));
        }
    }
}

#[cfg(test)]
mod tests;
