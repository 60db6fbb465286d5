//! Random histories: the store on disk answers like the one in memory.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use epitome_core::id::{BlobId, ChunkId, DocumentId};
use proptest::prelude::*;

use super::fixture::{found, own, summary, write};
use crate::documents::model::{Folder, LexicalQuery, SummaryAuthor};
use crate::{DocumentStore, MemoryStore, SqliteStore, Store};

/// Texts that share words in several scripts.
const TEXTS: [&str; 6] = [
    "",
    "apple",
    "apple pie\n\nbananas and apples\n\nрост цен",
    "数据库 and 据库\n\nbanana",
    "ภาษาไทย\n\nрост\n\n\n\nC++",
    "pears, pears, pears",
];

const TITLES: [&str; 3] = ["Apple", "数据 notes", "Рост"];

const SOURCES: [&str; 2] = ["n", "m"];

/// One step of a history; small numbers, so that steps meet.
#[derive(Debug, Clone)]
enum Step {
    Source(usize),
    Put {
        source: usize,
        path: u8,
        title: usize,
        text: usize,
    },
    Move {
        id: u64,
        source: usize,
        path: u8,
        title: usize,
    },
    Touch(u64),
    Date(u64),
    Prune(u64),
    Summary {
        id: u64,
        text: usize,
        of: usize,
        dimension: usize,
    },
    Reset(u64),
    Folder {
        source: usize,
        path: u8,
    },
    PruneFolders(usize),
    Vectors {
        chunks: Vec<u64>,
        dimension: usize,
    },
    Finish {
        source: usize,
        moved: bool,
    },
    Forget(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let (source, path, title, text) = (0..2_usize, 0..3_u8, 0..3_usize, 0..6_usize);
    let id = 1..5_u64;
    let put = (source.clone(), path.clone(), title.clone(), text.clone());
    let moved = (id.clone(), source.clone(), path.clone(), title);
    let short = (id.clone(), text.clone(), text, 0..3_usize);
    let vectors = (proptest::collection::vec(1..12_u64, 0..3), 1..3_usize);
    prop_oneof![
        2 => source.clone().prop_map(Step::Source),
        6 => put.prop_map(|(source, path, title, text)| Step::Put { source, path, title, text }),
        2 => moved.prop_map(|(id, source, path, title)| Step::Move { id, source, path, title }),
        1 => id.clone().prop_map(Step::Touch),
        1 => id.clone().prop_map(Step::Date),
        1 => id.clone().prop_map(Step::Prune),
        3 => short.prop_map(|(id, text, of, dimension)| Step::Summary { id, text, of, dimension }),
        1 => id.prop_map(Step::Reset),
        1 => (source.clone(), path).prop_map(|(source, path)| Step::Folder { source, path }),
        1 => source.clone().prop_map(Step::PruneFolders),
        2 => vectors.prop_map(|(chunks, dimension)| Step::Vectors { chunks, dimension }),
        1 => (source.clone(), any::<bool>()).prop_map(|(source, moved)| Step::Finish { source, moved }),
        1 => source.prop_map(Step::Forget),
    ]
}

/// What a store answered; its errors by their text.
fn say<T: std::fmt::Debug>(answer: crate::Result<T>) -> String {
    match answer {
        Ok(value) => format!("{value:?}"),
        Err(error) => format!("error: {error}"),
    }
}

fn address(source: usize, path: u8) -> String {
    let folder = ["", "f/", "f/g/"][usize::from(path % 3)];
    format!("{}/{folder}{path}.md", SOURCES[source])
}

/// Takes a step and tells what the store answered.
fn take(store: &dyn DocumentStore, step: &Step) -> String {
    match *step {
        Step::Source(source) => say(store.put_source(SOURCES[source], "/", 1)),
        Step::Put {
            source,
            path,
            title,
            text,
        } => say(store.put_document(&write(&address(source, path), TITLES[title], TEXTS[text]))),
        Step::Move {
            id,
            source,
            path,
            title,
        } => {
            let write = write(&address(source, path), TITLES[title], "");
            say(store.move_document(DocumentId(id), &write))
        }
        Step::Touch(id) => say(store.touch_document(DocumentId(id), id, 3, None)),
        Step::Date(id) => say(store.set_date(DocumentId(id), "2020-02-02")),
        Step::Prune(id) => say(store.prune_document(DocumentId(id))),
        Step::Summary {
            id,
            text,
            of,
            dimension,
        } => {
            let vector = vec![0.5; dimension];
            let mut short = summary(TEXTS[text], SummaryAuthor::Auto, TEXTS[of]);
            short.vector = (dimension > 0).then_some(("model", &vector));
            say(store.put_summary(DocumentId(id), &short))
        }
        Step::Reset(id) => say(store.reset_summary(DocumentId(id))),
        Step::Folder { source, path } => {
            let folder = Folder {
                path: ["", "f", "f/g"][usize::from(path)].to_owned(),
                summary: "folder".to_owned(),
                key: BlobId::of(&[path]),
            };
            say(store.put_folder(SOURCES[source], &folder))
        }
        Step::PruneFolders(source) => say(store.prune_folders(SOURCES[source])),
        Step::Vectors {
            ref chunks,
            dimension,
        } => {
            let vectors = chunks.iter().map(|id| (ChunkId(*id), vec![1.0; dimension]));
            say(store.put_vectors("model", &vectors.collect::<Vec<_>>()))
        }
        Step::Finish { source, moved } => say(store.finish_import(SOURCES[source], moved, 5)),
        Step::Forget(source) => say(store.forget_source(SOURCES[source])),
    }
}

fn queries() -> Vec<LexicalQuery> {
    let mut asked = Vec::new();
    for (words, bigrams, trigrams, substrings) in [
        (&["apple"][..], &[][..], &[][..], &[][..]),
        (&["apples pie", "lost"], &[], &[], &[]),
        (&[], &["数据", "据库"], &[], &[]),
        (&[], &[], &["рост", "ภาษา"], &[]),
        (&[], &[], &[], &["c++", "数"]),
        (&["banana", "notes"], &["据库"], &["рос"], &["库"]),
    ] {
        for source in [None, Some("n".to_owned())] {
            asked.push(LexicalQuery {
                words: own(words),
                bigrams: own(bigrams),
                trigrams: own(trigrams),
                substrings: own(substrings),
                source,
                limit: 1000,
            });
        }
    }
    asked
}

/// All that a store can tell; hits as sets, because the engines score differently.
fn tell<S: DocumentStore + Store>(store: &S) -> String {
    let mut told = String::new();
    let mut tell = |line: String| writeln!(told, "{line}").unwrap();
    tell(say(store.sources()));
    let documents = store.documents(None, None, usize::MAX).unwrap();
    tell(format!("{documents:?}"));
    for document in &documents {
        tell(say(store.content(document.id)));
        tell(say(store.chunks(document.id)));
    }
    for source in SOURCES {
        tell(say(store.folders(source)));
        tell(say(store.chunk_count(Some(source))));
        tell(say(store.documents(Some(source), None, 2)));
    }
    tell(say(store.chunks_without_vector("model", None, 100)));
    tell(say(store.vector_models()));
    let mut seen = Vec::new();
    let mut visit = |found: crate::documents::model::ChunkVector<'_>| {
        seen.push(format!("{found:?}"));
        ControlFlow::Continue(())
    };
    store.visit_vectors("model", &mut visit).unwrap();
    tell(seen.join(" "));
    for query in queries() {
        tell(format!("{:?}", found(store, &query)));
        let hits = store.search_lexical(&query).unwrap();
        assert_eq!(hits, store.search_lexical(&query).unwrap());
    }
    tell(say(store.chunk_frequencies(&own(&[
        "apple",
        "pears",
        "рост",
        "apples pie",
    ]))));
    let report = store.check().unwrap();
    tell(format!("{:?}", (report.documents, report.chunks)));
    assert_eq!(report.problems, [""; 0]);
    told
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn documents_on_disk_are_like_those_in_memory(
        steps in proptest::collection::vec(step(), 1..24),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let disk = SqliteStore::open(folder.path().join("store.db")).unwrap();
        let memory = MemoryStore::new();
        for store in [&disk as &dyn DocumentStore, &memory] {
            store.put_source("n", "/", 1).unwrap();
        }
        for step in &steps {
            prop_assert_eq!(take(&disk, step), take(&memory, step));
        }
        let (disk, memory) = (tell(&disk), tell(&memory));
        for (disk, memory) in disk.lines().zip(memory.lines()) {
            prop_assert_eq!(disk, memory);
        }
    }
}
