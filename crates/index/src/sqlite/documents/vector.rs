//! Vectors of chunks, per model.

use std::ops::ControlFlow;

use epitome_core::id::{ChunkId, DocumentId};
use rusqlite::{Connection, OptionalExtension, params};

use super::super::failure::Attempt;
use super::super::row::{execute, query};
use super::queries;
use crate::ErrorKind;
use crate::documents::model::ChunkVector;

/// Stores vectors of a model, all of them or none. Chunks that are gone are left out.
pub(super) fn put_all(
    connection: &Connection,
    model: &str,
    vectors: &[(ChunkId, Vec<f32>)],
) -> Attempt<()> {
    let vectors = vectors.iter().map(|(id, numbers)| (*id, &numbers[..]));
    put(connection, model, &vectors.collect::<Vec<_>>())
}

/// Stores borrowed vectors of a model.
pub(super) fn put(
    connection: &Connection,
    model: &str,
    vectors: &[(ChunkId, &[f32])],
) -> Attempt<()> {
    let Some((_, first)) = vectors.first() else {
        return Ok(());
    };
    let expected = dimension(connection, model)?.unwrap_or(first.len());
    if let Some((_, odd)) = vectors.iter().find(|(_, v)| v.len() != expected) {
        return Err(ErrorKind::VectorLength {
            model: model.to_owned(),
            expected,
            found: odd.len(),
        }
        .into());
    }
    let mut statement = connection.prepare_cached(queries::VECTOR_MODEL_PUT)?;
    let number: i64 = statement.query_row(params![model, expected], |row| row.get(0))?;
    let mut bytes = Vec::with_capacity(expected * 4);
    for (id, numbers) in vectors {
        bytes.clear();
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        execute(
            connection,
            queries::VECTOR_PUT,
            params![id.0, number, bytes],
        )?;
    }
    Ok(())
}

/// Numbers in each vector of a model; `None` while there is none.
fn dimension(connection: &Connection, model: &str) -> Attempt<Option<usize>> {
    let mut statement = connection.prepare_cached(queries::VECTOR_MODEL_FIND)?;
    let found = statement
        .query_row([model], |row| Ok((row.get(1)?, row.get(2)?)))
        .optional()?;
    Ok(found.and_then(|(dimension, has_vectors)| Some(dimension).filter(|_| has_vectors)))
}

/// Visits the vectors of a model by chunk.
pub(super) fn visit(
    connection: &Connection,
    model: &str,
    visit: &mut dyn FnMut(ChunkVector<'_>) -> ControlFlow<()>,
) -> Attempt<()> {
    let mut statement = connection.prepare_cached(queries::VECTOR_SCAN)?;
    let mut rows = statement.query([model])?;
    let mut vector = Vec::new();
    while let Some(row) = rows.next()? {
        let bytes = row.get_ref(3)?.as_blob().map_err(rusqlite::Error::from)?;
        vector.clear();
        let (numbers, _) = bytes.as_chunks::<4>();
        vector.extend(numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)));
        let seen = ChunkVector {
            chunk: ChunkId(row.get(0)?),
            document: DocumentId(row.get(1)?),
            position: row.get(2)?,
            vector: &vector,
        };
        if visit(seen).is_break() {
            break;
        }
    }
    Ok(())
}

/// Models that have vectors.
pub(super) fn models(connection: &Connection) -> Attempt<Vec<(String, usize, u64)>> {
    query(connection, queries::VECTOR_MODEL_LIST, [], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    })
}
