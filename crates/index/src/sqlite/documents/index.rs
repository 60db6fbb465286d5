//! What the indexes hold about a chunk.

use epitome_core::bigram::{bigrams, other_scripts, without_ideographs};
use epitome_core::id::{ChunkId, DocumentId};
use rusqlite::{Connection, params};

use super::super::failure::Attempt;
use super::super::row::{execute, query};
use super::queries;

/// What is searched of a chunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Indexed<'a> {
    /// Title of its document.
    pub(super) title: &'a str,
    /// Headings above it.
    pub(super) trail: &'a str,
    /// Its text.
    pub(super) text: &'a str,
}

impl Indexed<'_> {
    fn segmented(&self, segment: fn(&str) -> String) -> String {
        let parts = [self.title, self.trail, self.text].map(segment);
        let parts = parts.iter().filter(|part| !part.is_empty());
        parts.map(String::as_str).collect::<Vec<_>>().join(" ")
    }
}

/// Makes a chunk findable.
pub(super) fn add(connection: &Connection, id: ChunkId, indexed: Indexed<'_>) -> Attempt<()> {
    let pairs = indexed.segmented(bigrams);
    let [title, trail, text] = [indexed.title, indexed.trail, indexed.text].map(without_ideographs);
    execute(
        connection,
        queries::FTS_INSERT,
        params![id.0, title, trail, text, pairs],
    )?;
    let other = indexed.segmented(other_scripts);
    if !other.is_empty() {
        execute(connection, queries::TRI_INSERT, params![id.0, other])?;
    }
    Ok(())
}

/// Takes a chunk out of the indexes.
pub(super) fn remove(connection: &Connection, id: ChunkId) -> Attempt<()> {
    execute(connection, queries::FTS_DELETE, [id.0])?;
    execute(connection, queries::TRI_DELETE, [id.0])?;
    Ok(())
}

/// Takes all chunks of a document out of the indexes.
pub(super) fn remove_document(connection: &Connection, document: DocumentId) -> Attempt<()> {
    let chunks = query(connection, queries::CHUNK_LIST, [document.0], |row| {
        Ok(ChunkId(row.get(0)?))
    })?;
    chunks.into_iter().try_for_each(|id| remove(connection, id))
}

/// Writes the indexes anew, without the entries of deleted chunks.
pub(super) fn rewrite(connection: &Connection) -> Attempt<()> {
    Ok(connection.execute_batch(
        "INSERT INTO chunks_fts (chunks_fts) VALUES ('optimize');
         INSERT INTO chunks_tri (chunks_tri) VALUES ('optimize');",
    )?)
}
