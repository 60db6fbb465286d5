//! The lexical search.

use super::fixture::{found, own, put, ranked, words};
use crate::DocumentStore;
use crate::documents::model::LexicalQuery;

pub(crate) fn any_word_in_any_form_is_found<S: DocumentStore>(store: &S) {
    put(store, "n/a.md", "Alpha", "The medications were given.");
    put(
        store,
        "n/b.md",
        "Beta",
        "call atomic_write_json(POL-358) in grammar::fa",
    );
    put(store, "n/c.md", "Gamma", "Résumé of a naïve don't");
    let check = |terms: &[&str], expected: &[&str]| {
        let hits = found(store, &words(terms));
        let paths: Vec<_> = hits.iter().map(|(path, _)| &path[2..3]).collect();
        assert_eq!(paths, expected, "{terms:?}");
    };
    check(&["Medication"], &["a"]); // 15
    check(&["gave"], &[]);
    check(&["atomic_write_json"], &["b"]); // 12
    check(&["write json"], &["b"]);
    check(&["json write"], &[]);
    check(&["POL-358"], &["b"]); // 5
    check(&["grammar::fa"], &["b"]); // 2
    check(&["resume"], &["c"]);
    check(&["don't"], &["c"]); // 1
    check(&["nothing", "alpha", "BETA"], &["a", "b"]); // 11
    check(&["", " ", "++"], &[]);
    check(&[], &[]);
}

pub(crate) fn any_text_is_a_term<S: DocumentStore>(store: &S) {
    put(store, "n/a.md", "Near", "and or not 数据 x");
    let long = "word ".repeat(20_000);
    for text in [
        "\"",
        "\"\"",
        "'",
        "--error-on-warnings",
        "-4i",
        "a AND",
        "AND",
        "NEAR(a b)",
        "NOT",
        "*",
        "x*",
        "^x",
        "title:x",
        "{title}: x",
        "a.b",
        "(",
        ")",
        "((",
        "\u{0}",
        "x\u{0}\"",
        "🙂",
        "\u{202e}",
        "+",
        "数\"据",
        "\\",
        "%",
        ";--",
        "\n",
        &long,
    ] {
        for query in [
            words(&[text]),
            words(&[text, text, "x"]),
            LexicalQuery {
                bigrams: own(&[text]),
                ..words(&[])
            },
            LexicalQuery {
                trigrams: own(&[text]),
                ..words(&[])
            },
            LexicalQuery {
                substrings: own(&[text]),
                ..words(&[])
            },
        ] {
            store.search_lexical(&query).unwrap();
        }
        store.chunk_frequencies(&own(&[text])).unwrap();
    }
    let many: Vec<_> = (0..3000).map(|number| format!("w{number}")).collect();
    let query = LexicalQuery {
        words: many,
        ..words(&[])
    };
    assert_eq!(store.search_lexical(&query).unwrap(), []);
}

pub(crate) fn scripts_without_spaces_are_found<S: DocumentStore>(store: &S) {
    put(store, "n/a.md", "设备手册", "如何止损。重跑gen-itgc后");
    put(store, "n/b.md", "Guide", "サンドボックスの使い方");
    put(store, "n/c.md", "Thai", "การค้นหาข้อมูล");
    put(store, "n/d.md", "Отчёт", "РОСТ и падение");
    let check = |query: LexicalQuery, expected: &[&str]| {
        let hits = found(
            store,
            &LexicalQuery {
                limit: 100,
                ..query
            },
        );
        let paths: Vec<_> = hits.iter().map(|(path, _)| &path[2..3]).collect();
        assert_eq!(paths, expected);
    };
    let bigrams = |terms: &[&str]| LexicalQuery {
        bigrams: own(terms),
        ..LexicalQuery::default()
    };
    let trigrams = |terms: &[&str]| LexicalQuery {
        trigrams: own(terms),
        ..LexicalQuery::default()
    };
    let parts = |terms: &[&str]| LexicalQuery {
        substrings: own(terms),
        ..LexicalQuery::default()
    };
    check(bigrams(&["止损"]), &["a"]); // 16
    check(bigrams(&["设备"]), &["a"]); // 18
    check(bigrams(&["サン", "ンド"]), &["b"]); // 19
    check(bigrams(&["手册 册如"]), &[]);
    check(words(&["止损", "止损。"]), &["a"]);
    check(words(&["itgc"]), &["a"]); // 17
    check(trigrams(&["ค้นหา"]), &["c"]);
    check(trigrams(&["рост", "отч"]), &["d"]);
    check(trigrams(&["ро"]), &[]);
    check(trigrams(&["Guide", "サンド"]), &[]);
    check(parts(&["损"]), &["a"]);
    check(parts(&["ха", "ПА"]), &["d"]);
    check(parts(&["Gu"]), &["b"]);
    check(parts(&["", " "]), &[]);
}

pub(crate) fn a_title_counts_more<S: DocumentStore>(store: &S) {
    for number in 0..6 {
        let filler = format!("n/f{number}.md");
        put(
            store,
            &filler,
            "Filler",
            "some other words stand here, none of them wanted",
        );
    }
    put(
        store,
        "n/a.md",
        "Plain",
        "some walrus words stand here, some of them wanted",
    );
    put(
        store,
        "n/b.md",
        "Walrus",
        "some other words stand here, some of them wanted",
    );
    let best = ranked(store, &words(&["walrus"]));
    assert_eq!(best[0], ("n/b.md".to_owned(), 0));
    assert_eq!(best[1], ("n/a.md".to_owned(), 0));
}

pub(crate) fn hits_are_limited_and_ties_ordered<S: DocumentStore>(store: &S) {
    for number in 0..5 {
        put(
            store,
            &format!("n/{number}.md"),
            "Same",
            "same text\n\nsame text",
        );
    }
    put(store, "m/0.md", "Same", "same text\n\nsame text");
    let query = LexicalQuery {
        limit: 3,
        ..words(&["text"])
    };
    let best = ranked(store, &query);
    let expected = [("n/0.md", 0), ("n/0.md", 1), ("n/1.md", 0)];
    assert_eq!(
        best,
        expected.map(|(path, position)| (path.to_owned(), position))
    );
    assert_eq!(ranked(store, &query), best);
    let none = LexicalQuery {
        limit: 0,
        ..words(&["text"])
    };
    assert_eq!(store.search_lexical(&none).unwrap(), []);
}

pub(crate) fn a_source_filters_hits<S: DocumentStore>(store: &S) {
    put(store, "a/1.md", "One", "apple 数据 рост");
    put(store, "b/2.md", "Two", "apple 数据 рост");
    let all = LexicalQuery {
        words: own(&["apple"]),
        bigrams: own(&["数据"]),
        trigrams: own(&["рост"]),
        substrings: own(&["ап", "数"]),
        source: None,
        limit: 10,
    };
    assert_eq!(found(store, &all).len(), 2);
    for part in [
        LexicalQuery {
            words: own(&["apple"]),
            ..LexicalQuery::default()
        },
        LexicalQuery {
            bigrams: own(&["数据"]),
            ..LexicalQuery::default()
        },
        LexicalQuery {
            trigrams: own(&["рост"]),
            ..LexicalQuery::default()
        },
        LexicalQuery {
            substrings: own(&["数"]),
            ..LexicalQuery::default()
        },
        all,
    ] {
        let of_b = LexicalQuery {
            source: Some("b".to_owned()),
            limit: 10,
            ..part
        };
        assert_eq!(found(store, &of_b), [("b/2.md".to_owned(), 0)]);
        let lost = LexicalQuery {
            source: Some("lost".to_owned()),
            ..of_b
        };
        assert_eq!(found(store, &lost), []);
    }
    assert_eq!(store.chunk_count(Some("b")).unwrap(), 1);
    assert_eq!(store.chunk_count(Some("lost")).unwrap(), 0);
}

pub(crate) fn frequencies_count_chunks<S: DocumentStore>(store: &S) {
    put(store, "n/a.md", "Apples", "an apple, an apple\n\nno fruit");
    put(store, "n/b.md", "Else", "the apples of others");
    let terms = own(&["apple", "fruits", "others", "lost", "", "an apple", "\""]);
    let counts = store.chunk_frequencies(&terms).unwrap();
    assert_eq!(counts, [3, 1, 1, 0, 0, 1, 0]);
}
