//! Import: a folder of files into a [`DocumentStore`], and every later time only what changed.
//!
//! Each file is one transaction, so a run that is stopped loses at most the file in flight and the
//! next one goes on from there. Files are read, decoded and cut on worker threads and written in the
//! order of their paths, so that two runs do and say the same. Specification: knowledge 3.

mod apply;
mod convert;
mod decode;
mod known;
mod read;
mod report;
mod secret;
mod walk;
mod workers;

#[cfg(test)]
mod tests;

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use epitome_core::chunk::ChunkOptions;

use crate::documents::DocumentStore;
use crate::{ErrorKind, Result};

pub use convert::{Converted, Converter};
pub use report::{
    Completion, Counts, ImportEvent, ImportReport, Notice, Noticed, Outcome, SkipReason, Skipped,
};

/// What to import, and how.
#[derive(Debug, Clone)]
pub struct ImportRequest<'a> {
    /// Name of the source, without `/`.
    pub source: &'a str,
    /// The folder.
    pub root: &'a Path,
    /// Patterns as in an ignore file. Where there are any, only files that match one are imported,
    /// hidden and ignored ones too.
    pub include: &'a [String],
    /// Patterns of what is left out.
    pub exclude: &'a [String],
    /// Files and folders whose name starts with a dot.
    pub hidden: Passed,
    /// Files and folders that `.gitignore` or `.ignore` files name.
    pub ignored: Passed,
    /// How a file is found to be unchanged.
    pub check: Check,
    /// Larger files are skipped; 8 MiB by retrieval decisions 8.
    pub max_document_bytes: u64,
    /// Sizes of chunks.
    pub chunks: ChunkOptions,
    /// Threads that read files.
    pub workers: NonZeroUsize,
    /// The present time, milliseconds since the epoch.
    pub now_ms: i64,
}

/// What happens to files that a walk usually passes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passed {
    /// They are passed by, and not reported.
    By,
    /// They are imported like others.
    In,
}

/// How a file is found to be unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// By the hash of its bytes.
    Hash,
    /// By its size and modification time; files where these changed by the hash.
    SizeAndTime,
}

/// `max_document_bytes` of retrieval decisions 8.
pub const DEFAULT_MAX_DOCUMENT_BYTES: u64 = 8 * 1024 * 1024;

/// Imports a folder, or brings an imported one up to date.
///
/// A file that cannot be taken is skipped with a reason and keeps no other one out. A document whose
/// file is gone is pruned; one whose file moved keeps its summary and vectors. Where a folder or a
/// file cannot be read now, what the store holds of it stays. Setting `cancelled` ends the run
/// behind the file in flight; nothing is pruned then.
///
/// Fails when the folder cannot be read, another import of the source runs, or the store fails.
pub fn import_folder(
    store: &dyn DocumentStore,
    request: &ImportRequest<'_>,
    on_event: &mut dyn FnMut(ImportEvent<'_>),
    cancelled: &AtomicBool,
) -> Result<ImportReport> {
    let source = request.source;
    if source.is_empty() || source.contains(['/', '\\']) || source.chars().any(char::is_control) {
        return Err(ErrorKind::SourceName {
            name: source.to_owned(),
        }
        .into());
    }
    let root = walk::canonical_root(request.root)?;
    let _guard = store
        .begin_import(source)?
        .ok_or_else(|| ErrorKind::SourceBusy {
            source_name: source.to_owned(),
        })?;
    let listing = walk::list(&root, request)?;
    store.put_source(source, &root.to_string_lossy(), request.now_ms)?;
    apply::apply(store, request, &root, listing, on_event, cancelled)
}
