//! Reads one file and makes a document of it; runs on the worker threads.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use epitome_core::chunk::{Chunk, chunk, first_heading};
use epitome_core::id::BlobId;
use epitome_core::time::iso_text;

use super::convert::{Converted, converter_of};
use super::known::Known;
use super::secret;
use super::walk::FileFacts;
use super::{ImportRequest, Notice, SkipReason};

/// A file as it is to be written.
#[derive(Debug)]
pub(super) enum Prepared {
    /// The same bytes as before, at the same time.
    Unchanged,
    /// The same bytes as before; the folder says something else of it.
    Touched { facts: FileFacts, date: String },
    /// New bytes.
    Text(Box<Prose>),
}

/// A document without its address.
#[derive(Debug)]
pub(super) struct Prose {
    pub(super) facts: FileFacts,
    pub(super) hash: BlobId,
    pub(super) title: String,
    pub(super) date: String,
    pub(super) kind: &'static str,
    pub(super) content: String,
    pub(super) chunks: Vec<Chunk>,
    pub(super) notices: Vec<Notice>,
}

/// Reads and converts the file at this path inside the root. `known` is what the store has there.
pub(super) fn prepare(
    root: &Path,
    path: &str,
    known: Option<&Known>,
    request: &ImportRequest<'_>,
) -> Result<Prepared, SkipReason> {
    let (bytes, facts) = read(root, path, request.max_document_bytes)?;
    if bytes.is_empty() {
        return Err(SkipReason::Empty);
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    if secret::starts_with_key(&bytes) && !secret::is_named(request.include, name) {
        return Err(SkipReason::Credentials);
    }
    let hash = BlobId::of(&bytes);
    let same_bytes = known.is_some_and(|known| known.hash == hash);
    if same_bytes && known.is_some_and(|known| known.facts == facts) {
        return Ok(Prepared::Unchanged);
    }
    // A converter that panics costs its file, not the import.
    let prepared = catch_unwind(AssertUnwindSafe(|| {
        let converted = convert(path, bytes)?;
        let date = converted.date.clone().unwrap_or_else(|| day_of(facts));
        if same_bytes {
            return Ok(Prepared::Touched { facts, date });
        }
        Ok(Prepared::Text(Box::new(Prose {
            facts,
            hash,
            title: title_of(path, &converted),
            date,
            kind: converter_of(path).kind(),
            chunks: chunk(&converted.text, converted.markup, &request.chunks),
            content: converted.text,
            notices: converted.notices,
        })))
    }));
    prepared.unwrap_or_else(|_| Err(SkipReason::Damaged("the converter failed".to_owned())))
}

fn convert(path: &str, bytes: Vec<u8>) -> Result<Converted, SkipReason> {
    if bytes.starts_with(b"%PDF-") {
        return Err(SkipReason::NoConverter("pdf"));
    }
    let converted = converter_of(path).convert(bytes)?;
    if converted.text.trim().is_empty() {
        return Err(SkipReason::Blank);
    }
    Ok(converted)
}

/// Reads a file whole, if it is inside the root and not too large.
fn read(root: &Path, path: &str, most: u64) -> Result<(Vec<u8>, FileFacts), SkipReason> {
    let unreadable = |error: io::Error| SkipReason::Unreadable(error.to_string());
    let (mut file, metadata) = open_inside(root, &root.join(path))?;
    let too_large = |bytes: u64| SkipReason::TooLarge { bytes, most };
    if metadata.len() > most {
        return Err(too_large(metadata.len()));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    let limited = (&mut file).take(most.saturating_add(1));
    { limited }.read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > most {
        return Err(too_large(bytes.len() as u64));
    }
    let mut facts = FileFacts::of(&metadata);
    facts.bytes = bytes.len() as u64;
    Ok((bytes, facts))
}

/// Opens a regular file and makes sure, by what was opened, that it is the one inside the root: the
/// path may have become a link to elsewhere since the folder was walked.
fn open_inside(root: &Path, path: &Path) -> Result<(File, fs::Metadata), SkipReason> {
    let unreadable = |error: io::Error| SkipReason::Unreadable(error.to_string());
    let before = fs::metadata(path).map_err(unreadable)?;
    if !before.is_file() {
        return Err(SkipReason::NotAFile);
    }
    let file = File::open(path).map_err(unreadable)?;
    let opened = file.metadata().map_err(unreadable)?;
    let canonical: PathBuf = fs::canonicalize(path).map_err(unreadable)?;
    if !canonical.starts_with(root) {
        return Err(SkipReason::LinkOutside);
    }
    let inside = fs::metadata(&canonical).map_err(unreadable)?;
    if !opened.is_file() || !is_same_file(&opened, &inside) {
        return Err(SkipReason::Exchanged);
    }
    Ok((file, opened))
}

#[cfg(unix)]
fn is_same_file(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same_file(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    FileFacts::of(one) == FileFacts::of(other)
}

/// The day on which a file was last changed, in UTC.
fn day_of(facts: FileFacts) -> String {
    let mut day = iso_text(facts.modified_ms);
    day.truncate(10);
    day
}

/// Front matter or the page's own title, else the first heading, else the stem of the file's name.
fn title_of(path: &str, converted: &Converted) -> String {
    const LONGEST: usize = 300;
    let named = converted
        .title
        .clone()
        .filter(|title| !title.trim().is_empty());
    let title = named.or_else(|| first_heading(&converted.text, converted.markup));
    let title = title.unwrap_or_else(|| {
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name.rsplit_once('.').map(|(stem, _)| stem);
        stem.filter(|stem| !stem.is_empty())
            .unwrap_or(name)
            .to_owned()
    });
    let words = title.split(|c: char| c.is_whitespace() || c.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().take(LONGEST).collect()
}
