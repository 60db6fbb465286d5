//! Random histories: the store on disk answers like the one in memory.

use epitome_core::id::{BlobId, ShortRef};
use proptest::prelude::*;

use super::fixture::{at, batch, conversation, flush, id, kept_as, key, left};
use crate::model::{FlushedCall, LeftReason, NewRendering, RenderingEdit};
use crate::{MemoryStore, SqliteStore, Store};

/// One step of a history; small numbers, so that steps meet.
#[derive(Debug, Clone)]
enum Step {
    Flush {
        session: u8,
        at_ms: i64,
        batches: Vec<Vec<Call>>,
    },
    Put {
        session: u8,
        parent: Option<u8>,
    },
    Render {
        session: u8,
        output: u8,
        originals: Vec<u8>,
    },
    Forget {
        session: u8,
    },
}

#[derive(Debug, Clone)]
struct Call {
    id: u8,
    occurrence: u32,
    /// A number of a ref, or why it is left.
    fate: Result<u32, usize>,
    result: u8,
}

fn call() -> impl Strategy<Value = Call> {
    let fate = prop_oneof![3 => (1..4_u32).prop_map(Ok), 1 => (0..2_usize).prop_map(Err)];
    (0..3_u8, 1..3_u32, fate, 0..4_u8).prop_map(|(id, occurrence, fate, result)| Call {
        id,
        occurrence,
        fate,
        result,
    })
}

fn step() -> impl Strategy<Value = Step> {
    let calls = proptest::collection::vec(call(), 0..4);
    let batches = proptest::collection::vec(calls, 0..3);
    let flush = (0..3_u8, 0..5_i64, batches);
    let put = (0..3_u8, proptest::option::of(0..3_u8));
    let originals = proptest::collection::vec(0..4_u8, 0..3);
    prop_oneof![
        6 => flush.prop_map(|(session, at_ms, batches)| Step::Flush { session, at_ms, batches }),
        1 => put.prop_map(|(session, parent)| Step::Put { session, parent }),
        1 => (0..3_u8, 0..3_u8, originals)
            .prop_map(|(session, output, originals)| Step::Render { session, output, originals }),
        1 => (0..3_u8).prop_map(|session| Step::Forget { session }),
    ]
}

fn name(session: u8) -> String {
    format!("session-{session}")
}

fn original(number: u8) -> Vec<u8> {
    vec![b'a' + number; usize::from(number) * 50]
}

/// Takes a step and tells what the store answered.
fn take(store: &dyn Store, step: &Step) -> String {
    let originals: Vec<Vec<u8>> = (0..4).map(original).collect();
    match step {
        Step::Flush {
            session,
            at_ms,
            batches,
        } => {
            let flushed = |call: &Call| -> FlushedCall<'_> {
                let id = call.id.to_string();
                let made = match call.fate {
                    Ok(number) => {
                        let result = &originals[usize::from(call.result)];
                        kept_as(&id, number, result, call.result.is_multiple_of(2))
                    }
                    Err(reason) => left(&id, LeftReason::ALL[reason]),
                };
                FlushedCall {
                    key: key(&id, call.occurrence),
                    ..made
                }
            };
            let batches = batches.iter().enumerate();
            let batches = batches
                .map(|(turn, calls)| batch(turn as u32, calls.iter().map(flushed).collect()));
            let flush = flush(&name(*session), batches.collect());
            format!("{:?}", store.commit_flush(&at(*at_ms, flush)))
        }
        Step::Put { session, parent } => {
            let mut made = conversation(&name(*session));
            made.parent = parent.map(|parent| id(&name(parent)));
            format!("{:?}", store.put_conversation(&made))
        }
        Step::Render {
            session,
            output,
            originals: numbers,
        } => {
            let edits = numbers
                .iter()
                .enumerate()
                .map(|(offset, number)| RenderingEdit {
                    offset: offset as u64,
                    length: 1,
                    original: &originals[usize::from(*number)],
                });
            let rendering = NewRendering {
                conversation: id(&name(*session)),
                output: BlobId::of(&[*output]),
                output_length: u64::from(output % 2),
                source: BlobId::of(b""),
                source_length: 0,
                at_ms: 0,
                edits: edits.collect(),
            };
            format!("{:?}", store.record_rendering(&rendering))
        }
        Step::Forget { session } => format!("{:?}", store.forget(&id(&name(*session)))),
    }
}

/// All that a store can tell, but for the figures that only a file has.
fn tell(store: &dyn Store) -> String {
    let mut told = vec![format!("{:?}", store.conversations(None, usize::MAX))];
    for session in 0..3 {
        let id = id(&name(session));
        told.push(format!("{:?}", store.conversation(&id)));
        told.push(format!("{:?}", store.batches(&id)));
        told.push(format!("{:?}", store.calls(&id)));
        told.push(format!(
            "{:?}",
            store.calls_by_ref(Some(&id), ShortRef::FIRST)
        ));
        told.push(format!("{:?}", store.calls_by_provider_id(Some(&id), "1")));
    }
    for number in 1..4 {
        told.push(format!(
            "{:?}",
            store.calls_by_ref(None, ShortRef::new(number).unwrap())
        ));
        told.push(format!(
            "{:?}",
            store.calls_by_provider_id(None, &number.to_string())
        ));
    }
    told.push(format!("{:?}", store.renderings(u64::MAX)));
    for number in 0..4 {
        told.push(format!(
            "{:?}",
            store.rendering_edits(&BlobId::of(&[number]))
        ));
        told.push(format!(
            "{:?}",
            store.original(&BlobId::of(&original(number))).ok()
        ));
    }
    let report = store.check().unwrap();
    told.push(format!(
        "{:?}",
        (report.conversations, report.blobs, report.blob_bytes)
    ));
    assert_eq!(report.problems, [""; 0]);
    told.join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_store_on_disk_answers_like_the_one_in_memory(
        steps in proptest::collection::vec(step(), 1..12),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let disk = SqliteStore::open(folder.path().join("store.db")).unwrap();
        let memory = MemoryStore::new();
        for step in &steps {
            prop_assert_eq!(take(&disk, step), take(&memory, step));
        }
        prop_assert_eq!(tell(&disk), tell(&memory));
    }
}
