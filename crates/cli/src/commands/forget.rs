//! `epitome forget`: deletes a session's originals.

use std::io::BufRead as _;

use epitome_condenser::recover::find_conversation;
use epitome_index::Store;
use epitome_index::model::{Conversation, Forgotten};
use serde_json::json;

use super::sessions;
use super::show::no_session;
use crate::args::ForgetArguments;
use crate::explain::{explain, explain_store};
use crate::failure::{Exit, Failure, Result};
use crate::figures::{counted, size};
use crate::layout::one_line;
use crate::place::StorePlace;
use crate::terminal::{Loudness, Reader, Stream, Terminal};

pub(crate) fn run(
    typed: &ForgetArguments,
    place: &StorePlace,
    terminal: &Terminal,
) -> Result<Exit> {
    if !place.exists() {
        return Err(no_session(&typed.session, place));
    }
    let store = place.open()?;
    let found = find_conversation(&store, &typed.session).map_err(|error| explain(&error, None))?;
    let Some(conversation) = found else {
        return Err(no_session(&typed.session, place));
    };
    let heirs = heirs(&store, &conversation)?;
    if !typed.yes && !agreed(&conversation, heirs, terminal)? {
        terminal.line(Stream::Error, "Nothing was deleted.")?;
        return Ok(Exit::Done);
    }
    let forgotten = store
        .forget(&conversation.id)
        .map_err(|error| explain_store(&error))?
        .unwrap_or_default();
    report(&conversation, forgotten, heirs, terminal)?;
    Ok(Exit::Done)
}

/// Sessions that were resumed from this one: its refs stop working in them.
fn heirs(store: &dyn Store, conversation: &Conversation) -> Result<u64> {
    let sessions = sessions::all(store)?;
    let heirs = sessions
        .iter()
        .filter(|session| session.conversation.parent.as_ref() == Some(&conversation.id));
    Ok(heirs.count() as u64)
}

/// Asks the person; where nobody can be asked, nothing is deleted.
fn agreed(conversation: &Conversation, heirs: u64, terminal: &Terminal) -> Result<bool> {
    let name = format!("{} ({})", conversation.id, one_line(&conversation.title));
    if !terminal.can_ask() {
        return Err(Failure::usage(
            format!("ask whether to forget {name}"),
            "Pass --yes to delete its originals without being asked.",
        ));
    }
    if heirs > 0 {
        let resumed = counted(heirs, "session");
        let warning = format!("Its refs also stop working in {resumed} resumed from it.");
        terminal.line(Stream::Error, &warning)?;
    }
    let question = format!("Delete the originals of {name}? They cannot be brought back. [y/N] ");
    terminal.bytes(Stream::Error, question.as_bytes())?;
    let mut answer = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut answer)
        .map_err(|error| Failure::with(Exit::Failed, format!("read the answer: {error}"), None))?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn report(
    conversation: &Conversation,
    forgotten: Forgotten,
    heirs: u64,
    terminal: &Terminal,
) -> Result<()> {
    if terminal.reader == Reader::Machine {
        let value = json!({
            "session": conversation.id.as_str(),
            "title": conversation.title,
            "refs": forgotten.refs,
            "originals": forgotten.blobs,
            "bytes": forgotten.bytes,
            "resumed_sessions": heirs,
        });
        return terminal.json(Stream::Output, &value);
    }
    if terminal.loudness == Loudness::Quiet {
        return Ok(());
    }
    let text = format!(
        "forgot {}: {}, {} that nothing else needs, {}",
        conversation.id,
        counted(forgotten.refs, "ref"),
        counted(forgotten.blobs, "original"),
        size(forgotten.bytes),
    );
    terminal.line(Stream::Output, &text)
}
