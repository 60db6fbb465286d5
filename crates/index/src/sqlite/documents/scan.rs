//! The plain scan for substrings that no index holds.

use rusqlite::Connection;

use super::super::failure::Attempt;
use super::{chunk, content, document};
use crate::ErrorKind;
use crate::documents::model::{LexicalHit, LexicalQuery, StoredChunk};
use crate::documents::union::{Union, count_in, folded};

/// Adds the chunks in which one of the substrings stands, letter case aside.
pub(super) fn scan(
    connection: &Connection,
    asked: &LexicalQuery,
    union: &mut Union,
) -> Attempt<()> {
    let wanted = folded(&asked.substrings);
    if wanted.is_empty() {
        return Ok(());
    }
    let mut counted = Vec::new();
    content::visit(connection, asked.source.as_deref(), |id, text| {
        let text = text.map_err(|reason| ErrorKind::DamagedText { id: id.0, reason })?;
        let standing = document::standing(connection, id)?;
        let summary = standing.summary.as_ref().map_or("", |(text, _)| text);
        // Trails are made of headings in the text, so these three hold all that chunks do.
        let whole = [text, &standing.title, summary];
        if count_in(&whole, &wanted).iter().all(|count| *count == 0) {
            return Ok(());
        }
        for chunk in chunk::of_text(connection, id, text, summary)? {
            let counts = count_in(&[&standing.title, &chunk.trail, &chunk.text], &wanted);
            if counts.iter().any(|count| *count > 0) {
                counted.push((hit(&chunk), counts));
            }
        }
        Ok(())
    })?;
    union.add_counted(counted, chunk::count(connection, None)?);
    Ok(())
}

fn hit(chunk: &StoredChunk) -> LexicalHit {
    LexicalHit {
        chunk: chunk.id,
        document: chunk.document,
        position: chunk.position,
        score: 0.0,
    }
}
