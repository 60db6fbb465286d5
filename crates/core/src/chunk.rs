//! Chunks: the pieces of a document that are indexed, as byte ranges into its text.
//!
//! A text is read as blocks (headings, paragraphs, fenced code), blocks that are too long are cut at
//! sentences and lines, and the pieces are packed into chunks. Knowledge specification 3.5.

mod blocks;
mod heading;
mod pack;
mod pieces;

#[cfg(test)]
mod tests;

use std::ops::Range;

use blocks::Blocks;

/// How the structure of a text is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Markup {
    /// Markdown: `#` and underlined headings, fences, front matter.
    Markdown,
    /// Paragraphs only.
    Plain,
    /// `reStructuredText`: headings with a line of punctuation below, or above and below.
    ReStructuredText,
    /// `AsciiDoc`: headings with `=`, delimited blocks.
    AsciiDoc,
    /// Org: headings with `*`, `#+title:`, `#+begin_` blocks.
    Org,
    /// Source code and configuration: blocks between blank lines.
    Code,
}

/// Sizes of chunks, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkOptions {
    /// Chunks are filled up to this size.
    pub target: usize,
    /// No chunk is larger. At least 1, and not below `target`.
    pub most: usize,
}

/// The sizes of retrieval decisions 8.
pub const DEFAULT_SIZES: ChunkOptions = ChunkOptions {
    target: 1200,
    most: 2000,
};

/// A piece of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Byte range in the text; both ends are character boundaries, the last character is not blank.
    pub range: Range<usize>,
    /// Headings that the chunk stands under, outermost first, joined by ` > `.
    pub trail: String,
}

/// Cuts a text into chunks, in order.
///
/// Chunks do not overlap, and every character that is not blank stands in exactly one. A section
/// starts a chunk of its own unless the chunk before it is still short; the trail of a chunk that
/// holds several sections is that of its first text. Takes time in proportion to the text.
///
/// ```
/// use epitome_core::chunk::{DEFAULT_SIZES, Markup, chunk};
/// let chunks = chunk("# Ship\n\n## Hull\n\nOak.\n", Markup::Markdown, &DEFAULT_SIZES);
/// assert_eq!(chunks.len(), 1);
/// assert_eq!(chunks[0].range, 0..21);
/// assert_eq!(chunks[0].trail, "Ship > Hull");
/// ```
pub fn chunk(text: &str, markup: Markup, options: &ChunkOptions) -> Vec<Chunk> {
    pack::pack(text, Blocks::new(text, markup), options)
}

/// The first heading of a text, without its marks.
///
/// ```
/// use epitome_core::chunk::{Markup, first_heading};
/// assert_eq!(first_heading("Intro\n\nShip\n====\n", Markup::Markdown).as_deref(), Some("Ship"));
/// assert_eq!(first_heading("Only text.", Markup::Markdown), None);
/// ```
pub fn first_heading(text: &str, markup: Markup) -> Option<String> {
    Blocks::new(text, markup).find_map(|block| block.heading.map(|heading| heading.title))
}
