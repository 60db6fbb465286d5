//! Imports that end at any moment; the next one completes them.

use std::sync::atomic::{AtomicBool, Ordering};

use epitome_index::MemoryStore;
use epitome_index::import::Completion;
use epitome_retriever::ingest::{IngestEvent, SourceEvent};

use crate::fixture::{Lengths, Notes, each_store};

/// Cancels after so many events; returns whether there were as many.
fn sync_until(notes: &Notes, events: usize) -> bool {
    let cancelled = AtomicBool::new(events == 0);
    let mut seen = 0;
    let report = notes.sync_with(None, &cancelled, &mut |_| {
        seen += 1;
        if seen == events {
            cancelled.store(true, Ordering::Relaxed);
        }
    });
    let was_cancelled = seen >= events;
    assert!(was_cancelled || report.ingested.completion == Completion::Complete);
    was_cancelled
}

#[test]
fn a_cancelled_import_is_completed_by_the_next() {
    let whole = Notes::over(|_| Box::new(MemoryStore::new()));
    whole.sync();
    let first = whole.state();
    change(&whole);
    whole.sync();
    let second = whole.state();
    let mut steps = 0;
    loop {
        let notes = Notes::over(|_| Box::new(MemoryStore::new()));
        let cancelled = sync_until(&notes, steps);
        notes.sync();
        assert_eq!(notes.state(), first, "cancelled after {steps} events");
        change(&notes);
        sync_until(&notes, steps);
        notes.sync();
        assert_eq!(notes.state(), second, "cancelled after {steps} events");
        notes.summarizer.take_asked();
        notes.check_sync("unchanged=4", &[]);
        if !cancelled {
            break;
        }
        steps += 1;
    }
    assert!(steps > 12, "{steps}");
}

fn change(notes: &Notes) {
    notes.write("deep/two.md", "New text.");
    notes.write("deep/new.md", "A new note.");
    std::fs::remove_file(notes.root().join("one.md")).unwrap();
}

#[test]
fn a_killed_import_raises_the_version_after_all() {
    each_store(|notes| {
        notes.sync();
        notes.summarizer.take_asked();
        // What a kill leaves: a document was written, and the import was never finished.
        notes.write("one.md", "New text.");
        let document = notes.document("one.md");
        let content = "New text.";
        let write = epitome_index::documents::model::DocumentWrite {
            path: document.path.clone(),
            title: "one",
            date: None,
            kind: "markdown",
            content_hash: epitome_core::id::BlobId::of(content.as_bytes()),
            content,
            file_bytes: 9,
            file_modified_ms: 0,
            chunks: Vec::new(),
        };
        notes.store.put_document(&write).unwrap();
        notes.check_sync(
            "unchanged=4 summary_backfilled=1",
            &["notes", "notes/one.md"],
        );
        assert_eq!(notes.version(), 2);
    });
}

#[test]
fn progress_counts_up_to_what_is_due() {
    each_store(|notes| {
        let mut due = None;
        let mut done = Vec::new();
        let mut vectors = 0;
        let embedder = Lengths {
            down: AtomicBool::new(false),
        };
        notes.sync_with(
            Some(&embedder),
            &AtomicBool::new(false),
            &mut |event| match event {
                SourceEvent::Ingest(IngestEvent::Due(count)) => due = Some(count),
                SourceEvent::Ingest(IngestEvent::Summarized { progress, .. }) => {
                    assert_eq!(progress.total, 4);
                    assert!(progress.left().is_some());
                    done.push(progress.done);
                }
                SourceEvent::Ingest(IngestEvent::Embedding(progress)) => vectors = progress.done,
                _ => {}
            },
        );
        assert_eq!(due, Some(4));
        assert_eq!(done, [1, 2, 3, 4]);
        assert_eq!(vectors, 4);
    });
}
