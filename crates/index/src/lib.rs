//! The store: what leaves the model's view, kept durably.
//!
//! [`Store`] is a trait of domain verbs: one method is one transaction, no engine types appear in
//! it. Two stores implement it and pass one shared conformance suite: [`MemoryStore`] is plain and
//! the oracle of the other, [`SqliteStore`] is one file on disk.
//!
//! ```
//! use epitome_core::id::{BlobId, CallKey, ConversationId, ShortRef};
//! use epitome_index::model::{
//!     Conversation, Flush, FlushedBatch, FlushedCall, FlushedFate, KeptCall, StoredFate,
//! };
//! use epitome_index::{MemoryStore, Store};
//!
//! let id = ConversationId::of_session("pi", "session-1");
//! let call = FlushedCall {
//!     key: CallKey { id: "call_1".into(), occurrence: 1 },
//!     tool: "read".into(),
//!     is_error: false,
//!     timestamp: None,
//!     lines: 1,
//!     bytes: 12,
//!     fate: FlushedFate::Kept(KeptCall {
//!         short: ShortRef::FIRST,
//!         duplicate: false,
//!         content_hash: "2c1d".into(),
//!         args: br#"{"path":"notes.md"}"#,
//!         result: br#"[{"type":"text","text":"remember me\n"}]"#,
//!         bullets: "- `t1` read notes.md".into(),
//!         rendering: "[Summarized, ref `t1`.]".into(),
//!     }),
//! };
//! let batch = FlushedBatch {
//!     turn: 0,
//!     summary: "- `t1` read notes.md".into(),
//!     raw_chars: 12,
//!     summary_chars: 20,
//!     calls: vec![call],
//! };
//! let conversation = Conversation {
//!     id: id.clone(),
//!     format: "pi".into(),
//!     session_id: "session-1".into(),
//!     title: "session.jsonl".into(),
//!     parent: None,
//!     created_ms: 0,
//! };
//!
//! let store = MemoryStore::new();
//! store.commit_flush(&Flush { conversation, at_ms: 0, batches: vec![batch] })?;
//!
//! let calls = store.calls_by_ref(Some(&id), ShortRef::FIRST)?;
//! let StoredFate::Kept { result, .. } = &calls[0].fate else { unreachable!() };
//! assert!(store.original(result)?.ends_with(br#"remember me\n"}]"#));
//! # Ok::<(), epitome_index::Error>(())
//! ```
//!
//! Modules: [`model`] is what goes in and comes out; `memory` and `sqlite` are the stores;
//! `standing` is the rule that makes flushes idempotent; [`documents`] is the trait for imported
//! files, [`import`] brings a folder into it.

#![forbid(unsafe_code)]

pub mod documents;
mod error;
pub mod import;
mod memory;
pub mod model;
mod sqlite;
mod standing;

#[cfg(test)]
mod conformance;

use epitome_core::id::{BlobId, ConversationId, ShortRef};

pub use documents::DocumentStore;
pub use error::{Error, ErrorKind};
pub use memory::MemoryStore;
use model::{
    CheckReport, Conversation, ConversationSummary, Flush, Forgotten, NewRendering, StoredBatch,
    StoredCall, StoredEdit, StoredRendering,
};
pub use sqlite::SqliteStore;

/// Result of a store method.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Keeps conversations, their calls and their originals.
pub trait Store: Send + Sync + std::fmt::Debug {
    /// Names the store for people: its path, or `memory`.
    fn name(&self) -> String;

    /// Commits one flush, all of it or nothing. Returns the bytes of originals that were new.
    ///
    /// A committed flush survives a crash of the program. It survives a loss of power once
    /// [`Store::record_rendering`] has returned, which no output is written before.
    ///
    /// A call that is kept already stays as it is: the first flush of a [`CallKey`] wins. A batch of
    /// which nothing is new adds nothing, so a repeated flush leaves no trace.
    ///
    /// [`CallKey`]: epitome_core::id::CallKey
    fn commit_flush(&self, flush: &Flush<'_>) -> Result<u64>;

    /// Makes a conversation known without any call, to say where a resumed session came from. One
    /// that is known gets the title, and the parent if it has none.
    fn put_conversation(&self, conversation: &Conversation) -> Result<()>;

    /// The conversation with this id.
    fn conversation(&self, id: &ConversationId) -> Result<Option<Conversation>>;

    /// Conversations ordered by id, those after `after` only, at most `limit`.
    fn conversations(
        &self,
        after: Option<&ConversationId>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>>;

    /// Batches of a conversation in order.
    fn batches(&self, conversation: &ConversationId) -> Result<Vec<StoredBatch>>;

    /// Calls of a conversation in batch order, kept and left. Not those of its parents.
    fn calls(&self, conversation: &ConversationId) -> Result<Vec<StoredCall>>;

    /// Kept calls with this short ref, by conversation, then in batch order; all conversations
    /// when none is given.
    fn calls_by_ref(
        &self,
        conversation: Option<&ConversationId>,
        short: ShortRef,
    ) -> Result<Vec<StoredCall>>;

    /// Kept calls with this provider id, by conversation, then occurrence.
    fn calls_by_provider_id(
        &self,
        conversation: Option<&ConversationId>,
        id: &str,
    ) -> Result<Vec<StoredCall>>;

    /// The bytes of an original. A missing or damaged one is an error.
    fn original(&self, id: &BlobId) -> Result<Vec<u8>>;

    /// Records a condensed file before it is written; the same output twice is one rendering, and
    /// the first one stays. The conversation must be known.
    fn record_rendering(&self, rendering: &NewRendering<'_>) -> Result<()>;

    /// Renderings whose output has at most this many bytes, longest first.
    fn renderings(&self, at_most: u64) -> Result<Vec<StoredRendering>>;

    /// Edits of the rendering with this output, ascending by offset.
    fn rendering_edits(&self, output: &BlobId) -> Result<Vec<StoredEdit>>;

    /// Deletes a conversation, its renderings, and originals that nothing else needs; their bytes are
    /// overwritten on disk. Conversations resumed from it stay.
    ///
    /// A busy error means that it is deleted, but another process still reads an older state: forget
    /// it once more to have the bytes overwritten.
    fn forget(&self, conversation: &ConversationId) -> Result<Option<Forgotten>>;

    /// Checks the whole store: structure, references, and that every original has its address. What
    /// is wrong is in the report; an error means that the check could not be done.
    fn check(&self) -> Result<CheckReport>;
}
