//! Errors of stores.

use std::path::PathBuf;

/// Why a store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(#[from] pub(crate) Box<ErrorKind>);

impl Error {
    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self(Box::new(kind))
    }
}

/// The kinds of [`Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The store could not be opened, its folder not made, or its mode not set.
    #[error("open the store {path}: {reason}")]
    Open {
        /// Path of the store.
        path: PathBuf,
        /// What the system or the engine said.
        reason: String,
    },
    /// The store was written by a newer version.
    #[error("open the store {path}: it has schema version {found}, this program knows {known}")]
    Newer {
        /// Path of the store.
        path: PathBuf,
        /// Version in the file.
        found: u32,
        /// Newest version that this program knows.
        known: u32,
    },
    /// The store cannot be written: read-only file or folder.
    #[error("write to the store {path}: it is read-only")]
    ReadOnly {
        /// Path of the store.
        path: PathBuf,
    },
    /// The disk is full.
    #[error("write to the store {path}: the disk is full")]
    Full {
        /// Path of the store.
        path: PathBuf,
    },
    /// Another process held the store for too long.
    #[error("use the store {path}: another process holds it")]
    Busy {
        /// Path of the store.
        path: PathBuf,
    },
    /// The engine found the file of the store damaged.
    #[error("use the store {path}: its file is damaged ({reason})")]
    Corrupted {
        /// Path of the store.
        path: PathBuf,
        /// What the engine said.
        reason: String,
    },
    /// A rendering names a conversation that was never stored.
    #[error("record a rendering: the store does not know the conversation {conversation}")]
    UnknownConversation {
        /// Id of the conversation.
        conversation: String,
    },
    /// An original is missing or its bytes do not have its address.
    #[error("read the original {blob}: {reason}")]
    Damaged {
        /// Address of the original.
        blob: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The engine failed in another way.
    #[error("use the store {path}: {reason}")]
    Engine {
        /// Path of the store.
        path: PathBuf,
        /// What the engine said.
        reason: String,
    },
}
