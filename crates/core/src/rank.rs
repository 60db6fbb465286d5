//! The order of what was found.
//!
//! Candidates of the index are scored anew with Lucene's weights, which stay positive for frequent
//! terms; the best chunk speaks for its document; two rankings become one by reciprocal rank.
//! Decisions 8, knowledge specification 4.

pub mod count;
mod rescore;

use std::cmp::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::id::{ChunkId, DocumentId};

pub use rescore::{Candidate, Rescored, Scored, inverse_frequency, rescore};

/// A chunk with its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedChunk {
    /// The chunk.
    pub chunk: ChunkId,
    /// Its document.
    pub document: DocumentId,
    /// Its position in the document; -1 is the summary.
    pub position: i32,
    /// Higher is better. Only scores of one ranking compare.
    pub score: f64,
    /// Cosine to the question, where an embedder gave one.
    pub cosine: Option<f64>,
}

/// Sorts by score, best first; ties by document and position.
pub fn sort(chunks: &mut [RankedChunk]) {
    chunks.sort_by(compare);
}

fn compare(a: &RankedChunk, b: &RankedChunk) -> Ordering {
    b.score
        .total_cmp(&a.score)
        .then_with(|| (a.document, a.position).cmp(&(b.document, b.position)))
}

/// The first chunk of each document, in the given order.
pub fn best_chunks(chunks: &[RankedChunk]) -> Vec<RankedChunk> {
    let mut seen = FxHashSet::default();
    let first = chunks.iter().filter(|chunk| seen.insert(chunk.document));
    first.copied().collect()
}

/// How two rankings are fused.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FusionOptions {
    /// The constant of reciprocal rank fusion, 60 by custom; a smaller one favours the first ranks.
    pub k: f64,
    /// Weight of the dense ranking beside 1 for the lexical one; 0 leaves it out.
    pub dense_weight: f64,
}

/// Fuses a lexical and a dense ranking, each sorted best first, by reciprocal rank.
///
/// Ranks count documents, not chunks, so that two legs which like different chunks of a document
/// agree on it. The first chunk of a document carries the score of the document, the others what
/// their own place is worth. A weight of 0 gives the lexical order.
pub fn fuse(
    lexical: &[RankedChunk],
    dense: &[RankedChunk],
    options: FusionOptions,
) -> Vec<RankedChunk> {
    let mut documents: FxHashMap<DocumentId, f64> = FxHashMap::default();
    let mut chunks: FxHashMap<ChunkId, RankedChunk> = FxHashMap::default();
    for (leg, weight) in [(lexical, 1.0), (dense, options.dense_weight)] {
        if weight <= 0.0 {
            continue;
        }
        for (rank, best) in (1_u32..).zip(best_chunks(leg)) {
            *documents.entry(best.document).or_default() += weight / (options.k + f64::from(rank));
        }
        for (rank, chunk) in (1_u32..).zip(leg) {
            let entry = chunks.entry(chunk.chunk).or_insert(RankedChunk {
                score: 0.0,
                ..*chunk
            });
            entry.score += weight / (options.k + f64::from(rank));
            entry.cosine = entry.cosine.or(chunk.cosine);
        }
    }
    let mut fused: Vec<_> = chunks.into_values().collect();
    sort(&mut fused);
    let mut seen = FxHashSet::default();
    for chunk in &mut fused {
        if seen.insert(chunk.document) {
            chunk.score = documents.get(&chunk.document).copied().unwrap_or(0.0);
        }
    }
    sort(&mut fused);
    fused
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ranking from `document.position` numbers, best first.
    fn ranking(places: &[(u64, i32)]) -> Vec<RankedChunk> {
        let scores = (0..places.len()).rev().map(|n| n as f64);
        let chunk = |(&(document, position), score): (&(u64, i32), f64)| RankedChunk {
            chunk: ChunkId(document * 100 + u64::from(position.unsigned_abs())),
            document: DocumentId(document),
            position,
            score,
            cosine: None,
        };
        places.iter().zip(scores).map(chunk).collect()
    }

    fn order(chunks: &[RankedChunk]) -> Vec<(u64, i32)> {
        chunks.iter().map(|c| (c.document.0, c.position)).collect()
    }

    fn check(
        lexical: &[(u64, i32)],
        dense: &[(u64, i32)],
        dense_weight: f64,
        expected: &[(u64, i32)],
    ) {
        let options = FusionOptions {
            k: 60.0,
            dense_weight,
        };
        let fused = fuse(&ranking(lexical), &ranking(dense), options);
        assert_eq!(order(&fused), expected);
    }

    #[test]
    fn legs_are_fused_by_the_ranks_of_documents() {
        check(
            &[(1, 0), (2, 0)],
            &[(2, 0), (3, 0)],
            1.0,
            &[(2, 0), (1, 0), (3, 0)],
        );
        check(&[(1, 0), (2, 0)], &[(2, 0), (1, 0)], 0.5, &[(1, 0), (2, 0)]);
        // Two legs that like different chunks of document 2 agree on it.
        check(
            &[(1, 0), (2, 0)],
            &[(3, 0), (2, 5)],
            1.0,
            &[(2, 0), (1, 0), (3, 0), (2, 5)],
        );
    }

    #[test]
    fn a_weight_of_zero_leaves_the_dense_leg_out() {
        let lexical = [(4, 0), (1, 2), (4, 1), (1, 0)];
        let fused = fuse(
            &ranking(&lexical),
            &ranking(&[(9, 0), (1, 0)]),
            FusionOptions {
                k: 60.0,
                dense_weight: 0.0,
            },
        );
        assert_eq!(order(&best_chunks(&fused)), [(4, 0), (1, 2)]);
        assert_eq!(fused.len(), 4);
    }

    #[test]
    fn equal_scores_are_ordered_by_document_and_position() {
        let mut chunks = ranking(&[(2, 1), (2, -1), (1, 3)]);
        for chunk in &mut chunks {
            chunk.score = 1.0;
        }
        sort(&mut chunks);
        assert_eq!(order(&chunks), [(1, 3), (2, -1), (2, 1)]);
    }
}
