//! The answer of the recovery tool: pages of results, as much as one answer may hold.

use std::borrow::Cow;

use epitome_core::answer::{AnswerBlock, AnswerOccurrence, RecoveredCall, format_answer};
use epitome_core::pretty::pretty;
use epitome_core::text::cut_bytes;
use epitome_core::truncate::{
    Page, Position, RECOVERY_LIMITS, count_lines, read_page, select_lines,
};

use super::Query;
use crate::recover::Recovered;

/// UTF-8 bytes of one answer; what does not fit is named, not shown.
const ANSWER_BYTES: usize = 400_000;

/// Room below which nothing further is named, let alone shown.
const LEAST_ROOM: usize = 2000;

/// UTF-8 bytes of arguments that are shown of one call.
const ARGUMENT_BYTES: usize = 20_000;

/// UTF-8 bytes that are repeated of what a caller passed.
const LABEL_BYTES: usize = 1000;

/// Blocks of an answer and the room that is left.
pub(super) struct Answer {
    blocks: Vec<String>,
    room: usize,
}

impl Answer {
    pub(super) fn new() -> Self {
        Self {
            blocks: Vec::new(),
            room: ANSWER_BYTES,
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.room < LEAST_ROOM
    }

    pub(super) fn text(&self) -> String {
        self.blocks.join("\n\n---\n\n")
    }

    pub(super) fn add(&mut self, id: &str, found: &[Recovered], query: &Query) {
        if found.is_empty() {
            let input = cut_bytes(id, LABEL_BYTES);
            self.push(format_answer(&[AnswerBlock::Unknown { input }]));
        }
        for (index, call) in found.iter().enumerate() {
            if self.is_full() {
                self.leave_out(found.len() - index);
                return;
            }
            self.add_call(id, found, call, query);
        }
    }

    fn add_call(&mut self, id: &str, found: &[Recovered], call: &Recovered, query: &Query) {
        let several = found.len() > 1;
        let label = match call.timestamp {
            Some(time) if several => format!("{}@{time}", call.provider_id),
            None if several => call.provider_id.clone(),
            _ => id.to_owned(),
        };
        let occurrence = match call.timestamp {
            None if several => AnswerOccurrence::Legacy,
            _ => AnswerOccurrence::Labelled,
        };
        let text = call.text();
        let mut notes = Vec::new();
        let args = shown_arguments(call, &mut notes);
        let matching;
        let body = if query.pattern.is_none() {
            page_of(&text, query, &mut notes)
        } else {
            matching = matching_lines(&text, query);
            page_of_matches(&matching, &mut notes)
        };
        let mut block = format_answer(&[AnswerBlock::Call(RecoveredCall {
            label: cut_bytes(&label, LABEL_BYTES),
            occurrence,
            tool: &call.tool,
            args: &args,
            is_error: call.is_error,
            turn: Some(call.turn as usize),
            body,
        })]);
        describe_other_parts(call, &mut notes);
        for note in notes {
            block.push('\n');
            block.push_str(&note);
        }
        if block.len() > self.room {
            let text = "Not shown: this answer is full. Ask for fewer refs at once.";
            self.note(&label, text);
        } else {
            self.push(block);
        }
    }

    pub(super) fn note(&mut self, label: &str, text: &str) {
        let label = cut_bytes(label, LABEL_BYTES);
        self.push(format!("## toolRef: {label}\n({text})"));
    }

    /// Says how many refs or calls an answer that is full leaves out.
    pub(super) fn leave_out(&mut self, count: usize) {
        self.push(format!(
            "({count} more not shown: this answer is full. Ask for fewer refs at once.)"
        ));
    }

    fn push(&mut self, block: String) {
        self.room = self.room.saturating_sub(block.len());
        self.blocks.push(block);
    }
}

/// The arguments, cut where they are long: the original that is asked for is the result.
fn shown_arguments<'a>(call: &'a Recovered, notes: &mut Vec<String>) -> Cow<'a, str> {
    if call.args.is_empty() {
        return Cow::Borrowed("{}");
    }
    if call.args.len() <= ARGUMENT_BYTES / 2 {
        return Cow::Borrowed(&call.args);
    }
    let whole = pretty(&call.args);
    let shown = cut_bytes(&whole, ARGUMENT_BYTES);
    if shown.len() < whole.len() {
        notes.push(format!(
            "[Arguments cut: {} of {} bytes shown: epitome recover {} --json]",
            shown.len(),
            whole.len(),
            call.full_ref,
        ));
    }
    Cow::Owned(shown.to_owned())
}

/// The page that a query without a pattern asks for.
fn page_of<'a>(text: &'a str, query: &Query, notes: &mut Vec<String>) -> Page<'a> {
    if text.trim().is_empty() {
        let what = if text.is_empty() { "empty" } else { "blank" };
        notes.push(format!("[The original text is {what}.]"));
    }
    let range = query.last.map_or(text, |last| select_lines(text, 1, last));
    let mut page = read_page(range, query.from, RECOVERY_LIMITS);
    page.total_lines = count_lines(text);
    if let Some(last) = query.last.filter(|_| range.len() < text.len())
        && page.next.is_none()
        && page.start.line <= last
    {
        // The range ends here, the text does not.
        page.content = page.content.strip_suffix('\n').unwrap_or(page.content);
        page.next = Some(Position {
            line: last + 1,
            byte: 0,
        });
    }
    page
}

/// Lines in the range of a query that match its pattern, each after its number.
fn matching_lines(text: &str, query: &Query) -> String {
    let mut matching = String::new();
    let last = query.last.unwrap_or(usize::MAX);
    let lines = text.split_inclusive('\n').zip(1..=last);
    for (line, number) in lines.skip(query.from.line - 1) {
        let content = line.strip_suffix('\n').unwrap_or(line);
        if query
            .pattern
            .as_ref()
            .is_some_and(|pattern| pattern.is_match(content))
        {
            matching.push_str(&number.to_string());
            matching.push(':');
            matching.push_str(line);
        }
    }
    matching
}

/// The first page of matches. Where to go on is told by the line of the text, not of the matches.
fn page_of_matches<'a>(matching: &'a str, notes: &mut Vec<String>) -> Page<'a> {
    let mut page = read_page(matching, Position::START, RECOVERY_LIMITS);
    if matching.is_empty() {
        notes.push("[No line matches.]".to_owned());
    }
    if let Some(Position { line, byte }) = page.next.take() {
        let next = select_lines(matching, line, line);
        let (number, _) = next.split_once(':').unwrap_or((next, ""));
        notes.push(if byte == 0 {
            format!("[More matches: pass lines \"{number}-\".]")
        } else {
            let byte = byte.saturating_sub(number.len() + 1);
            format!(
                "[Line {number} goes on: pass lines \"{number}\" and byte {byte} without a pattern.]"
            )
        });
    }
    page
}

/// Says what of a call is no text, and how to get it.
fn describe_other_parts(call: &Recovered, notes: &mut Vec<String>) {
    let parts = call.parts();
    let others = parts
        .iter()
        .enumerate()
        .filter(|(_, part)| part.media_type != "text/plain");
    notes.extend(others.map(|(index, part)| {
        format!(
            "[Part {} is {}, {} bytes: epitome recover {} --part {} -o FILE]",
            index + 1,
            part.media_type,
            part.bytes.len(),
            call.full_ref,
            index + 1,
        )
    }));
}
