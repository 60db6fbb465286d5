//! Functions around one summary: labels, refs, the summarizer's input.

use epitome_core::call::SummaryRef;
use epitome_core::{footer, label, serialize};
use serde_json::{Value, json};

use super::calls::batch_of;
use super::texts_of;

pub(super) fn substitute_inline_refs(args: &Value) -> Value {
    let refs: Vec<String> = refs_of(&args["refs"])
        .into_iter()
        .map(|r| r.short)
        .collect();
    let tools: Vec<String> = texts_of(&args["toolNames"]);
    let text = args["text"].as_str().unwrap_or_default();
    label::substitute_labels(text, &refs, &tools).text.into()
}

pub(super) fn format_refs(args: &Value) -> Value {
    footer::format_footer(&refs_of(&args["refs"])).into()
}

pub(super) fn normalize_refs(args: &Value) -> Value {
    let refs = footer::normalize_refs(&args["details"]);
    refs.iter().map(ref_value).collect()
}

pub(super) fn serialize_batch(args: &Value) -> Value {
    serialize::serialize_batch(&batch_of(&args["batch"])).into()
}

/// A list of well-formed refs.
pub(super) fn refs_of(refs: &Value) -> Vec<SummaryRef> {
    footer::normalize_refs(&json!({ "toolCallRefs": refs }))
}

fn ref_value(summary_ref: &SummaryRef) -> Value {
    let mut value = json!({"shortId": summary_ref.short, "toolCallId": summary_ref.call_id});
    if let Some(timestamp) = summary_ref.timestamp {
        value["resultTimestamp"] = timestamp.into();
    }
    value
}
