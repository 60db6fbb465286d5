//! Summaries of documents and their chunks at position -1.

use epitome_core::id::{ChunkId, DocumentId};
use rusqlite::{Connection, params};

use super::super::failure::Attempt;
use super::super::row::execute;
use super::document::{self, Standing};
use super::index::{self, Indexed};
use super::{chunk, queries, row, vector};
use crate::documents::model::NewSummary;

/// Sets a summary. A fresh one is in the index, with its vector.
pub(super) fn put(
    connection: &Connection,
    id: DocumentId,
    summary: &NewSummary<'_>,
) -> Attempt<()> {
    let standing = document::standing(connection, id)?;
    remove_chunk(connection, id)?;
    execute(
        connection,
        queries::DOCUMENT_SET_SUMMARY,
        params![
            id.0,
            summary.text,
            row::author_name(summary.by),
            summary.of_hash.as_bytes()
        ],
    )?;
    if summary.of_hash == standing.content_hash {
        let chunk = add_chunk(connection, id, &standing.title, summary.text)?;
        if let Some((model, numbers)) = summary.vector {
            vector::put(connection, model, &[(chunk, numbers)])?;
        }
    }
    Ok(())
}

/// Takes a summary away.
pub(super) fn reset(connection: &Connection, id: DocumentId) -> Attempt<()> {
    document::standing(connection, id)?;
    remove_chunk(connection, id)?;
    let nothing = rusqlite::types::Null;
    execute(
        connection,
        queries::DOCUMENT_SET_SUMMARY,
        params![id.0, nothing, nothing, nothing],
    )?;
    Ok(())
}

/// Makes the index agree with a document whose content or title may have changed: a fresh summary
/// is in it under the present title and keeps its vector, a stale one is not.
pub(super) fn refresh_chunk(connection: &Connection, id: DocumentId) -> Attempt<()> {
    let Standing {
        title,
        content_hash,
        summary,
    } = document::standing(connection, id)?;
    let fresh = summary.filter(|(_, of_hash)| *of_hash == content_hash);
    let known = document::summary_chunk(connection, id)?;
    match (fresh, known) {
        (None, None) => Ok(()),
        (None, Some(_)) => remove_chunk(connection, id),
        (Some((text, _)), None) => add_chunk(connection, id, &title, &text).map(drop),
        (Some((text, _)), Some(chunk)) => {
            index::remove(connection, chunk)?;
            index::add(connection, chunk, indexed(&title, &text))
        }
    }
}

fn add_chunk(connection: &Connection, id: DocumentId, title: &str, text: &str) -> Attempt<ChunkId> {
    let chunk = chunk::insert_row(connection, id, -1, 0..0, "")?;
    index::add(connection, chunk, indexed(title, text))?;
    Ok(chunk)
}

fn remove_chunk(connection: &Connection, id: DocumentId) -> Attempt<()> {
    if let Some(chunk) = document::summary_chunk(connection, id)? {
        index::remove(connection, chunk)?;
        execute(connection, queries::CHUNK_DELETE, params![id.0, -1])?;
    }
    Ok(())
}

fn indexed<'a>(title: &'a str, text: &'a str) -> Indexed<'a> {
    Indexed {
        title,
        trail: "",
        text,
    }
}
