//! What the store knows of a source before an import.

use std::collections::{BTreeMap, HashMap};

use epitome_core::id::BlobId;

use super::walk::{FileFacts, Listing};
use crate::Result;
use crate::documents::DocumentStore;
use crate::documents::model::{Document, DocumentId};

/// A document of which the import keeps in memory only what it compares.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) id: DocumentId,
    pub(super) hash: BlobId,
    pub(super) kind: String,
    pub(super) facts: FileFacts,
}

impl Known {
    fn of(document: Document) -> (String, Self) {
        let known = Self {
            id: document.id,
            hash: document.content_hash,
            kind: document.kind,
            facts: FileFacts {
                bytes: document.file_bytes,
                modified_ms: document.file_modified_ms,
            },
        };
        (document.path.path().to_owned(), known)
    }
}

/// The documents of a source by path.
pub(super) fn read_known(
    store: &dyn DocumentStore,
    source: &str,
) -> Result<BTreeMap<String, Known>> {
    const PAGE: usize = 500;
    let mut known = BTreeMap::new();
    let mut after = None;
    loop {
        let page = store.documents(Some(source), after.as_ref(), PAGE)?;
        let Some(last) = page.last() else {
            return Ok(known);
        };
        after = Some(last.path.clone());
        known.extend(page.into_iter().map(Known::of));
    }
}

/// Documents whose file is gone. A new file with the same bytes is such a file under another path.
#[derive(Debug, Default)]
pub(super) struct Gone {
    documents: BTreeMap<String, (DocumentId, BlobId)>,
    by_content: HashMap<(BlobId, String), Vec<String>>,
}

impl Gone {
    pub(super) fn of(known: &BTreeMap<String, Known>, listing: &Listing) -> Self {
        let mut gone = Self::default();
        for (path, document) in known {
            if listing.entries.contains_key(path) || is_below(path, &listing.unreadable) {
                continue;
            }
            let content = (document.hash, document.kind.clone());
            gone.documents
                .insert(path.clone(), (document.id, document.hash));
            gone.by_content
                .entry(content)
                .or_default()
                .push(path.clone());
        }
        gone
    }

    /// Takes out the document that moved to `path`: one of the same content and kind, preferably of
    /// the same file name, else the first by path.
    pub(super) fn take_moved(
        &mut self,
        hash: BlobId,
        kind: &str,
        path: &str,
    ) -> Option<(DocumentId, String)> {
        let paths = self.by_content.get_mut(&(hash, kind.to_owned()))?;
        if paths.is_empty() {
            return None;
        }
        let same_name = paths
            .iter()
            .position(|old| file_name(old) == file_name(path));
        let from = paths.remove(same_name.unwrap_or(0));
        let (id, _) = self.documents.remove(&from)?;
        Some((id, from))
    }

    /// The documents that did not move, by path.
    pub(super) fn into_rest(self) -> impl Iterator<Item = (String, DocumentId)> {
        self.documents.into_iter().map(|(path, (id, _))| (path, id))
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn is_below(path: &str, folders: &[String]) -> bool {
    folders.iter().any(|folder| {
        folder.is_empty()
            || path
                .strip_prefix(folder.as_str())
                .is_some_and(|rest| rest.starts_with('/'))
    })
}
