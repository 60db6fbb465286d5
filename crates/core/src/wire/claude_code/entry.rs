//! One line of a Claude Code session.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::line::{ObjectOf, is_true, owned, text};
use super::super::occurrence::Occurrences;
use crate::json::{self, Span, span_in};
use crate::time::iso_milliseconds;
use crate::transcript::{BlockList, Call, CallResult, Role, ViolationKind};

/// Line kinds seen in real files; others pass and are counted.
const KNOWN_KINDS: [&str; 22] = [
    "agent-name",
    "ai-title",
    "assistant",
    "attachment",
    "bridge-session",
    "custom-title",
    "file-history-delta",
    "file-history-snapshot",
    "frame-link",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
    "progress",
    "queue-operation",
    "relocated",
    "result",
    "started",
    "summary",
    "system",
    "user",
    "worktree-state",
];

/// Block kinds of the Messages API that need no attention here; others pass and are counted.
const KNOWN_BLOCKS: [&str; 10] = [
    "document",
    "image",
    "mcp_tool_result",
    "mcp_tool_use",
    "redacted_thinking",
    "server_tool_use",
    "text",
    "thinking",
    "tool_reference",
    "web_search_tool_result",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    Assistant,
    User,
    /// A line of the tree that is sent as something else than a message.
    Attachment,
    System,
    /// The system line of a compaction: nothing before it is sent.
    CompactBoundary,
    /// Not in the tree itself, but its children are linked through it.
    Progress,
    /// Names the leaf that was last prompted from.
    LastPrompt,
    /// Not in the tree.
    #[default]
    Other,
}

/// How a last-prompt line came to name its leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    Noted,
    Explicit,
}

/// A line, reduced to what the condenser needs.
#[derive(Debug, Clone, Default)]
pub(super) struct Entry {
    pub(super) line: usize,
    pub(super) uuid: Option<String>,
    pub(super) parent: Option<String>,
    pub(super) kind: Kind,
    pub(super) sidechain: bool,
    /// A note of the agent or a compaction summary, not a prompt.
    note: bool,
    /// The leaf that a last-prompt line names, and whether the user chose it.
    pub(super) prompted: Option<(String, Choice)>,
    pub(super) timestamp: Option<i64>,
    pub(super) model: Option<String>,
    /// Id of the response that the line is a part of.
    pub(super) response: Option<String>,
    pub(super) texts: Vec<Span>,
    pub(super) thinking: Option<BlockList>,
    pub(super) calls: Vec<Call>,
    pub(super) results: Vec<(String, CallResult)>,
    /// Number of content blocks.
    pub(super) blocks: usize,
    pub(super) faults: Vec<(ViolationKind, String)>,
}

impl Entry {
    /// The role of the message that a line of the user makes beside its results.
    pub(super) fn role(&self) -> Option<Role> {
        match self.kind {
            Kind::User if self.texts.is_empty() && !self.results.is_empty() => None,
            Kind::User if self.note => Some(Role::Other),
            Kind::User => Some(Role::User),
            _ => None,
        }
    }
}

#[derive(Deserialize)]
pub(super) struct RawLine<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    uuid: Option<&'a RawValue>,
    #[serde(borrow, rename = "parentUuid")]
    parent: Option<&'a RawValue>,
    #[serde(borrow, rename = "sessionId")]
    session_id: Option<&'a RawValue>,
    #[serde(borrow, rename = "session_id")]
    session_id_snake: Option<&'a RawValue>,
    #[serde(borrow)]
    timestamp: Option<&'a RawValue>,
    #[serde(borrow)]
    cwd: Option<&'a RawValue>,
    #[serde(borrow, rename = "isSidechain")]
    sidechain: Option<&'a RawValue>,
    #[serde(borrow, rename = "isMeta")]
    meta: Option<&'a RawValue>,
    #[serde(borrow, rename = "isCompactSummary")]
    compact_summary: Option<&'a RawValue>,
    #[serde(borrow)]
    subtype: Option<&'a RawValue>,
    #[serde(borrow, rename = "leafUuid")]
    leaf: Option<&'a RawValue>,
    #[serde(borrow)]
    explicit: Option<&'a RawValue>,
    #[serde(borrow, rename = "toolUseResult")]
    details: Option<&'a RawValue>,
    #[serde(borrow, default)]
    message: ObjectOf<RawMessage<'a>>,
}

#[derive(Deserialize)]
struct RawMessage<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    model: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

#[derive(Debug, Deserialize)]
struct RawBlock<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_use_id: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    is_error: Option<&'a RawValue>,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    thinking: Option<&'a RawValue>,
}

/// Turns raw lines into entries and gathers what concerns the whole file.
pub(super) struct EntryReader<'a> {
    source: &'a [u8],
    pub(super) session_id: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) session_ids: Vec<Span>,
    pub(super) unknown_lines: usize,
    pub(super) unknown_blocks: usize,
}

impl<'a> EntryReader<'a> {
    pub(super) fn new(source: &'a [u8]) -> Self {
        Self {
            source,
            session_id: None,
            cwd: None,
            session_ids: Vec::new(),
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
        self.note_session(raw);
        let kind = text(raw.kind).unwrap_or_default();
        if !KNOWN_KINDS.contains(&kind.as_ref()) {
            self.unknown_lines += 1;
        }
        let kind = match kind.as_ref() {
            "assistant" => Kind::Assistant,
            "user" => Kind::User,
            "attachment" => Kind::Attachment,
            "system" if text(raw.subtype).as_deref() == Some("compact_boundary") => {
                Kind::CompactBoundary
            }
            "system" => Kind::System,
            "progress" => Kind::Progress,
            "last-prompt" => Kind::LastPrompt,
            _ => Kind::Other,
        };
        let mut entry = Entry {
            line,
            uuid: owned(raw.uuid),
            parent: owned(raw.parent),
            kind,
            sidechain: is_true(raw.sidechain),
            note: is_true(raw.meta) || is_true(raw.compact_summary),
            prompted: owned(raw.leaf)
                .filter(|_| kind == Kind::LastPrompt)
                .map(|leaf| {
                    let chosen = is_true(raw.explicit);
                    (
                        leaf,
                        if chosen {
                            Choice::Explicit
                        } else {
                            Choice::Noted
                        },
                    )
                }),
            timestamp: text(raw.timestamp).and_then(|time| iso_milliseconds(&time)),
            model: None,
            response: None,
            texts: Vec::new(),
            thinking: None,
            calls: Vec::new(),
            results: Vec::new(),
            blocks: 0,
            faults: Vec::new(),
        };
        if let (ObjectOf(Some(message)), Kind::Assistant | Kind::User) = (&raw.message, kind) {
            entry.model = owned(message.model);
            entry.response = owned(message.id);
            if let Some(content) = message.content {
                self.read_content(&mut entry, content, raw.details, occurrences);
            }
        }
        entry
    }

    fn note_session(&mut self, raw: &RawLine<'a>) {
        for id in [raw.session_id, raw.session_id_snake].into_iter().flatten() {
            let Some(name) = json::string_of(id) else {
                continue;
            };
            self.session_ids.push(span_in(self.source, id));
            self.session_id.get_or_insert_with(|| name.into_owned());
        }
        if self.cwd.is_none() {
            self.cwd = owned(raw.cwd);
        }
    }

    fn read_content(
        &mut self,
        entry: &mut Entry,
        content: &'a RawValue,
        details: Option<&'a RawValue>,
        occurrences: &mut Occurrences,
    ) {
        if content.get().starts_with('"') {
            entry.blocks = usize::from(content.get().len() > 2);
            entry.texts.push(span_in(self.source, content));
            return;
        }
        let Ok(blocks) = serde_json::from_str::<Vec<ObjectOf<RawBlock<'a>>>>(content.get()) else {
            self.unknown_blocks += 1;
            return;
        };
        entry.blocks = blocks.len();
        let mut thinking = None;
        for ObjectOf(block) in &blocks {
            match block {
                Some(block) => self.read_block(entry, block, &mut thinking, details, occurrences),
                None => self.unknown_blocks += 1,
            }
        }
        if entry.results.len() > 1 {
            // Nobody can say which of the results the second copy belongs to: it stays whole.
            for (_, result) in &mut entry.results {
                result.details = None;
            }
        }
        entry.thinking = thinking.map(|texts| BlockList {
            content: span_in(self.source, content),
            texts,
        });
    }

    fn read_block(
        &mut self,
        entry: &mut Entry,
        block: &RawBlock<'a>,
        thinking: &mut Option<Vec<Span>>,
        details: Option<&'a RawValue>,
        occurrences: &mut Occurrences,
    ) {
        let span = |raw: &RawValue| span_in(self.source, raw);
        let kind = text(block.kind).unwrap_or_default();
        match (kind.as_ref(), entry.kind) {
            ("text", _) => {
                if block.text.is_none_or(|text| text.get() == "\"\"") {
                    entry.faults.push((ViolationKind::EmptyText, String::new()));
                }
                entry.texts.extend(block.text.map(span));
            }
            ("thinking" | "redacted_thinking", Kind::Assistant) => {
                thinking
                    .get_or_insert_default()
                    .extend(block.thinking.map(span));
            }
            ("tool_use", Kind::Assistant) => {
                let Some(id) = text(block.id) else { return };
                entry.calls.push(Call {
                    key: occurrences.next(&id),
                    tool: owned(block.name).unwrap_or_default(),
                    line: entry.line,
                    input: block.input.map(span),
                    results: Vec::new(),
                    ambiguous: false,
                });
            }
            ("tool_result", Kind::User) => {
                let Some(id) = owned(block.tool_use_id) else {
                    return;
                };
                if block
                    .content
                    .is_some_and(|raw| !raw.get().starts_with(['"', '[']))
                {
                    entry.faults.push((ViolationKind::ContentShape, id.clone()));
                }
                let result = CallResult {
                    line: entry.line,
                    content: block.content.map(span),
                    is_error: is_true(block.is_error),
                    timestamp: entry.timestamp,
                    details: details.map(span),
                };
                entry.results.push((id, result));
            }
            (kind, _) if KNOWN_BLOCKS.contains(&kind) => {}
            _ => self.unknown_blocks += 1,
        }
    }
}
