//! The lexical search: words and bigrams, trigrams and plain scans, united.

use epitome_core::id::{ChunkId, DocumentId};
use rusqlite::{Connection, params};

use super::super::failure::Attempt;
use super::super::row::query;
use super::{expression, queries, scan};
use crate::documents::model::{LexicalHit, LexicalQuery};
use crate::documents::union::Union;

/// Chunks that match any term of a query.
pub(super) fn search(connection: &Connection, asked: &LexicalQuery) -> Attempt<Vec<LexicalHit>> {
    let mut union = Union::default();
    // The columns of words hold no ideographs and that of bigrams nothing else, so every term meets
    // its own column.
    if let Some(expression) = expression::any_of(asked.words.iter().chain(&asked.bigrams)) {
        let sql = match asked.source {
            Some(_) => queries::SEARCH_WORDS_OF_SOURCE,
            None => queries::SEARCH_WORDS,
        };
        matched(connection, sql, &expression, asked, &mut union)?;
    }
    if let Some(expression) = expression::any_of(&asked.trigrams) {
        let sql = match asked.source {
            Some(_) => queries::SEARCH_TRIGRAMS_OF_SOURCE,
            None => queries::SEARCH_TRIGRAMS,
        };
        matched(connection, sql, &expression, asked, &mut union)?;
    }
    scan::scan(connection, asked, &mut union)?;
    Ok(union.best(asked.limit))
}

/// Runs one leg on an index.
fn matched(
    connection: &Connection,
    sql: &str,
    expression: &str,
    asked: &LexicalQuery,
    union: &mut Union,
) -> Attempt<()> {
    let limit = i64::try_from(asked.limit).unwrap_or(i64::MAX);
    let read = |row: &rusqlite::Row<'_>| {
        Ok(LexicalHit {
            chunk: ChunkId(row.get(0)?),
            document: DocumentId(row.get(1)?),
            position: row.get(2)?,
            score: row.get(3)?,
        })
    };
    let hits = match &asked.source {
        Some(source) => query(connection, sql, params![expression, limit, source], read)?,
        None => query(connection, sql, params![expression, limit], read)?,
    };
    for hit in hits {
        union.add(hit);
    }
    Ok(())
}

/// In how many chunks each term stands. The engine itself splits and stems the terms.
pub(super) fn frequencies(connection: &Connection, terms: &[String]) -> Attempt<Vec<u64>> {
    let mut statement = connection.prepare_cached(queries::SEARCH_FREQUENCY)?;
    let mut frequency = |term: &String| {
        let Some(expression) = expression::any_of([term]) else {
            return Ok(0);
        };
        Ok(statement.query_row([expression], |row| row.get(0))?)
    };
    terms.iter().map(&mut frequency).collect()
}
