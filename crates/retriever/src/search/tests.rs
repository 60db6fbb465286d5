use std::ops::RangeInclusive;

use epitome_core::chunk::{DEFAULT_SIZES, Markup, chunk};
use epitome_core::id::BlobId;
use epitome_index::MemoryStore;
use epitome_index::documents::model::{
    DocumentPath, DocumentWrite, NewChunk, NewSummary, SummaryAuthor,
};
use proptest::prelude::*;

use super::*;

/// A store that holds Markdown files, by name and text.
pub(crate) fn store_of(files: &[(&str, &str)]) -> MemoryStore {
    let store = MemoryStore::new();
    store.put_source("docs", "/docs", 0).unwrap();
    for (path, text) in files {
        let chunks = chunk(text, Markup::Markdown, &DEFAULT_SIZES);
        let chunks = chunks.iter().map(|chunk| NewChunk {
            range: chunk.range.clone(),
            trail: &chunk.trail,
        });
        store
            .put_document(&DocumentWrite {
                path: DocumentPath::new("docs", *path),
                title: path,
                date: None,
                kind: "markdown",
                content_hash: BlobId::of(text.as_bytes()),
                content: text,
                file_bytes: text.len() as u64,
                file_modified_ms: 0,
                chunks: chunks.collect(),
            })
            .unwrap();
    }
    store
}

fn request(query: &str) -> SearchRequest<'_> {
    SearchRequest {
        query,
        limit: 5,
        source: None,
        dense: None,
    }
}

fn names(answer: &SearchAnswer) -> Vec<&str> {
    let paths = answer.hits.iter().map(|hit| hit.document.path.path());
    paths.collect()
}

const FILES: [(&str, &str); 9] = [
    ("apostrophe.md", "You don't need a server."),
    ("grammar.md", "Call `grammar::fa` to parse."),
    ("flag.md", "Pass --error-on-warnings in the build."),
    ("ticket.md", "Closed with POL-358 last week."),
    (
        "snake.md",
        "The function atomic_write_json renames at the end.",
    ),
    ("languages.md", "C++ is fast, C# is managed."),
    ("mixed.md", "先重跑gen-itgc后再看设备。设置止损点。"),
    ("kana.md", "サンドボックスで実行する。"),
    ("thai.md", "สวัสดีครับ ยินดีต้อนรับ"),
];

#[test]
fn every_text_is_a_query_and_finds_what_holds_it() {
    let store = store_of(&FILES);
    let check = |query: &str, first: &str| {
        let answer = search(&store, &request(query)).unwrap();
        assert_eq!(names(&answer).first(), Some(&first), "{query}");
    };
    check("don't need", "apostrophe.md"); // 1
    check("grammar::fa", "grammar.md"); // 2
    check("\"--error-on-warnings\"", "flag.md"); // 3
    check("POL-358", "ticket.md"); // 5
    check("pol-358?", "ticket.md"); // 5
    check("NEAR(server", "apostrophe.md"); // 8
    check("\"atomic write\"", "snake.md"); // 10
    check("atomic_write_json", "snake.md"); // 12
    check("RENAME", "snake.md"); // 15
    check("C++", "languages.md");
    check("止损", "mixed.md"); // 16
    check("itgc", "mixed.md"); // 17
    check("重跑gen-itgc后", "mixed.md"); // 17
    check("设备", "mixed.md"); // 18
    check("サンドボックス", "kana.md"); // 19
    check("สวัสดี", "thai.md");
    check("损", "mixed.md"); // 16
    check("::", "grammar.md");
}

#[test]
fn nothing_breaks_on_hostile_queries() {
    let store = store_of(&FILES);
    let words: Vec<_> = (0..20_000).map(|n| format!("w{n}")).collect();
    let check = |query: &str| {
        search(&store, &request(query)).unwrap();
    };
    for query in [
        "", " ", "\"", "\"\"", "*", "AND", "a AND", "(", "^", "col:x", "-", "😀", "\0", "a\0b",
    ] {
        check(query);
    }
    check(&words.join(" "));
    check(&"数".repeat(40_000));
    check(&"\"(".repeat(50_000));
}

#[test]
fn hits_carry_their_passage_with_line_numbers() {
    let text = "# Notes\n\nFirst paragraph.\n\n## Backups\n\nThe nightly backup\nruns at two.\n";
    let store = store_of(&[("notes.md", text), ("other.md", "Nothing here.")]);
    let answer = search(&store, &request("nightly backup runs")).unwrap();
    let hit = &answer.hits[0];
    assert!(
        hit.snippet.contains("nightly backup\nruns at two."),
        "{}",
        hit.snippet
    );
    let lines: RangeInclusive<usize> = hit.lines.clone().unwrap();
    assert_eq!(*lines.end(), 8);
    assert_eq!(
        hit.address(),
        format!("docs/notes.md:L{}-L8", lines.start())
    );
    assert!(answer.coverage > 0.99);
}

#[test]
fn a_summary_speaks_for_a_document_whose_text_does_not() {
    let store = store_of(&[("a.md", "Plain body."), ("b.md", "Other body.")]);
    let path = DocumentPath::new("docs", "a.md");
    let document = store.document(&path).unwrap().unwrap();
    let summary = NewSummary {
        text: "About zebras.",
        by: SummaryAuthor::Auto,
        of_hash: document.content_hash,
        vector: None,
    };
    store.put_summary(document.id, &summary).unwrap();
    let answer = search(&store, &request("zebras")).unwrap();
    assert_eq!(names(&answer), ["a.md"]);
    assert_eq!(answer.hits[0].best.position, -1);
    assert_eq!(answer.hits[0].lines, None);
    assert_eq!(answer.hits[0].snippet, "About zebras.");
    assert_eq!(answer.hits[0].address(), "docs/a.md");
}

#[test]
fn one_large_document_does_not_crowd_out_the_others() {
    let large = "A line about lions, one of many.\n\n".repeat(9000);
    let store = store_of(&[
        ("log.txt", &large),
        (
            "small.md",
            "One word on lions and much else that makes it longer.",
        ),
    ]);
    let answer = search(&store, &request("lions")).unwrap();
    assert_eq!(answer.hits.len(), 2); // 35
}

#[test]
fn another_source_is_left_out() {
    let store = store_of(&FILES);
    let elsewhere = SearchRequest {
        source: Some("elsewhere"),
        ..request("server")
    };
    assert!(search(&store, &elsewhere).unwrap().hits.is_empty());
}

#[test]
fn a_dense_leg_adds_what_no_word_leads_to() {
    let store = store_of(&FILES);
    let document = store
        .document(&DocumentPath::new("docs", "kana.md"))
        .unwrap()
        .unwrap();
    let chunk = store.chunks(document.id).unwrap().remove(0);
    let dense = [RankedChunk {
        chunk: chunk.id,
        document: document.id,
        position: chunk.position,
        score: 0.8,
        cosine: Some(0.8),
    }];
    let found = |dense_weight| {
        let fusion = FusionOptions {
            k: 60.0,
            dense_weight,
        };
        let dense = Some(DenseLeg {
            chunks: &dense,
            fusion,
        });
        let answer = search(
            &store,
            &SearchRequest {
                dense,
                ..request("server")
            },
        )
        .unwrap();
        let paths = names(&answer)
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>();
        (paths, answer.cosine)
    };
    assert_eq!(
        found(0.5),
        (
            vec!["apostrophe.md".to_owned(), "kana.md".to_owned()],
            Some(0.8)
        )
    );
    assert_eq!(found(0.0).0, ["apostrophe.md"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_text_is_searched_the_same_way_twice(query in "\\PC{0,40}|[a-c\"*():^ -]{0,20}") {
        let store = store_of(&FILES);
        let first = search(&store, &request(&query)).unwrap();
        let second = search(&store, &request(&query)).unwrap();
        prop_assert_eq!(names(&first), names(&second));
        prop_assert!((0.0..=1.0).contains(&first.coverage));
    }
}
