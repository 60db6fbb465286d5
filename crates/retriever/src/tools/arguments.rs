//! Arguments of a call, as a model may have written them.

use serde_json::Value;

use super::{Result, ToolError};

/// A text that must be there.
pub(super) fn needed_text<'a>(arguments: &'a Value, name: &'static str) -> Result<&'a str> {
    text(arguments, name)?.ok_or_else(|| ToolError::Argument {
        name,
        reason: "it is missing".to_owned(),
    })
}

/// A text that may be there.
pub(super) fn text<'a>(arguments: &'a Value, name: &'static str) -> Result<Option<&'a str>> {
    match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(ToolError::Argument {
            name,
            reason: "it must be a string".to_owned(),
        }),
    }
}

/// A whole number from `least` on that may be there; models write numbers as strings, too.
pub(super) fn number(arguments: &Value, name: &'static str, least: usize) -> Result<Option<usize>> {
    let number = match arguments.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(value) => value
            .as_u64()
            .and_then(|number| usize::try_from(number).ok()),
    };
    match number {
        Some(number) if number >= least => Ok(Some(number)),
        _ => Err(ToolError::Argument {
            name,
            reason: format!("it must be a whole number from {least} on"),
        }),
    }
}
