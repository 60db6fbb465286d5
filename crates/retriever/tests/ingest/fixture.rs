//! A folder on disk, a store, and makers that fail when they are told to.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use epitome_core::chunk::DEFAULT_SIZES;
use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::{
    Document, DocumentPath, Folder, LexicalQuery, NewSummary, SummaryAuthor,
};
use epitome_index::import::{Check, DEFAULT_MAX_DOCUMENT_BYTES, ImportRequest, Passed};
use epitome_index::{MemoryStore, SqliteStore};
use epitome_retriever::ingest::{Makers, SourceEvent, SourceReport, import_source};
use epitome_summarizer::document::{DocumentSummarizer, DocumentText, FolderText};
use epitome_summarizer::embed::Embedder;
use epitome_summarizer::{Error, ErrorKind};
use tempfile::TempDir;

/// Writes predictable summaries, fails where it is told to, and notes what it was asked.
#[derive(Debug, Default)]
pub(crate) struct Scripted {
    /// Documents and folders whose address ends with one of these fail.
    pub(crate) failing: Mutex<Vec<&'static str>>,
    asked: Mutex<Vec<String>>,
}

impl Scripted {
    fn answer(&self, path: &str, text: String) -> Result<String, Error> {
        lock(&self.asked).push(path.to_owned());
        if lock(&self.failing).iter().any(|end| path.ends_with(end)) {
            return Err(ErrorKind::Unusable {
                summarizer: "scripted".to_owned(),
            }
            .into());
        }
        Ok(text)
    }

    /// What was asked since the last call, sorted.
    pub(crate) fn take_asked(&self) -> Vec<String> {
        let mut asked = std::mem::take(&mut *lock(&self.asked));
        asked.sort();
        asked
    }
}

#[async_trait]
impl DocumentSummarizer for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    async fn summarize_document<'a>(&self, document: DocumentText<'a>) -> Result<String, Error> {
        let text = format!("Summary of {}", document.text.trim());
        self.answer(document.path, text)
    }

    async fn summarize_folder<'a>(&self, folder: FolderText<'a>) -> Result<String, Error> {
        let documents = folder.documents.iter();
        let parts: Vec<String> = documents
            .chain(folder.folders)
            .map(|entry| {
                format!(
                    "{} ({})",
                    entry.name,
                    entry.summary.as_deref().unwrap_or("?")
                )
            })
            .collect();
        self.answer(folder.path, parts.join("; "))
    }
}

/// Makes vectors of three numbers; one that is down makes none.
#[derive(Debug)]
pub(crate) struct Lengths {
    pub(crate) down: AtomicBool,
}

#[async_trait]
impl Embedder for Lengths {
    fn model(&self) -> &'static str {
        "lengths"
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        if self.down.load(Ordering::Relaxed) {
            return Err(ErrorKind::Answer {
                endpoint: "nowhere".to_owned(),
                reason: "it is down".to_owned(),
            }
            .into());
        }
        let vector = |text: &String| vec![text.len() as f32, 1.0, 0.5];
        Ok(texts.iter().map(vector).collect())
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A folder of notes with the store that it is imported into.
pub(crate) struct Notes {
    pub(crate) store: Box<dyn DocumentStore>,
    pub(crate) summarizer: Scripted,
    folder: TempDir,
}

/// The notes over each kind of store.
pub(crate) fn each_store(test: fn(Notes)) {
    test(Notes::over(|_| Box::new(MemoryStore::new())));
    test(Notes::over(|place| {
        Box::new(SqliteStore::open(place.join("notes.db")).unwrap())
    }));
}

impl Notes {
    pub(crate) fn over(store: impl FnOnce(&Path) -> Box<dyn DocumentStore>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let notes = Self {
            store: store(folder.path()),
            summarizer: Scripted::default(),
            folder,
        };
        for path in [
            "one.md",
            "deep/two.md",
            "deep/down/three.md",
            "other/four.md",
        ] {
            notes.write(path, &format!("Text of {path}."));
        }
        notes
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn root(&self) -> std::path::PathBuf {
        self.folder.path().join("notes")
    }

    /// Gives a file a modification time, in days since the epoch.
    pub(crate) fn touch(&self, path: &str, days: u64) {
        let file = std::fs::File::options()
            .append(true)
            .open(self.root().join(path))
            .unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(days * 86_400);
        file.set_modified(time).unwrap();
    }

    pub(crate) fn sync(&self) -> SourceReport {
        self.sync_with(None, &AtomicBool::new(false), &mut |_| {})
    }

    pub(crate) fn sync_with(
        &self,
        embedder: Option<&dyn Embedder>,
        cancelled: &AtomicBool,
        on_event: &mut dyn FnMut(SourceEvent<'_>),
    ) -> SourceReport {
        let root = self.root();
        let request = ImportRequest {
            source: "notes",
            root: &root,
            include: &[],
            exclude: &[],
            hidden: Passed::By,
            ignored: Passed::By,
            check: Check::Hash,
            max_document_bytes: DEFAULT_MAX_DOCUMENT_BYTES,
            chunks: DEFAULT_SIZES,
            workers: 2.try_into().unwrap(),
            now_ms: 1_000,
        };
        let makers = Makers {
            summarizer: &self.summarizer,
            embedder,
        };
        import_source(&*self.store, &request, makers, on_event, cancelled).unwrap()
    }

    /// Brings the store up to date and checks the log line, without its time, and what the
    /// summarizer was asked.
    pub(crate) fn check_sync(&self, line: &str, asked: &[&str]) -> SourceReport {
        let report = self.sync();
        let shown = report.counts.to_string();
        let (counters, ms) = shown.rsplit_once(" ms=").unwrap();
        assert!(ms.parse::<u64>().is_ok(), "{shown}");
        assert_eq!(counters, log_line(line));
        assert_eq!(self.summarizer.take_asked(), asked, "{line}");
        report
    }

    pub(crate) fn document(&self, path: &str) -> Document {
        let path = DocumentPath::new("notes", path);
        self.store.document(&path).unwrap().unwrap()
    }

    pub(crate) fn summary(&self, path: &str) -> Option<String> {
        self.document(path).summary.map(|summary| summary.text)
    }

    pub(crate) fn set_owner_summary(&self, path: &str, text: &str) {
        let document = self.document(path);
        let summary = NewSummary {
            text,
            by: SummaryAuthor::Owner,
            of_hash: document.content_hash,
            vector: None,
        };
        self.store.put_summary(document.id, &summary).unwrap();
    }

    /// Everything that a reader sees of the source, without numbers of documents.
    pub(crate) fn state(&self) -> State {
        let source = self.store.source("notes").unwrap().unwrap();
        let documents = self.store.documents(Some("notes"), None, 1000).unwrap();
        State {
            overview: source.overview,
            folders: self.store.folders("notes").unwrap(),
            documents: documents
                .into_iter()
                .map(|document| {
                    let chunks = self.store.chunks(document.id).unwrap();
                    let chunks = chunks.into_iter().map(|chunk| chunk.text).collect();
                    (document.path.to_string(), chunks)
                })
                .collect(),
        }
    }

    /// Whether any chunk holds the word.
    pub(crate) fn finds(&self, word: &str) -> bool {
        let query = LexicalQuery {
            words: vec![word.to_owned()],
            limit: 5,
            ..LexicalQuery::default()
        };
        !self.store.search_lexical(&query).unwrap().is_empty()
    }

    pub(crate) fn version(&self) -> u64 {
        self.store.source("notes").unwrap().unwrap().version
    }
}

/// What a reader sees of a source.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) overview: Option<String>,
    pub(crate) folders: Vec<Folder>,
    documents: Vec<(String, Vec<String>)>,
}

/// The whole log line of what is not zero, `unchanged=4` for example.
fn log_line(given: &str) -> String {
    let names = [
        "added",
        "updated",
        "unchanged",
        "pruned",
        "skipped",
        "summaries",
        "summary_errors",
        "summary_backfilled",
    ];
    let value = |name: &str| {
        let field = |part: &str| {
            part.strip_prefix(name)?
                .strip_prefix('=')
                .map(str::to_owned)
        };
        given
            .split(' ')
            .find_map(field)
            .unwrap_or_else(|| "0".to_owned())
    };
    names
        .map(|name| format!("{name}={}", value(name)))
        .join(" ")
}
