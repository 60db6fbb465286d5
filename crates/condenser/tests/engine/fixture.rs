//! Sessions, summarizers and stores of the tests.

use std::sync::Mutex;

use async_trait::async_trait;
use epitome_condenser::recover::{Recovered, Selector, recover};
use epitome_condenser::{Condensation, CondenseOptions, Persistence, Thinking, condense, record};
use epitome_core::batch::Batching;
use epitome_core::call::CapturedBatch;
use epitome_core::condense::Extent;
use epitome_core::protect::Protection;
use epitome_core::stub::Channel;
use epitome_core::transcript::decode_content;
use epitome_core::wire;
use epitome_index::model::{LeftReason, StoredFate};
use epitome_index::{MemoryStore, SqliteStore, Store};
use epitome_summarizer::{BatchSummary, Error, Summarizer};
use serde_json::{Value, json};

/// The two session formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    Pi,
    ClaudeCode,
}

pub(crate) const WIRES: [Wire; 2] = [Wire::Pi, Wire::ClaudeCode];

/// A session that is written line by line.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    wire: Wire,
    id: String,
    model: String,
    lines: Vec<String>,
    written: usize,
}

impl Session {
    pub(crate) fn new(wire: Wire, id: &str) -> Self {
        let mut session = Self {
            wire,
            id: id.to_owned(),
            model: "claude-opus-4-5".to_owned(),
            lines: Vec::new(),
            written: 0,
        };
        if wire == Wire::Pi {
            let header = json!({"type": "session", "version": 3, "id": id, "cwd": "/p"});
            session.lines.push(header.to_string());
        }
        session
    }

    pub(crate) fn model(mut self, model: &str) -> Self {
        model.clone_into(&mut self.model);
        self
    }

    pub(crate) fn user(self, text: &str) -> Self {
        let content = json!(text);
        self.line(
            "user",
            &json!({"role": "user", "content": content}),
            &json!({}),
        )
    }

    pub(crate) fn says(self, text: &str) -> Self {
        self.answer(&[json!({"type": "text", "text": text})])
    }

    /// An answer with these calls: id, tool, arguments.
    pub(crate) fn calls(self, calls: &[(&str, &str, Value)]) -> Self {
        let (kind, arguments) = match self.wire {
            Wire::Pi => ("toolCall", "arguments"),
            Wire::ClaudeCode => ("tool_use", "input"),
        };
        let blocks = calls.iter().map(
            |(id, tool, input)| json!({"type": kind, "id": id, "name": tool, arguments: input}),
        );
        self.answer(&blocks.collect::<Vec<_>>())
    }

    pub(crate) fn answer(self, blocks: &[Value]) -> Self {
        let message = json!({
            "id": format!("m{}", self.written), "role": "assistant", "model": self.model,
            "content": blocks, "stopReason": "stop",
        });
        self.line("assistant", &message, &json!({}))
    }

    /// The result of a call; its content is a text or a list of blocks.
    pub(crate) fn result(self, id: &str, content: impl Into<Value>) -> Self {
        self.outcome(id, content.into(), false, &json!({}))
    }

    pub(crate) fn failure(self, id: &str, content: impl Into<Value>) -> Self {
        self.outcome(id, content.into(), true, &json!({}))
    }

    /// A result with further fields on its line, Claude Code, or in its message, Pi.
    pub(crate) fn outcome(self, id: &str, content: Value, is_error: bool, more: &Value) -> Self {
        match self.wire {
            Wire::Pi => {
                let content = match content {
                    Value::String(text) => json!([{"type": "text", "text": text}]),
                    other => other,
                };
                let mut message = json!({
                    "role": "toolResult", "toolCallId": id, "content": content,
                    "isError": is_error, "timestamp": self.written * 100,
                });
                extend(&mut message, more);
                self.line("message", &message, &json!({}))
            }
            Wire::ClaudeCode => {
                let block = json!({"type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error});
                self.line("user", &json!({"role": "user", "content": [block]}), more)
            }
        }
    }

    /// A line as it stands.
    pub(crate) fn raw(mut self, line: &str) -> Self {
        self.lines.push(line.to_owned());
        self
    }

    fn line(mut self, kind: &str, message: &Value, more: &Value) -> Self {
        let number = self.written;
        let parent = number.checked_sub(1).map(|before| format!("e{before}"));
        let id = format!("e{number}");
        let time = format!("2026-01-01T{:02}:{:02}:00.000Z", number / 60, number % 60);
        let mut line = match self.wire {
            Wire::Pi => {
                json!({"type": "message", "id": id, "parentId": parent, "timestamp": time, "message": message})
            }
            Wire::ClaudeCode => {
                json!({"type": kind, "uuid": id, "parentUuid": parent, "sessionId": self.id, "timestamp": time, "message": message})
            }
        };
        extend(&mut line, more);
        self.lines.push(line.to_string());
        self.written += 1;
        self
    }

    pub(crate) fn source(&self) -> String {
        self.lines.join("\n") + "\n"
    }

    /// The session as another file holds it, further lines to come.
    pub(crate) fn over(mut self, file: &str, id: &str) -> Self {
        self.lines = file.lines().map(str::to_owned).collect();
        id.clone_into(&mut self.id);
        self
    }

    /// A chain of one call with its result, closed by an answer.
    pub(crate) fn chain(self, id: &str, text: &str) -> Self {
        self.user("go")
            .calls(&[(id, "read", json!({"path": id}))])
            .result(id, text)
            .says("done")
    }
}

fn extend(value: &mut Value, more: &Value) {
    if let (Value::Object(value), Value::Object(more)) = (value, more) {
        value.extend(more.clone());
    }
}

/// A text that is long enough for its stub to be smaller.
pub(crate) fn long(word: &str) -> String {
    format!("{word} line\n").repeat(60)
}

pub(crate) fn options() -> CondenseOptions {
    CondenseOptions {
        extent: Extent::Context,
        keep_turns: 3,
        batching: Batching::Turn,
        min_batch_chars: 0,
        protection: Protection::none(),
        channel: Channel::Command,
        thinking: Thinking::Keep,
        fresh_session_id: None,
        title: "session.jsonl".to_owned(),
        now_ms: 1000,
    }
}

/// What writes the text of a [`Scripted`] summarizer.
type Script = Box<dyn Fn(&CapturedBatch) -> String + Send + Sync>;

/// A summarizer that answers by a script and remembers what it was shown.
pub(crate) struct Scripted {
    script: Script,
    pub(crate) seen: Mutex<Vec<CapturedBatch>>,
}

impl Scripted {
    pub(crate) fn new(script: impl Fn(&CapturedBatch) -> String + Send + Sync + 'static) -> Self {
        Self {
            script: Box::new(script),
            seen: Mutex::new(Vec::new()),
        }
    }

    /// One bullet for every call, with its id.
    pub(crate) fn bullets() -> Self {
        Self::new(|batch| {
            let calls = batch.calls.iter().enumerate();
            let bullets =
                calls.map(|(at, call)| format!("- [[{}:{}]] about {}", at + 1, call.tool, call.id));
            bullets.collect::<Vec<_>>().join("\n")
        })
    }

    /// Ids of the calls of every batch that was shown.
    pub(crate) fn batches(&self) -> Vec<Vec<String>> {
        let seen = self.seen.lock().unwrap();
        let ids = |batch: &CapturedBatch| batch.calls.iter().map(|call| call.id.clone()).collect();
        seen.iter().map(ids).collect()
    }
}

#[async_trait]
impl Summarizer for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    async fn summarize_batch(&self, batch: &CapturedBatch) -> Result<BatchSummary, Error> {
        self.seen.lock().unwrap().push(batch.clone());
        Ok(BatchSummary {
            text: (self.script)(batch),
        })
    }
}

/// Condenses and records.
pub(crate) fn run(
    store: &dyn Store,
    source: &str,
    options: &CondenseOptions,
    summarizer: &dyn Summarizer,
) -> Condensation {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let condensation = runtime.block_on(condense(
        source.as_bytes(),
        options,
        store,
        summarizer,
        Persistence::Commit,
        &|_| {},
    ));
    let condensation = condensation.unwrap();
    record(source.as_bytes(), &condensation, options, store).unwrap();
    condensation
}

/// Condenses with one bullet for every call, and gives the output.
pub(crate) fn condensed(store: &dyn Store, source: &str) -> String {
    output(&run(store, source, &options(), &Scripted::bullets()))
}

pub(crate) fn output(condensation: &Condensation) -> String {
    String::from_utf8(condensation.output.bytes.clone()).unwrap()
}

/// Runs a check over both stores.
pub(crate) fn on_both_stores(check: impl Fn(&dyn Store)) {
    check(&MemoryStore::new());
    let folder = tempfile::tempdir().unwrap();
    check(&SqliteStore::open(folder.path().join("store.sqlite")).unwrap());
}

/// Decoded results of a session's context in order, and what stands for their calls.
pub(crate) fn results(source: &str) -> Vec<String> {
    let transcript = wire::read(source.as_bytes()).unwrap();
    let calls = transcript.context.iter().flat_map(|message| &message.calls);
    let results = calls.filter_map(|&call| transcript.calls[call].results.first());
    let raw = results.map(|result| result.content.clone().map(|span| source[span].to_owned()));
    raw.map(|raw| decode_content(raw.as_deref()).text.into_owned())
        .collect()
}

/// What became of each call of a conversation: `x#1=t3`, a repeat `x#1=t3+`, or why it was left.
pub(crate) fn fates(store: &dyn Store, condensation: &Condensation) -> Vec<String> {
    let calls = store.calls(&condensation.conversation).unwrap();
    let fates = calls.iter().map(|call| match &call.fate {
        StoredFate::Kept {
            short, duplicate, ..
        } => {
            let repeated = if *duplicate { "+" } else { "" };
            format!("{}={short}{repeated}", call.key)
        }
        StoredFate::Left(reason) => format!("{} {}", call.key, LeftReason::name(*reason)),
    });
    fates.collect()
}

/// Recovers by ref or id, with a session or without.
pub(crate) fn recovered(store: &dyn Store, text: &str) -> Vec<Recovered> {
    recover(store, &Selector::parse(text, None)).unwrap()
}
