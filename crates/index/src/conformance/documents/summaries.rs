//! Summaries follow the content that they were made from.

use super::fixture::{found, get, put, summary, words};
use crate::DocumentStore;
use crate::documents::model::SummaryAuthor::{Auto, Owner};

pub(crate) fn a_fresh_summary_is_a_chunk<S: DocumentStore>(store: &S) {
    let id = put(store, "notes/a.md", "Fruit", "apple\n\nbanana");
    store
        .put_summary(id, &summary("On pomology.", Auto, "apple\n\nbanana"))
        .unwrap();
    let chunks = store.chunks(id).unwrap();
    assert_eq!(chunks.len(), 3);
    assert_eq!((chunks[0].position, &*chunks[0].text), (-1, "On pomology."));
    assert_eq!((chunks[0].range.clone(), &*chunks[0].trail), (0..0, ""));
    assert_eq!(store.chunks_by_id(&[chunks[0].id]).unwrap(), chunks[..1]);
    let a = |position| ("notes/a.md".to_owned(), position);
    assert_eq!(found(store, &words(&["pomology"])), [a(-1)]);
    assert_eq!(found(store, &words(&["fruit"])), [a(-1), a(0), a(1)]);
    store
        .put_summary(id, &summary("Two lines.", Owner, "apple\n\nbanana"))
        .unwrap();
    assert_eq!(found(store, &words(&["pomology"])), []);
    assert_eq!(found(store, &words(&["lines"])), [a(-1)]);
    assert_eq!(get(store, "notes/a.md").summary.unwrap().by, Owner);
}

pub(crate) fn a_stale_summary_stays_outside_the_index<S: DocumentStore>(store: &S) {
    let id = put(store, "notes/a.md", "Fruit", "apple");
    store
        .put_summary(id, &summary("On pomology.", Owner, "apple"))
        .unwrap();
    put(store, "notes/a.md", "Fruit", "banana");
    let document = get(store, "notes/a.md");
    assert!(document.summary_is_stale());
    assert_eq!(document.summary.unwrap().text, "On pomology.");
    assert_eq!(store.chunk_count(None).unwrap(), 1);
    assert_eq!(found(store, &words(&["pomology"])), []);
    put(store, "notes/a.md", "Apples", "apple");
    let a = |position| ("notes/a.md".to_owned(), position);
    assert_eq!(
        found(store, &words(&["pomology"])),
        [a(-1)],
        "the content came back"
    );
    assert_eq!(found(store, &words(&["fruit"])), []);
    assert_eq!(found(store, &words(&["apples"])), [a(-1), a(0)]);
    store
        .put_summary(id, &summary("Made from an older text.", Auto, "older"))
        .unwrap();
    assert_eq!(store.chunk_count(None).unwrap(), 1);
    assert!(get(store, "notes/a.md").summary_is_stale());
}

pub(crate) fn a_fresh_summary_keeps_its_vector_when_a_file_is_stored_again<S: DocumentStore>(
    store: &S,
) {
    let id = put(store, "notes/a.md", "Fruit", "apple");
    let mut short = summary("On pomology.", Auto, "apple");
    short.vector = Some(("m", &[0.5, -1.0]));
    store.put_summary(id, &short).unwrap();
    assert_eq!(store.vector_models().unwrap(), [("m".to_owned(), 2, 1)]);
    put(store, "notes/a.md", "Pome", "apple");
    assert_eq!(store.vector_models().unwrap(), [("m".to_owned(), 2, 1)]);
    assert_eq!(found(store, &words(&["pome"])).len(), 2);
    put(store, "notes/a.md", "Pome", "banana");
    assert_eq!(store.vector_models().unwrap(), []);
}

pub(crate) fn a_reset_summary_is_missing<S: DocumentStore>(store: &S) {
    let id = put(store, "notes/a.md", "Fruit", "apple");
    store
        .put_summary(id, &summary("On pomology.", Owner, "apple"))
        .unwrap();
    store.reset_summary(id).unwrap();
    store.reset_summary(id).unwrap();
    assert_eq!(get(store, "notes/a.md").summary, None);
    assert_eq!(found(store, &words(&["pomology"])), []);
    assert_eq!(store.sources().unwrap()[0].1.without_summary, 1);
}
