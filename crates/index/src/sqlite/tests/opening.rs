//! Opening: modes, owners, versions, read-only places.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use epitome_core::id::BlobId;
use rusqlite::Connection;

use super::super::migrate::{self, APPLICATION_ID, KNOWN};
use super::{place, tamper};
use crate::conformance::fixture::{batch, flush, id, kept};
use crate::{Error, ErrorKind, SqliteStore, Store};

/// Names and bytes of all files of a folder.
fn snapshot(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let named = entries.map(|entry| {
        (
            entry.file_name().into_string().unwrap(),
            fs::read(entry.path()).unwrap_or_default(),
        )
    });
    named.collect()
}

fn fill(store: &SqliteStore) {
    store
        .commit_flush(&flush(
            "a",
            vec![batch(0, vec![kept("call_1", 1, b"output")])],
        ))
        .unwrap();
}

#[test]
fn a_store_is_found_again() {
    let (_folder, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    fill(&store);
    let calls = store.calls(&id("a")).unwrap();
    drop(store);
    for store in [
        SqliteStore::open(&path).unwrap(),
        SqliteStore::open_read_only(&path).unwrap(),
    ] {
        assert_eq!(store.calls(&id("a")).unwrap(), calls);
        assert_eq!(store.original(&BlobId::of(b"output")).unwrap(), b"output");
        assert_eq!(store.name(), path.display().to_string());
    }
}

#[test]
fn the_file_is_marked_and_versioned() {
    let (_folder, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    assert_eq!(store.check().unwrap().schema_version, KNOWN);
    assert!(store.check().unwrap().stored_bytes > 0);
    drop(store);
    let connection = Connection::open(&path).unwrap();
    assert_eq!(migrate::version(&connection).unwrap(), KNOWN);
    assert_eq!(
        migrate::application_id(&connection).unwrap(),
        APPLICATION_ID
    );
}

#[test]
fn unusual_names_are_only_names() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "with space.db",
        "100%41?mode=memory#x.db",
        "file:x.db",
        "übung.db",
        ":memory:",
    ] {
        let path = folder.path().join(name);
        fill(&SqliteStore::open(&path).unwrap());
        assert!(path.is_file(), "{name}");
        let store = SqliteStore::open_read_only(&path).unwrap();
        assert_eq!(store.calls(&id("a")).unwrap().len(), 1, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn modes_are_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let nested = folder.path().join("new/nested");
    let path = nested.join("store.db");
    let store = SqliteStore::open(&path).unwrap();
    fill(&store);
    assert_eq!(mode(folder.path()), 0o755);
    assert_eq!(
        (mode(&folder.path().join("new")), mode(&nested)),
        (0o700, 0o700)
    );
    for name in ["store.db", "store.db-wal", "store.db-shm"] {
        assert_eq!(mode(&nested.join(name)), 0o600, "{name}");
    }
    drop(store);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let store = SqliteStore::open(&path).unwrap();
    for name in ["store.db", "store.db-wal", "store.db-shm"] {
        let path = nested.join(name);
        assert!(!path.exists() || mode(&path) == 0o600, "{name}");
    }
    drop(store);
}

/// Both ways to open refuse the file, with this text, and leave the folder as it is.
fn check_refused(path: &Path, expected: &str, is_kind: fn(&ErrorKind) -> bool) {
    let before = snapshot(path.parent().unwrap());
    let opened: [Result<SqliteStore, Error>; 2] =
        [SqliteStore::open(path), SqliteStore::open_read_only(path)];
    for error in opened.map(|opened| opened.unwrap_err()) {
        assert!(is_kind(error.kind()), "{error:?}");
        assert!(error.to_string().contains(expected), "{error}");
        assert!(
            error.to_string().contains(&path.display().to_string()),
            "{error}"
        );
    }
    assert!(
        snapshot(path.parent().unwrap()) == before,
        "the folder was touched"
    );
}

fn is_open(kind: &ErrorKind) -> bool {
    matches!(kind, ErrorKind::Open { .. })
}

#[test]
fn what_is_no_store_is_refused_untouched() {
    let (_folder, path) = place();
    for content in ["no database", &"a longer text, no database\n".repeat(500)] {
        fs::write(&path, content).unwrap();
        check_refused(&path, "not a store of this program", is_open);
    }
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    check_refused(&path, "it is a folder", is_open);
    #[cfg(unix)]
    check_refused_for_reading(Path::new("/dev/null"), "it is not a regular file");
}

#[test]
fn another_programs_database_is_refused_untouched() {
    for sql in [
        "CREATE TABLE notes (x)",
        "PRAGMA application_id = 7",
        "PRAGMA user_version = 3",
    ] {
        let (_folder, path) = place();
        tamper(&path, sql);
        check_refused(&path, "a database of another program", is_open);
    }
}

#[test]
fn a_newer_store_is_refused_untouched() {
    let (_folder, path) = place();
    fill(&SqliteStore::open(&path).unwrap());
    tamper(&path, "PRAGMA user_version = 99");
    let before = snapshot(path.parent().unwrap());
    let error = SqliteStore::open(&path).unwrap_err();
    assert!(
        matches!(
            error.kind(),
            ErrorKind::Newer {
                found: 99,
                known: KNOWN,
                ..
            }
        ),
        "{error}"
    );
    assert!(
        snapshot(path.parent().unwrap()) == before,
        "the folder was touched"
    );
    let error = SqliteStore::open_read_only(&path).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Newer { found: 99, .. }),
        "{error}"
    );
}

#[test]
fn reading_makes_no_store() {
    let (folder, path) = place();
    check_refused_for_reading(&path, "it does not exist");
    check_refused_for_reading(&folder.path().join("no/store.db"), "it does not exist");
    assert!(snapshot(folder.path()).is_empty());
    fs::write(&path, "").unwrap();
    check_refused_for_reading(&path, "it is empty");
    // An empty file is a store that was never finished.
    fill(&SqliteStore::open(&path).unwrap());
}

fn check_refused_for_reading(path: &Path, expected: &str) {
    let error = SqliteStore::open_read_only(path).unwrap_err();
    assert!(
        is_open(error.kind()) && error.to_string().contains(expected),
        "{error}"
    );
}

#[test]
fn a_reader_sees_what_a_writer_stored() {
    let (_folder, path) = place();
    let writer = SqliteStore::open(&path).unwrap();
    let reader = SqliteStore::open_read_only(&path).unwrap();
    fill(&writer);
    assert_eq!(reader.calls(&id("a")).unwrap().len(), 1);
    let error = reader.commit_flush(&flush("b", Vec::new())).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::ReadOnly { .. }),
        "{error}"
    );
    assert_eq!(reader.check().unwrap().problems, [""; 0]);
}

#[test]
fn stores_open_side_by_side() {
    let (_folder, path) = place();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| fill(&SqliteStore::open(&path).unwrap()));
        }
    });
    assert_eq!(
        SqliteStore::open(&path)
            .unwrap()
            .batches(&id("a"))
            .unwrap()
            .len(),
        1
    );
}

#[cfg(unix)]
#[test]
fn a_read_only_place_is_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, path) = place();
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    fill(&SqliteStore::open(&path).unwrap());
    set(&path, 0o400);
    set(folder.path(), 0o500);
    // Modes do not bind a privileged user, who can write and so proves less here.
    let privileged = fs::write(folder.path().join("probe"), "").is_ok();
    let reader = SqliteStore::open_read_only(&path).unwrap();
    assert_eq!(reader.original(&BlobId::of(b"output")).unwrap(), b"output");
    assert_eq!(reader.check().unwrap().problems, [""; 0]);
    let error = reader.forget(&id("a")).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::ReadOnly { .. }),
        "{error}"
    );
    drop(reader);
    if !privileged {
        for mode in [0o400, 0o600] {
            set(&path, mode);
            let error = SqliteStore::open(&path).unwrap_err();
            assert!(
                matches!(error.kind(), ErrorKind::ReadOnly { .. }),
                "{mode:o}: {error}"
            );
        }
        let error = SqliteStore::open(folder.path().join("new.db")).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::ReadOnly { .. }),
            "{error}"
        );
    }
    set(folder.path(), 0o700);
}
