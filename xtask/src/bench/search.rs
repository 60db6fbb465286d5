//! `cargo xtask bench search`: a whole search beside the bare query of the index that it runs, and
//! beside the naive one, an OR of all words.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use epitome_core::chunk::{DEFAULT_SIZES, Markup, chunk};
use epitome_core::id::BlobId;
use epitome_core::lexical::{Kind, Plan, Question, Role, read};
use epitome_index::SqliteStore;
use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::{DocumentPath, DocumentWrite, LexicalQuery, NewChunk};
use epitome_retriever::search::{SearchRequest, search};

use super::say;

/// Different words of the invented language; the n-th is as frequent as 1/n.
const VOCABULARY: usize = 40_000;

/// Words of a document: about ten chunks.
const WORDS: usize = 1_800;

/// What the most frequent words look like, so that stop words are where they are in real text.
const FREQUENT: [&str; 8] = ["the", "of", "and", "to", "in", "is", "that", "for"];

/// Measures and prints.
pub(super) fn run(chunks: usize, queries: usize) -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let store = SqliteStore::open(scratch.path().join("search.db"))?;
    let mut language = Language { state: 1 };
    store.put_source("docs", "", 0)?;
    let mut made = 0;
    while made < chunks {
        made += put(&store, made, &language.text(WORDS))?;
    }
    store.finish_import("docs", true, 0)?;
    let queries: Vec<_> = (0..queries.max(1)).map(|_| language.question()).collect();
    let (mut ours, mut bare, mut naive) = (Vec::new(), Vec::new(), Vec::new());
    for query in &queries {
        let request = SearchRequest {
            query,
            limit: 10,
            source: None,
            dense: None,
        };
        let plan = plan(&store, query)?;
        bare.push(time(|| {
            Ok(store.search_lexical(&asked(&plan.first(), 100))?)
        })?);
        naive.push(time(|| Ok(store.search_lexical(&asked(&plan.all(), 10))?))?);
        ours.push(time(|| Ok(search(&store, &request)?))?);
    }
    say(&format!(
        "{made} chunks, {} queries; milliseconds",
        queries.len()
    ));
    for (name, times) in [
        ("search", &mut ours),
        ("its bare query", &mut bare),
        ("all words", &mut naive),
    ] {
        times.sort();
        let at = |share: usize| times[times.len() * share / 100].as_secs_f64() * 1e3;
        say(&format!(
            "{name:<15} p50 {:>8.2}  p99 {:>8.2}",
            at(50),
            at(99)
        ));
    }
    let middle = |times: &[Duration]| times[times.len() / 2].as_secs_f64();
    say(&format!(
        "search / its bare query {:.2}, search / all words {:.2}",
        middle(&ours) / middle(&bare),
        middle(&ours) / middle(&naive)
    ));
    Ok(())
}

fn time<T>(run: impl FnOnce() -> Result<T>) -> Result<Duration> {
    let start = Instant::now();
    run()?;
    Ok(start.elapsed())
}

fn put(store: &dyn DocumentStore, number: usize, text: &str) -> Result<usize> {
    let chunks = chunk(text, Markup::Markdown, &DEFAULT_SIZES);
    let chunks: Vec<_> = chunks
        .iter()
        .map(|chunk| NewChunk {
            range: chunk.range.clone(),
            trail: &chunk.trail,
        })
        .collect();
    let made = chunks.len();
    store
        .put_document(&DocumentWrite {
            path: DocumentPath::new("docs", format!("{number}.md")),
            title: "",
            date: None,
            kind: "markdown",
            content_hash: BlobId::of(text.as_bytes()),
            content: text,
            file_bytes: text.len() as u64,
            file_modified_ms: 0,
            chunks,
        })
        .context("put a document")?;
    Ok(made)
}

/// The plan of a query, as the search makes it.
fn plan(store: &dyn DocumentStore, query: &str) -> Result<Plan> {
    let terms = read(query);
    let texts: Vec<_> = terms.iter().map(|term| term.text.clone()).collect();
    let mut frequencies = store.chunk_frequencies(&texts)?.into_iter();
    Ok(Plan::new(terms, store.chunk_count(None)?, |term| {
        let frequency = frequencies.next();
        (term.kind == Kind::Word && term.role != Role::Stop).then_some(frequency)?
    }))
}

fn asked(question: &Question, limit: usize) -> LexicalQuery {
    LexicalQuery {
        words: question.words.clone(),
        limit,
        ..LexicalQuery::default()
    }
}

/// Invents texts whose words are as unevenly frequent as those of people.
struct Language {
    state: u64,
}

impl Language {
    fn next(&mut self) -> f64 {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.state >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The rank of a word is log-uniform, which makes the n-th word as frequent as 1/n.
    #[expect(
        clippy::cast_sign_loss,
        reason = "a power of a positive number is positive"
    )]
    fn word(&mut self) -> String {
        let rank = (VOCABULARY as f64).powf(self.next()) as usize;
        match FREQUENT.get(rank - 1) {
            Some(word) => (*word).to_owned(),
            None => spelled(rank),
        }
    }

    fn text(&mut self, words: usize) -> String {
        let mut text = String::new();
        for number in 1..=words {
            text.push_str(&self.word());
            text.push_str(if number % 90 == 0 { "\n\n" } else { " " });
        }
        text
    }

    fn question(&mut self) -> String {
        let words: Vec<_> = (0..9).map(|_| self.word()).collect();
        words.join(" ")
    }
}

/// A word that can be spoken, another one for each number.
fn spelled(mut number: usize) -> String {
    let mut word = String::new();
    while number > 0 {
        word.push(b"bdfgklmnprstvz"[number % 14] as char);
        number /= 14;
        word.push(b"aeiou"[number % 5] as char);
        number /= 5;
    }
    word.push('k');
    word
}
