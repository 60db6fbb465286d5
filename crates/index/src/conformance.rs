//! The conformance suite: every behaviour that the trait promises, run against every store.

pub(crate) mod fixture;
mod flushes;
mod lookups;
mod random;
mod renderings;

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
}
