//! Writes what changed, file by file.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::known::{Gone, Known, read_known};
use super::read::{Prepared, Prose, prepare};
use super::walk::{Entry, Listing};
use super::{
    Completion, Counts, ImportEvent, ImportReport, ImportRequest, Noticed, Outcome, SkipReason,
    Skipped, workers,
};
use crate::documents::DocumentStore;
use crate::documents::model::{DocumentId, DocumentPath, DocumentWrite, NewChunk};
use crate::{Error, ErrorKind, Result};

/// Why the writing of files ended early.
enum Stop {
    Cancelled,
    Failed(Error),
}

/// Brings the store to what was listed.
pub(super) fn apply(
    store: &dyn DocumentStore,
    request: &ImportRequest<'_>,
    root: &Path,
    listing: Listing,
    on_event: &mut dyn FnMut(ImportEvent<'_>),
    cancelled: &AtomicBool,
) -> Result<ImportReport> {
    let known = read_known(store, request.source)?;
    let gone = Gone::of(&known, &listing);
    let jobs: Vec<(String, Entry)> = listing.entries.into_iter().collect();
    on_event(ImportEvent::Listed {
        files: jobs.len() as u64,
        bytes: jobs.iter().map(|(_, entry)| bytes_of(entry)).sum(),
    });
    let mut writer = Writer {
        store,
        source: request.source,
        known: &known,
        gone,
        on_event,
        report: empty_report(),
    };
    let ended = workers::in_order(
        &jobs,
        request.workers,
        |(path, entry)| match entry {
            Entry::File(facts) => prepare(root, path, *facts, known.get(path), request),
            Entry::Skip(reason) => Err(reason.clone()),
        },
        |(path, entry), prepared| {
            if cancelled.load(Ordering::Relaxed) {
                return ControlFlow::Break(Stop::Cancelled);
            }
            match writer.write(path, bytes_of(entry), prepared) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(Stop::Failed(error)),
            }
        },
    );
    match ended {
        Ok(None) => writer.prune_gone(cancelled)?,
        Ok(Some(Stop::Cancelled)) => writer.report.completion = Completion::Cancelled,
        Ok(Some(Stop::Failed(error))) => return Err(error),
        Err(error) => {
            return Err(ErrorKind::Folder {
                path: root.to_owned(),
                reason: error.to_string(),
            }
            .into());
        }
    }
    let mut report = writer.report;
    let Counts {
        added,
        updated,
        pruned,
        ..
    } = report.counts;
    let moved = added + updated + pruned > 0;
    report.version = store.finish_import(request.source, moved, request.now_ms)?;
    Ok(report)
}

fn bytes_of(entry: &Entry) -> u64 {
    match entry {
        Entry::File(facts) => facts.bytes,
        Entry::Skip(_) => 0,
    }
}

fn empty_report() -> ImportReport {
    ImportReport {
        completion: Completion::Complete,
        version: 0,
        counts: Counts::default(),
        added: Vec::new(),
        updated: Vec::new(),
        moved: Vec::new(),
        pruned: Vec::new(),
        skipped: Vec::new(),
        notices: Vec::new(),
    }
}

struct Writer<'a> {
    store: &'a dyn DocumentStore,
    source: &'a str,
    known: &'a BTreeMap<String, Known>,
    gone: Gone,
    on_event: &'a mut dyn FnMut(ImportEvent<'_>),
    report: ImportReport,
}

impl Writer<'_> {
    /// Gives one file its outcome, in one transaction.
    fn write(
        &mut self,
        path: &str,
        bytes: u64,
        prepared: Result<Prepared, SkipReason>,
    ) -> Result<()> {
        let known = self.known.get(path).map(|known| known.id);
        let outcome = match (prepared, known) {
            (Ok(Prepared::Text(prose)), known) => self.write_prose(path, &prose, known)?,
            (Ok(Prepared::Touched { facts, date }), Some(id)) => {
                self.store
                    .touch_document(id, facts.bytes, facts.modified_ms, Some(&date))?;
                Outcome::Unchanged(id)
            }
            (Ok(Prepared::Unchanged), Some(id)) => Outcome::Unchanged(id),
            // Only a known document can be unchanged.
            (Ok(Prepared::Touched { .. } | Prepared::Unchanged), None) => return Ok(()),
            (Err(reason), Some(id)) if !reason.is_passing() => {
                self.store.prune_document(id)?;
                Outcome::Pruned(Some(reason))
            }
            (Err(reason), _) => Outcome::Skipped(reason),
        };
        self.note(path, bytes, &outcome);
        Ok(())
    }

    fn write_prose(
        &mut self,
        path: &str,
        prose: &Prose,
        known: Option<DocumentId>,
    ) -> Result<Outcome> {
        let write = self.write_of(path, prose);
        if known.is_none()
            && let Some((id, from)) = self.gone.take_moved(prose.hash, prose.kind, path)
        {
            self.store.move_document(id, &write)?;
            return Ok(Outcome::Moved { id, from });
        }
        let id = self.store.put_document(&write)?;
        let notices = prose.notices.iter().cloned();
        self.report.notices.extend(notices.map(|notice| Noticed {
            path: path.to_owned(),
            notice,
        }));
        Ok(match known {
            Some(_) => Outcome::Updated(id),
            None => Outcome::Added(id),
        })
    }

    fn write_of<'p>(&self, path: &str, prose: &'p Prose) -> DocumentWrite<'p> {
        let chunks = prose.chunks.iter();
        DocumentWrite {
            path: DocumentPath::new(self.source, path),
            title: &prose.title,
            date: Some(&prose.date),
            kind: prose.kind,
            content_hash: prose.hash,
            content: &prose.content,
            file_bytes: prose.facts.bytes,
            file_modified_ms: prose.facts.modified_ms,
            chunks: chunks
                .map(|chunk| NewChunk {
                    range: chunk.range.clone(),
                    trail: &chunk.trail,
                })
                .collect(),
        }
    }

    /// Deletes documents whose file is gone and did not move.
    fn prune_gone(&mut self, cancelled: &AtomicBool) -> Result<()> {
        for (path, id) in std::mem::take(&mut self.gone).into_rest() {
            if cancelled.load(Ordering::Relaxed) {
                self.report.completion = Completion::Cancelled;
                break;
            }
            self.store.prune_document(id)?;
            self.note(&path, 0, &Outcome::Pruned(None));
        }
        Ok(())
    }

    fn note(&mut self, path: &str, bytes: u64, outcome: &Outcome) {
        let report = &mut self.report;
        let counts = &mut report.counts;
        match outcome {
            Outcome::Added(id) => {
                counts.added += 1;
                report.added.push(*id);
            }
            Outcome::Updated(id) => {
                counts.updated += 1;
                report.updated.push(*id);
            }
            Outcome::Moved { id, .. } => {
                counts.updated += 1;
                report.moved.push(*id);
            }
            Outcome::Unchanged(_) => counts.unchanged += 1,
            Outcome::Pruned(_) => {
                counts.pruned += 1;
                report.pruned.push(DocumentPath::new(self.source, path));
            }
            Outcome::Skipped(_) => counts.skipped += 1,
        }
        if let Outcome::Skipped(reason) | Outcome::Pruned(Some(reason)) = outcome {
            report.skipped.push(Skipped {
                path: path.to_owned(),
                reason: reason.clone(),
            });
        }
        (self.on_event)(ImportEvent::Done {
            path,
            bytes,
            outcome,
        });
    }
}
