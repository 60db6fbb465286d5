//! The check of documents: texts, chunks and index entries belong together.

use rusqlite::Connection;

use super::super::failure::Attempt;
use super::super::row::query;
use super::{content, queries};
use crate::model::CheckReport;

/// Checks all documents. The structure of the indexes is part of the engine's own check.
pub(in super::super) fn check(connection: &Connection, report: &mut CheckReport) -> Attempt<()> {
    let mut count = connection.prepare_cached(queries::CHECK_DOCUMENTS)?;
    (report.documents, report.chunks) =
        count.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    check_index(connection, report)?;
    check_texts(connection, report)
}

fn check_index(connection: &Connection, report: &mut CheckReport) -> Attempt<()> {
    let outside = query(connection, queries::CHECK_CHUNKS_OUTSIDE_INDEX, [], |row| {
        let (document, position): (u64, i32) = (row.get(0)?, row.get(1)?);
        Ok(format!(
            "The chunk {position} of the document {document} is not in the index."
        ))
    })?;
    let ghosts = query(connection, queries::CHECK_INDEX_WITHOUT_CHUNK, [], |row| {
        let (index, id): (String, i64) = (row.get(0)?, row.get(1)?);
        Ok(format!(
            "The index `{index}` has an entry {id} without a chunk."
        ))
    })?;
    report.problems.extend(outside);
    report.problems.extend(ghosts);
    Ok(())
}

fn check_texts(connection: &Connection, report: &mut CheckReport) -> Attempt<()> {
    let missing = query(
        connection,
        queries::CHECK_DOCUMENTS_WITHOUT_CONTENT,
        [],
        |row| {
            let id: u64 = row.get(0)?;
            Ok(format!("The document {id} has lost its text."))
        },
    )?;
    report.problems.extend(missing);
    content::visit(connection, None, |id, text| {
        let text = match text {
            Ok(text) => text,
            Err(reason) => {
                let problem = format!("The text of the document {} is damaged: {reason}.", id.0);
                report.problems.push(problem);
                return Ok(());
            }
        };
        let ranges = query(connection, queries::CHECK_CHUNK_RANGES, [id.0], |row| {
            Ok((row.get::<_, i32>(0)?, row.get::<_, usize>(1)?, row.get(2)?))
        })?;
        let misfits = ranges
            .into_iter()
            .filter(|(_, first, past)| text.get(*first..*past).is_none());
        report.problems.extend(misfits.map(|(position, ..)| {
            format!(
                "The chunk {position} of the document {} does not fit its text.",
                id.0
            )
        }));
        Ok(())
    })
}
