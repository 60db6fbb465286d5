//! The dense leg of a search: the chunks whose vectors lie closest to the query's.
//!
//! [`DenseIndex`] holds the vectors of one model in memory and looks at every one of them, so that
//! what it finds is exact. A search without it is a lexical one: without an embedder, while the
//! vectors of another model are made, and where the embedder does not answer.

mod embed;
mod leg;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::ops::ControlFlow;

use epitome_core::id::{ChunkId, DocumentId};
use epitome_core::quantize::{dot, dot_bytes, quantize_into, unit};
use epitome_core::rank::{RankedChunk, sort};
use epitome_index::Result;
use epitome_index::documents::DocumentStore;

pub(crate) use embed::embedded_text;
pub use embed::{EmbedProgress, EmbedReport, embed_missing};
pub use leg::{QueryLeg, find_close};

/// Bytes that the vectors of a model may take in memory.
pub const DEFAULT_BYTES: usize = 256 * 1024 * 1024;

/// Candidates of the scan in bytes for each chunk that is asked for, which the exact product then
/// orders.
const CANDIDATES: usize = 4;

/// The vectors of one model, in memory.
#[derive(Debug)]
pub struct DenseIndex {
    model: String,
    dimension: usize,
    rows: Vec<Row>,
    /// Every vector in bytes, one after another.
    bytes: Vec<i8>,
    /// Every vector of length 1; empty where the limit leaves room for the bytes only.
    exact: Vec<f32>,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    chunk: ChunkId,
    document: DocumentId,
    position: i32,
    scale: f32,
}

impl DenseIndex {
    /// Loads the vectors of a model. `None` where there are none, or more than fit.
    ///
    /// Without room for exact numbers the order comes from one byte per number alone.
    pub fn load(store: &dyn DocumentStore, model: &str, most_bytes: usize) -> Result<Option<Self>> {
        let models = store.vector_models()?;
        let Some((_, dimension, count)) = models.into_iter().find(|(name, ..)| name == model)
        else {
            return Ok(None);
        };
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let needed = |bytes_each: usize| {
            let row = dimension.saturating_mul(bytes_each) + size_of::<Row>();
            count.saturating_mul(row)
        };
        if needed(1) > most_bytes {
            return Ok(None);
        }
        let is_exact = needed(1 + size_of::<f32>()) <= most_bytes;
        let mut index = Self {
            model: model.to_owned(),
            dimension,
            rows: Vec::with_capacity(count),
            bytes: Vec::with_capacity(count * dimension),
            exact: Vec::with_capacity(if is_exact { count * dimension } else { 0 }),
        };
        store.visit_vectors(model, &mut |stored| {
            if stored.vector.len() == dimension
                && let Some(unit) = unit(stored.vector)
            {
                let scale = quantize_into(&unit, &mut index.bytes);
                index.rows.push(Row {
                    chunk: stored.chunk,
                    document: stored.document,
                    position: stored.position,
                    scale,
                });
                if is_exact {
                    index.exact.extend_from_slice(&unit);
                }
            }
            // Vectors that were added since they were counted wait for the next load.
            if index.rows.len() < count {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })?;
        Ok((!index.rows.is_empty()).then_some(index))
    }

    /// Name of the model.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Number of vectors.
    pub fn vectors(&self) -> usize {
        self.rows.len()
    }

    /// Finds the chunks closest to a vector, best first, with their cosines; only those of the
    /// documents, where some are given. A vector of another length is close to nothing.
    pub fn closest(
        &self,
        vector: &[f32],
        limit: usize,
        documents: Option<&HashSet<DocumentId>>,
    ) -> Vec<RankedChunk> {
        let Some(query) = unit(vector).filter(|query| query.len() == self.dimension) else {
            return Vec::new();
        };
        let mut found = self.scan(&query, documents);
        let kept = if self.exact.is_empty() {
            limit
        } else {
            limit.saturating_mul(CANDIDATES)
        };
        if kept < found.len() {
            found.select_nth_unstable_by(kept, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            found.truncate(kept);
        }
        let mut chunks: Vec<_> = found
            .into_iter()
            .map(|(row, rough)| self.ranked(row, &query, rough))
            .collect();
        sort(&mut chunks);
        chunks.truncate(limit);
        chunks
    }

    /// The rough cosine of every row.
    fn scan(&self, query: &[f32], documents: Option<&HashSet<DocumentId>>) -> Vec<(usize, f32)> {
        let mut bytes = Vec::with_capacity(query.len());
        let scale = quantize_into(query, &mut bytes);
        self.rows
            .iter()
            .zip(self.bytes.chunks_exact(self.dimension))
            .enumerate()
            .filter(|(_, (row, _))| documents.is_none_or(|some| some.contains(&row.document)))
            .map(|(at, (row, stored))| {
                let product = dot_bytes(&bytes, stored) as f32;
                (at, product * scale * row.scale)
            })
            .collect()
    }

    fn ranked(&self, at: usize, query: &[f32], rough: f32) -> RankedChunk {
        let start = at * self.dimension;
        let exact = self.exact.get(start..start + self.dimension);
        let cosine = f64::from(exact.map_or(rough, |exact| dot(query, exact)));
        let row = &self.rows[at];
        RankedChunk {
            chunk: row.chunk,
            document: row.document,
            position: row.position,
            score: cosine,
            cosine: Some(cosine),
        }
    }
}
