//! Errors of the application layer.

use std::path::PathBuf;

use epitome_core::id::{FullRef, ShortRef};
use epitome_core::transcript::Violation;
use epitome_core::wire::WireError;

/// Why a job could not be done.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(#[from] Box<ErrorKind>);

impl Error {
    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }
}

impl<T: Into<ErrorKind>> From<T> for Error {
    fn from(kind: T) -> Self {
        Self(Box::new(kind.into()))
    }
}

/// The kinds of [`Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The source is no session that can be read.
    #[error("read the session: {0}")]
    Wire(#[from] WireError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] epitome_index::Error),
    /// The summarizer failed.
    #[error("summarize a batch: {0}")]
    Summarizer(#[from] epitome_summarizer::Error),
    /// A file could not be read.
    #[error("read {path}: {reason}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// A file could not be written; nothing of it was.
    #[error("write {path}: {reason}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The output exists already.
    #[error("write {path}: it exists already")]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// No place is known where the agent would find a new session.
    #[error("make a session that resumes: {reason}")]
    NoResume {
        /// Why not.
        reason: String,
    },
    /// Several conversations have this ref.
    #[error("tell which `{short}` is meant: {} conversations have one", candidates.len())]
    AmbiguousRef {
        /// The ref.
        short: ShortRef,
        /// What could be meant.
        candidates: Vec<FullRef>,
    },
    /// The file is no output of this store.
    #[error("expand the session: it holds no stub whose original this store has")]
    NotCondensed {
        /// Stubs whose originals are missing.
        missing: usize,
    },
    /// The output would hold a fault that the source does not have; nothing was written.
    #[error("condense the session: the result would break it ({0})")]
    Invalid(Violation),
}
