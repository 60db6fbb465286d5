//! `epitome date`: sets the date of a document by hand.

use epitome_core::time::{iso_milliseconds, iso_text};
use epitome_index::DocumentStore as _;
use epitome_retriever::tools::find_document;
use serde_json::json;

use super::sources::no_documents;
use crate::args::DateArguments;
use crate::explain::{explain_store, explain_tool};
use crate::failure::{Exit, Failure, Result};
use crate::place::StorePlace;
use crate::terminal::{Loudness, Reader, Stream, Terminal};

pub(crate) fn run(typed: &DateArguments, place: &StorePlace, terminal: &Terminal) -> Result<Exit> {
    let date = checked(&typed.date)?;
    if !place.exists() {
        return Err(no_documents(place));
    }
    let store = place.open()?;
    let document = find_document(&store, &typed.path).map_err(|error| explain_tool(&error))?;
    store
        .set_date(document.id, date)
        .map_err(|error| explain_store(&error))?;
    let path = document.path.to_string();
    if terminal.reader == Reader::Machine {
        let value = json!({ "path": path, "date": date, "before": document.date });
        terminal.json(Stream::Output, &value)?;
    } else if terminal.loudness != Loudness::Quiet {
        let before = document.date.as_deref().unwrap_or("no date");
        let line = format!("{path}: {before} -> {date}");
        terminal.line(Stream::Output, &line)?;
    }
    Ok(Exit::Done)
}

/// A day of the calendar as `2025-10-29`.
fn checked(text: &str) -> Result<&str> {
    let text = text.trim();
    // A day that no month has is read as one of the next month and does not come back the same.
    let is_day = iso_milliseconds(text).is_some_and(|time| iso_text(time).starts_with(text));
    if is_day && text.len() == "2025-10-29".len() {
        return Ok(text);
    }
    Err(Failure::usage(
        format!("read the date `{text}`"),
        "A date looks like 2025-10-29.",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days_of_the_calendar() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(checked(text).ok(), expected, "{text}");
        };
        check("2025-10-29", Some("2025-10-29"));
        check(" 2024-02-29 ", Some("2024-02-29"));
        for bad in [
            "",
            "2025",
            "2025-02-29",
            "2025-13-01",
            "29.10.2025",
            "2025-10-29T10:00Z",
        ] {
            check(bad, None);
        }
    }
}
