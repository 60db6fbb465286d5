//! The queries about documents, each in its own file under `queries/`.

/// Calibration of a model.
pub(in super::super) const CALIBRATION_FIND: &str =
    include_str!("../../../queries/calibration_find.sql");
/// Sets the calibration of a model.
pub(in super::super) const CALIBRATION_PUT: &str =
    include_str!("../../../queries/calibration_put.sql");
/// Byte ranges of a document's chunks.
pub(in super::super) const CHECK_CHUNK_RANGES: &str =
    include_str!("../../../queries/check_chunk_ranges.sql");
/// Chunks that no search finds.
pub(in super::super) const CHECK_CHUNKS_OUTSIDE_INDEX: &str =
    include_str!("../../../queries/check_chunks_outside_index.sql");
/// Number of documents and chunks.
pub(in super::super) const CHECK_DOCUMENTS: &str =
    include_str!("../../../queries/check_documents.sql");
/// Documents that lost their text.
pub(in super::super) const CHECK_DOCUMENTS_WITHOUT_CONTENT: &str =
    include_str!("../../../queries/check_documents_without_content.sql");
/// Index entries of no chunk.
pub(in super::super) const CHECK_INDEX_WITHOUT_CHUNK: &str =
    include_str!("../../../queries/check_index_without_chunk.sql");
/// One chunk.
pub(in super::super) const CHUNK_BY_ID: &str = include_str!("../../../queries/chunk_by_id.sql");
/// Number of chunks.
pub(in super::super) const CHUNK_COUNT: &str = include_str!("../../../queries/chunk_count.sql");
/// Number of chunks of a source.
pub(in super::super) const CHUNK_COUNT_OF_SOURCE: &str =
    include_str!("../../../queries/chunk_count_of_source.sql");
/// Deletes the chunk at a position.
pub(in super::super) const CHUNK_DELETE: &str = include_str!("../../../queries/chunk_delete.sql");
/// Deletes the chunks of a document but for its summary.
pub(in super::super) const CHUNK_DELETE_BODY: &str =
    include_str!("../../../queries/chunk_delete_body.sql");
/// Number of the chunk at a position.
pub(in super::super) const CHUNK_FIND: &str = include_str!("../../../queries/chunk_find.sql");
/// Adds a chunk.
pub(in super::super) const CHUNK_INSERT: &str = include_str!("../../../queries/chunk_insert.sql");
/// Chunks of a document.
pub(in super::super) const CHUNK_LIST: &str = include_str!("../../../queries/chunk_list.sql");
/// A page of chunks without a vector of a model.
pub(in super::super) const CHUNK_WITHOUT_VECTOR: &str =
    include_str!("../../../queries/chunk_without_vector.sql");
/// Sets the full text of a document.
pub(in super::super) const CONTENT_PUT: &str = include_str!("../../../queries/content_put.sql");
/// Full text of a document.
pub(in super::super) const CONTENT_READ: &str = include_str!("../../../queries/content_read.sql");
/// All full texts.
pub(in super::super) const CONTENT_SCAN: &str = include_str!("../../../queries/content_scan.sql");
/// Full texts of a source.
pub(in super::super) const CONTENT_SCAN_OF_SOURCE: &str =
    include_str!("../../../queries/content_scan_of_source.sql");
/// One document.
pub(in super::super) const DOCUMENT_BY_ID: &str =
    include_str!("../../../queries/document_by_id.sql");
/// One document by its address.
pub(in super::super) const DOCUMENT_BY_PATH: &str =
    include_str!("../../../queries/document_by_path.sql");
/// Deletes a document with its content, chunks and vectors.
pub(in super::super) const DOCUMENT_DELETE: &str =
    include_str!("../../../queries/document_delete.sql");
/// A page of documents by path.
pub(in super::super) const DOCUMENT_LIST: &str = include_str!("../../../queries/document_list.sql");
/// A page of documents of a source by path.
pub(in super::super) const DOCUMENT_LIST_OF_SOURCE: &str =
    include_str!("../../../queries/document_list_of_source.sql");
/// Gives a document another address.
pub(in super::super) const DOCUMENT_MOVE: &str = include_str!("../../../queries/document_move.sql");
/// Adds a document.
pub(in super::super) const DOCUMENT_INSERT: &str =
    include_str!("../../../queries/document_insert.sql");
/// Stores the new content of a document.
pub(in super::super) const DOCUMENT_UPDATE: &str =
    include_str!("../../../queries/document_update.sql");
/// Sets a date by hand.
pub(in super::super) const DOCUMENT_SET_DATE: &str =
    include_str!("../../../queries/document_set_date.sql");
/// Sets or clears a summary.
pub(in super::super) const DOCUMENT_SET_SUMMARY: &str =
    include_str!("../../../queries/document_set_summary.sql");
/// What decides which index entries of a document stay.
pub(in super::super) const DOCUMENT_STANDING: &str =
    include_str!("../../../queries/document_standing.sql");
/// Notes the facts of an unchanged file.
pub(in super::super) const DOCUMENT_TOUCH: &str =
    include_str!("../../../queries/document_touch.sql");
/// Folders of a source.
pub(in super::super) const FOLDER_LIST: &str = include_str!("../../../queries/folder_list.sql");
/// Deletes folders without documents.
pub(in super::super) const FOLDER_PRUNE: &str = include_str!("../../../queries/folder_prune.sql");
/// Sets the summary of a folder.
pub(in super::super) const FOLDER_PUT: &str = include_str!("../../../queries/folder_put.sql");
/// Takes a chunk out of the index of words.
pub(in super::super) const FTS_DELETE: &str = include_str!("../../../queries/fts_delete.sql");
/// Adds a chunk to the index of words.
pub(in super::super) const FTS_INSERT: &str = include_str!("../../../queries/fts_insert.sql");
/// Number of chunks that match an expression.
pub(in super::super) const SEARCH_FREQUENCY: &str =
    include_str!("../../../queries/search_frequency.sql");
/// Best chunks for an expression over trigrams.
pub(in super::super) const SEARCH_TRIGRAMS: &str =
    include_str!("../../../queries/search_trigrams.sql");
/// The same inside a source.
pub(in super::super) const SEARCH_TRIGRAMS_OF_SOURCE: &str =
    include_str!("../../../queries/search_trigrams_of_source.sql");
/// Best chunks for an expression over words and bigrams.
pub(in super::super) const SEARCH_WORDS: &str = include_str!("../../../queries/search_words.sql");
/// The same inside a source.
pub(in super::super) const SEARCH_WORDS_OF_SOURCE: &str =
    include_str!("../../../queries/search_words_of_source.sql");
/// Deletes a source.
pub(in super::super) const SOURCE_DELETE: &str = include_str!("../../../queries/source_delete.sql");
/// Deletes the documents of a source.
pub(in super::super) const SOURCE_DELETE_DOCUMENTS: &str =
    include_str!("../../../queries/source_delete_documents.sql");
/// Deletes the folders of a source.
pub(in super::super) const SOURCE_DELETE_FOLDERS: &str =
    include_str!("../../../queries/source_delete_folders.sql");
/// Documents of a source.
pub(in super::super) const SOURCE_DOCUMENTS: &str =
    include_str!("../../../queries/source_documents.sql");
/// One source by its name.
pub(in super::super) const SOURCE_FIND: &str = include_str!("../../../queries/source_find.sql");
/// Ends an import.
pub(in super::super) const SOURCE_FINISH: &str = include_str!("../../../queries/source_finish.sql");
/// All sources by name.
pub(in super::super) const SOURCE_LIST: &str = include_str!("../../../queries/source_list.sql");
/// Sets the overview of a source.
pub(in super::super) const SOURCE_OVERVIEW: &str =
    include_str!("../../../queries/source_overview.sql");
/// Makes a source known or moves it.
pub(in super::super) const SOURCE_PUT: &str = include_str!("../../../queries/source_put.sql");
/// Totals of a source.
pub(in super::super) const SOURCE_TOTALS: &str = include_str!("../../../queries/source_totals.sql");
/// Takes a chunk out of the index of trigrams.
pub(in super::super) const TRI_DELETE: &str = include_str!("../../../queries/tri_delete.sql");
/// Adds a chunk to the index of trigrams.
pub(in super::super) const TRI_INSERT: &str = include_str!("../../../queries/tri_insert.sql");
/// A model with its dimension and whether it has vectors.
pub(in super::super) const VECTOR_MODEL_FIND: &str =
    include_str!("../../../queries/vector_model_find.sql");
/// Models that have vectors.
pub(in super::super) const VECTOR_MODEL_LIST: &str =
    include_str!("../../../queries/vector_model_list.sql");
/// Makes a model known.
pub(in super::super) const VECTOR_MODEL_PUT: &str =
    include_str!("../../../queries/vector_model_put.sql");
/// Sets the vector of a chunk, if the chunk is there.
pub(in super::super) const VECTOR_PUT: &str = include_str!("../../../queries/vector_put.sql");
/// All vectors of a model by chunk.
pub(in super::super) const VECTOR_SCAN: &str = include_str!("../../../queries/vector_scan.sql");
