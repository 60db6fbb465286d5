//! Folders with a summary.

use rusqlite::{Connection, params};

use super::super::failure::Attempt;
use super::super::row::{blob_id, execute, query};
use super::{queries, source};
use crate::documents::model::Folder;

/// Folders of a source by path.
pub(super) fn list(connection: &Connection, source: &str) -> Attempt<Vec<Folder>> {
    query(connection, queries::FOLDER_LIST, [source], |row| {
        Ok(Folder {
            path: row.get(0)?,
            summary: row.get(1)?,
            key: blob_id(row, 2)?,
        })
    })
}

/// Sets the summary of a folder.
pub(super) fn put(connection: &Connection, source: &str, folder: &Folder) -> Attempt<()> {
    let number = source::number(connection, source)?;
    let values = params![number, folder.path, folder.summary, folder.key.as_bytes()];
    execute(connection, queries::FOLDER_PUT, values)?;
    Ok(())
}

/// Deletes folders that hold no document.
pub(super) fn prune(connection: &Connection, source: &str) -> Attempt<u64> {
    let number = source::number(connection, source)?;
    Ok(execute(connection, queries::FOLDER_PRUNE, [number])? as u64)
}
