//! Documents on disk: the verbs, each one transaction over the steps in the modules below.

mod calibration;
mod chunk;
mod content;
mod document;
mod expression;
mod folder;
mod index;
mod row;
mod scan;
mod search;
mod source;
mod summary;
mod vector;

pub(super) mod check;
pub(super) mod queries;

use std::ops::ControlFlow;

use epitome_core::id::BlobId;

use super::{SqliteStore, import_lock};
use crate::Result;
use crate::documents::DocumentStore;
use crate::documents::model::{
    Calibration, ChunkId, ChunkVector, Document, DocumentId, DocumentPath, DocumentWrite, Folder,
    ImportGuard, LexicalHit, LexicalQuery, NewSummary, Source, SourceTotals, StoredChunk,
};

impl DocumentStore for SqliteStore {
    fn begin_import(&self, source: &str) -> Result<Option<ImportGuard>> {
        Ok(import_lock::lock(&self.path, source)?.map(ImportGuard::new))
    }

    fn put_source(&self, name: &str, root: &str, now_ms: i64) -> Result<Source> {
        self.write(|writer| source::put(writer.connection, name, root, now_ms))
    }

    fn source(&self, name: &str) -> Result<Option<Source>> {
        self.readers.read(|c| source::find(c, name))
    }

    fn sources(&self) -> Result<Vec<(Source, SourceTotals)>> {
        self.readers.read(source::list)
    }

    fn finish_import(&self, source: &str, content_moved: bool, now_ms: i64) -> Result<u64> {
        let version =
            self.write(|writer| source::finish(writer.connection, source, content_moved, now_ms))?;
        self.session().shorten_log();
        Ok(version)
    }

    fn put_overview(&self, source: &str, text: &str, key: BlobId) -> Result<()> {
        self.write(|writer| source::put_overview(writer.connection, source, text, key))
    }

    fn forget_source(&self, name: &str) -> Result<Option<SourceTotals>> {
        let totals = self.write(|writer| source::forget(writer.connection, name))?;
        self.read(super::forget::erase_log)?;
        Ok(totals)
    }

    fn documents(
        &self,
        source: Option<&str>,
        after: Option<&DocumentPath>,
        limit: usize,
    ) -> Result<Vec<Document>> {
        self.readers
            .read(|c| document::list(c, source, after, limit))
    }

    fn document(&self, path: &DocumentPath) -> Result<Option<Document>> {
        self.readers.read(|c| document::find(c, path))
    }

    fn documents_by_id(&self, ids: &[DocumentId]) -> Result<Vec<Document>> {
        self.readers.read(|c| document::by_id(c, ids))
    }

    fn content(&self, id: DocumentId) -> Result<Option<String>> {
        self.readers.read(|c| content::read(c, id))
    }

    fn put_document(&self, write: &DocumentWrite<'_>) -> Result<DocumentId> {
        let id = self.write(|writer| document::put(writer, write))?;
        self.session().bound_log(&self.path);
        Ok(id)
    }

    fn move_document(&self, id: DocumentId, write: &DocumentWrite<'_>) -> Result<()> {
        self.write(|writer| document::relocate(writer.connection, id, write))
    }

    fn touch_document(
        &self,
        id: DocumentId,
        file_bytes: u64,
        file_modified_ms: i64,
        date: Option<&str>,
    ) -> Result<()> {
        self.write(|writer| {
            document::touch(writer.connection, id, file_bytes, file_modified_ms, date)
        })
    }

    fn set_date(&self, id: DocumentId, date: &str) -> Result<()> {
        self.write(|writer| document::set_date(writer.connection, id, date))
    }

    fn prune_document(&self, id: DocumentId) -> Result<()> {
        self.write(|writer| document::prune(writer.connection, id))
    }

    fn put_summary(&self, id: DocumentId, summary: &NewSummary<'_>) -> Result<()> {
        self.write(|writer| summary::put(writer.connection, id, summary))?;
        self.session().bound_log(&self.path);
        Ok(())
    }

    fn reset_summary(&self, id: DocumentId) -> Result<()> {
        self.write(|writer| summary::reset(writer.connection, id))
    }

    fn folders(&self, source: &str) -> Result<Vec<Folder>> {
        self.readers.read(|c| folder::list(c, source))
    }

    fn put_folder(&self, source: &str, folder: &Folder) -> Result<()> {
        self.write(|writer| folder::put(writer.connection, source, folder))
    }

    fn prune_folders(&self, source: &str) -> Result<u64> {
        self.write(|writer| folder::prune(writer.connection, source))
    }

    fn chunks(&self, id: DocumentId) -> Result<Vec<StoredChunk>> {
        self.readers.read(|c| chunk::of_document(c, id))
    }

    fn chunks_by_id(&self, ids: &[ChunkId]) -> Result<Vec<StoredChunk>> {
        self.readers.read(|c| chunk::by_id(c, ids))
    }

    fn chunk_count(&self, source: Option<&str>) -> Result<u64> {
        self.readers.read(|c| chunk::count(c, source))
    }

    fn chunk_frequencies(&self, terms: &[String]) -> Result<Vec<u64>> {
        self.readers.read(|c| search::frequencies(c, terms))
    }

    fn search_lexical(&self, query: &LexicalQuery) -> Result<Vec<LexicalHit>> {
        self.readers.read(|c| search::search(c, query))
    }

    fn chunks_without_vector(
        &self,
        model: &str,
        after: Option<ChunkId>,
        limit: usize,
    ) -> Result<Vec<StoredChunk>> {
        self.readers
            .read(|c| chunk::without_vector(c, model, after, limit))
    }

    fn put_vectors(&self, model: &str, vectors: &[(ChunkId, Vec<f32>)]) -> Result<()> {
        self.write(|writer| vector::put_all(writer.connection, model, vectors))?;
        self.session().bound_log(&self.path);
        Ok(())
    }

    fn visit_vectors(
        &self,
        model: &str,
        visit: &mut dyn FnMut(ChunkVector<'_>) -> ControlFlow<()>,
    ) -> Result<()> {
        self.readers.read(|c| vector::visit(c, model, visit))
    }

    fn vector_models(&self) -> Result<Vec<(String, usize, u64)>> {
        self.readers.read(vector::models)
    }

    fn calibration(&self, model: &str) -> Result<Option<Calibration>> {
        self.readers.read(|c| calibration::find(c, model))
    }

    fn put_calibration(&self, model: &str, calibration: &Calibration) -> Result<()> {
        self.write(|writer| calibration::put(writer.connection, model, calibration))
    }
}
