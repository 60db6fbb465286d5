//! Uniting the legs of a lexical search; both stores do it alike.

use std::collections::BTreeMap;

use epitome_core::id::ChunkId;

use super::model::LexicalHit;

/// Hits of several legs by chunk; the scores of a chunk add up.
#[derive(Debug, Default)]
pub(crate) struct Union(BTreeMap<ChunkId, LexicalHit>);

impl Union {
    /// Adds a hit of one leg.
    pub(crate) fn add(&mut self, hit: LexicalHit) {
        let known = self.0.entry(hit.chunk);
        known
            .and_modify(|known| known.score += hit.score)
            .or_insert(hit);
    }

    /// Adds the hits of a leg that only counts how often each of its terms stands in a chunk.
    pub(crate) fn add_counted(&mut self, counted: Vec<(LexicalHit, Vec<usize>)>, chunks: u64) {
        let terms = counted.first().map_or(0, |(_, counts)| counts.len());
        let idf: Vec<f64> = (0..terms)
            .map(|term| {
                let holding = counted.iter().filter(|(_, counts)| counts[term] > 0);
                inverse_frequency(chunks, holding.count() as u64)
            })
            .collect();
        for (hit, counts) in counted {
            let score = counts.iter().zip(&idf).map(|(count, idf)| {
                let count = *count as f64;
                idf * count / (count + SATURATION)
            });
            let score = score.sum();
            self.add(LexicalHit { score, ..hit });
        }
    }

    /// The best hits, ties by document and position.
    pub(crate) fn best(self, limit: usize) -> Vec<LexicalHit> {
        let mut hits: Vec<_> = self.0.into_values().collect();
        hits.sort_by(|a, b| {
            let by_score = b.score.total_cmp(&a.score);
            by_score.then((a.document, a.position).cmp(&(b.document, b.position)))
        });
        hits.truncate(limit);
        hits
    }
}

/// How fast more of the same term stops to count, as in BM25.
const SATURATION: f64 = 1.2;

/// How rare a term is; above zero also for one that stands everywhere.
fn inverse_frequency(chunks: u64, holding: u64) -> f64 {
    let (chunks, holding) = (chunks as f64, holding as f64);
    ((chunks - holding + 0.5).max(0.0) / (holding + 0.5)).ln_1p()
}

/// The substrings of a query as a scan looks for them: in lower case, none blank.
pub(crate) fn folded(substrings: &[String]) -> Vec<String> {
    let substrings = substrings.iter().filter(|part| !part.trim().is_empty());
    substrings.map(|part| part.to_lowercase()).collect()
}

/// How often each folded substring stands in some texts.
pub(crate) fn count_in(texts: &[&str], wanted: &[String]) -> Vec<usize> {
    let folded: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
    let count = |part: &String| folded.iter().map(|text| text.matches(part).count()).sum();
    wanted.iter().map(count).collect()
}
