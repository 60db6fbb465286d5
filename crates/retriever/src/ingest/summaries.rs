//! Summaries of documents: made by workers, written by the caller's thread one by one.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{OnceLock, mpsc};
use std::time::Instant;

use epitome_core::id::{BlobId, DocumentId};
use epitome_index::documents::model::{Document, DocumentPath, NewSummary, SummaryAuthor};
use epitome_index::{Error, ErrorKind, Result};
use epitome_summarizer::document::DocumentText;
use epitome_summarizer::embed::Embedder;
use tokio::runtime::{Builder, Runtime};

use super::due::{Job, Reason, is_due};
use super::report::{Failed, IngestEvent, IngestReport, Progress};
use super::{Makers, Run};
use crate::dense::embedded_text;

/// Documents whose summaries are embedded in one request.
const EMBEDDED_TOGETHER: usize = 16;

/// Starts the runtime that drives summarizers and embedders, from all workers at once.
pub(super) fn start_runtime(source: &str) -> Result<Runtime> {
    Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| {
            ErrorKind::Folder {
                path: source.into(),
                reason: error.to_string(),
            }
            .into()
        })
}

/// A summary with what it is bound to.
struct Made {
    document: DocumentId,
    path: DocumentPath,
    reason: Reason,
    of_hash: BlobId,
    title: String,
    /// The summary and its vector, or why there is none.
    result: Result<(String, Option<Vec<f32>>), String>,
}

/// Makes and stores the summaries that are due.
pub(super) fn make(
    run: &Run<'_>,
    jobs: &[Job],
    report: &mut IngestReport,
    on_event: &mut dyn FnMut(IngestEvent<'_>),
) -> Result<()> {
    let total = jobs.len() as u64;
    on_event(IngestEvent::Due(total));
    let start = Instant::now();
    let workers = run.options.workers.get().min(jobs.len());
    let next = AtomicUsize::new(0);
    let embedder_down = OnceLock::new();
    std::thread::scope(|scope| {
        // Workers wait rather than pile up summaries that are not written yet.
        let (sender, receiver) = mpsc::sync_channel(2 * EMBEDDED_TOGETHER);
        for _ in 0..workers {
            let sender = sender.clone();
            let (next, embedder_down) = (&next, &embedder_down);
            scope.spawn(move || work(run, jobs, next, embedder_down, &sender));
        }
        drop(sender);
        for (before, made) in receiver.into_iter().enumerate() {
            // Leaving the loop drops the receiver, which ends the workers.
            let made = made?;
            let written = write(run, &made)?;
            let progress = Progress {
                done: before as u64 + 1,
                total,
                elapsed: start.elapsed(),
            };
            note(made, written, progress, report, on_event);
            if run.is_cancelled() {
                break;
            }
        }
        Ok(())
    })
}

/// Whether a summary was stored.
enum Written {
    Stored,
    /// The document went, changed or got an owner's summary meanwhile.
    NotDue,
    Failed(String),
}

/// Stores a summary, if it is still due for the text that it was made from.
fn write(run: &Run<'_>, made: &Made) -> Result<Written> {
    let (text, vector) = match &made.result {
        Ok((text, vector)) => (text, vector),
        Err(reason) => return Ok(Written::Failed(reason.clone())),
    };
    let documents = run.store.documents_by_id(&[made.document])?;
    let still_due = |document: &Document| is_due(document) && document.content_hash == made.of_hash;
    if !documents.first().is_some_and(still_due) {
        return Ok(Written::NotDue);
    }
    let vector = run.makers.embedder.zip(vector.as_deref());
    let summary = NewSummary {
        text,
        by: SummaryAuthor::Auto,
        of_hash: made.of_hash,
        vector: vector.map(|(embedder, vector)| (embedder.model(), vector)),
    };
    match run.store.put_summary(made.document, &summary) {
        Ok(()) => Ok(Written::Stored),
        Err(error) if concerns_the_store(&error) => Err(error),
        Err(error) => Ok(Written::Failed(error.to_string())),
    }
}

/// Whether the next document would fail too.
fn concerns_the_store(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Open { .. }
            | ErrorKind::Newer { .. }
            | ErrorKind::ReadOnly { .. }
            | ErrorKind::Full { .. }
            | ErrorKind::Busy { .. }
            | ErrorKind::Corrupted { .. }
    )
}

fn note(
    made: Made,
    written: Written,
    progress: Progress,
    report: &mut IngestReport,
    on_event: &mut dyn FnMut(IngestEvent<'_>),
) {
    let path = made.path;
    match written {
        Written::NotDue => {}
        Written::Stored => {
            match made.reason {
                Reason::Changed => report.summaries += 1,
                Reason::Backfill => report.summary_backfilled += 1,
            }
            on_event(IngestEvent::Summarized {
                path: &path,
                progress,
            });
        }
        Written::Failed(reason) => {
            on_event(IngestEvent::Failed {
                path: &path,
                reason: &reason,
                progress,
            });
            report.failed.push(Failed { path, reason });
        }
    }
}

/// Takes jobs until there are none, the run is cancelled or nobody listens.
fn work(
    run: &Run<'_>,
    jobs: &[Job],
    next: &AtomicUsize,
    embedder_down: &OnceLock<String>,
    sender: &mpsc::SyncSender<Result<Made>>,
) {
    let step = match run.makers.embedder {
        Some(_) => EMBEDDED_TOGETHER,
        None => 1,
    };
    while !run.is_cancelled() {
        let from = next.fetch_add(step, Ordering::Relaxed);
        let Some(rest) = jobs.get(from..).filter(|rest| !rest.is_empty()) else {
            return;
        };
        let mut batch = Vec::new();
        for job in &rest[..step.min(rest.len())] {
            match summarize(run, *job) {
                Ok(Some(made)) => batch.push(made),
                Ok(None) => {}
                Err(error) => {
                    // A listener that went has its own reason to end.
                    let _ = sender.send(Err(error));
                    return;
                }
            }
        }
        if let Some(embedder) = run.makers.embedder {
            embed(run, embedder, &mut batch, embedder_down);
        }
        for made in batch {
            if sender.send(Ok(made)).is_err() {
                return;
            }
        }
    }
}

/// Makes a summary. `None` for a document that went meanwhile.
fn summarize(run: &Run<'_>, job: Job) -> Result<Option<Made>> {
    let Run {
        store,
        makers: Makers { summarizer, .. },
        runtime,
        ..
    } = run;
    let Some(document) = store.documents_by_id(&[job.document])?.pop() else {
        return Ok(None);
    };
    let Some(content) = store.content(job.document)? else {
        return Ok(None);
    };
    let path = document.path.to_string();
    let text = DocumentText {
        path: &path,
        title: &document.title,
        kind: &document.kind,
        text: &content,
    };
    let result = match runtime.block_on(summarizer.summarize_document(text)) {
        Ok(summary) => match summary.trim() {
            "" => Err(format!(
                "the summarizer `{}` returned no usable text",
                summarizer.name()
            )),
            summary => Ok((summary.to_owned(), None)),
        },
        Err(error) => Err(error.to_string()),
    };
    Ok(Some(Made {
        document: job.document,
        path: document.path,
        reason: job.reason,
        of_hash: document.content_hash,
        title: document.title,
        result,
    }))
}

/// Embeds the summaries of a batch; a batch that is refused goes again one by one.
fn embed(
    run: &Run<'_>,
    embedder: &dyn Embedder,
    batch: &mut [Made],
    embedder_down: &OnceLock<String>,
) {
    let mut open: Vec<&mut Made> = batch
        .iter_mut()
        .filter(|made| made.result.is_ok())
        .collect();
    let texts: Vec<String> = open.iter().map(|made| text_of(made)).collect();
    if open.is_empty() || set_vectors(run, embedder, &mut open, &texts, embedder_down) {
        return;
    }
    for (made, text) in open.into_iter().zip(&texts) {
        set_vectors(
            run,
            embedder,
            &mut [made],
            std::slice::from_ref(text),
            embedder_down,
        );
    }
}

fn text_of(made: &Made) -> String {
    let summary = made.result.as_ref().map_or("", |(text, _)| text);
    embedded_text(&made.title, "", summary)
}

/// Sets the vectors of summaries, or why there are none. `false` when a smaller batch may pass.
fn set_vectors(
    run: &Run<'_>,
    embedder: &dyn Embedder,
    batch: &mut [&mut Made],
    texts: &[String],
    embedder_down: &OnceLock<String>,
) -> bool {
    let reason = match embedder_down.get() {
        Some(reason) => reason.clone(),
        None => match run.runtime.block_on(embedder.embed(texts)) {
            Ok(vectors) if vectors.len() == batch.len() => {
                for (made, vector) in batch.iter_mut().zip(vectors) {
                    if let Ok((_, place)) = &mut made.result {
                        *place = Some(vector);
                    }
                }
                return true;
            }
            Ok(_) => "the embedder returned another number of vectors".to_owned(),
            Err(error) if error.is_about_the_texts() && batch.len() > 1 => return false,
            Err(error) if error.is_about_the_texts() => error.to_string(),
            // It would fail on every other batch too, each time after all its retries.
            Err(error) => embedder_down.get_or_init(|| error.to_string()).clone(),
        },
    };
    for made in batch {
        made.result = Err(reason.clone());
    }
    true
}
