//! `epitome grep`: lines of imported documents.

use epitome_retriever::tools::{GrepRequest, grep};
use serde_json::json;

use crate::args::GrepArguments;
use crate::explain::explain_tool;
use crate::failure::{Exit, Failure, Result};
use crate::place::StorePlace;
use crate::terminal::{Loudness, Reader, Stream, Terminal};

pub(crate) fn run(typed: &GrepArguments, place: &StorePlace, terminal: &Terminal) -> Result<Exit> {
    let store = place.open_documents_to_read()?;
    let request = GrepRequest {
        pattern: &typed.pattern,
        path: &typed.path,
        limit: typed.limit as usize,
    };
    let found = grep(store.as_ref(), &request).map_err(|error| explain_tool(&error))?;
    if terminal.reader == Reader::Machine {
        let hits = found
            .hits
            .iter()
            .map(|hit| json!({ "path": hit.path.to_string(), "line": hit.line, "text": hit.text }));
        let value = json!({
            "hits": hits.collect::<Vec<_>>(),
            "has_more": found.has_more,
            "documents": found.documents,
        });
        terminal.json(Stream::Output, &value)?;
    } else {
        for hit in &found.hits {
            let line = format!("{}:{}: {}", hit.path, hit.line, hit.text);
            terminal.line(Stream::Output, &line)?;
        }
    }
    if found.has_more && terminal.loudness != Loudness::Quiet {
        let note = format!(
            "More lines match; --limit raises the number of {}.",
            typed.limit
        );
        terminal.line(Stream::Error, &note)?;
    }
    if found.hits.is_empty() {
        return Err(Failure::with(
            Exit::NotFound,
            format!("find a line that matches `{}`", typed.pattern),
            None,
        ));
    }
    Ok(Exit::Done)
}
