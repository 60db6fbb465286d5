//! The right to import a source, as a locked file beside the store.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use epitome_core::id::BlobId;

use crate::{ErrorKind, Result};

/// Locks the file of a source; `None` while somebody else has it. The system releases the lock with
/// the file, also after a crash. The empty file stays: to delete it would let two imports lock two
/// files of one name.
pub(super) fn lock(store: &Path, source: &str) -> Result<Option<File>> {
    let failed = |error: &io::Error| ErrorKind::ImportLock {
        source_name: source.to_owned(),
        reason: error.to_string(),
    };
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options
        .open(lock_path(store, source))
        .map_err(|error| failed(&error))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(failed(&error).into()),
    }
}

/// A name of any source makes a name of a file.
fn lock_path(store: &Path, source: &str) -> PathBuf {
    let hash = BlobId::of(source.as_bytes()).to_string();
    let mut name = OsString::from(store);
    name.push(format!("-import-{}", &hash[..16]));
    PathBuf::from(name)
}
