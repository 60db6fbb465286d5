//! `context_tree_query`: originals by their refs. Layout: condense specification 9.

mod answer;

use epitome_core::id::ConversationId;
use epitome_core::stub::RECOVERY_TOOL;
use epitome_core::truncate::Position;
use epitome_index::Store;
use regex::{Regex, RegexBuilder};
use serde_json::{Value, json};

use super::{Tool, ToolAnswer};
use crate::error::ErrorKind;
use crate::recover::{Selector, find_conversation, recover};
use answer::Answer;

/// Memory that a compiled pattern may take.
const PATTERN_BYTES: usize = 1 << 20;

const DESCRIPTION: &str = "Returns the original output of tool calls that were summarized. \
Summaries and stubs name a ref for each call, such as `t12`; pass the refs whose full text is \
needed, for example {\"toolCallIds\": [\"3fa9c2d1/t12\", \"3fa9c2d1/t13\"]}. A provider's call id \
works too; an id that was used several times returns every occurrence, labelled id@timestamp. \
Long outputs come in pages: the answer says how to ask for the next one. `lines` picks a range, \
`pattern` the lines that match a regular expression.";

pub(super) fn tool() -> Tool {
    Tool {
        name: RECOVERY_TOOL,
        description: DESCRIPTION,
        input_schema: json!({
            "type": "object",
            "properties": {
                "toolCallIds": {
                    "type": "array",
                    "items": { "type": "string" },
                    "description": "Refs (`3fa9c2d1/t12`, or `t12` where only one conversation has it), provider call ids or occurrence keys (`id@timestamp`).",
                },
                "session": {
                    "type": "string",
                    "description": "Conversation that bare refs belong to: its id or the session's own id.",
                },
                "lines": {
                    "type": "string",
                    "description": "Lines to return, counted from 1: `120-180`, `120-` or `120`.",
                },
                "byte": {
                    "type": "integer",
                    "minimum": 0,
                    "description": "Byte inside the first line to start at, for lines that are longer than a page.",
                },
                "pattern": {
                    "type": "string",
                    "description": "Regular expression; only lines that match are returned, each with its number.",
                },
            },
            "required": ["toolCallIds"],
            "additionalProperties": false,
        }),
        // Claude Code puts longer answers aside unless a tool says how long they may be, and hides
        // the schema of a tool behind a search unless the tool asks to be loaded.
        meta: Some(json!({
            "anthropic/maxResultSizeChars": 500_000,
            "anthropic/alwaysLoad": true,
        })),
        call,
    }
}

/// The arguments of a call, checked.
struct Query {
    ids: Vec<String>,
    session: Option<ConversationId>,
    from: Position,
    last: Option<usize>,
    pattern: Option<Regex>,
}

fn call(store: &dyn Store, arguments: &Value) -> ToolAnswer {
    let query = match Query::read(store, arguments) {
        Ok(query) => query,
        Err(problem) => return ToolAnswer::error(problem),
    };
    let mut answer = Answer::new();
    for (index, id) in query.ids.iter().enumerate() {
        if answer.is_full() {
            answer.leave_out(query.ids.len() - index);
            break;
        }
        match recover(store, &Selector::parse(id, query.session.as_ref())) {
            Ok(found) => answer.add(id, &found, &query),
            Err(error) => match error.kind() {
                ErrorKind::AmbiguousRef { candidates, .. } => {
                    let names: Vec<String> = candidates.iter().map(ToString::to_string).collect();
                    let text = format!(
                        "Several conversations have this ref; pass one of: {}.",
                        names.join(", ")
                    );
                    answer.note(id, &text);
                }
                _ => answer.note(id, &format!("The store failed: {error}.")),
            },
        }
    }
    ToolAnswer::text(answer.text())
}

impl Query {
    fn read(store: &dyn Store, arguments: &Value) -> Result<Self, String> {
        let ids = arguments
            .get("toolCallIds")
            .ok_or("Pass `toolCallIds`, a list of refs such as `t12`.")?;
        let ids = match ids {
            Value::String(one) => vec![one.clone()],
            Value::Array(many) => many
                .iter()
                .map(|id| {
                    id.as_str()
                        .map(str::to_owned)
                        .ok_or("Each of `toolCallIds` must be a string.")
                })
                .collect::<Result<_, _>>()?,
            _ => return Err("`toolCallIds` must be a list of strings.".to_owned()),
        };
        let session = match text_argument(arguments, "session")? {
            None => None,
            Some(text) => match find_conversation(store, text) {
                Ok(Some(found)) => Some(found.id),
                Ok(None) => return Err(format!("No conversation `{text}` is in the store.")),
                Err(error) => return Err(format!("The store failed: {error}.")),
            },
        };
        let (first, last) = match text_argument(arguments, "lines")? {
            None => (1, None),
            Some(text) => line_range(text)?,
        };
        let byte = match arguments.get("byte") {
            None | Some(Value::Null) => 0,
            Some(value) => value
                .as_u64()
                .ok_or("`byte` must be a whole number from 0.")?
                as usize,
        };
        let pattern = match text_argument(arguments, "pattern")? {
            None => None,
            Some(text) => Some(
                RegexBuilder::new(text)
                    .size_limit(PATTERN_BYTES)
                    .build()
                    .map_err(|error| format!("`pattern` is no regular expression: {error}."))?,
            ),
        };
        Ok(Self {
            ids,
            session,
            from: Position { line: first, byte },
            last,
            pattern,
        })
    }
}

fn text_argument<'a>(arguments: &'a Value, name: &str) -> Result<Option<&'a str>, String> {
    match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(format!("`{name}` must be a string.")),
    }
}

/// Reads `120-180`, `120-` or `120`.
fn line_range(text: &str) -> Result<(usize, Option<usize>), String> {
    let problem = || format!("`lines` must look like `120-180`, `120-` or `120`, not `{text}`.");
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|line| *line > 0);
    let (first, last) = match text.split_once('-') {
        None => (number(text), Some(number(text))),
        Some((first, "")) => (number(first), None),
        Some((first, last)) => (number(first), Some(number(last))),
    };
    match (first, last) {
        (Some(first), None) => Ok((first, None)),
        (Some(first), Some(Some(last))) if first <= last => Ok((first, Some(last))),
        _ => Err(problem()),
    }
}
