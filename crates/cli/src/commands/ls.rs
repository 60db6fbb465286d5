//! `epitome ls`: imported documents and folders.

use epitome_retriever::tools::{ListRequest, Listed, list};
use serde_json::{Value, json};

use super::sources::no_documents;
use crate::args::LsArguments;
use crate::explain::explain_tool;
use crate::failure::{Exit, Result};
use crate::layout::{COLUMNS, fitted};
use crate::place::StorePlace;
use crate::terminal::{Loudness, Reader, Stream, Terminal};

pub(crate) fn run(typed: &LsArguments, place: &StorePlace, terminal: &Terminal) -> Result<Exit> {
    let store = place.open_documents_to_read()?;
    let request = ListRequest {
        path: &typed.path,
        after: None,
        max_chars: usize::MAX,
    };
    let listing = list(store.as_ref(), &request).map_err(|error| explain_tool(&error))?;
    if terminal.reader == Reader::Machine {
        let entries = listing.entries.iter().map(for_machines).collect();
        terminal.json(Stream::Output, &Value::Array(entries))?;
    } else {
        for entry in &listing.entries {
            for line in text(entry, terminal.loudness).lines() {
                let line = match terminal.loudness {
                    Loudness::Normal => fitted(line, COLUMNS),
                    Loudness::Quiet | Loudness::Verbose => line.to_owned(),
                };
                terminal.line(Stream::Output, &line)?;
            }
        }
    }
    if listing.entries.is_empty() {
        return Err(no_documents(place));
    }
    Ok(Exit::Done)
}

fn text(entry: &Listed, loudness: Loudness) -> String {
    match loudness {
        Loudness::Quiet => entry.path(),
        Loudness::Normal | Loudness::Verbose => entry.text(),
    }
}

fn for_machines(entry: &Listed) -> Value {
    match entry {
        Listed::Folder {
            path,
            documents,
            summary,
        } => json!({
            "path": path,
            "kind": "folder",
            "documents": documents,
            "summary": summary,
        }),
        Listed::Document(document) => json!({
            "path": document.path.to_string(),
            "kind": document.kind,
            "title": document.title,
            "date": document.date,
            "chars": document.chars,
            "bytes": document.file_bytes,
        }),
    }
}
