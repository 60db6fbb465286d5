//! Forgetting leaves no byte of a conversation on the disk.

use std::fs;
use std::path::Path;
use std::time::Duration;

use epitome_core::id::BlobId;
use rusqlite::Connection;

use super::place;
use crate::conformance::fixture::{batch, flush, id, kept, noise};
use crate::model::{FlushedFate, NewRendering, RenderingEdit};
use crate::{ErrorKind, SqliteStore, Store};

/// Files of the folder that hold these bytes.
pub(super) fn holders(folder: &Path, bytes: &[u8]) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let holding = files.filter(|file| {
        fs::read(file.path())
            .unwrap()
            .windows(bytes.len())
            .any(|window| window == bytes)
    });
    holding
        .map(|file| file.file_name().into_string().unwrap())
        .collect()
}

/// Stores a conversation that carries its marker in every column that takes text or bytes.
fn store_marked(store: &SqliteStore, session: &str, marker: &str, length: usize) -> Vec<u8> {
    let dense = noise(marker.len() as u64 + length as u64, length);
    let result = [marker.as_bytes(), &dense, marker.as_bytes()].concat();
    for turn in 0..4 {
        let mut call = kept(&format!("{marker}-{turn}"), turn + 1, &result);
        call.tool = marker.to_owned();
        if let FlushedFate::Kept(kept) = &mut call.fate {
            kept.bullets = format!("- {marker}");
            kept.rendering = format!("stub {marker}").repeat(3);
        }
        let mut batch = batch(turn, vec![call]);
        batch.summary = marker.repeat(5);
        let mut flush = flush(session, vec![batch]);
        flush.conversation.title = marker.to_owned();
        store.commit_flush(&flush).unwrap();
    }
    let original = [&dense[..50], marker.as_bytes()].concat();
    let rendering = NewRendering {
        conversation: id(session),
        output: BlobId::of(marker.as_bytes()),
        output_length: 1,
        source: BlobId::of(b""),
        source_length: 1,
        at_ms: 0,
        edits: vec![RenderingEdit {
            offset: 0,
            length: 0,
            original: &original,
        }],
    };
    store.record_rendering(&rendering).unwrap();
    dense
}

#[test]
fn forgotten_bytes_are_gone() {
    let (folder, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    let mut stored = Vec::new();
    for (number, length) in [100, 40_000, 300, 2_000_000, 3000, 60, 9000, 700]
        .into_iter()
        .enumerate()
    {
        let (session, marker) = (
            format!("s{number}"),
            format!("<<marker {number} of the test>>"),
        );
        let dense = store_marked(&store, &session, &marker, length);
        stored.push((session, marker, dense));
    }
    for (number, (session, marker, dense)) in stored.iter().enumerate() {
        if number % 2 == 0 {
            continue;
        }
        assert!(!holders(folder.path(), marker.as_bytes()).is_empty());
        assert!(!holders(folder.path(), &dense[..40]).is_empty());
        assert!(store.forget(&id(session)).unwrap().is_some());
        assert_eq!(holders(folder.path(), marker.as_bytes()), [""; 0]);
        assert_eq!(holders(folder.path(), &dense[..40]), [""; 0]);
        assert_eq!(holders(folder.path(), &dense[dense.len() - 40..]), [""; 0]);
    }
    assert_eq!(store.check().unwrap().problems, [""; 0]);
    for (session, ..) in stored.iter().step_by(2) {
        assert_eq!(store.calls(&id(session)).unwrap().len(), 4);
    }
}

#[test]
fn a_reader_delays_the_erasure_and_not_the_deletion() {
    let (folder, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    store_marked(&store, "a", "<<a marker of the test>>", 5000);
    store
        .session()
        .connection
        .busy_timeout(Duration::from_millis(20))
        .unwrap();
    let reader = Connection::open(&path).unwrap();
    reader
        .execute_batch("BEGIN; SELECT count(*) FROM call")
        .unwrap();
    let error = store.forget(&id("a")).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Busy { .. }), "{error}");
    assert_eq!(store.calls(&id("a")).unwrap(), []);
    reader.execute_batch("COMMIT").unwrap();
    assert_eq!(store.forget(&id("a")).unwrap(), None);
    assert_eq!(holders(folder.path(), b"<<a marker of the test>>"), [""; 0]);
}
