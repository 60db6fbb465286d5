//! Summaries of documents and folders: the seam, and the extractive summarizer behind it.
//!
//! [`extract`] and [`extract_folder`] are pure functions: equal texts give equal bytes, without a
//! model. What they say stands in the document, up to white space and inline markup, except for a
//! few counting words.

mod blocks;
mod facts;
mod folder;
mod inline;
mod score;
mod select;
mod sentence;
mod source;
mod terms;
#[cfg(test)]
mod tests;

use async_trait::async_trait;
use epitome_core::front_matter;

use crate::Error;
use crate::extractive::Extractive;

pub use folder::extract_folder;

/// Characters that an extractive summary has at most.
pub const MOST_CHARS: usize = 600;
/// Characters from which on an extractive summary of a long document takes no further sentence.
const ENOUGH_CHARS: usize = 420;
/// Bytes of a document that are read; what comes later names details of what stands here.
const READ_BYTES: usize = 256 * 1024;

/// A document as it is summarized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentText<'a> {
    /// Its address, `source/path`.
    pub path: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Kind of the file, `markdown` for example; an unknown one counts as plain text.
    pub kind: &'a str,
    /// Its whole text.
    pub text: &'a str,
}

/// A folder as it is summarized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FolderText<'a> {
    /// Its address, `source/path`, or the source's name for its root.
    pub path: &'a str,
    /// Its documents by path.
    pub documents: &'a [FolderEntry],
    /// The folders right below it by path.
    pub folders: &'a [FolderEntry],
}

/// What stands in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderEntry {
    /// Title of a document, name of a folder.
    pub name: String,
    /// Its summary, if there is a fresh one.
    pub summary: Option<String>,
}

/// Writes summaries of documents and of the folders that hold them.
#[async_trait]
pub trait DocumentSummarizer: Send + Sync {
    /// Name as it stands in reports, `extractive` for example.
    fn name(&self) -> &str;

    /// Summarizes a document. A blank answer counts as a failure.
    async fn summarize_document<'a>(&self, document: DocumentText<'a>) -> Result<String, Error>;

    /// Summarizes a folder from the summaries of what it holds.
    async fn summarize_folder<'a>(&self, folder: FolderText<'a>) -> Result<String, Error>;
}

#[async_trait]
impl DocumentSummarizer for Extractive {
    fn name(&self) -> &'static str {
        "extractive"
    }

    async fn summarize_document<'a>(&self, document: DocumentText<'a>) -> Result<String, Error> {
        Ok(extract(document))
    }

    async fn summarize_folder<'a>(&self, folder: FolderText<'a>) -> Result<String, Error> {
        Ok(extract_folder(folder))
    }
}

/// Summarizes a document by its own sentences, at most [`MOST_CHARS`] characters in one line.
///
/// A document that says too little for that is described by what it states about itself. Only a
/// text without a letter or digit, under a title without one, gives nothing.
///
/// ```
/// use epitome_summarizer::document::{DocumentText, extract};
///
/// let document = DocumentText {
///     path: "notes/fees.md",
///     title: "Fees",
///     kind: "markdown",
///     text: "# Fees\n\nEvery transfer costs **two** cents. See [the list](list.md).\n",
/// };
/// assert_eq!(extract(document), "Every transfer costs two cents. See the list.");
/// ```
pub fn extract(document: DocumentText<'_>) -> String {
    let text = &document.text[..document.text.floor_char_boundary(READ_BYTES)];
    let text = text.trim_start_matches('\u{feff}');
    let summary = if source::is_source(document.kind) {
        source::summarize(text)
    } else {
        summarize_prose(document, text)
    };
    if summary.is_empty() {
        facts::describe_title(document.title)
    } else {
        summary
    }
}

fn summarize_prose(document: DocumentText<'_>, text: &str) -> String {
    let front_matter = front_matter::read(text);
    let body = &text[front_matter.as_ref().map_or(0, |block| block.length)..];
    let facts = facts::Facts::of(front_matter.as_ref());
    let markup = blocks::Markup::of(document.kind, document.path);
    let found = blocks::find(body, markup);
    let mut sentences = score::split(&found, document.title);
    if let Some(description) = facts.description() {
        score::put_first(&mut sentences, description);
    }
    let mut summary = select::choose(&sentences);
    facts::complete(&mut summary, &facts, &found);
    summary
}
