use proptest::prelude::*;

use super::*;

fn summarize(kind: &str, title: &str, text: &str) -> String {
    extract(DocumentText {
        path: "notes/file",
        title,
        kind,
        text,
    })
}

#[test]
fn a_short_document_says_what_it_is() {
    let check = |title, text, expected: &str| {
        assert_eq!(summarize("markdown", title, text), expected, "{text}");
    };
    check(
        "rule-7",
        "---\nid: 7\nstatus: Moved\ncategory: Rules\n---\n\nThis rule moved to https://x.example/rule-7.md\n",
        "This rule moved to https://x.example/rule-7.md (status: Moved; category: Rules)",
    );
    check("Empty note", "---\ntitle: Empty note\n---\n", "Empty note");
    check("stem", "---\ntags: [a, b]\n---\n", "tags: a, b.");
    check("stem", "# Only a heading\n", "stem");
    check("t", "# T\n## One\n## Two\n", "Sections: One; Two.");
    check(
        "t",
        "---\ndescription: What it is\n---\n```\ncode\n```\n",
        "What it is.",
    );
    check(
        "t",
        "Just a line without a stop",
        "Just a line without a stop",
    );
    check(
        "t",
        "Ein Satz über Größe. Noch einer.",
        "Ein Satz über Größe. Noch einer.",
    );
    check("…", "!!!", "");
}

#[test]
fn a_long_document_is_told_by_its_own_sentences() {
    let filler = "Unrelated remarks about the weather fill this place in the text. ";
    let text = format!(
        "# Settlement\n\nCopyright by nobody.\n\n## Abstract\n\nSettlement moves the balance of an account \\\nto the bank every night. It runs after the import.\n\n## Details\n\n{}\n\nSettlement of an account waits for the import of the bank.\n\n## References\n\nSettlement of an account, a reference that says nothing new at all.\n",
        filler.repeat(3)
    )
    .replace("\\\n", "\n");
    let summary = summarize("markdown", "Settlement", &text);
    assert!(
        summary.contains("Settlement moves the balance of an account to the bank every night."),
        "{summary}"
    );
    assert!(!summary.contains("reference that says"), "{summary}");
    assert_eq!(summary.matches("weather").count(), 1, "{summary}");
}

#[test]
fn scripts_without_spaces_are_summarized() {
    let check = |sentence: &str, other: &str| {
        let text = format!("{sentence}{}", other.repeat(200));
        let summary = summarize("text", "t", &text);
        assert!(summary.starts_with(sentence.trim()), "{summary}");
        assert!(summary.chars().count() <= MOST_CHARS, "{summary}");
    };
    check(
        "账本每天晚上导入银行的对账单。",
        "余额由分录计算得出，不单独保存。",
    );
    check(
        "台帳は毎晩銀行の明細を取り込みます。",
        "残高は仕訳から計算されます。",
    );
    check(
        "يستورد الدفتر كشوف البنك كل ليلة. ",
        "الرصيد يحسب من القيود. ",
    );
    check("บัญชีนำเข้ารายการธนาคารทุกคืน ", "ยอดคงเหลือคำนวณจากรายการ ");
}

#[test]
fn code_and_configuration_give_their_first_comment_and_names() {
    let check = |text, expected: &str| assert_eq!(summarize("source", "t", text), expected);
    check(
        "#!/bin/sh\n# Copies the ledger. Keeps seven copies.\nset -eu\n",
        "Copies the ledger. Keeps seven copies.",
    );
    check(
        "// Copyright 2020 somebody\n\n/**\n * Amounts of money.\n */\nexport function add(a) {}\nexport class Money {}\n",
        "Amounts of money. Declares function add; class Money.",
    );
    check("[server]\nport = 1\n[log]\n", "Sections: [server]; [log].");
    check(
        "# Where it listens.\nport: 1\nhost: x\n",
        "Where it listens. Keys: port; host.",
    );
    check(
        "{\n  \"name\": \"x\",\n  \"version\": 1\n}\n",
        "Keys: name; version.",
    );
    check(
        "\"\"\"Reads files.\"\"\"\ndef read(path):\n",
        "Reads files. Declares def read.",
    );
    check("select 1 from x\n", "select 1 from x");
}

#[test]
fn a_folder_lists_what_it_holds() {
    let entry = |name: &str, summary: Option<&str>| FolderEntry {
        name: name.to_owned(),
        summary: summary.map(str::to_owned),
    };
    let check = |documents: &[FolderEntry], folders: &[FolderEntry], expected: &str| {
        let folder = FolderText {
            path: "notes/x",
            documents,
            folders,
        };
        assert_eq!(extract_folder(folder), expected);
    };
    check(&[], &[], "");
    check(&[entry("A", None)], &[], "1 document: A.");
    check(
        &[
            entry("A", Some("A is first. More.")),
            entry("B", Some("B is second. More.")),
        ],
        &[entry("sub", Some("2 documents: Cash; Debt. C is third."))],
        "2 documents: A; B. 1 folder: sub. A is first. B is second. C is third.",
    );
    let many: Vec<FolderEntry> = (0..400)
        .map(|n| {
            entry(
                &format!("Title number {n}"),
                Some(&format!("Text {n} about one thing.")),
            )
        })
        .collect();
    let folder = FolderText {
        path: "x",
        documents: &many,
        folders: &many,
    };
    let summary = extract_folder(folder);
    assert!(
        summary.starts_with("400 documents: Title number 0; "),
        "{summary}"
    );
    assert!(summary.chars().count() <= MOST_CHARS);
}

/// The letters of a text, which no joining and no markup changes.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

proptest! {
    #[test]
    fn any_text_gets_one_line_that_fits(
        text in "(---\n)?([a-z#*`<>|\\[\\]()!:.=_ \t\n-]|[A-Z]{3}|。|汉|ก|é|👩|\r\n){0,400}",
        kind in prop_oneof!["markdown", "text", "restructuredtext", "asciidoc", "org", "source"],
    ) {
        let summary = summarize(&kind, "title", &text);
        prop_assert!(summary.chars().count() <= MOST_CHARS);
        prop_assert!(!summary.contains('\n') && !summary.trim().is_empty());
        prop_assert_eq!(&summary, &summarize(&kind, "title", &text));
    }

    #[test]
    fn prose_is_quoted_word_for_word(text in "([A-Z][a-z]{1,9}( [a-z]{1,9}){4,20}[.] ){1,40}") {
        let summary = summarize("text", "title", &text);
        for sentence in summary.split_inclusive(". ") {
            prop_assert!(text.contains(sentence.trim()), "{sentence}");
        }
        prop_assert!(letters(&text).contains(&letters(summary.split(". ").next().unwrap())));
    }
}
