//! `epitome read`: the text of a document.

use epitome_core::truncate::Position;
use epitome_retriever::tools::{ReadRequest, read};
use serde_json::json;

use super::recover::line_range;
use crate::args::ReadArguments;
use crate::explain::explain_tool;
use crate::failure::{Exit, Result};
use crate::place::StorePlace;
use crate::terminal::{Reader, Stream, Terminal};

pub(crate) fn run(typed: &ReadArguments, place: &StorePlace, terminal: &Terminal) -> Result<Exit> {
    let range = typed.lines.as_deref().map(line_range).transpose()?;
    let store = place.open_documents_to_read()?;
    let request = ReadRequest {
        path: &typed.path,
        from: range.map(|(line, _)| Position { line, byte: 0 }),
        lines: range.map(|(first, last)| (last - first).saturating_add(1)),
        max_chars: usize::MAX,
    };
    let page = read(store.as_ref(), &request).map_err(|error| explain_tool(&error))?;
    if terminal.reader == Reader::Machine {
        let document = &page.document;
        let value = json!({
            "path": document.path.to_string(),
            "title": document.title,
            "date": document.date,
            "kind": document.kind,
            "first_line": page.lines.start(),
            "last_line": page.lines.end(),
            "total_lines": page.total_lines,
            "text": page.content,
        });
        terminal.json(Stream::Output, &value)?;
    } else {
        terminal.text(&page.content)?;
        // Lines end with a line end, also the last one of a range inside the document.
        if range.is_some() && !page.content.ends_with('\n') && !terminal.is_terminal(Stream::Output)
        {
            terminal.text("\n")?;
        }
    }
    Ok(Exit::Done)
}
