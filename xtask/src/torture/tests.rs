//! Imports the folder into both stores and holds each outcome against what it must be.

use std::collections::BTreeMap;
use std::fs::File;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use epitome_core::chunk::DEFAULT_SIZES;
use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::{Document, DocumentPath};
use epitome_index::import::{
    Check, DEFAULT_MAX_DOCUMENT_BYTES, ImportReport, ImportRequest, Passed, import_folder,
};
use epitome_index::{MemoryStore, SqliteStore};

use super::*;

fn import(store: &dyn DocumentStore, root: &Path, exclude: &[String]) -> ImportReport {
    let request = ImportRequest {
        source: "torture",
        root,
        include: &[],
        exclude,
        hidden: Passed::By,
        ignored: Passed::By,
        check: Check::Hash,
        max_document_bytes: DEFAULT_MAX_DOCUMENT_BYTES,
        chunks: DEFAULT_SIZES,
        workers: NonZeroUsize::new(2).unwrap(),
        now_ms: 1,
    };
    import_folder(store, &request, &mut |_| (), &AtomicBool::new(false)).unwrap()
}

fn document(store: &dyn DocumentStore, path: &str) -> Option<Document> {
    store.document(&DocumentPath::new("torture", path)).unwrap()
}

/// The reasons that are due, by path.
fn reasons_due(folder: &Path, specimens: &[&Specimen]) -> BTreeMap<String, String> {
    let mut due: BTreeMap<String, String> = specimens
        .iter()
        .filter_map(|specimen| match &specimen.fate {
            Fate::Skipped(reason) => Some((specimen.path.clone(), (*reason).to_owned())),
            _ => None,
        })
        .collect();
    #[cfg(unix)]
    {
        for (path, reason) in links::SKIPPED {
            due.insert(path.to_owned(), reason.to_owned());
        }
        if let Err(error) = File::open(folder.join(links::UNREADABLE)) {
            due.insert(
                links::UNREADABLE.to_owned(),
                format!("not readable: {error}"),
            );
        }
    }
    due
}

/// Imports twice. `exclude` is one pattern of what is left out, by the start of its path.
fn check(store: &dyn DocumentStore, folder: &Path, exclude: Option<&str>) {
    let all = specimens::all();
    let kept = |path: &str| exclude.is_none_or(|folder| !path.starts_with(folder));
    let specimens: Vec<&Specimen> = all.iter().filter(|specimen| kept(&specimen.path)).collect();
    let exclude: Vec<String> = exclude.iter().map(|folder| format!("/{folder}/")).collect();
    let report = import(store, folder, &exclude);

    let skipped = report.skipped.iter();
    let skipped: BTreeMap<String, String> = skipped
        .map(|skipped| (skipped.path.clone(), skipped.reason.to_string()))
        .collect();
    assert_eq!(skipped, reasons_due(folder, &specimens));

    for specimen in &specimens {
        let found = document(store, &specimen.path);
        match &specimen.fate {
            Fate::Text(text) => {
                let found = found.unwrap_or_else(|| panic!("{} is missing", specimen.path));
                let content = store.content(found.id).unwrap().unwrap();
                assert!(content == *text, "{}: {:.200}", specimen.path, content);
                check_chunks(store, &found, &content);
            }
            Fate::Taken => assert!(found.is_some(), "{} is missing", specimen.path),
            Fate::Skipped(_) | Fate::PassedBy => {
                assert!(found.is_none(), "{} is there", specimen.path);
            }
        }
    }

    let again = import(store, folder, &exclude);
    assert_eq!(again.counts.unchanged, report.counts.added);
    assert_eq!(again.counts.skipped, report.counts.skipped);
    assert_eq!(
        again.counts.added + again.counts.updated + again.counts.pruned,
        0
    );
    assert_eq!(again.version, report.version);
}

/// Every character that is not blank stands in exactly one chunk.
fn check_chunks(store: &dyn DocumentStore, document: &Document, content: &str) {
    let mut end = 0;
    for chunk in store.chunks(document.id).unwrap() {
        assert!(
            content[end..chunk.range.start].trim().is_empty(),
            "{}",
            document.path
        );
        assert_eq!(
            chunk.text,
            content[chunk.range.clone()],
            "{}",
            document.path
        );
        end = chunk.range.end;
    }
    assert!(content[end..].trim().is_empty(), "{}", document.path);
}

#[test]
fn every_specimen_has_its_fate() {
    let folder = tempfile::tempdir().unwrap();
    // Below a folder of its own, so that links to outside stay among files of the test.
    let root = folder.path().join("torture");
    write(&root).unwrap();
    assert!(write(&root).is_err());
    check(&MemoryStore::new(), &root, None);
    let store = SqliteStore::open(folder.path().join("store.db")).unwrap();
    check(&store, &root, Some("many"));
}
