//! Summaries of folders and of the whole source, made from the summaries below them.

use std::collections::HashMap;

use epitome_core::id::BlobId;
use epitome_index::Result;
use epitome_index::documents::model::{Document, Folder};
use epitome_summarizer::document::{FolderEntry, FolderText, extract_folder};

use super::Run;
use super::due::{SummaryState, for_each_document, state_of};
use super::report::{IngestEvent, IngestReport};

/// A folder whose entries are still coming.
#[derive(Debug, Default)]
struct Open {
    path: String,
    documents: Vec<FolderEntry>,
    folders: Vec<FolderEntry>,
}

/// Makes the summaries of folders whose entries changed, then the overview.
///
/// Documents come by path, so all of a folder come in one go and it is done when the next path
/// leaves it: only the folders on the way to the present one are in memory. When the run is
/// cancelled, the overview keeps its old key, so that the next run goes on.
pub(super) fn roll_up(
    run: &Run<'_>,
    content: BlobId,
    report: &mut IngestReport,
    on_event: &mut dyn FnMut(IngestEvent<'_>),
) -> Result<()> {
    let folders = run.store.folders(run.source)?;
    let known: HashMap<String, Folder> = folders
        .into_iter()
        .map(|folder| (folder.path.clone(), folder))
        .collect();
    let mut tree = Tree {
        run,
        known,
        stack: vec![Open::default()],
        report,
        on_event,
    };
    for_each_document(run.store, run.source, &mut |document| tree.add(document))?;
    while tree.stack.len() > 1 {
        tree.close()?;
    }
    let root = tree.stack.pop().unwrap_or_default();
    if run.is_cancelled() {
        return Ok(());
    }
    let (overview, _) = tree.summarize(&root);
    (tree.on_event)(IngestEvent::Folder { path: "" });
    run.store.put_overview(run.source, &overview, content)?;
    run.store.prune_folders(run.source)?;
    Ok(())
}

struct Tree<'a> {
    run: &'a Run<'a>,
    known: HashMap<String, Folder>,
    stack: Vec<Open>,
    report: &'a mut IngestReport,
    on_event: &'a mut dyn FnMut(IngestEvent<'_>),
}

/// Whether the summarizer wrote a summary, or the extractive one stands in for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Summarizer,
    StandIn,
}

impl Tree<'_> {
    fn add(&mut self, document: Document) -> Result<()> {
        if self.run.is_cancelled() {
            return Ok(());
        }
        let path = document.path.path();
        let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
        while !self.is_inside(parent) {
            self.close()?;
        }
        self.open(parent);
        let fresh = matches!(
            state_of(&document),
            SummaryState::Fresh | SummaryState::Owner
        );
        let summary = document.summary.filter(|_| fresh);
        if let Some(top) = self.stack.last_mut() {
            top.documents.push(FolderEntry {
                name: document.title,
                summary: summary.map(|summary| summary.text),
            });
        }
        Ok(())
    }

    /// Whether a folder is the innermost open one or lies below it.
    fn is_inside(&self, folder: &str) -> bool {
        self.stack.last().is_none_or(|top| {
            top.path.is_empty()
                || folder
                    .strip_prefix(&*top.path)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    /// Opens the folders from the innermost open one down to this one.
    fn open(&mut self, folder: &str) {
        let mut depth = self.stack.last().map_or(0, |top| top.path.len());
        while depth < folder.len() {
            // Behind the `/` that ends the path so far, if there is one.
            let from = if depth == 0 { 0 } else { depth + 1 };
            depth = folder[from..]
                .find('/')
                .map_or(folder.len(), |at| from + at);
            self.stack.push(Open {
                path: folder[..depth].to_owned(),
                ..Open::default()
            });
        }
    }

    /// Ends the innermost folder: it gets a summary where its entries changed, and is an entry of
    /// the folder around it.
    fn close(&mut self) -> Result<()> {
        let Some(folder) = self.stack.pop() else {
            return Ok(());
        };
        let key = key_of(&folder);
        let known = self.known.remove(&folder.path);
        let summary = match known.filter(|known| known.key == key) {
            Some(known) => known.summary,
            None => self.renew(&folder, key)?,
        };
        let name = folder.path.rsplit('/').next().unwrap_or_default();
        if let Some(parent) = self.stack.last_mut() {
            parent.folders.push(FolderEntry {
                name: name.to_owned(),
                summary: Some(summary),
            });
        }
        Ok(())
    }

    fn renew(&mut self, folder: &Open, key: BlobId) -> Result<String> {
        let (summary, origin) = self.summarize(folder);
        let stored = Folder {
            path: folder.path.clone(),
            summary,
            // No entries have this key, so the next run tries the summarizer again.
            key: match origin {
                Origin::Summarizer => key,
                Origin::StandIn => BlobId::of(b""),
            },
        };
        self.run.store.put_folder(self.run.source, &stored)?;
        self.report.folders += 1;
        (self.on_event)(IngestEvent::Folder { path: &folder.path });
        Ok(stored.summary)
    }

    fn summarize(&mut self, folder: &Open) -> (String, Origin) {
        let Run {
            source,
            makers,
            runtime,
            ..
        } = self.run;
        let path = if folder.path.is_empty() {
            (*source).to_owned()
        } else {
            format!("{source}/{}", folder.path)
        };
        let text = FolderText {
            path: &path,
            documents: &folder.documents,
            folders: &folder.folders,
        };
        if folder.documents.is_empty() && folder.folders.is_empty() {
            return ("No documents.".to_owned(), Origin::Summarizer);
        }
        let answer = std::thread::scope(|scope| {
            // A thread of its own, where blocking is allowed whatever the caller is.
            scope
                .spawn(|| runtime.block_on(makers.summarizer.summarize_folder(text)))
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        match answer.as_deref().map(str::trim) {
            Ok(summary) if !summary.is_empty() => (summary.to_owned(), Origin::Summarizer),
            _ => {
                self.report.folder_errors += 1;
                (extract_folder(text), Origin::StandIn)
            }
        }
    }
}

/// The key of a folder: its entries' names and summaries.
fn key_of(folder: &Open) -> BlobId {
    let mut bytes = Vec::new();
    for (mark, entries) in [(0_u8, &folder.documents), (1, &folder.folders)] {
        for entry in entries {
            let summary = entry.summary.as_deref();
            bytes.push(mark + if summary.is_some() { 2 } else { 4 });
            for part in [&*entry.name, summary.unwrap_or_default()] {
                bytes.extend_from_slice(&part.len().to_le_bytes());
                bytes.extend_from_slice(part.as_bytes());
            }
        }
    }
    BlobId::of(&bytes)
}
