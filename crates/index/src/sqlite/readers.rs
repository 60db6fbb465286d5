//! Connections that read beside the writer.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rusqlite::Connection;

use super::failure::raise;
use super::{Attempt, open};
use crate::Result;

/// Idle connections that are kept; more threads than this read at once, but rarely.
const KEPT: usize = 16;

/// Reading connections: each is used by one thread at a time and made when none is idle, so readers
/// wait neither for a writer nor for each other.
pub(super) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    /// Makes an empty pool for the store at this path.
    pub(super) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            idle: Mutex::new(Vec::new()),
        }
    }

    /// Runs work in one snapshot of the store.
    pub(super) fn read<T>(&self, work: impl FnOnce(&Connection) -> Attempt<T>) -> Result<T> {
        let idle = self.lock().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => open::open_readable(&self.path)?,
        };
        let done = in_snapshot(&connection, work);
        // A connection that failed may hold a broken view of the file.
        if done.is_ok() {
            let mut idle = self.lock();
            if idle.len() < KEPT {
                idle.push(connection);
            }
        }
        done.map_err(|failure| raise(&self.path, failure))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn in_snapshot<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Attempt<T>,
) -> Attempt<T> {
    let snapshot = connection.unchecked_transaction()?;
    let done = work(&snapshot)?;
    snapshot.commit()?;
    Ok(done)
}
