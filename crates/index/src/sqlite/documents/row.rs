//! From rows to the model of documents.

use epitome_core::id::DocumentId;
use rusqlite::Row;
use rusqlite::types::Type;

use super::super::row::blob_id;
use crate::documents::model::{Document, DocumentPath, Source, Summary, SummaryAuthor};

/// Reads the columns of the `source_*` queries, with the number of the source.
pub(super) fn source(row: &Row<'_>) -> rusqlite::Result<(i64, Source)> {
    let key: Option<[u8; 32]> = row.get(4)?;
    let source = Source {
        name: row.get(0)?,
        root: row.get(1)?,
        version: row.get(2)?,
        overview: row.get(3)?,
        overview_key: key.map(epitome_core::id::BlobId::from_bytes),
        imported_ms: row.get(5)?,
    };
    Ok((row.get(6)?, source))
}

/// Reads the columns of the `document_*` queries.
pub(super) fn document(row: &Row<'_>) -> rusqlite::Result<Document> {
    let (source, path): (String, String) = (row.get(1)?, row.get(2)?);
    Ok(Document {
        id: DocumentId(row.get(0)?),
        path: DocumentPath::new(source, path),
        title: row.get(3)?,
        date: row.get(4)?,
        date_is_manual: row.get(5)?,
        kind: row.get(6)?,
        content_hash: blob_id(row, 7)?,
        chars: row.get(8)?,
        file_bytes: row.get(9)?,
        file_modified_ms: row.get(10)?,
        summary: summary(row)?,
    })
}

fn summary(row: &Row<'_>) -> rusqlite::Result<Option<Summary>> {
    let Some(text) = row.get(11)? else {
        return Ok(None);
    };
    let by: String = row.get(12)?;
    let by = author(&by).ok_or_else(|| {
        let reason = format!("`{by}` is no author of a summary");
        rusqlite::Error::FromSqlConversionFailure(12, Type::Text, reason.into())
    })?;
    Ok(Some(Summary {
        text,
        by,
        of_hash: blob_id(row, 13)?,
    }))
}

fn author(name: &str) -> Option<SummaryAuthor> {
    [SummaryAuthor::Auto, SummaryAuthor::Owner]
        .into_iter()
        .find(|author| author_name(*author) == name)
}

/// Name of an author in the store.
pub(super) fn author_name(author: SummaryAuthor) -> &'static str {
    match author {
        SummaryAuthor::Auto => "auto",
        SummaryAuthor::Owner => "owner",
    }
}
