//! The check of a whole store.

use std::path::Path;

use rusqlite::{Connection, ErrorCode};

use super::failure::{Attempt, Failure};
use super::row::{blob_id, query};
use super::{blob, documents, migrate, place, queries};
use crate::model::CheckReport;

/// Checks structure, references and originals in one snapshot. What is wrong is reported, not
/// raised, as far as the engine can still read.
pub(super) fn check(connection: &Connection) -> Attempt<CheckReport> {
    let snapshot = connection.unchecked_transaction()?;
    let mut report = CheckReport {
        schema_version: migrate::version(&snapshot)?,
        ..CheckReport::default()
    };
    for step in [
        check_structure,
        check_references,
        check_originals,
        documents::check::check,
        count,
    ] {
        match step(&snapshot, &mut report) {
            Err(Failure::Engine(error)) if is_damage(&error) => {
                report
                    .problems
                    .push(format!("The file of the store is damaged: {error}."));
            }
            other => other?,
        }
    }
    Ok(report)
}

fn is_damage(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt)
}

fn check_structure(connection: &Connection, report: &mut CheckReport) -> Attempt<()> {
    let findings: Vec<String> = query(connection, "PRAGMA integrity_check", [], |row| row.get(0))?;
    let findings = findings.into_iter().filter(|finding| finding != "ok");
    report
        .problems
        .extend(findings.map(|finding| format!("The file of the store: {finding}.")));
    Ok(())
}

fn check_references(connection: &Connection, report: &mut CheckReport) -> Attempt<()> {
    let dangling = query(connection, "PRAGMA foreign_key_check", [], |row| {
        let (table, parent): (String, String) = (row.get(0)?, row.get(2)?);
        Ok(format!(
            "A row of `{table}` refers to a missing row of `{parent}`."
        ))
    })?;
    let without_original = query(connection, queries::CHECK_KEPT_WITHOUT_BLOB, [], |row| {
        let (conversation, id): (String, String) = (row.get(0)?, row.get(1)?);
        let occurrence: u32 = row.get(2)?;
        Ok(format!(
            "The call {id}#{occurrence} of {conversation} has lost an original."
        ))
    })?;
    report.problems.extend(dangling);
    report.problems.extend(without_original);
    Ok(())
}

fn check_originals(connection: &Connection, report: &mut CheckReport) -> Attempt<()> {
    let mut statement = connection.prepare_cached(queries::BLOB_SCAN)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let id = blob_id(row, 0)?;
        let data = row.get_ref(3)?.as_blob().map_err(rusqlite::Error::from)?;
        if let Err(reason) = blob::unpack(&id, row.get(1)?, row.get(2)?, data) {
            report
                .problems
                .push(format!("The original {id} is damaged: {reason}."));
        }
    }
    Ok(())
}

fn count(connection: &Connection, report: &mut CheckReport) -> Attempt<()> {
    let totals = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
    (report.blobs, report.blob_bytes) = connection
        .prepare_cached(queries::BLOB_TOTALS)?
        .query_row([], totals)?;
    report.conversations = connection
        .prepare_cached(queries::CHECK_CONVERSATIONS)?
        .query_row([], |row| row.get(0))?;
    Ok(())
}

/// Bytes of the store's file and its write-ahead log on disk.
pub(super) fn stored_bytes(path: &Path) -> u64 {
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    size(path) + size(&place::log_path(path))
}
