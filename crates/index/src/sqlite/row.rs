//! From rows to the model, and the one way to run a query.

use std::str::FromStr;

use epitome_core::id::{BlobId, CallKey, ShortRef};
use rusqlite::types::Type;
use rusqlite::{Connection, Params, Row};

use super::failure::Attempt;
use crate::model::{Conversation, LeftReason, StoredCall, StoredFate};

/// Runs a query and reads all of its rows. Statements are prepared once per connection.
pub(super) fn query<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Attempt<Vec<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params, read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Runs a statement that returns no rows and tells how many rows it changed.
pub(super) fn execute(
    connection: &Connection,
    sql: &str,
    params: impl Params,
) -> rusqlite::Result<usize> {
    connection.prepare_cached(sql)?.execute(params)
}

/// Reads the columns `id, format, session_id, title, parent, created_ms`.
pub(super) fn conversation(row: &Row<'_>) -> rusqlite::Result<Conversation> {
    let parent: Option<String> = row.get(4)?;
    Ok(Conversation {
        id: parse(&row.get::<_, String>(0)?, 0)?,
        format: row.get(1)?,
        session_id: row.get(2)?,
        title: row.get(3)?,
        parent: parent.map(|id| parse(&id, 4)).transpose()?,
        created_ms: row.get(5)?,
    })
}

/// Reads the columns of the `call_*` queries.
pub(super) fn call(row: &Row<'_>) -> rusqlite::Result<StoredCall> {
    Ok(StoredCall {
        conversation: parse(&row.get::<_, String>(0)?, 0)?,
        key: CallKey {
            id: row.get(1)?,
            occurrence: row.get(2)?,
        },
        batch: row.get(3)?,
        turn: row.get(4)?,
        tool: row.get(5)?,
        is_error: row.get(6)?,
        timestamp: row.get(7)?,
        lines: row.get(8)?,
        bytes: row.get(9)?,
        fate: fate(row)?,
    })
}

fn fate(row: &Row<'_>) -> rusqlite::Result<StoredFate> {
    if let Some(reason) = left_reason(row, 10)? {
        return Ok(StoredFate::Left(reason));
    }
    let number: u32 = row.get(11)?;
    Ok(StoredFate::Kept {
        short: ShortRef::new(number).ok_or_else(|| malformed(11, "a short ref is 0"))?,
        duplicate: row.get(12)?,
        content_hash: row.get(13)?,
        args: blob_id(row, 14)?,
        result: blob_id(row, 15)?,
        bullets: row.get(16)?,
        rendering: row.get(17)?,
    })
}

/// Reads why a call was left, `None` for a kept one.
pub(super) fn left_reason(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<LeftReason>> {
    let name: Option<String> = row.get(index)?;
    let known = |name: String| {
        LeftReason::from_name(&name)
            .ok_or_else(|| malformed(index, format!("`{name}` is no reason to leave a call")))
    };
    name.map(known).transpose()
}

/// Reads an address.
pub(super) fn blob_id(row: &Row<'_>, index: usize) -> rusqlite::Result<BlobId> {
    Ok(BlobId::from_bytes(row.get(index)?))
}

/// Parses an id as it was stored.
pub(super) fn parse<T>(text: &str, index: usize) -> rusqlite::Result<T>
where
    T: FromStr,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    text.parse()
        .map_err(|error: T::Err| malformed(index, error))
}

fn malformed(
    index: usize,
    error: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(index, Type::Text, error.into())
}
