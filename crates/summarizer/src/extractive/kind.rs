//! What kind of content a result is: by its content first, by what was asked for second.

use super::args::Request;
use super::line::{is_blank, trim};
use super::{diff, listing, search_hits, source};

/// The kinds that are read differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A patch, or a table of changed files.
    Diff,
    /// Source text: code, configuration, prose with headings.
    Source,
    /// File names, one a line.
    Listing,
    /// `path:line:text` lines.
    SearchHits,
    /// A JSON document or JSON lines.
    Json,
    /// A page.
    Html,
    /// Rows with separators.
    Table,
    /// Anything else: output of commands, prose.
    Output,
}

/// Whether the call is known to have failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failed {
    /// The result is flagged, or its exit status is not zero.
    Yes,
    /// Nothing says so.
    No,
}

/// Lines taken from each of head, middle and tail of a long text.
const STRETCH: usize = 16;

/// Lines that stand for a whole text: all of a short one, three stretches of a long one.
fn sample<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let filled = |line: &&&str| !is_blank(line);
    if lines.len() <= 3 * STRETCH {
        return lines.iter().filter(filled).copied().collect();
    }
    let middle = lines.len() / 2;
    let head = lines[..middle].iter().filter(filled).take(STRETCH);
    let center = lines[middle..lines.len() - STRETCH]
        .iter()
        .filter(filled)
        .take(STRETCH);
    let tail = lines[lines.len() - STRETCH..].iter().filter(filled);
    head.chain(center).chain(tail).copied().collect()
}

/// Tells the kind of a text from a sample of its lines.
pub(super) fn classify(request: &Request<'_>, text: &str, lines: &[&str], failed: Failed) -> Kind {
    let start = text.trim_start();
    if is_html(start) {
        return Kind::Html;
    }
    let lines = sample(lines);
    if is_json(start, &lines) {
        return Kind::Json;
    }
    if diff::is_diff(&lines) {
        return Kind::Diff;
    }
    let share = |test: fn(&str) -> bool| {
        let (head, rest) = lines.split_at(lines.len().min(12));
        let count = |lines: &[&str]| lines.iter().filter(|line| test(line)).count();
        // What none of the first lines is, most of the text is not either.
        match count(head) {
            0 => 0.0,
            found => (found + count(rest)) as f64 / lines.len() as f64,
        }
    };
    // A compiler's messages look like hits as well.
    let hits = share(search_hits::is_hit) >= 0.5 || share(search_hits::is_hit_of_one_file) >= 0.7;
    if hits && failed == Failed::No {
        return Kind::SearchHits;
    }
    if share(listing::is_entry) >= 0.7 {
        return Kind::Listing;
    }
    if failed == Failed::No
        && (request.reads_a_file() || share(is_source) >= 0.3 || has_headings(&lines))
    {
        return Kind::Source;
    }
    if lines.len() >= 4 && is_table(&lines) {
        Kind::Table
    } else {
        Kind::Output
    }
}

fn is_html(start: &str) -> bool {
    if !start.starts_with('<') {
        return false;
    }
    let head: String = start
        .chars()
        .take(200)
        .collect::<String>()
        .to_ascii_lowercase();
    head.starts_with("<!doctype html")
        || head.starts_with("<html")
        || head.contains("<head")
        || head.contains("<body")
}

fn is_json(start: &str, lines: &[&str]) -> bool {
    let bytes = start.as_bytes();
    let second = bytes.iter().skip(1).find(|b| !b.is_ascii_whitespace());
    match (bytes.first(), second) {
        (Some(b'{'), Some(b'"' | b'}')) => true,
        (Some(b'['), Some(b'{' | b'[' | b'"' | b']' | b'-' | b'0'..=b'9')) => {
            // A log line such as `[12:30:01] text` opens a bracket too.
            lines.first().is_some_and(|line| {
                let line = line.trim_end();
                line == "[" || line.ends_with(['{', '[', ',', ']', '}'])
            })
        }
        _ => false,
    }
}

/// A line that looks like source text: it declares something, or begins or ends as code does.
///
/// Indentation alone says nothing: logs are indented too.
fn is_source(line: &str) -> bool {
    const STARTS: &[&str] = &[
        "import ", "use ", "from ", "package ", "//", "/*", "* ", "#include", "## ", "} ",
    ];
    let line = trim(line);
    line.ends_with(['{', ';', '}', ',', '(', '>'])
        || line.ends_with("):")
        || STARTS.iter().any(|start| line.starts_with(start))
        || source::declaration(line).is_some()
}

/// A heading of prose in the first lines, and one of the second level or below anywhere.
fn has_headings(lines: &[&str]) -> bool {
    let is_heading =
        |line: &str| line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
    lines.iter().take(8).any(|line| is_heading(line))
        && lines
            .iter()
            .any(|line| line.starts_with("##") && is_heading(line))
}

/// Rows of equal width: the same number of tabs, commas or bars in almost every line.
fn is_table(lines: &[&str]) -> bool {
    [b'\t', b'|', b',', b';'].into_iter().any(|separator| {
        let width = |line: &str| line.bytes().filter(|b| *b == separator).count();
        let first = width(lines[0]);
        first > 0 && {
            let same = lines.iter().filter(|line| width(line) == first).count();
            same * 10 >= lines.len() * 9
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides_before_the_tool_does() {
        let check = |args: &str, text: &str, expected: Kind| {
            let lines: Vec<&str> = text.lines().collect();
            let kind = classify(&Request::parse(args), text, &lines, Failed::No);
            assert_eq!(kind, expected, "{text}");
        };
        let read = r#"{"path":"x"}"#;
        let run = r#"{"command":"x"}"#;
        for args in [read, run, "{}"] {
            check(args, "<!DOCTYPE html>\n<html>", Kind::Html);
            check(args, "{\"a\": 1}", Kind::Json);
            check(args, "diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b", Kind::Diff);
            check(args, "a.rs:1:x\na.rs:2:y\n", Kind::SearchHits);
            check(args, "src/a.rs\nsrc/b.rs\nREADME.md\n", Kind::Listing);
            check(args, "fn a() {\n    b();\n}\n", Kind::Source);
        }
        check(
            read,
            "One plain sentence.\nAnother one here.\n",
            Kind::Source,
        );
        check(
            run,
            "One plain sentence.\nAnother one here.\n",
            Kind::Output,
        );
        check(
            run,
            "[12:30:01] start it\n[12:30:02] stop it\n",
            Kind::Output,
        );
        check(run, "id\tname\n1\tan a\n2\tb b\n3\tc c\n", Kind::Table);
        check(run, "", Kind::Output);
    }
}
