//! The tools of the knowledge base, and their table: names, descriptions, schemas and functions,
//! without any protocol. The terminal, the agent and the MCP server call the same functions.
//!
//! Every tool answers from the store alone: a path is an address in it and is never opened on disk.
//! Knowledge specification 7.

mod arguments;
mod entry;
mod error;
mod grep;
mod ls;
mod place;
mod read;
mod search;
mod suggest;
#[cfg(test)]
mod tests;

use epitome_index::documents::DocumentStore;
use serde_json::Value;

pub use entry::{Entry, Lead, LeadKind, entries, entry_frame, entry_text};
pub use error::ToolError;
pub use grep::{GrepAnswer, GrepHit, GrepRequest, grep};
pub use ls::{ListRequest, Listed, Listing, list};
pub use read::{READ_TRUNCATION_NOTICE, ReadPage, ReadRequest, find_document, read};
pub use suggest::{plan_frame, plan_text};

/// What stands where a text was cut.
pub const TRUNCATION_MARKER: &str = "… [truncated]";

/// Result of a tool function.
pub type Result<T, E = ToolError> = std::result::Result<T, E>;

/// How much the tools show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolSettings {
    /// Characters of one page of `read` and of a listing.
    pub read_max_chars: usize,
    /// Hits of one `grep`.
    pub grep_hits: usize,
    /// Documents that a question starts from; at least 1.
    pub suggested_docs: usize,
    /// Most related documents.
    pub related_max_docs: usize,
    /// Characters of the text that stand in for a summary that is missing.
    pub suggestion_preview_chars: usize,
}

impl ToolSettings {
    /// The settings of knowledge specification 4 and retrieval decisions 8.
    pub const USUAL: Self = Self {
        read_max_chars: 20_000,
        grep_hits: 50,
        suggested_docs: 5,
        related_max_docs: 10,
        suggestion_preview_chars: 400,
    };
}

/// A tool that a model may call.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it does, for the model.
    pub description: &'static str,
    /// JSON Schema of its arguments.
    pub input_schema: Value,
    /// Answers a call. Arguments come from a model: they are data and may be anything.
    pub call: fn(&dyn DocumentStore, &ToolSettings, &Value) -> ToolAnswer,
}

/// What a tool answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolAnswer {
    /// The text.
    pub text: String,
    /// Whether the call failed.
    pub is_error: bool,
}

impl From<Result<String>> for ToolAnswer {
    fn from(outcome: Result<String>) -> Self {
        match outcome {
            Ok(text) => Self {
                text,
                is_error: false,
            },
            Err(error) => Self {
                text: format!("Could not {error}."),
                is_error: true,
            },
        }
    }
}

/// The tools of the knowledge base.
pub fn table() -> Vec<Tool> {
    vec![
        search::tool(),
        suggest::tool(),
        read::tool(),
        ls::tool(),
        grep::tool(),
    ]
}
