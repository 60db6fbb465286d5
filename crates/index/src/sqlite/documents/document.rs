//! Documents.

use epitome_core::id::{BlobId, ChunkId, DocumentId};
use rusqlite::{Connection, OptionalExtension, params};

use super::super::Writer;
use super::super::failure::Attempt;
use super::super::row::{blob_id, execute, query};
use super::index::{self, Indexed};
use super::{chunk, content, queries, row, source, summary};
use crate::ErrorKind;
use crate::documents::model::{Document, DocumentPath, DocumentWrite};

/// What decides which index entries of a document stay.
pub(super) struct Standing {
    pub(super) title: String,
    pub(super) content_hash: BlobId,
    /// Text of the summary, with the hash that it was made from.
    pub(super) summary: Option<(String, BlobId)>,
}

/// What stands of a document.
pub(super) fn standing(connection: &Connection, id: DocumentId) -> Attempt<Standing> {
    let mut statement = connection.prepare_cached(queries::DOCUMENT_STANDING)?;
    let standing = statement
        .query_row([id.0], |row| {
            let summary = match row.get(2)? {
                Some(text) => Some((text, blob_id(row, 3)?)),
                None => None,
            };
            Ok(Standing {
                title: row.get(0)?,
                content_hash: blob_id(row, 1)?,
                summary,
            })
        })
        .optional()?;
    standing.ok_or_else(|| unknown(id).into())
}

pub(super) fn unknown(id: DocumentId) -> ErrorKind {
    ErrorKind::UnknownDocument { id: id.0 }
}

/// Stores a document with its chunks and their index entries.
pub(super) fn put(writer: &mut Writer<'_>, write: &DocumentWrite<'_>) -> Attempt<DocumentId> {
    let connection = writer.connection;
    let number = source::number(connection, write.path.source())?;
    let values = params![
        number,
        write.path.path(),
        write.title,
        write.date,
        write.kind,
        write.content_hash.as_bytes(),
        write.content.chars().count(),
        write.content.len(),
        write.file_bytes,
        write.file_modified_ms,
    ];
    let id = if let Some(known) = find_id(connection, &write.path)? {
        chunk::remove_body(connection, known)?;
        execute(connection, queries::DOCUMENT_UPDATE, values)?;
        known
    } else {
        let mut insert = connection.prepare_cached(queries::DOCUMENT_INSERT)?;
        DocumentId(insert.insert(values)?.cast_unsigned())
    };
    content::put(writer, id, write.content)?;
    for (position, new) in (0..).zip(&write.chunks) {
        chunk::insert(connection, id, position, new, write)?;
    }
    summary::refresh_chunk(connection, id)?;
    Ok(id)
}

/// Gives a document another address and title.
pub(super) fn relocate(
    connection: &Connection,
    id: DocumentId,
    write: &DocumentWrite<'_>,
) -> Attempt<()> {
    let before = standing(connection, id)?;
    let number = source::number(connection, write.path.source())?;
    if find_id(connection, &write.path)?.is_some_and(|other| other != id) {
        return Err(ErrorKind::PathTaken {
            path: write.path.to_string(),
        }
        .into());
    }
    execute(
        connection,
        queries::DOCUMENT_MOVE,
        params![
            id.0,
            number,
            write.path.path(),
            write.title,
            write.date,
            write.file_bytes,
            write.file_modified_ms
        ],
    )?;
    if before.title != write.title {
        for chunk in chunk::of_document(connection, id)? {
            index::remove(connection, chunk.id)?;
            let indexed = Indexed {
                title: write.title,
                trail: &chunk.trail,
                text: &chunk.text,
            };
            index::add(connection, chunk.id, indexed)?;
        }
    }
    Ok(())
}

/// Notes the facts of an unchanged file.
pub(super) fn touch(
    connection: &Connection,
    id: DocumentId,
    file_bytes: u64,
    file_modified_ms: i64,
    date: Option<&str>,
) -> Attempt<()> {
    let values = params![id.0, file_bytes, file_modified_ms, date];
    expect_one(id, execute(connection, queries::DOCUMENT_TOUCH, values)?)
}

/// Sets the date by the owner's hand.
pub(super) fn set_date(connection: &Connection, id: DocumentId, date: &str) -> Attempt<()> {
    let values = params![id.0, date];
    expect_one(id, execute(connection, queries::DOCUMENT_SET_DATE, values)?)
}

fn expect_one(id: DocumentId, changed: usize) -> Attempt<()> {
    if changed == 0 {
        return Err(unknown(id).into());
    }
    Ok(())
}

/// Deletes a document with all that belongs to it.
pub(super) fn prune(connection: &Connection, id: DocumentId) -> Attempt<()> {
    index::remove_document(connection, id)?;
    execute(connection, queries::DOCUMENT_DELETE, [id.0])?;
    Ok(())
}

/// A page of documents by path.
pub(super) fn list(
    connection: &Connection,
    source: Option<&str>,
    after: Option<&DocumentPath>,
    limit: usize,
) -> Attempt<Vec<Document>> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let (after_source, after_path) = after.map_or(("", ""), |after| (after.source(), after.path()));
    let Some(source) = source else {
        let values = params![after_source, after_path, limit];
        return query(connection, queries::DOCUMENT_LIST, values, row::document);
    };
    // Another source comes before or after this one as a whole.
    let after_path = match source.cmp(after_source) {
        std::cmp::Ordering::Less => return Ok(Vec::new()),
        std::cmp::Ordering::Equal => after_path,
        std::cmp::Ordering::Greater => "",
    };
    let values = params![source, after_path, limit];
    query(
        connection,
        queries::DOCUMENT_LIST_OF_SOURCE,
        values,
        row::document,
    )
}

/// The document with this address.
pub(super) fn find(connection: &Connection, path: &DocumentPath) -> Attempt<Option<Document>> {
    let mut statement = connection.prepare_cached(queries::DOCUMENT_BY_PATH)?;
    Ok(statement
        .query_row([path.source(), path.path()], row::document)
        .optional()?)
}

fn find_id(connection: &Connection, path: &DocumentPath) -> Attempt<Option<DocumentId>> {
    Ok(find(connection, path)?.map(|document| document.id))
}

/// The documents with these ids, unknown ones left out.
pub(super) fn by_id(connection: &Connection, ids: &[DocumentId]) -> Attempt<Vec<Document>> {
    let mut statement = connection.prepare_cached(queries::DOCUMENT_BY_ID)?;
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        found.extend(statement.query_row([id.0], row::document).optional()?);
    }
    Ok(found)
}

/// The summary chunk of a document, if it is in the index.
pub(super) fn summary_chunk(connection: &Connection, id: DocumentId) -> Attempt<Option<ChunkId>> {
    let mut statement = connection.prepare_cached(queries::CHUNK_FIND)?;
    Ok(statement
        .query_row(params![id.0, -1], |row| Ok(ChunkId(row.get(0)?)))
        .optional()?)
}
