//! Renderings, and forgetting.

use epitome_core::id::BlobId;

use super::fixture::{batch, conversation, flush, id, kept, kept_as};
use crate::model::{NewRendering, RenderingEdit};
use crate::{ErrorKind, Store};

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

pub(super) fn a_rendering_is_recorded_once(store: &dyn Store) {
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

pub(super) fn renderings_are_found_by_length(store: &dyn Store) {
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

pub(super) fn a_rendering_needs_its_conversation(store: &dyn Store) {
    let error = store
        .record_rendering(&rendering(b"output", 1, Vec::new()))
        .unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::UnknownConversation { .. }),
        "{error}"
    );
    assert_eq!(store.renderings(u64::MAX).unwrap(), []);
}

pub(super) fn forgetting_deletes_what_nothing_else_needs(store: &dyn Store) {
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

pub(super) fn forgetting_keeps_children(store: &dyn Store) {
    let mut child = conversation("child");
    child.parent = Some(id("a"));
    store.put_conversation(&conversation("a")).unwrap();
    store.put_conversation(&child).unwrap();
    assert!(store.forget(&id("a")).unwrap().is_some());
    assert_eq!(store.conversation(&child.id).unwrap(), Some(child));
}

pub(super) fn a_forgotten_conversation_can_come_back(store: &dyn Store) {
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
