//! Functions around calls: protection, capture, grouping, identity.

use std::convert::Infallible;

use epitome_core::batch::{self, Batching};
use epitome_core::call::{CapturedBatch, CapturedCall};
use epitome_core::capture;
use epitome_core::glob::Glob;
use epitome_core::occurrence::{OccurrenceKey, timestamp_of};
use epitome_core::protect::Protection;
use serde_json::{Value, json};

use super::texts_of;

pub(super) fn glob_match(args: &Value) -> Value {
    let text = |key: &str| args[key].as_str().unwrap_or_default();
    Glob::new(text("pattern")).matches(text("path")).into()
}

pub(super) fn is_protected(args: &Value) -> Value {
    let protection = protection_of(&args["config"]);
    let tool = args["toolName"].as_str().unwrap_or_default();
    protection.protects(tool, &args["args"].to_string()).into()
}

pub(super) fn group_batches(args: &Value) -> Value {
    let mut batches = args["batches"].as_array().cloned().unwrap_or_default();
    move_groups(&mut batches, 1);
    // The reference system takes any other mode for this one; our configuration refuses it.
    let batching = match args["mode"].as_str() {
        Some("agent-message") => Batching::AgentMessage,
        _ => Batching::Turn,
    };
    let grouped = batch::group_batches(batches.iter().map(batch_of).collect(), batching);
    let mut grouped: Vec<Value> = grouped.iter().map(batch_value).collect();
    move_groups(&mut grouped, -1);
    grouped.into()
}

/// Renumbers groups: some vectors count from -1, which no capture does.
fn move_groups(batches: &mut [Value], by: i64) {
    for batch in batches {
        if let Some(group) = batch["userTurnGroup"].as_i64() {
            batch["userTurnGroup"] = (group + by).into();
        }
    }
}

pub(super) fn capture_branch(args: &Value) -> Value {
    let branch = args["branch"].as_array().map_or(&[][..], Vec::as_slice);
    let summarized: Vec<String> = texts_of(&args["summarized"]);
    let protection = match args.get("protection") {
        Some(config) => protection_of(config),
        None => Protection::none(),
    };
    let is_summarized = |key: &OccurrenceKey| summarized.contains(&key.to_string());
    let batches = capture::capture_branch(branch, is_summarized, &protection, 0);
    batches.iter().map(batch_value).collect()
}

pub(super) fn format_occurrence(args: &Value) -> Value {
    let key = OccurrenceKey {
        id: args["toolCallId"].as_str().unwrap_or_default().to_owned(),
        timestamp: timestamp_of(args.get("resultTimestamp")),
    };
    key.to_string().into()
}

pub(super) fn parse_occurrence(args: &Value) -> Value {
    let key: OccurrenceKey = args["key"]
        .as_str()
        .unwrap_or_default()
        .parse()
        .unwrap_or_else(|never: Infallible| match never {});
    let mut value = json!({"toolCallId": key.id});
    if let Some(timestamp) = key.timestamp {
        value["resultTimestamp"] = timestamp.into();
    }
    value
}

/// The protection of a vector. The reference system knows one argument that holds a path.
pub(super) fn protection_of(config: &Value) -> Protection {
    let list = |key: &str| texts_of(&config[key]);
    let mut protection = Protection::new(&list("protectedTools"), &list("protectedPaths"));
    protection.arguments = vec!["path".to_owned()];
    protection
}

/// The batch that a vector spells.
pub(super) fn batch_of(value: &Value) -> CapturedBatch {
    let calls = value["toolCalls"].as_array().into_iter().flatten();
    CapturedBatch {
        turn: value["turnIndex"].as_u64().unwrap_or_default() as usize,
        timestamp: value["timestamp"].as_i64().unwrap_or_default(),
        assistant_text: text_of(value, "assistantText"),
        user_turn_group: value["userTurnGroup"].as_u64().map(|group| group as usize),
        calls: calls.map(call_of).collect(),
    }
}

/// The call that a vector spells.
pub(super) fn call_of(value: &Value) -> CapturedCall {
    CapturedCall {
        id: text_of(value, "toolCallId"),
        tool: text_of(value, "toolName"),
        args: value["args"].to_string(),
        text: text_of(value, "resultText"),
        is_error: value["isError"] == Value::Bool(true),
        timestamp: timestamp_of(value.get("resultTimestamp")),
        other_blocks: 0,
    }
}

fn text_of(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn batch_value(batch: &CapturedBatch) -> Value {
    let mut value = json!({
        "turnIndex": batch.turn,
        "timestamp": batch.timestamp,
        "assistantText": batch.assistant_text,
        "toolCalls": batch.calls.iter().map(call_value).collect::<Vec<_>>(),
    });
    if let Some(group) = batch.user_turn_group {
        value["userTurnGroup"] = group.into();
    }
    value
}

fn call_value(call: &CapturedCall) -> Value {
    let mut value = json!({
        "toolCallId": call.id,
        "toolName": call.tool,
        "args": serde_json::from_str::<Value>(&call.args).unwrap_or_default(),
        "resultText": call.text,
        "isError": call.is_error,
    });
    if let Some(timestamp) = call.timestamp {
        value["resultTimestamp"] = timestamp.into();
    }
    value
}
