//! Opening a store: whose file it is, and the connection's settings.

use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use epitome_core::id::hex;
use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};

use super::failure::raise;
use super::migrate::{self, APPLICATION_ID, KNOWN};
use super::place::{log_path, make_file, make_folder, tighten};
use crate::{Error, ErrorKind, Result};

/// How long to wait for another process.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Statements kept prepared: more than there are queries.
const PREPARED: usize = 128;

/// Settings of every connection. Deleted content is overwritten, and nothing is spilled to
/// temporary files, so the bytes of originals are in the store's files only.
const SETTINGS: &str = "
    PRAGMA foreign_keys = ON;
    PRAGMA synchronous = NORMAL;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY;
";

/// Mode of a new file: readers and one writer do not wait for each other. It stays with the file.
const NEW_FILE: &str = "PRAGMA journal_mode = WAL";

/// One open at a time in this process: making a file and closing that handle drops the locks
/// that the engine holds on the same file through another one.
static OPENING: Mutex<()> = Mutex::new(());

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// Empty.
    Nobody,
    /// A store with a schema of this version.
    Us(u32),
    /// A database of another program.
    Other,
}

/// Opens a store for writing, makes what is missing, brings its schema up to date.
pub(super) fn open_writable(path: &Path) -> Result<Connection> {
    let _one_at_a_time = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
    let place = std::path::absolute(path).map_err(|error| io_error(path, &error))?;
    make_folder(&place).map_err(|error| io_error(path, &error))?;
    make_file(&place).map_err(|error| io_error(path, &error))?;
    refuse_other_kinds(path, &place)?;

    // A first look at the bare file: it takes no lock and leaves no trace in a file that is not
    // ours to touch.
    let bare = connect_bare(&place).and_then(|bare| owner(&bare));
    refuse_foreign(path, bare.map_err(|error| read_error(path, error))?)?;

    let mut connection = connect_for_writing(&place).map_err(|error| write_error(path, error))?;
    let owner = owner(&connection).map_err(|error| write_error(path, error))?;
    if refuse_foreign(path, owner)? < KNOWN {
        prepare_schema(&mut connection).map_err(|error| write_error(path, error))?;
    }
    tighten(&place).map_err(|error| io_error(path, &error))?;
    Ok(connection)
}

/// Opens an existing store for reading.
pub(super) fn open_readable(path: &Path) -> Result<Connection> {
    let place = std::path::absolute(path).map_err(|error| io_error(path, &error))?;
    refuse_other_kinds(path, &place)?;
    let connection = connect_for_reading(&place).map_err(|error| read_error(path, error))?;
    let owner = owner(&connection).map_err(|error| read_error(path, error))?;
    let found = refuse_foreign(path, owner)?;
    if found == 0 {
        return Err(ErrorKind::Open {
            path: path.to_owned(),
            reason: "it is empty".to_owned(),
        }
        .into());
    }
    if found < KNOWN {
        return Err(ErrorKind::Older {
            path: path.to_owned(),
            found,
        }
        .into());
    }
    Ok(connection)
}

/// Connects with all settings. A file that only can be read is refused now, not at the first write.
fn connect_for_writing(place: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_READ_WRITE;
    let connection = Connection::open_with_flags(place, flags)?;
    configure(&connection)?;
    if connection.is_readonly("main")? {
        let read_only = ffi::Error::new(ffi::SQLITE_READONLY);
        return Err(rusqlite::Error::SqliteFailure(read_only, None));
    }
    Ok(connection)
}

/// Connects with all settings, to the bare file where it can only be read without its log: in a
/// read-only folder the engine cannot make the log's index. That is safe when the log is empty, as
/// it is after an orderly end.
fn connect_for_reading(place: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_READ_ONLY;
    let mut connection = Connection::open_with_flags(place, flags)?;
    let log = std::fs::metadata(log_path(place)).map_or(0, |metadata| metadata.len());
    if log == 0 && migrate::version(&connection).is_err_and(|error| is_blocked(&error)) {
        connection = connect_bare(place)?;
    }
    configure(&connection)?;
    Ok(connection)
}

fn is_blocked(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly)
    )
}

/// Opens the file alone, without locks and log.
fn connect_bare(place: &Path) -> rusqlite::Result<Connection> {
    let mut address = String::from("file:");
    for byte in place.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                address.push(char::from(*byte));
            }
            _ => {
                address.push('%');
                address.push_str(&hex(&[*byte]));
            }
        }
    }
    address.push_str("?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(address, flags)
}

fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(PREPARED);
    connection.execute_batch(SETTINGS)
}

/// Reads whose file it is in one snapshot: another process may be making the store right now.
fn owner(connection: &Connection) -> rusqlite::Result<Owner> {
    let snapshot = connection.unchecked_transaction()?;
    let version = migrate::version(&snapshot)?;
    match migrate::application_id(&snapshot)? {
        APPLICATION_ID => Ok(Owner::Us(version)),
        0 if version == 0 => {
            let tables = "SELECT EXISTS (SELECT 1 FROM sqlite_schema)";
            let taken = snapshot.query_row(tables, [], |row| row.get(0))?;
            Ok(if taken { Owner::Other } else { Owner::Nobody })
        }
        _ => Ok(Owner::Other),
    }
}

fn refuse_foreign(path: &Path, owner: Owner) -> Result<u32> {
    match owner {
        Owner::Nobody => Ok(0),
        Owner::Us(found) if found > KNOWN => Err(ErrorKind::Newer {
            path: path.to_owned(),
            found,
            known: KNOWN,
        }
        .into()),
        Owner::Us(found) => Ok(found),
        Owner::Other => Err(refused(path, "it is a database of another program")),
    }
}

/// Makes the schema, or brings it up to date.
///
/// The switch to write-ahead mode fails at once when another process makes the same store at this
/// moment, it does not wait by itself.
fn prepare_schema(connection: &mut Connection) -> rusqlite::Result<()> {
    let deadline = Instant::now() + BUSY_TIMEOUT;
    while let Err(error) = connection.execute_batch(NEW_FILE) {
        if error.sqlite_error_code() != Some(ErrorCode::DatabaseBusy) || Instant::now() > deadline {
            return Err(error);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    migrate::migrate(connection)
}

fn refuse_other_kinds(path: &Path, place: &Path) -> Result<()> {
    let metadata = std::fs::metadata(place).map_err(|error| io_error(path, &error))?;
    if metadata.is_dir() {
        Err(refused(path, "it is a folder"))
    } else if metadata.is_file() {
        Ok(())
    } else {
        Err(refused(path, "it is not a regular file"))
    }
}

fn refused(path: &Path, reason: &str) -> Error {
    ErrorKind::Open {
        path: path.to_owned(),
        reason: reason.to_owned(),
    }
    .into()
}

fn io_error(path: &Path, error: &io::Error) -> Error {
    let kind = match error.kind() {
        io::ErrorKind::NotFound => return refused(path, "it does not exist"),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            ErrorKind::ReadOnly {
                path: path.to_owned(),
            }
        }
        io::ErrorKind::StorageFull => ErrorKind::Full {
            path: path.to_owned(),
        },
        _ => return refused(path, &error.to_string()),
    };
    kind.into()
}

/// The bare file was read before, so what cannot be opened is the log beside it.
fn write_error(path: &Path, error: rusqlite::Error) -> Error {
    if is_blocked(&error) {
        return ErrorKind::ReadOnly {
            path: path.to_owned(),
        }
        .into();
    }
    read_error(path, error)
}

/// While a store is opened, some of the engine's errors mean something else than later.
fn read_error(path: &Path, error: rusqlite::Error) -> Error {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => refused(path, "it is not a store of this program"),
        Some(ErrorCode::CannotOpen) => {
            refused(path, "its file or the log beside it is not readable")
        }
        _ => raise(path, error.into()),
    }
}
