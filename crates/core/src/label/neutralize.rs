//! Breaks label-like text in tool output, so that a result cannot speak for another call.

use std::borrow::Cow;

use super::token::find_opener;
use crate::text::{trim, trim_start};

/// The line that parts calls in what a summarizer reads.
const DELIMITER: &str = "---";

/// Breaks label-like tokens and delimiter lines visibly, with a backslash: `[\[1:read]]`, `\---`.
///
/// Afterwards no line of the text passes [`contains_label`](super::contains_label), and none is a
/// delimiter. Texts without either come back unchanged, without a copy.
///
/// ```
/// use epitome_core::label::neutralize_labels;
/// assert_eq!(neutralize_labels("a [[1:read]]\n---\n"), "a [\\[1:read]]\n\\---\n");
/// ```
pub fn neutralize_labels(text: &str) -> Cow<'_, str> {
    if !text.contains("[[") && !text.contains(DELIMITER) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut copied = 0;
    for at in break_points(text) {
        out.push_str(&text[copied..at]);
        out.push('\\');
        copied = at;
    }
    if out.is_empty() {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Offsets that get a backslash, ascending.
fn break_points(text: &str) -> Vec<usize> {
    let mut points = Vec::new();
    let mut from = 0;
    while let Some(found) = find_opener(&text[from..]) {
        from += found + 1;
        points.push(from);
    }
    let mut line_start = 0;
    for line in text.split('\n') {
        let start = trim_start(line);
        if start.starts_with(DELIMITER) && trim(start) == DELIMITER {
            points.push(line_start + line.len() - start.len());
        }
        line_start += line.len() + 1;
    }
    points.sort_unstable();
    points
}
