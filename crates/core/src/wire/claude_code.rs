//! Claude Code session JSONL: a tree of lines, one block per line.
//!
//! Source of the rules: wire specification, part 2, section 1.

mod entry;
mod path;

use rustc_hash::FxHashMap;

use super::line::Lines;
use super::occurrence::Occurrences;
use crate::id::BlobId;
use crate::json::Span;
use crate::transcript::{
    Call, CallResult, Format, LineCounts, Message, Role, Transcript, Violation, ViolationKind,
};
use entry::{Entry, EntryReader};

/// Reads a Claude Code session.
pub(super) fn read(source: &[u8]) -> Transcript {
    let mut reader = EntryReader::new(source);
    let mut occurrences = Occurrences::default();
    let mut lines = LineCounts::default();
    let mut broken = Vec::new();
    let mut entries: Vec<Entry> = Vec::new();
    for line in Lines::new(source) {
        lines.total += 1;
        match line.parse(source) {
            Ok(raw) => entries.push(reader.entry(line.number, &raw, &mut occurrences)),
            Err(reason) => broken.push(reason),
        }
    }
    lines.unknown = reader.unknown_lines;
    lines.unknown_blocks = reader.unknown_blocks;
    let tree = path::Tree::of(&entries);
    tree.number_copies(&mut entries);
    let session_id = reader.session_id.take();
    let session_id = session_id.unwrap_or_else(|| id_from_opening(source, &entries));
    let violations = tree.violations(&entries);
    let mut builder = Builder {
        entries,
        calls: Vec::new(),
        violations,
    };
    let context = builder.messages(&tree.context, Reach::Context(&tree));
    let history = builder.messages(&tree.history, Reach::History);
    builder.check_answered(&context);
    Transcript {
        format: Format::ClaudeCode,
        session_id,
        cwd: reader.cwd,
        context,
        history,
        calls: builder.calls,
        session_ids: reader.session_ids,
        lines,
        broken,
        violations: builder.violations,
    }
}

/// A session without an id of its own is known by its bytes up to the first answer: they stay when
/// the session grows.
fn id_from_opening(source: &[u8], entries: &[Entry]) -> String {
    let answer = entries
        .iter()
        .find(|entry| entry.kind == entry::Kind::Assistant);
    let lines = answer.map_or(usize::MAX, |entry| entry.line);
    let opening = source
        .split_inclusive(|&byte| byte == b'\n')
        .take(lines)
        .map(<[u8]>::len)
        .sum();
    format!("sha256:{}", BlobId::of(&source[..opening]))
}

/// Which part of the file messages are built from.
#[derive(Clone, Copy)]
enum Reach<'a> {
    Context(&'a path::Tree),
    History,
}

/// Builds messages and calls from entries in order. Entries of the order are used up.
struct Builder {
    entries: Vec<Entry>,
    calls: Vec<Call>,
    violations: Vec<Violation>,
}

/// Calls without a result so far, by provider id.
type OpenCalls = FxHashMap<String, Vec<usize>>;

impl Builder {
    fn messages(&mut self, order: &[usize], reach: Reach<'_>) -> Vec<Message> {
        let mut messages: Vec<Message> = Vec::new();
        let mut blocks: Vec<usize> = Vec::new();
        let mut by_response: FxHashMap<String, usize> = FxHashMap::default();
        let mut open = OpenCalls::default();
        for &index in order {
            let mut entry = std::mem::take(&mut self.entries[index]);
            if let Reach::Context(_) = reach {
                let faults = entry.faults.iter();
                self.violations
                    .extend(faults.map(|(kind, id)| fault(*kind, entry.line, id)));
            }
            if entry.kind == entry::Kind::Assistant {
                let response = entry.response.take();
                let grouped = response
                    .as_ref()
                    .and_then(|id| by_response.get(id).copied());
                let at = grouped.unwrap_or_else(|| {
                    messages.push(new_message(&mut entry, Role::Assistant));
                    blocks.push(0);
                    messages.len() - 1
                });
                if let Some(id) = response.filter(|_| grouped.is_none()) {
                    by_response.insert(id, at);
                }
                blocks[at] += entry.blocks;
                self.add_assistant(entry, &mut messages[at], &mut open);
            } else {
                self.add_results(index, &entry, &mut open, reach);
                if let Some(role) = entry.role() {
                    let mut message = new_message(&mut entry, role);
                    message.texts = entry.texts;
                    messages.push(message);
                    blocks.push(entry.blocks);
                }
            }
        }
        if let Reach::Context(tree) = reach {
            self.reattach(&open, tree);
            for (message, _) in messages
                .iter()
                .zip(&blocks)
                .filter(|(_, blocks)| **blocks == 0)
            {
                self.violations
                    .push(fault(ViolationKind::EmptyMessage, message.line, ""));
            }
        }
        messages
    }

    fn add_assistant(&mut self, entry: Entry, message: &mut Message, open: &mut OpenCalls) {
        message.texts.extend(entry.texts);
        message.thinking.extend(entry.thinking);
        for mut call in entry.calls {
            let index = self.calls.len();
            for &other in &message.calls {
                if self.calls[other].key.id == call.key.id {
                    self.calls[other].ambiguous = true;
                    call.ambiguous = true;
                }
            }
            // An id that is used again hides the older call: nothing that follows answers that one.
            let waiting = open.entry(call.key.id.clone()).or_default();
            waiting.retain(|other| message.calls.contains(other));
            waiting.push(index);
            self.calls.push(call);
            message.calls.push(index);
        }
    }

    /// Gives the results of a user line to the newest open calls with their ids.
    fn add_results(&mut self, index: usize, entry: &Entry, open: &mut OpenCalls, reach: Reach<'_>) {
        for (id, result) in &entry.results {
            if let Some(call) = open.get_mut(id.as_str()).and_then(Vec::pop) {
                self.answer(call, result, index, id, reach);
            } else if let Reach::Context(_) = reach {
                let kind = if open.contains_key(id.as_str()) {
                    ViolationKind::SecondResult
                } else {
                    ViolationKind::OrphanResult
                };
                self.violations.push(fault(kind, entry.line, id));
            }
        }
    }

    /// Attaches a result, and those of the lines that repeat its line.
    fn answer(
        &mut self,
        call: usize,
        result: &CallResult,
        index: usize,
        id: &str,
        reach: Reach<'_>,
    ) {
        let results = &mut self.calls[call].results;
        results.push(result.clone());
        if let Reach::Context(tree) = reach {
            for &copy in tree.copies(index) {
                let same = self.entries[copy]
                    .results
                    .iter()
                    .filter(|(other, _)| other == id);
                results.extend(same.map(|(_, result)| result.clone()));
            }
        }
    }

    /// Parallel calls fork the tree: their results hang on branches that the path does not visit.
    fn reattach(&mut self, open: &OpenCalls, tree: &path::Tree) {
        for &index in &tree.history {
            if self.entries[index].sidechain || tree.answers_beside(index) {
                continue;
            }
            for position in 0..self.entries[index].results.len() {
                let (id, result) = &self.entries[index].results[position];
                let waiting = open.get(id.as_str()).and_then(|calls| {
                    calls
                        .iter()
                        .copied()
                        .find(|&call| self.calls[call].results.is_empty())
                });
                if let Some(call) = waiting {
                    let (id, result) = (id.clone(), result.clone());
                    self.answer(call, &result, index, &id, Reach::Context(tree));
                }
            }
        }
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

fn new_message(entry: &mut Entry, role: Role) -> Message {
    Message {
        line: entry.line,
        role,
        timestamp: entry.timestamp,
        texts: Vec::<Span>::new(),
        calls: Vec::new(),
        thinking: Vec::new(),
        model: entry.model.take(),
    }
}

fn fault(kind: ViolationKind, line: usize, id: &str) -> Violation {
    Violation {
        kind,
        line,
        id: id.to_owned(),
    }
}
