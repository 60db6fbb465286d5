//! `suggest`: the documents that a question should start from, or that there is little evidence.

use epitome_core::gate::Branch;
use epitome_index::documents::DocumentStore;
use serde_json::{Value, json};

use super::arguments::{needed_text, text};
use super::entry::{Entry, entries, entry_frame, entry_text, one_line, reference};
use super::{Result, Tool, ToolAnswer, ToolSettings};
use crate::search::DocumentHit;
use crate::suggest::{SuggestOptions, TurnEvidence, suggest};

const DESCRIPTION: &str = "Suggests which imported documents to start from for a question: HIGH with \
the best documents, their summaries and passages, or LOW where the documents hardly cover it. A \
summary is not the text: read a document with `read` before relying on details.";

/// The plan of a turn as JSON.
pub fn plan_frame(evidence: &TurnEvidence, suggested: &[Entry<'_>]) -> Value {
    let suggested = suggested.iter().map(entry_frame);
    json!({
        "branch": match evidence.branch {
            Branch::High => "HIGH",
            Branch::Low => "LOW",
        },
        "signal": evidence.signal,
        "threshold": evidence.threshold,
        "hits": evidence.hits,
        "summary_hits": evidence.summary_hits.len(),
        "suggested": suggested.collect::<Vec<_>>(),
        "related": evidence.related.iter().map(reference).collect::<Vec<_>>(),
    })
}

/// The plan of a turn as a model and a person read it; summaries at most `lead_chars` long.
pub fn plan_text(evidence: &TurnEvidence, suggested: &[Entry<'_>], lead_chars: usize) -> String {
    let mut parts = Vec::new();
    match evidence.branch {
        Branch::High => {
            parts.push("HIGH: start here".to_owned());
            let entries = (1..).zip(suggested);
            parts.extend(entries.map(|(number, entry)| entry_text(number, entry, lead_chars)));
            if !evidence.related.is_empty() {
                parts.push(format!("related:\n{}", titles(&evidence.related)));
            }
        }
        Branch::Low => {
            parts.push("LOW: the documents hold little evidence for this".to_owned());
            if !evidence.suggested.is_empty() {
                parts.push(titles(&evidence.suggested));
            }
        }
    }
    parts.join("\n\n")
}

fn titles(hits: &[DocumentHit]) -> String {
    let line = |hit: &DocumentHit| {
        let title = one_line(&hit.document.title);
        format!("  {title}  {}", hit.document.path)
    };
    hits.iter().map(line).collect::<Vec<_>>().join("\n")
}

pub(super) fn tool() -> Tool {
    Tool {
        name: "suggest",
        description: DESCRIPTION,
        input_schema: json!({
            "type": "object",
            "properties": {
                "question": { "type": "string", "description": "The question, as it was asked." },
                "source": { "type": "string", "description": "Only documents of this source." },
            },
            "required": ["question"],
            "additionalProperties": false,
        }),
        call,
    }
}

fn call(store: &dyn DocumentStore, settings: &ToolSettings, arguments: &Value) -> ToolAnswer {
    answer(store, settings, arguments).into()
}

fn answer(store: &dyn DocumentStore, settings: &ToolSettings, arguments: &Value) -> Result<String> {
    let options = SuggestOptions {
        suggested: settings.suggested_docs,
        related: settings.related_max_docs,
        source: text(arguments, "source")?,
        dense: None,
        threshold: None,
        spreads: None,
    };
    let evidence = suggest(store, needed_text(arguments, "question")?, &options)?;
    let entries = entries(
        store,
        &evidence.suggested,
        settings.suggestion_preview_chars,
    )?;
    Ok(plan_text(&evidence, &entries, usize::MAX))
}
