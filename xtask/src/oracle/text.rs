//! Functions on one result's text.

use epitome_core::hash;
use epitome_core::truncate::{self, CutBy, Limits};
use serde_json::{Value, json};

pub(super) fn normalize(args: &Value) -> Value {
    hash::normalize(text_of(args, "resultText")).into()
}

pub(super) fn hash(args: &Value) -> Value {
    let hash = hash::content_hash(text_of(args, "toolName"), text_of(args, "resultText"));
    hash.into()
}

pub(super) fn truncate_head(args: &Value) -> Value {
    let limit = |key: &str| args["options"][key].as_u64().unwrap_or_default() as usize;
    let limits = Limits {
        lines: limit("maxLines"),
        bytes: limit("maxBytes"),
    };
    let text = text_of(args, "text");
    let head = truncate::truncate_head(text, limits);
    json!({
        "content": head.content,
        "truncated": head.cut_by.is_some(),
        "truncatedBy": head.cut_by.map(|cut_by| match cut_by {
            CutBy::Lines => "lines",
            CutBy::Bytes => "bytes",
        }),
        "totalLines": head.total_lines,
        "totalBytes": text.len(),
        "outputLines": head.lines,
        "outputBytes": head.content.len(),
    })
}

fn text_of<'a>(args: &'a Value, key: &str) -> &'a str {
    args[key].as_str().unwrap_or_default()
}
