//! `epitome forget-source`: deletes an imported folder from the store.

use std::io::BufRead as _;

use epitome_index::DocumentStore;
use epitome_index::documents::model::{Source, SourceTotals};
use serde_json::json;

use super::search::unknown_source;
use crate::args::ForgetSourceArguments;
use crate::explain::explain_store;
use crate::failure::{Exit, Failure, Result};
use crate::figures::{counted, size};
use crate::layout::one_line;
use crate::place::StorePlace;
use crate::terminal::{Loudness, Reader, Stream, Terminal};

pub(crate) fn run(
    typed: &ForgetSourceArguments,
    place: &StorePlace,
    terminal: &Terminal,
) -> Result<Exit> {
    if !place.exists() {
        return Err(unknown_source(&typed.source));
    }
    let store = place.open()?;
    let sources = store.sources().map_err(|error| explain_store(&error))?;
    let known = sources
        .iter()
        .find(|(source, _)| source.name == typed.source);
    let Some((source, totals)) = known else {
        return Err(unknown_source(&typed.source));
    };
    if !typed.yes && !agreed(source, totals, terminal)? {
        terminal.line(Stream::Error, "Nothing was deleted.")?;
        return Ok(Exit::Done);
    }
    let forgotten = store
        .forget_source(&typed.source)
        .map_err(|error| explain_store(&error))?
        .unwrap_or_default();
    if terminal.reader == Reader::Machine {
        let value = json!({
            "source": typed.source,
            "documents": forgotten.documents,
            "chunks": forgotten.chunks,
            "bytes": forgotten.bytes,
        });
        terminal.json(Stream::Output, &value)?;
    } else if terminal.loudness != Loudness::Quiet {
        let text = format!(
            "forgot {}: {}, {}; the files in {} are untouched",
            one_line(&source.name),
            counted(forgotten.documents, "document"),
            size(forgotten.bytes),
            one_line(&source.root),
        );
        terminal.line(Stream::Output, &text)?;
    }
    Ok(Exit::Done)
}

/// Asks the person; where nobody can be asked, nothing is deleted.
fn agreed(source: &Source, totals: &SourceTotals, terminal: &Terminal) -> Result<bool> {
    let name = one_line(&source.name);
    if !terminal.can_ask() {
        return Err(Failure::usage(
            format!("ask whether to forget the source {name}"),
            "Pass --yes to delete its documents from the store without being asked.",
        ));
    }
    let question = format!(
        "Delete {} of {name} from the store, summaries and dates of yours included? The files \
         stay. [y/N] ",
        counted(totals.documents, "document"),
    );
    terminal.bytes(Stream::Error, question.as_bytes())?;
    let mut answer = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut answer)
        .map_err(|error| Failure::with(Exit::Failed, format!("read the answer: {error}"), None))?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
