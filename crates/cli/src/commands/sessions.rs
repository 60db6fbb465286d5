//! `epitome sessions`: what is in the store.

use epitome_core::time::iso_text;
use epitome_index::Store;
use epitome_index::model::ConversationSummary;
use serde_json::{Value, json};

use crate::explain::explain_store;
use crate::failure::{Exit, Failure, Result};
use crate::figures::{grouped, size};
use crate::layout::{COLUMNS, fitted, one_line};
use crate::place::StorePlace;
use crate::terminal::{Loudness, Reader, Stream, Terminal};

/// Sessions that are read from the store at once.
const PAGE: usize = 500;

pub(crate) fn run(place: &StorePlace, terminal: &Terminal) -> Result<Exit> {
    let store = place.open_to_read()?;
    let mut sessions = all(store.as_ref())?;
    sessions.sort_by_key(|session| std::cmp::Reverse(session.updated_ms));
    if terminal.reader == Reader::Machine {
        let list: Vec<Value> = sessions.iter().map(for_machines).collect();
        terminal.json(Stream::Output, &Value::Array(list))?;
    }
    if sessions.is_empty() {
        return Err(Failure::not_found(
            format!("find a session in the store {}", place.path.display()),
            "`epitome condense SESSION` puts one there; --store names another store.",
        ));
    }
    if terminal.reader == Reader::Person {
        for session in &sessions {
            terminal.line(Stream::Output, &line(session, terminal.loudness))?;
        }
    }
    Ok(Exit::Done)
}

/// All sessions, page by page.
pub(crate) fn all(store: &dyn Store) -> Result<Vec<ConversationSummary>> {
    let mut sessions: Vec<ConversationSummary> = Vec::new();
    loop {
        let after = sessions.last().map(|last| last.conversation.id.clone());
        let page = store
            .conversations(after.as_ref(), PAGE)
            .map_err(|error| explain_store(&error))?;
        let is_last = page.len() < PAGE;
        sessions.extend(page);
        if is_last {
            return Ok(sessions);
        }
    }
}

fn line(session: &ConversationSummary, loudness: Loudness) -> String {
    let conversation = &session.conversation;
    if loudness == Loudness::Quiet {
        return conversation.id.to_string();
    }
    let day: String = iso_text(session.updated_ms).chars().take(10).collect();
    let facts = format!(
        "{}  {day}  {:<11}  {:>6} refs  {:>9}  {}",
        conversation.id,
        conversation.format,
        grouped(session.refs),
        size(session.original_bytes),
        one_line(&conversation.title),
    );
    match loudness {
        Loudness::Verbose => facts,
        Loudness::Normal | Loudness::Quiet => fitted(&facts, COLUMNS),
    }
}

pub(crate) fn for_machines(session: &ConversationSummary) -> Value {
    let conversation = &session.conversation;
    json!({
        "session": conversation.id.as_str(),
        "format": conversation.format,
        "session_id": conversation.session_id,
        "title": conversation.title,
        "parent": conversation.parent.as_ref().map(epitome_core::id::ConversationId::as_str),
        "created_ms": conversation.created_ms,
        "updated_ms": session.updated_ms,
        "batches": session.batches,
        "refs": session.refs,
        "original_bytes": session.original_bytes,
    })
}
