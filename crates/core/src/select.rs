//! Which documents a question starts from, chosen from a ranking of chunks.
//!
//! All three functions walk the chunks in the given order; the first chunk of a document stands for
//! it. Knowledge specification 4.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::id::DocumentId;
use crate::rank::{RankedChunk, best_chunks};

/// The first `count` distinct documents. There is no floor: a weak document in the list is better
/// than a shorter list, because the reader judges by summaries.
pub fn select_suggested(chunks: &[RankedChunk], count: usize) -> Vec<RankedChunk> {
    select_related(chunks, &[], count)
}

/// The first `cap` distinct documents that are not excluded. There is no floor.
pub fn select_related(
    chunks: &[RankedChunk],
    excluded: &[DocumentId],
    cap: usize,
) -> Vec<RankedChunk> {
    let excluded: FxHashSet<_> = excluded.iter().collect();
    let mut best = best_chunks(chunks);
    best.retain(|chunk| !excluded.contains(&chunk.document));
    best.truncate(cap);
    best
}

/// Documents of a ranking in two tiers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tiers {
    /// Close enough to be cited.
    pub cited: Vec<RankedChunk>,
    /// All others.
    pub related: Vec<RankedChunk>,
}

/// Parts documents by their best cosine: those that reach `floor`, at most `ceiling` of them, are
/// cited. A document without a cosine is related.
pub fn select_documents_tiered(chunks: &[RankedChunk], floor: f64, ceiling: usize) -> Tiers {
    let mut cosines: FxHashMap<DocumentId, f64> = FxHashMap::default();
    for chunk in chunks {
        let cosine = chunk.cosine.unwrap_or(f64::NEG_INFINITY);
        let best = cosines.entry(chunk.document).or_insert(cosine);
        *best = best.max(cosine);
    }
    let mut tiers = Tiers::default();
    for chunk in best_chunks(chunks) {
        let reaches = cosines
            .get(&chunk.document)
            .is_some_and(|&cosine| cosine >= floor);
        if reaches && tiers.cited.len() < ceiling {
            tiers.cited.push(chunk);
        } else {
            tiers.related.push(chunk);
        }
    }
    tiers
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::id::ChunkId;

    /// Chunks of the documents with these numbers and cosines, best first.
    fn ranking(documents: &[(u64, Option<f64>)]) -> Vec<RankedChunk> {
        let chunk = |(at, &(document, cosine)): (u64, &(u64, Option<f64>))| RankedChunk {
            chunk: ChunkId(at),
            document: DocumentId(document),
            position: 0,
            score: -(at as f64),
            cosine,
        };
        (0..).zip(documents).map(chunk).collect()
    }

    fn plain(documents: &[u64]) -> Vec<RankedChunk> {
        let pairs: Vec<_> = documents.iter().map(|&document| (document, None)).collect();
        ranking(&pairs)
    }

    fn numbers(chunks: &[RankedChunk]) -> Vec<u64> {
        chunks.iter().map(|chunk| chunk.document.0).collect()
    }

    #[test]
    fn suggested_are_the_first_distinct_documents() {
        let check = |chunks: &[u64], count, expected: &[u64]| {
            assert_eq!(numbers(&select_suggested(&plain(chunks), count)), expected);
        };
        check(&[3, 3, 1, 3, 2], 2, &[3, 1]);
        check(&[3, 1], 5, &[3, 1]);
        check(&[3], 0, &[]);
        check(&[], 5, &[]);
    }

    #[test]
    fn related_skip_what_is_excluded() {
        let check = |chunks: &[u64], excluded: &[u64], cap, expected: &[u64]| {
            let excluded: Vec<_> = excluded.iter().copied().map(DocumentId).collect();
            let found = select_related(&plain(chunks), &excluded, cap);
            assert_eq!(numbers(&found), expected);
        };
        check(&[3, 1, 2, 1, 4], &[3], 2, &[1, 2]);
        check(&[3, 1], &[1, 3], 2, &[]);
        check(&[1], &[9], 1, &[1]);
    }

    #[test]
    fn tiers_go_by_the_best_cosine_of_a_document() {
        let check = |chunks: &[(u64, Option<f64>)], ceiling, cited: &[u64], related: &[u64]| {
            let tiers = select_documents_tiered(&ranking(chunks), 0.35, ceiling);
            assert_eq!(numbers(&tiers.cited), cited);
            assert_eq!(numbers(&tiers.related), related);
        };
        let chunks = [(1, Some(0.2)), (2, Some(0.35)), (3, None), (1, Some(0.9))];
        check(&chunks, 5, &[1, 2], &[3]);
        check(&chunks, 1, &[1], &[2, 3]);
        check(&[(4, None)], 5, &[], &[4]);
    }

    proptest! {
        #[test]
        fn suggested_and_related_are_one_walk_in_two_parts(
            documents in prop::collection::vec(0_u64..8, 0..40),
            count in 0_usize..6,
            cap in 0_usize..6,
        ) {
            let chunks = plain(&documents);
            let suggested = select_suggested(&chunks, count);
            let taken: Vec<_> = suggested.iter().map(|chunk| chunk.document).collect();
            let related = select_related(&chunks, &taken, cap);
            let both = [suggested, related].concat();
            prop_assert_eq!(numbers(&both), numbers(&select_suggested(&chunks, both.len())));
        }
    }
}
