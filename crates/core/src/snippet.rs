//! The best passage of a text for a query, with its line numbers.

use std::ops::{Range, RangeInclusive};

use crate::lexical::Plan;
use crate::rank::count::Counter;

/// Lines of a text that speak for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Their numbers in the whole text, from 1.
    pub lines: RangeInclusive<usize>,
    /// Their text, cut to the size asked for with `…` where something is missing.
    pub text: String,
}

/// Finds the passage of at most about `size` characters inside `range` whose lines cover the most
/// of the query's weight; of equal ones the first.
///
/// `weights` are those of the plan's terms. A range that does not lie on character boundaries is
/// narrowed. `None` where the range holds no text.
///
/// ```
/// use epitome_core::lexical::{Plan, read};
/// use epitome_core::snippet::passage;
/// let plan = Plan::new(read("store"), 10, |_| Some(1));
/// let text = "# Notes\n\nabout nothing\n\nThe store keeps it.\n";
/// let found = passage(text, 0..text.len(), &plan, &[1.0], 30).unwrap();
/// assert_eq!((found.lines, found.text.as_str()), (5..=5, "The store keeps it."));
/// ```
pub fn passage(
    content: &str,
    range: Range<usize>,
    plan: &Plan,
    weights: &[f64],
    size: usize,
) -> Option<Passage> {
    let end = content.floor_char_boundary(range.end);
    let start = content.ceil_char_boundary(range.start.min(end)).min(end);
    let mut counter = Counter::new(plan.terms.iter().map(|planned| &planned.term));
    let lines = lines(content, start..end, size, &mut counter);
    let (first, last) = best_window(&lines, weights, size)?;
    Some(Passage {
        lines: lines[first].number..=lines[last].number,
        text: cut(content, &lines[first..=last], &mut counter, size),
    })
}

struct Line {
    number: usize,
    range: Range<usize>,
    chars: usize,
    terms: Vec<u32>,
}

fn lines(content: &str, range: Range<usize>, size: usize, counter: &mut Counter) -> Vec<Line> {
    let first = 1 + content[..range.start].matches('\n').count();
    let mut start = range.start;
    let mut lines = Vec::new();
    for (number, line) in (first..).zip(content[range].split_inclusive('\n')) {
        lines.push(Line {
            number,
            range: start..start + line.len(),
            // A line too long for the window fills it, and is cut when it is shown.
            chars: line.chars().count().min(size.max(1)),
            terms: counter.count(line).terms,
        });
        start += line.len();
    }
    let blank = |line: &Line| content[line.range.clone()].trim().is_empty();
    let kept = lines
        .iter()
        .rposition(|line| !blank(line))
        .map_or(0, |at| at + 1);
    lines.truncate(kept);
    let skipped = lines.iter().take_while(|line| blank(line)).count();
    lines.drain(..skipped);
    lines
}

/// First and last line of the window with the highest weight; a window begins where a term stands.
fn best_window(lines: &[Line], weights: &[f64], size: usize) -> Option<(usize, usize)> {
    if lines.is_empty() {
        return None;
    }
    let mut best = (0.0, 0, window_end(lines, 0, size));
    for first in 0..lines.len() {
        if lines[first].terms.iter().all(|&count| count == 0) {
            continue;
        }
        let last = window_end(lines, first, size);
        let weight = window_weight(&lines[first..=last], weights);
        if weight > best.0 {
            best = (weight, first, last);
        }
    }
    Some((best.1, best.2))
}

fn window_end(lines: &[Line], first: usize, size: usize) -> usize {
    let mut chars = 0;
    let fits = lines[first..].iter().take_while(|line| {
        chars += line.chars;
        chars <= size
    });
    first + fits.count().max(1) - 1
}

fn window_weight(lines: &[Line], weights: &[f64]) -> f64 {
    let covered = weights.iter().enumerate().filter(|(term, _)| {
        lines
            .iter()
            .any(|line| line.terms.get(*term).is_some_and(|&count| count > 0))
    });
    covered.map(|(_, weight)| weight).sum()
}

/// The text of the lines; one that is too long is cut around the first word of the query in it.
fn cut(content: &str, lines: &[Line], counter: &mut Counter, size: usize) -> String {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return String::new();
    };
    let text = content[first.range.start..last.range.end].trim();
    if text.chars().count() <= size {
        return text.to_owned();
    }
    let before = text
        .split_inclusive(char::is_whitespace)
        .take_while(|word| counter.count(word).terms.iter().all(|&count| count == 0))
        .map(str::len)
        .sum::<usize>();
    let before = if before < text.len() { before } else { 0 };
    let lead: usize = text[..before]
        .chars()
        .rev()
        .take(size / 4)
        .map(char::len_utf8)
        .sum();
    let start = before - lead;
    let shown: String = text[start..].chars().take(size).collect();
    let open = if start > 0 { "…" } else { "" };
    let close = if start + shown.len() < text.len() {
        "…"
    } else {
        ""
    };
    format!("{open}{}{close}", shown.trim())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lexical::read;

    fn found(query: &str, content: &str, range: Range<usize>, size: usize) -> Option<Passage> {
        let plan = Plan::new(read(query), 10, |_| Some(1));
        let weights = vec![1.0; plan.terms.len()];
        passage(content, range, &plan, &weights, size)
    }

    fn check(query: &str, content: &str, size: usize, lines: RangeInclusive<usize>, text: &str) {
        let passage = found(query, content, 0..content.len(), size).unwrap();
        assert_eq!(
            (passage.lines, passage.text.as_str()),
            (lines, text),
            "{query}"
        );
    }

    #[test]
    fn the_lines_with_the_most_of_the_query_are_shown() {
        check("b c", "a\nb\nx\nb\nc\n", 4, 4..=5, "b\nc");
        check("none", "\n\na\nb\n", 3, 3..=3, "a");
        check("a", "\r\na\r\n", 9, 2..=2, "a");
        check("数据", "无\n数据库\n", 4, 2..=2, "数据库");
        check(
            "word",
            "a long line with one word in the middle of it",
            12,
            1..=1,
            "…ne word in t…",
        );
        check("a", "a", 0, 1..=1, "…");
    }

    #[test]
    fn lines_are_counted_over_the_whole_text() {
        let passage = found("c", "a\nb\nc\nd\n", 4..8, 2).unwrap();
        assert_eq!(passage.lines, 3..=3);
        assert_eq!(found("a", "", 0..0, 9), None);
        assert_eq!(found("a", " \n ", 0..3, 9), None);
        assert_eq!(found("a", "数", 1..2, 9), None);
        assert_eq!(found("a", "abc", 7..9, 9), None);
    }

    proptest! {
        #[test]
        fn any_text_and_range_is_fine(
            content in "[a-c数\n é]{0,60}",
            start in 0_usize..80,
            length in 0_usize..80,
            size in 0_usize..20,
        ) {
            if let Some(passage) = found("a 数 é", &content, start..start + length, size) {
                prop_assert!(passage.text.chars().count() <= size + 2);
                prop_assert!(*passage.lines.end() <= content.lines().count());
            }
        }
    }
}
