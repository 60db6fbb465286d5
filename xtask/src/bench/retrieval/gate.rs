//! How well the gate tells answered questions from others, without a model.

use std::collections::BTreeMap;

use anyhow::Result;
use epitome_core::evaluate::area_under_curve;
use epitome_core::gate::{DEFAULT_THRESHOLD, error_rates};
use epitome_index::SqliteStore;
use epitome_index::documents::DocumentStore;
use epitome_retriever::search::{SearchRequest, search};

use super::super::say;
use super::collection::{Collection, Text};

/// The least area that is good enough where the right article is missing.
const NEAR_MISS_GOAL: f64 = 0.93;

/// The least area that is good enough for questions of another collection.
const ACROSS_GOAL: f64 = 0.95;

/// Collections that are asked each other's questions.
const ACROSS: [&str; 3] = ["cranfield", "eip-description-ki", "xquad-en"];

/// The collection whose documents are paragraphs of articles: `a3p7` is of article `a3`.
const OF_ARTICLES: &str = "xquad-en";

/// Measures and prints; returns what is not good enough.
pub(super) fn measure(imported: &[(Collection, SqliteStore)]) -> Result<Vec<String>> {
    let across: Vec<_> = imported
        .iter()
        .filter(|(collection, _)| ACROSS.contains(&collection.name.as_str()))
        .collect();
    let mut failures = Vec::new();
    for (own, store) in &across {
        let answered = signals(store, &texts(own))?;
        let mut strange_all = Vec::new();
        for (other, _) in across.iter().filter(|(other, _)| other.name != own.name) {
            let strange = signals(store, &texts(other))?;
            report(&own.name, &other.name, &answered, &strange);
            strange_all.extend(strange);
        }
        let area = report(&own.name, "(both)", &answered, &strange_all);
        failures.extend(too_small(&own.name, area, ACROSS_GOAL));
        if own.name == OF_ARTICLES {
            let near = near_misses(own)?;
            let area = report(&own.name, "(article removed)", &answered, &near);
            failures.extend(too_small("near-misses", area, NEAR_MISS_GOAL));
        }
    }
    Ok(failures)
}

fn texts(collection: &Collection) -> Vec<&str> {
    let queries = collection.queries.iter();
    queries.map(|query| query.text.as_str()).collect()
}

fn report(own: &str, asked: &str, answered: &[f64], strange: &[f64]) -> f64 {
    let area = area_under_curve(answered, strange);
    let rates = error_rates(answered, strange, DEFAULT_THRESHOLD);
    say(&format!(
        "{own:<22}  {asked:<20}  {area:.3}  {:>5.1} %  {:>5.1} %",
        rates.missed * 100.0,
        rates.accepted * 100.0
    ));
    area
}

fn too_small(what: &str, area: f64, goal: f64) -> Option<String> {
    (area < goal).then(|| format!("gate, {what}: area {area:.4}, not {goal}"))
}

fn signals(store: &dyn DocumentStore, questions: &[&str]) -> Result<Vec<f64>> {
    let signal = |question: &&str| {
        let request = SearchRequest {
            query: question,
            limit: 5,
            source: None,
            dense: None,
        };
        Ok(search(store, &request)?.coverage)
    };
    questions.iter().map(signal).collect()
}

/// Asks the questions of each article while the article is not there.
fn near_misses(collection: &Collection) -> Result<Vec<f64>> {
    let scratch = tempfile::tempdir()?;
    let store = SqliteStore::open(scratch.path().join("near.db"))?;
    collection.import(&store)?;
    let mut articles: BTreeMap<&str, Vec<&Text>> = BTreeMap::new();
    for document in &collection.documents {
        articles
            .entry(article(&document.id))
            .or_default()
            .push(document);
    }
    let mut found = Vec::new();
    for (name, documents) in articles {
        for document in &documents {
            if let Some(stored) = store.document(&collection.path(document))? {
                store.prune_document(stored.id)?;
            }
        }
        let of_article = collection.queries.iter().filter(|query| {
            let mut gold = query.grades.keys();
            gold.any(|id| article(id) == name)
        });
        let questions: Vec<_> = of_article.map(|query| query.text.as_str()).collect();
        found.extend(signals(&store, &questions)?);
        for document in documents {
            collection.put(&store, document)?;
        }
    }
    Ok(found)
}

/// The article of a paragraph: what stands before `p`.
fn article(id: &str) -> &str {
    id.split('p').next().unwrap_or(id)
}
