//! Pairs of a query and its document, made of what the documents say about themselves.

use std::collections::HashMap;

use epitome_core::front_matter;
use epitome_index::Result;
use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::{Document, StoredChunk};

use super::CalibrateOptions;

/// Shortest and longest query, in characters.
const SHORTEST: usize = 8;
const LONGEST: usize = 200;

/// Queries that one document gives, at most.
const PER_DOCUMENT: usize = 4;

/// Documents that are read at a time.
const PAGE: usize = 500;

/// Fields of a front matter that describe a document.
const FIELDS: [&str; 4] = ["description", "summary", "abstract", "subtitle"];

/// The documents that are ranked, with the pairs among them.
pub(super) struct Sample {
    pub(super) documents: Vec<Sampled>,
    /// Queries, each with the place of its document in the sample.
    pub(super) pairs: Vec<(String, usize)>,
}

/// A document of the sample with its chunks; its summary is none of them.
pub(super) struct Sampled {
    pub(super) document: Document,
    pub(super) chunks: Vec<StoredChunk>,
}

/// Takes documents evenly over the store and makes pairs of them, one of each document before a
/// second one of any.
pub(super) fn sample(store: &dyn DocumentStore, options: &CalibrateOptions) -> Result<Sample> {
    let mut documents = Vec::new();
    for document in spread(store, options.documents)? {
        let mut chunks = store.chunks(document.id)?;
        chunks.retain(|chunk| chunk.position >= 0);
        documents.push(Sampled { document, chunks });
    }
    let headings = count_headings(&documents);
    let mut queries = Vec::with_capacity(documents.len());
    for sampled in &documents {
        let content = store.content(sampled.document.id)?.unwrap_or_default();
        queries.push(queries_of(sampled, &content, &headings));
    }
    let mut pairs = Vec::new();
    for round in 0..PER_DOCUMENT {
        for (place, of_document) in queries.iter().enumerate() {
            if let Some(query) = of_document.get(round) {
                pairs.push((query.clone(), place));
            }
        }
    }
    pairs.truncate(options.pairs);
    Ok(Sample { documents, pairs })
}

fn spread(store: &dyn DocumentStore, most: usize) -> Result<Vec<Document>> {
    let mut all = Vec::new();
    let mut after = None;
    loop {
        let page = store.documents(None, after.as_ref(), PAGE)?;
        let Some(last) = page.last() else { break };
        after = Some(last.path.clone());
        all.extend(page);
    }
    let step = all.len().div_ceil(most.max(1)).max(1);
    Ok(all.into_iter().step_by(step).collect())
}

/// In how many documents each heading stands: one that many have leads to none of them.
fn count_headings(documents: &[Sampled]) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for sampled in documents {
        for heading in headings(sampled) {
            *counts.entry(heading).or_default() += 1;
        }
    }
    counts
}

fn headings(sampled: &Sampled) -> Vec<String> {
    let mut headings: Vec<_> = sampled
        .chunks
        .iter()
        .filter_map(|chunk| chunk.trail.rsplit(" > ").next())
        .map(squeeze)
        .collect();
    headings.sort();
    headings.dedup();
    headings
}

fn queries_of(
    sampled: &Sampled,
    content: &str,
    headings_of_all: &HashMap<String, usize>,
) -> Vec<String> {
    let mut queries = Vec::new();
    if let Some(front) = front_matter::read(content) {
        queries.extend(
            FIELDS
                .iter()
                .find_map(|field| front.get(field))
                .map(squeeze),
        );
    }
    let own = headings(sampled);
    queries.extend(
        own.into_iter()
            .filter(|heading| headings_of_all.get(heading) == Some(&1)),
    );
    let summary = sampled.document.summary.as_ref();
    queries.extend(summary.and_then(|summary| first_sentence(&summary.text)));
    let title = squeeze(&sampled.document.title).to_lowercase();
    // The title stays in the index, so what it says is found by it.
    queries.retain(|query| !title.contains(&query.to_lowercase()) && is_telling(query));
    queries.truncate(PER_DOCUMENT);
    queries
}

/// Whether a text says enough for a query: some words, or as much in a script without spaces.
fn is_telling(query: &str) -> bool {
    let chars = query.chars().count();
    let has_words = query.contains(' ') || !query.is_ascii();
    (SHORTEST..=LONGEST).contains(&chars) && has_words
}

fn first_sentence(text: &str) -> Option<String> {
    let text = squeeze(text);
    let ends = text.match_indices(['.', '!', '?', '。', '！', '？']);
    let end = ends
        .map(|(at, mark)| at + mark.len())
        .find(|end| text[..*end].chars().count() >= 4 * SHORTEST)
        .unwrap_or(text.len());
    let start = text[..end].trim();
    (!start.is_empty()).then(|| start.to_owned())
}

/// One space for each run of white space.
pub(super) fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_sentences_say_enough() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(first_sentence(text).as_deref(), expected, "{text}");
        };
        check("", None);
        check(
            "A v1.2 store keeps every original\nof a session. And more.",
            Some("A v1.2 store keeps every original of a session."),
        );
        check("Short. And on", Some("Short. And on"));
    }

    #[test]
    fn queries_are_neither_words_nor_pages() {
        let check = |query: &str, expected| assert_eq!(is_telling(query), expected, "{query}");
        check("Usage", false);
        check("Installation", false);
        check("Resume after a crash", true);
        check("如何在崩溃之后继续导入", true);
        check(&"word ".repeat(100), false);
    }
}
