//! Several processes: started together on one store, or killed while they flush.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use epitome_core::id::BlobId;

use super::place;
use crate::conformance::fixture::{batch, flush, id, kept, noise};
use crate::model::StoredFate;
use crate::{SqliteStore, Store};

/// Tells the test that plays the child where its store is.
const STORE: &str = "EPITOME_TEST_STORE";

/// Tells it after how many flushes to end.
const FLUSHES: &str = "EPITOME_TEST_FLUSHES";

const CALLS: u32 = 5;

fn result(number: u32) -> Vec<u8> {
    noise(u64::from(number), 20_000)
}

fn flush_until(path: &Path, end: u32) {
    let store = SqliteStore::open(path).unwrap();
    for turn in store.batches(&id("a")).unwrap().len() as u32..end {
        let numbers: Vec<u32> = (1..=CALLS).map(|call| turn * CALLS + call).collect();
        let results: Vec<Vec<u8>> = numbers.iter().map(|number| result(*number)).collect();
        let calls = numbers.iter().zip(&results);
        let calls = calls.map(|(number, result)| kept(&format!("call_{number}"), *number, result));
        store
            .commit_flush(&flush("a", vec![batch(turn, calls.collect())]))
            .unwrap();
    }
}

/// Does nothing unless another test runs it in a process of its own.
#[test]
fn child() {
    if let Some(path) = std::env::var_os(STORE) {
        let end = std::env::var(FLUSHES).unwrap().parse().unwrap();
        flush_until(Path::new(&path), end);
    }
}

fn start_child(path: &Path, flushes: u32) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "sqlite::tests::processes::child"])
        .env(STORE, path)
        .env(FLUSHES, flushes.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn check_whole(store: &SqliteStore) -> u32 {
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
    batches.len() as u32
}

#[test]
fn processes_make_a_store_side_by_side() {
    for _ in 0..4 {
        let (_folder, path) = place();
        let children = [(); 4].map(|()| start_child(&path, 3));
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
        assert_eq!(check_whole(&SqliteStore::open(&path).unwrap()), 3);
    }
}

#[test]
fn a_killed_process_leaves_whole_flushes() {
    let (_folder, path) = place();
    let mut flushes = 0;
    for round in 0..4_u64 {
        let mut child = start_child(&path, u32::MAX);
        let deadline = Instant::now() + Duration::from_mins(1);
        let progress = || {
            let seen = SqliteStore::open_read_only(&path).and_then(|s| s.batches(&id("a")));
            seen.map_or(0, |batches| batches.len() as u32)
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
