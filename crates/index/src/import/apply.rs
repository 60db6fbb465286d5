//! Writes what changed, file by file.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::known::{Gone, Known, read_known};
use super::read::{Prepared, Prose, prepare};
use super::walk::{Entry, FileFacts, Listing};
use super::{
    Check, Completion, Counts, ImportEvent, ImportReport, ImportRequest, Noticed, Outcome,
    SkipReason, Skipped, workers,
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
    on_event(ImportEvent::Listed {
        files: listing.entries.len() as u64,
        bytes: listing.entries.values().map(bytes_of).sum(),
    });
    let (settled, reads) = settle(listing, &known, request.check);
    let mut writer = Writer {
        store,
        source: request.source,
        known: &known,
        gone,
        settled: settled.into_iter().peekable(),
        on_event,
        cancelled,
        report: empty_report(),
    };
    let ended = workers::in_order(
        &reads,
        request.workers,
        |(path, _)| prepare(root, path, known.get(path), request),
        |(path, facts), prepared| {
            writer.write_settled(Some(path))?;
            writer.write(path, facts.bytes, prepared)
        },
    );
    let ended = ended.map_err(|error| ErrorKind::Folder {
        path: root.to_owned(),
        reason: error.to_string(),
    })?;
    let ended = match ended {
        Some(stop) => ControlFlow::Break(stop),
        None => writer.write_rest(),
    };
    match ended {
        ControlFlow::Continue(()) => {}
        ControlFlow::Break(Stop::Cancelled) => writer.report.completion = Completion::Cancelled,
        ControlFlow::Break(Stop::Failed(error)) => return Err(error),
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

/// A file that needs no reading, with its bytes.
type Settled = (String, u64, Result<Prepared, SkipReason>);

/// Parts what has its outcome already from what must be read; both in the order of their paths.
fn settle(
    listing: Listing,
    known: &BTreeMap<String, Known>,
    check: Check,
) -> (Vec<Settled>, Vec<(String, FileFacts)>) {
    let (mut settled, mut reads) = (Vec::new(), Vec::new());
    for (path, entry) in listing.entries {
        let same = |facts: &FileFacts| known.get(&path).is_some_and(|known| known.facts == *facts);
        match entry {
            Entry::Skip(reason) => settled.push((path, 0, Err(reason))),
            Entry::File(facts) if check == Check::SizeAndTime && same(&facts) => {
                settled.push((path, facts.bytes, Ok(Prepared::Unchanged)));
            }
            Entry::File(facts) => reads.push((path, facts)),
        }
    }
    (settled, reads)
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

fn stop_on_error<T>(result: Result<T>) -> ControlFlow<Stop, T> {
    match result {
        Ok(value) => ControlFlow::Continue(value),
        Err(error) => ControlFlow::Break(Stop::Failed(error)),
    }
}

struct Writer<'a> {
    store: &'a dyn DocumentStore,
    source: &'a str,
    known: &'a BTreeMap<String, Known>,
    gone: Gone,
    settled: Peekable<std::vec::IntoIter<Settled>>,
    on_event: &'a mut dyn FnMut(ImportEvent<'_>),
    cancelled: &'a AtomicBool,
    report: ImportReport,
}

impl Writer<'_> {
    /// Gives settled files their outcome, up to this path, so that all come in order.
    fn write_settled(&mut self, before: Option<&str>) -> ControlFlow<Stop> {
        let is_due = |next: &Settled| before.is_none_or(|before| next.0.as_str() < before);
        while let Some((path, bytes, prepared)) = self.settled.next_if(is_due) {
            self.write(&path, bytes, prepared)?;
        }
        ControlFlow::Continue(())
    }

    /// What remains when all files are read: the last settled ones, then documents without a file.
    fn write_rest(&mut self) -> ControlFlow<Stop> {
        self.write_settled(None)?;
        for (path, id) in std::mem::take(&mut self.gone).into_rest() {
            self.go_on()?;
            stop_on_error(self.store.prune_document(id))?;
            self.note(&path, 0, &Outcome::Pruned(None));
        }
        ControlFlow::Continue(())
    }

    fn go_on(&self) -> ControlFlow<Stop> {
        if self.cancelled.load(Ordering::Relaxed) {
            return ControlFlow::Break(Stop::Cancelled);
        }
        ControlFlow::Continue(())
    }

    /// Gives one file its outcome, in one transaction.
    fn write(
        &mut self,
        path: &str,
        bytes: u64,
        prepared: Result<Prepared, SkipReason>,
    ) -> ControlFlow<Stop> {
        self.go_on()?;
        if let Some(outcome) = stop_on_error(self.outcome(path, prepared))? {
            self.note(path, bytes, &outcome);
        }
        ControlFlow::Continue(())
    }

    /// Writes one file. `None` where nothing is due, which only a known document can be.
    fn outcome(
        &mut self,
        path: &str,
        prepared: Result<Prepared, SkipReason>,
    ) -> Result<Option<Outcome>> {
        let known = self.known.get(path).map(|known| known.id);
        let outcome = match (prepared, known) {
            (Ok(Prepared::Text(prose)), known) => self.write_prose(path, &prose, known)?,
            (Ok(Prepared::Touched { facts, date }), Some(id)) => {
                self.store
                    .touch_document(id, facts.bytes, facts.modified_ms, Some(&date))?;
                Outcome::Unchanged(id)
            }
            (Ok(Prepared::Unchanged), Some(id)) => Outcome::Unchanged(id),
            (Ok(Prepared::Touched { .. } | Prepared::Unchanged), None) => return Ok(None),
            (Err(reason), Some(id)) if !reason.is_passing() => {
                self.store.prune_document(id)?;
                Outcome::Pruned(Some(reason))
            }
            (Err(reason), _) => Outcome::Skipped(reason),
        };
        Ok(Some(outcome))
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
