//! What becomes of one file.

use super::*;

#[test]
fn titles_dates_and_kinds() {
    let check = |path: &str, text: &str, title: &str, date: &str, kind: &str| {
        let fixture = Fixture::new(&[(path, text)]);
        assert_eq!(counts(&fixture.import()), [1, 0, 0, 0, 0], "{text:?}");
        let document = fixture.document(path).unwrap();
        let found = (
            document.title.as_str(),
            document.date.as_deref(),
            document.kind.as_str(),
        );
        assert_eq!(found, (title, Some(date), kind), "{text:?}");
    };
    let day = "2024-05-06";
    check(
        "a.md",
        "---\ntitle: T\ndate: 2023-01-02\n---\n# H\n",
        "T",
        "2023-01-02",
        "markdown",
    );
    check(
        "a.md",
        "---\ncreated: 2023-01-02\n---\n# H\n",
        "H",
        "2023-01-02",
        "markdown",
    );
    check("a.md", "---\ndate: soon\n---\n", "a", day, "markdown");
    check("a.md", "text\n", "a", day, "markdown");
    check("a.b.txt", "# text\n", "a.b", day, "text");
    check("LICENSE", "Free.\n", "LICENSE", day, "text");
    check("a.rst", "Title\n=====\n", "Title", day, "restructuredtext");
    check("a.adoc", "= Title\n", "Title", day, "asciidoc");
    check("a.org", "#+title: Title\n", "Title", day, "org");
    check(
        "a.html",
        "<title>Title</title><h1>H</h1>",
        "Title",
        day,
        "html",
    );
    check("a.html", "<h1>H</h1>", "H", day, "html");
    check("a.rs", "fn main() {}\n", "a", day, "code");
    check(
        "a.md",
        "# A\u{7}\tB and more words\n",
        "A B and more words",
        day,
        "markdown",
    );
}

#[test]
fn odd_front_matter_keeps_no_file_out() {
    let check = |text: &str, title: &str| {
        let fixture = Fixture::new(&[("odd.md", text), ("z.md", "# After\n")]);
        assert_eq!(counts(&fixture.import()), [2, 0, 0, 0, 0], "{text:?}");
        assert_eq!(fixture.document("odd.md").unwrap().title, title, "{text:?}");
        assert_eq!(fixture.content("odd.md"), text);
        assert_eq!(counts(&fixture.import()), [0, 0, 2, 0, 0], "{text:?}");
    };
    check("---\n\nText below a rule.\n\n---\n", "odd");
    check("---\ntitle: *Italic*\n---\n# H\n", "*Italic*");
    check("---\nfolder: C:\\path\n---\n# H\n", "H");
    check("---\nC:\\path\n---\n# H\n", "H");
    check("---\ntitle: 2026-05-26\n---\n", "2026-05-26");
    check("---\ntitle: [open\n---\n", "[open");
    check("---\ntitle: \"open\n---\n# H\n", "\"open");
    check("---\ntitle: never closed\n\n# H\n", "H");
    check("---\n\ttitle: tab\n---\n# H\n", "H");
    check("---\ntitle: a: b: c\n---\n", "a: b: c");
}

#[test]
fn what_is_skipped_and_why() {
    let check = |path: &str, bytes: &[u8], reason: SkipReason| {
        let fixture = Fixture::new(&[("other.md", "text")]);
        fixture.write(path, bytes);
        let report = fixture.import();
        assert_eq!(counts(&report), [1, 0, 0, 0, 1], "{path}");
        let skipped = Skipped {
            path: path.to_owned(),
            reason,
        };
        assert_eq!(report.skipped, [skipped]);
        assert_eq!(fixture.paths(), ["other.md"]);
        assert_eq!(counts(&fixture.import()), [0, 0, 1, 0, 1], "{path}");
    };
    check("a.md", b"", SkipReason::Empty);
    check("a.md", b" \n\t\r\n", SkipReason::Blank);
    check("a.md", b"\0\0\0\0", SkipReason::Blank);
    check("a.html", b"<p> </p>", SkipReason::Blank);
    check("a.md", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", SkipReason::Binary);
    let too_large = SkipReason::TooLarge {
        bytes: 10_001,
        most: 10_000,
    };
    check("a.md", &[b'a'; 10_001], too_large);
    check("a.pdf", b"%PDF-1.7", SkipReason::NoConverter("pdf"));
    check("a.txt", b"%PDF-1.7 text", SkipReason::NoConverter("pdf"));
    check("a.docx", b"PK\x03\x04", SkipReason::NoConverter("docx"));
    check("a.epub", b"PK\x03\x04", SkipReason::NoConverter("epub"));
    check("server.key", b"words", SkipReason::Credentials);
    check(
        "a.txt",
        b"-----BEGIN PRIVATE KEY-----\nMC4=\n",
        SkipReason::Credentials,
    );
}

#[test]
fn texts_in_all_encodings_are_one_text() {
    let check = |bytes: &[u8], expected: &str, notices: &[Notice]| {
        let fixture = Fixture::new(&[]);
        fixture.write("a.md", bytes);
        let report = fixture.import();
        assert_eq!(fixture.content("a.md"), expected);
        let found: Vec<Notice> = report
            .notices
            .into_iter()
            .map(|noticed| noticed.notice)
            .collect();
        assert_eq!(found, notices);
    };
    check(b"\xEF\xBB\xBF# A\r\n", "# A\r\n", &[]);
    check(b"\xFF\xFEA\0\n\0", "A\n", &[Notice::Decoded("UTF-16LE")]);
    check(b"A\0,\0B\0\n\0", "A,B\n", &[Notice::Decoded("UTF-16LE")]);
    check(
        b"10\x9720",
        "10\u{2014}20",
        &[Notice::Decoded("windows-1252")],
    );
    check(b"abc\0\0", "abc", &[Notice::PaddingRemoved(2)]);
    check("</document> & <x>".as_bytes(), "</document> & <x>", &[]);
}

#[test]
fn chunks_are_ranges_of_the_text() {
    let text = format!(
        "# A\n\n{}\n\n## B\n\n{}\n",
        "One. ".repeat(200),
        "Two. ".repeat(300)
    );
    let fixture = Fixture::new(&[("a.md", &text)]);
    fixture.import();
    let chunks = fixture
        .store
        .chunks(fixture.document("a.md").unwrap().id)
        .unwrap();
    assert_eq!(chunks.len(), 2);
    assert_eq!(chunks[0].trail, "A");
    assert_eq!(chunks[1].trail, "A > B");
    for chunk in chunks {
        assert_eq!(chunk.text, text[chunk.range]);
    }
}
