//! Import and sync of a source, end to end: every counter, and what stays untouched.

// The linter knows by this attribute that helpers may unwrap.
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod interrupted;

use std::sync::atomic::{AtomicBool, Ordering};

use epitome_index::documents::model::DocumentPath;
use epitome_retriever::ingest::{SummaryState, state_of};
use fixture::{Lengths, each_store, lock};

const ALL: [&str; 8] = [
    "notes",
    "notes/deep",
    "notes/deep/down",
    "notes/deep/down/three.md",
    "notes/deep/two.md",
    "notes/one.md",
    "notes/other",
    "notes/other/four.md",
];

#[test]
fn a_first_import_summarizes_all_and_a_second_nothing() {
    each_store(|notes| {
        notes.check_sync("added=4 summaries=4", &ALL);
        assert_eq!(
            notes.summary("one.md").unwrap(),
            "Summary of Text of one.md."
        );
        let state = notes.state();
        assert_eq!(
            state.overview.as_deref(),
            Some(
                "one (Summary of Text of one.md.); \
                 deep (two (Summary of Text of deep/two.md.); \
                 down (three (Summary of Text of deep/down/three.md.))); \
                 other (four (Summary of Text of other/four.md.))"
            )
        );
        notes.check_sync("unchanged=4", &[]);
        assert_eq!((notes.state(), notes.version()), (state, 1));
    });
}

#[test]
fn a_touched_file_refreshes_its_date_only() {
    each_store(|notes| {
        notes.sync();
        notes.summarizer.take_asked();
        let state = notes.state();
        notes.touch("one.md", 366);
        notes.check_sync("unchanged=4", &[]);
        assert_eq!(notes.document("one.md").date.as_deref(), Some("1971-01-02"));
        assert_eq!((notes.state(), notes.version()), (state, 1));
    });
}

#[test]
fn an_edited_file_regenerates_its_ancestors_only() {
    each_store(|notes| {
        notes.sync();
        notes.summarizer.take_asked();
        notes.write("deep/two.md", "New text.");
        notes.check_sync(
            "updated=1 unchanged=3 summaries=1",
            &["notes", "notes/deep", "notes/deep/two.md"],
        );
        assert_eq!(
            notes.summary("deep/two.md").unwrap(),
            "Summary of New text."
        );
        assert_eq!(
            state_of(&notes.document("deep/two.md")),
            SummaryState::Fresh
        );
        assert!(
            notes
                .state()
                .overview
                .unwrap()
                .contains("Summary of New text.")
        );
        assert_eq!(notes.version(), 2);
    });
}

#[test]
fn a_renamed_file_keeps_its_summary() {
    each_store(|notes| {
        notes.sync();
        notes.summarizer.take_asked();
        let id = notes.document("other/four.md").id;
        std::fs::rename(
            notes.root().join("other/four.md"),
            notes.root().join("deep/five.md"),
        )
        .unwrap();
        notes.check_sync("updated=1 unchanged=3", &["notes", "notes/deep"]);
        assert_eq!(notes.document("deep/five.md").id, id);
        assert_eq!(
            notes.summary("deep/five.md").unwrap(),
            "Summary of Text of other/four.md."
        );
        let folders = notes.state().folders;
        assert!(
            folders.iter().all(|folder| folder.path != "other"),
            "{folders:?}"
        );
    });
}

#[test]
fn a_deleted_file_leaves_nothing_behind() {
    each_store(|notes| {
        notes.sync();
        notes.summarizer.take_asked();
        std::fs::remove_dir_all(notes.root().join("deep/down")).unwrap();
        notes.check_sync("unchanged=3 pruned=1", &["notes", "notes/deep"]);
        let state = format!("{:?}", notes.state());
        assert!(!state.contains("three"), "{state}");
        assert_eq!(notes.version(), 2);
        std::fs::remove_dir_all(notes.root()).unwrap();
        std::fs::create_dir(notes.root()).unwrap();
        notes.check_sync("pruned=3", &[]);
        assert_eq!(notes.state().overview.as_deref(), Some("No documents."));
    });
}

#[test]
fn an_owners_summary_survives_a_new_content() {
    each_store(|notes| {
        notes.sync();
        notes.summarizer.take_asked();
        notes.set_owner_summary("one.md", "The zebra note.");
        let report = notes.check_sync("unchanged=4", &[]);
        assert_eq!(report.ingested.stale_by_owner, []);
        assert_eq!(state_of(&notes.document("one.md")), SummaryState::Owner);
        assert!(notes.finds("zebra"));

        notes.write("one.md", "Other text.");
        let stale = [DocumentPath::new("notes", "one.md")];
        let report = notes.check_sync("updated=1 unchanged=3", &["notes"]);
        assert_eq!(report.ingested.stale_by_owner, stale);
        assert_eq!(notes.summary("one.md").unwrap(), "The zebra note.");
        assert_eq!(
            state_of(&notes.document("one.md")),
            SummaryState::StaleOwner
        );
        assert!(!notes.finds("zebra"));
        assert!(!notes.state().overview.unwrap().contains("zebra"));

        let report = notes.check_sync("unchanged=4", &[]);
        assert_eq!(report.ingested.stale_by_owner, stale);
    });
}

#[test]
fn a_missing_summary_is_backfilled_and_nothing_else_moves() {
    each_store(|notes| {
        notes.sync();
        notes.summarizer.take_asked();
        let state = notes.state();
        // A date by hand keeps no backfill out.
        let id = notes.document("one.md").id;
        notes.store.set_date(id, "2001-02-03").unwrap();
        notes.store.reset_summary(id).unwrap();
        notes.touch("one.md", 366);
        notes.check_sync("unchanged=4 summary_backfilled=1", &["notes/one.md"]);
        let document = notes.document("one.md");
        assert_eq!(document.date.as_deref(), Some("2001-02-03"));
        assert!(document.date_is_manual);
        assert_eq!(document.file_modified_ms, 366 * 86_400_000);
        assert_eq!((notes.state(), notes.version()), (state, 1));
    });
}

#[test]
fn a_failing_summarizer_costs_the_summary_only() {
    each_store(|notes| {
        *lock(&notes.summarizer.failing) = vec!["two.md", "four.md"];
        let report = notes.check_sync("added=4 summaries=2 summary_errors=2", &ALL);
        let failed: Vec<_> = report
            .ingested
            .failed
            .iter()
            .map(|f| f.path.path())
            .collect();
        assert!(failed.contains(&"deep/two.md") && failed.contains(&"other/four.md"));
        assert_eq!(
            state_of(&notes.document("deep/two.md")),
            SummaryState::Missing
        );
        assert!(notes.finds("two"));
        notes.check_sync(
            "unchanged=4 summary_errors=2",
            &["notes/deep/two.md", "notes/other/four.md"],
        );
        lock(&notes.summarizer.failing).clear();
        notes.check_sync(
            "unchanged=4 summary_backfilled=2",
            &["notes/deep/two.md", "notes/other/four.md"],
        );
        assert_eq!(notes.version(), 1);
    });
}

#[test]
fn a_failed_regeneration_keeps_the_old_summary_as_stale() {
    each_store(|notes| {
        notes.sync();
        notes.summarizer.take_asked();
        notes.write("one.md", "New text.");
        *lock(&notes.summarizer.failing) = vec!["one.md"];
        notes.check_sync(
            "updated=1 unchanged=3 summary_errors=1",
            &["notes", "notes/one.md"],
        );
        let document = notes.document("one.md");
        assert_eq!(state_of(&document), SummaryState::Stale);
        assert_eq!(document.summary.unwrap().text, "Summary of Text of one.md.");
        assert!(notes.state().overview.unwrap().starts_with("one (?); "));
        lock(&notes.summarizer.failing).clear();
        notes.check_sync("unchanged=4 summary_backfilled=1", &["notes/one.md"]);
        assert_eq!(notes.summary("one.md").unwrap(), "Summary of New text.");
    });
}

#[test]
fn a_folder_that_fails_has_an_extractive_summary_until_the_next_change() {
    each_store(|notes| {
        *lock(&notes.summarizer.failing) = vec!["/other"];
        let report = notes.check_sync("added=4 summaries=4", &ALL);
        assert_eq!(report.ingested.folder_errors, 1);
        assert!(
            notes
                .state()
                .overview
                .unwrap()
                .contains("other (1 document: four.")
        );
        lock(&notes.summarizer.failing).clear();
        notes.check_sync("unchanged=4", &[]);
        notes.write("one.md", "New text.");
        notes.check_sync(
            "updated=1 unchanged=3 summaries=1",
            &["notes", "notes/one.md", "notes/other"],
        );
    });
}

#[test]
fn a_failing_embedder_costs_the_summary_only() {
    each_store(|notes| {
        let embedder = Lengths {
            down: AtomicBool::new(true),
        };
        let sync = || {
            let report = notes.sync_with(Some(&embedder), &AtomicBool::new(false), &mut |_| {});
            (
                report.counts.summaries,
                report.counts.summary_errors,
                report.counts.summary_backfilled,
            )
        };
        assert_eq!(sync(), (0, 4, 0));
        assert!(notes.finds("two"));
        assert_eq!(notes.store.vector_models().unwrap(), []);
        embedder.down.store(false, Ordering::Relaxed);
        assert_eq!(sync(), (0, 0, 4));
        // Each document has one chunk beside its summary.
        assert_eq!(
            notes.store.vector_models().unwrap(),
            [("lengths".to_owned(), 3, 8)]
        );
        assert_eq!(sync(), (0, 0, 0));
    });
}

#[test]
fn folders_are_told_apart_by_their_whole_names() {
    each_store(|notes| {
        for path in ["a/x.md", "a-b/x.md", "a/b/c/x.md", "a.md", "ab/x.md"] {
            notes.write(path, "text");
        }
        notes.sync();
        let folders = notes.state().folders;
        let paths: Vec<&str> = folders.iter().map(|folder| &*folder.path).collect();
        assert_eq!(
            paths,
            [
                "a",
                "a-b",
                "a/b",
                "a/b/c",
                "ab",
                "deep",
                "deep/down",
                "other"
            ]
        );
        let top = folders.iter().find(|folder| folder.path == "a").unwrap();
        assert_eq!(
            top.summary,
            "x (Summary of text); b (c (x (Summary of text)))"
        );
    });
}

#[tokio::test]
async fn an_import_may_run_inside_of_a_runtime() {
    each_store(|notes| {
        notes.check_sync("added=4 summaries=4", &ALL);
    });
}
