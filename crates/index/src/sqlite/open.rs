//! Opening a store: folder and file modes, whose file it is, and the connection's settings.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use epitome_core::id::hex;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::failure::raise;
use super::migrate::{self, APPLICATION_ID, KNOWN};
use crate::{Error, ErrorKind, Result};

/// How long to wait for another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Statements kept prepared: more than there are queries.
const PREPARED: usize = 64;

/// Settings of every connection. Deleted content is overwritten, and nothing is spilled to
/// temporary files, so the bytes of originals are in the store's files only.
const SETTINGS: &str = "
    PRAGMA foreign_keys = ON;
    PRAGMA synchronous = FULL;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY;
";

/// Settings of a new file. Originals span many pages, larger ones make fewer.
const NEW_FILE: &str = "
    PRAGMA page_size = 8192;
    PRAGMA journal_mode = WAL;
";

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
    refuse_folder(path, &place)?;

    // A first look at the bare file: it takes no lock and leaves no trace in a file that is not
    // ours to touch.
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let bare = connect_bare(&place).and_then(|bare| owner(&bare));
    refuse_foreign(path, bare.map_err(|error| open_error(path, error))?)?;

    let mut connection =
        Connection::open_with_flags(&place, flags | OpenFlags::SQLITE_OPEN_READ_WRITE)
            .map_err(|error| open_error(path, error))?;
    let version = set_up(path, &mut connection)?;
    if connection
        .is_readonly("main")
        .map_err(|error| open_error(path, error))?
    {
        return Err(ErrorKind::ReadOnly {
            path: path.to_owned(),
        }
        .into());
    }
    if version < KNOWN {
        prepare_schema(&mut connection).map_err(|error| open_error(path, error))?;
    }
    tighten(&place).map_err(|error| io_error(path, &error))?;
    Ok(connection)
}

/// Opens an existing store for reading.
pub(super) fn open_readable(path: &Path) -> Result<Connection> {
    let place = std::path::absolute(path).map_err(|error| io_error(path, &error))?;
    std::fs::metadata(&place).map_err(|error| io_error(path, &error))?;
    refuse_folder(path, &place)?;
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_READ_ONLY;
    let mut connection =
        Connection::open_with_flags(&place, flags).map_err(|error| open_error(path, error))?;
    if needs_bare(&connection, &place) {
        connection = connect_bare(&place).map_err(|error| open_error(path, error))?;
    }
    let found = set_up(path, &mut connection)?;
    if found < KNOWN {
        let reason = if found == 0 {
            "it is empty".to_owned()
        } else {
            format!("it has schema version {found} and must be opened for writing once")
        };
        return Err(ErrorKind::Open {
            path: path.to_owned(),
            reason,
        }
        .into());
    }
    Ok(connection)
}

/// Whether the file can only be read without its log: where the folder is read-only, the engine
/// cannot make the log's index. Safe when the log is empty, as it is after an orderly end.
fn needs_bare(connection: &Connection, place: &Path) -> bool {
    let blocked = migrate::version(connection).is_err_and(|error| {
        matches!(
            error.sqlite_error_code(),
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly)
        )
    });
    let log = std::fs::metadata(log_path(place)).map_or(0, |metadata| metadata.len());
    blocked && log == 0
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

/// Applies the settings and returns the version of the schema, 0 in an empty file.
fn set_up(path: &Path, connection: &mut Connection) -> Result<u32> {
    let owner = configure(connection).and_then(|()| owner(connection));
    refuse_foreign(path, owner.map_err(|error| open_error(path, error))?)
}

fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(PREPARED);
    connection.execute_batch(SETTINGS)
}

fn owner(connection: &Connection) -> rusqlite::Result<Owner> {
    let version = migrate::version(connection)?;
    match migrate::application_id(connection)? {
        APPLICATION_ID => Ok(Owner::Us(version)),
        0 if version == 0 => {
            let tables = "SELECT EXISTS (SELECT 1 FROM sqlite_schema)";
            let taken = connection.query_row(tables, [], |row| row.get(0))?;
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

fn prepare_schema(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.execute_batch(NEW_FILE)?;
    migrate::migrate(connection)
}

fn make_folder(place: &Path) -> io::Result<()> {
    let Some(folder) = place.parent() else {
        return Ok(());
    };
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Makes the file before the engine does, with the mode that its log inherits. An existing file is
/// not even opened.
fn make_file(place: &Path) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(place) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        other => other.map(drop),
    }
}

/// Takes the file of an existing store away from group and others.
#[cfg(unix)]
fn tighten(place: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    for path in [
        place.to_owned(),
        log_path(place),
        with_suffix(place, "-shm"),
    ] {
        let mode = match std::fs::metadata(&path) {
            Ok(metadata) => metadata.permissions().mode(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        if mode & 0o077 != 0 {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn tighten(_place: &Path) -> io::Result<()> {
    Ok(())
}

fn refuse_folder(path: &Path, place: &Path) -> Result<()> {
    if place.is_dir() {
        Err(refused(path, "it is a folder"))
    } else {
        Ok(())
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

/// While a store is opened, some of the engine's errors mean something else than later.
fn open_error(path: &Path, error: rusqlite::Error) -> Error {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => refused(path, "it is not a store of this program"),
        // The file is there, so what cannot be opened is the log beside it.
        Some(ErrorCode::CannotOpen) => {
            refused(path, "its folder is read-only or its file must not be read")
        }
        _ => raise(path, error.into()),
    }
}

/// Path of the write-ahead log.
pub(super) fn log_path(path: &Path) -> PathBuf {
    with_suffix(path, "-wal")
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}
