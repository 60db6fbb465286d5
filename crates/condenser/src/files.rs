//! Session files on disk: read whole, written whole or not at all.

use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::Result;
use crate::error::ErrorKind;

/// A session as it was read.
#[derive(Debug)]
pub struct Source {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Where it was read from; `None` for standard input.
    pub path: Option<PathBuf>,
    /// Whether the file changed while it was read: an agent is still writing to it.
    pub changed_while_read: bool,
    permissions: Option<Permissions>,
}

/// What happens to a file that exists already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overwrite {
    /// It stays and the write is refused.
    Refuse,
    /// It is replaced.
    Replace,
}

/// Reads a session file.
pub fn read_source(path: &Path) -> Result<Source> {
    let fail = |error: &io::Error| ErrorKind::Read {
        path: path.to_owned(),
        reason: reason(error),
    };
    let mut file = File::open(path).map_err(|error| fail(&error))?;
    let before = file.metadata().map_err(|error| fail(&error))?;
    if before.is_dir() {
        let reason = "it is a directory".to_owned();
        return Err(ErrorKind::Read {
            path: path.to_owned(),
            reason,
        }
        .into());
    }
    let mut bytes = Vec::with_capacity(before.len() as usize + 1);
    file.read_to_end(&mut bytes).map_err(|error| fail(&error))?;
    let after = file.metadata().map_err(|error| fail(&error))?;
    let changed = after.len() != before.len() || after.modified().ok() != before.modified().ok();
    Ok(Source {
        bytes,
        path: Some(path.to_owned()),
        changed_while_read: changed,
        permissions: Some(before.permissions()),
    })
}

/// Reads a session from a pipe.
pub fn read_pipe(mut input: impl Read) -> Result<Source> {
    let mut bytes = Vec::new();
    let path = PathBuf::from("-");
    input
        .read_to_end(&mut bytes)
        .map_err(|error| ErrorKind::Read {
            path,
            reason: reason(&error),
        })?;
    Ok(Source {
        bytes,
        path: None,
        changed_while_read: false,
        permissions: None,
    })
}

/// Where the condensed form of a session goes: `NAME.condensed.EXT` beside it.
pub fn output_path(source: &Path, infix: &str) -> PathBuf {
    let mut name = source.file_stem().unwrap_or_default().to_owned();
    name.push(".");
    name.push(infix);
    if let Some(extension) = source.extension() {
        name.push(".");
        name.push(extension);
    }
    source.with_file_name(name)
}

/// Writes a file whole or not at all: a temporary file beside it, synced, then renamed.
///
/// It gets the permissions of the source, and is refused where it is the source itself, through
/// links too.
pub fn write_output(
    path: &Path,
    bytes: &[u8],
    source: &Source,
    overwrite: Overwrite,
) -> Result<()> {
    check_target(path, source, overwrite)?;
    let fail = |error: &io::Error| ErrorKind::Write {
        path: path.to_owned(),
        reason: reason(error),
    };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let write = || -> io::Result<()> {
        let mut file = tempfile::Builder::new()
            .prefix(".epitome-")
            .tempfile_in(folder)?;
        file.write_all(bytes)?;
        if let Some(permissions) = &source.permissions {
            file.as_file().set_permissions(permissions.clone())?;
        }
        file.as_file().sync_all()?;
        match overwrite {
            Overwrite::Replace => file.persist(path),
            Overwrite::Refuse => file.persist_noclobber(path),
        }
        .map_err(|error| error.error)?;
        // The rename is durable once the folder is.
        File::open(folder)?.sync_all()
    };
    write().map_err(|error| fail(&error).into())
}

/// Refuses targets that must not be written, before any work is done.
pub fn check_target(path: &Path, source: &Source, overwrite: Overwrite) -> Result<()> {
    let refuse = |reason: &str| -> Result<()> {
        Err(ErrorKind::Write {
            path: path.to_owned(),
            reason: reason.to_owned(),
        }
        .into())
    };
    let Ok(target) = fs::metadata(path) else {
        return Ok(());
    };
    if source
        .path
        .as_deref()
        .is_some_and(|source| same_file(source, &target))
    {
        return refuse("it is the source itself; a session is never edited in place");
    }
    if target.is_dir() {
        return refuse("it is a directory");
    }
    if !target.is_file() {
        // Renaming onto a device or a pipe would replace it.
        return refuse("it is no regular file");
    }
    match overwrite {
        Overwrite::Refuse => Err(ErrorKind::Exists {
            path: path.to_owned(),
        }
        .into()),
        Overwrite::Replace => Ok(()),
    }
}

#[cfg(unix)]
fn same_file(source: &Path, target: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(source)
        .is_ok_and(|source| source.dev() == target.dev() && source.ino() == target.ino())
}

#[cfg(not(unix))]
fn same_file(source: &Path, target: &fs::Metadata) -> bool {
    // Without inode numbers, equal times of creation and length stand for identity.
    fs::metadata(source).is_ok_and(|source| {
        source.len() == target.len() && source.created().ok() == target.created().ok()
    })
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "it does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        io::ErrorKind::AlreadyExists => "it exists already".to_owned(),
        _ => error.to_string(),
    }
}
