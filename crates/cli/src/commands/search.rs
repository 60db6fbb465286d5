//! `epitome search`: documents for a query, each with its best passage.

use epitome_index::DocumentStore;
use epitome_retriever::search::{SearchRequest, search};
use epitome_retriever::tools::{entries, entry_frame, entry_text};
use serde_json::Value;

use super::sources::no_documents;
use crate::args::QueryArguments;
use crate::explain::{explain_store, explain_tool};
use crate::failure::{Exit, Failure, Result};
use crate::layout::wrapped;
use crate::place::StorePlace;
use crate::settings::tool_settings;
use crate::terminal::{Loudness, Reader, Stream, Terminal};

/// Characters of a summary that fill two lines.
pub(crate) const LEAD_CHARS: usize = 150;

pub(crate) fn run(typed: &QueryArguments, place: &StorePlace, terminal: &Terminal) -> Result<Exit> {
    let settings = tool_settings()?;
    let store = place.open_documents_to_read()?;
    check_scope(store.as_ref(), typed, place)?;
    let query = typed.text();
    let request = SearchRequest {
        query: &query,
        limit: typed.limit(settings.suggested_docs),
        source: typed.source.as_deref(),
        dense: None,
    };
    let found = search(store.as_ref(), &request).map_err(|error| explain_store(&error))?;
    let preview = settings.suggestion_preview_chars;
    let entries =
        entries(store.as_ref(), &found.hits, preview).map_err(|error| explain_tool(&error))?;
    if terminal.reader == Reader::Machine {
        let list = entries.iter().map(entry_frame).collect();
        terminal.json(Stream::Output, &Value::Array(list))?;
    } else {
        for (entry, number) in entries.iter().zip(1..) {
            if terminal.loudness == Loudness::Quiet {
                terminal.line(Stream::Output, &entry.hit.address())?;
                continue;
            }
            if number > 1 {
                terminal.line(Stream::Output, "")?;
            }
            let lead_chars = match terminal.loudness {
                Loudness::Verbose => usize::MAX,
                Loudness::Normal | Loudness::Quiet => LEAD_CHARS,
            };
            let text = entry_text(number, entry, lead_chars);
            terminal.line(Stream::Output, &filled(&text))?;
        }
    }
    if entries.is_empty() {
        return Err(Failure::not_found(
            format!("find a document for `{query}`"),
            "Try other words; `epitome ls` lists what was imported.",
        ));
    }
    Ok(Exit::Done)
}

/// Breaks the long lines of a text; passages stay as they stand in their documents.
pub(crate) fn filled(text: &str) -> String {
    const INDENT: usize = 3;
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            if line.trim_start().starts_with('|') {
                line.to_owned()
            } else {
                wrapped(line, INDENT)
            }
        })
        .collect();
    lines.join("\n")
}

/// A search needs documents, and where it names a source, that one.
pub(crate) fn check_scope(
    store: &dyn DocumentStore,
    typed: &QueryArguments,
    place: &StorePlace,
) -> Result<()> {
    let sources = store.sources().map_err(|error| explain_store(&error))?;
    if sources.is_empty() {
        return Err(no_documents(place));
    }
    let Some(name) = &typed.source else {
        return Ok(());
    };
    if sources.iter().any(|(source, _)| source.name == *name) {
        return Ok(());
    }
    Err(unknown_source(name))
}

/// The failure to find a source.
pub(crate) fn unknown_source(name: &str) -> Failure {
    Failure::not_found(
        format!("find the source `{name}`: it was never imported"),
        "`epitome sources` lists what was imported.",
    )
}
