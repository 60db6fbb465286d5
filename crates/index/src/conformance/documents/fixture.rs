//! Small documents to test with.

use epitome_core::id::{BlobId, DocumentId};

use crate::DocumentStore;
use crate::documents::model::{
    Document, DocumentPath, DocumentWrite, LexicalQuery, NewChunk, NewSummary, SummaryAuthor,
};

pub(crate) fn path(text: &str) -> DocumentPath {
    text.parse().unwrap()
}

/// A document whose chunks are its paragraphs.
pub(crate) fn write<'a>(address: &str, title: &'a str, content: &'a str) -> DocumentWrite<'a> {
    let mut chunks = Vec::new();
    let mut start = 0;
    for part in content.split_inclusive("\n\n") {
        chunks.push(NewChunk {
            range: start..start + part.len(),
            trail: title,
        });
        start += part.len();
    }
    DocumentWrite {
        path: path(address),
        title,
        date: Some("2025-01-02"),
        kind: "markdown",
        content_hash: BlobId::of(content.as_bytes()),
        content,
        file_bytes: content.len() as u64,
        file_modified_ms: 7,
        chunks,
    }
}

/// Stores a document, and its source if it is new.
pub(crate) fn put(
    store: &dyn DocumentStore,
    address: &str,
    title: &str,
    content: &str,
) -> DocumentId {
    let source = path(address).source().to_owned();
    if store.source(&source).unwrap().is_none() {
        store.put_source(&source, "/root", 1).unwrap();
    }
    store.put_document(&write(address, title, content)).unwrap()
}

pub(crate) fn summary<'a>(text: &'a str, by: SummaryAuthor, of: &str) -> NewSummary<'a> {
    NewSummary {
        text,
        by,
        of_hash: BlobId::of(of.as_bytes()),
        vector: None,
    }
}

pub(crate) fn get(store: &dyn DocumentStore, address: &str) -> Document {
    store.document(&path(address)).unwrap().unwrap()
}

pub(crate) fn words(terms: &[&str]) -> LexicalQuery {
    LexicalQuery {
        words: own(terms),
        limit: 100,
        ..LexicalQuery::default()
    }
}

pub(crate) fn own(terms: &[&str]) -> Vec<String> {
    terms.iter().map(|term| (*term).to_owned()).collect()
}

/// Address and position of each hit, sorted.
pub(crate) fn found(store: &dyn DocumentStore, query: &LexicalQuery) -> Vec<(String, i32)> {
    let mut found = ranked(store, query);
    found.sort();
    found
}

/// Address and position of each hit, best first.
pub(crate) fn ranked(store: &dyn DocumentStore, query: &LexicalQuery) -> Vec<(String, i32)> {
    let hits = store.search_lexical(query).unwrap();
    assert!(hits.is_sorted_by(|a, b| a.score >= b.score), "{hits:?}");
    let address = |id| store.documents_by_id(&[id]).unwrap()[0].path.to_string();
    hits.iter()
        .map(|hit| (address(hit.document), hit.position))
        .collect()
}
