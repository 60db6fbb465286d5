//! Renderings: what it takes to put a source together again.

use epitome_core::id::BlobId;
use rusqlite::{Connection, params};

use super::failure::Attempt;
use super::row::{blob_id, execute, parse, query};
use super::{Writer, blob, conversation, queries};
use crate::ErrorKind;
use crate::model::{NewRendering, StoredEdit, StoredRendering};

/// Records a rendering unless its output is known.
pub(super) fn record(writer: &mut Writer<'_>, rendering: &NewRendering<'_>) -> Attempt<()> {
    if conversation::find(writer.connection, &rendering.conversation)?.is_none() {
        let conversation = rendering.conversation.to_string();
        return Err(ErrorKind::UnknownConversation { conversation }.into());
    }
    let added = execute(
        writer.connection,
        queries::RENDERING_INSERT,
        params![
            rendering.conversation.as_str(),
            rendering.output.as_bytes(),
            rendering.output_length,
            rendering.source.as_bytes(),
            rendering.source_length,
            rendering.at_ms
        ],
    )?;
    if added == 0 {
        return Ok(());
    }
    let row = writer.connection.last_insert_rowid();
    for (position, edit) in rendering.edits.iter().enumerate() {
        let (original, _) = blob::put(writer, edit.original)?;
        let params = params![row, position, edit.offset, edit.length, original];
        execute(writer.connection, queries::EDIT_INSERT, params)?;
    }
    Ok(())
}

pub(super) fn list(connection: &Connection, at_most: u64) -> Attempt<Vec<StoredRendering>> {
    let at_most = i64::try_from(at_most).unwrap_or(i64::MAX);
    query(connection, queries::RENDERING_LIST, [at_most], |row| {
        Ok(StoredRendering {
            conversation: parse(&row.get::<_, String>(0)?, 0)?,
            output: blob_id(row, 1)?,
            output_length: row.get(2)?,
            source: blob_id(row, 3)?,
            source_length: row.get(4)?,
            at_ms: row.get(5)?,
        })
    })
}

pub(super) fn edits(connection: &Connection, output: &BlobId) -> Attempt<Vec<StoredEdit>> {
    query(connection, queries::EDIT_LIST, [output.as_bytes()], |row| {
        let (offset, length) = (row.get(0)?, row.get(1)?);
        Ok(StoredEdit {
            offset,
            length,
            original: blob_id(row, 2)?,
        })
    })
}
