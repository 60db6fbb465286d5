//! Makes the vectors that are missing.

use std::collections::HashMap;

use epitome_core::id::{ChunkId, DocumentId};
use epitome_index::Result;
use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::StoredChunk;
use epitome_summarizer::Error as EmbedderError;
use epitome_summarizer::embed::Embedder;

/// Chunks that are embedded and stored at a time: what a crash or a cancel loses at most.
const BATCH: usize = 128;

/// How far the embedding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EmbedProgress {
    /// Chunks that have a vector by now, or were refused.
    pub done: u64,
    /// Chunks that had none at the start, about.
    pub total: u64,
}

/// What became of the chunks without a vector.
#[derive(Debug, Default)]
pub struct EmbedReport {
    /// Chunks that got one.
    pub embedded: u64,
    /// Chunks that the embedder refused; they are tried again the next time.
    pub refused: u64,
    /// Whether it was cancelled.
    pub is_cancelled: bool,
    /// Why it ended early, where the embedder failed.
    pub failure: Option<EmbedderError>,
}

/// Embeds every chunk without a vector of the embedder's model and stores the vectors batch by batch.
///
/// A failing embedder is no error here: what is done stays done, the rest is found by its words, and
/// the next call goes on. An error is one of the store.
pub async fn embed_missing(
    store: &dyn DocumentStore,
    embedder: &dyn Embedder,
    progress: &mut (dyn FnMut(EmbedProgress) + Send),
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Result<EmbedReport> {
    let model = embedder.model();
    let models = store.vector_models()?;
    let known = models.iter().find(|(name, ..)| name == model);
    let total = store
        .chunk_count(None)?
        .saturating_sub(known.map_or(0, |(.., vectors)| *vectors));
    let mut report = EmbedReport::default();
    let mut after = None;
    loop {
        let done = report.embedded + report.refused;
        progress(EmbedProgress {
            done,
            total: total.max(done),
        });
        if cancelled() {
            report.is_cancelled = true;
            return Ok(report);
        }
        let chunks = store.chunks_without_vector(model, after, BATCH)?;
        let Some(last) = chunks.last() else {
            return Ok(report);
        };
        after = Some(last.id);
        embed_batch(store, embedder, &chunks, &mut report).await?;
        if report.failure.is_some() {
            return Ok(report);
        }
    }
}

/// Embeds a batch; one that is refused is halved until the chunk that is to blame stands alone.
async fn embed_batch(
    store: &dyn DocumentStore,
    embedder: &dyn Embedder,
    chunks: &[StoredChunk],
    report: &mut EmbedReport,
) -> Result<()> {
    let titles = titles(store, chunks)?;
    let texts: Vec<_> = chunks
        .iter()
        .map(|chunk| {
            let title = titles.get(&chunk.document).map_or("", String::as_str);
            embedded_text(title, &chunk.trail, &chunk.text)
        })
        .collect();
    let whole = 0..chunks.len();
    let mut open = Vec::from([whole]);
    while let Some(range) = open.pop() {
        match embedder.embed(&texts[range.clone()]).await {
            Ok(vectors) => {
                let ids = chunks[range].iter().map(|chunk| chunk.id);
                let vectors: Vec<(ChunkId, Vec<f32>)> = ids.zip(vectors).collect();
                store.put_vectors(embedder.model(), &vectors)?;
                report.embedded += vectors.len() as u64;
            }
            Err(error) if !error.is_about_the_texts() => {
                report.failure = Some(error);
                return Ok(());
            }
            Err(_) if range.len() <= 1 => report.refused += range.len() as u64,
            Err(_) => {
                let middle = range.start + range.len() / 2;
                open.push(middle..range.end);
                open.push(range.start..middle);
            }
        }
    }
    Ok(())
}

fn titles(
    store: &dyn DocumentStore,
    chunks: &[StoredChunk],
) -> Result<HashMap<DocumentId, String>> {
    let mut ids: Vec<_> = chunks.iter().map(|chunk| chunk.document).collect();
    ids.dedup();
    let documents = store.documents_by_id(&ids)?;
    Ok(documents
        .into_iter()
        .map(|document| (document.id, document.title))
        .collect())
}

/// The text of a chunk as it is embedded: with the title and the headings above it, which say what
/// it speaks of.
pub(crate) fn embedded_text(title: &str, trail: &str, text: &str) -> String {
    let parts = [title, trail, text];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}
