use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use epitome_index::documents::model::Calibration;
use epitome_summarizer::embed::Embedder;
use epitome_summarizer::{Error, ErrorKind};
use proptest::prelude::*;

use super::*;
use crate::search::store_of;

/// Makes vectors of two numbers, refuses texts with a word, and dies after some calls.
struct Fake {
    model: &'static str,
    dies_after: usize,
    calls: AtomicUsize,
    texts: Mutex<Vec<String>>,
}

fn fake(model: &'static str, dies_after: usize) -> Fake {
    Fake {
        model,
        dies_after,
        calls: AtomicUsize::new(0),
        texts: Mutex::new(Vec::new()),
    }
}

fn status(status: u16) -> Error {
    ErrorKind::Status {
        endpoint: "https://host".to_owned(),
        status,
        message: "no".to_owned(),
        way_out: "none".to_owned(),
        attempts: 1,
    }
    .into()
}

#[async_trait]
impl Embedder for Fake {
    fn model(&self) -> &str {
        self.model
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        if self.calls.fetch_add(1, Ordering::Relaxed) >= self.dies_after {
            return Err(status(503));
        }
        if texts.iter().any(|text| text.contains("indigestible")) {
            return Err(status(400));
        }
        self.texts.lock().unwrap().extend_from_slice(texts);
        Ok(texts
            .iter()
            .map(|text| vec![1.0, text.len() as f32])
            .collect())
    }
}

async fn embed(store: &dyn DocumentStore, embedder: &Fake, cancelled: bool) -> EmbedReport {
    let mut seen = Vec::new();
    let report = embed_missing(store, embedder, &mut |step| seen.push(step), &|| cancelled)
        .await
        .unwrap();
    assert!(seen.iter().all(|step| step.done <= step.total), "{seen:?}");
    report
}

const FILES: [(&str, &str); 3] = [
    ("a.md", "# Apples\n\nThey are red."),
    ("b.md", "An indigestible text."),
    ("c.md", "Pears are green."),
];

#[tokio::test]
async fn a_refused_chunk_does_not_keep_the_others() {
    let store = store_of(&FILES);
    let report = embed(&store, &fake("m", 99), false).await;
    assert_eq!((report.embedded, report.refused), (2, 1)); // 36
    assert!(report.failure.is_none());
    let again = embed(&store, &fake("m", 99), false).await;
    assert_eq!((again.embedded, again.refused), (0, 1));
}

#[tokio::test]
async fn a_dead_embedder_ends_it_and_the_next_call_goes_on() {
    let store = store_of(&[FILES[0], FILES[2]]);
    let report = embed(&store, &fake("m", 0), false).await;
    assert_eq!(report.embedded, 0);
    assert!(report.failure.unwrap().to_string().contains("status 503"));
    assert_eq!(embed(&store, &fake("m", 99), true).await.embedded, 0);
    let embedder = fake("m", 99);
    assert_eq!(embed(&store, &embedder, false).await.embedded, 2);
    let texts = embedder.texts.lock().unwrap();
    assert!(texts[0].starts_with("a.md\n"), "{texts:?}");
}

#[tokio::test]
async fn models_are_never_mixed() {
    let store = store_of(&[FILES[0], FILES[2]]);
    embed(&store, &fake("one", 99), false).await;
    assert!(
        DenseIndex::load(&store, "two", DEFAULT_BYTES)
            .unwrap()
            .is_none()
    ); // 55
    embed(&store, &fake("two", 99), false).await;
    for model in ["one", "two"] {
        let index = DenseIndex::load(&store, model, DEFAULT_BYTES)
            .unwrap()
            .unwrap();
        assert_eq!((index.model(), index.vectors()), (model, 2));
        assert!(index.closest(&[1.0, 2.0, 3.0], 5, None).is_empty()); // 56
    }
}

#[tokio::test]
async fn the_words_rank_alone_until_enough_chunks_have_a_vector() {
    let store = store_of(&FILES);
    embed(&store, &fake("m", 99), false).await;
    let index = DenseIndex::load(&store, "m", DEFAULT_BYTES)
        .unwrap()
        .unwrap();
    let close = |index: &DenseIndex| find_close(&store, index, &[1.0, 9.0], None).unwrap();
    assert!(close(&index).is_none(), "not calibrated");
    let calibrate = |dense_weight| {
        let calibration = Calibration {
            dense_weight,
            gain: (0.0, 0.0, 0.0),
            k: 10.0,
            threshold: (0.4, 0.4, 0.4),
            coverage: Vec::new(),
            cosine: Vec::new(),
            pairs: 50,
            at_ms: 0,
        };
        store.put_calibration("m", &calibration).unwrap();
    };
    calibrate(0.5);
    assert!(close(&index).is_none(), "a third has no vector");
    let chunk = store.chunks_without_vector("m", None, 1).unwrap().remove(0);
    store
        .put_vectors("m", &[(chunk.id, vec![1.0, 1.0])])
        .unwrap();
    let index = DenseIndex::load(&store, "m", DEFAULT_BYTES)
        .unwrap()
        .unwrap();
    let leg = close(&index).unwrap();
    assert_eq!(leg.chunks.len(), 3);
    assert!((leg.as_leg().fusion.k - 10.0).abs() < 1e-9);
    let elsewhere = find_close(&store, &index, &[1.0, 9.0], Some("elsewhere")).unwrap();
    assert!(elsewhere.unwrap().chunks.is_empty());
    calibrate(0.0);
    assert!(close(&index).is_none(), "no weight");
}

/// A store with these vectors, one document each.
fn store_with(vectors: &[Vec<f32>]) -> epitome_index::MemoryStore {
    let names: Vec<_> = (0..vectors.len()).map(|n| format!("{n:03}.md")).collect();
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), "text")).collect();
    let store = store_of(&files);
    let chunks = store.chunks_without_vector("m", None, usize::MAX).unwrap();
    let ids = chunks.iter().map(|chunk| chunk.id);
    let vectors: Vec<_> = ids.zip(vectors.iter().cloned()).collect();
    store.put_vectors("m", &vectors).unwrap();
    store
}

#[test]
fn vectors_without_a_direction_are_close_to_nothing() {
    let store = store_with(&[vec![0.0, 0.0], vec![1.0, 0.0], vec![-1.0, 0.0]]);
    let index = DenseIndex::load(&store, "m", DEFAULT_BYTES)
        .unwrap()
        .unwrap();
    let found = index.closest(&[2.0, 0.0], 9, None);
    let cosines: Vec<_> = found.iter().filter_map(|chunk| chunk.cosine).collect();
    assert_eq!(cosines, [1.0, -1.0]);
    assert!(index.closest(&[0.0, 0.0], 9, None).is_empty());
}

#[test]
fn memory_is_bounded() {
    let store = store_with(&vec![vec![1.0; 64]; 8]);
    let check = |most_bytes, expected: Option<bool>| {
        let index = DenseIndex::load(&store, "m", most_bytes).unwrap();
        assert_eq!(index.map(|index| !index.exact.is_empty()), expected);
    };
    check(8 * (64 * 5 + 24), Some(true));
    check(8 * (64 + 24), Some(false));
    check(8 * 64, None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_scan_finds_what_the_exact_products_do(
        vectors in prop::collection::vec(prop::collection::vec(-1.0_f32..1.0, 12), 1..60),
        query in prop::collection::vec(-1.0_f32..1.0, 12),
    ) {
        let store = store_with(&vectors);
        let (Some(index), Some(query)) = (DenseIndex::load(&store, "m", DEFAULT_BYTES).unwrap(), unit(&query)) else {
            return Ok(());
        };
        let mut exact: Vec<f64> = vectors
            .iter()
            .filter_map(|vector| unit(vector))
            .map(|vector| f64::from(dot(&query, &vector)))
            .collect();
        exact.sort_by(|a, b| b.total_cmp(a));
        let found = index.closest(&query, 5, None);
        prop_assert_eq!(found.len(), exact.len().min(5));
        for (found, exact) in found.iter().zip(exact) {
            prop_assert!((found.score - exact).abs() < 1e-6);
        }
    }
}
