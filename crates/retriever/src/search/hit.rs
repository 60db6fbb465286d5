//! From chosen chunks to documents with their best passages.

use std::collections::HashMap;
use std::ops::Range;

use epitome_core::rank::RankedChunk;
use epitome_core::snippet::passage;
use epitome_index::Result;
use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::Document;

use super::{DocumentHit, Ranking};

/// Characters of a passage, about.
const PASSAGE_CHARS: usize = 300;

/// Describes the documents of the chosen chunks, in their order.
pub(crate) fn describe(
    store: &dyn DocumentStore,
    ranking: &Ranking,
    chosen: &[RankedChunk],
) -> Result<Vec<DocumentHit>> {
    let ids: Vec<_> = chosen.iter().map(|chunk| chunk.document).collect();
    let documents = store.documents_by_id(&ids)?;
    let mut documents: HashMap<_, _> = documents
        .into_iter()
        .map(|found| (found.id, found))
        .collect();
    let mut hits = Vec::with_capacity(chosen.len());
    for &best in chosen {
        // A document pruned since the ranking was made is no hit any more.
        if let Some(document) = documents.remove(&best.document) {
            hits.push(describe_one(store, ranking, best, document)?);
        }
    }
    Ok(hits)
}

fn describe_one(
    store: &dyn DocumentStore,
    ranking: &Ranking,
    best: RankedChunk,
    document: Document,
) -> Result<DocumentHit> {
    let found = match speaking_range(store, ranking, best)? {
        Some(range) => store.content(document.id)?.and_then(|content| {
            let lexical = &ranking.lexical;
            passage(
                &content,
                range,
                &lexical.plan,
                &lexical.weights,
                PASSAGE_CHARS,
            )
        }),
        None => None,
    };
    let (lines, snippet) = match found {
        Some(found) => (Some(found.lines), found.text),
        None => (None, summary_text(&document)),
    };
    Ok(DocumentHit {
        score: best.score,
        best,
        lines,
        snippet,
        document,
    })
}

/// Where the text that is shown stands: the best chunk, or the next of its document after the
/// summary.
fn speaking_range(
    store: &dyn DocumentStore,
    ranking: &Ranking,
    best: RankedChunk,
) -> Result<Option<Range<usize>>> {
    let of_text = |chunk: &&RankedChunk| chunk.document == best.document && chunk.position >= 0;
    let Some(shown) = ranking.chunks.iter().find(of_text) else {
        return Ok(None);
    };
    if let Some(range) = ranking.lexical.ranges.get(&shown.chunk) {
        return Ok(Some(range.clone()));
    }
    let stored = store.chunks_by_id(&[shown.chunk])?.into_iter().next();
    Ok(stored.map(|chunk| chunk.range))
}

fn summary_text(document: &Document) -> String {
    let text = document
        .summary
        .as_ref()
        .map_or("", |summary| summary.text.as_str());
    text.trim().chars().take(PASSAGE_CHARS).collect()
}
