//! `epitome import` and `epitome sync`: folders of documents into the store.

mod report;

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use epitome_core::chunk::DEFAULT_SIZES;
use epitome_index::import::{
    Check, Completion, DEFAULT_MAX_DOCUMENT_BYTES, ImportEvent, ImportRequest, Passed,
};
use epitome_index::{DocumentStore as _, SqliteStore};
use epitome_retriever::ingest::{IngestEvent, Makers, SourceEvent, SourceReport, import_source};
use epitome_summarizer::extractive::Extractive;
use indicatif::ProgressBar;

use super::condense::now_ms;
use super::search::unknown_source;
use super::sources::no_documents;
use crate::args::{ImportArguments, SelectionArguments, SyncArguments};
use crate::explain::explain_store;
use crate::failure::{Exit, Failure, Result};
use crate::interrupt;
use crate::place::StorePlace;
use crate::terminal::Terminal;

/// Most threads that read and summarize: more wait for the one that writes.
const MOST_WORKERS: usize = 4;

/// Imports a folder.
pub(crate) fn run(
    typed: &ImportArguments,
    place: &StorePlace,
    terminal: &Terminal,
) -> Result<Exit> {
    let root = std::fs::canonicalize(&typed.folder).map_err(|error| {
        Failure::new(
            format!("read the folder {}: {error}", typed.folder.display()),
            "Check the path of the folder.",
        )
    })?;
    if !root.is_dir() {
        return Err(Failure::usage(
            format!("import {}: it is no folder", typed.folder.display()),
            "Name the folder that it lies in, and the file with --include.",
        ));
    }
    let store = place.open()?;
    let name = match &typed.source {
        Some(name) => name.clone(),
        None => free_name(&store, &root)?,
    };
    let cancelled = interrupt::flag();
    let report = import(&store, &name, &root, &typed.selection, terminal, cancelled)?;
    report::tell_import(&name, &report, terminal)?;
    Ok(exit(&report))
}

/// Brings one source or all of them up to date. One that fails keeps the others from nothing.
pub(crate) fn run_sync(
    typed: &SyncArguments,
    place: &StorePlace,
    terminal: &Terminal,
) -> Result<Exit> {
    if !place.exists() {
        return Err(no_documents(place));
    }
    let store = place.open()?;
    let mut sources = store.sources().map_err(|error| explain_store(&error))?;
    if sources.is_empty() {
        return Err(no_documents(place));
    }
    if let Some(name) = &typed.source {
        sources.retain(|(source, _)| source.name == *name);
        if sources.is_empty() {
            return Err(unknown_source(name));
        }
    }
    let cancelled = interrupt::flag();
    let mut outcome = Exit::Done;
    for (source, _) in sources {
        if cancelled.load(Ordering::Relaxed) {
            return Ok(Exit::Interrupted);
        }
        let root = Path::new(&source.root);
        let done = import(
            &store,
            &source.name,
            root,
            &typed.selection,
            terminal,
            cancelled,
        );
        match done {
            Ok(report) => {
                report::tell_sync(&source.name, &report, terminal)?;
                if exit(&report) == Exit::Interrupted {
                    return Ok(Exit::Interrupted);
                }
            }
            Err(failure) => {
                terminal.tell(&failure);
                outcome = failure.exit();
            }
        }
    }
    Ok(outcome)
}

/// The name of the folder, where no other folder was imported under it: its documents would be
/// taken for deleted.
fn free_name(store: &SqliteStore, root: &Path) -> Result<String> {
    let name = root
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let known = store.source(&name).map_err(|error| explain_store(&error))?;
    match known {
        Some(known) if Path::new(&known.root) != root => Err(Failure::usage(
            format!(
                "import {} as `{name}`: that is the name of {}",
                root.display(),
                known.root
            ),
            "Name the source with --source NAME; with the same name the folder takes the place of \
             the other one.",
        )),
        _ => Ok(name),
    }
}

fn import(
    store: &SqliteStore,
    name: &str,
    root: &Path,
    selection: &SelectionArguments,
    terminal: &Terminal,
    cancelled: &AtomicBool,
) -> Result<SourceReport> {
    let workers = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let passed = |taken: bool| if taken { Passed::In } else { Passed::By };
    let request = ImportRequest {
        source: name,
        root,
        include: &selection.include,
        exclude: &selection.exclude,
        hidden: passed(selection.hidden),
        ignored: passed(selection.no_ignore),
        check: if selection.fast {
            Check::SizeAndTime
        } else {
            Check::Hash
        },
        max_document_bytes: DEFAULT_MAX_DOCUMENT_BYTES,
        chunks: DEFAULT_SIZES,
        workers: NonZeroUsize::new(workers.min(MOST_WORKERS)).unwrap_or(NonZeroUsize::MIN),
        now_ms: now_ms(),
    };
    let makers = Makers {
        summarizer: &Extractive,
        embedder: None,
    };
    let files = terminal.progress(&format!("importing {name}"));
    let summaries = terminal.progress(&format!("summarizing {name}"));
    let mut show = |event: SourceEvent<'_>| show(event, &files, &summaries);
    let report = import_source(store, &request, makers, &mut show, cancelled);
    files.finish_and_clear();
    summaries.finish_and_clear();
    report.map_err(|error| explain_store(&error))
}

fn show(event: SourceEvent<'_>, files: &ProgressBar, summaries: &ProgressBar) {
    match event {
        SourceEvent::Import(ImportEvent::Listed { files: count, .. }) => files.set_length(count),
        SourceEvent::Import(ImportEvent::Done { .. }) => files.inc(1),
        SourceEvent::Ingest(IngestEvent::Due(count)) => {
            files.finish_and_clear();
            summaries.set_length(count);
            summaries.reset_eta();
        }
        SourceEvent::Ingest(
            IngestEvent::Summarized { progress, .. } | IngestEvent::Failed { progress, .. },
        ) => summaries.set_position(progress.done),
        SourceEvent::Ingest(IngestEvent::Folder { .. } | IngestEvent::Embedding(_)) => {}
    }
}

fn exit(report: &SourceReport) -> Exit {
    match report.ingested.completion {
        Completion::Complete => Exit::Done,
        Completion::Cancelled => Exit::Interrupted,
    }
}
