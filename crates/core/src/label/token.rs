//! Recognizes labels and what looks like one.

use crate::text::trim_start;

/// A label-like token at the start of some text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// Its number; `None` where it has more digits than any batch has calls.
    pub number: Option<usize>,
    /// What stands behind the colon.
    pub name: &'a str,
    /// Its length in bytes, brackets included.
    pub len: usize,
    /// Whether it is a label of the format, not only something alike.
    pub well_formed: bool,
}

/// An ill-formed token with a longer name than this is taken for text.
const LONGEST_LOOSE_NAME: usize = 80;

/// Whether a line holds a label or the start of something that looks like one: two brackets,
/// digits and a colon, white space between them allowed.
///
/// Wider than what [`substitute_labels`](super::substitute_labels) removes: a line that passes can
/// be cut, joined or quoted anywhere without becoming a label.
///
/// ```
/// use epitome_core::label::contains_label;
/// assert!(contains_label("see [[1:read]]"));
/// assert!(contains_label("see [[ 1 : read"));
/// assert!(!contains_label("argv[1] and m[[0, 1]]"));
/// ```
pub fn contains_label(line: &str) -> bool {
    find_opener(line).is_some()
}

/// Offset of the first opener of a label-like token.
pub(super) fn find_opener(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = text[from..].find("[[") {
        let at = from + found;
        if opener_len(&text[at..]).is_some() {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

/// The first token of a line, with its offset.
pub(super) fn find_token(line: &str) -> Option<(usize, Token<'_>)> {
    let mut from = 0;
    while let Some(found) = find_opener(&line[from..]) {
        let at = from + found;
        if let Some(token) = token_at(&line[at..]) {
            return Some((at, token));
        }
        from = at + 1;
    }
    None
}

/// The token that a text starts with.
pub(super) fn token_at(text: &str) -> Option<Token<'_>> {
    let opener = opener_len(text)?;
    let digits = text[2..opener - 1].trim_matches(crate::text::is_white_space);
    let body = &text[opener..];
    let first_bracket = body.find(']')?;
    let compact = digits.len() + 3 == opener;
    let closes = body[first_bracket..].starts_with("]]");
    let (name, well_formed) = if compact && closes && first_bracket > 0 {
        (&body[..first_bracket], true)
    } else {
        (loose_name(body)?, false)
    };
    Some(Token {
        number: digits.parse().ok(),
        name,
        len: opener + name.len() + 2,
        well_formed,
    })
}

/// Name of an ill-formed token: short, closed on the same line, without an opening bracket.
fn loose_name(body: &str) -> Option<&str> {
    let name = &body[..body.find("]]")?];
    let short = name.len() <= LONGEST_LOOSE_NAME;
    (short && !name.contains(['[', '\n'])).then_some(name)
}

/// Length of `[[`, digits and `:`, white space around the digits included.
fn opener_len(text: &str) -> Option<usize> {
    let start = trim_blanks(text.strip_prefix("[[")?);
    let rest = start.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == start.len() {
        return None;
    }
    let rest = trim_blanks(rest).strip_prefix(':')?;
    Some(text.len() - rest.len())
}

/// Removes white space of the line at the start, but no line feed.
fn trim_blanks(text: &str) -> &str {
    let line = text.split_once('\n').map_or(text, |(line, _)| line);
    &text[line.len() - trim_start(line).len()..]
}
