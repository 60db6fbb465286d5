//! Tests of what only the store on disk does.

mod documents;
mod erase;
mod faults;
mod opening;
mod plans;
mod processes;

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use tempfile::TempDir;

use crate::SqliteStore;

/// A folder of its own with a path for a store.
fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    (folder, path)
}

/// Changes a closed store behind its back.
fn tamper(path: &Path, sql: &str) {
    let connection = Connection::open(path).unwrap();
    connection
        .pragma_update(None, "foreign_keys", false)
        .unwrap();
    connection.execute_batch(sql).unwrap();
}

/// Runs SQL on the connection of an open store.
fn within(store: &SqliteStore, sql: &str) {
    store.session().connection.execute_batch(sql).unwrap();
}
