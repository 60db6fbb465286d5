//! Imports of small folders into the store in memory.

mod changes;
mod folders;
mod outcomes;

use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, UNIX_EPOCH};

use epitome_core::chunk::DEFAULT_SIZES;
use tempfile::TempDir;

use super::*;
use crate::MemoryStore;
use crate::documents::model::{Document, DocumentPath};

/// A folder with a store.
struct Fixture {
    folder: TempDir,
    store: MemoryStore,
}

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Self {
        let fixture = Self {
            folder: TempDir::new().unwrap(),
            store: MemoryStore::new(),
        };
        for (path, text) in files {
            fixture.write(path, text.as_bytes());
        }
        fixture
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Writes a file that was last changed on 2024-05-06.
    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        let day = UNIX_EPOCH + Duration::from_hours(476_376);
        File::options()
            .write(true)
            .open(path)
            .unwrap()
            .set_modified(day)
            .unwrap();
    }

    fn request(&self) -> ImportRequest<'_> {
        ImportRequest {
            source: "notes",
            root: self.folder.path(),
            include: &[],
            exclude: &[],
            hidden: Passed::By,
            ignored: Passed::By,
            check: Check::Hash,
            max_document_bytes: 10_000,
            chunks: DEFAULT_SIZES,
            workers: NonZeroUsize::new(2).unwrap(),
            now_ms: 1,
        }
    }

    fn import(&self) -> ImportReport {
        self.import_as(&self.request())
    }

    fn import_as(&self, request: &ImportRequest<'_>) -> ImportReport {
        import_folder(&self.store, request, &mut |_| (), &AtomicBool::new(false)).unwrap()
    }

    fn document(&self, path: &str) -> Option<Document> {
        self.store
            .document(&DocumentPath::new("notes", path))
            .unwrap()
    }

    fn paths(&self) -> Vec<String> {
        let documents = self.store.documents(None, None, 1000).unwrap();
        documents
            .iter()
            .map(|document| document.path.path().to_owned())
            .collect()
    }

    fn content(&self, path: &str) -> String {
        let document = self.document(path).unwrap();
        self.store.content(document.id).unwrap().unwrap()
    }
}

/// The five counters: added, updated, unchanged, pruned, skipped.
fn counts(report: &ImportReport) -> [u64; 5] {
    let Counts {
        added,
        updated,
        unchanged,
        pruned,
        skipped,
    } = report.counts;
    [added, updated, unchanged, pruned, skipped]
}
