//! The ranking of a collection beside the plain full-text ranking of the same run.

use std::collections::HashSet;

use anyhow::{Context, Result};
use epitome_core::evaluate::{Interval, bootstrap, ndcg, recall, reciprocal_rank};
use epitome_core::lexical::{Kind, read};
use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::LexicalQuery;
use epitome_retriever::search::{SearchRequest, search};

use super::super::say;
use super::collection::{Collection, Query};

const ROUNDS: usize = 1000;
const SEED: u64 = 1;

/// Figures of each query, in their order.
#[derive(Default)]
struct Figures {
    ndcg: Vec<f64>,
    recall_5: Vec<f64>,
    recall_10: Vec<f64>,
    reciprocal: Vec<f64>,
}

impl Figures {
    fn add(&mut self, ranking: &[String], query: &Query) {
        self.ndcg.push(ndcg(ranking, &query.grades, 10));
        self.recall_5.push(recall(ranking, &query.grades, 5));
        self.recall_10.push(recall(ranking, &query.grades, 10));
        self.reciprocal
            .push(reciprocal_rank(ranking, &query.grades, 10));
    }
}

/// Measures and prints a collection; returns what is not good enough.
pub(super) fn measure(
    collection: &Collection,
    store: &dyn DocumentStore,
    goal: f64,
) -> Result<Vec<String>> {
    let (mut ours, mut plain) = (Figures::default(), Figures::default());
    let mut empty = 0;
    for query in &collection.queries {
        let ranking = ranked(store, query)
            .with_context(|| format!("search {} for {:?}", collection.name, query.text))?;
        empty += usize::from(ranking.is_empty());
        ours.add(&ranking, query);
        plain.add(&plain_ranking(store, query)?, query);
    }
    let gains: Vec<_> = ours
        .ndcg
        .iter()
        .zip(&plain.ndcg)
        .map(|(a, b)| a - b)
        .collect();
    let figure = mean(&ours.ndcg);
    say(&format!(
        "{:<20} {:>7}  {}  {:.3}     {:.3}      {:.3}   {:+.3} [{:+.3}, {:+.3}]",
        collection.name,
        store.chunk_count(None)?,
        shown(figure),
        mean(&ours.recall_5).mean,
        mean(&ours.recall_10).mean,
        mean(&ours.reciprocal).mean,
        mean(&gains).mean,
        mean(&gains).low,
        mean(&gains).high,
    ));
    let mut failures = Vec::new();
    if figure.mean < goal {
        failures.push(format!(
            "{}: nDCG@10 is {:.4}, not {goal}",
            collection.name, figure.mean
        ));
    }
    if empty > 0 {
        failures.push(format!(
            "{}: {empty} queries found nothing",
            collection.name
        ));
    }
    Ok(failures)
}

fn mean(sample: &[f64]) -> Interval {
    bootstrap(sample, ROUNDS, SEED)
}

fn shown(figure: Interval) -> String {
    format!("{:.4} [{:.3}, {:.3}]", figure.mean, figure.low, figure.high)
}

fn ranked(store: &dyn DocumentStore, query: &Query) -> Result<Vec<String>> {
    let request = SearchRequest {
        query: &query.text,
        limit: 10,
        source: None,
        dense: None,
    };
    let answer = search(store, &request)?;
    let paths = answer
        .hits
        .into_iter()
        .map(|hit| hit.document.path.path().to_owned());
    Ok(paths.collect())
}

/// What the index alone gives: all words or pairs of the query, in the engine's order.
fn plain_ranking(store: &dyn DocumentStore, query: &Query) -> Result<Vec<String>> {
    let terms = read(&query.text);
    let of = |kind: Kind| -> Vec<String> {
        let terms = terms.iter().filter(|term| term.kind == kind);
        terms.map(|term| term.text.clone()).collect()
    };
    let hits = store.search_lexical(&LexicalQuery {
        words: of(Kind::Word),
        bigrams: of(Kind::Bigram),
        trigrams: of(Kind::Trigram),
        limit: 100,
        ..LexicalQuery::default()
    })?;
    let mut seen = HashSet::new();
    let ids: Vec<_> = hits
        .iter()
        .map(|hit| hit.document)
        .filter(|id| seen.insert(*id))
        .collect();
    let documents = store.documents_by_id(&ids)?;
    Ok(documents
        .into_iter()
        .map(|document| document.path.path().to_owned())
        .collect())
}
