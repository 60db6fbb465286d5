//! The conformance suite: every behaviour that the trait promises, run against every store.

pub(crate) mod documents;
pub(crate) mod fixture;
mod flushes;
mod lookups;
mod random;
mod renderings;

use documents::{import, search, summaries, vectors};

/// Runs each test of a module against each store.
macro_rules! conform {
    ($($module:ident: [$($test:ident),* $(,)?])*) => {
        mod memory {
            $($(
                #[test]
                fn $test() {
                    super::$module::$test(&crate::MemoryStore::new());
                }
            )*)*
        }
        mod sqlite {
            $($(
                #[test]
                fn $test() {
                    let folder = tempfile::tempdir().unwrap();
                    let store = crate::SqliteStore::open(folder.path().join("store.db")).unwrap();
                    super::$module::$test(&store);
                }
            )*)*
        }
    };
}

conform! {
    flushes: [
        an_empty_store_has_nothing,
        a_flush_is_found_by_every_way,
        a_conversation_keeps_its_first_facts,
        a_parent_is_filled_in_once,
        a_repeated_flush_changes_nothing,
        a_flush_without_news_makes_no_batch,
        the_first_flush_of_a_call_wins,
        a_left_call_can_be_kept_later,
        a_left_call_can_get_another_reason,
        only_the_news_of_a_batch_are_added,
        batches_are_numbered_per_conversation,
        stores_are_shared_between_threads,
    ]
    lookups: [
        conversations_come_in_pages,
        totals_count_duplicates_but_equal_bytes_once,
        refs_resolve_inside_and_across_conversations,
        provider_ids_resolve_by_occurrence,
        originals_of_any_size_come_back,
        a_large_original_comes_back,
        a_missing_original_is_an_error,
        equal_bytes_are_one_blob,
        a_checked_store_is_counted,
    ]
    renderings: [
        a_rendering_is_recorded_once,
        renderings_are_found_by_length,
        a_rendering_needs_its_conversation,
        forgetting_deletes_what_nothing_else_needs,
        forgetting_keeps_children,
        a_forgotten_conversation_can_come_back,
    ]
    import: [
        an_empty_store_knows_no_document,
        one_import_of_a_source_at_a_time,
        a_source_counts_its_versions,
        unknown_names_are_errors,
        a_document_comes_back_whole,
        an_update_replaces_all_chunks,
        a_chunk_must_fit_its_text,
        a_moved_document_keeps_what_it_has,
        a_date_of_the_owner_stays,
        documents_come_in_pages_by_path,
        a_pruned_document_is_not_found,
        empty_folders_are_pruned,
        a_forgotten_source_leaves_nothing,
    ]
    search: [
        any_word_in_any_form_is_found,
        any_text_is_a_term,
        scripts_without_spaces_are_found,
        a_title_counts_more,
        hits_are_limited_and_ties_ordered,
        a_source_filters_hits,
        frequencies_count_chunks,
    ]
    summaries: [
        a_fresh_summary_is_a_chunk,
        a_stale_summary_stays_outside_the_index,
        a_fresh_summary_keeps_its_vector_when_a_file_is_stored_again,
        a_reset_summary_is_missing,
    ]
    vectors: [
        vectors_come_back_by_chunk,
        vectors_of_a_model_have_one_length,
        calibrations_are_kept_per_model,
    ]
}
