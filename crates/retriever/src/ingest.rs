//! Ingest: what an import changed gets summaries, vectors and a place in the folders' summaries.
//!
//! What is due is read from the store and not from the run before, so a run that was stopped at any
//! moment is finished by the next one. A summary that fails keeps nothing else back: its document,
//! chunks and date stay, and the next run tries again. Specification: knowledge 3.6 to 3.12.

mod due;
mod folders;
mod report;
mod summaries;

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Instant;

use epitome_index::documents::DocumentStore;
use epitome_index::import::{Completion, ImportReport, ImportRequest, import_folder};
use epitome_index::{ErrorKind, Result};
use epitome_summarizer::document::DocumentSummarizer;
use epitome_summarizer::embed::Embedder;

use crate::dense::{EmbedReport, embed_missing};

pub use due::{SummaryState, state_of};
pub use report::{
    Failed, IngestCounts, IngestEvent, IngestReport, Progress, SourceEvent, SourceReport,
};

/// What makes summaries and vectors.
#[derive(Clone, Copy)]
pub struct Makers<'a> {
    /// Writes the summaries.
    pub summarizer: &'a dyn DocumentSummarizer,
    /// Makes the vectors, where there is one.
    pub embedder: Option<&'a dyn Embedder>,
}

/// How an ingest runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IngestOptions {
    /// Threads that summarize.
    pub workers: NonZeroUsize,
    /// The present time, milliseconds since the epoch.
    pub now_ms: i64,
}

/// Imports a folder as a source, or brings one up to date, with all summaries and vectors.
///
/// This is all of `import` and `sync`. It blocks; asynchronous summarizers and embedders are driven
/// by a runtime of its own. Setting `cancelled` ends it soon, and the next call goes on from there.
pub fn import_source(
    store: &dyn DocumentStore,
    request: &ImportRequest<'_>,
    makers: Makers<'_>,
    on_event: &mut dyn FnMut(SourceEvent<'_>),
    cancelled: &AtomicBool,
) -> Result<SourceReport> {
    let start = Instant::now();
    let imported = import_folder(
        store,
        request,
        &mut |event| on_event(SourceEvent::Import(event)),
        cancelled,
    )?;
    let options = IngestOptions {
        workers: request.workers,
        now_ms: request.now_ms,
    };
    let ingested = ingest(
        store,
        request.source,
        &imported,
        makers,
        options,
        &mut |event| on_event(SourceEvent::Ingest(event)),
        cancelled,
    )?;
    let ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(SourceReport::new(imported, ingested, ms))
}

/// Makes the summaries, folder summaries and vectors of a source that are due after an import.
///
/// New and changed documents count as `summaries`; those that the import left unchanged and whose
/// summary is missing, or is a stale one of ours since an earlier run failed, as
/// `summary_backfilled`. Owners' summaries are never touched. Folder summaries and the overview
/// follow only when content was added, changed, moved or pruned since they were made.
///
/// Fails when another import of the source runs, or the store fails.
pub fn ingest(
    store: &dyn DocumentStore,
    source: &str,
    imported: &ImportReport,
    makers: Makers<'_>,
    options: IngestOptions,
    on_event: &mut dyn FnMut(IngestEvent<'_>),
    cancelled: &AtomicBool,
) -> Result<IngestReport> {
    let _guard = store
        .begin_import(source)?
        .ok_or_else(|| ErrorKind::SourceBusy {
            source_name: source.to_owned(),
        })?;
    let runtime = summaries::start_runtime(source)?;
    let run = Run {
        store,
        source,
        makers,
        options,
        cancelled,
        runtime: &runtime,
    };
    let report = run.ingest(imported, on_event);
    // Plain dropping would panic for a caller inside of another runtime.
    runtime.shutdown_background();
    report
}

/// What every step of an ingest needs.
#[derive(Clone, Copy)]
struct Run<'a> {
    store: &'a dyn DocumentStore,
    source: &'a str,
    makers: Makers<'a>,
    options: IngestOptions,
    cancelled: &'a AtomicBool,
    runtime: &'a tokio::runtime::Runtime,
}

impl Run<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn ingest(
        &self,
        imported: &ImportReport,
        on_event: &mut dyn FnMut(IngestEvent<'_>),
    ) -> Result<IngestReport> {
        let mut report = IngestReport::new(imported.version);
        let due = due::find(self.store, self.source, imported)?;
        report.stale_by_owner = due.stale_by_owner;
        summaries::make(self, &due.jobs, &mut report, on_event)?;
        if !self.is_cancelled() {
            self.roll_up(imported, due.content, &mut report, on_event)?;
        }
        if let Some(embedder) = self.makers.embedder
            && !self.is_cancelled()
        {
            report.embedding = Some(self.embed(embedder, on_event)?);
        }
        if self.is_cancelled() || imported.completion == Completion::Cancelled {
            report.completion = Completion::Cancelled;
        }
        Ok(report)
    }

    /// Makes the folder summaries and the overview, where content moved since they were made.
    fn roll_up(
        &self,
        imported: &ImportReport,
        content: epitome_core::id::BlobId,
        report: &mut IngestReport,
        on_event: &mut dyn FnMut(IngestEvent<'_>),
    ) -> Result<()> {
        let known = self.store.source(self.source)?;
        if known.is_some_and(|known| known.overview_key == Some(content)) {
            return Ok(());
        }
        let counts = imported.counts;
        if counts.added + counts.updated + counts.pruned == 0 {
            // A run before this one was killed after it wrote documents, before it raised the
            // version.
            report.version = self
                .store
                .finish_import(self.source, true, self.options.now_ms)?;
        }
        folders::roll_up(self, content, report, on_event)
    }

    /// Embeds all chunks without a vector, on a thread of its own, where blocking is allowed.
    fn embed(
        &self,
        embedder: &dyn Embedder,
        on_event: &mut dyn FnMut(IngestEvent<'_>),
    ) -> Result<EmbedReport> {
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            let embedding = scope.spawn(move || {
                let mut progress = move |progress| {
                    // The receiver only goes when nobody listens any more.
                    let _ = sender.send(progress);
                };
                let cancelled = || self.is_cancelled();
                self.runtime.block_on(embed_missing(
                    self.store,
                    embedder,
                    &mut progress,
                    &cancelled,
                ))
            });
            for progress in receiver {
                on_event(IngestEvent::Embedding(progress));
            }
            embedding
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}
