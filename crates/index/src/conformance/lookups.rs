//! Finding conversations, calls and originals.

use epitome_core::id::{BlobId, ConversationId, ShortRef};

use super::fixture::{at, batch, conversation, flush, id, kept, kept_as, key, left, noise, refs};
use crate::model::LeftReason;
use crate::{ErrorKind, Store};

pub(super) fn conversations_come_in_pages(store: &dyn Store) {
    let mut ids: Vec<ConversationId> = ["a", "b", "c", "d", "e"].map(id).to_vec();
    for name in ["a", "b", "c", "d", "e"] {
        store.put_conversation(&conversation(name)).unwrap();
    }
    ids.sort();
    let page = |after: Option<&ConversationId>, limit| -> Vec<ConversationId> {
        let found = store.conversations(after, limit).unwrap();
        found
            .into_iter()
            .map(|summary| summary.conversation.id)
            .collect()
    };
    assert_eq!(page(None, 2), ids[..2]);
    assert_eq!(page(Some(&ids[1]), 2), ids[2..4]);
    assert_eq!(page(Some(&ids[3]), 2), ids[4..]);
    assert_eq!(page(Some(&ids[4]), 2), []);
    assert_eq!(page(None, usize::MAX), ids);
    assert_eq!(page(None, 0), []);
}

pub(super) fn totals_count_duplicates_but_equal_bytes_once(store: &dyn Store) {
    store.put_conversation(&conversation("a")).unwrap();
    let before = store.conversations(None, 1).unwrap().remove(0);
    assert_eq!(
        (before.batches, before.refs, before.original_bytes),
        (0, 0, 0)
    );
    assert_eq!(before.updated_ms, 500);

    let duplicate = kept_as("call_2", 1, b"same", true);
    let calls = vec![
        kept("call_1", 1, b"same"),
        duplicate,
        left("call_3", LeftReason::Stub),
    ];
    store
        .commit_flush(&flush("a", vec![batch(0, calls)]))
        .unwrap();
    let later = at(
        2000,
        flush("a", vec![batch(1, vec![kept("call_4", 2, b"more")])]),
    );
    store.commit_flush(&later).unwrap();
    let after = store.conversations(None, 1).unwrap().remove(0);
    // `{}`, `same` and `more`, each once.
    assert_eq!(
        (after.batches, after.refs, after.original_bytes),
        (2, 3, 10)
    );
    assert_eq!(after.updated_ms, 2000);
}

pub(super) fn refs_resolve_inside_and_across_conversations(store: &dyn Store) {
    for name in ["a", "b"] {
        let duplicate = kept_as("call_9", 1, b"output", true);
        let batches = vec![
            batch(
                0,
                vec![kept("call_1", 1, b"output"), kept("call_2", 2, b"output")],
            ),
            batch(1, vec![duplicate, left("call_3", LeftReason::TooSmall)]),
        ];
        store.commit_flush(&flush(name, batches)).unwrap();
    }
    let one = store.calls_by_ref(Some(&id("b")), ShortRef::FIRST).unwrap();
    assert_eq!(refs(&one), [("call_1", Some(1)), ("call_9", Some(1))]);
    assert!(one.iter().all(|call| call.conversation == id("b")));
    let all = store.calls_by_ref(None, ShortRef::FIRST).unwrap();
    let mut order = [id("a"), id("a"), id("b"), id("b")];
    order.sort();
    assert_eq!(
        all.iter()
            .map(|call| call.conversation.clone())
            .collect::<Vec<_>>(),
        order
    );
    assert_eq!(
        store.calls_by_ref(None, ShortRef::new(3).unwrap()).unwrap(),
        []
    );
    assert_eq!(
        store.calls_by_ref(Some(&id("c")), ShortRef::FIRST).unwrap(),
        []
    );
}

pub(super) fn provider_ids_resolve_by_occurrence(store: &dyn Store) {
    let mut again = kept("call_1", 2, b"again");
    again.key = key("call_1", 2);
    let mut third = left("call_1", LeftReason::Protected);
    third.key = key("call_1", 3);
    let calls = vec![again, kept("call_1", 1, b"output"), third];
    store
        .commit_flush(&flush("a", vec![batch(0, calls)]))
        .unwrap();
    store
        .commit_flush(&flush(
            "b",
            vec![batch(0, vec![kept("call_1", 7, b"else")])],
        ))
        .unwrap();
    let found = store
        .calls_by_provider_id(Some(&id("a")), "call_1")
        .unwrap();
    assert_eq!(refs(&found), [("call_1", Some(1)), ("call_1", Some(2))]);
    assert_eq!(store.calls_by_provider_id(None, "call_1").unwrap().len(), 3);
    assert_eq!(store.calls_by_provider_id(None, "call").unwrap(), []);
}

pub(super) fn originals_of_any_size_come_back(store: &dyn Store) {
    let text = "line of text\n".repeat(20_000);
    let samples = [
        Vec::new(),
        vec![0],
        vec![b'a'; 63],
        vec![b'a'; 64],
        vec![0; 100_000],
        b"\xff\xfe\x00 not UTF-8 \"\\ud800\"".to_vec(),
        text.into_bytes(),
        noise(1, 63),
        noise(2, 64),
        noise(3, 8192),
        noise(4, 300_001),
    ];
    for (number, sample) in samples.iter().enumerate() {
        let call = kept(&format!("call_{number}"), number as u32 + 1, sample);
        let new = store
            .commit_flush(&flush("a", vec![batch(0, vec![call])]))
            .unwrap();
        assert!(new >= sample.len() as u64);
        assert_eq!(&store.original(&BlobId::of(sample)).unwrap(), sample);
    }
}

pub(super) fn a_large_original_comes_back(store: &dyn Store) {
    let mut large = noise(5, 4 << 20).repeat(16);
    large.extend_from_slice(b"end");
    let call = kept("call_1", 1, &large);
    store
        .commit_flush(&flush("a", vec![batch(0, vec![call])]))
        .unwrap();
    assert!(store.original(&BlobId::of(&large)).unwrap() == large);
}

pub(super) fn a_missing_original_is_an_error(store: &dyn Store) {
    let error = store.original(&BlobId::of(b"missing")).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Damaged { .. }), "{error}");
}

pub(super) fn equal_bytes_are_one_blob(store: &dyn Store) {
    let calls = vec![kept("call_1", 1, b"{}"), kept("call_2", 2, b"{}")];
    assert_eq!(
        store
            .commit_flush(&flush("a", vec![batch(0, calls)]))
            .unwrap(),
        2
    );
    assert_eq!(
        store
            .commit_flush(&flush("b", vec![batch(0, vec![kept("x", 1, b"{}")])]))
            .unwrap(),
        0
    );
    assert_eq!(store.check().unwrap().blobs, 1);
}

pub(super) fn a_checked_store_is_counted(store: &dyn Store) {
    let calls = vec![
        kept("call_1", 1, b"output"),
        left("call_2", LeftReason::Ambiguous),
    ];
    store
        .commit_flush(&flush("a", vec![batch(0, calls)]))
        .unwrap();
    store.put_conversation(&conversation("b")).unwrap();
    let report = store.check().unwrap();
    assert_eq!(
        (report.conversations, report.blobs, report.blob_bytes),
        (2, 2, 8)
    );
    assert_eq!(report.problems, [""; 0]);
}
