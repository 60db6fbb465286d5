//! What an import says: events while it runs, a report at its end.

use std::fmt;

use crate::documents::model::{DocumentId, DocumentPath};

/// Something that happened during an import.
#[derive(Debug, Clone, Copy)]
pub enum ImportEvent<'a> {
    /// The folder was walked.
    Listed {
        /// Files to look at.
        files: u64,
        /// Their bytes.
        bytes: u64,
    },
    /// A file got its outcome. Files come in the order of their paths, then pruned documents.
    Done {
        /// Path inside the source.
        path: &'a str,
        /// Bytes of the file.
        bytes: u64,
        /// What became of it.
        outcome: &'a Outcome,
    },
}

/// What became of a file; each has exactly one outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A new document.
    Added(DocumentId),
    /// A known document with new content.
    Updated(DocumentId),
    /// A known document whose file has another path; its content, summary and vectors stay. Counts
    /// as updated, because the folders around it changed.
    Moved {
        /// The document.
        id: DocumentId,
        /// Its old path inside the source.
        from: String,
    },
    /// A known document with the same content.
    Unchanged(DocumentId),
    /// The document is gone: its file is, or the file is skipped for this reason from now on.
    Pruned(Option<SkipReason>),
    /// No document is made of the file.
    Skipped(SkipReason),
}

/// Why a file is skipped. As text: a fragment that fits "skipped: {reason}".
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkipReason {
    /// No bytes.
    Empty,
    /// Nothing but white space.
    Blank,
    /// No text in any encoding.
    Binary,
    /// More bytes than allowed.
    TooLarge {
        /// Bytes of the file.
        bytes: u64,
        /// Most bytes that a document may have.
        most: u64,
    },
    /// A kind that cannot be converted yet.
    NoConverter(&'static str),
    /// Its name or start says that it holds keys or passwords.
    Credentials,
    /// A link to outside of the folder.
    LinkOutside,
    /// A link to a folder or file inside, which is imported at its own place.
    Link(String),
    /// A link that leads nowhere or in circles.
    DeadLink,
    /// A pipe, socket or device.
    NotAFile,
    /// Its name is no UTF-8.
    Name,
    /// It was exchanged while it was opened.
    Exchanged,
    /// The system does not let us read it.
    Unreadable(String),
    /// Its converter failed.
    Damaged(String),
}

impl SkipReason {
    /// Whether the file may be readable again next time, so that what is known of it stays.
    pub(super) fn is_passing(&self) -> bool {
        matches!(self, Self::Unreadable(_) | Self::Exchanged)
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("empty"),
            Self::Blank => f.write_str("only white space"),
            Self::Binary => f.write_str("binary"),
            Self::TooLarge { bytes, most } => {
                write!(f, "too large: {bytes} bytes, at most {most}")
            }
            Self::NoConverter(kind) => write!(f, "no converter for {kind}"),
            Self::Credentials => f.write_str("may hold keys or passwords"),
            Self::LinkOutside => f.write_str("link to outside of the folder"),
            Self::Link(target) => write!(f, "link to {target}, imported at its own place"),
            Self::DeadLink => f.write_str("link that leads nowhere"),
            Self::NotAFile => f.write_str("not a regular file"),
            Self::Name => f.write_str("its name is not UTF-8"),
            Self::Exchanged => f.write_str("exchanged while it was opened"),
            Self::Unreadable(reason) => write!(f, "not readable: {reason}"),
            Self::Damaged(reason) => write!(f, "not convertible: {reason}"),
        }
    }
}

/// What was changed in a text on its way in. As text: a fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// Decoded from an encoding other than UTF-8.
    Decoded(&'static str),
    /// So many sequences that are no character of the encoding became U+FFFD.
    Damaged(usize),
    /// So many bytes that are no UTF-8 were read as Windows-1252.
    StrayBytes(usize),
    /// So many NULs at the end were taken off.
    PaddingRemoved(usize),
    /// So many NULs inside became U+FFFD.
    NulsReplaced(usize),
    /// A page is nested too deep; only its text was kept.
    StructureDropped,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decoded(encoding) => write!(f, "decoded from {encoding}"),
            Self::Damaged(count) => write!(f, "{count} damaged sequences replaced"),
            Self::StrayBytes(count) => write!(f, "{count} stray bytes read as windows-1252"),
            Self::PaddingRemoved(count) => write!(f, "{count} NULs at the end removed"),
            Self::NulsReplaced(count) => write!(f, "{count} NULs replaced"),
            Self::StructureDropped => f.write_str("nested too deep, only its text is kept"),
        }
    }
}

/// Counters of an import, in the order in which they are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// New documents.
    pub added: u64,
    /// Documents with new content or another path.
    pub updated: u64,
    /// Documents that stayed.
    pub unchanged: u64,
    /// Documents that went.
    pub pruned: u64,
    /// Files that no document was made of.
    pub skipped: u64,
}

/// A skipped file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Path inside the source.
    pub path: String,
    /// Why.
    pub reason: SkipReason,
}

/// A file whose text was changed on its way in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noticed {
    /// Path inside the source.
    pub path: String,
    /// What was changed.
    pub notice: Notice,
}

/// Whether an import came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    /// Every file has its outcome.
    Complete,
    /// It was cancelled; the next one goes on.
    Cancelled,
}

/// What an import did. Each list is in the order of the paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportReport {
    /// Whether it came to its end.
    pub completion: Completion,
    /// Version of the source behind it.
    pub version: u64,
    /// Its counters.
    pub counts: Counts,
    /// New documents: each needs a summary.
    pub added: Vec<DocumentId>,
    /// Documents with new content: each needs a new summary, unless the owner wrote the present one.
    pub updated: Vec<DocumentId>,
    /// Documents with another path only; their summaries and vectors stand.
    pub moved: Vec<DocumentId>,
    /// Addresses that no longer exist, old paths of moved documents not included.
    pub pruned: Vec<DocumentPath>,
    /// Skipped files, those included whose document was pruned for that.
    pub skipped: Vec<Skipped>,
    /// Changes on the way in, of files that were added or updated.
    pub notices: Vec<Noticed>,
}
