//! What kind of content a result is: by its content first, by what was asked for second.

use super::args::Request;
use super::{diff, listing, log, search_hits};

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
    /// Output of commands: builds, tests, anything with errors.
    Log,
    /// Anything else.
    Text,
}

/// Lines taken from each of head, middle and tail.
const HEAD: usize = 80;
const MIDDLE: usize = 40;
const TAIL: usize = 40;

/// Lines that stand for a whole text: all of a short one, three stretches of a long one.
pub(super) fn sample(text: &str) -> Vec<&str> {
    let filled = |line: &&str| !line.trim().is_empty();
    let mut head = text.lines();
    let mut lines: Vec<&str> = head
        .by_ref()
        .filter(filled)
        .take(HEAD + MIDDLE + TAIL)
        .collect();
    let Some(next) = head.next() else {
        return lines;
    };
    lines.truncate(HEAD);
    let rest_from = next.as_ptr() as usize - text.as_ptr() as usize;
    let middle = line_start(text, rest_from + (text.len() - rest_from) / 2);
    lines.extend(text[middle..].lines().filter(filled).take(MIDDLE));
    let mut tail: Vec<&str> = text.lines().rev().filter(filled).take(TAIL).collect();
    tail.reverse();
    lines.extend(tail);
    lines
}

/// The start of the first line at or behind a byte position.
fn line_start(text: &str, at: usize) -> usize {
    text.as_bytes()[at..]
        .iter()
        .position(|b| *b == b'\n')
        .map_or(text.len(), |found| at + found + 1)
}

/// Tells the kind of a text.
pub(super) fn classify(request: &Request, text: &str, lines: &[&str], failed: Failed) -> Kind {
    let start = text.trim_start();
    if is_html(start) {
        return Kind::Html;
    }
    if is_json(start, lines) {
        return Kind::Json;
    }
    let share = |count: usize| count as f64 / lines.len().max(1) as f64;
    let count = |test: fn(&str) -> bool| lines.iter().filter(|line| test(line)).count();
    if diff::is_diff(lines) {
        return Kind::Diff;
    }
    if share(count(search_hits::is_hit)) >= 0.5 {
        return Kind::SearchHits;
    }
    if share(count(search_hits::is_hit_of_one_file)) >= 0.7 {
        return Kind::SearchHits;
    }
    if share(count(listing::is_entry)) >= 0.7 {
        return Kind::Listing;
    }
    let logged = lines.iter().filter(|line| log::is_report(line)).count();
    let source = share(count(is_source)) >= 0.3;
    let reads = request.path.is_some() && request.command.is_none() && failed == Failed::No;
    if reads && request.pattern.is_none() && request.edits.is_empty() && lines.len() > 3 {
        return Kind::Source;
    }
    if failed == Failed::Yes || (logged > 0 && !source) || share(logged) >= 0.2 {
        return Kind::Log;
    }
    if lines.len() >= 4 && is_table(lines) {
        return Kind::Table;
    }
    if source { Kind::Source } else { Kind::Text }
}

/// Whether the call is known to have failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failed {
    /// The result is flagged, or its exit status is not zero.
    Yes,
    /// Nothing says so.
    No,
}

fn is_html(start: &str) -> bool {
    let head: String = start
        .chars()
        .take(200)
        .collect::<String>()
        .to_ascii_lowercase();
    head.starts_with("<!doctype html") || head.starts_with("<html") || {
        head.starts_with('<') && (head.contains("<head") || head.contains("<body"))
    }
}

fn is_json(start: &str, lines: &[&str]) -> bool {
    let opens = start.starts_with(['{', '[']);
    let bytes = start.as_bytes();
    let second = bytes.iter().skip(1).find(|b| !b.is_ascii_whitespace());
    let plausible = match (bytes.first(), second) {
        (Some(b'{'), Some(b'"' | b'}')) => true,
        (Some(b'['), Some(b'{' | b'[' | b'"' | b']' | b'-' | b'0'..=b'9')) => {
            // A log line such as `[12:30:01] text` opens a bracket too.
            lines.first().is_some_and(|line| {
                let line = line.trim_end();
                line == "[" || line.ends_with(['{', '[', ',', ']', '}'])
            })
        }
        _ => false,
    };
    opens && plausible
}

/// A line that looks like source text: indented, a heading, or ending as code lines end.
fn is_source(line: &str) -> bool {
    let trimmed = line.trim_end();
    if line.starts_with(['\t', '#']) || line.starts_with("  ") {
        return true;
    }
    let starts = [
        "import ", "use ", "from ", "//", "/*", " *", "package ", "- ", "* ", "}",
    ];
    trimmed.ends_with(['{', ';', '}', ',', '(']) || starts.iter().any(|s| trimmed.starts_with(s))
}

/// Rows of equal width: the same number of tabs, commas or bars in almost every line.
fn is_table(lines: &[&str]) -> bool {
    ['\t', '|', ',', ';'].into_iter().any(|separator| {
        let width = |line: &str| line.matches(separator).count();
        let first = width(lines[0]);
        let same = lines.iter().filter(|line| width(line) == first).count();
        first > 0 && same * 10 >= lines.len() * 9
    })
}
