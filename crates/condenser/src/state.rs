//! What the store knows of a conversation, and what a run adds to it.

use std::collections::{HashMap, HashSet};

use epitome_core::id::{BlobId, CallKey, ConversationId, FullRef, ShortRef};
use epitome_index::Store;
use epitome_index::model::{StoredCall, StoredFate};

use crate::Result;

/// A call whose original is in the store.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) full_ref: FullRef,
    pub(crate) duplicate: bool,
    pub(crate) bullets: String,
    /// Address of the stored content; `None` for what this run stored, which needs no check.
    pub(crate) result: Option<BlobId>,
}

/// What is known of a conversation and those that it was resumed from.
#[derive(Debug, Default)]
pub(crate) struct State {
    known: HashMap<CallKey, Known>,
    /// First call with this content hash and error flag.
    originals: HashMap<Content, Original>,
    /// Originals that stand in the file where the run has not come yet.
    ahead: HashMap<CallKey, (Content, Original)>,
    next: u32,
}

/// What equal results share: the hash of the content and the error flag.
type Content = (String, bool);

/// Ref and bullets, which repeats of a result share.
type Original = (FullRef, String);

impl State {
    /// Loads a conversation with its ancestors; refs go on after theirs.
    ///
    /// What an ancestor added under numbers that a younger conversation gave to other calls is not
    /// inherited. The calls of the file that the run comes to are originals of duplicates only once
    /// it has passed them: a run over the same file finds the same duplicates, whatever is stored.
    pub(crate) fn load(
        store: &dyn Store,
        conversation: &ConversationId,
        in_file: &HashSet<&CallKey>,
    ) -> Result<Self> {
        let mut inherited = Vec::new();
        let mut taken = HashSet::new();
        for ancestor in lineage(store, conversation)? {
            let mut calls = store.calls(&ancestor)?;
            calls.retain(|call| short_of(call).is_some_and(|short| !taken.contains(&short)));
            let defining = calls.iter().filter(|call| defines_its_ref(call));
            taken.extend(defining.filter_map(short_of));
            inherited.push(calls);
        }
        let mut state = Self {
            next: 1,
            ..Self::default()
        };
        for call in inherited.iter().rev().flatten() {
            state.remember(call, in_file);
        }
        Ok(state)
    }

    fn remember(&mut self, call: &StoredCall, in_file: &HashSet<&CallKey>) {
        let StoredFate::Kept {
            short,
            duplicate,
            content_hash,
            result,
            bullets,
            ..
        } = &call.fate
        else {
            return;
        };
        let full_ref = FullRef {
            conversation: call.conversation.clone(),
            short: *short,
        };
        let known = Known {
            full_ref,
            duplicate: *duplicate,
            bullets: bullets.clone(),
            result: Some(*result),
        };
        let key = call.key.clone();
        self.add(key.clone(), known, content_hash, call.is_error);
        if !in_file.contains(&key) {
            self.pass(&key);
        }
    }

    /// Adds a call. An empty hash keeps it from being the original of duplicates; any other is one
    /// once the run has passed it.
    pub(crate) fn add(&mut self, key: CallKey, known: Known, hash: &str, is_error: bool) {
        self.next = self.next.max(known.full_ref.short.next().number());
        if !hash.is_empty() && !known.duplicate {
            let original = (known.full_ref.clone(), known.bullets.clone());
            let content = (hash.to_owned(), is_error);
            self.ahead.insert(key.clone(), (content, original));
        }
        self.known.insert(key, known);
    }

    /// Lets a call serve as the original of later duplicates, unless an earlier one does.
    pub(crate) fn pass(&mut self, key: &CallKey) {
        if let Some((content, original)) = self.ahead.remove(key) {
            self.originals.entry(content).or_insert(original);
        }
    }

    pub(crate) fn known(&self, key: &CallKey) -> Option<&Known> {
        self.known.get(key)
    }

    /// Ref and bullets of the first call with this content.
    pub(crate) fn original(&self, hash: &str, is_error: bool) -> Option<&Original> {
        self.originals.get(&(hash.to_owned(), is_error))
    }

    /// Number of the next free ref.
    pub(crate) fn next(&self) -> u32 {
        self.next
    }
}

/// The ref of a call that has one.
fn short_of(call: &StoredCall) -> Option<ShortRef> {
    match &call.fate {
        StoredFate::Kept { short, .. } => Some(*short),
        StoredFate::Left(_) => None,
    }
}

/// Whether a call gave its ref its meaning; others repeat the content of an earlier call.
pub(crate) fn defines_its_ref(call: &StoredCall) -> bool {
    matches!(call.fate, StoredFate::Kept { duplicate, .. } if !duplicate)
}

/// The conversation, then what it was resumed from, and so on.
pub(crate) fn lineage(
    store: &dyn Store,
    conversation: &ConversationId,
) -> Result<Vec<ConversationId>> {
    let mut lineage = vec![conversation.clone()];
    while let Some(last) = lineage.last() {
        let parent = store.conversation(last)?.and_then(|found| found.parent);
        match parent {
            Some(parent) if !lineage.contains(&parent) => lineage.push(parent),
            _ => break,
        }
    }
    Ok(lineage)
}
