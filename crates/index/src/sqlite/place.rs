//! The place of a store: its folder, its file, the files beside it, and their modes.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// Makes the missing folders above the file, closed to others; existing ones stay as they are.
pub(super) fn make_folder(place: &Path) -> io::Result<()> {
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
pub(super) fn make_file(place: &Path) -> io::Result<()> {
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
pub(super) fn tighten(place: &Path) -> io::Result<()> {
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
pub(super) fn tighten(_place: &Path) -> io::Result<()> {
    Ok(())
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
