//! Sources.

use epitome_core::id::{BlobId, DocumentId};
use rusqlite::{Connection, OptionalExtension, params};

use super::super::failure::Attempt;
use super::super::row::{execute, query};
use super::{index, queries, row};
use crate::ErrorKind;
use crate::documents::model::{Source, SourceTotals};

/// Makes a source known or moves it.
pub(super) fn put(connection: &Connection, name: &str, root: &str, now_ms: i64) -> Attempt<Source> {
    execute(connection, queries::SOURCE_PUT, params![name, root, now_ms])?;
    Ok(known(connection, name)?.1)
}

/// The source with this name.
pub(super) fn find(connection: &Connection, name: &str) -> Attempt<Option<Source>> {
    Ok(numbered(connection, name)?.map(|(_, source)| source))
}

/// Number of a source that must be there.
pub(super) fn number(connection: &Connection, name: &str) -> Attempt<i64> {
    Ok(known(connection, name)?.0)
}

fn known(connection: &Connection, name: &str) -> Attempt<(i64, Source)> {
    numbered(connection, name)?.ok_or_else(|| unknown(name).into())
}

fn numbered(connection: &Connection, name: &str) -> Attempt<Option<(i64, Source)>> {
    let mut statement = connection.prepare_cached(queries::SOURCE_FIND)?;
    Ok(statement.query_row([name], row::source).optional()?)
}

fn unknown(name: &str) -> ErrorKind {
    ErrorKind::UnknownSource {
        name: name.to_owned(),
    }
}

/// All sources with their totals.
pub(super) fn list(connection: &Connection) -> Attempt<Vec<(Source, SourceTotals)>> {
    let sources = query(connection, queries::SOURCE_LIST, [], row::source)?;
    let with_totals = |(number, source)| Ok((source, totals(connection, number)?));
    sources.into_iter().map(with_totals).collect()
}

fn totals(connection: &Connection, number: i64) -> Attempt<SourceTotals> {
    let mut statement = connection.prepare_cached(queries::SOURCE_TOTALS)?;
    Ok(statement.query_row([number], |row| {
        Ok(SourceTotals {
            documents: row.get(0)?,
            without_summary: row.get(1)?,
            stale_summaries: row.get(2)?,
            chunks: row.get(3)?,
            bytes: row.get(4)?,
        })
    })?)
}

/// Notes the end of an import and returns the version.
pub(super) fn finish(
    connection: &Connection,
    name: &str,
    content_moved: bool,
    now_ms: i64,
) -> Attempt<u64> {
    let mut statement = connection.prepare_cached(queries::SOURCE_FINISH)?;
    let version = statement
        .query_row(params![name, content_moved, now_ms], |row| row.get(0))
        .optional()?;
    version.ok_or_else(|| unknown(name).into())
}

/// Sets the overview.
pub(super) fn put_overview(
    connection: &Connection,
    name: &str,
    text: &str,
    key: BlobId,
) -> Attempt<()> {
    let values = params![name, text, key.as_bytes()];
    if execute(connection, queries::SOURCE_OVERVIEW, values)? == 0 {
        return Err(unknown(name).into());
    }
    Ok(())
}

/// Deletes a source with all that belongs to it. The connection overwrites what it deletes; the
/// indexes are written anew, because they only mark what was deleted.
pub(super) fn forget(connection: &Connection, name: &str) -> Attempt<Option<SourceTotals>> {
    let Some((number, _)) = numbered(connection, name)? else {
        return Ok(None);
    };
    let totals = totals(connection, number)?;
    let documents = query(connection, queries::SOURCE_DOCUMENTS, [number], |row| {
        Ok(DocumentId(row.get(0)?))
    })?;
    for document in documents {
        index::remove_document(connection, document)?;
    }
    execute(connection, queries::SOURCE_DELETE_DOCUMENTS, [number])?;
    execute(connection, queries::SOURCE_DELETE_FOLDERS, [number])?;
    execute(connection, queries::SOURCE_DELETE, [number])?;
    index::rewrite(connection)?;
    Ok(Some(totals))
}
