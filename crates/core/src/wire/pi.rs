//! Pi session JSONL, versions 1 to 3.
//!
//! Source of the rules: wire specification, part 2, section 2.

mod entry;
mod path;

use rustc_hash::FxHashMap;
use serde_json::value::RawValue;

use super::line::{Lines, Probe, owned, text};
use super::occurrence::Occurrences;
use crate::json::{Span, span_in};
use crate::transcript::{
    Call, Format, LineCounts, Message, Role, Transcript, Violation, ViolationKind,
};
use entry::{Body, Entry, EntryReader, Speaker};

/// The first line of a session.
pub(super) struct Header<'a> {
    id: &'a RawValue,
    version: u64,
    cwd: Option<String>,
}

impl<'a> Header<'a> {
    /// Reads the line as a header, if it is one.
    pub(super) fn of(probe: &Probe<'a>) -> Option<Self> {
        let id = probe.id?;
        text(Some(id))?;
        (text(probe.kind)? == "session").then(|| Self {
            id,
            version: probe
                .version
                .and_then(|raw| raw.get().parse().ok())
                .unwrap_or(1),
            cwd: owned(probe.cwd),
        })
    }
}

/// Reads a Pi session whose header stands on line `header_line`.
pub(super) fn read(source: &[u8], header_line: usize, header: &Header<'_>) -> Transcript {
    let session_id = owned(Some(header.id)).unwrap_or_default();
    let mut reader = EntryReader::new(source, &session_id);
    let mut occurrences = Occurrences::default();
    let mut lines = LineCounts::default();
    let mut broken = Vec::new();
    let mut entries: Vec<Entry> = Vec::new();
    for line in Lines::new(source) {
        lines.total += 1;
        if line.number == header_line {
            continue;
        }
        match line.parse(source) {
            Ok(raw) => entries.push(reader.entry(line.number, &raw, &mut occurrences)),
            Err(reason) => broken.push(reason),
        }
    }
    lines.unknown = reader.unknown_lines;
    lines.unknown_blocks = reader.unknown_blocks;
    let path = path::Path::of(&entries, header.version, &session_id);
    let mut builder = Builder {
        calls: Vec::new(),
        violations: path.violations,
    };
    let mut bodies = |order: &[usize]| -> Vec<Body> {
        order
            .iter()
            .flat_map(|&at| std::mem::take(&mut entries[at].bodies))
            .collect()
    };
    let (sent, unsent) = (bodies(&path.context), bodies(&path.history));
    drop(entries);
    let context = builder.messages(sent, Reach::Context);
    let history = builder.messages(unsent, Reach::History);
    builder.check_answered(&context);
    Transcript {
        format: Format::Pi {
            version: header.version,
        },
        session_id: session_id.clone(),
        cwd: header.cwd.clone(),
        context,
        history,
        calls: builder.calls,
        session_ids: [&[span_in(source, header.id)][..], &reader.header_parents].concat(),
        lines,
        broken,
        violations: builder.violations,
    }
}

/// Which part of the file messages are built from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Context,
    History,
}

struct Builder {
    calls: Vec<Call>,
    violations: Vec<Violation>,
}

impl Builder {
    fn messages(&mut self, bodies: Vec<Body>, reach: Reach) -> Vec<Message> {
        let mut messages: Vec<Message> = Vec::new();
        // Calls of the newest assistant message: the window in which results are taken.
        let mut window: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for mut body in bodies {
            if reach == Reach::Context {
                let faults = body.faults.iter();
                self.violations
                    .extend(faults.map(|(kind, id)| fault(*kind, body.line, id)));
            }
            match std::mem::replace(&mut body.speaker, Speaker::Other) {
                Speaker::Assistant { skipped } => {
                    window.clear();
                    let calls = std::mem::take(&mut body.calls);
                    let mut message = new_message(body, Role::Assistant);
                    for call in calls {
                        self.add_call(call, &mut message, &mut window);
                    }
                    if skipped {
                        message.calls.clear();
                    }
                    messages.push(message);
                }
                Speaker::Result { id, result } => {
                    if let Some(call) = window.get_mut(id.as_str()).and_then(Vec::pop) {
                        self.calls[call].results.push(result);
                    } else if reach == Reach::Context {
                        let kind = if window.contains_key(id.as_str()) {
                            ViolationKind::SecondResult
                        } else {
                            ViolationKind::OrphanResult
                        };
                        self.violations.push(fault(kind, body.line, &id));
                    }
                }
                Speaker::User => messages.push(new_message(body, Role::User)),
                Speaker::Other => messages.push(new_message(body, Role::Other)),
            }
        }
        messages
    }

    fn add_call(
        &mut self,
        mut call: Call,
        message: &mut Message,
        window: &mut FxHashMap<String, Vec<usize>>,
    ) {
        let index = self.calls.len();
        let same = window.entry(call.key.id.clone()).or_default();
        for &other in &*same {
            self.calls[other].ambiguous = true;
            call.ambiguous = true;
        }
        same.push(index);
        self.calls.push(call);
        message.calls.push(index);
    }

    fn check_answered(&mut self, context: &[Message]) {
        let Some((_, earlier)) = context.split_last() else {
            return;
        };
        for message in earlier {
            for &call in &message.calls {
                let call = &self.calls[call];
                if call.results.is_empty() {
                    let id = call.key.to_string();
                    self.violations
                        .push(fault(ViolationKind::UnansweredCall, call.line, &id));
                }
            }
        }
    }
}

fn new_message(body: Body, role: Role) -> Message {
    Message {
        line: body.line,
        role,
        timestamp: body.timestamp,
        texts: body.texts,
        calls: Vec::new(),
        thinking: body.thinking.into_iter().collect(),
        model: body.model,
    }
}

fn fault(kind: ViolationKind, line: usize, id: &str) -> Violation {
    Violation {
        kind,
        line,
        id: id.to_owned(),
    }
}

/// Spans of strings that a message sends.
type Texts = Vec<Span>;
