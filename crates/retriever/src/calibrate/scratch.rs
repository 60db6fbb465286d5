//! A copy of the sample without the texts of the pairs.

use std::collections::{HashMap, HashSet};

use epitome_core::id::{BlobId, ChunkId, DocumentId};
use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::{DocumentPath, DocumentWrite, NewChunk, StoredChunk};
use epitome_index::{ErrorKind, Result, SqliteStore};
use epitome_summarizer::Error as EmbedderError;
use epitome_summarizer::embed::Embedder;

use super::pairs::{Sample, Sampled, squeeze};
use crate::dense::{DEFAULT_BYTES, DenseIndex, embedded_text};

/// Name of the only source.
const SOURCE: &str = "sample";

/// Chunks that are embedded at a time.
const BATCH: usize = 128;

/// The copy, with its vectors and the pairs.
pub(super) struct Scratch {
    pub(super) store: SqliteStore,
    pub(super) index: Option<DenseIndex>,
    pub(super) pairs: Vec<ScratchPair>,
    #[expect(dead_code, reason = "its drop deletes the folder of the store")]
    folder: tempfile::TempDir,
}

/// A query with its vector and its document in the copy.
pub(super) struct ScratchPair {
    pub(super) query: String,
    pub(super) vector: Vec<f32>,
    pub(super) document: DocumentId,
}

impl Scratch {
    /// Copies the sample. The inner error is the embedder's.
    pub(super) async fn make(
        original: &dyn DocumentStore,
        embedder: &dyn Embedder,
        sample: &Sample,
    ) -> Result<Result<Self, EmbedderError>> {
        let folder = tempfile::tempdir().map_err(|error| ErrorKind::Open {
            path: std::env::temp_dir(),
            reason: error.to_string(),
        })?;
        let store = SqliteStore::open(folder.path().join("sample.db"))?;
        let copy = copy(original, embedder.model(), &store, sample)?;
        let fresh = match embed_all(embedder, &copy.texts).await {
            Ok(vectors) => vectors,
            Err(error) => return Ok(Err(error)),
        };
        let queries: Vec<_> = sample
            .pairs
            .iter()
            .map(|(query, _)| query.clone())
            .collect();
        let query_vectors = match embed_all(embedder, &queries).await {
            Ok(vectors) => vectors,
            Err(error) => return Ok(Err(error)),
        };
        let mut vectors = copy.known;
        vectors.extend(copy.open.into_iter().zip(fresh));
        store.put_vectors(embedder.model(), &vectors)?;
        let pairs = sample.pairs.iter().zip(query_vectors);
        let pairs = pairs.filter_map(|((query, place), vector)| {
            Some(ScratchPair {
                query: query.clone(),
                vector,
                document: copy.documents[*place]?,
            })
        });
        Ok(Ok(Self {
            index: DenseIndex::load(&store, embedder.model(), DEFAULT_BYTES)?,
            pairs: pairs.collect(),
            store,
            folder,
        }))
    }
}

async fn embed_all(
    embedder: &dyn Embedder,
    texts: &[String],
) -> Result<Vec<Vec<f32>>, EmbedderError> {
    let mut vectors = Vec::with_capacity(texts.len());
    for batch in texts.chunks(BATCH) {
        vectors.extend(embedder.embed(batch).await?);
    }
    Ok(vectors)
}

/// What was copied.
struct Copy {
    /// The documents in the order of the sample; `None` for one of which nothing was left.
    documents: Vec<Option<DocumentId>>,
    /// Vectors of chunks that are the same in both stores.
    known: Vec<(ChunkId, Vec<f32>)>,
    /// Chunks that were changed, and their texts.
    open: Vec<ChunkId>,
    texts: Vec<String>,
}

fn copy(
    original: &dyn DocumentStore,
    model: &str,
    store: &SqliteStore,
    sample: &Sample,
) -> Result<Copy> {
    store.put_source(SOURCE, "", 0)?;
    let mut removed: Vec<Vec<&str>> = vec![Vec::new(); sample.documents.len()];
    for (query, place) in &sample.pairs {
        removed[*place].push(query);
    }
    let mut vectors = vectors_of(original, model, sample)?;
    let mut copy = Copy {
        documents: Vec::with_capacity(sample.documents.len()),
        known: Vec::new(),
        open: Vec::new(),
        texts: Vec::new(),
    };
    for (sampled, removed) in sample.documents.iter().zip(&removed) {
        let chunks: Vec<_> = sampled
            .chunks
            .iter()
            .map(|chunk| Altered::new(chunk, removed))
            .filter(|chunk| !chunk.text.trim().is_empty())
            .collect();
        if chunks.is_empty() {
            copy.documents.push(None);
            continue;
        }
        let id = put(store, sampled, &chunks)?;
        copy.documents.push(Some(id));
        for (stored, chunk) in store.chunks(id)?.iter().zip(chunks) {
            if chunk.has_changed {
                let title = &sampled.document.title;
                let text = embedded_text(title, &chunk.trail, &chunk.text);
                copy.open.push(stored.id);
                copy.texts.push(text);
            } else if let Some(vector) = vectors.remove(&chunk.original) {
                copy.known.push((stored.id, vector));
            }
        }
    }
    Ok(copy)
}

fn vectors_of(
    original: &dyn DocumentStore,
    model: &str,
    sample: &Sample,
) -> Result<HashMap<ChunkId, Vec<f32>>> {
    let chunks = sample.documents.iter().flat_map(|sampled| &sampled.chunks);
    let wanted: HashSet<_> = chunks.map(|chunk| chunk.id).collect();
    let mut vectors = HashMap::new();
    original.visit_vectors(model, &mut |stored| {
        if wanted.contains(&stored.chunk) {
            vectors.insert(stored.chunk, stored.vector.to_vec());
        }
        std::ops::ControlFlow::Continue(())
    })?;
    Ok(vectors)
}

/// A chunk without the texts of the pairs.
struct Altered {
    original: ChunkId,
    trail: String,
    text: String,
    has_changed: bool,
}

impl Altered {
    fn new(chunk: &StoredChunk, removed: &[&str]) -> Self {
        let text = without(&chunk.text, removed);
        let trail = without(&chunk.trail, removed);
        Self {
            original: chunk.id,
            has_changed: text.is_some() || trail.is_some(),
            text: text.unwrap_or_else(|| chunk.text.clone()),
            trail: trail.unwrap_or_else(|| chunk.trail.clone()),
        }
    }
}

/// The text without some others, whatever white space is in them; `None` where none is in it.
fn without(text: &str, removed: &[&str]) -> Option<String> {
    let squeezed = squeeze(text);
    let mut left = squeezed.clone();
    for text in removed {
        left = left.replace(text, " ");
    }
    (left != squeezed).then_some(left)
}

fn put(store: &SqliteStore, sampled: &Sampled, chunks: &[Altered]) -> Result<DocumentId> {
    let mut content = String::new();
    let mut new_chunks = Vec::with_capacity(chunks.len());
    for chunk in chunks {
        let start = content.len();
        content.push_str(&chunk.text);
        new_chunks.push(NewChunk {
            range: start..content.len(),
            trail: &chunk.trail,
        });
        content.push('\n');
    }
    store.put_document(&DocumentWrite {
        path: DocumentPath::new(SOURCE, sampled.document.path.to_string()),
        title: &sampled.document.title,
        date: None,
        kind: &sampled.document.kind,
        content_hash: BlobId::of(content.as_bytes()),
        content: &content,
        file_bytes: 0,
        file_modified_ms: 0,
        chunks: new_chunks,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_taken_out_whatever_white_space_is_in_them() {
        let check = |text: &str, removed: &[&str], expected: Option<&str>| {
            assert_eq!(without(text, removed).as_deref(), expected, "{text}");
        };
        check("a b", &["c"], None);
        check("a  b", &[], None);
        check("x a\n b y", &["a b"], Some("x   y"));
        check("a b", &["a b"], Some(" "));
    }
}
