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
        let chunks = chunk::of_text(connection, id, text, summary)?;
        // Trails may tell of an older title, so they are looked at beside the text.
        let trails = chunks.iter().map(|chunk| &*chunk.trail);
        let whole: Vec<_> = [text, &standing.title, summary]
            .into_iter()
            .chain(trails)
            .collect();
        if count_in(&whole, &wanted).iter().all(|count| *count == 0) {
            return Ok(());
        }
        for chunk in chunks {
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
