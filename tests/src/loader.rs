//! What an agent would make of a session file, worked out without any code of ours.
//!
//! Written from the wire specification, part 2, and from what the agents were seen to send; it
//! knows nothing of the views in `epitome-core`, so that the two can be held against each other.

mod claude_code;
mod mend;
mod pi;
#[cfg(test)]
mod tests;

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

/// The agent that a session belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Claude Code.
    ClaudeCode,
    /// Pi.
    Pi,
}

/// A session as its agent loads it.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The agent.
    pub format: Format,
    /// Every line as JSON; null where it is none.
    pub lines: Vec<Value>,
    /// Ids of the lines that are sent, in order; results of parallel calls stand behind the calls.
    pub path: Vec<String>,
    /// Messages of the next request, in the shape of the Anthropic protocol.
    pub messages: Vec<Value>,
    /// What the agent mends before it sends, in order.
    pub mended: Vec<String>,
}

impl Loaded {
    /// Loads a session.
    pub fn new(session: &[u8]) -> anyhow::Result<Self> {
        let lines: Vec<Value> = session
            .split_inclusive(|&byte| byte == b'\n')
            .map(parse)
            .collect();
        let first = lines.iter().find(|line| line.is_object());
        let first = first.context("no line is an object")?;
        if first["type"] == "session" {
            return pi::load(lines);
        }
        if lines.iter().any(|line| line["message"].is_object()) {
            return Ok(claude_code::load(lines));
        }
        bail!("neither a header nor a message");
    }

    /// The next request, for [`crate::request::request_problems`].
    pub fn request(&self) -> Value {
        json!({ "messages": self.messages })
    }

    /// Places of the session's own id: the line, counted from 0, and the id.
    pub fn session_ids(&self) -> Vec<(usize, &str)> {
        let keys: &[&str] = match self.format {
            Format::ClaudeCode => &["sessionId", "session_id"],
            Format::Pi => &["id"],
        };
        let headers = self.lines.iter().enumerate();
        headers
            .filter(|(_, line)| self.format == Format::ClaudeCode || line["type"] == "session")
            .flat_map(|(index, line)| keys.iter().map(move |key| (index, &line[key])))
            .filter_map(|(index, id)| Some((index, id.as_str()?)))
            .collect()
    }

    /// Working folders that the session names, in order of their first line.
    pub fn folders(&self) -> Vec<&str> {
        let mut folders: Vec<&str> = Vec::new();
        for folder in self.lines.iter().filter_map(|line| line["cwd"].as_str()) {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        folders
    }
}

/// A line as JSON; null where it is none.
///
/// JavaScript reads escapes of half a surrogate pair, which text here cannot hold: such a line is
/// read once more with its surrogates as the letters of their escapes.
fn parse(line: &[u8]) -> Value {
    if let Ok(value) = serde_json::from_slice(line) {
        return value;
    }
    let mut spelled = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some((&byte, after)) = rest.split_first() {
        let is_surrogate = matches!(
            rest,
            [
                b'\\',
                b'u',
                b'd' | b'D',
                b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F',
                ..,
            ]
        );
        if is_surrogate {
            spelled.push(b'\\');
        }
        spelled.push(byte);
        rest = after;
        // What is escaped opens no escape.
        if let (b'\\', Some((&escaped, after))) = (byte, rest.split_first()) {
            spelled.push(escaped);
            rest = after;
        }
    }
    serde_json::from_slice(&spelled).unwrap_or(Value::Null)
}

/// One speaker's turn in the making.
#[derive(Debug, Clone)]
struct Turn {
    role: &'static str,
    /// Id of the response, where several lines make one.
    response: Option<String>,
    blocks: Vec<Value>,
}

/// The blocks of a message's content; a plain text becomes a block.
fn blocks(content: &Value) -> Vec<Value> {
    match content {
        Value::String(text) => vec![json!({ "type": "text", "text": text })],
        Value::Array(blocks) => blocks.clone(),
        _ => Vec::new(),
    }
}

/// Messages of turns: neighbours of one role are one message.
fn messages(turns: Vec<Turn>) -> Vec<Value> {
    let mut merged: Vec<(&str, Vec<Value>)> = Vec::new();
    for turn in turns.into_iter().filter(|turn| !turn.blocks.is_empty()) {
        match merged.last_mut().filter(|(role, _)| *role == turn.role) {
            Some((_, blocks)) => blocks.extend(turn.blocks),
            None => merged.push((turn.role, turn.blocks)),
        }
    }
    let message = |(role, blocks): (&str, Vec<Value>)| json!({ "role": role, "content": blocks });
    merged.into_iter().map(message).collect()
}
