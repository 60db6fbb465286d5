//! What a store holds about condensed conversations.

use epitome_core::id::{BlobId, CallKey, ConversationId, ShortRef};

/// A conversation that was condensed at least once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// Its id.
    pub id: ConversationId,
    /// Name of the session format, `pi` or `claude-code`.
    pub format: String,
    /// The session's own id as it stands in the file.
    pub session_id: String,
    /// File name of the source, for people.
    pub title: String,
    /// The conversation that this one was resumed from; its refs are inherited.
    pub parent: Option<ConversationId>,
    /// When it was first stored, milliseconds since the epoch.
    pub created_ms: i64,
}

/// A conversation with its totals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationSummary {
    /// The conversation.
    pub conversation: Conversation,
    /// Batches that were flushed.
    pub batches: u64,
    /// Calls with a ref, duplicates included.
    pub refs: u64,
    /// Bytes of the originals of its calls, each blob once, uncompressed.
    pub original_bytes: u64,
    /// Time of the newest flush, milliseconds since the epoch; before any, when it was made known.
    pub updated_ms: i64,
}

/// Why a call of a flushed batch stayed as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LeftReason {
    /// Its tool or path is protected.
    Protected,
    /// Its batch is below the minimum size.
    TooSmall,
    /// Its stub would not be smaller than the result.
    NotSmaller,
    /// The summary of its whole batch is larger than the batch.
    Oversized,
    /// Its result holds blocks that must pass untouched.
    Unsupported,
    /// Its identity is ambiguous: two calls of one turn carry the same id.
    Ambiguous,
    /// It is a stub already, ours of an unknown store or the agent's own.
    Stub,
}

impl LeftReason {
    /// All reasons, in the order of reports.
    pub const ALL: [Self; 7] = [
        Self::Protected,
        Self::TooSmall,
        Self::NotSmaller,
        Self::Oversized,
        Self::Unsupported,
        Self::Ambiguous,
        Self::Stub,
    ];

    /// The stored name; never changes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Protected => "protected",
            Self::TooSmall => "too-small",
            Self::NotSmaller => "not-smaller",
            Self::Oversized => "oversized",
            Self::Unsupported => "unsupported",
            Self::Ambiguous => "ambiguous",
            Self::Stub => "stub",
        }
    }

    /// The reason with this stored name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

/// One flush: what becomes durable in one transaction.
#[derive(Debug, Clone)]
pub struct Flush<'a> {
    /// The conversation, made if it does not exist yet; else only its `title` is refreshed.
    pub conversation: Conversation,
    /// Time of the flush, milliseconds since the epoch.
    pub at_ms: i64,
    /// Its batches, in order.
    pub batches: Vec<FlushedBatch<'a>>,
}

/// One batch of a flush.
#[derive(Debug, Clone)]
pub struct FlushedBatch<'a> {
    /// Position of the assistant message among all assistant messages of the branch, from 0.
    pub turn: u32,
    /// The whole summary after label substitution; empty where nothing was summarized.
    pub summary: String,
    /// UTF-16 units of the results of the calls that were summarized or left.
    pub raw_chars: u64,
    /// UTF-16 units of the summary.
    pub summary_chars: u64,
    /// The calls, in order.
    pub calls: Vec<FlushedCall<'a>>,
}

/// One call of a flushed batch.
#[derive(Debug, Clone)]
pub struct FlushedCall<'a> {
    /// Its identity inside the conversation.
    pub key: CallKey,
    /// Name of the tool.
    pub tool: String,
    /// Whether the result was flagged as an error.
    pub is_error: bool,
    /// Time of the result in milliseconds since the epoch, where known.
    pub timestamp: Option<i64>,
    /// Lines of the decoded text.
    pub lines: u64,
    /// UTF-8 bytes of the decoded text.
    pub bytes: u64,
    /// What happened to it.
    pub fate: FlushedFate<'a>,
}

/// What happened to a call in its flush.
#[derive(Debug, Clone)]
pub enum FlushedFate<'a> {
    /// It was summarized, or is a duplicate of a summarized call and shares that call's ref.
    Kept(KeptCall<'a>),
    /// It stayed as it was. A later flush may replace this by `Kept` or by another reason, never a
    /// `Kept` by this; the call then belongs to the batch of that flush.
    Left(LeftReason),
}

/// The durable side of a call that leaves the model's view.
#[derive(Debug, Clone)]
pub struct KeptCall<'a> {
    /// Its ref. Duplicates carry the ref of the call that they repeat.
    pub short: ShortRef,
    /// Whether it repeats the content of an earlier call with the same ref.
    pub duplicate: bool,
    /// SHA-1 of tool name and normalized text, lower-case hexadecimal.
    pub content_hash: String,
    /// Raw source bytes of the arguments.
    pub args: &'a [u8],
    /// Raw source bytes of the result's content.
    pub result: &'a [u8],
    /// Bullets of this call, refs substituted, lines joined by a line feed.
    pub bullets: String,
    /// The stub text that stands in the condensed session.
    pub rendering: String,
}

/// A stored call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCall {
    /// The conversation it belongs to.
    pub conversation: ConversationId,
    /// Its identity inside the conversation.
    pub key: CallKey,
    /// Sequence number of its batch inside the conversation, from 0.
    pub batch: u32,
    /// Position of its assistant message among all assistant messages, from 0.
    pub turn: u32,
    /// Name of the tool.
    pub tool: String,
    /// Whether the result was flagged as an error.
    pub is_error: bool,
    /// Time of the result in milliseconds since the epoch, where known.
    pub timestamp: Option<i64>,
    /// Lines of the decoded text.
    pub lines: u64,
    /// UTF-8 bytes of the decoded text.
    pub bytes: u64,
    /// What happened to it.
    pub fate: StoredFate,
}

/// What happened to a stored call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredFate {
    /// It left the model's view; its original is in the store.
    Kept {
        /// Its ref.
        short: ShortRef,
        /// Whether it repeats an earlier call with the same ref.
        duplicate: bool,
        /// SHA-1 of tool name and normalized text.
        content_hash: String,
        /// Where the raw arguments are.
        args: BlobId,
        /// Where the raw result content is.
        result: BlobId,
        /// Bullets of this call.
        bullets: String,
        /// The stub text.
        rendering: String,
    },
    /// It stayed as it was.
    Left(LeftReason),
}

/// A stored batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredBatch {
    /// Sequence number inside the conversation, from 0, in the order of flushes. A number is missing
    /// where all calls of a batch moved to a later one.
    pub number: u32,
    /// Position of its assistant message among all assistant messages, from 0.
    pub turn: u32,
    /// Time of its flush, milliseconds since the epoch.
    pub at_ms: i64,
    /// The whole summary; empty where nothing was summarized.
    pub summary: String,
    /// UTF-16 units before.
    pub raw_chars: u64,
    /// UTF-16 units of the summary.
    pub summary_chars: u64,
}

/// One condensed file, so that the source can be put together again.
#[derive(Debug, Clone)]
pub struct NewRendering<'a> {
    /// The conversation that was condensed.
    pub conversation: ConversationId,
    /// SHA-256 of the whole output.
    pub output: BlobId,
    /// Bytes of the output.
    pub output_length: u64,
    /// SHA-256 of the whole source.
    pub source: BlobId,
    /// Bytes of the source.
    pub source_length: u64,
    /// When it was made, milliseconds since the epoch.
    pub at_ms: i64,
    /// The edits, ascending by offset, never overlapping.
    pub edits: Vec<RenderingEdit<'a>>,
}

/// One edited place of a condensed file.
#[derive(Debug, Clone, Copy)]
pub struct RenderingEdit<'a> {
    /// Offset in the output, in bytes.
    pub offset: u64,
    /// Bytes that stand there in the output.
    pub length: u64,
    /// Bytes that stood there in the source.
    pub original: &'a [u8],
}

/// A stored rendering.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRendering {
    /// The conversation that was condensed.
    pub conversation: ConversationId,
    /// SHA-256 of the whole output.
    pub output: BlobId,
    /// Bytes of the output.
    pub output_length: u64,
    /// SHA-256 of the whole source.
    pub source: BlobId,
    /// Bytes of the source.
    pub source_length: u64,
    /// When it was made, milliseconds since the epoch.
    pub at_ms: i64,
}

/// A stored edit of a rendering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredEdit {
    /// Offset in the output, in bytes.
    pub offset: u64,
    /// Bytes that stand there in the output.
    pub length: u64,
    /// Where the source's bytes are.
    pub original: BlobId,
}

/// What `forget` deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Forgotten {
    /// Calls with a ref.
    pub refs: u64,
    /// Originals that no other conversation needs.
    pub blobs: u64,
    /// Their uncompressed bytes.
    pub bytes: u64,
}

/// What a store check found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CheckReport {
    /// Version of the schema.
    pub schema_version: u32,
    /// Conversations in the store.
    pub conversations: u64,
    /// Originals in the store.
    pub blobs: u64,
    /// Uncompressed bytes of the originals.
    pub blob_bytes: u64,
    /// Documents in the store.
    pub documents: u64,
    /// Chunks of documents, summaries included.
    pub chunks: u64,
    /// Bytes of the store on disk, 0 in memory.
    pub stored_bytes: u64,
    /// What is wrong, one sentence each; empty when all is well.
    pub problems: Vec<String>,
}
