//! What a session file says, as byte ranges into its source.
//!
//! A [`Transcript`] owns no text of the session: it names where each part stands, so that whatever
//! is not edited stays identical. Texts are decoded on demand.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::id::{CallKey, ConversationId};
use crate::json::{self, Span};

/// The format of a session file, detected from its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Pi session JSONL; the version stands in its header, 1 when absent.
    Pi {
        /// 1, 2 or 3; later versions are read like 3.
        version: u64,
    },
    /// Claude Code session JSONL.
    ClaudeCode,
}

impl Format {
    /// The stored name; never changes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pi { .. } => "pi",
            Self::ClaudeCode => "claude-code",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pi { version } => write!(f, "pi v{version}"),
            Self::ClaudeCode => f.write_str("claude code"),
        }
    }
}

/// A session file as seen by the condenser.
#[derive(Debug, Clone)]
pub struct Transcript {
    /// The format.
    pub format: Format,
    /// The session's own id; empty where the file names none.
    pub session_id: String,
    /// The working folder that the session names.
    pub cwd: Option<String>,
    /// Messages that the next request would send, in order.
    pub context: Vec<Message>,
    /// Messages that it would not send, in file order: before a compaction, dead branches, side
    /// chains.
    pub history: Vec<Message>,
    /// Calls of all messages.
    pub calls: Vec<Call>,
    /// Where the session's own id stands, quotes included.
    pub session_ids: Vec<Span>,
    /// Lines of the file, by what became of them.
    pub lines: LineCounts,
    /// Lines that are no JSON object; they pass as they stand.
    pub broken: Vec<BrokenLine>,
    /// Structural faults that a provider or the agent's loader would object to.
    pub violations: Vec<Violation>,
}

impl Transcript {
    /// The conversation that the session belongs to.
    pub fn conversation(&self) -> ConversationId {
        ConversationId::of_session(self.format.name(), &self.session_id)
    }
}

/// How many lines of each kind a file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LineCounts {
    /// All lines that are not blank.
    pub total: usize,
    /// Lines whose kind is unknown; they pass as they stand.
    pub unknown: usize,
    /// Content blocks of an unknown kind; they pass as they stand.
    pub unknown_blocks: usize,
}

/// A line that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenLine {
    /// Its number, from 1.
    pub line: usize,
    /// Why it could not be read.
    pub reason: String,
}

/// A fault of the structure, so that output can be held against input.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Violation {
    /// What is wrong.
    pub kind: ViolationKind,
    /// The line where it shows, from 1.
    pub line: usize,
    /// The id concerned, empty where there is none.
    pub id: String,
}

/// The kinds of [`Violation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ViolationKind {
    /// A call on the active path has no result although later messages follow.
    UnansweredCall,
    /// A result on the active path answers no call.
    OrphanResult,
    /// A call has two results that differ.
    SecondResult,
    /// A text block is empty.
    EmptyText,
    /// An assistant message holds nothing that could be sent.
    EmptyMessage,
    /// The content of a result has a shape that the format does not allow.
    ContentShape,
    /// A parent is named that does not exist.
    MissingParent,
    /// An id stands on two different lines.
    RepeatedId,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            ViolationKind::UnansweredCall => "a call without a result",
            ViolationKind::OrphanResult => "a result without a call",
            ViolationKind::SecondResult => "a second result of one call",
            ViolationKind::EmptyText => "an empty text",
            ViolationKind::EmptyMessage => "an assistant message without content",
            ViolationKind::ContentShape => "a result content of an unknown shape",
            ViolationKind::MissingParent => "a parent that does not exist",
            ViolationKind::RepeatedId => "an id that stands twice",
        };
        write!(f, "line {}: {what}", self.line)?;
        if self.id.is_empty() {
            Ok(())
        } else {
            write!(f, " ({})", self.id)
        }
    }
}

/// Who speaks in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A prompt of the user.
    User,
    /// The model, with or without calls.
    Assistant,
    /// Anything else that is sent: summaries, notes of the agent, command output.
    Other,
}

/// One message. Results are not messages: they belong to their calls.
#[derive(Debug, Clone)]
pub struct Message {
    /// Its first line, from 1.
    pub line: usize,
    /// Who speaks.
    pub role: Role,
    /// Time in milliseconds since the epoch, where known.
    pub timestamp: Option<i64>,
    /// Raw JSON strings of its text blocks.
    pub texts: Vec<Span>,
    /// Indices of its calls in [`Transcript::calls`], in order.
    pub calls: Vec<usize>,
    /// Block lists that hold thinking.
    pub thinking: Vec<BlockList>,
    /// The model that wrote it.
    pub model: Option<String>,
}

/// A list of blocks that holds thinking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockList {
    /// Raw JSON of the list.
    pub content: Span,
    /// Raw JSON strings of the thinking texts.
    pub texts: Vec<Span>,
}

/// One block of a [`BlockList`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Its raw JSON.
    pub span: Span,
    /// Whether it is thinking, readable or redacted.
    pub is_thinking: bool,
}

impl BlockList {
    /// The blocks in order, read from the source that the list was found in.
    pub fn blocks(&self, source: &[u8]) -> Vec<Block> {
        let raw = source.get(self.content.clone()).unwrap_or_default();
        let elements: Vec<&RawValue> = serde_json::from_slice(raw).unwrap_or_default();
        let block = |element: &&RawValue| {
            let kind = serde_json::from_str::<ContentBlock<'_>>(element.get()).ok();
            let kind = kind.and_then(|block| json::string_of(block.kind?));
            let is_thinking = matches!(kind.as_deref(), Some("thinking" | "redacted_thinking"));
            Block {
                span: json::span_in(source, element),
                is_thinking,
            }
        };
        elements.iter().map(block).collect()
    }
}

/// One call with its result.
#[derive(Debug, Clone)]
pub struct Call {
    /// Its identity inside the conversation.
    pub key: CallKey,
    /// Name of the tool.
    pub tool: String,
    /// Its line, from 1.
    pub line: usize,
    /// Raw JSON of the arguments, where there are any.
    pub input: Option<Span>,
    /// Its result and verbatim copies of it; empty while there is none.
    pub results: Vec<CallResult>,
    /// Whether two calls of one message share the id, so that no result can be told apart.
    pub ambiguous: bool,
}

/// One result of a call.
#[derive(Debug, Clone)]
pub struct CallResult {
    /// Its line, from 1.
    pub line: usize,
    /// Raw JSON of the content, a string or a list of blocks; `None` when absent.
    pub content: Option<Span>,
    /// Whether it is flagged as an error.
    pub is_error: bool,
    /// Time in milliseconds since the epoch, where known.
    pub timestamp: Option<i64>,
    /// Raw JSON of the second, structured copy that is kept for display.
    pub details: Option<Span>,
}

/// The decoded content of a result.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResultContent<'a> {
    /// Text blocks joined with a line feed.
    pub text: Cow<'a, str>,
    /// Media types of the image blocks, in order.
    pub images: Vec<String>,
    /// Whether a block is of a kind that must pass untouched.
    pub unsupported: bool,
    /// Raw `cache_control` of the last block that has one.
    pub cache_control: Option<&'a str>,
    /// Whether the content is a list of blocks rather than a string.
    pub blocks: bool,
}

#[derive(Deserialize)]
struct ContentBlock<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    #[serde(borrow)]
    cache_control: Option<&'a RawValue>,
    #[serde(borrow, rename = "mimeType")]
    mime_type: Option<&'a RawValue>,
    #[serde(borrow)]
    source: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ImageSource<'a> {
    #[serde(borrow)]
    media_type: Option<&'a RawValue>,
}

/// Decodes the content of a result; an absent one is an empty text.
pub fn decode_content(raw: Option<&str>) -> ResultContent<'_> {
    let Some(raw) = raw else {
        return ResultContent::default();
    };
    if let Some(text) = json::decode_string(raw) {
        return ResultContent {
            text,
            ..ResultContent::default()
        };
    }
    let Ok(blocks) = serde_json::from_str::<Vec<ContentBlock<'_>>>(raw) else {
        return ResultContent {
            unsupported: true,
            ..ResultContent::default()
        };
    };
    let mut content = ResultContent {
        blocks: true,
        ..ResultContent::default()
    };
    let mut texts = Vec::new();
    for block in blocks {
        content.cache_control = block
            .cache_control
            .map(RawValue::get)
            .or(content.cache_control);
        match block.kind.and_then(json::string_of).as_deref() {
            Some("text") => match block.text.and_then(json::string_of) {
                Some(text) => texts.push(text),
                None => content.unsupported = true,
            },
            Some("image") => content.images.push(media_type(&block)),
            _ => content.unsupported = true,
        }
    }
    content.text = if texts.len() == 1 {
        texts.remove(0)
    } else {
        Cow::Owned(texts.join("\n"))
    };
    content
}

fn media_type(block: &ContentBlock<'_>) -> String {
    let nested = block
        .source
        .and_then(|source| serde_json::from_str::<ImageSource<'_>>(source.get()).ok())
        .and_then(|source| source.media_type);
    // Stubs name it, so it may hold nothing that a media type does not: it is data of a tool.
    let is_plain = |name: &Cow<'_, str>| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/+.-".contains(&byte);
        name.len() <= LONGEST_MEDIA_TYPE && name.bytes().all(plain)
    };
    block
        .mime_type
        .or(nested)
        .and_then(json::string_of)
        .filter(is_plain)
        .map_or_else(|| "image".to_owned(), Cow::into_owned)
}

/// Bytes that the name of a media type may have.
const LONGEST_MEDIA_TYPE: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_of_every_shape_is_decoded_alike() {
        // F24: a string, one block, many blocks, empty, absent.
        let check = |raw: Option<&str>, text: &str, images: usize, unsupported: bool| {
            let content = decode_content(raw);
            assert_eq!(content.text, text, "{raw:?}");
            assert_eq!(content.images.len(), images, "{raw:?}");
            assert_eq!(content.unsupported, unsupported, "{raw:?}");
        };
        check(Some(r#""a\nb""#), "a\nb", 0, false);
        check(Some(r#"[{"type":"text","text":"a"}]"#), "a", 0, false);
        check(
            Some(r#"[{"type":"text","text":"a"},{"text":"b","type":"text"}]"#),
            "a\nb",
            0,
            false,
        );
        check(Some("[]"), "", 0, false);
        check(None, "", 0, false);
        check(
            Some(r#"[{"type":"image","data":"x","mimeType":"image/png"}]"#),
            "",
            1,
            false,
        );
        check(
            Some(r#"[{"type":"tool_reference","tool_name":"x"}]"#),
            "",
            0,
            true,
        );
        check(Some("12"), "", 0, true);
        check(Some(r#"[{"type":"text","text":7}]"#), "", 0, true);
    }

    #[test]
    fn cache_control_and_media_types_are_seen() {
        let raw = r#"[{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":""}},
            {"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"1h"}}]"#;
        let content = decode_content(Some(raw));
        assert_eq!(content.images, ["image/jpeg"]);
        assert_eq!(
            content.cache_control,
            Some(r#"{"type":"ephemeral","ttl":"1h"}"#)
        );
    }
}
