//! Summaries of folders, made of what they hold.

use super::score::{self, Sentence};
use super::{FolderEntry, FolderText, MOST_CHARS, facts, select, sentence, terms};

/// Characters of a folder's summary that may list what it holds.
const LIST_CHARS: usize = 300;
/// Entries whose summaries are compared; a larger folder has many alike.
const MOST_ENTRIES: usize = 500;

/// Summarizes a folder: how much it holds, under which titles, and the sentences of its documents'
/// summaries that speak for the others.
///
/// At most [`MOST_CHARS`] characters in one line. An empty folder gives nothing.
pub fn extract_folder(folder: FolderText<'_>) -> String {
    let mut summary = String::new();
    list(&mut summary, folder.documents, "document", "documents");
    list(&mut summary, folder.folders, "folder", "folders");
    let room = MOST_CHARS.saturating_sub(summary.chars().count() + 1);
    let sentences = openings(folder);
    let mut chosen = String::new();
    for text in select::choose_texts(&sentences) {
        if chosen.chars().count() + text.chars().count() + 1 > room {
            continue;
        }
        if !chosen.is_empty() {
            chosen.push(' ');
        }
        chosen.push_str(text);
    }
    if !chosen.is_empty() && !summary.is_empty() {
        summary.push(' ');
    }
    summary.push_str(&chosen);
    summary
}

/// Appends how many entries there are and the names of the first ones.
fn list(summary: &mut String, entries: &[FolderEntry], one: &str, many: &str) {
    if entries.is_empty() {
        return;
    }
    let noun = if entries.len() == 1 { one } else { many };
    let label = format!("{} {noun}: ", entries.len());
    let most = LIST_CHARS / 2;
    let mut used = label.chars().count();
    let mut shown: Vec<String> = Vec::new();
    for entry in entries {
        let name = facts::describe_title(&sentence::cut(&entry.name, 80));
        let length = name.chars().count() + 2;
        if used + length > most && !shown.is_empty() {
            break;
        }
        used += length;
        if !name.is_empty() {
            shown.push(name);
        }
    }
    if shown.len() < entries.len() {
        shown.push("…".to_owned());
    }
    facts::append_list(summary, &label, shown.iter().map(String::as_str));
}

/// The first sentence of each summary, scored by its nearness to the others.
fn openings(folder: FolderText<'_>) -> Vec<Sentence> {
    // The summary of a folder opens with its counts, which says little here.
    let own = |entry: &FolderEntry, skipped: usize| {
        let summary = entry.summary.as_deref()?;
        let parts = sentence::split(summary);
        parts
            .get(skipped)
            .or(parts.first())
            .map(|text| (*text).to_owned())
    };
    let documents = folder.documents.iter().filter_map(|entry| own(entry, 0));
    let folders = folder.folders.iter().filter_map(|entry| own(entry, 1));
    let mut sentences: Vec<Sentence> = documents
        .chain(folders)
        .take(MOST_ENTRIES)
        .map(|text| Sentence {
            chars: text.chars().count(),
            terms: terms::find(&text),
            score: score::rate_form(&text, text.chars().count()) + 0.5,
            text,
        })
        .collect();
    score::add_nearness(&mut sentences, folder.path);
    sentences
}
