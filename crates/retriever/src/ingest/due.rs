//! Which summaries are due, as the store says.

use std::collections::HashSet;

use epitome_core::id::{BlobId, DocumentId};
use epitome_index::Result;
use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::{Document, DocumentPath, SummaryAuthor};
use epitome_index::import::ImportReport;

/// Documents that are read at a time.
const PAGE: usize = 500;

/// How a document's summary stands to its text, knowledge specification 3.9.
///
/// A summary that failed is missing or stale; why is in the report of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SummaryState {
    /// Made from the present text.
    Fresh,
    /// Made from an earlier text.
    Stale,
    /// There is none.
    Missing,
    /// Written by the owner for the present text.
    Owner,
    /// Written by the owner for an earlier text.
    StaleOwner,
}

/// The state of a document's summary.
pub fn state_of(document: &Document) -> SummaryState {
    let stale = document.summary_is_stale();
    match document.summary.as_ref().map(|summary| summary.by) {
        None => SummaryState::Missing,
        Some(SummaryAuthor::Auto) if stale => SummaryState::Stale,
        Some(SummaryAuthor::Auto) => SummaryState::Fresh,
        Some(SummaryAuthor::Owner) if stale => SummaryState::StaleOwner,
        Some(SummaryAuthor::Owner) => SummaryState::Owner,
    }
}

/// Whether a summary of ours is due.
pub(super) fn is_due(document: &Document) -> bool {
    matches!(
        state_of(document),
        SummaryState::Missing | SummaryState::Stale
    )
}

/// Under which counter a summary goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// The import added or updated the document.
    Changed,
    /// An earlier run left it without a summary of its text.
    Backfill,
}

/// A summary to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Job {
    pub(super) document: DocumentId,
    pub(super) reason: Reason,
}

/// What is due in a source.
#[derive(Debug)]
pub(super) struct Due {
    /// Summaries to make, by path.
    pub(super) jobs: Vec<Job>,
    /// Documents whose owner's summary is stale.
    pub(super) stale_by_owner: Vec<DocumentPath>,
    /// Key of all paths and contents.
    pub(super) content: BlobId,
}

/// Finds what is due in a source.
pub(super) fn find(
    store: &dyn DocumentStore,
    source: &str,
    imported: &ImportReport,
) -> Result<Due> {
    let changed: HashSet<DocumentId> = imported
        .added
        .iter()
        .chain(&imported.updated)
        .copied()
        .collect();
    let mut due = Due {
        jobs: Vec::new(),
        stale_by_owner: Vec::new(),
        content: BlobId::of(b""),
    };
    let mut bytes = Vec::new();
    for_each_document(store, source, &mut |document| {
        bytes.clear();
        bytes.extend_from_slice(due.content.as_bytes());
        bytes.extend_from_slice(document.content_hash.as_bytes());
        bytes.extend_from_slice(document.path.path().as_bytes());
        due.content = BlobId::of(&bytes);
        if is_due(&document) {
            due.jobs.push(Job {
                document: document.id,
                reason: if changed.contains(&document.id) {
                    Reason::Changed
                } else {
                    Reason::Backfill
                },
            });
        } else if state_of(&document) == SummaryState::StaleOwner {
            due.stale_by_owner.push(document.path);
        }
        Ok(())
    })?;
    Ok(due)
}

/// Hands out the documents of a source by path, page by page.
pub(super) fn for_each_document(
    store: &dyn DocumentStore,
    source: &str,
    visit: &mut dyn FnMut(Document) -> Result<()>,
) -> Result<()> {
    let mut after: Option<DocumentPath> = None;
    loop {
        let page = store.documents(Some(source), after.as_ref(), PAGE)?;
        let Some(last) = page.last() else {
            return Ok(());
        };
        after = Some(last.path.clone());
        for document in page {
            visit(document)?;
        }
    }
}
