//! One line of a Pi session.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::line::{ObjectOf, is_true, milliseconds, owned, text};
use super::super::occurrence::Occurrences;
use super::Texts;
use crate::json::{Span, span_in};
use crate::time::iso_milliseconds;
use crate::transcript::{BlockList, Call, CallResult, ViolationKind};

/// Entry types that are known; others pass and are counted.
const KNOWN_KINDS: [&str; 10] = [
    "branch_summary",
    "compaction",
    "custom",
    "custom_message",
    "label",
    "leaf",
    "message",
    "model_change",
    "session_info",
    "thinking_level_change",
];

/// A line, reduced to what the condenser needs.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) line: usize,
    pub(super) id: Option<String>,
    pub(super) parent: Option<String>,
    pub(super) compaction: Option<Compaction>,
    /// Messages on the line: one of a message entry, several in the tail of a compaction.
    pub(super) bodies: Vec<Body>,
}

/// Where the context starts after a compaction.
#[derive(Debug, Clone)]
pub(super) struct Compaction {
    /// Id of the first entry that is kept, versions 2 and 3.
    pub(super) first_kept_id: Option<String>,
    /// Index of that entry among the parsed lines, the header counted, version 1.
    pub(super) first_kept_index: Option<usize>,
    /// Whether the line itself holds copies of the messages that are kept.
    pub(super) holds_tail: bool,
}

/// One message.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) line: usize,
    pub(super) speaker: Speaker,
    pub(super) timestamp: Option<i64>,
    pub(super) model: Option<String>,
    pub(super) texts: Texts,
    pub(super) thinking: Option<BlockList>,
    pub(super) calls: Vec<Call>,
    pub(super) blocks: usize,
    pub(super) faults: Vec<(ViolationKind, String)>,
}

/// Who speaks in a message.
#[derive(Debug, Clone)]
pub(super) enum Speaker {
    User,
    Assistant {
        /// Pi does not send messages that ended in an error or were aborted.
        skipped: bool,
    },
    Result {
        id: String,
        result: CallResult,
    },
    Other,
}

#[derive(Deserialize)]
pub(super) struct RawLine<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow, rename = "parentId")]
    parent: Option<&'a RawValue>,
    #[serde(borrow)]
    timestamp: Option<&'a RawValue>,
    #[serde(borrow, default)]
    message: ObjectOf<RawMessage<'a>>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    summary: Option<&'a RawValue>,
    #[serde(borrow, rename = "firstKeptEntryId")]
    first_kept_id: Option<&'a RawValue>,
    #[serde(borrow, rename = "firstKeptEntryIndex")]
    first_kept_index: Option<&'a RawValue>,
    #[serde(borrow, rename = "retainedTail")]
    retained_tail: Option<&'a RawValue>,
}

#[derive(Debug, Deserialize)]
struct RawMessage<'a> {
    #[serde(borrow)]
    role: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    model: Option<&'a RawValue>,
    #[serde(borrow, rename = "stopReason")]
    stop_reason: Option<&'a RawValue>,
    #[serde(borrow)]
    timestamp: Option<&'a RawValue>,
    #[serde(borrow, rename = "toolCallId")]
    call_id: Option<&'a RawValue>,
    #[serde(borrow, rename = "isError")]
    is_error: Option<&'a RawValue>,
    #[serde(borrow)]
    details: Option<&'a RawValue>,
    #[serde(borrow)]
    command: Option<&'a RawValue>,
    #[serde(borrow)]
    output: Option<&'a RawValue>,
    #[serde(borrow)]
    summary: Option<&'a RawValue>,
}

#[derive(Debug, Deserialize)]
struct RawBlock<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    thinking: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

/// How the ids of calls are counted.
#[derive(Clone, Copy)]
enum Counting {
    /// Each call is a new occurrence of its id.
    New,
    /// The calls repeat earlier ones: copies in the tail of a compaction.
    Repeated,
}

/// Turns raw lines into entries and counts what is unknown.
pub(super) struct EntryReader<'a> {
    source: &'a [u8],
    session_id: &'a str,
    /// Where entries name the header as their parent.
    pub(super) header_parents: Vec<Span>,
    pub(super) unknown_lines: usize,
    pub(super) unknown_blocks: usize,
}

impl<'a> EntryReader<'a> {
    pub(super) fn new(source: &'a [u8], session_id: &'a str) -> Self {
        Self {
            source,
            session_id,
            header_parents: Vec::new(),
            unknown_lines: 0,
            unknown_blocks: 0,
        }
    }

    pub(super) fn entry(
        &mut self,
        line: usize,
        raw: &RawLine<'a>,
        occurrences: &mut Occurrences,
    ) -> Entry {
        let kind = text(raw.kind).unwrap_or_default();
        if let Some(parent) = raw
            .parent
            .filter(|_| text(raw.parent).as_deref() == Some(self.session_id))
        {
            self.header_parents.push(span_in(self.source, parent));
        }
        let mut entry = Entry {
            line,
            id: owned(raw.id),
            parent: owned(raw.parent),
            compaction: None,
            bodies: Vec::new(),
        };
        let time = text(raw.timestamp).and_then(|time| iso_milliseconds(&time));
        match kind.as_ref() {
            "message" => {
                if let ObjectOf(Some(message)) = &raw.message {
                    entry
                        .bodies
                        .push(self.body(line, message, time, Counting::New, occurrences));
                }
            }
            "custom_message" | "branch_summary" => {
                let content = raw.content.or(raw.summary);
                entry.bodies.push(self.note(line, content, time));
            }
            "compaction" => self.compaction(&mut entry, raw, time, occurrences),
            kind if KNOWN_KINDS.contains(&kind) => {}
            _ => self.unknown_lines += 1,
        }
        entry
    }

    fn compaction(
        &mut self,
        entry: &mut Entry,
        raw: &RawLine<'a>,
        time: Option<i64>,
        occurrences: &mut Occurrences,
    ) {
        entry.bodies.push(self.note(entry.line, raw.summary, time));
        let tail: Option<Vec<RawMessage<'a>>> = raw
            .retained_tail
            .and_then(|tail| serde_json::from_str(tail.get()).ok());
        for message in tail.iter().flatten() {
            let body = self.body(entry.line, message, time, Counting::Repeated, occurrences);
            entry.bodies.push(body);
        }
        entry.compaction = Some(Compaction {
            first_kept_id: owned(raw.first_kept_id),
            first_kept_index: raw.first_kept_index.and_then(|raw| raw.get().parse().ok()),
            holds_tail: tail.is_some(),
        });
    }

    /// A text that is sent, but is neither a prompt nor an answer.
    fn note(&mut self, line: usize, content: Option<&'a RawValue>, time: Option<i64>) -> Body {
        let mut body = empty_body(line, Speaker::Other, time);
        if let Some(content) = content {
            self.read_content(
                &mut body,
                content,
                Counting::New,
                &mut Occurrences::default(),
            );
        }
        body
    }

    fn body(
        &mut self,
        line: usize,
        raw: &RawMessage<'a>,
        time: Option<i64>,
        counting: Counting,
        occurrences: &mut Occurrences,
    ) -> Body {
        let time = milliseconds(raw.timestamp).or(time);
        let role = text(raw.role).unwrap_or_default();
        let speaker = match role.as_ref() {
            "user" => Speaker::User,
            "assistant" => {
                let reason = text(raw.stop_reason).unwrap_or_default();
                Speaker::Assistant {
                    skipped: matches!(reason.as_ref(), "error" | "aborted"),
                }
            }
            "toolResult" => Speaker::Result {
                id: owned(raw.call_id).unwrap_or_default(),
                result: CallResult {
                    line,
                    content: raw.content.map(|content| span_in(self.source, content)),
                    is_error: is_true(raw.is_error),
                    timestamp: milliseconds(raw.timestamp),
                    details: raw.details.map(|details| span_in(self.source, details)),
                },
            },
            _ => Speaker::Other,
        };
        let mut body = empty_body(line, speaker, time);
        body.model = owned(raw.model);
        if let Speaker::Result { id, .. } = &body.speaker {
            if raw
                .content
                .is_none_or(|content| !content.get().starts_with('['))
            {
                body.faults.push((ViolationKind::ContentShape, id.clone()));
            }
        } else if let Some(content) = raw.content {
            self.read_content(&mut body, content, counting, occurrences);
        }
        let rest = [raw.command, raw.output, raw.summary].into_iter().flatten();
        body.texts.extend(
            rest.filter(|raw| raw.get().starts_with('"'))
                .map(|raw| span_in(self.source, raw)),
        );
        body
    }

    fn read_content(
        &mut self,
        body: &mut Body,
        content: &'a RawValue,
        counting: Counting,
        occurrences: &mut Occurrences,
    ) {
        if content.get().starts_with('"') {
            body.blocks = usize::from(content.get().len() > 2);
            body.texts.push(span_in(self.source, content));
            return;
        }
        let Ok(blocks) = serde_json::from_str::<Vec<ObjectOf<RawBlock<'a>>>>(content.get()) else {
            self.unknown_blocks += 1;
            return;
        };
        body.blocks = blocks.len();
        let mut thinking = None;
        for ObjectOf(block) in &blocks {
            match block {
                Some(block) => self.read_block(body, block, &mut thinking, counting, occurrences),
                None => self.unknown_blocks += 1,
            }
        }
        body.thinking = thinking.map(|texts| BlockList {
            content: span_in(self.source, content),
            texts,
        });
    }

    fn read_block(
        &mut self,
        body: &mut Body,
        block: &RawBlock<'a>,
        thinking: &mut Option<Vec<Span>>,
        counting: Counting,
        occurrences: &mut Occurrences,
    ) {
        let span = |raw: &RawValue| span_in(self.source, raw);
        match text(block.kind).unwrap_or_default().as_ref() {
            "text" => {
                if block.text.is_none_or(|text| text.get() == "\"\"") {
                    body.faults.push((ViolationKind::EmptyText, String::new()));
                }
                body.texts.extend(block.text.map(span));
            }
            "thinking" => {
                thinking
                    .get_or_insert_default()
                    .extend(block.thinking.map(span));
            }
            "toolCall" => {
                let Some(id) = text(block.id) else { return };
                body.calls.push(Call {
                    key: match counting {
                        Counting::New => occurrences.next(&id),
                        Counting::Repeated => occurrences.current(&id),
                    },
                    tool: owned(block.name).unwrap_or_default(),
                    line: body.line,
                    input: block.arguments.map(span),
                    results: Vec::new(),
                    ambiguous: false,
                });
            }
            "image" => {}
            _ => self.unknown_blocks += 1,
        }
    }
}

fn empty_body(line: usize, speaker: Speaker, timestamp: Option<i64>) -> Body {
    Body {
        line,
        speaker,
        timestamp,
        model: None,
        texts: Texts::new(),
        thinking: None,
        calls: Vec::new(),
        blocks: 0,
        faults: Vec::new(),
    }
}
