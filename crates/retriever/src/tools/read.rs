//! `read`: the full text of a document, in pages.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use epitome_core::truncate::{Limits, Position, count_lines, read_page, select_lines};
use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::Document;
use serde_json::{Value, json};

use super::arguments::{needed_text, number};
use super::place::{Place, resolve};
use super::{Result, TRUNCATION_MARKER, Tool, ToolAnswer, ToolError, ToolSettings};

/// What stands below a page that is not the last one; the arguments of the next page follow.
pub const READ_TRUNCATION_NOTICE: &str = "Only a part is shown. To read on, call `read` with";

const DESCRIPTION: &str = "Returns the text of an imported document by its path (source/path), \
with its title and date. A search hit's address such as docs/setup.md:L10-L20 works too and gives \
those lines. Long documents come in pages: the answer says how to ask for the next one.";

/// What is to be read.
#[derive(Debug, Clone, Copy)]
pub struct ReadRequest<'a> {
    /// Address of the document, or of a passage: `docs/setup.md:L10-L20`.
    pub path: &'a str,
    /// Where to begin; `None` is the start of the passage or of the document.
    pub from: Option<Position>,
    /// At most so many lines.
    pub lines: Option<usize>,
    /// At most so many characters.
    pub max_chars: usize,
}

/// A page of a document.
#[derive(Debug, Clone)]
pub struct ReadPage {
    /// The document.
    pub document: Document,
    /// Its text on this page.
    pub content: String,
    /// Lines of the page, from 1; of an empty document none.
    pub lines: RangeInclusive<usize>,
    /// Lines of the document.
    pub total_lines: usize,
    /// Where the next page begins; `None` where the request was met in full.
    pub next: Option<Position>,
}

impl ReadPage {
    /// The page as a model reads it.
    pub fn text(&self) -> String {
        let Document {
            title, date, path, ..
        } = &self.document;
        let mut text = format!(
            "title: {}\ndate: {}\nlines: {}-{} of {}\n\n{}",
            title.split_whitespace().collect::<Vec<_>>().join(" "),
            date.as_deref().unwrap_or("unknown"),
            self.lines.start(),
            self.lines.end(),
            self.total_lines,
            self.content,
        );
        if let Some(next) = self.next {
            let mut arguments = json!({ "path": path.to_string(), "offset": next.line });
            if next.byte > 0 {
                arguments["byte"] = json!(next.byte);
            }
            // Writing to a String cannot fail.
            let _ = write!(
                text,
                "\n{TRUNCATION_MARKER}\n{READ_TRUNCATION_NOTICE} {arguments}."
            );
        }
        text
    }
}

/// Reads a page of a document.
pub fn read(store: &dyn DocumentStore, request: &ReadRequest<'_>) -> Result<ReadPage> {
    let (document, passage) = find(store, request.path)?;
    let content = store.content(document.id)?.unwrap_or_default();
    let from = request.from.unwrap_or(Position {
        line: passage.as_ref().map_or(1, |lines| *lines.start()),
        byte: 0,
    });
    let total_lines = count_lines(&content);
    if from.line > total_lines.max(1) {
        return Err(ToolError::BehindEnd {
            path: document.path.to_string(),
            line: from.line,
            total: total_lines,
        });
    }
    let wanted = request.lines.or_else(|| {
        let last = passage.filter(|lines| lines.contains(&from.line));
        last.map(|lines| lines.end() - from.line + 1)
    });
    let rest = select_lines(&content, from.line, usize::MAX);
    let rest = &rest[rest.floor_char_boundary(from.byte.min(rest.len()))..];
    let page = read_page(
        &content,
        from,
        Limits {
            lines: wanted.unwrap_or(usize::MAX),
            bytes: byte_length(rest, request.max_chars),
        },
    );
    let shown = count_lines(page.content).max(1);
    let last = (page.start.line + shown - 1).min(total_lines.max(1));
    let is_met = wanted.is_some_and(|wanted| {
        page.next
            .is_some_and(|next| next.byte == 0 && next.line >= from.line.saturating_add(wanted))
    });
    Ok(ReadPage {
        content: page.content.to_owned(),
        lines: page.start.line..=last,
        total_lines,
        next: page.next.filter(|_| !is_met),
        document,
    })
}

/// Finds the document of an address; a passage in it may be named too.
pub fn find_document(store: &dyn DocumentStore, path: &str) -> Result<Document> {
    find(store, path).map(|(document, _)| document)
}

/// Bytes of the first so many characters.
fn byte_length(text: &str, chars: usize) -> usize {
    text.char_indices()
        .nth(chars)
        .map_or(text.len(), |(at, _)| at)
}

/// The document of an address, with the lines of the passage that it may name.
fn find(
    store: &dyn DocumentStore,
    path: &str,
) -> Result<(Document, Option<RangeInclusive<usize>>)> {
    let (bare, passage) = match split_passage(path) {
        Some((bare, lines)) => (bare, Some(lines)),
        None => (path, None),
    };
    let found = match resolve(store, path) {
        Err(ToolError::UnknownPath { .. }) if passage.is_some() => (resolve(store, bare)?, passage),
        found => (found?, None),
    };
    match found {
        (Place::Document(document), passage) => Ok((*document, passage)),
        (Place::All | Place::Folder(_), _) => Err(ToolError::IsFolder {
            path: path.to_owned(),
        }),
    }
}

/// Splits `docs/setup.md:L10-L20`; `:L10` is one line, and the letters may be absent.
fn split_passage(address: &str) -> Option<(&str, RangeInclusive<usize>)> {
    let (path, lines) = address.trim().rsplit_once(':')?;
    let number = |text: &str| -> Option<usize> {
        let number = text.strip_prefix('L').unwrap_or(text).parse().ok()?;
        (number > 0).then_some(number)
    };
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let (first, last) = (number(first)?, number(last)?);
    (first <= last).then_some((path, first..=last))
}

pub(super) fn tool() -> Tool {
    Tool {
        name: "read",
        description: DESCRIPTION,
        input_schema: json!({
            "type": "object",
            "properties": {
                "path": {
                    "type": "string",
                    "description": "Path of the document: source/path, as search, suggest and ls name it.",
                },
                "offset": {
                    "type": "integer",
                    "minimum": 1,
                    "description": "Line to begin with, counted from 1.",
                },
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "description": "Lines to return at most.",
                },
                "byte": {
                    "type": "integer",
                    "minimum": 0,
                    "description": "Byte inside that line to begin with, for lines longer than a page.",
                },
            },
            "required": ["path"],
            "additionalProperties": false,
        }),
        call,
    }
}

fn call(store: &dyn DocumentStore, settings: &ToolSettings, arguments: &Value) -> ToolAnswer {
    answer(store, settings, arguments).into()
}

fn answer(store: &dyn DocumentStore, settings: &ToolSettings, arguments: &Value) -> Result<String> {
    let byte = number(arguments, "byte", 0)?;
    let line = number(arguments, "offset", 1)?;
    let from = (line.is_some() || byte.is_some()).then(|| Position {
        line: line.unwrap_or(1),
        byte: byte.unwrap_or(0),
    });
    let request = ReadRequest {
        path: needed_text(arguments, "path")?,
        from,
        lines: number(arguments, "limit", 1)?,
        max_chars: settings.read_max_chars,
    };
    Ok(read(store, &request)?.text())
}
