//! What flushes store, and what they leave as it is.

use epitome_core::id::{BlobId, ShortRef};

use super::fixture::{at, batch, conversation, flush, id, kept, left, noise, refs};
use crate::Store;
use crate::model::{FlushedFate, LeftReason, StoredFate};

pub(super) fn an_empty_store_has_nothing(store: &dyn Store) {
    let nobody = id("nobody");
    assert_eq!(store.conversation(&nobody).unwrap(), None);
    assert_eq!(store.conversations(None, 10).unwrap(), []);
    assert_eq!(store.batches(&nobody).unwrap(), []);
    assert_eq!(store.calls(&nobody).unwrap(), []);
    assert_eq!(store.calls_by_ref(None, ShortRef::FIRST).unwrap(), []);
    assert_eq!(store.calls_by_provider_id(None, "call_1").unwrap(), []);
    assert_eq!(store.renderings(u64::MAX).unwrap(), []);
    assert_eq!(store.rendering_edits(&BlobId::of(b"")).unwrap(), []);
    assert_eq!(store.forget(&nobody).unwrap(), None);
    assert_eq!(store.check().unwrap().problems, [""; 0]);
    assert!(!store.name().is_empty());
}

pub(super) fn a_flush_is_found_by_every_way(store: &dyn Store) {
    let mut first = batch(
        3,
        vec![
            kept("call_1", 1, b"output"),
            left("call_2", LeftReason::TooSmall),
        ],
    );
    first.summary = "- read a file".to_owned();
    (first.raw_chars, first.summary_chars) = (1200, 13);
    first.calls[0].is_error = true;
    first.calls[0].timestamp = Some(-7);
    let new = store.commit_flush(&flush("a", vec![first])).unwrap();
    assert_eq!(new, 8);

    let conversation = conversation("a");
    assert_eq!(
        store.conversation(&conversation.id).unwrap(),
        Some(conversation.clone())
    );
    let batches = store.batches(&conversation.id).unwrap();
    assert_eq!(batches.len(), 1);
    assert_eq!(
        (batches[0].number, batches[0].turn, batches[0].at_ms),
        (0, 3, 1000)
    );
    assert_eq!((batches[0].raw_chars, batches[0].summary_chars), (1200, 13));
    assert_eq!(batches[0].summary, "- read a file");

    let calls = store.calls(&conversation.id).unwrap();
    assert_eq!(calls.len(), 2);
    let call = &calls[0];
    assert_eq!(
        (call.batch, call.turn, call.is_error, call.timestamp),
        (0, 3, true, Some(-7))
    );
    assert_eq!((call.tool.as_str(), call.lines, call.bytes), ("bash", 2, 3));
    assert_eq!(
        call.fate,
        StoredFate::Kept {
            short: ShortRef::FIRST,
            duplicate: false,
            content_hash: "0a".to_owned(),
            args: BlobId::of(b"{}"),
            result: BlobId::of(b"output"),
            bullets: "- bullet".to_owned(),
            rendering: "stub of call_1".to_owned(),
        }
    );
    assert_eq!(calls[1].fate, StoredFate::Left(LeftReason::TooSmall));
    assert_eq!(calls[1].timestamp, None);
    assert_eq!(
        store.calls_by_ref(None, ShortRef::FIRST).unwrap(),
        calls[..1]
    );
    assert_eq!(
        store.calls_by_provider_id(None, "call_1").unwrap(),
        calls[..1]
    );
    assert_eq!(store.calls_by_provider_id(None, "call_2").unwrap(), []);
    assert_eq!(store.original(&BlobId::of(b"output")).unwrap(), b"output");
}

pub(super) fn a_conversation_keeps_its_first_facts(store: &dyn Store) {
    let first = conversation("a");
    store.put_conversation(&first).unwrap();
    let mut later = flush("a", Vec::new());
    later.conversation.title = "renamed".to_owned();
    later.conversation.created_ms = 99;
    later.conversation.parent = Some(id("other"));
    store.commit_flush(&later).unwrap();
    let stored = store.conversation(&first.id).unwrap().unwrap();
    assert_eq!(
        (stored.title.as_str(), stored.created_ms, stored.parent),
        ("renamed", 500, None)
    );
}

pub(super) fn a_parent_is_filled_in_once(store: &dyn Store) {
    store.commit_flush(&flush("a", Vec::new())).unwrap();
    for parent in ["first", "second"] {
        let mut child = conversation("a");
        child.parent = Some(id(parent));
        store.put_conversation(&child).unwrap();
    }
    let stored = store.conversation(&id("a")).unwrap().unwrap();
    assert_eq!(stored.parent, Some(id("first")));
}

pub(super) fn a_repeated_flush_changes_nothing(store: &dyn Store) {
    let batches = || {
        vec![
            batch(
                0,
                vec![
                    kept("call_1", 1, b"one"),
                    left("call_2", LeftReason::Protected),
                ],
            ),
            batch(1, vec![left("call_3", LeftReason::TooSmall)]),
        ]
    };
    assert!(store.commit_flush(&flush("a", batches())).unwrap() > 0);
    let state = (
        store.batches(&id("a")).unwrap(),
        store.calls(&id("a")).unwrap(),
    );
    let again = store
        .commit_flush(&at(9000, flush("a", batches())))
        .unwrap();
    assert_eq!(again, 0);
    assert_eq!(
        (
            store.batches(&id("a")).unwrap(),
            store.calls(&id("a")).unwrap()
        ),
        state
    );
}

pub(super) fn a_flush_without_news_makes_no_batch(store: &dyn Store) {
    store
        .commit_flush(&flush("a", vec![batch(0, Vec::new())]))
        .unwrap();
    assert_eq!(store.batches(&id("a")).unwrap(), []);
    assert!(store.conversation(&id("a")).unwrap().is_some());
}

pub(super) fn the_first_flush_of_a_call_wins(store: &dyn Store) {
    store
        .commit_flush(&flush(
            "a",
            vec![batch(0, vec![kept("call_1", 1, b"first")])],
        ))
        .unwrap();
    let state = store.calls(&id("a")).unwrap();
    for call in [
        kept("call_1", 2, b"second"),
        left("call_1", LeftReason::Oversized),
    ] {
        assert_eq!(
            store
                .commit_flush(&flush("a", vec![batch(1, vec![call])]))
                .unwrap(),
            0
        );
        assert_eq!(store.calls(&id("a")).unwrap(), state);
    }
    assert!(store.original(&BlobId::of(b"second")).is_err());
}

pub(super) fn a_left_call_can_be_kept_later(store: &dyn Store) {
    let left_ones = vec![left("call_1", LeftReason::TooSmall)];
    store
        .commit_flush(&flush("a", vec![batch(0, left_ones)]))
        .unwrap();
    let kept_ones = vec![kept("call_1", 1, b"output"), kept("call_2", 2, b"output")];
    store
        .commit_flush(&flush("a", vec![batch(4, kept_ones)]))
        .unwrap();
    let calls = store.calls(&id("a")).unwrap();
    assert_eq!(refs(&calls), [("call_1", Some(1)), ("call_2", Some(2))]);
    assert!(calls.iter().all(|call| call.turn == 4));
    // The first batch has no call any more, so it is gone; numbers are not given twice.
    let numbers: Vec<u32> = store
        .batches(&id("a"))
        .unwrap()
        .iter()
        .map(|b| b.number)
        .collect();
    assert_eq!(numbers, [1]);
}

pub(super) fn a_left_call_can_get_another_reason(store: &dyn Store) {
    for reason in LeftReason::ALL {
        let calls = vec![left("call_1", reason)];
        store
            .commit_flush(&flush("a", vec![batch(0, calls)]))
            .unwrap();
        let calls = store.calls(&id("a")).unwrap();
        assert_eq!(calls.len(), 1);
        assert_eq!(calls[0].fate, StoredFate::Left(reason));
    }
}

pub(super) fn only_the_news_of_a_batch_are_added(store: &dyn Store) {
    let first = vec![
        kept("call_1", 1, b"one"),
        left("call_2", LeftReason::NotSmaller),
    ];
    store
        .commit_flush(&flush("a", vec![batch(0, first)]))
        .unwrap();
    let second = vec![kept("call_1", 1, b"one"), kept("call_3", 2, b"three")];
    store
        .commit_flush(&flush("a", vec![batch(1, second)]))
        .unwrap();
    let calls = store.calls(&id("a")).unwrap();
    assert_eq!(
        refs(&calls),
        [("call_1", Some(1)), ("call_2", None), ("call_3", Some(2))]
    );
    let places: Vec<u32> = calls.iter().map(|call| call.batch).collect();
    assert_eq!(places, [0, 0, 1]);
}

pub(super) fn batches_are_numbered_per_conversation(store: &dyn Store) {
    for (name, turn) in [("a", 5), ("b", 9), ("a", 2)] {
        let call = kept(&format!("call_{turn}"), turn, b"output");
        store
            .commit_flush(&flush(name, vec![batch(turn, vec![call])]))
            .unwrap();
    }
    let numbers = |name| -> Vec<(u32, u32)> {
        store
            .batches(&id(name))
            .unwrap()
            .iter()
            .map(|batch| (batch.number, batch.turn))
            .collect()
    };
    assert_eq!(numbers("a"), [(0, 5), (1, 2)]);
    assert_eq!(numbers("b"), [(0, 9)]);
}

pub(super) fn stores_are_shared_between_threads(store: &dyn Store) {
    std::thread::scope(|scope| {
        for thread in 0..4_u32 {
            scope.spawn(move || {
                for turn in 0..10 {
                    let number = thread * 10 + turn + 1;
                    let result = noise(u64::from(number), 500);
                    let call = kept(&format!("call_{number}"), number, &result);
                    assert!(matches!(call.fate, FlushedFate::Kept(_)));
                    store
                        .commit_flush(&flush("a", vec![batch(turn, vec![call])]))
                        .unwrap();
                }
            });
        }
    });
    assert_eq!(store.calls(&id("a")).unwrap().len(), 40);
    let numbers: Vec<u32> = store
        .batches(&id("a"))
        .unwrap()
        .iter()
        .map(|b| b.number)
        .collect();
    assert_eq!(numbers, (0..40).collect::<Vec<_>>());
}
