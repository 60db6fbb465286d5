//! `epitome sources`: the imported folders.

use epitome_core::time::iso_text;
use epitome_index::documents::model::{Source, SourceTotals};
use serde_json::{Value, json};

use crate::explain::explain_store;
use crate::failure::{Exit, Failure, Result};
use crate::figures::{counted, size};
use crate::layout::{COLUMNS, fitted, one_line, wrapped};
use crate::place::StorePlace;
use crate::terminal::{Loudness, Reader, Stream, Terminal};

pub(crate) fn run(place: &StorePlace, terminal: &Terminal) -> Result<Exit> {
    let store = place.open_documents_to_read()?;
    let sources = store.sources().map_err(|error| explain_store(&error))?;
    if terminal.reader == Reader::Machine {
        let list = sources.iter().map(for_machines).collect();
        terminal.json(Stream::Output, &Value::Array(list))?;
    }
    if sources.is_empty() {
        return Err(no_documents(place));
    }
    if terminal.reader == Reader::Person {
        for source in &sources {
            tell(source, terminal)?;
        }
    }
    Ok(Exit::Done)
}

/// The failure of a command that needs documents where there are none.
pub(crate) fn no_documents(place: &StorePlace) -> Failure {
    Failure::not_found(
        format!(
            "find an imported document in the store {}",
            place.path.display()
        ),
        format!("`{} import DIR` puts documents there.", place.program()),
    )
}

fn tell((source, totals): &(Source, SourceTotals), terminal: &Terminal) -> Result<()> {
    if terminal.loudness == Loudness::Quiet {
        return terminal.line(Stream::Output, &one_line(&source.name));
    }
    let facts = format!(
        "{}  {}  {}  {}  {}",
        one_line(&source.name),
        counted(totals.documents, "document"),
        size(totals.bytes),
        source
            .imported_ms
            .map_or_else(|| "import not finished".to_owned(), day),
        one_line(&source.root),
    );
    terminal.line(Stream::Output, &facts)?;
    let mut notes = Vec::new();
    if totals.without_summary > 0 {
        notes.push(format!("{} without a summary", totals.without_summary));
    }
    if totals.stale_summaries > 0 {
        notes.push(format!(
            "{} with a summary of an earlier version",
            totals.stale_summaries
        ));
    }
    if !notes.is_empty() {
        terminal.line(Stream::Output, &format!("  {}", notes.join(", ")))?;
    }
    match &source.overview {
        Some(overview) if terminal.loudness == Loudness::Verbose => {
            let text = format!("  {}", one_line(overview));
            terminal.line(Stream::Output, &wrapped(&text, 2))
        }
        Some(overview) => {
            let text = format!("  {}", one_line(overview));
            terminal.line(Stream::Output, &fitted(&text, COLUMNS))
        }
        None => Ok(()),
    }
}

fn day(milliseconds: i64) -> String {
    iso_text(milliseconds).chars().take(10).collect()
}

fn for_machines((source, totals): &(Source, SourceTotals)) -> Value {
    json!({
        "source": source.name,
        "root": source.root,
        "version": source.version,
        "imported_ms": source.imported_ms,
        "documents": totals.documents,
        "without_summary": totals.without_summary,
        "stale_summaries": totals.stale_summaries,
        "chunks": totals.chunks,
        "bytes": totals.bytes,
        "overview": source.overview,
    })
}
