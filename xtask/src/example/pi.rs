//! Writes a session as Pi does, version 3: a straight chain of entries, one entry per tool result.

use serde_json::{Value, json};

use super::MODEL;
use super::clock::Clock;
use super::random::Random;
use super::session::{Action, Call, Outcome, Session, Turn};
use super::workspace::Hunk;

struct Writer<'a> {
    folder: &'a str,
    out: Vec<u8>,
    random: Random,
    clock: Clock,
    parent: Option<String>,
    context: u64,
}

/// Writes the whole file.
pub(crate) fn write(session: &Session) -> Vec<u8> {
    let mut writer = Writer {
        folder: &session.folder,
        out: Vec::new(),
        random: Random::new(session.seed),
        clock: Clock::start(),
        parent: None,
        context: 9_000,
    };
    let header = json!({
        "type": "session", "version": 3, "id": writer.random.uuid(),
        "timestamp": writer.clock.iso(), "cwd": session.folder,
    });
    writer.line(&header);
    writer.entry(
        "model_change",
        &[("provider", json!("anthropic")), ("modelId", json!(MODEL))],
    );
    writer.entry(
        "thinking_level_change",
        &[("thinkingLevel", json!("medium"))],
    );
    writer.entry("session_info", &[("name", json!(session.title))]);
    for chain in &session.chains {
        writer.pause(20_000, 400_000);
        let content = json!([{ "type": "text", "text": chain.prompt }]);
        let message =
            json!({ "role": "user", "content": content, "timestamp": writer.clock.epoch() });
        writer.entry("message", &[("message", message)]);
        writer.context += tokens(&chain.prompt);
        for turn in &chain.turns {
            writer.turn(turn);
        }
    }
    writer.out
}

impl Writer<'_> {
    fn line(&mut self, value: &Value) {
        self.out.extend_from_slice(value.to_string().as_bytes());
        self.out.push(b'\n');
    }

    fn pause(&mut self, low: u64, high: u64) {
        let milliseconds = self.random.between(low, high);
        self.clock.advance(milliseconds);
    }

    /// Appends an entry as the child of the entry before it.
    fn entry(&mut self, kind: &str, fields: &[(&str, Value)]) {
        let id = self.random.hex8();
        let mut entry = json!({
            "type": kind, "id": id, "parentId": self.parent, "timestamp": self.clock.iso(),
        });
        for (name, value) in fields {
            entry[*name] = value.clone();
        }
        self.line(&entry);
        self.parent = Some(id);
    }

    fn turn(&mut self, turn: &Turn) {
        let asked = self.clock.epoch();
        self.pause(1_800, 14_000);
        let ids: Vec<String> = turn
            .calls
            .iter()
            .map(|_| self.random.api_id("toolu_"))
            .collect();
        let message = self.assistant(turn, &ids, asked);
        self.entry("message", &[("message", message)]);
        for (call, id) in turn.calls.iter().zip(&ids) {
            self.pause(15, 2_600);
            let message = self.result(call, id);
            self.entry("message", &[("message", message)]);
        }
    }

    fn assistant(&mut self, turn: &Turn, ids: &[String], asked: u64) -> Value {
        let mut content = Vec::new();
        if let Some(thinking) = &turn.thinking {
            let signature = self.random.signature();
            content.push(
                json!({ "type": "thinking", "thinking": thinking, "thinkingSignature": signature }),
            );
        }
        if let Some(text) = &turn.text {
            content.push(json!({ "type": "text", "text": text }));
        }
        for (call, id) in turn.calls.iter().zip(ids) {
            let (name, arguments) = request(&call.action);
            content.push(
                json!({ "type": "toolCall", "id": id, "name": name, "arguments": arguments }),
            );
        }
        let output = content
            .iter()
            .map(|block| tokens(&block.to_string()))
            .sum::<u64>();
        let usage = self.usage(output);
        json!({
            "role": "assistant", "content": content, "api": "anthropic-messages", "provider": "anthropic",
            "model": MODEL, "usage": usage,
            "stopReason": if turn.calls.is_empty() { "stop" } else { "toolUse" },
            "timestamp": asked, "responseId": self.random.api_id("msg_"),
        })
    }

    /// Everything but the newest part comes from the cache; prices are per million tokens.
    fn usage(&mut self, output: u64) -> Value {
        let written = self.random.between(300, 2_400);
        let read = self.context;
        self.context += output + written;
        let price = |tokens: u64, cents: u64| (tokens * cents) as f64 / 100_000_000.0;
        let costs = [
            price(3, 500),
            price(output, 2_500),
            price(read, 50),
            price(written, 625),
        ];
        json!({
            "input": 3, "output": output, "cacheRead": read, "cacheWrite": written,
            "totalTokens": 3 + output + read + written,
            "cost": {
                "input": costs[0], "output": costs[1], "cacheRead": costs[2], "cacheWrite": costs[3],
                "total": costs.iter().sum::<f64>(),
            },
        })
    }

    fn result(&mut self, call: &Call, id: &str) -> Value {
        let (name, _) = request(&call.action);
        let answer = self.answer(call);
        self.context += answer
            .content
            .iter()
            .filter_map(|part| part["text"].as_str())
            .map(tokens)
            .sum::<u64>();
        let mut message = json!({
            "role": "toolResult", "toolCallId": id, "toolName": name, "content": answer.content,
        });
        if let Some(details) = answer.details {
            message["details"] = details;
        }
        message["isError"] = json!(answer.is_error);
        message["timestamp"] = json!(self.clock.epoch());
        message
    }

    fn answer(&self, call: &Call) -> Answer {
        match (&call.action, &call.outcome) {
            (
                _,
                Outcome::File {
                    content,
                    first,
                    total,
                },
            ) => {
                let next = first + content.split('\n').count();
                if next > *total {
                    return Answer::text(content);
                }
                let left = total - next + 1;
                Answer::text(&format!(
                    "{content}\n\n[{left} more lines in file. Use offset={next} to continue.]"
                ))
            }
            (_, Outcome::Image { data }) => Answer::parts(vec![
                json!({ "type": "text", "text": "Read image file [image/png]" }),
                json!({ "type": "image", "data": data, "mimeType": "image/png" }),
            ]),
            (_, Outcome::Listing(names) | Outcome::Paths(names)) => Answer::text(&names.join("\n")),
            (_, Outcome::Matches(matches)) if matches.is_empty() => {
                Answer::text("No matches found")
            }
            (_, Outcome::Matches(matches)) => {
                let lines = matches
                    .iter()
                    .map(|(path, number, line)| format!("{path}:{number}: {line}"));
                Answer::text(&lines.collect::<Vec<_>>().join("\n"))
            }
            (Action::Edit { path, old, new }, Outcome::Edited { before }) => {
                edited(path, before, old, new)
            }
            (Action::Write { path, content }, _) => Answer::text(&format!(
                "Successfully wrote {} bytes to {path}",
                content.len()
            )),
            (_, Outcome::Output { text, exit_code: 0 }) if text.is_empty() => {
                Answer::text("(no output)")
            }
            (_, Outcome::Output { text, exit_code: 0 }) => Answer::text(text),
            (_, Outcome::Output { text, exit_code }) => {
                Answer::error(&format!("{text}\n\nCommand exited with code {exit_code}"))
            }
            (_, Outcome::Page { html }) => Answer::text(html),
            (Action::Read { path, .. }, _) => Answer::error(&format!(
                "ENOENT: no such file or directory, access '{}/{path}'",
                self.folder
            )),
            (action, outcome) => Answer::error(&format!("{action:?} cannot end with {outcome:?}")),
        }
    }
}

struct Answer {
    content: Vec<Value>,
    details: Option<Value>,
    is_error: bool,
}

impl Answer {
    fn text(text: &str) -> Self {
        Self::parts(vec![json!({ "type": "text", "text": text })])
    }

    fn parts(content: Vec<Value>) -> Self {
        Self {
            content,
            details: None,
            is_error: false,
        }
    }

    fn error(text: &str) -> Self {
        Self {
            details: Some(json!({})),
            is_error: true,
            ..Self::text(text)
        }
    }
}

fn edited(path: &str, before: &str, old: &str, new: &str) -> Answer {
    let hunk = Hunk::between(before, &before.replacen(old, new, 1));
    let (mut old_line, mut new_line) = (hunk.first, hunk.first);
    let mut diff = Vec::new();
    for (mark, line) in &hunk.lines {
        let number = if *mark == '+' { new_line } else { old_line };
        diff.push(format!("{mark}{number:>3} {line}"));
        old_line += usize::from(*mark != '+');
        new_line += usize::from(*mark != '-');
    }
    Answer {
        details: Some(json!({ "diff": diff.join("\n"), "firstChangedLine": hunk.changed })),
        ..Answer::text(&format!("Successfully replaced 1 block(s) in {path}."))
    }
}

/// The tool and its arguments; Pi has no tool for web pages.
fn request(action: &Action) -> (&'static str, Value) {
    match action {
        Action::Read { path, range: None } => ("read", json!({ "path": path })),
        Action::Read {
            path,
            range: Some(range),
        } => (
            "read",
            json!({ "path": path, "offset": range.first, "limit": range.count }),
        ),
        Action::List { path } => ("ls", json!({ "path": path })),
        Action::Search { pattern, path } => (
            "grep",
            json!({ "pattern": pattern, "path": path, "literal": true }),
        ),
        Action::Find { pattern } => ("find", json!({ "pattern": pattern })),
        Action::Edit { path, old, new } => (
            "edit",
            json!({ "path": path, "edits": [{ "oldText": old, "newText": new }] }),
        ),
        Action::Write { path, content } => ("write", json!({ "path": path, "content": content })),
        Action::Run { command, .. } => ("bash", json!({ "command": command })),
        Action::Fetch { url, .. } => ("bash", json!({ "command": format!("curl -sL {url}") })),
    }
}

/// A rough count, four bytes to the token.
fn tokens(text: &str) -> u64 {
    text.len() as u64 / 4
}
