//! Documents on disk: erasure, damage, readers beside a writer, older files.

use std::fs;
use std::path::Path;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::Connection;

use super::super::{migrate, place::log_path};
use super::{erase::holders, place, tamper};
use crate::conformance::documents::fixture::{own, put, summary, words};
use crate::conformance::fixture::{batch, flush, id, kept};
use crate::documents::model::{Folder, LexicalQuery, SummaryAuthor};
use crate::{DocumentStore, SqliteStore, Store};

/// A source that carries its marker in every column that takes text.
fn put_marked(store: &SqliteStore, source: &str, marker: &str) {
    for number in 0..40 {
        let content = format!(
            "{marker} stands here\n\n{}\n\nРынок{marker}",
            "other words ".repeat(99)
        );
        let address = format!("{source}/{marker}/{number}.md");
        let id = put(store, &address, &format!("Title {marker}"), &content);
        let short = format!("In short: {marker}.");
        let short = summary(&short, SummaryAuthor::Auto, &content);
        store.put_summary(id, &short).unwrap();
    }
    let key = epitome_core::id::BlobId::of(b"");
    store.put_overview(source, marker, key).unwrap();
    let folder = Folder {
        path: marker.to_owned(),
        summary: marker.to_owned(),
        key,
    };
    store.put_folder(source, &folder).unwrap();
}

#[test]
fn a_forgotten_source_is_gone_from_the_disk() {
    let (folder, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    // Stems of the full-text index are parts of their words, so the markers have no endings.
    put_marked(&store, "n", "qzxvkqj");
    put_marked(&store, "m", "wqkzbxq");
    let id = put(&store, "n/late.md", "Late", "plain");
    let chunk = store.chunks(id).unwrap()[0].id;
    store
        .put_vectors("model", &[(chunk, vec![1.25e-7; 64])])
        .unwrap();
    let vector = 1.25e-7_f32.to_le_bytes().repeat(64);
    for bytes in [&b"qzxvkqj"[..], b"wqkzbxq", &vector] {
        assert!(!holders(folder.path(), bytes).is_empty());
    }
    assert!(store.forget_source("n").unwrap().is_some());
    assert_eq!(holders(folder.path(), b"qzxvkqj"), [""; 0]);
    assert_eq!(holders(folder.path(), &vector), [""; 0]);
    assert_eq!(store.check().unwrap().problems, [""; 0]);
    let hits = store.search_lexical(&words(&["wqkzbxq"])).unwrap();
    assert_eq!(hits.len(), 100);
    assert!(store.forget_source("m").unwrap().is_some());
    assert_eq!(holders(folder.path(), b"wqkzbxq"), [""; 0]);
    assert_eq!(holders(folder.path(), "рынок".as_bytes()), [""; 0]);
}

#[test]
fn what_does_not_belong_together_is_reported() {
    let cases = [
        (
            "DELETE FROM documents WHERE id = 1",
            "missing row of `documents`",
        ),
        (
            "DELETE FROM contents WHERE document = 1",
            "The document 1 has lost its text.",
        ),
        (
            "DELETE FROM chunks WHERE id = 1",
            "The index `chunks_fts` has an entry 1 without a chunk.",
        ),
        (
            "DELETE FROM chunks WHERE id = 2",
            "The index `chunks_tri` has an entry 2 without a chunk.",
        ),
        (
            "DELETE FROM chunks_fts WHERE rowid = 1",
            "The chunk 0 of the document 1 is not in the index.",
        ),
        (
            "UPDATE chunks SET past = 999 WHERE id = 1",
            "The chunk 0 of the document 1 does not fit its text.",
        ),
        (
            "UPDATE chunks SET first = first + 1 WHERE id = 2",
            "The chunk 1 of the document 1 does not fit its text.",
        ),
        (
            "UPDATE contents SET data = x'ff', length = 1, codec = 0",
            "it is no text",
        ),
        ("UPDATE contents SET data = x'00'", "instead of"),
        ("DELETE FROM chunks_fts_data WHERE id > 10", "chunks_fts"),
    ];
    for (sql, expected) in cases {
        let (_folder, path) = place();
        put(
            &SqliteStore::open(&path).unwrap(),
            "n/a.md",
            "A",
            "apple\n\nрост",
        );
        tamper(&path, sql);
        let problems = SqliteStore::open(&path).unwrap().check().unwrap().problems;
        assert!(
            problems.iter().any(|p| p.contains(expected)),
            "{sql}: {problems:?}"
        );
    }
}

#[test]
fn a_damaged_text_is_an_error() {
    let (_folder, path) = place();
    let id = put(&SqliteStore::open(&path).unwrap(), "n/a.md", "A", "apple");
    tamper(&path, "UPDATE contents SET data = x'00'");
    let store = SqliteStore::open(&path).unwrap();
    let error = store.content(id).unwrap_err().to_string();
    assert!(
        error.starts_with("read the text of the document 1: it has 1 bytes"),
        "{error}"
    );
    let scan = LexicalQuery {
        substrings: own(&["a"]),
        limit: 1,
        ..LexicalQuery::default()
    };
    store.search_lexical(&scan).unwrap_err();
    store.chunks(id).unwrap_err();
}

#[test]
fn a_store_without_documents_is_brought_up_to_date() {
    let (_folder, path) = place();
    let older = Connection::open(&path).unwrap();
    older
        .execute_batch(include_str!("../../../migrations/0001_store.sql"))
        .unwrap();
    older
        .pragma_update(None, "application_id", migrate::APPLICATION_ID)
        .unwrap();
    older.pragma_update(None, "user_version", 1).unwrap();
    drop(older);
    let error = SqliteStore::open_read_only(&path).unwrap_err();
    let is_older = matches!(error.kind(), crate::ErrorKind::Older { found: 1, .. });
    assert!(is_older, "{error}");
    let store = SqliteStore::open(&path).unwrap();
    store
        .commit_flush(&flush(
            "a",
            vec![batch(0, vec![kept("call_1", 1, b"output")])],
        ))
        .unwrap();
    put(&store, "n/a.md", "A", "apple");
    assert_eq!(store.calls(&id("a")).unwrap().len(), 1);
    let report = store.check().unwrap();
    assert_eq!(
        (report.schema_version, report.documents),
        (migrate::KNOWN, 1)
    );
    assert_eq!(report.problems, [""; 0]);
}

#[test]
fn a_store_for_reading_is_searched() {
    let (_folder, path) = place();
    put(&SqliteStore::open(&path).unwrap(), "n/a.md", "A", "apple");
    let store = SqliteStore::open_read_only(&path).unwrap();
    assert_eq!(store.search_lexical(&words(&["apple"])).unwrap().len(), 1);
    assert_eq!(store.check().unwrap().problems, [""; 0]);
    store.put_source("n", "/", 1).unwrap_err();
}

#[test]
fn another_process_may_hold_the_import() {
    let (_folder, path) = place();
    let (one, two) = (
        SqliteStore::open(&path).unwrap(),
        SqliteStore::open(&path).unwrap(),
    );
    let held = one.begin_import("n").unwrap();
    assert!(held.is_some());
    assert!(two.begin_import("n").unwrap().is_none());
    assert!(two.begin_import("m").unwrap().is_some());
    drop(held);
    assert!(two.begin_import("n").unwrap().is_some());
}

/// Largest length of the write-ahead log, looked at while an import runs.
fn watch_log(path: &Path, done: &AtomicBool) -> u64 {
    let mut most = 0;
    while !done.load(Ordering::Relaxed) {
        most = fs::metadata(log_path(path))
            .map_or(0, |log| log.len())
            .max(most);
        std::thread::sleep(Duration::from_millis(2));
    }
    most
}

/// Makes readers fail where they would wait for a lock: one that would last is an error at once.
fn lose_patience(store: &SqliteStore, together: &Barrier) {
    let impatient = store.readers.read(|connection| {
        connection.busy_timeout(Duration::ZERO)?;
        // All readers hold a connection at this moment, so all connections lose it.
        together.wait();
        Ok(())
    });
    impatient.unwrap();
}

#[test]
fn readers_do_not_wait_for_an_import() {
    let (_folder, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    put(&store, "n/first.md", "First", "apple");
    let done = AtomicBool::new(false);
    let (searches, together) = (AtomicU64::new(0), Barrier::new(10));
    let text = |number: usize| {
        let line = |at: usize| {
            format!(
                "word{} apple line{} of {number}\n",
                at * 7 % 501,
                at * number % 997
            )
        };
        (0..20).map(line).collect::<String>()
    };
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..10)
            .map(|reader| {
                let (store, done) = (&store, &done);
                let (searches, together) = (&searches, &together);
                scope.spawn(move || {
                    lose_patience(store, together);
                    while !done.load(Ordering::Relaxed) {
                        let term = format!("line{}", reader * 31);
                        assert!(
                            !store
                                .search_lexical(&words(&[&term, "first"]))
                                .unwrap()
                                .is_empty()
                        );
                        searches.fetch_add(1, Ordering::Relaxed);
                        std::thread::sleep(Duration::from_millis(5));
                    }
                })
            })
            .collect();
        let log = scope.spawn(|| watch_log(&path, &done));
        for number in 0..2000 {
            put(&store, &format!("n/{number}.md"), "Title", &text(number));
        }
        store.finish_import("n", true, 1).unwrap();
        let left = fs::metadata(log_path(&path)).unwrap().len();
        done.store(true, Ordering::Relaxed);
        for reader in readers {
            reader.join().unwrap();
        }
        let most = log.join().unwrap();
        assert!(searches.load(Ordering::Relaxed) > 100);
        assert!(most < 64 << 20, "{most}");
        assert_eq!(left, 0);
    });
    assert_eq!(store.check().unwrap().problems, [""; 0]);
}
