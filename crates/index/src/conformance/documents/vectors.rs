//! Vectors and calibrations.

use std::ops::ControlFlow;

use epitome_core::id::ChunkId;

use super::fixture::put;
use crate::documents::model::Calibration;
use crate::{DocumentStore, ErrorKind};

fn visited<S: DocumentStore>(store: &S, model: &str) -> Vec<(ChunkId, i32, Vec<f32>)> {
    let mut seen = Vec::new();
    store
        .visit_vectors(model, &mut |found| {
            seen.push((found.chunk, found.position, found.vector.to_vec()));
            ControlFlow::Continue(())
        })
        .unwrap();
    seen
}

pub(crate) fn vectors_come_back_by_chunk<S: DocumentStore>(store: &S) {
    let id = put(store, "notes/a.md", "A", "one\n\ntwo\n\nthree");
    let ids: Vec<_> = store.chunks(id).unwrap().iter().map(|c| c.id).collect();
    let first = vec![1.5, -0.0, f32::MIN_POSITIVE];
    let third = vec![0.1, 2.0, -3.0];
    let new = [
        (ids[2], third.clone()),
        (ids[0], vec![0.0; 3]),
        (ChunkId(99), first.clone()),
    ];
    store.put_vectors("m", &new).unwrap();
    store.put_vectors("m", &[(ids[0], first.clone())]).unwrap();
    store.put_vectors("other", &[(ids[0], vec![1.0])]).unwrap();
    store.put_vectors("none", &[]).unwrap();
    let expected = [(ids[0], 0, first), (ids[2], 2, third)];
    assert_eq!(visited(store, "m"), expected);
    assert_eq!(visited(store, "lost"), []);
    let models = [("m".to_owned(), 3, 2), ("other".to_owned(), 1, 1)];
    assert_eq!(store.vector_models().unwrap(), models);
    let mut seen = 0;
    let mut stop = |_: crate::documents::model::ChunkVector<'_>| {
        seen += 1;
        ControlFlow::Break(())
    };
    store.visit_vectors("m", &mut stop).unwrap();
    assert_eq!(seen, 1);

    let lacking = |model: &str, after, limit| -> Vec<ChunkId> {
        let chunks = store.chunks_without_vector(model, after, limit).unwrap();
        assert!(chunks.iter().all(|chunk| !chunk.text.is_empty()));
        chunks.iter().map(|chunk| chunk.id).collect()
    };
    assert_eq!(lacking("m", None, 9), ids[1..2]);
    assert_eq!(lacking("new", None, 2), ids[..2]);
    assert_eq!(lacking("new", Some(ids[1]), 2), ids[2..]);
}

pub(crate) fn vectors_of_a_model_have_one_length<S: DocumentStore>(store: &S) {
    let id = put(store, "notes/a.md", "A", "one\n\ntwo");
    let ids: Vec<_> = store.chunks(id).unwrap().iter().map(|c| c.id).collect();
    let check = |new: &[(ChunkId, Vec<f32>)]| {
        let error = store.put_vectors("m", new).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::VectorLength { .. }),
            "{error}"
        );
    };
    check(&[(ids[0], vec![1.0; 3]), (ids[1], vec![1.0; 2])]);
    assert_eq!(visited(store, "m"), []);
    store.put_vectors("m", &[(ids[0], vec![1.0; 3])]).unwrap();
    check(&[(ids[1], vec![1.0; 4])]);
    put(store, "notes/a.md", "A", "other");
    let ids: Vec<_> = store.chunks(id).unwrap().iter().map(|c| c.id).collect();
    store.put_vectors("m", &[(ids[0], vec![1.0; 4])]).unwrap();
    assert_eq!(store.vector_models().unwrap(), [("m".to_owned(), 4, 1)]);
}

pub(crate) fn calibrations_are_kept_per_model<S: DocumentStore>(store: &S) {
    let calibration = |pairs| Calibration {
        dense_weight: 0.25,
        gain: (0.01, -0.02, 0.03),
        k: 60.0,
        threshold: (0.4, 0.35, 0.45),
        coverage: vec![0.1, 0.9],
        cosine: Vec::new(),
        pairs,
        at_ms: -1,
    };
    store.put_calibration("", &calibration(1)).unwrap();
    store.put_calibration("m", &calibration(2)).unwrap();
    store.put_calibration("m", &calibration(3)).unwrap();
    assert_eq!(store.calibration("").unwrap(), Some(calibration(1)));
    assert_eq!(store.calibration("m").unwrap(), Some(calibration(3)));
    assert_eq!(store.calibration("other").unwrap(), None);
}
