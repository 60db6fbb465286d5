//! Lists the files of a folder.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};

use super::{ImportRequest, Passed, SkipReason, secret};
use crate::{ErrorKind, Result};

/// What a walk found.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Files by their path inside the source, in the order of the paths.
    pub(super) entries: BTreeMap<String, Entry>,
    /// Folders whose content is unknown; empty for the root itself.
    pub(super) unreadable: Vec<String>,
}

/// A file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    File(FileFacts),
    Skip(SkipReason),
}

/// What the folder says of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileFacts {
    pub(super) bytes: u64,
    /// Milliseconds since the epoch.
    pub(super) modified_ms: i64,
}

impl FileFacts {
    pub(super) fn of(metadata: &fs::Metadata) -> Self {
        let modified = metadata.modified().unwrap_or(UNIX_EPOCH);
        let modified_ms = match modified.duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_millis()).unwrap_or(i64::MAX),
            Err(before) => -i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX),
        };
        Self {
            bytes: metadata.len(),
            modified_ms,
        }
    }
}

/// The folder to import, with all links resolved.
pub(super) fn canonical_root(root: &Path) -> Result<PathBuf> {
    let failed = |reason: String| ErrorKind::Folder {
        path: root.to_owned(),
        reason,
    };
    let canonical = fs::canonicalize(root).map_err(|error| failed(error.to_string()))?;
    fs::read_dir(&canonical).map_err(|error| failed(error.to_string()))?;
    Ok(canonical)
}

/// Lists a folder. Links are not walked through, so that loops end and no file comes in twice: a
/// link to a file inside that the walk does not meet is taken at the place of the link.
pub(super) fn list(root: &Path, request: &ImportRequest<'_>) -> Result<Listing> {
    let walk = WalkBuilder::new(root)
        .follow_links(false)
        .hidden(request.hidden == Passed::By)
        .git_ignore(request.ignored == Passed::By)
        .git_exclude(request.ignored == Passed::By)
        .ignore(request.ignored == Passed::By)
        .git_global(false)
        .require_git(false)
        .overrides(patterns(root, request)?)
        .filter_entry(|entry| entry.file_name() != ".git")
        .build();
    let mut listing = Listing::default();
    let mut links = Vec::new();
    for found in walk {
        match found {
            Ok(entry) => add(&mut listing, &mut links, root, request, &entry),
            Err(error) => add_unreadable(&mut listing, root, &error),
        }
    }
    add_links(&mut listing, root, &links);
    Ok(listing)
}

fn patterns(root: &Path, request: &ImportRequest<'_>) -> Result<Override> {
    let mut builder = OverrideBuilder::new(root);
    let excluded: Vec<String> = request
        .exclude
        .iter()
        .map(|glob| format!("!{glob}"))
        .collect();
    for glob in request.include.iter().chain(&excluded) {
        builder
            .add(glob)
            .map_err(|error| pattern_error(glob, &error))?;
    }
    Ok(builder.build().map_err(|error| pattern_error("", &error))?)
}

fn pattern_error(pattern: &str, error: &ignore::Error) -> ErrorKind {
    ErrorKind::Pattern {
        pattern: pattern.trim_start_matches('!').to_owned(),
        reason: error.to_string(),
    }
}

/// Path inside the source, parts joined by `/`; the second value says whether it is exact.
fn relative(root: &Path, path: &Path) -> (String, bool) {
    let path = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    (parts.join("/"), path.to_str().is_some())
}

fn add(
    listing: &mut Listing,
    links: &mut Vec<(String, PathBuf)>,
    root: &Path,
    request: &ImportRequest<'_>,
    entry: &DirEntry,
) {
    let Some(kind) = entry.file_type().filter(|kind| !kind.is_dir()) else {
        return;
    };
    let (path, exact) = relative(root, entry.path());
    let name = entry.file_name().to_string_lossy();
    let found = if !exact {
        Entry::Skip(SkipReason::Name)
    } else if secret::is_credential_name(&name) && !secret::is_named(request.include, &name) {
        Entry::Skip(SkipReason::Credentials)
    } else if kind.is_symlink() {
        links.push((path, entry.path().to_owned()));
        return;
    } else if !kind.is_file() {
        Entry::Skip(SkipReason::NotAFile)
    } else {
        match entry.metadata() {
            Ok(metadata) => Entry::File(FileFacts::of(&metadata)),
            Err(error) => Entry::Skip(SkipReason::Unreadable(error.to_string())),
        }
    };
    listing.entries.insert(path, found);
}

/// A folder that cannot be listed: what the store holds below it must not count as gone.
fn add_unreadable(listing: &mut Listing, root: &Path, error: &ignore::Error) {
    let path = path_of(error).unwrap_or(root);
    let reason = error
        .io_error()
        .map_or_else(|| error.to_string(), ToString::to_string);
    let (path, _) = relative(root, path);
    if !path.is_empty() {
        let entry = Entry::Skip(SkipReason::Unreadable(reason));
        listing.entries.insert(path.clone(), entry);
    }
    listing.unreadable.push(path);
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err)
        }
        _ => None,
    }
}

fn add_links(listing: &mut Listing, root: &Path, links: &[(String, PathBuf)]) {
    let files = listing.entries.iter();
    let files = files.filter(|(_, entry)| matches!(entry, Entry::File(_)));
    let met: HashSet<String> = files.map(|(path, _)| path.clone()).collect();
    for (path, link) in links {
        let entry = resolve(root, link, &met);
        listing.entries.insert(path.clone(), entry);
    }
}

fn resolve(root: &Path, link: &Path, met: &HashSet<String>) -> Entry {
    let Ok(target) = fs::canonicalize(link) else {
        return Entry::Skip(SkipReason::DeadLink);
    };
    if !target.starts_with(root) {
        return Entry::Skip(SkipReason::LinkOutside);
    }
    let (inside, _) = relative(root, &target);
    let name = inside.rsplit('/').next().unwrap_or(&inside);
    match fs::metadata(&target) {
        Ok(metadata) if metadata.is_dir() => {
            let shown = if inside.is_empty() {
                "the folder itself".to_owned()
            } else {
                inside
            };
            Entry::Skip(SkipReason::Link(shown))
        }
        Ok(_) if met.contains(&inside) => Entry::Skip(SkipReason::Link(inside)),
        Ok(_) if secret::is_credential_name(name) => Entry::Skip(SkipReason::Credentials),
        Ok(metadata) if metadata.is_file() => Entry::File(FileFacts::of(&metadata)),
        Ok(_) => Entry::Skip(SkipReason::NotAFile),
        Err(error) => Entry::Skip(SkipReason::Unreadable(error.to_string())),
    }
}
