use proptest::prelude::*;

use super::*;

const SMALL: ChunkOptions = ChunkOptions {
    target: 30,
    most: 50,
};

/// Chunks as their trail and text.
fn chunks(text: &str, markup: Markup, options: &ChunkOptions) -> Vec<(String, String)> {
    chunk(text, markup, options)
        .into_iter()
        .map(|chunk| (chunk.trail, text[chunk.range].to_owned()))
        .collect()
}

fn check(markup: Markup, text: &str, expected: &[(&str, &str)]) {
    let found = chunks(text, markup, &SMALL);
    let found: Vec<(&str, &str)> = found
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    assert_eq!(found, expected, "{markup:?} {text:?}");
}

#[test]
fn sections_and_paragraphs_part_chunks() {
    let markdown = |text: &str, expected: &[(&str, &str)]| check(Markup::Markdown, text, expected);
    markdown("", &[]);
    markdown(" \n\t\n", &[]);
    markdown("One line.", &[("", "One line.")]);
    markdown("\n\n  One.\n\n", &[("", "  One.")]);
    markdown("# A\n\nText.", &[("A", "# A\n\nText.")]);
    markdown("# A\n\n## B\n\nText.", &[("A > B", "# A\n\n## B\n\nText.")]);
    markdown(
        "# A\n\nText long enough to stand.\n\n## B\n\nMore of it.\n\n# C\n",
        &[
            ("A", "# A\n\nText long enough to stand."),
            ("A > B", "## B\n\nMore of it."),
            ("C", "# C"),
        ],
    );
    markdown(
        "A paragraph of some length.\n\nAnother one of a length.",
        &[
            ("", "A paragraph of some length."),
            ("", "Another one of a length."),
        ],
    );
    markdown("Text.\n# Heading\nmore", &[("", "Text.\n# Heading\nmore")]);
    // A heading goes with the text below it.
    markdown(
        "Short.\n\n# Heading\n\nForty characters of text are now here..",
        &[
            ("", "Short."),
            (
                "Heading",
                "# Heading\n\nForty characters of text are now here..",
            ),
        ],
    );
    // Front matter holds no headings.
    markdown(
        "---\ntitle: x\n---\nText",
        &[("", "---\ntitle: x\n---\nText")],
    );
    // A fence is one block, whatever stands in it.
    markdown(
        "```\n# no\n\n# no\n```\n",
        &[("", "```\n# no\n\n# no\n```")],
    );
    markdown(
        "~~~~\n~~~\n# no\n~~~~\n# yes",
        &[("", "~~~~\n~~~\n# no\n~~~~"), ("yes", "# yes")],
    );
}

#[test]
fn long_blocks_are_cut_at_sentences_then_blanks_then_anywhere() {
    let plain = |text: &str, expected: &[&str]| {
        let found = chunks(text, Markup::Plain, &SMALL);
        let found: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(found, expected, "{text:?}");
    };
    plain(
        "The first sentence. The second one, 3.5 long. And a third sentence.",
        &[
            "The first sentence.",
            "The second one, 3.5 long.",
            "And a third sentence.",
        ],
    );
    plain(
        "one two three four five six seven eight nine ten eleven twelve",
        &[
            "one two three four five six seven eight nine ten",
            "eleven twelve",
        ],
    );
    let line = "x".repeat(120);
    plain(&line, &[&line[..50], &line[50..100], &line[100..]]);
    let han = "漢".repeat(55);
    plain(&han, &[&han[..150], &han[150..]]);
    plain(
        "一二三四五六七八九十一二三。一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十",
        &[
            "一二三四五六七八九十一二三。",
            "一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十",
        ],
    );
}

#[test]
fn first_headings_by_markup() {
    let check = |markup: Markup, text: &str, expected: Option<&str>| {
        assert_eq!(
            first_heading(text, markup).as_deref(),
            expected,
            "{markup:?} {text:?}"
        );
    };
    use Markup::{AsciiDoc, Code, Markdown, Org, Plain, ReStructuredText};
    check(Markdown, "# A #", Some("A"));
    check(Markdown, "# C#", Some("C#"));
    check(Markdown, "   ### `a` **b** [c](d)", Some("a b c"));
    check(Markdown, "    # code", None);
    check(Markdown, "#tag", None);
    check(Markdown, "####### seven", None);
    check(Markdown, "#\n# A", Some("A"));
    check(Markdown, "A\n===", Some("A"));
    check(Markdown, "A\r\n---\r\n", Some("A"));
    check(Markdown, "- A\n---\n", None);
    check(Markdown, "A\n-", None);
    check(Markdown, "\n---\n", None);
    check(Markdown, "---\ntitle: x\n---\n# A", Some("A"));
    check(Markdown, "```\n# a\n```\n# b", Some("b"));
    check(Markdown, "# 漢字 🙂", Some("漢字 🙂"));
    check(Plain, "# A", None);
    check(Code, "# A", None);
    check(ReStructuredText, "Title\n=====\n", Some("Title"));
    check(ReStructuredText, "=====\nTitle\n=====\n", Some("Title"));
    check(ReStructuredText, "Title\n==\n", None);
    check(ReStructuredText, "  Title\n=====\n", None);
    check(ReStructuredText, "A\n-\n", Some("A"));
    check(ReStructuredText, "=====\n\nText", None);
    check(AsciiDoc, "= Title", Some("Title"));
    check(AsciiDoc, "----\n= no\n----\n== Yes", Some("Yes"));
    check(AsciiDoc, "=nothing", None);
    check(Org, "#+TITLE: Name\n* A", Some("Name"));
    check(Org, "** TODO Task", Some("Task"));
    check(Org, "*bold*", None);
    check(Org, "#+begin_src sh\n* no\n#+END_SRC\n* yes", Some("yes"));
    check(Markdown, &format!("# {}", "a".repeat(500)), None);
}

#[test]
fn trails_follow_the_levels() {
    let trails = |markup: Markup, text: &str| {
        let options = ChunkOptions {
            target: 3,
            most: 40,
        };
        let mut trails: Vec<String> = Vec::new();
        for chunk in chunk(text, markup, &options) {
            trails.push(chunk.trail);
        }
        trails.dedup();
        trails.join("; ")
    };
    let text = "A\n=\n\ntext\n\nB\n-\n\ntext\n\nC\n~\n\ntext\n\nD\n-\n\ntext\n\nE\n=\n\ntext\n";
    assert_eq!(
        trails(Markup::ReStructuredText, text),
        "A; A > B; A > B > C; A > D; E"
    );
    let text = "* A\ntext\n** B\ntext\n*** C\ntext\n* D\ntext";
    assert_eq!(trails(Markup::Org, text), "A; A > B; A > B > C; D");
    let text = "### C\n\ntext\n\n# A\n\ntext\n\n### C\n\ntext\n\n## B\n\ntext\n";
    assert_eq!(trails(Markup::Markdown, text), "C; A; A > C; A > B");
}

#[test]
fn a_huge_line_takes_no_time() {
    let line = "word ".repeat(200_000);
    let found = chunk(&line, Markup::Markdown, &DEFAULT_SIZES);
    assert!(found.len() < 1000 && found.len() >= 500, "{}", found.len());
    assert_eq!(
        chunk(&"x".repeat(1_000_000), Markup::Code, &DEFAULT_SIZES).len(),
        500
    );
    assert_eq!(
        chunk(&"#".repeat(1_000_000), Markup::Markdown, &DEFAULT_SIZES).len(),
        500
    );
    assert_eq!(
        chunk(&"\n".repeat(1_000_000), Markup::Markdown, &DEFAULT_SIZES),
        []
    );
    assert!(!chunk(&"# a\n".repeat(100_000), Markup::Markdown, &DEFAULT_SIZES).is_empty());
    assert!(!chunk(&"```\n".repeat(100_001), Markup::Markdown, &DEFAULT_SIZES).is_empty());
}

fn markups() -> impl Strategy<Value = Markup> {
    prop::sample::select(vec![
        Markup::Markdown,
        Markup::Plain,
        Markup::ReStructuredText,
        Markup::AsciiDoc,
        Markup::Org,
        Markup::Code,
    ])
}

/// What chunking promises, whatever the text.
fn check_promises(text: &str, markup: Markup, options: &ChunkOptions) -> Result<(), TestCaseError> {
    let mut end = 0;
    for Chunk { range, .. } in chunk(text, markup, options) {
        prop_assert!(range.start >= end, "overlap");
        prop_assert!(
            text[end..range.start].trim().is_empty(),
            "text between chunks"
        );
        let piece = &text[range.clone()];
        prop_assert!(!piece.trim().is_empty(), "blank chunk");
        prop_assert!(piece.chars().count() <= options.most, "too long");
        end = range.end;
    }
    prop_assert!(text[end..].trim().is_empty(), "text behind the last chunk");
    Ok(())
}

proptest! {
    #[test]
    fn every_text_is_parted(
        text in "([#=*~`.+ \n-]{0,4}[a-z é漢🙂.\r\n\u{2003}]{0,12}\n{0,3}){0,30}",
        markup in markups(),
        target in 1_usize..60,
        more in 0_usize..60,
    ) {
        check_promises(&text, markup, &ChunkOptions { target, most: target + more })?;
    }

    #[test]
    fn any_unicode_is_parted(text in any::<String>(), markup in markups()) {
        check_promises(&text, markup, &ChunkOptions { target: 5, most: 9 })?;
        check_promises(&text, markup, &DEFAULT_SIZES)?;
    }
}
