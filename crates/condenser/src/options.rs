//! What a condense run is asked to do.

use epitome_core::batch::Batching;
use epitome_core::condense::Extent;
use epitome_core::protect::Protection;
use epitome_core::stub::Channel;

/// Options of a condense run.
#[derive(Debug, Clone)]
pub struct CondenseOptions {
    /// Which calls are taken in.
    pub extent: Extent,
    /// Turns with calls at the end of an unfinished chain that stay raw.
    pub keep_turns: usize,
    /// How many turns share one summary.
    pub batching: Batching,
    /// UTF-16 units of results below which a batch is left alone; 0 turns the check off.
    pub min_batch_chars: u64,
    /// Tools and paths that stay raw.
    pub protection: Protection,
    /// The way back that stubs name.
    pub channel: Channel,
    /// What happens to thinking.
    pub thinking: Thinking,
    /// A fresh session id: the output is a new session.
    pub fresh_session_id: Option<String>,
    /// File name of the source, for people.
    pub title: String,
    /// Now, in milliseconds since the epoch.
    pub now_ms: i64,
}

/// What happens to thinking whose prefix changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thinking {
    /// It stays; a warning names models that would reject it.
    Keep,
    /// The rule of the session's model is applied.
    ByModel,
}
