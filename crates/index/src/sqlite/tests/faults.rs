//! Faults of the disk, of other processes and of the file itself.

use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::time::Duration;

use epitome_core::id::BlobId;
use rusqlite::Connection;

use super::{place, tamper, within};
use crate::conformance::fixture::{batch, flush, id, kept, noise};
use crate::model::Flush;
use crate::{ErrorKind, SqliteStore, Store};

fn one_call<'a>(session: &str, result: &'a [u8]) -> Flush<'a> {
    flush(session, vec![batch(0, vec![kept("call_1", 1, result)])])
}

#[test]
fn a_full_disk_stores_all_or_nothing() {
    let (_folder, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    store.commit_flush(&one_call("a", b"output")).unwrap();
    within(&store, "PRAGMA max_page_count = 30");
    let large = noise(1, 1 << 20);
    let error = store.commit_flush(&one_call("b", &large)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Full { .. }), "{error}");
    assert_eq!(store.conversation(&id("b")).unwrap(), None);
    assert_eq!(store.original(&BlobId::of(b"output")).unwrap(), b"output");
    assert_eq!(store.check().unwrap().problems, [""; 0]);
    within(&store, "PRAGMA max_page_count = 1000000");
    store.commit_flush(&one_call("b", &large)).unwrap();
    assert!(store.original(&BlobId::of(&large)).unwrap() == large);
}

#[test]
fn a_held_store_is_busy_for_writers_only() {
    let (_folder, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    store.commit_flush(&one_call("a", b"output")).unwrap();
    store
        .session()
        .connection
        .busy_timeout(Duration::from_millis(20))
        .unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = store.commit_flush(&one_call("b", b"output")).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Busy { .. }), "{error}");
    assert_eq!(store.calls(&id("a")).unwrap().len(), 1);
    other.execute_batch("ROLLBACK").unwrap();
    store.commit_flush(&one_call("b", b"output")).unwrap();
}

#[test]
fn a_damaged_original_is_named() {
    let text = b"a line of text\n".repeat(20);
    let cases = [
        ("UPDATE blob SET data = x'00' WHERE codec = 1", "frame"),
        ("UPDATE blob SET length = 1 << 60 WHERE codec = 1", "length"),
        (
            "UPDATE blob SET data = substr(data, 1, length(data) - 3) WHERE codec = 1",
            "frame",
        ),
        (
            "UPDATE blob SET codec = 0 WHERE codec = 1",
            "instead of 300",
        ),
        (
            "UPDATE blob SET codec = 0, data = zeroblob(300) WHERE codec = 1",
            "address",
        ),
        ("DELETE FROM blob WHERE codec = 1", "not in the store"),
    ];
    for (sql, expected) in cases {
        let (_folder, path) = place();
        SqliteStore::open(&path)
            .unwrap()
            .commit_flush(&one_call("a", &text))
            .unwrap();
        tamper(&path, sql);
        let store = SqliteStore::open(&path).unwrap();
        let error = store.original(&BlobId::of(&text)).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Damaged { .. }),
            "{sql}: {error}"
        );
        assert!(error.to_string().contains(expected), "{sql}: {error}");
        assert!(!store.check().unwrap().problems.is_empty(), "{sql}");
        assert_eq!(store.original(&BlobId::of(b"{}")).unwrap(), b"{}");
    }
}

#[test]
fn a_call_without_its_original_is_reported() {
    let (_folder, path) = place();
    SqliteStore::open(&path)
        .unwrap()
        .commit_flush(&one_call("a", b"output"))
        .unwrap();
    tamper(&path, "DELETE FROM blob WHERE length = 2");
    let problems = SqliteStore::open(&path).unwrap().check().unwrap().problems;
    let lost = format!("The call call_1#1 of {} has lost an original.", id("a"));
    assert!(problems.contains(&lost), "{problems:?}");
    let dangling = "A row of `call` refers to a missing row of `blob`.".to_owned();
    assert!(problems.contains(&dangling), "{problems:?}");
}

#[test]
fn a_damaged_file_is_reported() {
    let (_folder, path) = place();
    let large = noise(2, 200_000);
    SqliteStore::open(&path)
        .unwrap()
        .commit_flush(&one_call("a", &large))
        .unwrap();
    let table = Connection::open(&path).unwrap();
    let sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'call'";
    let page: u64 = table.query_row(sql, [], |row| row.get(0)).unwrap();
    drop(table);
    let mut file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start((page - 1) * 4096)).unwrap();
    file.write_all(&[0xa5; 4096]).unwrap();
    drop(file);

    let store = SqliteStore::open(&path).unwrap();
    let error = store.calls(&id("a")).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Corrupted { .. }),
        "{error}"
    );
    assert!(!store.check().unwrap().problems.is_empty());
}

#[test]
fn small_and_dense_originals_stay_raw() {
    let (_folder, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    let samples = [
        vec![b'a'; 63],
        vec![b'a'; 64],
        noise(1, 5000),
        vec![b'a'; 5000],
    ];
    let calls = samples.iter().zip(1..).map(|(sample, number)| {
        kept(
            ["call_1", "call_2", "call_3", "call_4"][number as usize - 1],
            number,
            sample,
        )
    });
    store
        .commit_flush(&flush("a", vec![batch(0, calls.collect())]))
        .unwrap();
    let codec = |sample: &[u8]| -> u8 {
        let sql = "SELECT codec FROM blob WHERE address = ?1";
        let address = BlobId::of(sample);
        let session = store.session();
        session
            .connection
            .query_row(sql, [address.as_bytes()], |row| row.get(0))
            .unwrap()
    };
    assert_eq!(samples.each_ref().map(|sample| codec(sample)), [0, 1, 0, 1]);
}
