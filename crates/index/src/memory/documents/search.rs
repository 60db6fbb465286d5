//! The lexical search as a scan over all chunks.

use epitome_core::bigram::{bigrams, other_scripts, without_ideographs};
use epitome_core::lexical::fold::{Stems, fold};

use super::library::{Entry, Library};
use crate::documents::model::{LexicalHit, LexicalQuery, StoredChunk};
use crate::documents::union::{Union, count_in, folded};

/// How much more a word in the title counts.
const TITLE_WEIGHT: usize = 5;

/// What is searched of a chunk, cut as an index would.
struct Indexed {
    title: Vec<String>,
    trail: Vec<String>,
    text: Vec<String>,
    pairs: Vec<String>,
    other: String,
}

impl Indexed {
    fn new(stems: &Stems, entry: &Entry, chunk: &StoredChunk) -> Self {
        let parts = [&entry.document.title, &chunk.trail, &chunk.text];
        let joined = |segment: fn(&str) -> String| parts.map(|part| segment(part)).join(" ");
        Self {
            title: words(stems, &without_ideographs(parts[0])),
            trail: words(stems, &without_ideographs(parts[1])),
            text: words(stems, &without_ideographs(parts[2])),
            pairs: words(stems, &joined(bigrams)),
            other: joined(other_scripts).to_lowercase(),
        }
    }

    fn count_words(&self, phrase: &[String]) -> usize {
        let in_title = count(&self.title, phrase) * TITLE_WEIGHT;
        let rows = [&self.trail, &self.text, &self.pairs];
        in_title + rows.map(|row| count(row, phrase)).iter().sum::<usize>()
    }

    fn count_trigrams(&self, part: &str) -> usize {
        if part.chars().count() < 3 {
            return 0;
        }
        self.other.matches(part).count()
    }
}

/// Chunks that match any term of a query.
pub(super) fn search(library: &Library, query: &LexicalQuery) -> Vec<LexicalHit> {
    let stems = Stems::new();
    let terms = query.words.iter().chain(&query.bigrams);
    let phrases: Vec<_> = terms.map(|term| words(&stems, term)).collect();
    let trigrams: Vec<_> = query.trigrams.iter().map(|t| t.to_lowercase()).collect();
    let substrings = folded(&query.substrings);

    let mut counted = Vec::new();
    for entry in library.entries(query.source.as_deref()) {
        for chunk in &entry.chunks {
            let indexed = Indexed::new(&stems, entry, chunk);
            let mut counts: Vec<_> = phrases.iter().map(|p| indexed.count_words(p)).collect();
            counts.extend(trigrams.iter().map(|part| indexed.count_trigrams(part)));
            let texts = [&*entry.document.title, &chunk.trail, &chunk.text];
            counts.extend(count_in(&texts, &substrings));
            if counts.iter().any(|count| *count > 0) {
                let hit = LexicalHit {
                    chunk: chunk.id,
                    document: chunk.document,
                    position: chunk.position,
                    score: 0.0,
                };
                counted.push((hit, counts));
            }
        }
    }
    let mut union = Union::default();
    union.add_counted(counted, library.size().1);
    union.best(query.limit)
}

/// In how many chunks each term stands.
pub(super) fn frequencies(library: &Library, terms: &[String]) -> Vec<u64> {
    let stems = Stems::new();
    let phrases: Vec<_> = terms.iter().map(|term| words(&stems, term)).collect();
    let mut holding = vec![0; terms.len()];
    for entry in library.entries(None) {
        for chunk in &entry.chunks {
            let indexed = Indexed::new(&stems, entry, chunk);
            for (phrase, holding) in phrases.iter().zip(&mut holding) {
                *holding += u64::from(indexed.count_words(phrase) > 0);
            }
        }
    }
    holding
}

/// Stems of the words of a text in order. The stemmer is a newer one than the full-text engine's;
/// they differ on few words.
fn words(stems: &Stems, text: &str) -> Vec<String> {
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| stems.stem(&fold(word)).into_owned())
        .collect()
}

/// How often a phrase stands in a row of words; an empty one stands nowhere.
fn count(row: &[String], phrase: &[String]) -> usize {
    if phrase.is_empty() {
        return 0;
    }
    row.windows(phrase.len())
        .filter(|window| *window == phrase)
        .count()
}
