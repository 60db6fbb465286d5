//! `epitome ask`: the documents that a question should start from, without a model.

use epitome_core::gate::Branch;
use epitome_retriever::suggest::{SuggestOptions, suggest};
use epitome_retriever::tools::{entries, plan_frame, plan_text};

use super::search::{LEAD_CHARS, check_scope, filled};
use crate::args::QueryArguments;
use crate::explain::{explain_store, explain_tool};
use crate::failure::{Exit, Result};
use crate::place::StorePlace;
use crate::settings::tool_settings;
use crate::terminal::{Loudness, Reader, Stream, Terminal};

pub(crate) fn run(typed: &QueryArguments, place: &StorePlace, terminal: &Terminal) -> Result<Exit> {
    let settings = tool_settings()?;
    let store = place.open_documents_to_read()?;
    check_scope(store.as_ref(), typed, place)?;
    let options = SuggestOptions {
        suggested: typed.limit(settings.suggested_docs),
        related: settings.related_max_docs,
        source: typed.source.as_deref(),
        dense: None,
        threshold: None,
        spreads: None,
    };
    let evidence =
        suggest(store.as_ref(), &typed.text(), &options).map_err(|error| explain_store(&error))?;
    let suggested = entries(
        store.as_ref(),
        &evidence.suggested,
        settings.suggestion_preview_chars,
    )
    .map_err(|error| explain_tool(&error))?;
    if terminal.reader == Reader::Machine {
        terminal.json(Stream::Output, &plan_frame(&evidence, &suggested))?;
    } else {
        let lead_chars = match terminal.loudness {
            Loudness::Verbose => usize::MAX,
            Loudness::Normal | Loudness::Quiet => LEAD_CHARS,
        };
        let text = plan_text(&evidence, &suggested, lead_chars);
        terminal.line(Stream::Output, &filled(&text))?;
    }
    if terminal.loudness != Loudness::Quiet {
        terminal.line(
            Stream::Error,
            "No model is configured: these are documents, not an answer.",
        )?;
    }
    Ok(match evidence.branch {
        Branch::High => Exit::Done,
        Branch::Low => Exit::NotFound,
    })
}
