//! A process that is killed while it flushes leaves whole flushes only.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use epitome_core::id::BlobId;

use super::place;
use crate::conformance::fixture::{batch, flush, id, kept, noise};
use crate::model::StoredFate;
use crate::{SqliteStore, Store};

/// Tells the test that plays the child where its store is.
const STORE: &str = "EPITOME_TEST_CRASH_STORE";

const CALLS: u32 = 5;

fn result(number: u32) -> Vec<u8> {
    noise(u64::from(number), 20_000)
}

fn flush_for_ever(path: &Path) {
    let store = SqliteStore::open(path).unwrap();
    for turn in store.batches(&id("a")).unwrap().len() as u32.. {
        let numbers: Vec<u32> = (1..=CALLS).map(|call| turn * CALLS + call).collect();
        let results: Vec<Vec<u8>> = numbers.iter().map(|number| result(*number)).collect();
        let calls = numbers.iter().zip(&results);
        let calls = calls.map(|(number, result)| kept(&format!("call_{number}"), *number, result));
        store
            .commit_flush(&flush("a", vec![batch(turn, calls.collect())]))
            .unwrap();
    }
}

/// Does nothing unless the other test runs it in a process of its own.
#[test]
fn child() {
    if let Some(path) = std::env::var_os(STORE) {
        flush_for_ever(Path::new(&path));
    }
}

fn check_whole(store: &SqliteStore) -> usize {
    assert_eq!(store.check().unwrap().problems, [""; 0]);
    let batches = store.batches(&id("a")).unwrap();
    let calls = store.calls(&id("a")).unwrap();
    assert_eq!(calls.len(), batches.len() * CALLS as usize);
    for (call, number) in calls.iter().zip(1..) {
        let StoredFate::Kept {
            short,
            result: blob,
            ..
        } = &call.fate
        else {
            panic!("left")
        };
        assert_eq!((short.number(), call.batch), (number, (number - 1) / CALLS));
        assert_eq!(*blob, BlobId::of(&result(number)));
    }
    batches.len()
}

#[test]
fn a_killed_process_leaves_whole_flushes() {
    let (_folder, path) = place();
    let mut flushes = 0;
    for round in 0..4_u64 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "sqlite::tests::crash::child"])
            .env(STORE, &path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let deadline = Instant::now() + Duration::from_mins(1);
        let progress = || {
            let seen = SqliteStore::open_read_only(&path).and_then(|s| s.batches(&id("a")));
            seen.map_or(0, |batches| batches.len())
        };
        while progress() < flushes + 3 {
            assert!(Instant::now() < deadline, "the child makes no progress");
            std::thread::sleep(Duration::from_millis(2));
        }
        // Not at the same moment of a flush each time.
        std::thread::sleep(Duration::from_millis(round * 3));
        child.kill().unwrap();
        child.wait().unwrap();
        flushes = check_whole(&SqliteStore::open(&path).unwrap());
        assert!(flushes >= 3);
    }
}
