//! `grep`: lines of the documents that match a regular expression.

use std::ops::ControlFlow;

use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::DocumentPath;
use regex::{Regex, RegexBuilder};
use serde_json::{Value, json};

use super::arguments::{needed_text, number, text};
use super::place::{resolve, visit};
use super::{Result, Tool, ToolAnswer, ToolError, ToolSettings};

/// Memory that a compiled pattern may take.
const PATTERN_BYTES: usize = 1 << 20;

/// Characters of a line that are shown.
const LINE_CHARS: usize = 300;

const DESCRIPTION: &str = "Finds lines of the imported documents that match a regular expression \
(case matters; begin with (?i) where it should not). Returns path:line: text. `path` limits it to a \
source, a folder or one document.";

/// What is looked for.
#[derive(Debug, Clone, Copy)]
pub struct GrepRequest<'a> {
    /// A regular expression; it matches within one line.
    pub pattern: &'a str,
    /// A source, a folder or a document; empty for all.
    pub path: &'a str,
    /// At most so many hits.
    pub limit: usize,
}

/// Lines that match.
#[derive(Debug, Clone, Default)]
pub struct GrepAnswer {
    /// The lines, by path and number.
    pub hits: Vec<GrepHit>,
    /// Whether further lines match.
    pub has_more: bool,
    /// Documents that were looked through.
    pub documents: u64,
}

/// A line that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrepHit {
    /// Address of its document.
    pub path: DocumentPath,
    /// Its number, from 1.
    pub line: usize,
    /// Its text, cut around the match where it is long.
    pub text: String,
}

impl GrepAnswer {
    /// The hits as a model and a person read them; nothing where nothing matches.
    pub fn text(&self) -> String {
        let lines = self.hits.iter();
        let mut lines: Vec<String> = lines
            .map(|hit| format!("{}:{}: {}", hit.path, hit.line, hit.text))
            .collect();
        if self.has_more {
            lines.push(format!(
                "More lines match; these are the first {}. Narrow the pattern or the path.",
                self.hits.len()
            ));
        }
        lines.join("\n")
    }
}

/// Finds lines that match.
pub fn grep(store: &dyn DocumentStore, request: &GrepRequest<'_>) -> Result<GrepAnswer> {
    let pattern = compile(request.pattern)?;
    let place = resolve(store, request.path)?;
    let mut answer = GrepAnswer::default();
    visit(store, &place, &mut |document| {
        let content = store.content(document.id)?.unwrap_or_default();
        answer.documents += 1;
        for (line, number) in content.lines().zip(1..) {
            let Some(found) = pattern.find(line) else {
                continue;
            };
            if answer.hits.len() >= request.limit {
                answer.has_more = true;
                return Ok(ControlFlow::Break(()));
            }
            answer.hits.push(GrepHit {
                path: document.path.clone(),
                line: number,
                text: cut_around(line, found.start()),
            });
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(answer)
}

fn compile(pattern: &str) -> Result<Regex> {
    RegexBuilder::new(pattern)
        .size_limit(PATTERN_BYTES)
        .dfa_size_limit(PATTERN_BYTES)
        .build()
        .map_err(|error| ToolError::Pattern {
            pattern: pattern.chars().take(LINE_CHARS).collect(),
            reason: match error {
                regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
                // The engine draws the place of the fault in several lines; the last one names it.
                other => {
                    let text = other.to_string();
                    let last = text.lines().last().unwrap_or_default().trim();
                    last.strip_prefix("error: ").unwrap_or(last).to_owned()
                }
            },
        })
}

/// Cuts a long line to the characters around a place.
fn cut_around(line: &str, at: usize) -> String {
    if line.chars().count() <= LINE_CHARS {
        return line.to_owned();
    }
    let before = line[..at].chars().count();
    let skipped = before.saturating_sub(LINE_CHARS / 4);
    let shown: String = line.chars().skip(skipped).take(LINE_CHARS).collect();
    let rest = line.chars().count() > skipped + LINE_CHARS;
    format!(
        "{}{shown}{}",
        if skipped > 0 { "…" } else { "" },
        if rest { "…" } else { "" }
    )
}

pub(super) fn tool() -> Tool {
    Tool {
        name: "grep",
        description: DESCRIPTION,
        input_schema: json!({
            "type": "object",
            "properties": {
                "pattern": {
                    "type": "string",
                    "description": "Regular expression; it matches within one line.",
                },
                "path": {
                    "type": "string",
                    "description": "Source, folder or document to look in; all of them without it.",
                },
                "limit": {
                    "type": "integer",
                    "minimum": 1,
                    "description": "Lines to return at most; it cannot raise the usual number.",
                },
            },
            "required": ["pattern"],
            "additionalProperties": false,
        }),
        call,
    }
}

fn call(store: &dyn DocumentStore, settings: &ToolSettings, arguments: &Value) -> ToolAnswer {
    answer(store, settings, arguments).into()
}

fn answer(store: &dyn DocumentStore, settings: &ToolSettings, arguments: &Value) -> Result<String> {
    let limit = number(arguments, "limit", 1)?.unwrap_or(settings.grep_hits);
    let found = grep(
        store,
        &GrepRequest {
            pattern: needed_text(arguments, "pattern")?,
            path: text(arguments, "path")?.unwrap_or_default(),
            limit: limit.min(settings.grep_hits),
        },
    )?;
    if found.hits.is_empty() {
        return Ok(format!("No line matches in {} documents.", found.documents));
    }
    Ok(found.text())
}
