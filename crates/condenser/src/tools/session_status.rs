//! `session_status`: what is kept of which conversation.

use std::fmt::Write as _;

use epitome_core::id::ConversationId;
use epitome_index::Store;
use epitome_index::model::{ConversationSummary, StoredFate};
use serde_json::{Value, json};

use super::{Tool, ToolAnswer};
use crate::recover::find_conversation;

/// Conversations or calls in one answer.
const ANSWER_ENTRIES: usize = 100;

const DESCRIPTION: &str = "Lists the conversations whose tool outputs were summarized, with the \
number of refs and the size of their originals. With `session`, lists the refs of that \
conversation: tool, size and whether the call failed.";

pub(super) fn tool() -> Tool {
    Tool {
        name: "session_status",
        description: DESCRIPTION,
        input_schema: json!({
            "type": "object",
            "properties": {
                "session": {
                    "type": "string",
                    "description": "Conversation id or the session's own id.",
                },
                "after": {
                    "type": "string",
                    "description": "Last conversation or ref of the page before.",
                },
            },
            "additionalProperties": false,
        }),
        meta: None,
        call,
    }
}

fn call(store: &dyn Store, arguments: &Value) -> ToolAnswer {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str);
    let answer = match text("session") {
        Some(session) => one(store, session, text("after")),
        None => all(store, text("after")),
    };
    answer.unwrap_or_else(|error| ToolAnswer::error(format!("The store failed: {error}.")))
}

fn all(store: &dyn Store, after: Option<&str>) -> crate::Result<ToolAnswer> {
    let after: Option<ConversationId> = match after.map(str::parse).transpose() {
        Ok(after) => after,
        Err(error) => return Ok(ToolAnswer::error(format!("`after`: {error}."))),
    };
    let found = store.conversations(after.as_ref(), ANSWER_ENTRIES + 1)?;
    if found.is_empty() {
        return Ok(ToolAnswer::text(format!(
            "No conversation in the store {}.",
            store.name()
        )));
    }
    let mut text = String::new();
    for ConversationSummary {
        conversation,
        batches,
        refs,
        original_bytes,
        ..
    } in found.iter().take(ANSWER_ENTRIES)
    {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{}  {}  {}  {batches} batches, {refs} refs, {original_bytes} bytes of originals",
            conversation.id, conversation.format, conversation.title,
        );
    }
    if let Some(last) = found
        .get(ANSWER_ENTRIES - 1)
        .filter(|_| found.len() > ANSWER_ENTRIES)
    {
        let _ = writeln!(text, "[More: pass after \"{}\".]", last.conversation.id);
    }
    Ok(ToolAnswer::text(text))
}

fn one(store: &dyn Store, session: &str, after: Option<&str>) -> crate::Result<ToolAnswer> {
    let Some(conversation) = find_conversation(store, session)? else {
        return Ok(ToolAnswer::error(format!(
            "No conversation `{session}` is in the store."
        )));
    };
    let after = after.and_then(|text| text.parse().ok());
    let calls = store.calls(&conversation.id)?;
    let mut kept = calls
        .iter()
        .filter_map(|call| match &call.fate {
            StoredFate::Kept { short, .. } => Some((*short, call)),
            StoredFate::Left(_) => None,
        })
        .filter(|(short, _)| after.is_none_or(|after| *short > after))
        .peekable();
    let mut text = format!(
        "{}  {}  {}\n",
        conversation.id, conversation.format, conversation.title
    );
    for (short, call) in kept.by_ref().take(ANSWER_ENTRIES) {
        let failed = if call.is_error { "  ERROR" } else { "" };
        let _ = writeln!(
            text,
            "{short}  {}  {} lines, {} bytes{failed}",
            call.tool, call.lines, call.bytes
        );
    }
    if kept.peek().is_some() {
        text.push_str("[More: pass after with the last ref above.]\n");
    }
    Ok(ToolAnswer::text(text))
}
