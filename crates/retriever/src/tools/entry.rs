//! A found document as it is shown: title, path, date, summary, best passage.

use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::Document;
use serde_json::{Value, json};

use super::{Result, TRUNCATION_MARKER};
use crate::search::DocumentHit;

/// A found document with what is told about it.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    /// The document and its best passage.
    pub hit: &'a DocumentHit,
    /// What it is about.
    pub lead: Lead,
}

/// What a document is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lead {
    /// The text.
    pub text: String,
    /// Where the text comes from.
    pub kind: LeadKind,
}

/// Where a lead comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeadKind {
    /// The summary of the present text.
    Summary,
    /// The summary of an earlier text.
    Stale,
    /// The start of the text, because there is no summary.
    Preview,
}

impl LeadKind {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Stale => "stale",
            Self::Preview => "preview",
        }
    }
}

/// What is told about each hit.
pub fn entries<'a>(
    store: &dyn DocumentStore,
    hits: &'a [DocumentHit],
    preview_chars: usize,
) -> Result<Vec<Entry<'a>>> {
    let entry = |hit: &'a DocumentHit| {
        let lead = lead(store, &hit.document, preview_chars)?;
        Ok(Entry { hit, lead })
    };
    hits.iter().map(entry).collect()
}

fn lead(store: &dyn DocumentStore, document: &Document, preview_chars: usize) -> Result<Lead> {
    let summary = document.summary.as_ref();
    if let Some(summary) = summary.filter(|summary| !summary.text.trim().is_empty()) {
        return Ok(Lead {
            text: summary.text.trim().to_owned(),
            kind: if document.summary_is_stale() {
                LeadKind::Stale
            } else {
                LeadKind::Summary
            },
        });
    }
    let content = store.content(document.id)?.unwrap_or_default();
    Ok(Lead {
        text: cut(content.trim(), preview_chars),
        kind: LeadKind::Preview,
    })
}

/// The head of a text, with the marker where something is missing.
fn cut(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}{TRUNCATION_MARKER}", &text[..at]),
    }
}

/// An entry as JSON.
pub fn entry_frame(entry: &Entry<'_>) -> Value {
    let Entry { hit, lead } = entry;
    let mut value = reference(hit);
    value["summary"] = json!(lead.text);
    value["summary_kind"] = json!(lead.kind.name());
    value["passage"] = json!({ "address": hit.address(), "text": hit.snippet });
    value["score"] = json!(hit.score);
    value
}

pub(super) fn reference(hit: &DocumentHit) -> Value {
    json!({
        "title": hit.document.title,
        "path": hit.document.path.to_string(),
        "date": hit.document.date,
    })
}

/// An entry as a model and a person read it; its lead on one line, at most `lead_chars` long.
pub fn entry_text(number: usize, entry: &Entry<'_>, lead_chars: usize) -> String {
    let Document {
        title, path, date, ..
    } = &entry.hit.document;
    let note = match entry.lead.kind {
        LeadKind::Summary | LeadKind::Preview => "",
        LeadKind::Stale => "(of an earlier version) ",
    };
    let mut text = format!(
        "{number}. {}\n   {path}  {}\n   {note}{}\n   {}",
        one_line(title),
        date.as_deref().unwrap_or("no date"),
        head(&one_line(&entry.lead.text), lead_chars),
        entry.hit.address(),
    );
    for line in entry.hit.snippet.lines() {
        text.push_str(format!("\n   | {line}").trim_end_matches(' '));
    }
    text
}

fn head(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        None => text.to_owned(),
        Some((at, _)) => {
            let shown = &text[..at];
            // Between words where there is a word's end in the last part.
            let end = shown.rfind(' ').filter(|end| *end > at * 3 / 4);
            format!("{}…", &shown[..end.unwrap_or(at)])
        }
    }
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
