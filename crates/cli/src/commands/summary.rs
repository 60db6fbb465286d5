//! `epitome summary`: shows, writes or resets the summary of a document.

use std::io::Write as _;
use std::process::Command;

use epitome_index::documents::model::{Document, NewSummary, SummaryAuthor};
use epitome_index::{DocumentStore, SqliteStore};
use epitome_retriever::tools::find_document;
use serde_json::json;

use super::sources::no_documents;
use crate::args::SummaryArguments;
use crate::explain::{explain_store, explain_tool};
use crate::failure::{Exit, Failure, Result};
use crate::place::StorePlace;
use crate::terminal::{Loudness, Reader, Stream, Terminal};

pub(crate) fn run(
    typed: &SummaryArguments,
    place: &StorePlace,
    terminal: &Terminal,
) -> Result<Exit> {
    if !place.exists() {
        return Err(no_documents(place));
    }
    if typed.set.is_none() && !typed.edit && !typed.reset {
        let store = place.open_documents_to_read()?;
        return show(&found(store.as_ref(), typed)?, terminal);
    }
    let store = place.open()?;
    let document = found(&store, typed)?;
    if typed.reset {
        store
            .reset_summary(document.id)
            .map_err(|error| explain_store(&error))?;
    } else if let Some(text) = &typed.set {
        put(&store, &document, text)?;
    } else {
        let before = document.summary.as_ref();
        let text = edited(before.map_or("", |summary| summary.text.as_str()))?;
        put(&store, &document, &text)?;
    }
    if terminal.reader == Reader::Machine {
        return show(&found(&store, typed)?, terminal);
    }
    if terminal.loudness != Loudness::Quiet {
        let note = if typed.reset {
            "dropped; the next sync makes a new summary"
        } else {
            "kept; imports leave this summary alone"
        };
        terminal.line(Stream::Output, &format!("{}: {note}", document.path))?;
    }
    Ok(Exit::Done)
}

fn found(store: &dyn DocumentStore, typed: &SummaryArguments) -> Result<Document> {
    find_document(store, &typed.path).map_err(|error| explain_tool(&error))
}

fn show(document: &Document, terminal: &Terminal) -> Result<Exit> {
    let state = match &document.summary {
        None => "missing",
        Some(_) if document.summary_is_stale() => "stale",
        Some(_) => "fresh",
    };
    let by = document.summary.as_ref().map(|summary| match summary.by {
        SummaryAuthor::Auto => "auto",
        SummaryAuthor::Owner => "owner",
    });
    let text = document.summary.as_ref().map(|summary| &summary.text);
    if terminal.reader == Reader::Machine {
        let path = document.path.to_string();
        let value = json!({ "path": path, "summary": text, "by": by, "state": state });
        terminal.json(Stream::Output, &value)?;
        return Ok(Exit::Done);
    }
    let Some(text) = text else {
        return Err(Failure::not_found(
            format!("show the summary of {}: it has none", document.path),
            "The next `epitome sync` makes one; --set TEXT writes one.",
        ));
    };
    terminal.line(Stream::Output, text.trim_end())?;
    if state == "stale" && terminal.loudness != Loudness::Quiet {
        let note = "This is the summary of an earlier version of the document.";
        terminal.line(Stream::Error, note)?;
    }
    Ok(Exit::Done)
}

fn put(store: &SqliteStore, document: &Document, text: &str) -> Result<()> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Failure::usage(
            format!("write the summary of {}: the text is empty", document.path),
            "Pass --reset to have a new one made.",
        ));
    }
    let summary = NewSummary {
        text,
        by: SummaryAuthor::Owner,
        of_hash: document.content_hash,
        vector: None,
    };
    store
        .put_summary(document.id, &summary)
        .map_err(|error| explain_store(&error))
}

/// The text as the person left it in the editor.
fn edited(before: &str) -> Result<String> {
    let failed = |error: std::io::Error| {
        Failure::with(Exit::Failed, format!("edit the summary: {error}"), None)
    };
    let editor = ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|value| !value.trim().is_empty())
        .ok_or_else(|| {
            Failure::usage(
                "edit the summary: no editor is named",
                "Set VISUAL or EDITOR, or pass the text with --set.",
            )
        })?;
    let mut file = tempfile::Builder::new()
        .prefix("summary")
        .suffix(".md")
        .tempfile()
        .map_err(failed)?;
    file.write_all(before.as_bytes()).map_err(failed)?;
    // The variable may hold arguments, too.
    let mut words = editor.split_whitespace();
    let status = Command::new(words.next().unwrap_or_default())
        .args(words)
        .arg(file.path())
        .status()
        .map_err(failed)?;
    if !status.success() {
        return Err(Failure::new(
            format!("edit the summary: `{editor}` ended with {status}"),
            "The summary is as it was.",
        ));
    }
    // Some editors replace the file; its path leads to what they left.
    std::fs::read_to_string(file.path()).map_err(failed)
}
