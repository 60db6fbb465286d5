//! Calibration and search with embedders of known quality, over real HTTP.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod server;

use std::collections::BTreeMap;

use epitome_core::chunk::{DEFAULT_SIZES, Markup, chunk};
use epitome_core::evaluate::{Interval, bootstrap, ndcg};
use epitome_core::id::BlobId;
use epitome_index::SqliteStore;
use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::{DocumentPath, DocumentWrite, NewChunk};
use epitome_retriever::calibrate::{CalibrateOptions, CalibrateReport, calibrate};
use epitome_retriever::dense::{DEFAULT_BYTES, DenseIndex, QueryLeg, embed_missing, find_close};
use epitome_retriever::search::{SearchRequest, search};
use epitome_summarizer::embed::Embedder as _;
use server::Make;

/// Words that every document has, with one of its own now and then.
const FILLER: [&str; 8] = [
    "ledger", "entries", "balance", "account", "monthly", "report", "journal", "booking",
];

/// A note on one topic: its heading says in other words what its text says.
fn note(number: usize) -> String {
    let topic = |part: usize, ending: char| format!("topic{number}part{part}{ending}");
    let own = |ending| -> Vec<String> { (0..3).map(|part| topic(part, ending)).collect() };
    let filler = FILLER[number % FILLER.len()];
    let other = FILLER[(number / 3) % FILLER.len()];
    format!(
        "## {} {filler}\n\nThe {filler} of {} is kept with the {other}.\n",
        own('y').join(" "),
        own('x').join(" and ")
    )
}

/// A note whose heading uses words of its own text and of others.
fn plain_note(number: usize) -> String {
    let word = |n: usize| format!("word{}", n % 90);
    let filler = FILLER[number % FILLER.len()];
    format!(
        "## On {} and {} in number{number}\n\nThe {filler} of {} needs {} and {} for {}.\n",
        word(number),
        word(number + 7),
        word(number),
        word(number + 7),
        word(number + 31),
        FILLER[(number / 5) % FILLER.len()],
    )
}

/// A store in a folder of its own.
struct Library {
    store: SqliteStore,
    #[expect(dead_code, reason = "its drop deletes the folder")]
    folder: tempfile::TempDir,
}

fn library(count: usize, text: fn(usize) -> String) -> Library {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("notes.db")).unwrap();
    store.put_source("notes", "/notes", 0).unwrap();
    for number in 0..count {
        let content = text(number);
        let chunks = chunk(&content, Markup::Markdown, &DEFAULT_SIZES);
        let chunks = chunks.iter().map(|chunk| NewChunk {
            range: chunk.range.clone(),
            trail: &chunk.trail,
        });
        let write = DocumentWrite {
            path: DocumentPath::new("notes", format!("{number:03}.md")),
            title: &format!("{number:03}"),
            date: None,
            kind: "markdown",
            content_hash: BlobId::of(content.as_bytes()),
            content: &content,
            file_bytes: content.len() as u64,
            file_modified_ms: 0,
            chunks: chunks.collect(),
        };
        store.put_document(&write).unwrap();
    }
    Library { store, folder }
}

async fn calibrated(library: &Library, make: Make) -> CalibrateReport {
    let embedder = server::embedder(make).await;
    let store = &library.store;
    let report = embed_missing(store, &embedder, &mut |_| (), &|| false)
        .await
        .unwrap();
    assert!(report.failure.is_none(), "{:?}", report.failure);
    assert_eq!(report.embedded, store.chunk_count(None).unwrap());
    let report = calibrate(store, &embedder, &CalibrateOptions::at(7))
        .await
        .unwrap();
    assert!(report.failure.is_none(), "{:?}", report.failure);
    assert_eq!(store.calibration("test").unwrap(), report.stored);
    report
}

#[tokio::test]
async fn fused_never_falls_below_the_words_whatever_the_embedder() {
    let cases = [
        (note as fn(usize) -> String, server::words as Make),
        (plain_note, server::words),
        (plain_note, server::meanings),
    ];
    for (text, make) in cases {
        let library = library(60, text);
        let report = calibrated(&library, make).await;
        let (figures, stored) = (report.figures.unwrap(), report.stored.unwrap());
        assert_eq!(report.pairs, 60);
        if stored.dense_weight > 0.0 {
            assert!(stored.gain.1 >= 0.0, "{figures:?}");
        }
        let gain = gain_on_other_queries(&library.store, make, text);
        assert!(gain.high >= 0.0, "{gain:?} {stored:?}");
    }
}

/// Gain of the search with the calibrated leg over the one without it, on queries that calibration
/// did not see: the last words of each note.
fn gain_on_other_queries(store: &SqliteStore, make: Make, text: fn(usize) -> String) -> Interval {
    let index = DenseIndex::load(store, "test", DEFAULT_BYTES)
        .unwrap()
        .unwrap();
    let mut gains = Vec::new();
    for number in 0..60 {
        let text = text(number);
        let words: Vec<_> = text.split_whitespace().rev().take(5).collect();
        let query = words.join(" ");
        let leg = find_close(store, &index, &make(&query), None).unwrap();
        let quality = |dense| {
            let request = SearchRequest {
                query: &query,
                limit: 10,
                source: None,
                dense,
            };
            let answer = search(store, &request).unwrap();
            let paths: Vec<_> = answer
                .hits
                .iter()
                .map(|hit| hit.document.path.path())
                .collect();
            let right = format!("{number:03}.md");
            ndcg(&paths, &BTreeMap::from([(right.as_str(), 1.0)]), 10)
        };
        let fused = quality(leg.as_ref().map(QueryLeg::as_leg));
        gains.push(fused - quality(None));
    }
    bootstrap(&gains, 1000, 1)
}

#[tokio::test]
async fn a_bad_embedder_gets_no_weight_and_no_part_in_the_gate() {
    for text in [note, plain_note] {
        let library = library(80, text);
        let report = calibrated(&library, server::chance).await;
        let figures = report.figures.unwrap();
        let stored = report.stored.unwrap();
        assert!(stored.dense_weight.abs() < 1e-9, "{figures:?}");
        assert!(stored.cosine.is_empty());
        assert!((stored.threshold.0 - 0.4).abs() < 1e-9);
        // Weights above zero would have cost.
        assert!(figures.dense.mean < figures.lexical.mean, "{figures:?}");
        let index = DenseIndex::load(&library.store, "test", DEFAULT_BYTES)
            .unwrap()
            .unwrap();
        let leg = find_close(&library.store, &index, &server::chance("x"), None).unwrap();
        assert!(leg.is_none());
    }
}

#[tokio::test]
async fn an_embedder_that_knows_more_than_the_words_gets_weight_and_finds_more() {
    let library = library(80, note);
    let report = calibrated(&library, server::meanings).await;
    let figures = report.figures.unwrap();
    let stored = report.stored.unwrap();
    assert!(stored.dense_weight > 0.0, "{figures:?}");
    assert!(stored.gain.1 > 0.0, "{figures:?}");
    assert!(
        figures.combined_area >= figures.coverage_area,
        "{figures:?}"
    );

    let embedder = server::embedder(server::meanings).await;
    let query = "topic5part0y topic5part1y";
    let vector = embedder.embed(&[query.to_owned()]).await.unwrap().remove(0);
    let index = DenseIndex::load(&library.store, "test", DEFAULT_BYTES)
        .unwrap()
        .unwrap();
    let leg = find_close(&library.store, &index, &vector, Some("notes"))
        .unwrap()
        .unwrap();
    assert_eq!(leg.spreads.is_some(), !stored.cosine.is_empty());
    let request = SearchRequest {
        query,
        limit: 5,
        source: None,
        dense: Some(leg.as_leg()),
    };
    let answer = search(&library.store, &request).unwrap();
    assert_eq!(answer.hits[0].document.path.path(), "005.md");
}

#[tokio::test]
async fn few_pairs_leave_the_defaults() {
    let library = library(49, note);
    let report = calibrated(&library, server::meanings).await;
    assert_eq!(report.pairs, 49);
    assert!(report.figures.is_none() && report.stored.is_none());
}

#[tokio::test]
async fn a_calibration_repeats_exactly() {
    let library = library(60, plain_note);
    let first = calibrated(&library, server::words).await;
    let embedder = server::embedder(server::words).await;
    let options = CalibrateOptions::at(7);
    let second = calibrate(&library.store, &embedder, &options)
        .await
        .unwrap();
    assert_eq!(first.figures, second.figures);
    assert_eq!(first.stored, second.stored);
}
