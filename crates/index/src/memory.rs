//! The store in memory: plain maps and lists, scanned. Also the oracle of the other stores.

mod documents;
mod entry;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use epitome_core::id::{BlobId, ConversationId, ShortRef};

use crate::model::{
    CheckReport, Conversation, ConversationSummary, Flush, Forgotten, NewRendering, StoredBatch,
    StoredCall, StoredEdit, StoredFate, StoredRendering,
};
use crate::{ErrorKind, Result, Store};
use documents::Library;
use entry::{Blobs, Entry, put_blob};

/// Keeps everything in memory, for tests and for runs that must leave nothing behind.
#[derive(Debug, Default)]
pub struct MemoryStore {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    blobs: Blobs,
    conversations: BTreeMap<ConversationId, Entry>,
    renderings: Vec<(StoredRendering, Vec<StoredEdit>)>,
    library: Library,
}

impl MemoryStore {
    /// Makes an empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// A panic elsewhere leaves the maps readable, so a poisoned lock is used on.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for MemoryStore {
    fn name(&self) -> String {
        "memory".to_owned()
    }

    fn commit_flush(&self, flush: &Flush<'_>) -> Result<u64> {
        let State {
            blobs,
            conversations,
            ..
        } = &mut *self.state();
        let entry = enter(conversations, &flush.conversation);
        let mut new_bytes = 0;
        for batch in &flush.batches {
            new_bytes += entry.add_batch(batch, flush.at_ms, blobs);
        }
        Ok(new_bytes)
    }

    fn put_conversation(&self, conversation: &Conversation) -> Result<()> {
        let mut state = self.state();
        let entry = enter(&mut state.conversations, conversation);
        if entry.conversation.parent.is_none() {
            entry.conversation.parent.clone_from(&conversation.parent);
        }
        Ok(())
    }

    fn conversation(&self, id: &ConversationId) -> Result<Option<Conversation>> {
        Ok(self
            .state()
            .conversations
            .get(id)
            .map(|entry| entry.conversation.clone()))
    }

    fn conversations(
        &self,
        after: Option<&ConversationId>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>> {
        let state = self.state();
        let page = state
            .conversations
            .iter()
            .filter(|(id, _)| after.is_none_or(|a| *id > a));
        Ok(page
            .take(limit)
            .map(|(_, entry)| entry.summary(&state.blobs))
            .collect())
    }

    fn batches(&self, conversation: &ConversationId) -> Result<Vec<StoredBatch>> {
        let state = self.state();
        Ok(state
            .conversations
            .get(conversation)
            .map_or_else(Vec::new, |e| e.batches.clone()))
    }

    fn calls(&self, conversation: &ConversationId) -> Result<Vec<StoredCall>> {
        let state = self.state();
        Ok(state
            .conversations
            .get(conversation)
            .map_or_else(Vec::new, |e| e.calls.clone()))
    }

    fn calls_by_ref(
        &self,
        conversation: Option<&ConversationId>,
        short: ShortRef,
    ) -> Result<Vec<StoredCall>> {
        let mut calls = self.state().kept(conversation);
        calls.retain(|call| matches!(&call.fate, StoredFate::Kept { short: s, .. } if *s == short));
        Ok(calls)
    }

    fn calls_by_provider_id(
        &self,
        conversation: Option<&ConversationId>,
        id: &str,
    ) -> Result<Vec<StoredCall>> {
        let mut calls = self.state().kept(conversation);
        calls.retain(|call| call.key.id == id);
        calls.sort_by_key(|call| (call.conversation.clone(), call.key.occurrence));
        Ok(calls)
    }

    fn original(&self, id: &BlobId) -> Result<Vec<u8>> {
        self.state().blobs.get(id).cloned().ok_or_else(|| {
            ErrorKind::Damaged {
                blob: id.to_string(),
                reason: "it is not in the store".to_owned(),
            }
            .into()
        })
    }

    fn record_rendering(&self, rendering: &NewRendering<'_>) -> Result<()> {
        let mut state = self.state();
        if !state.conversations.contains_key(&rendering.conversation) {
            let conversation = rendering.conversation.to_string();
            return Err(ErrorKind::UnknownConversation { conversation }.into());
        }
        if state
            .renderings
            .iter()
            .any(|(stored, _)| stored.output == rendering.output)
        {
            return Ok(());
        }
        let edits = rendering.edits.iter().map(|edit| StoredEdit {
            offset: edit.offset,
            length: edit.length,
            original: put_blob(&mut state.blobs, edit.original).0,
        });
        let edits = edits.collect();
        let stored = StoredRendering {
            conversation: rendering.conversation.clone(),
            output: rendering.output,
            output_length: rendering.output_length,
            source: rendering.source,
            source_length: rendering.source_length,
            at_ms: rendering.at_ms,
        };
        state.renderings.push((stored, edits));
        Ok(())
    }

    fn renderings(&self, at_most: u64) -> Result<Vec<StoredRendering>> {
        let state = self.state();
        let fitting = state
            .renderings
            .iter()
            .filter(|(r, _)| r.output_length <= at_most);
        let mut found: Vec<_> = fitting.map(|(rendering, _)| rendering.clone()).collect();
        found.sort_by_key(|rendering| {
            (std::cmp::Reverse(rendering.output_length), rendering.output)
        });
        Ok(found)
    }

    fn rendering_edits(&self, output: &BlobId) -> Result<Vec<StoredEdit>> {
        let state = self.state();
        let found = state
            .renderings
            .iter()
            .find(|(rendering, _)| rendering.output == *output);
        Ok(found.map_or_else(Vec::new, |(_, edits)| edits.clone()))
    }

    fn forget(&self, conversation: &ConversationId) -> Result<Option<Forgotten>> {
        let mut state = self.state();
        let Some(entry) = state.conversations.remove(conversation) else {
            return Ok(None);
        };
        state
            .renderings
            .retain(|(rendering, _)| rendering.conversation != *conversation);
        let needed = state.needed_blobs();
        let (kept, gone): (BTreeMap<_, _>, BTreeMap<_, _>) = std::mem::take(&mut state.blobs)
            .into_iter()
            .partition(|(id, _)| needed.contains(id));
        state.blobs = kept;
        Ok(Some(Forgotten {
            refs: entry.refs(),
            blobs: gone.len() as u64,
            bytes: gone.values().map(|bytes| bytes.len() as u64).sum(),
        }))
    }

    fn check(&self) -> Result<CheckReport> {
        let state = self.state();
        let damaged = state
            .blobs
            .iter()
            .filter(|(id, bytes)| BlobId::of(bytes) != **id);
        let missing = state
            .needed_blobs()
            .into_iter()
            .filter(|id| !state.blobs.contains_key(id));
        let problems = damaged
            .map(|(id, _)| format!("The original {id} does not have its address."))
            .chain(missing.map(|id| format!("The original {id} is missing.")))
            .collect();
        Ok(CheckReport {
            schema_version: 0,
            conversations: state.conversations.len() as u64,
            blobs: state.blobs.len() as u64,
            blob_bytes: state.blobs.values().map(|bytes| bytes.len() as u64).sum(),
            documents: state.library.size().0,
            chunks: state.library.size().1,
            stored_bytes: 0,
            problems,
        })
    }
}

impl State {
    fn kept(&self, conversation: Option<&ConversationId>) -> Vec<StoredCall> {
        let entries = self.conversations.values();
        let entries =
            entries.filter(|e| conversation.is_none_or(|wanted| e.conversation.id == *wanted));
        let calls = entries.flat_map(|entry| &entry.calls);
        calls
            .filter(|call| matches!(call.fate, StoredFate::Kept { .. }))
            .cloned()
            .collect()
    }

    fn needed_blobs(&self) -> BTreeSet<BlobId> {
        let of_calls = self.conversations.values().flat_map(Entry::blobs);
        let of_edits = self.renderings.iter().flat_map(|(_, edits)| edits);
        of_calls.chain(of_edits.map(|edit| edit.original)).collect()
    }
}

/// Finds the conversation, with its title refreshed, or makes it.
fn enter<'a>(
    conversations: &'a mut BTreeMap<ConversationId, Entry>,
    conversation: &Conversation,
) -> &'a mut Entry {
    let entry = conversations
        .entry(conversation.id.clone())
        .or_insert_with(|| Entry::new(conversation));
    entry.conversation.title.clone_from(&conversation.title);
    entry
}
