//! Full texts, packed.

use epitome_core::id::DocumentId;
use rusqlite::{Connection, OptionalExtension, params};

use super::super::Writer;
use super::super::blob::unpack_unchecked;
use super::super::failure::Attempt;
use super::super::row::execute;
use super::queries;
use crate::ErrorKind;

/// Sets the text of a document.
pub(super) fn put(writer: &mut Writer<'_>, id: DocumentId, text: &str) -> Attempt<()> {
    let (codec, data) = writer.packer.pack(text.as_bytes());
    execute(
        writer.connection,
        queries::CONTENT_PUT,
        params![id.0, codec, text.len(), data],
    )?;
    Ok(())
}

/// The text of a document; `None` without the document.
pub(super) fn read(connection: &Connection, id: DocumentId) -> Attempt<Option<String>> {
    let mut statement = connection.prepare_cached(queries::CONTENT_READ)?;
    let text = statement
        .query_row([id.0], |row| {
            let data = row.get_ref(2)?.as_blob()?;
            Ok(unpack(row.get(0)?, row.get(1)?, data))
        })
        .optional()?;
    Ok(text
        .transpose()
        .map_err(|reason| ErrorKind::DamagedText { id: id.0, reason })?)
}

/// The text of a document that must be there.
pub(super) fn of(connection: &Connection, id: DocumentId) -> Attempt<String> {
    let missing = || ErrorKind::DamagedText {
        id: id.0,
        reason: "it is not in the store".to_owned(),
    };
    Ok(read(connection, id)?.ok_or_else(missing)?)
}

/// Visits the texts of a source, or all, and tells for each why it could not be read, if so.
pub(super) fn visit(
    connection: &Connection,
    source: Option<&str>,
    mut visit: impl FnMut(DocumentId, Result<&str, String>) -> Attempt<()>,
) -> Attempt<()> {
    let sql = match source {
        Some(_) => queries::CONTENT_SCAN_OF_SOURCE,
        None => queries::CONTENT_SCAN,
    };
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(rusqlite::params_from_iter(source))?;
    while let Some(row) = rows.next()? {
        let data = row.get_ref(3)?.as_blob().map_err(rusqlite::Error::from)?;
        let text = unpack(row.get(1)?, row.get(2)?, data);
        visit(
            DocumentId(row.get(0)?),
            text.as_deref().map_err(Clone::clone),
        )?;
    }
    Ok(())
}

fn unpack(codec: u8, length: u64, data: &[u8]) -> Result<String, String> {
    let bytes = unpack_unchecked(codec, length, data)?;
    String::from_utf8(bytes).map_err(|error| format!("it is no text ({error})"))
}
