//! Headings of the markup languages that are read.

use super::Markup;
use super::blocks::{Line, strip_prefix_any_case};

/// A heading: its depth, 0 for a document's own title, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Heading {
    pub(super) level: usize,
    pub(super) title: String,
}

/// Whether a heading of reStructuredText has a line above it too; that makes another style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overline {
    Present,
    Absent,
}

/// A longer line, in bytes, is text that happens to start like a heading.
const LONGEST: usize = 400;

/// The heading that this line is by itself.
pub(super) fn of_line(line: &str, markup: Markup) -> Option<Heading> {
    if line.len() > LONGEST {
        return None;
    }
    match markup {
        Markup::Markdown => {
            let unindented = line.trim_start_matches(' ');
            if line.len() - unindented.len() > 3 {
                return None;
            }
            let (level, title) = marked(unindented, '#', 6)?;
            let title = without_closing_marks(title);
            (!title.is_empty()).then(|| heading(level, title))
        }
        Markup::AsciiDoc => {
            let (level, title) = marked(line, '=', 6).or_else(|| marked(line, '#', 6))?;
            (!title.is_empty()).then(|| heading(level, title))
        }
        Markup::Org => {
            if let Some(title) = strip_prefix_any_case(line, "#+title:") {
                return Some(heading(0, title));
            }
            let (level, title) = marked(line, '*', LONGEST)?;
            let title = ["TODO ", "DONE "]
                .iter()
                .find_map(|state| title.strip_prefix(state))
                .unwrap_or(title);
            (!title.is_empty()).then(|| heading(level, title))
        }
        Markup::Plain | Markup::ReStructuredText | Markup::Code => None,
    }
}

/// The heading that starts with this line and takes in the lines below it, with its end and the
/// start of the line behind it. `styles` are those of reStructuredText so far.
pub(super) fn of_lines(
    text: &str,
    first: Line<'_>,
    markup: Markup,
    styles: &mut Vec<(char, Overline)>,
) -> Option<(Heading, usize, usize)> {
    match markup {
        Markup::Markdown => {
            let below = Line::at(text, first.next)?;
            let (mark, length) = rule(below.text.trim_start())?;
            let level = match mark {
                '=' => 1,
                '-' => 2,
                _ => return None,
            };
            let plain = first.text.len() <= LONGEST
                && !first
                    .text
                    .starts_with(['-', '*', '+', '>', '|', '<', ' ', '\t']);
            (plain && length >= 2).then(|| (heading(level, first.text), below.end(), below.next))
        }
        Markup::ReStructuredText => {
            let second = Line::at(text, first.next)?;
            if let Some((mark, length)) = rule(first.text) {
                let third = Line::at(text, second.next)?;
                let framed = third.text == first.text && underlines(length, second.text);
                return framed.then(|| {
                    let level = level_of(mark, Overline::Present, styles);
                    (heading(level, second.text), third.end(), third.next)
                });
            }
            let (mark, length) = rule(second.text)?;
            let found = !first.text.starts_with([' ', '\t']) && underlines(length, first.text);
            found.then(|| {
                let level = level_of(mark, Overline::Absent, styles);
                (heading(level, first.text), second.end(), second.next)
            })
        }
        Markup::Plain | Markup::AsciiDoc | Markup::Org | Markup::Code => None,
    }
}

fn heading(level: usize, title: &str) -> Heading {
    Heading {
        level,
        title: without_inline_marks(title.trim()),
    }
}

/// Splits a line that starts with one to `most` marks and a blank.
fn marked(line: &str, mark: char, most: usize) -> Option<(usize, &str)> {
    let rest = line.trim_start_matches(mark);
    let level = (line.len() - rest.len()) / mark.len_utf8();
    let parted = rest.is_empty() || rest.starts_with([' ', '\t']);
    ((1..=most).contains(&level) && parted).then(|| (level, rest.trim()))
}

/// Takes off the marks that may close a Markdown heading.
fn without_closing_marks(title: &str) -> &str {
    let bare = title.trim_end_matches('#');
    if bare.is_empty() || bare.ends_with([' ', '\t']) {
        bare.trim_end()
    } else {
        title
    }
}

/// The mark and length of a line of one punctuation character.
fn rule(line: &str) -> Option<(char, usize)> {
    let mark = line.chars().next().filter(char::is_ascii_punctuation)?;
    line.bytes()
        .all(|byte| byte == mark as u8)
        .then_some((mark, line.len()))
}

/// Whether a rule is long enough to make a title of this line.
fn underlines(length: usize, title: &str) -> bool {
    let title = title.trim();
    !title.is_empty()
        && title.len() <= LONGEST
        && rule(title).is_none()
        && length >= title.chars().count().min(4)
}

/// The level of a style; a new one is a level deeper than all before it.
fn level_of(mark: char, overline: Overline, styles: &mut Vec<(char, Overline)>) -> usize {
    let style = (mark, overline);
    let known = styles.iter().position(|&known| known == style);
    1 + known.unwrap_or_else(|| {
        styles.push(style);
        styles.len() - 1
    })
}

/// A title as a reader sees it: links by their text, no backticks, no bold marks.
fn without_inline_marks(title: &str) -> String {
    let mut plain = String::with_capacity(title.len());
    let mut rest = title;
    while let Some((before, label, after)) = next_link(rest) {
        plain.push_str(before);
        plain.push_str(label);
        rest = after;
    }
    plain.push_str(rest);
    if plain.contains(['`', '*']) {
        plain = plain.replace('`', "").replace("**", "");
    }
    plain.trim().to_owned()
}

/// Splits around the first `[label](target)`.
fn next_link(text: &str) -> Option<(&str, &str, &str)> {
    let middle = text.find("](")?;
    let open = text[..middle].rfind('[')?;
    let close = middle + text[middle..].find(')')?;
    Some((&text[..open], &text[open + 1..middle], &text[close + 1..]))
}
