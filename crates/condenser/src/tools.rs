//! The tool table: names, descriptions, schemas and functions, without any protocol.
//!
//! Binaries serve this table over the transports they have.

mod context_tree_query;
mod session_status;

use epitome_index::Store;
use serde_json::Value;

/// A tool that a model may call.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it does, for the model.
    pub description: &'static str,
    /// JSON Schema of its arguments.
    pub input_schema: Value,
    /// What hosts should know of it; becomes `_meta` over MCP.
    pub meta: Option<Value>,
    /// Answers a call. Arguments come from a model: they are data and may be anything.
    pub call: fn(&dyn Store, &Value) -> ToolAnswer,
}

/// What a tool answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolAnswer {
    /// The text.
    pub text: String,
    /// Whether the call failed.
    pub is_error: bool,
}

impl ToolAnswer {
    fn text(text: String) -> Self {
        Self {
            text,
            is_error: false,
        }
    }

    fn error(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            is_error: true,
        }
    }
}

/// The tools of the condensing half.
pub fn table() -> Vec<Tool> {
    vec![context_tree_query::tool(), session_status::tool()]
}
