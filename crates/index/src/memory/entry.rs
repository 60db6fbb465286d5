//! One conversation in memory.

use std::collections::{BTreeMap, BTreeSet};

use epitome_core::id::{BlobId, CallKey};

use crate::model::{
    Conversation, ConversationSummary, FlushedBatch, FlushedCall, FlushedFate, StoredBatch,
    StoredCall, StoredFate,
};
use crate::standing::Standing;

/// All originals, each once.
pub(super) type Blobs = BTreeMap<BlobId, Vec<u8>>;

/// A conversation with its batches and calls.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) conversation: Conversation,
    next_batch: u32,
    pub(super) batches: Vec<StoredBatch>,
    /// In batch order.
    pub(super) calls: Vec<StoredCall>,
}

impl Entry {
    /// Makes a conversation without calls.
    pub(super) fn new(conversation: &Conversation) -> Self {
        Self {
            conversation: conversation.clone(),
            next_batch: 0,
            batches: Vec::new(),
            calls: Vec::new(),
        }
    }

    pub(super) fn refs(&self) -> u64 {
        let kept = self
            .calls
            .iter()
            .filter(|call| matches!(call.fate, StoredFate::Kept { .. }));
        kept.count() as u64
    }

    pub(super) fn blobs(&self) -> BTreeSet<BlobId> {
        let of_call = |call: &StoredCall| match call.fate {
            StoredFate::Kept { args, result, .. } => vec![args, result],
            StoredFate::Left(_) => Vec::new(),
        };
        self.calls.iter().flat_map(of_call).collect()
    }

    pub(super) fn summary(&self, blobs: &Blobs) -> ConversationSummary {
        let originals = self.blobs().into_iter().filter_map(|id| blobs.get(&id));
        let newest = self.batches.iter().map(|batch| batch.at_ms).max();
        ConversationSummary {
            conversation: self.conversation.clone(),
            batches: self.batches.len() as u64,
            refs: self.refs(),
            original_bytes: originals.map(|bytes| bytes.len() as u64).sum(),
            updated_ms: newest.unwrap_or(self.conversation.created_ms),
        }
    }

    fn standing(&self, key: &CallKey) -> Standing {
        match self
            .calls
            .iter()
            .find(|call| call.key == *key)
            .map(|call| &call.fate)
        {
            None => Standing::Absent,
            Some(StoredFate::Kept { .. }) => Standing::Kept,
            Some(StoredFate::Left(reason)) => Standing::Left(*reason),
        }
    }

    /// Adds what is new of a batch and returns the bytes of new originals.
    pub(super) fn add_batch(
        &mut self,
        batch: &FlushedBatch<'_>,
        at_ms: i64,
        blobs: &mut Blobs,
    ) -> u64 {
        let number = self.next_batch;
        let mut new_bytes = 0;
        let mut changed = false;
        for call in &batch.calls {
            if !self.standing(&call.key).is_changed_by(&call.fate) {
                continue;
            }
            changed = true;
            self.calls.retain(|stored| stored.key != call.key);
            let (fate, bytes) = store_fate(&call.fate, blobs);
            new_bytes += bytes;
            self.calls
                .push(self.stored_call(call, number, batch.turn, fate));
        }
        if changed {
            self.next_batch += 1;
            self.batches.push(StoredBatch {
                number,
                turn: batch.turn,
                at_ms,
                summary: batch.summary.clone(),
                raw_chars: batch.raw_chars,
                summary_chars: batch.summary_chars,
            });
            let calls = &self.calls;
            self.batches
                .retain(|batch| calls.iter().any(|call| call.batch == batch.number));
        }
        new_bytes
    }

    fn stored_call(
        &self,
        call: &FlushedCall<'_>,
        batch: u32,
        turn: u32,
        fate: StoredFate,
    ) -> StoredCall {
        StoredCall {
            conversation: self.conversation.id.clone(),
            key: call.key.clone(),
            batch,
            turn,
            tool: call.tool.clone(),
            is_error: call.is_error,
            timestamp: call.timestamp,
            lines: call.lines,
            bytes: call.bytes,
            fate,
        }
    }
}

fn store_fate(fate: &FlushedFate<'_>, blobs: &mut Blobs) -> (StoredFate, u64) {
    match fate {
        FlushedFate::Left(reason) => (StoredFate::Left(*reason), 0),
        FlushedFate::Kept(kept) => {
            let (args, args_bytes) = put_blob(blobs, kept.args);
            let (result, result_bytes) = put_blob(blobs, kept.result);
            let fate = StoredFate::Kept {
                short: kept.short,
                duplicate: kept.duplicate,
                content_hash: kept.content_hash.clone(),
                args,
                result,
                bullets: kept.bullets.clone(),
                rendering: kept.rendering.clone(),
            };
            (fate, args_bytes + result_bytes)
        }
    }
}

/// Stores bytes once and returns their address and how many of them were new.
pub(super) fn put_blob(blobs: &mut Blobs, bytes: &[u8]) -> (BlobId, u64) {
    let id = BlobId::of(bytes);
    let known = blobs.contains_key(&id);
    blobs.entry(id).or_insert_with(|| bytes.to_vec());
    (id, if known { 0 } else { bytes.len() as u64 })
}
