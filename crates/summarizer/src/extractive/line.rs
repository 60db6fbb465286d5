//! Single lines: what may be quoted, how it is cleaned and where it is cut.

use std::borrow::Cow;

use epitome_core::stub;

/// Sign that a quoted text goes on.
pub(super) const ELLIPSIS: char = '…';

/// Whether a source line may stand in a bullet (decisions, section 4).
///
/// A label-like token or a stub could speak for another call and a fence could swallow what follows
/// it, so lines with any of them are counted by the caller and never quoted.
pub(super) fn is_quotable(line: &str) -> bool {
    let fence = |start: &str| start.starts_with("```") || start.starts_with("~~~");
    // Most lines begin with a letter, and few hold a bracket.
    let plain = line
        .as_bytes()
        .first()
        .is_some_and(u8::is_ascii_alphanumeric);
    (plain || !fence(line.trim_start()))
        && find_label(line).is_none()
        && !line.contains(stub::OPENING)
}

/// The lines of a text, without their ends.
pub(super) fn split(text: &str) -> Vec<&str> {
    let mut lines = Vec::with_capacity(text.len() / 20 + 1);
    let mut from = 0;
    for end in memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
        if end > from || end < text.len() {
            let line = &text[from..end];
            lines.push(line.strip_suffix('\r').unwrap_or(line));
        }
        from = end + 1;
    }
    lines
}

/// Position of the first label-like token, `[[12:` with optional spaces and any digits.
pub(super) fn find_label(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = memchr::memchr(b'[', &text.as_bytes()[from..]) {
        let at = from + found;
        if text.as_bytes().get(at + 1) != Some(&b'[') {
            from = at + 1;
            continue;
        }
        let inner = text[at + 2..].trim_start();
        let after = inner.trim_start_matches(char::is_numeric);
        if after.len() < inner.len() && after.trim_start().starts_with(':') {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

/// Breaks every label-like token visibly, so that only our own labels are labels.
pub(super) fn break_labels(text: &str) -> Cow<'_, str> {
    let Some(mut at) = find_label(text) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len() + 4);
    let mut rest = text;
    loop {
        out.push_str(&rest[..=at]);
        out.push(' ');
        rest = &rest[at + 1..];
        match find_label(rest) {
            Some(next) => at = next,
            None => break,
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Cleans a piece of source text into one line of at most `limit` characters.
///
/// Terminal escapes, control and direction characters go, runs of white space become one space,
/// and a text that is longer is cut behind a whole word and ends in an ellipsis. Reads no more of
/// `text` than it needs.
pub(super) fn clean(text: &str, limit: usize) -> Cow<'_, str> {
    let text = trim(text);
    let plain = plain_length(&text.as_bytes()[..text.len().min(limit)]);
    if plain == text.len() {
        return Cow::Borrowed(text);
    }
    if plain == limit && text.as_bytes()[..limit].is_ascii() {
        return Cow::Owned(cut(text[..limit].trim_end().to_owned(), limit));
    }
    Cow::Owned(rewrite(text, limit))
}

/// Cleans a text character by character.
fn rewrite(text: &str, limit: usize) -> String {
    let mut out = String::with_capacity(text.len().min(limit));
    let mut count = 0;
    let mut space = false;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            skip_escape(&mut chars);
            continue;
        }
        if c.is_whitespace() || (c.is_control() && c != '\u{7f}') {
            space = !out.is_empty();
            continue;
        }
        if is_invisible(c) {
            continue;
        }
        let width = 1 + usize::from(space);
        if count + width > limit {
            return cut(out, limit);
        }
        if space {
            out.push(' ');
            space = false;
        }
        out.push(c);
        count += width;
    }
    out
}

/// Whether a line holds nothing but white space.
pub(super) fn is_blank(line: &str) -> bool {
    // Most lines begin with a sign, or hold one behind their indentation.
    let filled = line
        .bytes()
        .find(|byte| *byte != b' ')
        .is_some_and(|byte| byte.is_ascii_graphic());
    !filled && line.trim_start().is_empty()
}

/// Number of characters of a text.
pub(super) fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.chars().count()
}

/// Takes white space off both ends; quick where they are ASCII.
pub(super) fn trim(text: &str) -> &str {
    let text = text.trim_ascii();
    let foreign = |byte: Option<&u8>| byte.is_some_and(|byte| !matches!(byte, b'!'..=b'~'));
    if foreign(text.as_bytes().first()) || foreign(text.as_bytes().last()) {
        return text.trim();
    }
    text
}

/// Length of the beginning that is printable ASCII with single spaces, or an ellipsis.
fn plain_length(bytes: &[u8]) -> usize {
    let mut before = 0;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if let Some(chunk) = bytes[at..].first_chunk::<16>()
            && before != b' '
            && is_plain(chunk)
        {
            before = chunk[15];
            at += 16;
            continue;
        }
        at += match byte {
            b'!'..=b'~' => 1,
            b' ' if before != b' ' => 1,
            0xe2 if bytes[at..].starts_with("…".as_bytes()) => 3,
            _ => break,
        };
        before = *byte;
    }
    at
}

/// Whether all bytes are printable ASCII, without two spaces in a row; looks at all of them at once.
fn is_plain(chunk: &[u8; 16]) -> bool {
    let odd = chunk.iter().fold(0, |odd, byte| {
        odd | u8::from(byte.wrapping_sub(b' ') > b'~' - b' ')
    });
    let double = chunk
        .iter()
        .zip(&chunk[1..])
        .fold(0, |double, (one, next)| {
            double | u8::from((*one | *next) == b' ')
        });
    odd | double == 0
}

/// Characters that show nothing, reorder what is shown or stand for lost bytes.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{7f}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffd}')
}

/// Skips what follows an escape character: a control sequence, a system command or one character.
fn skip_escape(chars: &mut std::str::Chars<'_>) {
    match chars.next() {
        Some('[') => {
            // The final byte of a control sequence ends it; anything else is taken as broken off.
            for c in chars.by_ref().take(64) {
                if ('\u{40}'..='\u{7e}').contains(&c) {
                    break;
                }
            }
        }
        Some(']') => {
            let ends = |c: char| c == '\u{7}' || c == '\u{1b}' || c == '\u{9c}';
            if chars.clone().take(2048).any(ends) {
                for c in chars.by_ref() {
                    if ends(c) {
                        break;
                    }
                }
            }
        }
        _ => {}
    }
}

/// Marks a cleaned text as cut: back to the end of a word where one is near, then an ellipsis.
fn cut(mut text: String, limit: usize) -> String {
    let in_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '.' | '-' | '\\');
    let tail = |text: &str| text.trim_end_matches(in_word).trim_end().len();
    let kept = tail(&text);
    // Scripts without spaces have no near end of a word: cut between characters.
    if kept > 0 && text.len() - kept <= 48 && text[kept..].is_ascii() {
        text.truncate(kept);
    }
    if text.chars().count() >= limit {
        text.pop();
        text.truncate(text.trim_end().len());
    }
    text.push(ELLIPSIS);
    text
}

/// Cuts a text that is already one line to `limit` characters.
pub(super) fn clip(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit || text.chars().count() <= limit {
        return Cow::Borrowed(text);
    }
    let end = text
        .char_indices()
        .nth(limit)
        .map_or(text.len(), |(at, _)| at);
    Cow::Owned(cut(text[..end].to_owned(), limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitting_equals_the_standard_lines() {
        for text in ["", "a", "a\n", "a\r\nb", "\n\n", "a\n\nb\n", "é\n😀"] {
            assert_eq!(split(text), text.lines().collect::<Vec<_>>(), "{text:?}");
        }
    }

    #[test]
    fn labels_stubs_and_fences_are_not_quotable() {
        let check = |line: &str, expected: bool| assert_eq!(is_quotable(line), expected, "{line}");
        check("plain [[text]] [1:2]", true);
        check("a [[1:read]] b", false);
        check("[[ 12 : x", false);
        check("[[[3:x]]]", false);
        check("[[٣:x]]", false);
        check("[[abc:x]]", true);
        check("  ```rust", false);
        check("~~~", false);
        check("a ``` b", true);
        check("12\t[Summarized, ref `t1`. Original kept: 1 line", false);
        check("[Summarized] ref `t1`", true);
    }

    #[test]
    fn labels_break_visibly() {
        let check = |text: &str, expected: &str| assert_eq!(break_labels(text), expected);
        check("a [[1:x]] [[2:y]]", "a [ [1:x]] [ [2:y]]");
        check("[[[1:x]]", "[[ [1:x]]");
        check("[[x]]", "[[x]]");
    }

    #[test]
    fn cleaning_makes_one_line() {
        let check = |text: &str, limit: usize, expected: &str| {
            let cleaned = clean(text, limit);
            assert_eq!(cleaned, expected);
            assert!(cleaned.chars().count() <= limit + 1);
        };
        check("  a\tb\r\n c  ", 20, "a b c");
        check("\u{1b}[1;31merror\u{1b}[0m: x", 20, "error: x");
        check("\u{1b}]0;title\u{7}text", 20, "text");
        check("\u{1b}]0;never closed", 30, "0;never closed");
        check("a\u{0}b\u{202e}c\u{fffd}d", 20, "a bcd");
        check("see src/parser/lexer.rs now", 14, "see…");
        check("ошибка в строке двадцать", 10, "ошибка в…");
        check("文件不存在请检查路径", 5, "文件不存…");
        check("😀😀😀😀", 3, "😀😀…");
    }
}
