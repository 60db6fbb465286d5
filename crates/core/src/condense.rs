//! The condense plan of a session file: what is flushed together, what stays open, what is edited.
//!
//! Rules: decisions, section 2. A file is replayed: one flush per closed chain in file order, then
//! the unfinished chain up to the open tail.

mod edits;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use crate::json::Span;
use crate::transcript::{Message, Role, Transcript};

pub use edits::{Condensed, plan_edits, remove_thinking, replace_session_ids, session_model};

/// Which calls of a file are taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Those that the next request would send.
    Context,
    /// All of the file.
    WholeFile,
}

/// One assistant message with calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Position among all assistant messages of the file, from 0.
    pub number: usize,
    /// Number of user messages before it.
    pub user_turn_group: usize,
    /// Time in milliseconds since the epoch, 0 where unknown.
    pub timestamp: i64,
    /// Raw JSON strings of what the assistant said.
    pub texts: Vec<Span>,
    /// Its calls, as indices into [`Transcript::calls`].
    pub calls: Vec<usize>,
}

/// What one flush takes in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlushPlan {
    /// Turns in order.
    pub turns: Vec<Turn>,
}

/// How a file is replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// The flushes, in order; none is empty.
    pub flushes: Vec<FlushPlan>,
    /// Calls of the open tail and calls without a result, in order.
    pub open: Vec<usize>,
}

/// Plans the replay of a file. The last `keep_turns` turns with calls stay open, unless the last
/// assistant message has no call: then nothing is open.
pub fn replay(transcript: &Transcript, extent: Extent, keep_turns: usize) -> Replay {
    let numbers = assistant_lines(transcript);
    let open_calls = open_tail(&transcript.context, keep_turns);
    let history = match extent {
        Extent::Context => &[][..],
        Extent::WholeFile => &transcript.history[..],
    };
    let mut replay = Replay {
        flushes: Vec::new(),
        open: Vec::new(),
    };
    let mut flush = FlushPlan::default();
    let mut group = 0;
    for (position, message) in history.iter().chain(&transcript.context).enumerate() {
        if position == history.len() {
            // A chain that ended on a dead branch is no part of the first one that is sent.
            close(&mut flush, &mut replay.flushes);
        }
        match message.role {
            Role::User => group += 1,
            Role::Other => {}
            Role::Assistant if message.calls.is_empty() => close(&mut flush, &mut replay.flushes),
            Role::Assistant => {
                let is_open = |call: &usize| {
                    open_calls.contains(call) || transcript.calls[*call].results.is_empty()
                };
                let (open, ready): (Vec<usize>, Vec<usize>) =
                    message.calls.iter().copied().partition(is_open);
                replay.open.extend(open);
                if !ready.is_empty() {
                    flush.turns.push(Turn {
                        number: numbers.partition_point(|line| *line < message.line),
                        user_turn_group: group,
                        timestamp: message.timestamp.unwrap_or(0),
                        texts: message.texts.clone(),
                        calls: ready,
                    });
                }
            }
        }
    }
    close(&mut flush, &mut replay.flushes);
    replay
}

fn close(flush: &mut FlushPlan, flushes: &mut Vec<FlushPlan>) {
    if !flush.turns.is_empty() {
        flushes.push(std::mem::take(flush));
    }
}

/// Lines of all assistant messages, ascending: a numbering that a compaction does not change.
fn assistant_lines(transcript: &Transcript) -> Vec<usize> {
    let messages = transcript.history.iter().chain(&transcript.context);
    let assistants = messages.filter(|message| message.role == Role::Assistant);
    let mut lines: Vec<usize> = assistants.map(|message| message.line).collect();
    lines.sort_unstable();
    lines
}

fn open_tail(context: &[Message], keep_turns: usize) -> HashSet<usize> {
    let mut assistants = context
        .iter()
        .rev()
        .filter(|message| message.role == Role::Assistant)
        .peekable();
    if assistants.peek().is_none_or(|last| last.calls.is_empty()) {
        return HashSet::new();
    }
    let turns = assistants
        .filter(|message| !message.calls.is_empty())
        .take(keep_turns);
    turns
        .flat_map(|message| message.calls.iter().copied())
        .collect()
}
