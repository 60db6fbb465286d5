//! What an ingest says: events while it runs, a report at its end.

use std::fmt;
use std::time::Duration;

use epitome_index::documents::model::DocumentPath;
use epitome_index::import::{Completion, ImportEvent, ImportReport};

use crate::dense::{EmbedProgress, EmbedReport};

/// Something that happened while a source was imported.
#[derive(Debug, Clone, Copy)]
pub enum SourceEvent<'a> {
    /// Files are read and stored.
    Import(ImportEvent<'a>),
    /// Documents are summarized and embedded.
    Ingest(IngestEvent<'a>),
}

/// Something that happened during an ingest.
#[derive(Debug, Clone, Copy)]
pub enum IngestEvent<'a> {
    /// So many summaries are due.
    Due(u64),
    /// A document got its summary.
    Summarized {
        /// Its address.
        path: &'a DocumentPath,
        /// How far the summaries are.
        progress: Progress,
    },
    /// A document got none.
    Failed {
        /// Its address.
        path: &'a DocumentPath,
        /// Why.
        reason: &'a str,
        /// How far the summaries are.
        progress: Progress,
    },
    /// A folder got its summary; the root's path is empty.
    Folder {
        /// Path inside the source.
        path: &'a str,
    },
    /// Vectors are made.
    Embedding(EmbedProgress),
}

/// How far a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What is done, failures included.
    pub done: u64,
    /// What there is to do.
    pub total: u64,
    /// Time since the start of the step.
    pub elapsed: Duration,
}

impl Progress {
    /// What is done in a second; `None` before any time has passed.
    pub fn per_second(&self) -> Option<f64> {
        let seconds = self.elapsed.as_secs_f64();
        (seconds > 0.0).then(|| self.done as f64 / seconds)
    }

    /// The time that the rest takes at this rate; `None` before anything is done.
    pub fn left(&self) -> Option<Duration> {
        let rest = self.total.saturating_sub(self.done) as f64;
        let each = self.elapsed.as_secs_f64() / self.done as f64;
        Duration::try_from_secs_f64(rest * each).ok()
    }
}

/// A document whose summary failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// Its address.
    pub path: DocumentPath,
    /// Why, as a fragment.
    pub reason: String,
}

/// What an ingest did.
#[derive(Debug)]
pub struct IngestReport {
    /// Whether it came to its end.
    pub completion: Completion,
    /// Version of the source behind it.
    pub version: u64,
    /// Summaries of new and changed documents.
    pub summaries: u64,
    /// Summaries of documents that an earlier run left without one.
    pub summary_backfilled: u64,
    /// Documents whose summary failed, as many as `summary_errors` says.
    pub failed: Vec<Failed>,
    /// Documents whose owner's summary was written for an earlier text.
    pub stale_by_owner: Vec<DocumentPath>,
    /// Folders that got a new summary, the overview not included.
    pub folders: u64,
    /// Folders, or the overview, that the summarizer failed on; the extractive summary stands in.
    pub folder_errors: u64,
    /// What became of the chunks without a vector; `None` without an embedder.
    pub embedding: Option<EmbedReport>,
}

impl IngestReport {
    pub(super) fn new(version: u64) -> Self {
        Self {
            completion: Completion::Complete,
            version,
            summaries: 0,
            summary_backfilled: 0,
            failed: Vec::new(),
            stale_by_owner: Vec::new(),
            folders: 0,
            folder_errors: 0,
            embedding: None,
        }
    }
}

/// Counters of an import with its ingest, in the order in which they are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IngestCounts {
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
    /// Summaries of new and changed documents.
    pub summaries: u64,
    /// Documents whose summary failed.
    pub summary_errors: u64,
    /// Summaries of unchanged documents that had none of their text.
    pub summary_backfilled: u64,
    /// Time that it took, in milliseconds.
    pub ms: u64,
}

/// Writes the log line of an import, `added=1 updated=0 … ms=12`.
impl fmt::Display for IngestCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            added,
            updated,
            unchanged,
            pruned,
            skipped,
            summaries,
            summary_errors,
            summary_backfilled,
            ms,
        } = self;
        write!(
            f,
            "added={added} updated={updated} unchanged={unchanged} pruned={pruned} \
             skipped={skipped} summaries={summaries} summary_errors={summary_errors} \
             summary_backfilled={summary_backfilled} ms={ms}"
        )
    }
}

/// What an import of a source did.
#[derive(Debug)]
pub struct SourceReport {
    /// All counters and the time.
    pub counts: IngestCounts,
    /// What the import of the files did.
    pub imported: ImportReport,
    /// What the ingest of the documents did.
    pub ingested: IngestReport,
}

impl SourceReport {
    pub(super) fn new(imported: ImportReport, ingested: IngestReport, ms: u64) -> Self {
        let files = imported.counts;
        Self {
            counts: IngestCounts {
                added: files.added,
                updated: files.updated,
                unchanged: files.unchanged,
                pruned: files.pruned,
                skipped: files.skipped,
                summaries: ingested.summaries,
                summary_errors: ingested.failed.len() as u64,
                summary_backfilled: ingested.summary_backfilled,
                ms,
            },
            imported,
            ingested,
        }
    }
}
