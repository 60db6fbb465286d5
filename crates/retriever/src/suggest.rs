//! What a question starts from: the gate, the suggested documents and the related ones.

use epitome_core::gate::{Branch, DEFAULT_THRESHOLD, Spreads, decide, signal};
use epitome_core::rank::RankedChunk;
use epitome_core::select::{select_related, select_suggested};
use epitome_index::Result;
use epitome_index::documents::DocumentStore;

use crate::search::{DenseLeg, DocumentHit, SearchRequest, describe, rank};

/// How a question is prepared.
#[derive(Debug, Clone)]
pub struct SuggestOptions<'a> {
    /// Documents to start from; at least 1.
    pub suggested: usize,
    /// Most related documents.
    pub related: usize,
    /// Only documents of this source.
    pub source: Option<&'a str>,
    /// What an embedder found, where there is one.
    pub dense: Option<DenseLeg<'a>>,
    /// HIGH from this signal on; the default where nothing was calibrated.
    pub threshold: Option<f64>,
    /// How the signals are spread over the store's own pairs, where that was measured.
    pub spreads: Option<&'a Spreads>,
}

/// The evidence for one turn.
#[derive(Debug, Clone)]
pub struct TurnEvidence {
    /// Whether the documents hold an answer.
    pub branch: Branch,
    /// What the branch was decided by.
    pub signal: f64,
    /// What the signal was held against.
    pub threshold: f64,
    /// The documents to start from, best first.
    pub suggested: Vec<DocumentHit>,
    /// Further documents, best first, without a floor.
    pub related: Vec<DocumentHit>,
    /// Summaries among the chunks that were found, of suggested documents only.
    pub summary_hits: Vec<RankedChunk>,
    /// Chunks that were found.
    pub hits: usize,
}

/// Searches once and prepares both branches of a turn.
pub fn suggest(
    store: &dyn DocumentStore,
    question: &str,
    options: &SuggestOptions<'_>,
) -> Result<TurnEvidence> {
    let suggested = options.suggested.max(1);
    let ranking = rank(
        store,
        &SearchRequest {
            query: question,
            limit: suggested + options.related,
            source: options.source,
            dense: options.dense,
        },
    )?;
    let suggested = select_suggested(&ranking.chunks, suggested);
    let taken: Vec<_> = suggested.iter().map(|chunk| chunk.document).collect();
    let related = select_related(&ranking.chunks, &taken, options.related);
    let is_summary = |chunk: &&RankedChunk| chunk.position < 0 && taken.contains(&chunk.document);
    let signal = signal(ranking.coverage, ranking.cosine, options.spreads);
    let threshold = options.threshold.unwrap_or(DEFAULT_THRESHOLD);
    Ok(TurnEvidence {
        branch: decide(signal, threshold),
        signal,
        threshold,
        suggested: describe(store, &ranking, &suggested)?,
        related: describe(store, &ranking, &related)?,
        summary_hits: ranking.chunks.iter().filter(is_summary).copied().collect(),
        hits: ranking.chunks.len(),
    })
}

#[cfg(test)]
mod tests;
