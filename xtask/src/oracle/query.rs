//! The recovery tool, over a small index that resolves refs as condense specification 7.7 says.

use epitome_core::answer::{AnswerBlock, AnswerOccurrence, RecoveredCall, format_answer};
use epitome_core::call::{CapturedCall, SummaryRef};
use epitome_core::occurrence::OccurrenceKey;
use epitome_core::truncate::{Position, RECOVERY_LIMITS, read_page};
use serde_json::{Value, json};

use super::calls::call_of;
use super::summary::refs_of;
use super::texts_of;

struct Record {
    key: OccurrenceKey,
    call: CapturedCall,
    turn: Option<usize>,
    /// Time that orders the occurrences of one id.
    time: i64,
}

struct Index {
    records: Vec<Record>,
    refs: Vec<SummaryRef>,
}

/// Answers a query.
pub(super) fn answer(args: &Value) -> Value {
    let index = Index::of(&args["indexer"]);
    let inputs: Vec<String> = texts_of(&args["toolCallIds"]);
    let found: Vec<(String, Vec<(String, &Record)>)> = inputs
        .into_iter()
        .map(|input| {
            let records = index.find(&input);
            (input, records)
        })
        .collect();
    let mut blocks = Vec::new();
    let mut labels: Vec<&str> = Vec::new();
    for (input, records) in &found {
        if records.is_empty() {
            blocks.push(AnswerBlock::Unknown { input });
        }
        for (label, record) in records {
            blocks.push(AnswerBlock::Call(recovered(label, record, records.len())));
            if !labels.contains(&label.as_str()) {
                labels.push(label);
            }
        }
    }
    json!({"text": format_answer(&blocks), "labels": labels})
}

fn recovered<'a>(label: &'a str, record: &'a Record, records: usize) -> RecoveredCall<'a> {
    let Record {
        key, call, turn, ..
    } = record;
    RecoveredCall {
        label,
        occurrence: match key.timestamp {
            None if records > 1 => AnswerOccurrence::Legacy,
            _ => AnswerOccurrence::Labelled,
        },
        tool: &call.tool,
        args: &call.args,
        is_error: call.is_error,
        turn: *turn,
        body: read_page(&call.text, Position::START, RECOVERY_LIMITS),
    }
}

impl Index {
    fn of(indexer: &Value) -> Self {
        let mut records: Vec<Record> = Vec::new();
        for batch in indexer["batches"].as_array().into_iter().flatten() {
            let turn = batch["turnIndex"].as_u64().map(|turn| turn as usize);
            for call in batch["toolCalls"].as_array().into_iter().flatten() {
                let call = call_of(call);
                let key = OccurrenceKey::of_call(&call);
                let time = call.timestamp.or(batch["timestamp"].as_i64()).unwrap_or(0);
                records.retain(|record| record.key != key);
                records.push(Record {
                    key,
                    call,
                    turn,
                    time,
                });
            }
        }
        records.sort_by_key(|record| record.time);
        Self {
            records,
            refs: refs_of(&indexer["refs"]),
        }
    }

    /// The records that an input names, each with its label.
    fn find(&self, input: &str) -> Vec<(String, &Record)> {
        let of_id: Vec<&Record> = self
            .records
            .iter()
            .filter(|record| record.key.id == input)
            .collect();
        if of_id.len() > 1 {
            return of_id
                .iter()
                .map(|record| (record.key.to_string(), *record))
                .collect();
        }
        let by_ref = self
            .refs
            .iter()
            .find(|r| r.short == input)
            .map(OccurrenceKey::of_ref);
        let by_key = self
            .records
            .iter()
            .find(|record| Some(&record.key) == by_ref.as_ref() || record.key.to_string() == input);
        let single = of_id.first().copied().or(by_key);
        single
            .map(|record| (input.to_owned(), record))
            .into_iter()
            .collect()
    }
}
