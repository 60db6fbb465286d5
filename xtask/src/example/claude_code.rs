//! Writes a session as Claude Code does: one block per assistant line, and parallel calls that fork the tree.

mod tools;

use serde_json::{Map, Value, json};

use super::MODEL;
use super::clock::Clock;
use super::random::Random;
use super::session::{Action, Chain, Session, Turn};
use tools::{answer, request};

const VERSION: &str = "2.1.197";

/// How many backups a snapshot line lists at most.
const MAX_BACKUPS: usize = 24;

struct Writer<'a> {
    session: &'a Session,
    id: String,
    out: Vec<u8>,
    random: Random,
    clock: Clock,
    /// The line that the next line of the chain hangs on.
    leaf: Option<String>,
    prompt_id: String,
    /// The files edited so far, as the snapshot lines list them.
    backups: Map<String, Value>,
    context: u64,
}

/// Writes the whole file.
pub(crate) fn write(session: &Session) -> Vec<u8> {
    let mut random = Random::new(session.seed);
    let mut writer = Writer {
        session,
        id: random.uuid(),
        out: Vec::new(),
        random,
        clock: Clock::start(),
        leaf: None,
        prompt_id: String::new(),
        backups: Map::new(),
        context: 16_000,
    };
    writer.open();
    for (index, chain) in session.chains.iter().enumerate() {
        writer.chain(chain);
        if index == 0 {
            let title =
                json!({ "type": "ai-title", "aiTitle": session.title, "sessionId": writer.id });
            writer.line(&title);
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

    /// Side lines at the top: they have no uuid and are no part of the tree.
    fn open(&mut self) {
        self.line(&json!({ "type": "mode", "mode": "normal", "sessionId": self.id }));
        self.line(&json!({ "type": "permission-mode", "permissionMode": "acceptEdits", "sessionId": self.id }));
        let hook = self.random.uuid();
        self.hang(&json!({
            "attachment": {
                "type": "hook_success", "hookName": "SessionStart:startup", "toolUseID": hook,
                "hookEvent": "SessionStart", "content": "", "stdout": "node v22.11.0\n", "stderr": "",
                "exitCode": 0, "command": "node --version", "durationMs": 41,
            },
            "type": "attachment",
        }));
    }

    /// Appends a line to the tree as the child of the leaf and makes it the leaf.
    fn hang(&mut self, fields: &Value) -> String {
        let parent = self.leaf.clone();
        let uuid = self.random.uuid();
        self.hang_on(parent.as_deref(), &uuid, fields);
        uuid
    }

    fn hang_on(&mut self, parent: Option<&str>, uuid: &str, fields: &Value) {
        let mut line = json!({ "parentUuid": parent, "isSidechain": false });
        for (name, value) in fields.as_object().into_iter().flatten() {
            line[name] = value.clone();
        }
        line["uuid"] = json!(uuid);
        line["timestamp"] = json!(self.clock.iso());
        line["userType"] = json!("external");
        line["entrypoint"] = json!("cli");
        line["cwd"] = json!(self.session.folder);
        line["sessionId"] = json!(self.id);
        line["version"] = json!(VERSION);
        line["gitBranch"] = json!("main");
        self.line(&line);
        self.leaf = Some(uuid.to_owned());
    }

    fn chain(&mut self, chain: &Chain) {
        self.pause(20_000, 400_000);
        self.prompt_id = self.random.uuid();
        let uuid = self.random.uuid();
        self.snapshot(&uuid, false);
        let started = self.clock.epoch();
        let parent = self.leaf.clone();
        self.hang_on(
            parent.as_deref(),
            &uuid,
            &json!({
                "promptId": self.prompt_id, "type": "user",
                "message": { "role": "user", "content": chain.prompt }, "permissionMode": "acceptEdits",
            }),
        );
        self.context += tokens(&chain.prompt);
        for turn in &chain.turns {
            self.turn(turn, &uuid);
        }
        let duration = self.clock.epoch() - started;
        self.hang(&json!({
            "type": "system", "subtype": "turn_duration", "durationMs": duration,
            "messageCount": chain.turns.len() * 2, "isMeta": false,
        }));
        let title = chain.prompt.lines().next().unwrap_or_default();
        self.line(&json!({
            "type": "last-prompt", "lastPrompt": title, "leafUuid": self.leaf, "sessionId": self.id,
        }));
    }

    fn snapshot(&mut self, message: &str, update: bool) {
        self.line(&json!({
            "type": "file-history-snapshot", "messageId": message,
            "snapshot": {
                "messageId": message, "trackedFileBackups": self.backups, "timestamp": self.clock.iso(),
            },
            "isSnapshotUpdate": update,
        }));
    }

    /// Writes one response, then its results. Each result hangs on the line of its own call.
    fn turn(&mut self, turn: &Turn, prompt: &str) {
        let message_id = self.random.api_id("msg_");
        let request_id = self.random.api_id("req_");
        let ids: Vec<String> = turn
            .calls
            .iter()
            .map(|_| self.random.api_id("toolu_"))
            .collect();
        let blocks = self.blocks(turn, &ids);
        let output = blocks
            .iter()
            .map(|block| tokens(&block.to_string()))
            .sum::<u64>();
        let usage = self.usage(output);
        let stop = if turn.calls.is_empty() {
            "end_turn"
        } else {
            "tool_use"
        };
        let mut lines = Vec::new();
        for block in blocks {
            self.pause(900, 6_000);
            lines.push(self.hang(&json!({
                "message": {
                    "model": MODEL, "id": message_id, "type": "message", "role": "assistant",
                    "content": [block], "stop_reason": stop, "stop_sequence": null, "usage": usage,
                },
                "requestId": request_id, "type": "assistant",
            })));
        }
        let first_call = lines.len() - turn.calls.len();
        for (index, (call, id)) in turn.calls.iter().zip(&ids).enumerate() {
            self.pause(15, 2_600);
            let answer = answer(call, id, &self.session.folder);
            self.context += answer.block["content"].as_str().map_or(1_500, tokens);
            let source = &lines[first_call + index];
            let uuid = self.random.uuid();
            self.hang_on(
                Some(source),
                &uuid,
                &json!({
                    "promptId": self.prompt_id, "type": "user",
                    "message": { "role": "user", "content": [answer.block] },
                    "toolUseResult": answer.copy, "sourceToolAssistantUUID": source,
                }),
            );
            if let Action::Edit { path, .. } = &call.action {
                self.back_up(path, prompt);
            }
        }
    }

    /// Notes the first edit of a file. Only the newest backups are listed, so that a file with
    /// thousands of edits does not grow with their square.
    fn back_up(&mut self, path: &str, prompt: &str) {
        if self.backups.contains_key(path) {
            return;
        }
        let name = format!("{}{}@v1", self.random.hex8(), self.random.hex8());
        let backup =
            json!({ "backupFileName": name, "version": 1, "backupTime": self.clock.iso() });
        self.backups.insert(path.to_owned(), backup);
        if self.backups.len() > MAX_BACKUPS
            && let Some(oldest) = self.backups.keys().next().cloned()
        {
            self.backups.shift_remove(&oldest);
        }
        self.snapshot(prompt, true);
    }

    fn blocks(&mut self, turn: &Turn, ids: &[String]) -> Vec<Value> {
        let mut blocks = Vec::new();
        if let Some(thinking) = &turn.thinking {
            let signature = self.random.signature();
            blocks
                .push(json!({ "type": "thinking", "thinking": thinking, "signature": signature }));
        }
        if let Some(text) = &turn.text {
            blocks.push(json!({ "type": "text", "text": text }));
        }
        for (call, id) in turn.calls.iter().zip(ids) {
            let (name, input) = request(&call.action, &self.session.folder);
            blocks.push(json!({
                "type": "tool_use", "id": id, "name": name, "input": input, "caller": { "type": "direct" },
            }));
        }
        blocks
    }

    fn usage(&mut self, output: u64) -> Value {
        let written = self.random.between(300, 2_400);
        let read = self.context;
        self.context += output + written;
        json!({
            "input_tokens": 3, "cache_creation_input_tokens": written, "cache_read_input_tokens": read,
            "output_tokens": output,
            "server_tool_use": { "web_search_requests": 0, "web_fetch_requests": 0 },
            "service_tier": "standard",
            "cache_creation": { "ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": written },
        })
    }
}

/// A rough count, four bytes to the token.
fn tokens(text: &str) -> u64 {
    text.len() as u64 / 4
}
