//! `ls`: what a folder of the imported documents holds.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::{Document, DocumentPath};
use serde_json::{Value, json};

use super::arguments::text;
use super::place::{Place, resolve, visit};
use super::{Result, TRUNCATION_MARKER, Tool, ToolAnswer, ToolSettings};

const DESCRIPTION: &str = "Lists imported documents like a folder: folders with their summaries, \
documents with title, date and size. Without a path it lists the sources. A long list comes in \
pages: the answer says how to go on.";

/// What is to be listed.
#[derive(Debug, Clone, Copy)]
pub struct ListRequest<'a> {
    /// A source or a folder; empty for the sources themselves. A document is listed alone.
    pub path: &'a str,
    /// Only entries behind this path.
    pub after: Option<&'a str>,
    /// At most so many characters of text.
    pub max_chars: usize,
}

/// What stands in a folder.
#[derive(Debug, Clone)]
pub struct Listing {
    /// Its entries by path.
    pub entries: Vec<Listed>,
    /// Entries behind the last one that there was no room for.
    pub left: usize,
}

/// An entry of a folder.
#[derive(Debug, Clone)]
pub enum Listed {
    /// A source or a folder.
    Folder {
        /// Its path.
        path: String,
        /// Documents in it and below.
        documents: u64,
        /// Its summary.
        summary: Option<String>,
    },
    /// A document.
    Document(Box<Document>),
}

impl Listed {
    /// Its path.
    pub fn path(&self) -> String {
        match self {
            Self::Folder { path, .. } => path.clone(),
            Self::Document(document) => document.path.to_string(),
        }
    }

    /// The entry as a model and a person read it.
    pub fn text(&self) -> String {
        match self {
            Self::Folder {
                path,
                documents,
                summary,
            } => {
                let head = format!("{path}/  {documents} documents");
                match summary {
                    Some(summary) => format!("{head}\n  {}", one_line(summary)),
                    None => head,
                }
            }
            Self::Document(document) => format!(
                "{}  {}  {} characters  {}",
                document.path,
                document.date.as_deref().unwrap_or("no date"),
                document.chars,
                one_line(&document.title),
            ),
        }
    }
}

impl Listing {
    /// The listing as a model and a person read it.
    pub fn text(&self) -> String {
        let mut lines: Vec<String> = self.entries.iter().map(Listed::text).collect();
        if let (1.., Some(last)) = (self.left, self.entries.last()) {
            let after = json!({ "after": last.path() });
            lines.push(TRUNCATION_MARKER.to_owned());
            lines.push(format!(
                "{} more entries. To go on, list the same path with {after}.",
                self.left
            ));
        }
        lines.join("\n")
    }
}

/// Lists a folder.
pub fn list(store: &dyn DocumentStore, request: &ListRequest<'_>) -> Result<Listing> {
    let mut entries = match resolve(store, request.path)? {
        Place::All => sources(store)?,
        Place::Document(document) => vec![Listed::Document(document)],
        Place::Folder(folder) => children(store, folder)?,
    };
    if let Some(after) = request.after {
        entries.retain(|entry| entry.path().as_str() > after.trim_end_matches('/'));
    }
    let mut room = request.max_chars;
    let fitting = entries.iter().take_while(|entry| {
        let needed = entry.text().chars().count() + 1;
        let fits = needed <= room;
        room = room.saturating_sub(needed);
        fits
    });
    // An entry is shown even where it alone is too long, so that every page gets further.
    let fitting = fitting.count().max(1).min(entries.len());
    let left = entries.len() - fitting;
    entries.truncate(fitting);
    Ok(Listing { entries, left })
}

fn sources(store: &dyn DocumentStore) -> Result<Vec<Listed>> {
    let sources = store.sources()?.into_iter();
    let listed = sources.map(|(source, totals)| Listed::Folder {
        path: source.name,
        documents: totals.documents,
        summary: source.overview,
    });
    Ok(listed.collect())
}

/// Folders and documents right below a folder, by path.
fn children(store: &dyn DocumentStore, folder: DocumentPath) -> Result<Vec<Listed>> {
    let source = folder.source().to_owned();
    let prefix = if folder.path().is_empty() {
        String::new()
    } else {
        format!("{}/", folder.path())
    };
    let mut summaries: BTreeMap<String, String> = store
        .folders(&source)?
        .into_iter()
        .map(|folder| (folder.path, folder.summary))
        .collect();
    let mut folders: BTreeMap<String, u64> = BTreeMap::new();
    let mut entries = Vec::new();
    visit(store, &Place::Folder(folder), &mut |document| {
        let below = document.path.path().strip_prefix(&prefix);
        match below.and_then(|below| below.split_once('/')) {
            Some((name, _)) => *folders.entry(format!("{prefix}{name}")).or_default() += 1,
            None => entries.push(Listed::Document(Box::new(document))),
        }
        Ok(ControlFlow::Continue(()))
    })?;
    entries.extend(folders.into_iter().map(|(path, documents)| Listed::Folder {
        summary: summaries.remove(&path),
        path: format!("{source}/{path}"),
        documents,
    }));
    entries.sort_by_key(Listed::path);
    Ok(entries)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) fn tool() -> Tool {
    Tool {
        name: "ls",
        description: DESCRIPTION,
        input_schema: json!({
            "type": "object",
            "properties": {
                "path": {
                    "type": "string",
                    "description": "Source or folder to list; the sources without it.",
                },
                "after": {
                    "type": "string",
                    "description": "Last path of the page before.",
                },
            },
            "additionalProperties": false,
        }),
        call,
    }
}

fn call(store: &dyn DocumentStore, settings: &ToolSettings, arguments: &Value) -> ToolAnswer {
    answer(store, settings, arguments).into()
}

fn answer(store: &dyn DocumentStore, settings: &ToolSettings, arguments: &Value) -> Result<String> {
    let listing = list(
        store,
        &ListRequest {
            path: text(arguments, "path")?.unwrap_or_default(),
            after: text(arguments, "after")?,
            max_chars: settings.read_max_chars,
        },
    )?;
    if listing.entries.is_empty() {
        return Ok("Nothing is here.".to_owned());
    }
    Ok(listing.text())
}
