//! A judged collection: documents, queries, and which documents answer which query.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use epitome_core::chunk::{DEFAULT_SIZES, Markup, chunk};
use epitome_core::id::BlobId;
use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::{DocumentPath, DocumentWrite, NewChunk};
use serde_json::Value;

/// Documents with queries and grades.
pub(super) struct Collection {
    pub(super) name: String,
    pub(super) documents: Vec<Text>,
    pub(super) queries: Vec<Query>,
}

/// A document as it is read.
pub(super) struct Text {
    pub(super) id: String,
    title: String,
    body: String,
}

/// A query with the grades of the documents that answer it.
pub(super) struct Query {
    pub(super) text: String,
    pub(super) grades: BTreeMap<String, f64>,
}

impl Collection {
    /// Reads `docs.jsonl`, `queries.jsonl` and `qrels.tsv` of a folder.
    pub(super) fn read(folder: &Path, name: &str) -> Result<Self> {
        let documents = rows(&folder.join("docs.jsonl"))?;
        let queries = rows(&folder.join("queries.jsonl"))?;
        let mut grades = read_grades(&folder.join("qrels.tsv"))?;
        Ok(Self {
            name: name.to_owned(),
            documents: documents
                .iter()
                .map(|row| Text {
                    id: field(row, "id"),
                    title: field(row, "title"),
                    body: field(row, "text"),
                })
                .collect(),
            queries: queries
                .iter()
                .map(|row| Query {
                    text: field(row, "text"),
                    grades: grades.remove(&field(row, "id")).unwrap_or_default(),
                })
                .collect(),
        })
    }

    /// Imports all documents.
    pub(super) fn import(&self, store: &dyn DocumentStore) -> Result<()> {
        store.put_source(&self.name, "", 0)?;
        for document in &self.documents {
            self.put(store, document)?;
        }
        store.finish_import(&self.name, true, 0)?;
        Ok(())
    }

    /// Imports one document.
    pub(super) fn put(&self, store: &dyn DocumentStore, document: &Text) -> Result<()> {
        let chunks = chunk(&document.body, Markup::Markdown, &DEFAULT_SIZES);
        let chunks = chunks.iter().map(|chunk| NewChunk {
            range: chunk.range.clone(),
            trail: &chunk.trail,
        });
        store.put_document(&DocumentWrite {
            path: self.path(document),
            title: &document.title,
            date: None,
            kind: "markdown",
            content_hash: BlobId::of(document.body.as_bytes()),
            content: &document.body,
            file_bytes: document.body.len() as u64,
            file_modified_ms: 0,
            chunks: chunks.collect(),
        })?;
        Ok(())
    }

    /// The address of a document.
    pub(super) fn path(&self, document: &Text) -> DocumentPath {
        DocumentPath::new(&self.name, &document.id)
    }
}

fn rows(path: &Path) -> Result<Vec<Value>> {
    let text = fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
    let rows = text.lines().map(serde_json::from_str);
    rows.collect::<Result<_, _>>()
        .with_context(|| format!("read {}", path.display()))
}

fn field(row: &Value, name: &str) -> String {
    row[name].as_str().unwrap_or_default().to_owned()
}

fn read_grades(path: &Path) -> Result<BTreeMap<String, BTreeMap<String, f64>>> {
    let text = fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
    let mut grades: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    for line in text.lines() {
        let mut fields = line.split('\t');
        if let (Some(query), Some(document), Some(grade)) =
            (fields.next(), fields.next(), fields.next())
        {
            let of_query = grades.entry(query.to_owned()).or_default();
            of_query.insert(document.to_owned(), grade.trim().parse()?);
        }
    }
    Ok(grades)
}
