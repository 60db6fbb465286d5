//! The store on disk: one `SQLite` file in write-ahead mode.
//!
//! One connection behind a lock serves the writers of this process and the readers of conversations;
//! readers of documents have connections of their own, so that no import keeps them waiting. Other
//! processes are waited for, up to the busy timeout. A method is one transaction.

mod blob;
mod check;
mod conversation;
mod documents;
mod failure;
mod flush;
mod forget;
mod import_lock;
mod migrate;
mod open;
mod place;
mod queries;
mod readers;
mod rendering;
mod row;

#[cfg(test)]
mod tests;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use epitome_core::id::{BlobId, ConversationId, ShortRef};
use rusqlite::{Connection, TransactionBehavior};

use crate::model::{
    CheckReport, Conversation, ConversationSummary, Flush, Forgotten, NewRendering, StoredBatch,
    StoredCall, StoredEdit, StoredRendering,
};
use crate::{Result, Store};
use blob::Packer;
use failure::{Attempt, raise};
use readers::Readers;

/// Growth of the write-ahead log after which it is moved into the file.
const LOG_LIMIT: u64 = 16 << 20;

/// How long that waits for readers of an older state.
const LOG_PATIENCE: Duration = Duration::from_millis(200);

/// Keeps everything in one `SQLite` file.
pub struct SqliteStore {
    path: PathBuf,
    session: Mutex<Session>,
    readers: Readers,
}

struct Session {
    connection: Connection,
    packer: Packer,
    /// Bytes of the write-ahead log beyond which it is moved into the file.
    log_limit: u64,
}

/// An open write transaction with what packs originals.
struct Writer<'a> {
    connection: &'a Connection,
    packer: &'a mut Packer,
}

impl SqliteStore {
    /// Opens the store for reading and writing, makes it where there is none.
    ///
    /// Missing folders are made with mode 0700, the file has mode 0600; the mode of an existing
    /// folder is never changed. A store of a newer version is refused and stays untouched.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Ok(Self::over(path, open::open_writable(path)?))
    }

    /// Opens an existing store for reading, also where its file or folder is read-only.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Ok(Self::over(path, open::open_readable(path)?))
    }

    fn over(path: &Path, connection: Connection) -> Self {
        let session = Session {
            connection,
            packer: Packer::new(),
            log_limit: LOG_LIMIT,
        };
        Self {
            path: path.to_owned(),
            session: Mutex::new(session),
            readers: Readers::new(path),
        }
    }

    /// A panic under the lock has rolled its transaction back, so a poisoned lock is used on.
    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read<T>(&self, work: impl FnOnce(&Connection) -> Attempt<T>) -> Result<T> {
        work(&self.session().connection).map_err(|failure| raise(&self.path, failure))
    }

    /// Runs work in one transaction that takes the write lock at once, so that it never has to be
    /// given up half way because another process wrote in between.
    fn write<T>(&self, work: impl FnOnce(&mut Writer<'_>) -> Attempt<T>) -> Result<T> {
        self.session()
            .write(work)
            .map_err(|failure| raise(&self.path, failure))
    }
}

impl Session {
    fn write<T>(&mut self, work: impl FnOnce(&mut Writer<'_>) -> Attempt<T>) -> Attempt<T> {
        let Self {
            connection, packer, ..
        } = self;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = work(&mut Writer {
            connection: &transaction,
            packer,
        })?;
        transaction.commit()?;
        packer.shrink();
        Ok(done)
    }

    /// Moves the write-ahead log into the file once it has grown, because readers that come and go
    /// without a pause keep the engine from starting it anew by itself.
    ///
    /// A reader that stays may be in the way. Then the log grows on, and the next try comes after
    /// as much again was written.
    fn bound_log(&mut self, path: &Path) {
        let length = |path: &Path| std::fs::metadata(path).map_or(0, |found| found.len());
        let log = place::log_path(path);
        if length(&log) > self.log_limit {
            self.shorten_log();
            self.log_limit = length(&log) + LOG_LIMIT;
        }
    }

    /// Moves the write-ahead log into the file and empties it, as far as readers let it.
    fn shorten_log(&mut self) {
        // What is left in the log is safe there, so a failure needs no report.
        let _ = self.connection.busy_timeout(LOG_PATIENCE);
        let _ = self
            .connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let _ = self.connection.busy_timeout(open::BUSY_TIMEOUT);
    }

    /// Writes and syncs the log: this commit, and all before it, survive a loss of power.
    fn write_synced<T>(&mut self, work: impl FnOnce(&mut Writer<'_>) -> Attempt<T>) -> Attempt<T> {
        self.connection.execute_batch("PRAGMA synchronous = FULL")?;
        let done = self.write(work);
        self.connection
            .execute_batch("PRAGMA synchronous = NORMAL")?;
        done
    }
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl Store for SqliteStore {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn commit_flush(&self, flush: &Flush<'_>) -> Result<u64> {
        self.write(|writer| flush::commit(writer, flush))
    }

    fn put_conversation(&self, conversation: &Conversation) -> Result<()> {
        self.write(|writer| conversation::put(writer.connection, conversation))
    }

    fn conversation(&self, id: &ConversationId) -> Result<Option<Conversation>> {
        self.read(|connection| conversation::find(connection, id))
    }

    fn conversations(
        &self,
        after: Option<&ConversationId>,
        limit: usize,
    ) -> Result<Vec<ConversationSummary>> {
        self.read(|connection| conversation::list(connection, after, limit))
    }

    fn batches(&self, conversation: &ConversationId) -> Result<Vec<StoredBatch>> {
        self.read(|connection| conversation::batches(connection, conversation))
    }

    fn calls(&self, conversation: &ConversationId) -> Result<Vec<StoredCall>> {
        self.read(|connection| conversation::calls(connection, conversation))
    }

    fn calls_by_ref(
        &self,
        conversation: Option<&ConversationId>,
        short: ShortRef,
    ) -> Result<Vec<StoredCall>> {
        self.read(|connection| conversation::calls_by_ref(connection, conversation, short))
    }

    fn calls_by_provider_id(
        &self,
        conversation: Option<&ConversationId>,
        id: &str,
    ) -> Result<Vec<StoredCall>> {
        self.read(|connection| conversation::calls_by_provider_id(connection, conversation, id))
    }

    fn original(&self, id: &BlobId) -> Result<Vec<u8>> {
        self.read(|connection| blob::read(connection, id))
    }

    fn record_rendering(&self, rendering: &NewRendering<'_>) -> Result<()> {
        let work = |writer: &mut Writer<'_>| rendering::record(writer, rendering);
        let done = self.session().write_synced(work);
        done.map_err(|failure| raise(&self.path, failure))
    }

    fn renderings(&self, at_most: u64) -> Result<Vec<StoredRendering>> {
        self.read(|connection| rendering::list(connection, at_most))
    }

    fn rendering_edits(&self, output: &BlobId) -> Result<Vec<StoredEdit>> {
        self.read(|connection| rendering::edits(connection, output))
    }

    fn forget(&self, conversation: &ConversationId) -> Result<Option<Forgotten>> {
        let forgotten = self.write(|writer| forget::delete(writer.connection, conversation))?;
        self.read(forget::erase_log)?;
        Ok(forgotten)
    }

    fn check(&self) -> Result<CheckReport> {
        let mut report = self.read(check::check)?;
        report.stored_bytes = check::stored_bytes(&self.path);
        Ok(report)
    }
}
