use super::*;
use crate::search::store_of;

const OPTIONS: SuggestOptions<'_> = SuggestOptions {
    suggested: 2,
    related: 1,
    source: None,
    dense: None,
    threshold: None,
    spreads: None,
};

fn paths(hits: &[DocumentHit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.document.path.path()).collect()
}

#[test]
fn an_answered_question_is_high_and_both_tiers_are_filled() {
    let store = store_of(&[
        (
            "backup.md",
            "The nightly backup runs at two and keeps seven copies.",
        ),
        ("restore.md", "A backup is restored by hand."),
        (
            "network.md",
            "The network has two backup lines and one router.",
        ),
        ("other.md", "Cats sleep."),
        ("more.md", "Dogs bark at night."),
    ]);
    let evidence = suggest(
        &store,
        "How many copies does the nightly backup keep?",
        &OPTIONS,
    )
    .unwrap();
    assert_eq!(evidence.branch, Branch::High);
    assert_eq!(evidence.suggested.len(), 2);
    assert_eq!(paths(&evidence.suggested)[0], "backup.md");
    assert_eq!(evidence.related.len(), 1);
    let unanswered = suggest(
        &store,
        "Which submarine crossed the arctic backup?",
        &OPTIONS,
    )
    .unwrap();
    assert_eq!(unanswered.branch, Branch::Low);
    assert_eq!(unanswered.suggested.len(), 2);
    let lowered = SuggestOptions {
        threshold: Some(0.0),
        ..OPTIONS
    };
    let high = suggest(
        &store,
        "Which submarine crossed the arctic backup?",
        &lowered,
    )
    .unwrap();
    assert_eq!(high.branch, Branch::High);
}

#[test]
fn an_empty_store_deflects() {
    let evidence = suggest(&store_of(&[]), "anything", &OPTIONS).unwrap();
    assert_eq!(evidence.branch, Branch::Low);
    assert_eq!((evidence.hits, evidence.suggested.len()), (0, 0));
}
