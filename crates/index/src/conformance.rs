//! The conformance suite: every behaviour that the trait promises, run against every store.

mod fixture;
mod random;

use epitome_core::id::{BlobId, ConversationId, ShortRef};

use crate::model::{FlushedFate, LeftReason, NewRendering, RenderingEdit, StoredFate};
use crate::{ErrorKind, Store};
use fixture::{at, batch, conversation, flush, id, kept, kept_as, key, left, noise, refs};

/// Runs each test against each store.
macro_rules! conform {
    ($($test:ident),* $(,)?) => {
        mod memory {
            $(#[test] fn $test() { super::$test(&crate::MemoryStore::new()); })*
        }
        mod sqlite {
            $(#[test] fn $test() {
                let folder = tempfile::tempdir().unwrap();
                let store = crate::SqliteStore::open(folder.path().join("store.db")).unwrap();
                super::$test(&store);
            })*
        }
    };
}

conform![
    an_empty_store_has_nothing,
    a_flush_is_found_by_every_way,
    a_conversation_keeps_its_first_facts,
    a_parent_is_filled_in_once,
    conversations_come_in_pages,
    totals_count_duplicates_but_equal_bytes_once,
    a_repeated_flush_changes_nothing,
    a_flush_without_news_makes_no_batch,
    the_first_flush_of_a_call_wins,
    a_left_call_can_be_kept_later,
    a_left_call_can_get_another_reason,
    only_the_news_of_a_batch_are_added,
    batches_are_numbered_per_conversation,
    refs_resolve_inside_and_across_conversations,
    provider_ids_resolve_by_occurrence,
    originals_of_any_size_come_back,
    a_large_original_comes_back,
    a_missing_original_is_an_error,
    equal_bytes_are_one_blob,
    a_rendering_is_recorded_once,
    renderings_are_found_by_length,
    a_rendering_needs_its_conversation,
    forgetting_deletes_what_nothing_else_needs,
    forgetting_keeps_children,
    a_forgotten_conversation_can_come_back,
    a_checked_store_is_counted,
    stores_are_shared_between_threads,
];

fn an_empty_store_has_nothing(store: &dyn Store) {
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

fn a_flush_is_found_by_every_way(store: &dyn Store) {
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

fn a_conversation_keeps_its_first_facts(store: &dyn Store) {
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

fn a_parent_is_filled_in_once(store: &dyn Store) {
    store.commit_flush(&flush("a", Vec::new())).unwrap();
    for parent in ["first", "second"] {
        let mut child = conversation("a");
        child.parent = Some(id(parent));
        store.put_conversation(&child).unwrap();
    }
    let stored = store.conversation(&id("a")).unwrap().unwrap();
    assert_eq!(stored.parent, Some(id("first")));
}

fn conversations_come_in_pages(store: &dyn Store) {
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

fn totals_count_duplicates_but_equal_bytes_once(store: &dyn Store) {
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

fn a_repeated_flush_changes_nothing(store: &dyn Store) {
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

fn a_flush_without_news_makes_no_batch(store: &dyn Store) {
    store
        .commit_flush(&flush("a", vec![batch(0, Vec::new())]))
        .unwrap();
    assert_eq!(store.batches(&id("a")).unwrap(), []);
    assert!(store.conversation(&id("a")).unwrap().is_some());
}

fn the_first_flush_of_a_call_wins(store: &dyn Store) {
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

fn a_left_call_can_be_kept_later(store: &dyn Store) {
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

fn a_left_call_can_get_another_reason(store: &dyn Store) {
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

fn only_the_news_of_a_batch_are_added(store: &dyn Store) {
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

fn batches_are_numbered_per_conversation(store: &dyn Store) {
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

fn refs_resolve_inside_and_across_conversations(store: &dyn Store) {
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

fn provider_ids_resolve_by_occurrence(store: &dyn Store) {
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

fn originals_of_any_size_come_back(store: &dyn Store) {
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

fn a_large_original_comes_back(store: &dyn Store) {
    let mut large = noise(5, 4 << 20).repeat(16);
    large.extend_from_slice(b"end");
    let call = kept("call_1", 1, &large);
    store
        .commit_flush(&flush("a", vec![batch(0, vec![call])]))
        .unwrap();
    assert!(store.original(&BlobId::of(&large)).unwrap() == large);
}

fn a_missing_original_is_an_error(store: &dyn Store) {
    let error = store.original(&BlobId::of(b"missing")).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Damaged { .. }), "{error}");
}

fn equal_bytes_are_one_blob(store: &dyn Store) {
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

fn rendering<'a>(output: &[u8], length: u64, edits: Vec<RenderingEdit<'a>>) -> NewRendering<'a> {
    NewRendering {
        conversation: id("a"),
        output: BlobId::of(output),
        output_length: length,
        source: BlobId::of(b"source"),
        source_length: 900,
        at_ms: 77,
        edits,
    }
}

fn a_rendering_is_recorded_once(store: &dyn Store) {
    store.put_conversation(&conversation("a")).unwrap();
    let edits = vec![
        RenderingEdit {
            offset: 10,
            length: 0,
            original: b"inserted nothing",
        },
        RenderingEdit {
            offset: 10,
            length: 5,
            original: b"original",
        },
        RenderingEdit {
            offset: 99,
            length: 1,
            original: b"",
        },
    ];
    store
        .record_rendering(&rendering(b"output", 100, edits))
        .unwrap();
    let other = vec![RenderingEdit {
        offset: 1,
        length: 2,
        original: b"other",
    }];
    store
        .record_rendering(&rendering(b"output", 100, other))
        .unwrap();

    let found = store.renderings(100).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].output, found[0].source),
        (BlobId::of(b"output"), BlobId::of(b"source"))
    );
    assert_eq!(
        (
            found[0].output_length,
            found[0].source_length,
            found[0].at_ms
        ),
        (100, 900, 77)
    );
    assert_eq!(found[0].conversation, id("a"));
    let edits = store.rendering_edits(&BlobId::of(b"output")).unwrap();
    let shape: Vec<_> = edits
        .iter()
        .map(|edit| (edit.offset, edit.length))
        .collect();
    assert_eq!(shape, [(10, 0), (10, 5), (99, 1)]);
    assert_eq!(store.original(&edits[1].original).unwrap(), b"original");
    assert!(store.original(&BlobId::of(b"other")).is_err());
}

fn renderings_are_found_by_length(store: &dyn Store) {
    store.put_conversation(&conversation("a")).unwrap();
    for length in [30, 10, 20] {
        store
            .record_rendering(&rendering(&[length], u64::from(length), Vec::new()))
            .unwrap();
    }
    let lengths = |at_most| -> Vec<u64> {
        store
            .renderings(at_most)
            .unwrap()
            .iter()
            .map(|found| found.output_length)
            .collect()
    };
    assert_eq!(lengths(u64::MAX), [30, 20, 10]);
    assert_eq!(lengths(20), [20, 10]);
    assert_eq!(lengths(9), [0; 0]);
}

fn a_rendering_needs_its_conversation(store: &dyn Store) {
    let error = store
        .record_rendering(&rendering(b"output", 1, Vec::new()))
        .unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::UnknownConversation { .. }),
        "{error}"
    );
    assert_eq!(store.renderings(u64::MAX).unwrap(), []);
}

fn forgetting_deletes_what_nothing_else_needs(store: &dyn Store) {
    let calls = vec![
        kept("call_1", 1, b"shared"),
        kept_as("call_2", 1, b"alone", true),
    ];
    store
        .commit_flush(&flush("a", vec![batch(0, calls)]))
        .unwrap();
    store
        .commit_flush(&flush(
            "b",
            vec![batch(0, vec![kept("call_1", 1, b"shared")])],
        ))
        .unwrap();
    let edits = vec![RenderingEdit {
        offset: 1,
        length: 2,
        original: b"edited",
    }];
    store
        .record_rendering(&rendering(b"output", 1, edits))
        .unwrap();

    let forgotten = store.forget(&id("a")).unwrap().unwrap();
    assert_eq!(
        (forgotten.refs, forgotten.blobs, forgotten.bytes),
        (2, 2, 11)
    );
    assert_eq!(store.forget(&id("a")).unwrap(), None);
    assert_eq!(store.conversation(&id("a")).unwrap(), None);
    assert_eq!(store.batches(&id("a")).unwrap(), []);
    assert_eq!(store.calls(&id("a")).unwrap(), []);
    assert_eq!(store.renderings(u64::MAX).unwrap(), []);
    assert_eq!(store.rendering_edits(&BlobId::of(b"output")).unwrap(), []);
    assert!(store.original(&BlobId::of(b"alone")).is_err());
    assert!(store.original(&BlobId::of(b"edited")).is_err());
    assert_eq!(store.original(&BlobId::of(b"shared")).unwrap(), b"shared");
    assert_eq!(store.calls(&id("b")).unwrap().len(), 1);
    assert_eq!(store.check().unwrap().problems, [""; 0]);
}

fn forgetting_keeps_children(store: &dyn Store) {
    let mut child = conversation("child");
    child.parent = Some(id("a"));
    store.put_conversation(&conversation("a")).unwrap();
    store.put_conversation(&child).unwrap();
    assert!(store.forget(&id("a")).unwrap().is_some());
    assert_eq!(store.conversation(&child.id).unwrap(), Some(child));
}

fn a_forgotten_conversation_can_come_back(store: &dyn Store) {
    for _ in 0..2 {
        let calls = vec![kept("call_1", 1, b"output")];
        assert_eq!(
            store
                .commit_flush(&flush("a", vec![batch(0, calls)]))
                .unwrap(),
            8
        );
        assert_eq!(store.batches(&id("a")).unwrap()[0].number, 0);
        assert_eq!(store.forget(&id("a")).unwrap().unwrap().bytes, 8);
    }
}

fn a_checked_store_is_counted(store: &dyn Store) {
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

fn stores_are_shared_between_threads(store: &dyn Store) {
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
