//! Errors of the application layer.

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
    /// The output would hold a fault that the source does not have; nothing was written.
    #[error("condense the session: the result would break it ({0})")]
    Invalid(Violation),
}
