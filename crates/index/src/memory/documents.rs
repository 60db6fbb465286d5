//! Documents in memory: plain maps, scanned.

mod library;
mod search;

use std::any::Any;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use epitome_core::id::BlobId;

use super::MemoryStore;
use crate::documents::DocumentStore;
use crate::documents::model::{
    Calibration, ChunkId, ChunkVector, Document, DocumentId, DocumentPath, DocumentWrite, Folder,
    ImportGuard, LexicalHit, LexicalQuery, NewSummary, Source, SourceTotals, StoredChunk,
};
use crate::{ErrorKind, Result};
pub(super) use library::Library;

/// Names of the sources that are imported right now.
type Importing = Arc<Mutex<BTreeSet<String>>>;

/// Gives the right to import a source back.
struct Release {
    importing: Importing,
    source: String,
}

impl Drop for Release {
    fn drop(&mut self) {
        let mut importing = self
            .importing
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        importing.remove(&self.source);
    }
}

impl DocumentStore for MemoryStore {
    fn begin_import(&self, source: &str) -> Result<Option<ImportGuard>> {
        let importing = self.state().library.importing.clone();
        let is_free = importing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(source.to_owned());
        let release = || -> Box<dyn Any + Send> {
            Box::new(Release {
                importing,
                source: source.to_owned(),
            })
        };
        Ok(is_free.then(release).map(ImportGuard::new))
    }

    fn put_source(&self, name: &str, root: &str, _now_ms: i64) -> Result<Source> {
        Ok(self.state().library.put_source(name, root).clone())
    }

    fn source(&self, name: &str) -> Result<Option<Source>> {
        Ok(self.state().library.sources.get(name).cloned())
    }

    fn sources(&self) -> Result<Vec<(Source, SourceTotals)>> {
        let library = &self.state().library;
        let sources = library.sources.values();
        Ok(sources
            .map(|source| (source.clone(), library.totals(&source.name)))
            .collect())
    }

    fn finish_import(&self, source: &str, content_moved: bool, now_ms: i64) -> Result<u64> {
        let library = &mut self.state().library;
        let source = library.known_source(source)?;
        source.version += u64::from(content_moved);
        source.imported_ms = Some(now_ms);
        Ok(source.version)
    }

    fn put_overview(&self, source: &str, text: &str, key: BlobId) -> Result<()> {
        let library = &mut self.state().library;
        let source = library.known_source(source)?;
        source.overview = Some(text.to_owned());
        source.overview_key = Some(key);
        Ok(())
    }

    fn forget_source(&self, name: &str) -> Result<Option<SourceTotals>> {
        Ok(self.state().library.forget(name))
    }

    fn documents(
        &self,
        source: Option<&str>,
        after: Option<&DocumentPath>,
        limit: usize,
    ) -> Result<Vec<Document>> {
        let library = &self.state().library;
        let mut page: Vec<_> = library
            .entries(source)
            .map(|entry| &entry.document)
            .filter(|document| after.is_none_or(|after| document.path > *after))
            .collect();
        page.sort_by_key(|document| &document.path);
        Ok(page.into_iter().take(limit).cloned().collect())
    }

    fn document(&self, path: &DocumentPath) -> Result<Option<Document>> {
        let library = &self.state().library;
        Ok(library.at_path(path).map(|entry| entry.document.clone()))
    }

    fn documents_by_id(&self, ids: &[DocumentId]) -> Result<Vec<Document>> {
        let library = &self.state().library;
        let found = ids.iter().filter_map(|id| library.documents.get(id));
        Ok(found.map(|entry| entry.document.clone()).collect())
    }

    fn content(&self, id: DocumentId) -> Result<Option<String>> {
        let library = &self.state().library;
        Ok(library
            .documents
            .get(&id)
            .map(|entry| entry.content.clone()))
    }

    fn put_document(&self, write: &DocumentWrite<'_>) -> Result<DocumentId> {
        self.state().library.put_document(write)
    }

    fn move_document(&self, id: DocumentId, write: &DocumentWrite<'_>) -> Result<()> {
        self.state().library.move_document(id, write)
    }

    fn touch_document(
        &self,
        id: DocumentId,
        file_bytes: u64,
        file_modified_ms: i64,
        date: Option<&str>,
    ) -> Result<()> {
        let library = &mut self.state().library;
        let document = &mut library.known_document(id)?.document;
        document.file_bytes = file_bytes;
        document.file_modified_ms = file_modified_ms;
        if !document.date_is_manual {
            document.date = date.map(str::to_owned);
        }
        Ok(())
    }

    fn set_date(&self, id: DocumentId, date: &str) -> Result<()> {
        let library = &mut self.state().library;
        let document = &mut library.known_document(id)?.document;
        document.date = Some(date.to_owned());
        document.date_is_manual = true;
        Ok(())
    }

    fn prune_document(&self, id: DocumentId) -> Result<()> {
        self.state().library.prune(id);
        Ok(())
    }

    fn put_summary(&self, id: DocumentId, summary: &NewSummary<'_>) -> Result<()> {
        self.state().library.put_summary(id, summary)
    }

    fn reset_summary(&self, id: DocumentId) -> Result<()> {
        self.state().library.reset_summary(id)
    }

    fn folders(&self, source: &str) -> Result<Vec<Folder>> {
        let library = &self.state().library;
        let folders = library.folders.get(source).into_iter();
        Ok(folders
            .flat_map(|folders| folders.values().cloned())
            .collect())
    }

    fn put_folder(&self, source: &str, folder: &Folder) -> Result<()> {
        let library = &mut self.state().library;
        library.known_source(source)?;
        let folders = library.folders.entry(source.to_owned()).or_default();
        folders.insert(folder.path.clone(), folder.clone());
        Ok(())
    }

    fn prune_folders(&self, source: &str) -> Result<u64> {
        let library = &mut self.state().library;
        library.known_source(source)?;
        Ok(library.prune_folders(source))
    }

    fn chunks(&self, id: DocumentId) -> Result<Vec<StoredChunk>> {
        let library = &self.state().library;
        let entry = library.documents.get(&id);
        Ok(entry.map_or_else(Vec::new, |entry| entry.chunks.clone()))
    }

    fn chunks_by_id(&self, ids: &[ChunkId]) -> Result<Vec<StoredChunk>> {
        let library = &self.state().library;
        let find = |id: &ChunkId| library.chunks().find(|chunk| chunk.id == *id).cloned();
        Ok(ids.iter().filter_map(find).collect())
    }

    fn chunk_count(&self, source: Option<&str>) -> Result<u64> {
        let library = &self.state().library;
        let counts = library.entries(source).map(|entry| entry.chunks.len());
        Ok(counts.sum::<usize>() as u64)
    }

    fn chunk_frequencies(&self, terms: &[String]) -> Result<Vec<u64>> {
        Ok(search::frequencies(&self.state().library, terms))
    }

    fn search_lexical(&self, query: &LexicalQuery) -> Result<Vec<LexicalHit>> {
        Ok(search::search(&self.state().library, query))
    }

    fn chunks_without_vector(
        &self,
        model: &str,
        after: Option<ChunkId>,
        limit: usize,
    ) -> Result<Vec<StoredChunk>> {
        let library = &self.state().library;
        let vectors = library.vectors.get(model);
        let mut lacking: Vec<_> = library
            .chunks()
            .filter(|chunk| after.is_none_or(|after| chunk.id > after))
            .filter(|chunk| vectors.is_none_or(|vectors| !vectors.contains_key(&chunk.id)))
            .collect();
        lacking.sort_by_key(|chunk| chunk.id);
        Ok(lacking.into_iter().take(limit).cloned().collect())
    }

    fn put_vectors(&self, model: &str, vectors: &[(ChunkId, Vec<f32>)]) -> Result<()> {
        let vectors: Vec<_> = vectors.iter().map(|(id, v)| (*id, &v[..])).collect();
        self.state().library.put_vectors(model, &vectors)
    }

    fn visit_vectors(
        &self,
        model: &str,
        visit: &mut dyn FnMut(ChunkVector<'_>) -> ControlFlow<()>,
    ) -> Result<()> {
        let library = &self.state().library;
        let Some(vectors) = library.vectors.get(model) else {
            return Ok(());
        };
        let mut chunks: Vec<_> = library.chunks().collect();
        chunks.sort_by_key(|chunk| chunk.id);
        for chunk in chunks {
            let Some(vector) = vectors.get(&chunk.id) else {
                continue;
            };
            let seen = ChunkVector {
                chunk: chunk.id,
                document: chunk.document,
                position: chunk.position,
                vector,
            };
            if visit(seen).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn vector_models(&self) -> Result<Vec<(String, usize, u64)>> {
        let library = &self.state().library;
        let models = library.vectors.iter().filter_map(|(model, vectors)| {
            let dimension = vectors.values().next()?.len();
            Some((model.clone(), dimension, vectors.len() as u64))
        });
        Ok(models.collect())
    }

    fn calibration(&self, model: &str) -> Result<Option<Calibration>> {
        Ok(self.state().library.calibrations.get(model).cloned())
    }

    fn put_calibration(&self, model: &str, calibration: &Calibration) -> Result<()> {
        let library = &mut self.state().library;
        library
            .calibrations
            .insert(model.to_owned(), calibration.clone());
        Ok(())
    }
}

/// The error of a number that is in no document.
fn unknown_document(id: DocumentId) -> ErrorKind {
    ErrorKind::UnknownDocument { id: id.0 }
}
