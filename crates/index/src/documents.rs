//! The knowledge base side of a store: sources, documents, chunks and their indexes.
//!
//! [`DocumentStore`] is a trait of domain verbs, like [`Store`](crate::Store): one method is one
//! transaction. A document is one imported file; its address is its [`DocumentPath`].
//! Specification: knowledge 2 to 4.

pub mod model;
pub(crate) mod union;

use std::ops::ControlFlow;

use epitome_core::id::BlobId;

use crate::Result;
use model::{
    Calibration, ChunkId, ChunkVector, Document, DocumentId, DocumentPath, DocumentWrite, Folder,
    ImportGuard, LexicalHit, LexicalQuery, NewSummary, Source, SourceTotals, StoredChunk,
};

/// Keeps imported documents, whole, in chunks, and findable.
pub trait DocumentStore: Send + Sync + std::fmt::Debug {
    /// Takes the right to import a source; `None` while another import of it runs, in this process
    /// or another. Readers are never kept out. The right ends when the guard is dropped.
    fn begin_import(&self, source: &str) -> Result<Option<ImportGuard>>;

    /// Makes a source known or moves it to another root.
    fn put_source(&self, name: &str, root: &str, now_ms: i64) -> Result<Source>;

    /// The source with this name.
    fn source(&self, name: &str) -> Result<Option<Source>>;

    /// All sources by name, with their totals.
    fn sources(&self) -> Result<Vec<(Source, SourceTotals)>>;

    /// Ends an import: notes its time and, where content was added, updated or pruned, raises the
    /// version by one. Returns the version.
    fn finish_import(&self, source: &str, content_moved: bool, now_ms: i64) -> Result<u64>;

    /// Sets the overview of a source with the key of what it was made from.
    fn put_overview(&self, source: &str, text: &str, key: BlobId) -> Result<()>;

    /// Deletes a source with all that belongs to it. Returns its totals; `None` if there is none.
    fn forget_source(&self, name: &str) -> Result<Option<SourceTotals>>;

    /// Documents of a source, or of all, ordered by path, those after `after` only, at most `limit`.
    fn documents(
        &self,
        source: Option<&str>,
        after: Option<&DocumentPath>,
        limit: usize,
    ) -> Result<Vec<Document>>;

    /// The document with this address.
    fn document(&self, path: &DocumentPath) -> Result<Option<Document>>;

    /// The documents with these ids, in this order; unknown ones are left out.
    fn documents_by_id(&self, ids: &[DocumentId]) -> Result<Vec<Document>>;

    /// The full text of a document.
    fn content(&self, id: DocumentId) -> Result<Option<String>>;

    /// Stores a new document or the new content of a known one, with its chunks and their index
    /// entries. A summary stays; it is stale when the content hash differs from the one it was made
    /// from. The summary chunk of a stale summary leaves the index.
    fn put_document(&self, write: &DocumentWrite<'_>) -> Result<DocumentId>;

    /// Gives a document another path, and the title, date and file facts that come with it; content,
    /// summary, chunks and vectors stay.
    fn move_document(&self, id: DocumentId, write: &DocumentWrite<'_>) -> Result<()>;

    /// Notes the size and time of an unchanged file, and its date where the owner set none.
    fn touch_document(
        &self,
        id: DocumentId,
        file_bytes: u64,
        file_modified_ms: i64,
        date: Option<&str>,
    ) -> Result<()>;

    /// Sets the date by the owner's hand; imports leave it alone from then on.
    fn set_date(&self, id: DocumentId, date: &str) -> Result<()>;

    /// Deletes a document with its chunks, index entries and vectors.
    fn prune_document(&self, id: DocumentId) -> Result<()>;

    /// Sets a document's summary, its chunk at position -1 and, where given, that chunk's vector.
    fn put_summary(&self, id: DocumentId, summary: &NewSummary<'_>) -> Result<()>;

    /// Takes a document's summary away, so that the next sync makes one.
    fn reset_summary(&self, id: DocumentId) -> Result<()>;

    /// Folders of a source by path.
    fn folders(&self, source: &str) -> Result<Vec<Folder>>;

    /// Sets or replaces the summary of a folder.
    fn put_folder(&self, source: &str, folder: &Folder) -> Result<()>;

    /// Deletes folders that hold no document any more.
    fn prune_folders(&self, source: &str) -> Result<u64>;

    /// Chunks of a document by position, the summary chunk first.
    fn chunks(&self, id: DocumentId) -> Result<Vec<StoredChunk>>;

    /// The chunks with these ids, in this order; unknown ones are left out.
    fn chunks_by_id(&self, ids: &[ChunkId]) -> Result<Vec<StoredChunk>>;

    /// Number of chunks in the index, of one source or of all.
    fn chunk_count(&self, source: Option<&str>) -> Result<u64>;

    /// In how many chunks each term stands, as the word index splits and stems it.
    fn chunk_frequencies(&self, terms: &[String]) -> Result<Vec<u64>>;

    /// Chunks that match, best first by the engine's own score, ties by document and position.
    fn search_lexical(&self, query: &LexicalQuery) -> Result<Vec<LexicalHit>>;

    /// Chunks without a vector of this model, ordered by id, those after `after` only.
    fn chunks_without_vector(
        &self,
        model: &str,
        after: Option<ChunkId>,
        limit: usize,
    ) -> Result<Vec<StoredChunk>>;

    /// Stores vectors of a model; one of another length than the model's others is an error.
    fn put_vectors(&self, model: &str, vectors: &[(ChunkId, Vec<f32>)]) -> Result<()>;

    /// Visits every vector of a model, ordered by chunk id, until the visitor breaks.
    fn visit_vectors(
        &self,
        model: &str,
        visit: &mut dyn FnMut(ChunkVector<'_>) -> ControlFlow<()>,
    ) -> Result<()>;

    /// Models with vectors, with their dimension and number of vectors.
    fn vector_models(&self) -> Result<Vec<(String, usize, u64)>>;

    /// The stored calibration of an embedder; the empty name stands for none.
    fn calibration(&self, model: &str) -> Result<Option<Calibration>>;

    /// Stores the calibration of an embedder.
    fn put_calibration(&self, model: &str, calibration: &Calibration) -> Result<()>;
}
