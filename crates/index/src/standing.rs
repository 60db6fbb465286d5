//! The one rule that makes flushes idempotent, shared by all stores.

use crate::model::{FlushedFate, LeftReason};

/// What a store holds about a call before a flush.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Nothing.
    Absent,
    /// Its original.
    Kept,
    /// Why it was left.
    Left(LeftReason),
}

impl Standing {
    /// Whether a flush with this fate has news about the call.
    ///
    /// A kept call never changes; a left one is replaced by a kept one, or by another reason.
    pub(crate) fn is_changed_by(self, fate: &FlushedFate<'_>) -> bool {
        match (self, fate) {
            (Self::Kept, _) => false,
            (Self::Left(stored), FlushedFate::Left(reason)) => stored != *reason,
            (Self::Absent | Self::Left(_), _) => true,
        }
    }
}
