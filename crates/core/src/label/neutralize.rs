//! Breaks label-like text in tool output, so that a result cannot speak for another call.

use std::borrow::Cow;

use super::token::find_opener;
use crate::text::trim;

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
    let mut out = String::new();
    let mut copied = 0;
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        if line.contains(DELIMITER) && trim(line) == DELIMITER {
            let at = line_start + line.len() - crate::text::trim_start(line).len();
            break_at(text, &mut copied, at, &mut out);
        }
        let mut from = 0;
        while let Some(found) = find_opener(&line[from..]) {
            let inner = from + found + 1;
            break_at(text, &mut copied, line_start + inner, &mut out);
            from = inner;
        }
        line_start += line.len();
    }
    if copied == 0 && out.is_empty() {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Copies what stands before `at`, then a backslash.
fn break_at(text: &str, copied: &mut usize, at: usize, out: &mut String) {
    out.push_str(&text[*copied..at]);
    out.push('\\');
    *copied = at;
}
