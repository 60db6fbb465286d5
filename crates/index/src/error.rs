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
    /// The store was written by an older version; opening it for writing brings it up to date.
    #[error(
        "open the store {path}: it has schema version {found} and must be opened for writing once"
    )]
    Older {
        /// Path of the store.
        path: PathBuf,
        /// Version in the file.
        found: u32,
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
    /// No source has this name.
    #[error("find the source `{name}`: it was never imported")]
    UnknownSource {
        /// Name that was asked for.
        name: String,
    },
    /// No document has this number: it was pruned, or it comes from another store.
    #[error("find the document {id}: it is not in the store")]
    UnknownDocument {
        /// Number that was asked for.
        id: u64,
    },
    /// A document cannot move to where another one is.
    #[error("move a document to {path}: another document is there")]
    PathTaken {
        /// Address that is taken.
        path: String,
    },
    /// A chunk is no stretch of whole characters of its document's text.
    #[error("store {path}: the chunk of bytes {start} to {end} does not fit its text")]
    ChunkRange {
        /// Address of the document.
        path: String,
        /// First byte of the chunk.
        start: usize,
        /// Byte after the chunk.
        end: usize,
    },
    /// A vector has another length than the others of its model.
    #[error("store vectors of {model}: one has {found} numbers instead of {expected}")]
    VectorLength {
        /// Name of the model.
        model: String,
        /// Numbers of the model's other vectors.
        expected: usize,
        /// Numbers of the refused one.
        found: usize,
    },
    /// The lock against a second import of a source could not be taken or refused.
    #[error("lock the source `{source_name}` for its import: {reason}")]
    ImportLock {
        /// Name of the source.
        source_name: String,
        /// What the system said.
        reason: String,
    },
    /// The text of a document is missing or does not unpack.
    #[error("read the text of the document {id}: {reason}")]
    DamagedText {
        /// Number of the document.
        id: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A folder to import is missing, no folder, or not readable.
    #[error("read the folder {path}: {reason}")]
    Folder {
        /// Path of the folder.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// A pattern to include or exclude is none.
    #[error("read the pattern `{pattern}`: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The name of a source is empty, or holds a slash or a control character.
    #[error("import under the name {name:?}: a name needs a letter, and no slash")]
    SourceName {
        /// The name.
        name: String,
    },
    /// Another import of the source runs.
    #[error("import the source `{source_name}`: another import of it runs")]
    SourceBusy {
        /// Name of the source.
        source_name: String,
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
