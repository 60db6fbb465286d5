//! One flush, one transaction.

use epitome_core::id::{CallKey, ConversationId};
use rusqlite::{Connection, OptionalExtension, params};

use super::failure::Attempt;
use super::row::execute;
use super::{Writer, blob, conversation, queries, row};
use crate::model::{Flush, FlushedBatch, FlushedCall, FlushedFate};
use crate::standing::Standing;

/// Stores a flush and returns the bytes of originals that were new.
pub(super) fn commit(writer: &mut Writer<'_>, flush: &Flush<'_>) -> Attempt<u64> {
    conversation::refresh(writer.connection, &flush.conversation)?;
    let mut new_bytes = 0;
    for batch in &flush.batches {
        new_bytes += commit_batch(writer, &flush.conversation.id, batch, flush.at_ms)?;
    }
    Ok(new_bytes)
}

/// Stores the calls of a batch that are news. The batch itself is stored at the first of them, so
/// a repeated flush leaves no trace.
fn commit_batch(
    writer: &mut Writer<'_>,
    conversation: &ConversationId,
    batch: &FlushedBatch<'_>,
    at_ms: i64,
) -> Attempt<u64> {
    let mut number = None;
    let mut new_bytes = 0;
    for (position, call) in batch.calls.iter().enumerate() {
        let (standing, old_batch) = standing(writer.connection, conversation, &call.key)?;
        if !standing.is_changed_by(&call.fate) {
            continue;
        }
        let place = match number {
            Some(place) => place,
            None => *number.insert(add_batch(writer.connection, conversation, batch, at_ms)?),
        };
        if let Some(old_batch) = old_batch {
            remove(writer.connection, conversation, &call.key)?;
            if old_batch != place {
                let params = params![conversation.as_str(), old_batch];
                execute(writer.connection, queries::BATCH_DELETE_EMPTY, params)?;
            }
        }
        new_bytes += add_call(writer, conversation, (place, position), call)?;
    }
    Ok(new_bytes)
}

fn standing(
    connection: &Connection,
    conversation: &ConversationId,
    key: &CallKey,
) -> rusqlite::Result<(Standing, Option<u32>)> {
    let mut statement = connection.prepare_cached(queries::CALL_STANDING)?;
    let found = statement
        .query_row(
            params![key.id, conversation.as_str(), key.occurrence],
            |row| {
                let reason = row::left_reason(row, 0)?;
                Ok((
                    reason.map_or(Standing::Kept, Standing::Left),
                    Some(row.get(1)?),
                ))
            },
        )
        .optional()?;
    Ok(found.unwrap_or((Standing::Absent, None)))
}

fn add_batch(
    connection: &Connection,
    conversation: &ConversationId,
    batch: &FlushedBatch<'_>,
    at_ms: i64,
) -> rusqlite::Result<u32> {
    let number = connection
        .prepare_cached(queries::BATCH_NEXT)?
        .query_row([conversation.as_str()], |row| row.get(0))?;
    execute(
        connection,
        queries::BATCH_INSERT,
        params![
            conversation.as_str(),
            number,
            batch.turn,
            at_ms,
            batch.summary,
            batch.raw_chars,
            batch.summary_chars
        ],
    )?;
    Ok(number)
}

fn remove(
    connection: &Connection,
    conversation: &ConversationId,
    key: &CallKey,
) -> rusqlite::Result<usize> {
    let params = params![key.id, conversation.as_str(), key.occurrence];
    execute(connection, queries::CALL_DELETE, params)
}

fn add_call(
    writer: &mut Writer<'_>,
    conversation: &ConversationId,
    (batch, position): (u32, usize),
    call: &FlushedCall<'_>,
) -> Attempt<u64> {
    let (reason, kept) = match &call.fate {
        FlushedFate::Left(reason) => (Some(reason.name()), None),
        FlushedFate::Kept(kept) => (None, Some(kept)),
    };
    let args = kept.map(|kept| blob::put(writer, kept.args)).transpose()?;
    let result = kept
        .map(|kept| blob::put(writer, kept.result))
        .transpose()?;
    execute(
        writer.connection,
        queries::CALL_INSERT,
        params![
            conversation.as_str(),
            batch,
            position,
            call.key.id,
            call.key.occurrence,
            call.tool,
            call.is_error,
            call.timestamp,
            call.lines,
            call.bytes,
            reason,
            kept.map(|kept| kept.short.number()),
            kept.map(|kept| kept.duplicate),
            kept.map(|kept| &kept.content_hash),
            args.map(|(row, _)| row),
            result.map(|(row, _)| row),
            kept.map(|kept| &kept.bullets),
            kept.map(|kept| &kept.rendering),
        ],
    )?;
    let new_bytes = |stored: Option<(i64, u64)>| stored.map_or(0, |(_, bytes)| bytes);
    Ok(new_bytes(args) + new_bytes(result))
}
