//! Conversations with their batches and calls.

use epitome_core::id::{ConversationId, ShortRef};
use rusqlite::{Connection, OptionalExtension, params};

use super::failure::Attempt;
use super::row::{execute, query};
use super::{queries, row};
use crate::model::{Conversation, ConversationSummary, StoredBatch, StoredCall};

/// Makes a conversation known, or refreshes its title and fills in its parent.
pub(super) fn put(connection: &Connection, conversation: &Conversation) -> Attempt<()> {
    write(connection, queries::CONVERSATION_PUT, conversation)
}

/// Makes a conversation known, or refreshes its title.
pub(super) fn refresh(connection: &Connection, conversation: &Conversation) -> Attempt<()> {
    write(connection, queries::CONVERSATION_REFRESH, conversation)
}

fn write(connection: &Connection, sql: &str, conversation: &Conversation) -> Attempt<()> {
    execute(
        connection,
        sql,
        params![
            conversation.id.as_str(),
            conversation.format,
            conversation.session_id,
            conversation.title,
            conversation.parent.as_ref().map(ConversationId::as_str),
            conversation.created_ms
        ],
    )?;
    Ok(())
}

pub(super) fn find(connection: &Connection, id: &ConversationId) -> Attempt<Option<Conversation>> {
    let mut statement = connection.prepare_cached(queries::CONVERSATION_FIND)?;
    Ok(statement
        .query_row([id.as_str()], row::conversation)
        .optional()?)
}

pub(super) fn list(
    connection: &Connection,
    after: Option<&ConversationId>,
    limit: usize,
) -> Attempt<Vec<ConversationSummary>> {
    // Every id comes after the empty text.
    let after = after.map_or("", ConversationId::as_str);
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    query(
        connection,
        queries::CONVERSATION_LIST,
        params![after, limit],
        |row| {
            Ok(ConversationSummary {
                conversation: row::conversation(row)?,
                batches: row.get(6)?,
                refs: row.get(7)?,
                original_bytes: row.get(8)?,
                updated_ms: row.get(9)?,
            })
        },
    )
}

pub(super) fn batches(
    connection: &Connection,
    conversation: &ConversationId,
) -> Attempt<Vec<StoredBatch>> {
    query(
        connection,
        queries::BATCH_LIST,
        [conversation.as_str()],
        |row| {
            Ok(StoredBatch {
                number: row.get(0)?,
                turn: row.get(1)?,
                at_ms: row.get(2)?,
                summary: row.get(3)?,
                raw_chars: row.get(4)?,
                summary_chars: row.get(5)?,
            })
        },
    )
}

pub(super) fn calls(
    connection: &Connection,
    conversation: &ConversationId,
) -> Attempt<Vec<StoredCall>> {
    query(
        connection,
        queries::CALL_LIST,
        [conversation.as_str()],
        row::call,
    )
}

pub(super) fn calls_by_ref(
    connection: &Connection,
    conversation: Option<&ConversationId>,
    short: ShortRef,
) -> Attempt<Vec<StoredCall>> {
    let number = short.number();
    match conversation {
        Some(id) => query(
            connection,
            queries::CALL_BY_REF,
            params![number, id.as_str()],
            row::call,
        ),
        None => query(
            connection,
            queries::CALL_BY_REF_ANYWHERE,
            [number],
            row::call,
        ),
    }
}

pub(super) fn calls_by_provider_id(
    connection: &Connection,
    conversation: Option<&ConversationId>,
    id: &str,
) -> Attempt<Vec<StoredCall>> {
    match conversation {
        Some(conversation) => {
            let params = [id, conversation.as_str()];
            query(connection, queries::CALL_BY_PROVIDER_ID, params, row::call)
        }
        None => query(
            connection,
            queries::CALL_BY_PROVIDER_ID_ANYWHERE,
            [id],
            row::call,
        ),
    }
}
