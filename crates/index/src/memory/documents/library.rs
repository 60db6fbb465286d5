//! What is known about documents, and the rules that keep it whole.

use std::collections::BTreeMap;

use epitome_core::id::{ChunkId, DocumentId};

use super::{Importing, unknown_document};
use crate::documents::model::{
    Calibration, Document, DocumentPath, DocumentWrite, Folder, NewSummary, Source, SourceTotals,
    StoredChunk, Summary,
};
use crate::{ErrorKind, Result};

/// All documents with what belongs to them.
#[derive(Debug, Default)]
pub(in crate::memory) struct Library {
    pub(super) importing: Importing,
    pub(super) sources: BTreeMap<String, Source>,
    /// Folders by path, by source.
    pub(super) folders: BTreeMap<String, BTreeMap<String, Folder>>,
    pub(super) documents: BTreeMap<DocumentId, Entry>,
    /// Vectors by chunk, by model.
    pub(super) vectors: BTreeMap<String, BTreeMap<ChunkId, Vec<f32>>>,
    pub(super) calibrations: BTreeMap<String, Calibration>,
    last_document: u64,
    last_chunk: u64,
}

/// A document with its text and its chunks by position.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) document: Document,
    pub(super) content: String,
    pub(super) chunks: Vec<StoredChunk>,
}

impl Library {
    /// Number of documents and of chunks.
    pub(in crate::memory) fn size(&self) -> (u64, u64) {
        (self.documents.len() as u64, self.chunks().count() as u64)
    }

    pub(super) fn chunks(&self) -> impl Iterator<Item = &StoredChunk> {
        self.documents.values().flat_map(|entry| &entry.chunks)
    }

    /// The documents of a source, or all.
    pub(super) fn entries(&self, source: Option<&str>) -> impl Iterator<Item = &Entry> {
        self.documents
            .values()
            .filter(move |entry| source.is_none_or(|name| entry.document.path.source() == name))
    }

    pub(super) fn at_path(&self, path: &DocumentPath) -> Option<&Entry> {
        self.documents
            .values()
            .find(|entry| entry.document.path == *path)
    }

    pub(super) fn put_source(&mut self, name: &str, root: &str) -> &Source {
        let new = || Source {
            name: name.to_owned(),
            root: String::new(),
            version: 0,
            overview: None,
            overview_key: None,
            imported_ms: None,
        };
        let source = self.sources.entry(name.to_owned()).or_insert_with(new);
        root.clone_into(&mut source.root);
        source
    }

    pub(super) fn known_source(&mut self, name: &str) -> Result<&mut Source> {
        let unknown = || ErrorKind::UnknownSource {
            name: name.to_owned(),
        };
        Ok(self.sources.get_mut(name).ok_or_else(unknown)?)
    }

    pub(super) fn known_document(&mut self, id: DocumentId) -> Result<&mut Entry> {
        let found = self.documents.get_mut(&id);
        Ok(found.ok_or_else(|| unknown_document(id))?)
    }

    pub(super) fn totals(&self, source: &str) -> SourceTotals {
        let mut totals = SourceTotals::default();
        for entry in self.entries(Some(source)) {
            totals.documents += 1;
            totals.without_summary += u64::from(entry.document.summary.is_none());
            totals.stale_summaries += u64::from(entry.document.summary_is_stale());
            totals.chunks += entry.chunks.len() as u64;
            totals.bytes += entry.content.len() as u64;
        }
        totals
    }

    pub(super) fn forget(&mut self, name: &str) -> Option<SourceTotals> {
        let totals = self.totals(name);
        self.sources.remove(name)?;
        self.folders.remove(name);
        let documents = self.entries(Some(name)).map(|entry| entry.document.id);
        for id in documents.collect::<Vec<_>>() {
            self.prune(id);
        }
        Some(totals)
    }

    pub(super) fn put_document(&mut self, write: &DocumentWrite<'_>) -> Result<DocumentId> {
        self.known_source(write.path.source())?;
        check_ranges(write)?;
        let known = self.at_path(&write.path).map(|entry| entry.document.id);
        let id = known.unwrap_or(DocumentId(self.last_document + 1));
        self.last_document = self.last_document.max(id.0);
        let before = self.documents.remove(&id);

        let (mut chunks, gone): (Vec<_>, Vec<_>) = before
            .as_ref()
            .map_or_else(Vec::new, |entry| entry.chunks.clone())
            .into_iter()
            .partition(|chunk| chunk.position < 0);
        self.drop_vectors(&gone);
        for (position, new) in (0..).zip(&write.chunks) {
            chunks.push(StoredChunk {
                id: self.next_chunk(),
                document: id,
                position,
                range: new.range.clone(),
                trail: new.trail.to_owned(),
                text: write.content[new.range.clone()].to_owned(),
            });
        }
        let entry = Entry {
            document: document(id, write, before.map(|entry| entry.document)),
            content: write.content.to_owned(),
            chunks,
        };
        self.documents.insert(id, entry);
        self.refresh_summary_chunk(id)?;
        Ok(id)
    }

    pub(super) fn move_document(
        &mut self,
        id: DocumentId,
        write: &DocumentWrite<'_>,
    ) -> Result<()> {
        self.known_document(id)?;
        self.known_source(write.path.source())?;
        let there = self.at_path(&write.path).map(|entry| entry.document.id);
        if there.is_some_and(|other| other != id) {
            let path = write.path.to_string();
            return Err(ErrorKind::PathTaken { path }.into());
        }
        let document = &mut self.known_document(id)?.document;
        document.path = write.path.clone();
        write.title.clone_into(&mut document.title);
        if !document.date_is_manual {
            document.date = write.date.map(str::to_owned);
        }
        document.file_bytes = write.file_bytes;
        document.file_modified_ms = write.file_modified_ms;
        Ok(())
    }

    pub(super) fn prune(&mut self, id: DocumentId) {
        if let Some(entry) = self.documents.remove(&id) {
            self.drop_vectors(&entry.chunks);
        }
    }

    pub(super) fn put_summary(&mut self, id: DocumentId, summary: &NewSummary<'_>) -> Result<()> {
        self.known_document(id)?;
        if let Some((model, vector)) = summary.vector
            && summary.of_hash == self.known_document(id)?.document.content_hash
        {
            let replaced = self.summary_chunk(id);
            self.check_lengths(model, &[vector], replaced)?;
        }
        self.remove_summary_chunk(id)?;
        self.known_document(id)?.document.summary = Some(Summary {
            text: summary.text.to_owned(),
            by: summary.by,
            of_hash: summary.of_hash,
        });
        self.refresh_summary_chunk(id)?;
        if let Some((model, vector)) = summary.vector
            && let Some(chunk) = self.summary_chunk(id)
        {
            self.put_vectors(model, &[(chunk, vector)])?;
        }
        Ok(())
    }

    pub(super) fn reset_summary(&mut self, id: DocumentId) -> Result<()> {
        self.known_document(id)?.document.summary = None;
        self.remove_summary_chunk(id)
    }

    pub(super) fn prune_folders(&mut self, source: &str) -> u64 {
        let documents = self.entries(Some(source));
        let paths: Vec<_> = documents
            .map(|entry| entry.document.path.path().to_owned())
            .collect();
        let Some(folders) = self.folders.get_mut(source) else {
            return 0;
        };
        let before = folders.len();
        folders.retain(|folder, _| {
            let inside = format!("{folder}/");
            let holds = |path: &String| folder.is_empty() || path.starts_with(&inside);
            paths.iter().any(holds)
        });
        (before - folders.len()) as u64
    }

    pub(super) fn put_vectors(&mut self, model: &str, new: &[(ChunkId, &[f32])]) -> Result<()> {
        let vectors: Vec<_> = new.iter().map(|(_, vector)| *vector).collect();
        self.check_lengths(model, &vectors, None)?;
        for (id, vector) in new {
            if self.chunks().any(|chunk| chunk.id == *id) {
                let vectors = self.vectors.entry(model.to_owned()).or_default();
                vectors.insert(*id, vector.to_vec());
            }
        }
        Ok(())
    }

    /// Refuses vectors of another length than the model's others, one that is replaced aside.
    fn check_lengths(&self, model: &str, new: &[&[f32]], replaced: Option<ChunkId>) -> Result<()> {
        let known = self.vectors.get(model).into_iter().flatten();
        let mut known = known.filter(|(id, _)| Some(**id) != replaced);
        let known = known.next().map(|(_, vector)| vector.len());
        let Some(expected) = known.or_else(|| new.first().map(|vector| vector.len())) else {
            return Ok(());
        };
        match new.iter().find(|vector| vector.len() != expected) {
            None => Ok(()),
            Some(odd) => Err(ErrorKind::VectorLength {
                model: model.to_owned(),
                expected,
                found: odd.len(),
            }
            .into()),
        }
    }

    fn drop_vectors(&mut self, chunks: &[StoredChunk]) {
        for vectors in self.vectors.values_mut() {
            for chunk in chunks {
                vectors.remove(&chunk.id);
            }
        }
    }

    fn next_chunk(&mut self) -> ChunkId {
        self.last_chunk += 1;
        ChunkId(self.last_chunk)
    }

    fn summary_chunk(&self, id: DocumentId) -> Option<ChunkId> {
        let first = self.documents.get(&id)?.chunks.first()?;
        (first.position < 0).then_some(first.id)
    }

    fn remove_summary_chunk(&mut self, id: DocumentId) -> Result<()> {
        let chunks = &mut self.known_document(id)?.chunks;
        let gone: Vec<_> = chunks.extract_if(.., |chunk| chunk.position < 0).collect();
        self.drop_vectors(&gone);
        Ok(())
    }

    /// A fresh summary has a chunk, a stale one has none.
    fn refresh_summary_chunk(&mut self, id: DocumentId) -> Result<()> {
        let document = &self.known_document(id)?.document;
        let is_stale = document.summary_is_stale();
        let text = document
            .summary
            .as_ref()
            .map(|summary| summary.text.clone());
        match text {
            Some(text) if !is_stale => {
                if self.summary_chunk(id).is_none() {
                    let chunk = StoredChunk {
                        id: self.next_chunk(),
                        document: id,
                        position: -1,
                        range: 0..0,
                        trail: String::new(),
                        text,
                    };
                    self.known_document(id)?.chunks.insert(0, chunk);
                }
                Ok(())
            }
            _ => self.remove_summary_chunk(id),
        }
    }
}

fn check_ranges(write: &DocumentWrite<'_>) -> Result<()> {
    let mut ranges = write.chunks.iter().map(|chunk| &chunk.range);
    match ranges.find(|range| write.content.get((*range).clone()).is_none()) {
        None => Ok(()),
        Some(range) => Err(ErrorKind::ChunkRange {
            path: write.path.to_string(),
            start: range.start,
            end: range.end,
        }
        .into()),
    }
}

/// The document after a write; what the owner set stays.
fn document(id: DocumentId, write: &DocumentWrite<'_>, before: Option<Document>) -> Document {
    let date_is_manual = before.as_ref().is_some_and(|before| before.date_is_manual);
    let (old_date, summary) = before.map_or((None, None), |before| (before.date, before.summary));
    Document {
        id,
        path: write.path.clone(),
        title: write.title.to_owned(),
        date: if date_is_manual {
            old_date
        } else {
            write.date.map(str::to_owned)
        },
        date_is_manual,
        kind: write.kind.to_owned(),
        content_hash: write.content_hash,
        chars: write.content.chars().count() as u64,
        file_bytes: write.file_bytes,
        file_modified_ms: write.file_modified_ms,
        summary,
    }
}
