//! Small sessions written line by line, and large ones with texts of no meaning.

use serde_json::{Value, json};

use crate::random::Random;

/// Milliseconds between two lines.
const STEP: u64 = 1_000;

/// Text of a result that is worth condensing: numbered lines, no two alike.
pub fn long_text(seed: u64, lines: usize) -> String {
    let mut random = Random::new(seed);
    let line = |number: usize| {
        let words: Vec<String> = (0..7).map(|_| word(&mut random)).collect();
        format!("{number:5}  {}\n", words.join(" "))
    };
    (1..=lines).map(line).collect()
}

fn word(random: &mut Random) -> String {
    let length = 3 + random.below(7);
    (0..length)
        .map(|_| char::from(b'a' + random.below(26) as u8))
        .collect()
}

/// A Claude Code session in the making.
#[derive(Debug)]
pub struct ClaudeCode {
    /// Its lines so far.
    pub lines: Vec<Value>,
    /// The line that the next one follows.
    pub leaf: Option<String>,
    /// The model that its answers name.
    pub model: &'static str,
    cwd: String,
    made: u64,
}

impl ClaudeCode {
    /// A session without lines, held in this folder.
    pub fn new(cwd: &str) -> Self {
        Self {
            lines: Vec::new(),
            leaf: None,
            model: "claude-sonnet-4-5-20250929",
            cwd: cwd.to_owned(),
            made: 0,
        }
    }

    /// Adds a line of any kind behind the leaf, which it becomes; returns its id.
    pub fn line(&mut self, kind: &str, more: Value) -> String {
        self.made += 1;
        let uuid = format!("5e551000-0000-4000-8000-{:012}", self.made);
        let mut line = json!({
            "parentUuid": self.leaf,
            "isSidechain": false,
            "type": kind,
            "uuid": uuid,
            "timestamp": iso(self.made * STEP),
            "sessionId": "0d000000-0000-4000-8000-000000000001",
            "cwd": self.cwd,
            "version": "2.1.100",
        });
        if let (Value::Object(line), Value::Object(more)) = (&mut line, more) {
            line.extend(more);
        }
        self.lines.push(line);
        self.leaf = Some(uuid.clone());
        uuid
    }

    /// A prompt, or whatever else the user says.
    pub fn user(&mut self, text: &str) -> String {
        let message = json!({ "role": "user", "content": text });
        self.line("user", json!({ "message": message }))
    }

    /// One line of a response: one block.
    pub fn block(&mut self, response: &str, block: &Value) -> String {
        let message = json!({
            "id": response,
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": [block],
            "stop_reason": null,
        });
        self.line("assistant", json!({ "message": message }))
    }

    /// What the model says.
    pub fn says(&mut self, response: &str, text: &str) -> String {
        self.block(response, &json!({ "type": "text", "text": text }))
    }

    /// A call of `Read`, on a path named after its id.
    pub fn call(&mut self, response: &str, id: &str) -> String {
        let input = json!({ "file_path": format!("src/{id}.txt") });
        let call = json!({ "type": "tool_use", "id": id, "name": "Read", "input": input });
        self.block(response, &call)
    }

    /// The result of a call with its second copy.
    pub fn result(&mut self, id: &str, text: &str) -> String {
        let result = json!({ "type": "tool_result", "tool_use_id": id, "content": text });
        let file = json!({ "filePath": format!("src/{id}.txt"), "content": text, "numLines": 9 });
        let more = json!({
            "message": { "role": "user", "content": [result] },
            "sourceToolAssistantUUID": self.leaf,
            "toolUseResult": { "type": "text", "file": file },
        });
        self.line("user", more)
    }

    /// A response that is one call, and its result of 60 lines.
    pub fn step(&mut self, id: &str) {
        self.call(&format!("msg_{id}"), id);
        let seed = id.bytes().fold(7, |seed, byte| seed * 31 + u64::from(byte));
        self.result(id, &long_text(seed, 60));
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        to_lines(&self.lines)
    }
}

/// A Pi session in the making.
#[derive(Debug)]
pub struct Pi {
    /// Its lines so far, the header first.
    pub lines: Vec<Value>,
    /// The entry that the next one follows.
    pub leaf: Option<String>,
    version: u64,
    made: u64,
}

impl Pi {
    /// A session of this version, held in this folder.
    pub fn new(version: u64, cwd: &str) -> Self {
        let mut header = json!({
            "type": "session",
            "id": "0d000000-0000-4000-8000-000000000002",
            "timestamp": iso(0),
            "cwd": cwd,
        });
        if version > 1 {
            header["version"] = version.into();
        }
        Self {
            lines: vec![header],
            leaf: None,
            version,
            made: 0,
        }
    }

    /// Adds an entry of any kind behind the leaf, which it becomes; returns its id.
    pub fn entry(&mut self, kind: &str, more: Value) -> String {
        self.made += 1;
        let id = format!("{:08x}", 0x5e55_0000 + self.made);
        let mut line = json!({ "type": kind, "timestamp": iso(self.made * STEP) });
        if self.version > 1 {
            line["id"] = id.clone().into();
            line["parentId"] = self.leaf.clone().into();
        }
        if let (Value::Object(line), Value::Object(more)) = (&mut line, more) {
            line.extend(more);
        }
        self.lines.push(line);
        self.leaf = Some(id.clone());
        id
    }

    /// A prompt.
    pub fn user(&mut self, text: &str) -> String {
        let content = json!([{ "type": "text", "text": text }]);
        self.entry(
            "message",
            json!({ "message": { "role": "user", "content": content } }),
        )
    }

    /// An answer of these blocks that ended for this reason.
    pub fn assistant(&mut self, blocks: &Value, reason: &str) -> String {
        let message = json!({
            "role": "assistant",
            "content": blocks,
            "api": "anthropic-messages",
            "provider": "anthropic",
            "model": "claude-sonnet-4-5",
            "stopReason": reason,
            "timestamp": self.made * STEP,
        });
        self.entry("message", json!({ "message": message }))
    }

    /// What the model says.
    pub fn says(&mut self, text: &str) -> String {
        self.assistant(&json!([{ "type": "text", "text": text }]), "stop")
    }

    /// Calls of `read` in one answer, and a result of 60 lines for each.
    pub fn step(&mut self, ids: &[&str]) {
        let call = |id: &&str| {
            let arguments = json!({ "path": format!("src/{id}.txt") });
            json!({ "type": "toolCall", "id": id, "name": "read", "arguments": arguments })
        };
        self.assistant(&ids.iter().map(call).collect(), "toolUse");
        for id in ids {
            let seed = id.bytes().fold(9, |seed, byte| seed * 31 + u64::from(byte));
            self.result(id, &long_text(seed, 60));
        }
    }

    /// The result of a call.
    pub fn result(&mut self, id: &str, text: &str) -> String {
        let message = json!({
            "role": "toolResult",
            "toolCallId": id,
            "toolName": "read",
            "content": [{ "type": "text", "text": text }],
            "details": { "truncation": { "content": text, "totalLines": 60 } },
            "isError": false,
            "timestamp": self.made * STEP,
        });
        self.entry("message", json!({ "message": message }))
    }

    /// The file.
    pub fn bytes(&self) -> Vec<u8> {
        to_lines(&self.lines)
    }
}

/// A Claude Code session of that many steps whose results have that many lines each.
pub fn large_session(cwd: &str, seed: u64, steps: u64, lines: usize) -> Vec<u8> {
    let mut session = ClaudeCode::new(cwd);
    for step in 0..steps {
        if step % 4 == 0 {
            session.user(&format!("Go on with part {step}."));
        }
        let id = format!("toolu_{step:04}");
        session.call(&format!("msg_{step:04}"), &id);
        session.result(&id, &long_text(seed.wrapping_add(step), lines));
        if step % 4 == 3 {
            session.says(&format!("msg_end_{step:04}"), "This part is done.");
        }
    }
    session.bytes()
}

fn to_lines(lines: &[Value]) -> Vec<u8> {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    (lines.join("\n") + "\n").into_bytes()
}

/// A time of one invented day.
fn iso(ms: u64) -> String {
    let (seconds, ms) = (ms / 1_000, ms % 1_000);
    let (hours, minutes, seconds) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    format!("2026-03-01T{hours:02}:{minutes:02}:{seconds:02}.{ms:03}Z")
}
