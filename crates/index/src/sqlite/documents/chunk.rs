//! Chunks: byte ranges of their document's text.

use std::collections::HashMap;
use std::ops::Range;

use epitome_core::id::{ChunkId, DocumentId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::super::failure::Attempt;
use super::super::row::{execute, query};
use super::index::{self, Indexed};
use super::{content, document, queries};
use crate::ErrorKind;
use crate::documents::model::{DocumentWrite, NewChunk, StoredChunk};

/// Adds a chunk and makes it findable.
pub(super) fn insert(
    connection: &Connection,
    document: DocumentId,
    position: i32,
    new: &NewChunk<'_>,
    write: &DocumentWrite<'_>,
) -> Attempt<()> {
    let text = write.content.get(new.range.clone());
    let text = text.ok_or_else(|| ErrorKind::ChunkRange {
        path: write.path.to_string(),
        start: new.range.start,
        end: new.range.end,
    })?;
    let id = insert_row(connection, document, position, new.range.clone(), new.trail)?;
    let indexed = Indexed {
        title: write.title,
        trail: new.trail,
        text,
    };
    index::add(connection, id, indexed)
}

/// Adds the row of a chunk alone.
pub(super) fn insert_row(
    connection: &Connection,
    document: DocumentId,
    position: i32,
    range: Range<usize>,
    trail: &str,
) -> Attempt<ChunkId> {
    let mut statement = connection.prepare_cached(queries::CHUNK_INSERT)?;
    let values = params![document.0, position, range.start, range.end, trail];
    let row = statement.insert(values)?;
    Ok(ChunkId(row.cast_unsigned()))
}

/// Reads the columns of the `chunk_*` queries; the text comes later.
fn without_text(row: &Row<'_>) -> rusqlite::Result<StoredChunk> {
    Ok(StoredChunk {
        id: ChunkId(row.get(0)?),
        document: DocumentId(row.get(1)?),
        position: row.get(2)?,
        range: row.get(3)?..row.get(4)?,
        trail: row.get(5)?,
        text: String::new(),
    })
}

/// Deletes the chunks of a document but for its summary.
pub(super) fn remove_body(connection: &Connection, id: DocumentId) -> Attempt<()> {
    for chunk in query(connection, queries::CHUNK_LIST, [id.0], without_text)? {
        if chunk.position >= 0 {
            index::remove(connection, chunk.id)?;
        }
    }
    execute(connection, queries::CHUNK_DELETE_BODY, [id.0])?;
    Ok(())
}

/// Chunks of a document by position.
pub(super) fn of_document(connection: &Connection, id: DocumentId) -> Attempt<Vec<StoredChunk>> {
    let chunks = query(connection, queries::CHUNK_LIST, [id.0], without_text)?;
    with_texts(connection, chunks)
}

/// The chunks with these ids, unknown ones left out.
pub(super) fn by_id(connection: &Connection, ids: &[ChunkId]) -> Attempt<Vec<StoredChunk>> {
    let mut statement = connection.prepare_cached(queries::CHUNK_BY_ID)?;
    let mut chunks = Vec::with_capacity(ids.len());
    for id in ids {
        chunks.extend(statement.query_row([id.0], without_text).optional()?);
    }
    with_texts(connection, chunks)
}

/// A page of chunks that lack a vector of a model.
pub(super) fn without_vector(
    connection: &Connection,
    model: &str,
    after: Option<ChunkId>,
    limit: usize,
) -> Attempt<Vec<StoredChunk>> {
    let after = after.map_or(0, |id| id.0);
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let chunks = query(
        connection,
        queries::CHUNK_WITHOUT_VECTOR,
        params![model, after, limit],
        without_text,
    )?;
    with_texts(connection, chunks)
}

/// Number of chunks.
pub(super) fn count(connection: &Connection, source: Option<&str>) -> Attempt<u64> {
    let sql = match source {
        Some(_) => queries::CHUNK_COUNT_OF_SOURCE,
        None => queries::CHUNK_COUNT,
    };
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row(rusqlite::params_from_iter(source), |row| row.get(0))?)
}

/// Chunks of a document whose texts were read already.
pub(super) fn of_text(
    connection: &Connection,
    id: DocumentId,
    text: &str,
    summary: &str,
) -> Attempt<Vec<StoredChunk>> {
    let mut chunks = query(connection, queries::CHUNK_LIST, [id.0], without_text)?;
    for chunk in &mut chunks {
        fill(chunk, text, summary)?;
    }
    Ok(chunks)
}

/// Cuts the texts of chunks; each document is unpacked once.
fn with_texts(connection: &Connection, mut chunks: Vec<StoredChunk>) -> Attempt<Vec<StoredChunk>> {
    let mut of_document: HashMap<DocumentId, Vec<usize>> = HashMap::new();
    for (index, chunk) in chunks.iter().enumerate() {
        of_document.entry(chunk.document).or_default().push(index);
    }
    for (id, indexes) in of_document {
        let has = |wanted: fn(i32) -> bool| indexes.iter().any(|i| wanted(chunks[*i].position));
        let summary = if has(|position| position < 0) {
            document::standing(connection, id)?.summary
        } else {
            None
        };
        let text = if has(|position| position >= 0) {
            content::of(connection, id)?
        } else {
            String::new()
        };
        let summary = summary.map_or_else(String::new, |(text, _)| text);
        for index in indexes {
            fill(&mut chunks[index], &text, &summary)?;
        }
    }
    Ok(chunks)
}

fn fill(chunk: &mut StoredChunk, text: &str, summary: &str) -> Attempt<()> {
    if chunk.position < 0 {
        summary.clone_into(&mut chunk.text);
        return Ok(());
    }
    let text = text.get(chunk.range.clone());
    let text = text.ok_or_else(|| ErrorKind::DamagedText {
        id: chunk.document.0,
        reason: "a chunk reaches beyond it".to_owned(),
    })?;
    text.clone_into(&mut chunk.text);
    Ok(())
}
