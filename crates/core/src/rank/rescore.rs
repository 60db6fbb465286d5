//! BM25 with Lucene's inverse document frequency over the candidates of an index.

use super::count::{Counter, Counts};
use super::{RankedChunk, compare};
use crate::id::{ChunkId, DocumentId};
use crate::lexical::{Kind, Plan, PlannedTerm};

/// Saturation of a term that stands often in a chunk.
const SATURATION: f64 = 1.2;

/// How much the length of a chunk counts against it.
const LENGTH_WEIGHT: f64 = 0.75;

/// A word of the title counts as so many in the text.
const TITLE_WEIGHT: u32 = 5;

/// A phrase repeats what its words say already, so it weighs less than they do.
const PHRASE_WEIGHT: f64 = 0.5;

/// A chunk that an index proposes.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// The chunk.
    pub chunk: ChunkId,
    /// Its document.
    pub document: DocumentId,
    /// Its position in the document.
    pub position: i32,
    /// Title of the document.
    pub title: &'a str,
    /// Headings above the chunk.
    pub trail: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// The candidates in their order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rescored {
    /// Best first.
    pub chunks: Vec<Scored>,
    /// Weight of each term of the plan, 0 for one that does not count.
    pub weights: Vec<f64>,
}

/// A candidate with its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// The chunk and its score.
    pub ranked: RankedChunk,
    /// Share of the query's weight whose terms stand in the chunk, from 0 to 1.
    pub coverage: f64,
}

/// Lucene's inverse document frequency, never negative.
///
/// ```
/// use epitome_core::rank::inverse_frequency;
/// assert!(inverse_frequency(100, 1) > inverse_frequency(100, 99));
/// assert!(inverse_frequency(100, 100) > 0.0);
/// ```
pub fn inverse_frequency(chunks: u64, frequency: u64) -> f64 {
    let (chunks, frequency) = (chunks.max(frequency) as f64, frequency as f64);
    (1.0 + (chunks - frequency + 0.5) / (frequency + 0.5)).ln()
}

/// Scores candidates by the counts of the plan's terms in them.
///
/// Where the index does not know in how many chunks a term stands, the candidates stand for all.
pub fn rescore(plan: &Plan, candidates: &[Candidate<'_>]) -> Rescored {
    let mut counter = Counter::new(plan.terms.iter().map(|planned| &planned.term));
    let found: Vec<_> = candidates
        .iter()
        .map(|candidate| count(&mut counter, candidate))
        .collect();
    let weights: Vec<_> = plan
        .terms
        .iter()
        .enumerate()
        .map(|(term, planned)| weigh(plan.chunks, planned, seen(&found, term)))
        .collect();
    let lengths: f64 = found.iter().map(|counts| f64::from(counts.length)).sum();
    let average = (lengths / found.len().max(1) as f64).max(1.0);
    let mut chunks: Vec<_> = candidates
        .iter()
        .zip(&found)
        .map(|(candidate, counts)| Scored {
            ranked: RankedChunk {
                chunk: candidate.chunk,
                document: candidate.document,
                position: candidate.position,
                score: score(counts, &weights, average),
                cosine: None,
            },
            coverage: coverage(plan, counts, &weights),
        })
        .collect();
    chunks.sort_by(|a, b| compare(&a.ranked, &b.ranked));
    Rescored { chunks, weights }
}

/// Counts in title, trail and text, the title as often as it weighs.
fn count(counter: &mut Counter, candidate: &Candidate<'_>) -> Counts {
    let mut counts = counter.count(candidate.text);
    for (text, weight) in [(candidate.title, TITLE_WEIGHT), (candidate.trail, 1)] {
        if text.is_empty() {
            continue;
        }
        let more = counter.count(text);
        counts.length += more.length;
        for (sum, more) in counts.terms.iter_mut().zip(more.terms) {
            *sum += weight * more;
        }
    }
    counts
}

fn seen(counted: &[Counts], term: usize) -> u64 {
    let with = counted.iter().filter(|counts| counts.terms[term] > 0);
    with.count() as u64
}

fn weigh(chunks: u64, planned: &PlannedTerm, seen: u64) -> f64 {
    if !planned.counts {
        return 0.0;
    }
    let weight = inverse_frequency(chunks, planned.frequency.unwrap_or(0).max(seen));
    match planned.term.kind {
        Kind::Phrase => weight * PHRASE_WEIGHT,
        _ => weight,
    }
}

fn score(counts: &Counts, weights: &[f64], average: f64) -> f64 {
    let length = f64::from(counts.length) / average;
    let damping = SATURATION * (1.0 - LENGTH_WEIGHT + LENGTH_WEIGHT * length);
    let parts = counts.terms.iter().zip(weights).map(|(&count, weight)| {
        let count = f64::from(count);
        weight * count * (SATURATION + 1.0) / (count + damping)
    });
    parts.sum()
}

/// Phrases and names with signs repeat what their words say, so only the others cover.
fn coverage(plan: &Plan, counts: &Counts, weights: &[f64]) -> f64 {
    let (mut covered, mut whole) = (0.0, 0.0);
    for ((planned, &count), weight) in plan.terms.iter().zip(&counts.terms).zip(weights) {
        if matches!(planned.term.kind, Kind::Phrase | Kind::Literal) {
            continue;
        }
        whole += weight;
        if count > 0 {
            covered += weight;
        }
    }
    if whole > 0.0 { covered / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::read;

    /// Documents of one chunk each, as `title: text`; the order of their numbers is expected.
    fn check(query: &str, texts: &[&str], expected: &[u64]) {
        let candidates: Vec<_> = (0..)
            .zip(texts)
            .map(|(n, text)| candidate(n, text))
            .collect();
        let plan = Plan::new(read(query), 100, |_| Some(10));
        let found: Vec<_> = rescore(&plan, &candidates)
            .chunks
            .iter()
            .map(|scored| scored.ranked.document.0)
            .collect();
        assert_eq!(found, expected, "{query}");
    }

    fn candidate(number: u64, text: &str) -> Candidate<'_> {
        let (title, text) = text.split_once(": ").unwrap_or(("", text));
        Candidate {
            chunk: ChunkId(number),
            document: DocumentId(number),
            position: 0,
            title,
            trail: "",
            text,
        }
    }

    #[test]
    fn more_of_the_query_in_fewer_words_ranks_higher() {
        check(
            "store",
            &["a b c", "a store c", "store store c"],
            &[2, 1, 0],
        );
        check("store", &["store b c d e f", "store b"], &[1, 0]);
        check("store", &["x: a store b", "store: a b c"], &[1, 0]);
        check("write-back", &["back to write", "a write-back"], &[1, 0]);
        check("C++", &["plan c c c", "about C++ only"], &[1, 0]);
        check("same", &["same", "same"], &[0, 1]);
        check("", &["one", "two"], &[0, 1]);
    }

    #[test]
    fn coverage_is_the_share_of_the_weight() {
        let plan = Plan::new(read("how rare is common"), 100, |term| {
            Some(if term.text == "rare" { 1 } else { 90 })
        });
        let found = rescore(
            &plan,
            &[candidate(0, "rare"), candidate(1, "common how is")],
        );
        let [rare, common] = [found.chunks[0].coverage, found.chunks[1].coverage];
        assert!(rare > 0.95 && common < 0.05, "{rare} {common}");
        assert!((rare + common - 1.0).abs() < 1e-9);
    }
}
