//! Sources, documents, folders and chunks.

use epitome_core::id::{BlobId, DocumentId};

use super::fixture::{found, get, path, put, summary, words, write};
use crate::documents::model::{DocumentPath, Folder, NewChunk, SourceTotals, SummaryAuthor};
use crate::{DocumentStore, ErrorKind, Store};

pub(crate) fn an_empty_store_knows_no_document<S: DocumentStore>(store: &S) {
    assert_eq!(store.sources().unwrap(), []);
    assert_eq!(store.source("notes").unwrap(), None);
    assert_eq!(store.documents(None, None, 10).unwrap(), []);
    assert_eq!(store.document(&path("notes/a.md")).unwrap(), None);
    assert_eq!(store.content(DocumentId(1)).unwrap(), None);
    assert_eq!(store.chunks(DocumentId(1)).unwrap(), []);
    assert_eq!(store.chunk_count(None).unwrap(), 0);
    assert_eq!(store.folders("notes").unwrap(), []);
    assert_eq!(store.search_lexical(&words(&["any"])).unwrap(), []);
    assert_eq!(store.vector_models().unwrap(), []);
    assert_eq!(store.calibration("").unwrap(), None);
    assert_eq!(store.forget_source("notes").unwrap(), None);
    store.prune_document(DocumentId(1)).unwrap();
}

pub(crate) fn one_import_of_a_source_at_a_time<S: DocumentStore>(store: &S) {
    let first = store.begin_import("notes/äöü \u{0} ..").unwrap();
    assert!(first.is_some());
    assert!(store.begin_import("notes/äöü \u{0} ..").unwrap().is_none());
    assert!(store.begin_import("other").unwrap().is_some());
    drop(first);
    assert!(store.begin_import("notes/äöü \u{0} ..").unwrap().is_some());
}

pub(crate) fn a_source_counts_its_versions<S: DocumentStore>(store: &S) {
    let source = store.put_source("notes", "/a", 1).unwrap();
    assert_eq!((source.version, source.imported_ms), (0, None));
    assert_eq!(store.finish_import("notes", true, 10).unwrap(), 1);
    assert_eq!(store.finish_import("notes", false, 20).unwrap(), 1);
    let key = BlobId::of(b"key");
    store.put_overview("notes", "All notes.", key).unwrap();
    let source = store.put_source("notes", "/b", 2).unwrap();
    assert_eq!(Some(&source), store.source("notes").unwrap().as_ref());
    assert_eq!((&*source.root, source.version), ("/b", 1));
    assert_eq!(source.imported_ms, Some(20));
    assert_eq!(source.overview.as_deref(), Some("All notes."));
    assert_eq!(source.overview_key, Some(key));
}

pub(crate) fn unknown_names_are_errors<S: DocumentStore>(store: &S) {
    let key = BlobId::of(b"");
    let folder = Folder {
        path: "a".to_owned(),
        summary: "b".to_owned(),
        key,
    };
    let lost = write("lost/a.md", "A", "text");
    for error in [
        store.finish_import("lost", true, 1).unwrap_err(),
        store.put_overview("lost", "", key).unwrap_err(),
        store.put_folder("lost", &folder).unwrap_err(),
        store.prune_folders("lost").unwrap_err(),
        store.put_document(&lost).unwrap_err(),
    ] {
        let known = matches!(error.kind(), ErrorKind::UnknownSource { name } if name == "lost");
        assert!(known, "{error}");
    }
    let id = DocumentId(9);
    let summary = summary("s", SummaryAuthor::Auto, "");
    for error in [
        store.move_document(id, &lost).unwrap_err(),
        store.touch_document(id, 1, 1, None).unwrap_err(),
        store.set_date(id, "2025-01-01").unwrap_err(),
        store.put_summary(id, &summary).unwrap_err(),
        store.reset_summary(id).unwrap_err(),
    ] {
        let known = matches!(error.kind(), ErrorKind::UnknownDocument { id: 9 });
        assert!(known, "{error}");
    }
}

pub(crate) fn a_document_comes_back_whole<S: DocumentStore>(store: &S) {
    let text = "# Naïve 数据\n\nsecond\r\nparagraph \u{0} 🙂\n\n\n";
    let id = put(store, "notes/sub folder/a.md", "Naïve 数据", text);
    let document = get(store, "notes/sub folder/a.md");
    assert_eq!(document.id, id);
    assert_eq!(document.title, "Naïve 数据");
    assert_eq!(document.chars, text.chars().count() as u64);
    assert_eq!(document.content_hash, BlobId::of(text.as_bytes()));
    assert_eq!(
        (document.file_bytes, document.file_modified_ms),
        (text.len() as u64, 7)
    );
    assert_eq!(document.date.as_deref(), Some("2025-01-02"));
    assert!(!document.date_is_manual);
    assert_eq!(document.summary, None);
    assert_eq!(store.content(id).unwrap().as_deref(), Some(text));
    let chunks = store.chunks(id).unwrap();
    assert_eq!(chunks.iter().map(|c| &*c.text).collect::<String>(), text);
    assert!(
        chunks
            .iter()
            .all(|c| text[c.range.clone()] == c.text && c.document == id)
    );
    let positions: Vec<_> = chunks.iter().map(|c| c.position).collect();
    assert_eq!(positions, [0, 1, 2]);
    let reversed: Vec<_> = chunks.iter().rev().map(|c| c.id).collect();
    let mut by_id = store.chunks_by_id(&reversed).unwrap();
    by_id.reverse();
    assert_eq!(by_id, chunks);
}

pub(crate) fn an_update_replaces_all_chunks<S: DocumentStore>(store: &S) {
    let id = put(store, "notes/a.md", "Old", "apple\n\nbanana\n\ncherry");
    let before = store.chunks(id).unwrap();
    assert_eq!(put(store, "notes/a.md", "New", "damson\n\nbanana"), id);
    assert_eq!(store.chunk_count(None).unwrap(), 2);
    let old: Vec<_> = before.iter().map(|chunk| chunk.id).collect();
    assert_eq!(store.chunks_by_id(&old).unwrap(), []);
    let a = |position| ("notes/a.md".to_owned(), position);
    assert_eq!(found(store, &words(&["apple", "cherry", "old"])), []);
    assert_eq!(found(store, &words(&["damson"])), [a(0)]);
    assert_eq!(found(store, &words(&["banana"])), [a(1)]);
    assert_eq!(found(store, &words(&["new"])), [a(0), a(1)]);
}

pub(crate) fn a_chunk_must_fit_its_text<S: DocumentStore>(store: &S) {
    store.put_source("notes", "/", 1).unwrap();
    for range in [0..9, 1..2, 3..3 + 9] {
        let mut write = write("notes/a.md", "A", "é数据");
        let trail = "";
        write.chunks = vec![NewChunk { range: 0..2, trail }, NewChunk { range, trail }];
        let error = store.put_document(&write).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::ChunkRange { .. }),
            "{error}"
        );
    }
    assert_eq!(store.documents(None, None, 9).unwrap(), []);
    assert_eq!(store.chunk_count(None).unwrap(), 0);
}

pub(crate) fn a_moved_document_keeps_what_it_has<S: DocumentStore>(store: &S) {
    let id = put(store, "notes/a.md", "Before", "apple\n\nbanana");
    put(store, "notes/c.md", "Third", "cherry");
    let short = summary("A pomology.", SummaryAuthor::Auto, "apple\n\nbanana");
    store.put_summary(id, &short).unwrap();
    let chunks = store.chunks(id).unwrap();
    let mut moved = write("notes/b.md", "After", "apple\n\nbanana");
    moved.date = Some("2026-01-01");
    store.move_document(id, &moved).unwrap();
    let document = get(store, "notes/b.md");
    assert_eq!((document.id, &*document.title), (id, "After"));
    assert_eq!(document.date.as_deref(), Some("2026-01-01"));
    assert_eq!(document.summary.unwrap().text, "A pomology.");
    assert_eq!(store.chunks(id).unwrap(), chunks);
    assert_eq!(store.document(&path("notes/a.md")).unwrap(), None);
    let b = |position| ("notes/b.md".to_owned(), position);
    assert_eq!(
        found(store, &words(&["before"])).len(),
        2,
        "the trails still say so"
    );
    assert_eq!(found(store, &words(&["after"])), [b(-1), b(0), b(1)]);
    let taken = store
        .move_document(id, &write("notes/c.md", "X", ""))
        .unwrap_err();
    assert!(
        matches!(taken.kind(), ErrorKind::PathTaken { .. }),
        "{taken}"
    );
}

pub(crate) fn a_date_of_the_owner_stays<S: DocumentStore>(store: &S) {
    let id = put(store, "notes/a.md", "A", "one");
    store.touch_document(id, 5, 6, Some("2025-03-03")).unwrap();
    let touched = get(store, "notes/a.md");
    assert_eq!(touched.date.as_deref(), Some("2025-03-03"));
    assert_eq!((touched.file_bytes, touched.file_modified_ms), (5, 6));
    store.set_date(id, "1999-12-31").unwrap();
    store.touch_document(id, 7, 8, Some("2025-04-04")).unwrap();
    put(store, "notes/a.md", "A", "two");
    store
        .move_document(id, &write("notes/b.md", "A", "two"))
        .unwrap();
    let document = get(store, "notes/b.md");
    assert_eq!(document.date.as_deref(), Some("1999-12-31"));
    assert!(document.date_is_manual);
}

pub(crate) fn documents_come_in_pages_by_path<S: DocumentStore>(store: &S) {
    for address in ["b/a.md", "a/z.md", "a/B.md", "a/a/c.md", "a/é.md", "c/1.md"] {
        put(store, address, "T", "text");
    }
    let list = |source: Option<&str>, after: Option<&str>, limit| -> Vec<String> {
        let after = after.map(path);
        let page = store.documents(source, after.as_ref(), limit).unwrap();
        page.iter()
            .map(|document| document.path.to_string())
            .collect()
    };
    let all = ["a/B.md", "a/a/c.md", "a/z.md", "a/é.md", "b/a.md", "c/1.md"];
    assert_eq!(list(None, None, 100), all);
    assert_eq!(list(None, None, usize::MAX), all);
    for (at, last) in all.iter().enumerate() {
        assert_eq!(
            list(None, Some(last), 2),
            all[at + 1..].iter().take(2).copied().collect::<Vec<_>>()
        );
    }
    assert_eq!(list(Some("a"), None, 100), all[..4]);
    assert_eq!(list(Some("a"), Some("a/a/c.md"), 1), all[2..3]);
    assert_eq!(list(Some("b"), Some("a/z.md"), 9), all[4..5]);
    assert_eq!(list(Some("a"), Some("b/0.md"), 9), [""; 0]);
    assert_eq!(list(Some("lost"), None, 9), [""; 0]);
    let ids: Vec<_> = [
        get(store, "c/1.md").id,
        DocumentId(99),
        get(store, "a/z.md").id,
    ]
    .into();
    let by_id = store.documents_by_id(&ids).unwrap();
    assert_eq!(
        by_id.iter().map(|d| d.path.to_string()).collect::<Vec<_>>(),
        ["c/1.md", "a/z.md"]
    );
}

pub(crate) fn a_pruned_document_is_not_found<S: DocumentStore>(store: &S) {
    let id = put(store, "notes/a.md", "Ghost", "apple");
    let short = summary("spirit", SummaryAuthor::Owner, "apple");
    store.put_summary(id, &short).unwrap();
    let chunks: Vec<_> = store.chunks(id).unwrap().iter().map(|c| c.id).collect();
    store.put_vectors("m", &[(chunks[0], vec![1.0])]).unwrap();
    store.prune_document(id).unwrap();
    assert_eq!(store.document(&path("notes/a.md")).unwrap(), None);
    assert_eq!(store.chunks_by_id(&chunks).unwrap(), []);
    assert_eq!(found(store, &words(&["ghost", "apple", "spirit"])), []);
    assert_eq!(store.chunk_frequencies(&["apple".to_owned()]).unwrap(), [0]);
    assert_eq!(store.vector_models().unwrap(), []);
    assert_ne!(put(store, "notes/a.md", "Ghost", "apple"), id);
}

pub(crate) fn empty_folders_are_pruned<S: DocumentStore>(store: &S) {
    put(store, "notes/a/b/one.md", "One", "text");
    put(store, "notes/ab.md", "Two", "text");
    put(store, "other/c/d.md", "Three", "text");
    let folder = |path: &str, summary: &str| Folder {
        path: path.to_owned(),
        summary: summary.to_owned(),
        key: BlobId::of(summary.as_bytes()),
    };
    for path in ["", "a", "a/b", "a/bc", "ab", "c"] {
        store.put_folder("notes", &folder(path, "old")).unwrap();
        store.put_folder("notes", &folder(path, "new")).unwrap();
    }
    assert_eq!(store.folders("notes").unwrap().len(), 6);
    assert_eq!(store.prune_folders("notes").unwrap(), 3);
    let left = [folder("", "new"), folder("a", "new"), folder("a/b", "new")];
    assert_eq!(store.folders("notes").unwrap(), left);
    store.prune_document(get(store, "notes/ab.md").id).unwrap();
    store
        .prune_document(get(store, "notes/a/b/one.md").id)
        .unwrap();
    assert_eq!(store.prune_folders("notes").unwrap(), 3);
}

pub(crate) fn a_forgotten_source_leaves_nothing<S: DocumentStore + Store>(store: &S) {
    let id = put(store, "notes/a.md", "A", "apple\n\nbanana");
    put(store, "other/b.md", "B", "apple");
    let short = summary("fruit", SummaryAuthor::Auto, "older");
    store.put_summary(id, &short).unwrap();
    let expected = SourceTotals {
        documents: 1,
        without_summary: 0,
        stale_summaries: 1,
        chunks: 2,
        bytes: 13,
    };
    let (source, totals) = store.sources().unwrap().remove(0);
    assert_eq!((&*source.name, totals), ("notes", expected));
    assert_eq!(store.forget_source("notes").unwrap(), Some(expected));
    assert_eq!(store.source("notes").unwrap(), None);
    assert_eq!(store.content(id).unwrap(), None);
    assert_eq!(
        found(store, &words(&["apple"])),
        [("other/b.md".to_owned(), 0)]
    );
    let report = store.check().unwrap();
    assert_eq!((report.documents, report.chunks), (1, 1));
    assert_eq!(report.problems, [""; 0]);
    let again = DocumentPath::new("notes", "a.md");
    put(store, &again.to_string(), "A", "back");
    assert_eq!(store.source("notes").unwrap().unwrap().version, 0);
}
