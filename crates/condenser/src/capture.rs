//! Capture: what a call of the file is, and what its result says, decoded once.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use epitome_core::call::CapturedCall;
use epitome_core::hash::content_hash;
use epitome_core::id::{BlobId, ConversationId, FullRef};
use epitome_core::stub;
use epitome_core::tokens::estimate_tokens;
use epitome_core::transcript::{Call, CallResult, ResultContent, Transcript, decode_content};
use epitome_core::truncate::count_lines;
use epitome_index::model::LeftReason;
use epitome_summarizer::Summarizer;

use crate::options::CondenseOptions;
use crate::state::{Known, State};

/// What every batch of a run shares.
pub(crate) struct Run<'a> {
    pub(crate) source: &'a [u8],
    pub(crate) transcript: &'a Transcript,
    pub(crate) conversation: &'a ConversationId,
    pub(crate) options: &'a CondenseOptions,
    pub(crate) summarizer: &'a dyn Summarizer,
    /// Calls that stand earlier in the run under the same key, by call: a compaction may hold copies
    /// of the messages that it keeps.
    pub(crate) repeats: HashMap<usize, usize>,
}

/// A result after its text was let go: what is still needed when stubs are rendered.
pub(crate) struct Seen<'a> {
    /// The content; its text is empty here.
    pub(crate) content: ResultContent<'a>,
    /// Estimated tokens of the text.
    pub(crate) tokens: u64,
    /// Lines of the text.
    pub(crate) lines: u64,
    /// UTF-8 bytes of the text.
    pub(crate) bytes: u64,
    /// The original that the text is a stub of.
    pub(crate) stub_of: Option<FullRef>,
}

/// What a call of the file is.
pub(crate) enum Standing {
    /// The store has its original, which stands here.
    Known,
    /// The store has its original; a stub of ours stands here.
    Already,
    /// It stays as it is.
    Left(LeftReason),
    /// It can be summarized.
    Open {
        captured: CapturedCall,
        /// Hash of the content, empty for what never is the original of duplicates.
        hash: String,
    },
}

impl<'a> Run<'a> {
    pub(crate) fn raw(&self, span: Option<&Range<usize>>) -> &'a str {
        let bytes = span.and_then(|span| self.source.get(span.clone()));
        bytes
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or_default()
    }

    /// Raw JSON of a result's content; `None` when absent.
    pub(crate) fn content(&self, result: &CallResult) -> Option<&'a str> {
        result.content.as_ref().map(|span| self.raw(Some(span)))
    }

    pub(crate) fn is_protected(&self, call: &Call) -> bool {
        self.options
            .protection
            .protects(&call.tool, self.raw(call.input.as_ref()))
    }

    /// What a call is that stands in the run already: the same one, unless its result differs.
    pub(crate) fn repeated(&self, first: usize, result: &CallResult) -> Standing {
        let earlier = self.transcript.calls[first].results.first();
        if earlier.is_some_and(|earlier| self.content(earlier) == self.content(result)) {
            Standing::Known
        } else {
            Standing::Left(LeftReason::Ambiguous)
        }
    }

    /// Decodes the result of a call and says what the call is.
    pub(crate) fn look_at(
        &self,
        call: &Call,
        result: &CallResult,
        state: &State,
    ) -> (Seen<'a>, Standing) {
        let raw = self.content(result);
        let mut content = decode_content(raw);
        let text = std::mem::take(&mut content.text);
        let seen = Seen {
            tokens: estimate_tokens(&text),
            lines: count_lines(&text) as u64,
            bytes: text.len() as u64,
            stub_of: stub::parse(&text),
            content,
        };
        let standing = if let Some(known) = state.known(&call.key) {
            known_standing(known, raw, seen.stub_of.as_ref())
        } else if seen.stub_of.is_some() || stub::is_foreign(&text) {
            Standing::Left(LeftReason::Stub)
        } else if call.ambiguous {
            Standing::Left(LeftReason::Ambiguous)
        } else if seen.content.unsupported {
            Standing::Left(LeftReason::Unsupported)
        } else if self.is_protected(call) {
            Standing::Left(LeftReason::Protected)
        } else {
            self.open(call, result, &seen, text)
        };
        (seen, standing)
    }

    fn open(
        &self,
        call: &Call,
        result: &CallResult,
        seen: &Seen<'_>,
        text: Cow<'_, str>,
    ) -> Standing {
        let args = self.raw(call.input.as_ref());
        // Equal texts beside different images are no duplicates: no hash, no match.
        let has_images = !seen.content.images.is_empty();
        let hash = if has_images {
            String::new()
        } else {
            content_hash(&call.tool, &text)
        };
        let captured = CapturedCall {
            id: call.key.id.clone(),
            tool: call.tool.clone(),
            args: if args.is_empty() {
                "{}".to_owned()
            } else {
                args.to_owned()
            },
            text: text.into_owned(),
            is_error: result.is_error,
            timestamp: result.timestamp,
            other_blocks: seen.content.images.len(),
        };
        Standing::Open { captured, hash }
    }
}

/// What a call is whose key the store has: its original, our stub of it, or something else.
fn known_standing(known: &Known, raw: Option<&str>, stub_of: Option<&FullRef>) -> Standing {
    let is_original = |blob| blob == BlobId::of(raw.unwrap_or_default().as_bytes());
    if known.result.is_none_or(is_original) {
        Standing::Known
    } else if stub_of == Some(&known.full_ref) {
        Standing::Already
    } else {
        Standing::Left(LeftReason::Ambiguous)
    }
}
