//! `search`: documents for a query, each with its best passage.

use epitome_index::documents::DocumentStore;
use serde_json::{Value, json};

use super::arguments::{needed_text, number, text};
use super::entry::{entries, entry_text};
use super::{Result, Tool, ToolAnswer, ToolSettings};
use crate::search::{SearchRequest, search};

/// Most documents of one answer.
const MOST: usize = 50;

const DESCRIPTION: &str = "Searches the imported documents. Any text is a query: words, a question, \
a name, an error message. Returns documents, best first, each with path, date, summary and its best \
passage as path:Lx-Ly; read it with `read`.";

pub(super) fn tool() -> Tool {
    Tool {
        name: "search",
        description: DESCRIPTION,
        input_schema: json!({
            "type": "object",
            "properties": {
                "query": { "type": "string", "description": "What to look for." },
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "description": "Documents to return at most.",
                },
                "source": { "type": "string", "description": "Only documents of this source." },
            },
            "required": ["query"],
            "additionalProperties": false,
        }),
        call,
    }
}

fn call(store: &dyn DocumentStore, settings: &ToolSettings, arguments: &Value) -> ToolAnswer {
    answer(store, settings, arguments).into()
}

fn answer(store: &dyn DocumentStore, settings: &ToolSettings, arguments: &Value) -> Result<String> {
    let limit = number(arguments, "limit", 1)?.unwrap_or(settings.suggested_docs);
    let found = search(
        store,
        &SearchRequest {
            query: needed_text(arguments, "query")?,
            limit: limit.min(MOST),
            source: text(arguments, "source")?,
            dense: None,
        },
    )?;
    if found.hits.is_empty() {
        return Ok("No document was found.".to_owned());
    }
    let entries = entries(store, &found.hits, settings.suggestion_preview_chars)?;
    let texts: Vec<String> = (1..)
        .zip(&entries)
        .map(|(number, entry)| entry_text(number, entry, usize::MAX))
        .collect();
    Ok(texts.join("\n\n"))
}
