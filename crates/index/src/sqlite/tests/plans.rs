//! The hot queries use their indexes.

use super::super::documents::queries as documents;
use super::super::queries;
use super::place;
use crate::SqliteStore;

/// The steps of a query as the engine plans them.
fn plan(store: &SqliteStore, sql: &str) -> Vec<String> {
    let session = store.session();
    let mut statement = session
        .connection
        .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
        .unwrap();
    let nothing = vec![rusqlite::types::Null; statement.parameter_count()];
    let steps = statement
        .query_map(rusqlite::params_from_iter(nothing), |row| row.get(3))
        .unwrap();
    steps.collect::<Result<_, _>>().unwrap()
}

#[test]
fn hot_queries_search_and_never_sort() {
    let (_folder, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    let check = |sql: &str, expected: &[&str]| assert_eq!(plan(&store, sql), expected, "{sql}");
    check(
        queries::BLOB_READ,
        &["SEARCH blob USING INDEX sqlite_autoindex_blob_1 (address=?)"],
    );
    check(
        queries::BLOB_FIND,
        &["SEARCH blob USING COVERING INDEX sqlite_autoindex_blob_1 (address=?)"],
    );
    check(
        queries::CALL_STANDING,
        &["SEARCH call USING INDEX sqlite_autoindex_call_1 \
           (provider_id=? AND conversation=? AND occurrence=?)"],
    );
    check(
        queries::BATCH_NEXT,
        &["SEARCH batch USING COVERING INDEX sqlite_autoindex_batch_1 (conversation=?)"],
    );
    check(
        queries::BATCH_LIST,
        &["SEARCH batch USING INDEX sqlite_autoindex_batch_1 (conversation=?)"],
    );
    check(
        queries::RENDERING_LIST,
        &["SEARCH rendering USING INDEX rendering_by_length (output_length<?)"],
    );
    check(
        queries::EDIT_LIST,
        &[
            "SEARCH rendering USING COVERING INDEX sqlite_autoindex_rendering_1 (output=?)",
            "SEARCH edit USING PRIMARY KEY (rendering=?)",
            "SEARCH blob USING INTEGER PRIMARY KEY (rowid=?)",
        ],
    );
}

#[test]
fn calls_are_searched_by_every_way() {
    let (_folder, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    let check = |sql: &str, index: &str| {
        let expected = [
            &format!("SEARCH call USING INDEX {index}"),
            "SEARCH batch USING INDEX sqlite_autoindex_batch_1 (conversation=? AND number=?)",
            "SEARCH args USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
            "SEARCH result USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
        ];
        assert_eq!(plan(&store, sql), expected, "{sql}");
    };
    check(
        queries::CALL_LIST,
        "sqlite_autoindex_call_2 (conversation=?)",
    );
    check(
        queries::CALL_BY_REF,
        "call_by_short (short=? AND conversation=?)",
    );
    check(queries::CALL_BY_REF_ANYWHERE, "call_by_short (short=?)");
    check(
        queries::CALL_BY_PROVIDER_ID,
        "sqlite_autoindex_call_1 (provider_id=? AND conversation=?)",
    );
    check(
        queries::CALL_BY_PROVIDER_ID_ANYWHERE,
        "sqlite_autoindex_call_1 (provider_id=?)",
    );
}

#[test]
fn no_query_but_the_check_scans_a_table() {
    let (_folder, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    for sql in [
        queries::CONVERSATION_LIST,
        queries::CONVERSATION_FIND,
        queries::CALL_DELETE,
        queries::BATCH_DELETE_EMPTY,
        queries::FORGET_CANDIDATES,
        queries::FORGET_REFS,
        queries::FORGET_CONVERSATION,
        queries::FORGET_BLOB,
    ] {
        let scans = plan(&store, sql)
            .into_iter()
            .filter(|step| step.starts_with("SCAN"));
        assert_eq!(scans.collect::<Vec<_>>(), [""; 0], "{sql}");
    }
}

#[test]
fn documents_are_searched_and_never_sorted() {
    let (_folder, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    for sql in [
        documents::DOCUMENT_BY_ID,
        documents::DOCUMENT_BY_PATH,
        documents::DOCUMENT_LIST,
        documents::DOCUMENT_LIST_OF_SOURCE,
        documents::DOCUMENT_STANDING,
        documents::CONTENT_READ,
        documents::CHUNK_LIST,
        documents::CHUNK_BY_ID,
        documents::CHUNK_DELETE_BODY,
        documents::CHUNK_COUNT_OF_SOURCE,
        documents::CHUNK_WITHOUT_VECTOR,
        documents::DOCUMENT_DELETE,
        documents::FOLDER_LIST,
        documents::SOURCE_TOTALS,
        documents::VECTOR_PUT,
    ] {
        let steps = plan(&store, sql);
        let slow = steps
            .iter()
            .filter(|step| step.starts_with("SCAN") || step.contains("TEMP B-TREE"));
        assert_eq!(slow.collect::<Vec<_>>(), [""; 0], "{sql}");
    }
}
