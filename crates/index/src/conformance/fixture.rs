//! Small flushes to test with.

use epitome_core::id::{CallKey, ConversationId, ShortRef};

use crate::model::{
    Conversation, Flush, FlushedBatch, FlushedCall, FlushedFate, KeptCall, LeftReason, StoredCall,
    StoredFate,
};

pub(crate) fn id(session: &str) -> ConversationId {
    ConversationId::of_session("pi", session)
}

pub(crate) fn key(id: &str, occurrence: u32) -> CallKey {
    CallKey {
        id: id.to_owned(),
        occurrence,
    }
}

pub(crate) fn conversation(session: &str) -> Conversation {
    Conversation {
        id: id(session),
        format: "pi".to_owned(),
        session_id: session.to_owned(),
        title: format!("{session}.jsonl"),
        parent: None,
        created_ms: 500,
    }
}

pub(crate) fn flush<'a>(session: &str, batches: Vec<FlushedBatch<'a>>) -> Flush<'a> {
    Flush {
        conversation: conversation(session),
        at_ms: 1000,
        batches,
    }
}

pub(crate) fn at(at_ms: i64, flush: Flush<'_>) -> Flush<'_> {
    Flush { at_ms, ..flush }
}

pub(crate) fn batch(turn: u32, calls: Vec<FlushedCall<'_>>) -> FlushedBatch<'_> {
    FlushedBatch {
        turn,
        summary: String::new(),
        raw_chars: 0,
        summary_chars: 0,
        calls,
    }
}

pub(crate) fn kept<'a>(id: &str, number: u32, result: &'a [u8]) -> FlushedCall<'a> {
    kept_as(id, number, result, false)
}

pub(crate) fn kept_as<'a>(
    id: &str,
    number: u32,
    result: &'a [u8],
    duplicate: bool,
) -> FlushedCall<'a> {
    let fate = FlushedFate::Kept(KeptCall {
        short: ShortRef::new(number).unwrap(),
        duplicate,
        content_hash: "0a".to_owned(),
        args: b"{}",
        result,
        bullets: "- bullet".to_owned(),
        rendering: format!("stub of {id}"),
    });
    FlushedCall {
        fate,
        ..left(id, LeftReason::Stub)
    }
}

pub(crate) fn left(id: &str, reason: LeftReason) -> FlushedCall<'static> {
    FlushedCall {
        key: key(id, 1),
        tool: "bash".to_owned(),
        is_error: false,
        timestamp: None,
        lines: 2,
        bytes: 3,
        fate: FlushedFate::Left(reason),
    }
}

/// Provider id and number of the ref of each call.
pub(crate) fn refs(calls: &[StoredCall]) -> Vec<(&str, Option<u32>)> {
    let number = |call: &StoredCall| match call.fate {
        StoredFate::Kept { short, .. } => Some(short.number()),
        StoredFate::Left(_) => None,
    };
    calls
        .iter()
        .map(|call| (call.key.id.as_str(), number(call)))
        .collect()
}

/// Bytes that do not compress, always the same ones for a seed.
pub(crate) fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut step = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..length).map(|_| step()).collect()
}
