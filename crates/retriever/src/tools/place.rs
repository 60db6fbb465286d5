//! What a path names: everything, a source, a folder or a document.

use std::collections::HashSet;
use std::ops::ControlFlow;

use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::{Document, DocumentPath};

use super::{Result, ToolError};

/// Documents that are asked for at a time.
const PAGE: usize = 500;

/// Paths that an error names.
const NEAREST: usize = 3;

/// Most characters of a path that are compared.
const COMPARED_CHARS: usize = 500;

/// What a path names.
#[derive(Debug)]
pub(super) enum Place {
    /// All sources.
    All,
    /// A source, or a folder in one; the path is empty for the source itself.
    Folder(DocumentPath),
    /// A document.
    Document(Box<Document>),
}

/// Finds what a path names.
pub(super) fn resolve(store: &dyn DocumentStore, path: &str) -> Result<Place> {
    let path = path.trim().trim_start_matches("./").trim_matches('/');
    if path.is_empty() || path == "." {
        return Ok(Place::All);
    }
    let (source, inside) = path.split_once('/').unwrap_or((path, ""));
    let address = DocumentPath::new(source, inside);
    if inside.is_empty() && store.source(source)?.is_some() {
        return Ok(Place::Folder(address));
    }
    if let Some(document) = store.document(&address)? {
        return Ok(Place::Document(Box::new(document)));
    }
    let mut is_folder = false;
    if !inside.is_empty() {
        visit(store, &Place::Folder(address.clone()), &mut |_| {
            is_folder = true;
            Ok(ControlFlow::Break(()))
        })?;
    }
    if is_folder {
        return Ok(Place::Folder(address));
    }
    Err(ToolError::UnknownPath {
        path: path.to_owned(),
        nearest: nearest(store, path)?,
    })
}

/// Visits the documents of a place in the order of their paths until the visitor breaks.
pub(super) fn visit(
    store: &dyn DocumentStore,
    place: &Place,
    visitor: &mut dyn FnMut(Document) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let folder = match place {
        Place::All => None,
        Place::Folder(folder) => Some(folder),
        Place::Document(document) => {
            return visitor((**document).clone()).map(|_| ());
        }
    };
    let source = folder.map(DocumentPath::source);
    let prefix = folder
        .filter(|folder| !folder.path().is_empty())
        .map(|folder| format!("{}/", folder.path()));
    let mut after = match (source, &prefix) {
        (Some(source), Some(prefix)) => Some(DocumentPath::new(source, prefix.as_str())),
        _ => None,
    };
    loop {
        let page = store.documents(source, after.as_ref(), PAGE)?;
        let is_last = page.len() < PAGE;
        after = page.last().map(|document| document.path.clone());
        for document in page {
            let is_inside = prefix
                .as_ref()
                .is_none_or(|prefix| document.path.path().starts_with(prefix.as_str()));
            if !is_inside || visitor(document)?.is_break() {
                return Ok(());
            }
        }
        if is_last {
            return Ok(());
        }
    }
}

/// Existing paths that look most like this one.
pub(super) fn nearest(store: &dyn DocumentStore, path: &str) -> Result<Vec<String>> {
    let wanted = pairs(path);
    let mut scored: Vec<(f64, String)> = Vec::new();
    visit(store, &Place::All, &mut |document| {
        let candidate = document.path.to_string();
        let likeness = likeness(&wanted, &pairs(&candidate));
        if likeness > 0.0 {
            scored.push((likeness, candidate));
        }
        if scored.len() > PAGE {
            keep_best(&mut scored);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    keep_best(&mut scored);
    Ok(scored.into_iter().map(|(_, path)| path).collect())
}

fn keep_best(scored: &mut Vec<(f64, String)>) {
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    scored.truncate(NEAREST);
}

/// Pairs of neighbouring characters, small letters.
fn pairs(text: &str) -> HashSet<(char, char)> {
    let letters: Vec<char> = text
        .chars()
        .take(COMPARED_CHARS)
        .flat_map(char::to_lowercase)
        .collect();
    letters.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// Share of pairs that two texts have in common, from 0 to 1.
fn likeness(a: &HashSet<(char, char)>, b: &HashSet<(char, char)>) -> f64 {
    let common = a.intersection(b).count() as f64;
    let both = (a.len() + b.len()) as f64;
    if both == 0.0 {
        0.0
    } else {
        2.0 * common / both
    }
}
