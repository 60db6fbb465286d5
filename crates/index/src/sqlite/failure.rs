//! From the engine's errors to the store's.

use std::path::Path;

use rusqlite::ErrorCode;

use crate::{Error, ErrorKind};

/// What a step of a transaction returns.
pub(super) type Attempt<T> = Result<T, Failure>;

/// Why a step failed; the path of the store is added at the border.
#[derive(Debug)]
pub(super) enum Failure {
    /// The engine failed.
    Engine(rusqlite::Error),
    /// The kind is known already.
    Known(ErrorKind),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Engine(error)
    }
}

impl From<ErrorKind> for Failure {
    fn from(kind: ErrorKind) -> Self {
        Self::Known(kind)
    }
}

/// Makes the store's error of a failed step.
pub(super) fn raise(path: &Path, failure: Failure) -> Error {
    match failure {
        Failure::Known(kind) => kind.into(),
        Failure::Engine(error) => kind_of(path, &error).into(),
    }
}

fn kind_of(path: &Path, error: &rusqlite::Error) -> ErrorKind {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::ReadOnly) => ErrorKind::ReadOnly { path },
        Some(ErrorCode::DiskFull) => ErrorKind::Full { path },
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => ErrorKind::Busy { path },
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => ErrorKind::Corrupted {
            path,
            reason: error.to_string(),
        },
        _ => ErrorKind::Engine {
            path,
            reason: error.to_string(),
        },
    }
}
