//! What a store holds about imported documents.

use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use epitome_core::id::BlobId;
pub use epitome_core::id::{ChunkId, DocumentId};

/// Address of a document or folder: `source/path`, with `/` between its parts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentPath {
    source: String,
    path: String,
}

impl DocumentPath {
    /// Makes the address of a path inside a source.
    pub fn new(source: impl Into<String>, path: impl Into<String>) -> Self {
        Self {
            source: source.into(),
            path: path.into(),
        }
    }

    /// Name of the source.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Path inside the source, relative, parted by `/`.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for DocumentPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.source, self.path)
    }
}

impl FromStr for DocumentPath {
    type Err = epitome_core::id::ParseIdError;

    /// Splits at the first `/`; both sides must hold something.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('/') {
            Some((source, path)) if !source.is_empty() && !path.is_empty() => {
                Ok(Self::new(source, path))
            }
            _ => Err(epitome_core::id::ParseIdError {
                text: text.to_owned(),
                expected: "a document path (`source/path`)",
            }),
        }
    }
}

/// The right to import a source.
pub struct ImportGuard(
    #[expect(dead_code, reason = "held for what its drop releases")] Box<dyn Any + Send>,
);

impl ImportGuard {
    /// Wraps what releases the right when it is dropped.
    pub fn new(held: impl Any + Send) -> Self {
        Self(Box::new(held))
    }
}

impl fmt::Debug for ImportGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ImportGuard")
    }
}

/// A folder that is imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its name: the first part of every document path, without `/`.
    pub name: String,
    /// The folder on disk.
    pub root: String,
    /// Raised by one whenever an import added, updated or pruned content.
    pub version: u64,
    /// Summary of the whole source.
    pub overview: Option<String>,
    /// Key of what the overview was made from.
    pub overview_key: Option<BlobId>,
    /// End of the last import, milliseconds since the epoch.
    pub imported_ms: Option<i64>,
}

/// Totals of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SourceTotals {
    /// Documents.
    pub documents: u64,
    /// Documents without a summary.
    pub without_summary: u64,
    /// Documents whose summary is stale.
    pub stale_summaries: u64,
    /// Chunks, summaries included.
    pub chunks: u64,
    /// UTF-8 bytes of all texts.
    pub bytes: u64,
}

/// An imported file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its number.
    pub id: DocumentId,
    /// Its address.
    pub path: DocumentPath,
    /// Title: front matter, else first heading, else file stem.
    pub title: String,
    /// ISO date, `2025-10-29`.
    pub date: Option<String>,
    /// Whether the owner set the date.
    pub date_is_manual: bool,
    /// Kind of the file, `markdown` for example.
    pub kind: String,
    /// SHA-256 of the raw bytes of the file.
    pub content_hash: BlobId,
    /// Characters of the text.
    pub chars: u64,
    /// Bytes of the file at the last import.
    pub file_bytes: u64,
    /// Modification time of the file at the last import, milliseconds since the epoch.
    pub file_modified_ms: i64,
    /// The summary, if there is one.
    pub summary: Option<Summary>,
}

/// A document's summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Its text.
    pub text: String,
    /// Who wrote it.
    pub by: SummaryAuthor,
    /// Content hash of the text that it was made from.
    pub of_hash: BlobId,
}

impl Document {
    /// Whether the summary was made from another content than the present one.
    pub fn summary_is_stale(&self) -> bool {
        self.summary
            .as_ref()
            .is_some_and(|summary| summary.of_hash != self.content_hash)
    }
}

/// Who wrote a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SummaryAuthor {
    /// The summarizer.
    Auto,
    /// The owner of the documents; survives changes of the content.
    Owner,
}

/// A document as an import writes it.
#[derive(Debug, Clone)]
pub struct DocumentWrite<'a> {
    /// Its address.
    pub path: DocumentPath,
    /// Title.
    pub title: &'a str,
    /// ISO date; ignored where the owner set one.
    pub date: Option<&'a str>,
    /// Kind of the file.
    pub kind: &'a str,
    /// SHA-256 of the raw bytes.
    pub content_hash: BlobId,
    /// The whole text.
    pub content: &'a str,
    /// Bytes of the file.
    pub file_bytes: u64,
    /// Modification time of the file, milliseconds since the epoch.
    pub file_modified_ms: i64,
    /// Its chunks in order; positions count from 0.
    pub chunks: Vec<NewChunk<'a>>,
}

/// A chunk as an import writes it.
#[derive(Debug, Clone)]
pub struct NewChunk<'a> {
    /// Byte range in the document's text.
    pub range: Range<usize>,
    /// Headings above it, outermost first, parted by ` > `.
    pub trail: &'a str,
}

/// A summary as it is written.
#[derive(Debug, Clone)]
pub struct NewSummary<'a> {
    /// Its text.
    pub text: &'a str,
    /// Who wrote it.
    pub by: SummaryAuthor,
    /// Content hash of the text that it was made from.
    pub of_hash: BlobId,
    /// The vector of its chunk, with its model.
    pub vector: Option<(&'a str, &'a [f32])>,
}

/// The summary of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// Path inside the source; empty for its root.
    pub path: String,
    /// Its summary.
    pub summary: String,
    /// Key of what the summary was made from.
    pub key: BlobId,
}

/// A stored chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredChunk {
    /// Its number.
    pub id: ChunkId,
    /// The document.
    pub document: DocumentId,
    /// From 0; -1 for the summary chunk.
    pub position: i32,
    /// Byte range in the document's text; empty for the summary chunk.
    pub range: Range<usize>,
    /// Headings above it, parted by ` > `.
    pub trail: String,
    /// Its text.
    pub text: String,
}

/// What the lexical index is asked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LexicalQuery {
    /// Terms for the word index; any of them may match. Each is one word or a quoted phrase of it;
    /// the store quotes them.
    pub words: Vec<String>,
    /// Character bigrams of Han, Kana and Hangul runs; any of them may match.
    pub bigrams: Vec<String>,
    /// Substrings of at least three characters of other scripts without spaces; any may match.
    pub trigrams: Vec<String>,
    /// Substrings under three characters, found by a plain scan.
    pub substrings: Vec<String>,
    /// Only chunks of this source.
    pub source: Option<String>,
    /// At most so many hits.
    pub limit: usize,
}

/// A chunk that matched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LexicalHit {
    /// The chunk.
    pub chunk: ChunkId,
    /// Its document.
    pub document: DocumentId,
    /// Its position in the document.
    pub position: i32,
    /// The engine's score, higher is better.
    pub score: f64,
}

/// A vector as it is visited.
#[derive(Debug, Clone, Copy)]
pub struct ChunkVector<'a> {
    /// The chunk.
    pub chunk: ChunkId,
    /// Its document.
    pub document: DocumentId,
    /// Its position in the document.
    pub position: i32,
    /// The vector as it was stored.
    pub vector: &'a [f32],
}

/// How the legs of a search are weighed, as it was measured on the store's own pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// Weight of the dense leg beside 1 for the lexical one; 0 leaves it out.
    pub dense_weight: f64,
    /// Gain of the fused ranking over the lexical one in nDCG@10, with its 95 % interval.
    pub gain: (f64, f64, f64),
    /// The constant of reciprocal rank fusion.
    pub k: f64,
    /// The gate's threshold on the combined signal, with its 95 % interval.
    pub threshold: (f64, f64, f64),
    /// Quantiles of the gate's coverage on the pairs, ascending; empty where it was not measured.
    pub coverage: Vec<f64>,
    /// Quantiles of the gate's best cosine on the pairs, ascending.
    pub cosine: Vec<f64>,
    /// Pairs that it was measured on.
    pub pairs: u64,
    /// When, milliseconds since the epoch.
    pub at_ms: i64,
}
