//! Forgetting a conversation so that its bytes are gone from the disk.

use epitome_core::id::ConversationId;
use rusqlite::ffi::{self, SQLITE_BUSY};
use rusqlite::{Connection, OptionalExtension};

use super::failure::Attempt;
use super::row::{execute, query};
use super::{conversation, queries};
use crate::model::Forgotten;

/// Deletes a conversation and the originals that nothing else needs. The connection overwrites
/// what it deletes.
pub(super) fn delete(connection: &Connection, id: &ConversationId) -> Attempt<Option<Forgotten>> {
    if conversation::find(connection, id)?.is_none() {
        return Ok(None);
    }
    let candidates: Vec<i64> = query(
        connection,
        queries::FORGET_CANDIDATES,
        [id.as_str()],
        |row| row.get(0),
    )?;
    let mut refs = connection.prepare_cached(queries::FORGET_REFS)?;
    let refs = refs.query_row([id.as_str()], |row| row.get(0))?;
    execute(connection, queries::FORGET_CONVERSATION, [id.as_str()])?;

    let mut forgotten = Forgotten {
        refs,
        ..Forgotten::default()
    };
    let mut delete = connection.prepare_cached(queries::FORGET_BLOB)?;
    for blob in candidates {
        let deleted: Option<u64> = delete.query_row([blob], |row| row.get(0)).optional()?;
        if let Some(bytes) = deleted {
            forgotten.blobs += 1;
            forgotten.bytes += bytes;
        }
    }
    Ok(Some(forgotten))
}

/// Moves the write-ahead log into the file and empties it: until then it holds what was deleted.
///
/// Fails as busy while another process reads an older state. The deletion stands then, and
/// forgetting once more finishes this step.
pub(super) fn erase_log(connection: &Connection) -> Attempt<()> {
    let blocked: bool =
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    if blocked {
        return Err(rusqlite::Error::SqliteFailure(ffi::Error::new(SQLITE_BUSY), None).into());
    }
    Ok(())
}
