//! Search: documents for a query, each with its best passage.

mod candidates;
mod hit;

use std::ops::RangeInclusive;

use epitome_core::rank::{FusionOptions, RankedChunk, fuse};
use epitome_core::select::select_suggested;
use epitome_index::Result;
use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::Document;

use candidates::{Candidates, find_candidates};
pub(crate) use hit::describe;

/// What is searched for. Any text is a query.
#[derive(Debug, Clone)]
pub struct SearchRequest<'a> {
    /// The text of the user.
    pub query: &'a str,
    /// At most so many documents.
    pub limit: usize,
    /// Only documents of this source.
    pub source: Option<&'a str>,
    /// What an embedder found, where there is one.
    pub dense: Option<DenseLeg<'a>>,
}

/// The chunks closest to a query by an embedder.
#[derive(Debug, Clone, Copy)]
pub struct DenseLeg<'a> {
    /// Best first, each with its cosine.
    pub chunks: &'a [RankedChunk],
    /// How it is fused with the lexical ranking.
    pub fusion: FusionOptions,
}

/// What a search found.
#[derive(Debug, Clone, Default)]
pub struct SearchAnswer {
    /// Documents, best first.
    pub hits: Vec<DocumentHit>,
    /// Share of the query's weight that the best document covers, from 0 to 1.
    pub coverage: f64,
    /// Best cosine of the dense leg.
    pub cosine: Option<f64>,
}

/// A document that was found.
#[derive(Debug, Clone)]
pub struct DocumentHit {
    /// The document.
    pub document: Document,
    /// Its score; compares within one answer only.
    pub score: f64,
    /// The chunk that speaks for it.
    pub best: RankedChunk,
    /// Lines of the passage in the document; `None` where only the summary matched.
    pub lines: Option<RangeInclusive<usize>>,
    /// The best passage, from the stored text.
    pub snippet: String,
}

impl DocumentHit {
    /// The address of the passage: `source/path:L3-L9`, or the path alone.
    pub fn address(&self) -> String {
        match &self.lines {
            Some(lines) => format!("{}:L{}-L{}", self.document.path, lines.start(), lines.end()),
            None => self.document.path.to_string(),
        }
    }
}

/// Searches the documents of a store.
pub fn search(store: &dyn DocumentStore, request: &SearchRequest<'_>) -> Result<SearchAnswer> {
    let ranking = rank(store, request)?;
    let chosen = select_suggested(&ranking.chunks, request.limit);
    Ok(SearchAnswer {
        hits: describe(store, &ranking, &chosen)?,
        coverage: ranking.coverage,
        cosine: ranking.cosine,
    })
}

/// All chunks that were found for a query, in their order.
#[derive(Debug)]
pub(crate) struct Ranking {
    /// The candidates of the lexical leg with what is known of the query's terms.
    pub(crate) lexical: Candidates,
    /// The fused ranking, best first.
    pub(crate) chunks: Vec<RankedChunk>,
    /// Share of the query's weight that the best document covers.
    pub(crate) coverage: f64,
    /// Best cosine of the dense leg.
    pub(crate) cosine: Option<f64>,
}

/// Ranks the chunks for a query by both legs.
pub(crate) fn rank(store: &dyn DocumentStore, request: &SearchRequest<'_>) -> Result<Ranking> {
    let lexical = find_candidates(store, request)?;
    let (chunks, cosine) = match request.dense {
        Some(leg) => (
            fuse(&lexical.ranked, leg.chunks, leg.fusion),
            leg.chunks
                .iter()
                .filter_map(|chunk| chunk.cosine)
                .max_by(f64::total_cmp),
        ),
        None => (lexical.ranked.clone(), None),
    };
    Ok(Ranking {
        coverage: lexical.coverage,
        lexical,
        chunks,
        cosine,
    })
}

#[cfg(test)]
pub(crate) use tests::store_of;

#[cfg(test)]
mod tests;
