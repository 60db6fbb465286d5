//! Captured tool calls: what a summarizer sees and what a store keeps.

use crate::id::ShortRef;

/// One finished tool call with its result, as captured from a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CapturedCall {
    /// Id that the provider issued. Not unique: some providers reuse ids between turns.
    pub id: String,
    /// Name of the tool.
    pub tool: String,
    /// Arguments as the raw JSON text of the source, `{}` when absent.
    pub args: String,
    /// Text blocks of the result, joined with a line feed.
    pub text: String,
    /// Whether the result was flagged as an error.
    pub is_error: bool,
    /// Time of the result in milliseconds since the epoch, where the format has one.
    pub timestamp: Option<i64>,
    /// Number of blocks of the result that are not text, images for example.
    pub other_blocks: usize,
}

/// The calls of one assistant turn, or of several merged turns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CapturedBatch {
    /// Position of the assistant message among all assistant messages of the branch, from 0.
    pub turn: usize,
    /// Time of the turn in milliseconds since the epoch, 0 where unknown.
    pub timestamp: i64,
    /// What the assistant said beside the calls, trimmed.
    pub assistant_text: String,
    /// Number of user messages before this turn; `None` on a batch that stands alone.
    pub user_turn_group: Option<usize>,
    /// The calls, in order.
    pub calls: Vec<CapturedCall>,
}

/// A ref that a summary names, with the occurrence it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryRef {
    /// The short ref, `t12`; in summaries of old logs any string.
    pub short: String,
    /// Id that the provider issued.
    pub call_id: String,
    /// Time of the result in milliseconds since the epoch, where known.
    pub timestamp: Option<i64>,
}

impl SummaryRef {
    /// Makes the ref of a captured call.
    pub fn new(short: ShortRef, call: &CapturedCall) -> Self {
        Self {
            short: short.to_string(),
            call_id: call.id.clone(),
            timestamp: call.timestamp,
        }
    }
}
