//! Text as a reader sees it: inline markup goes, words stay.

/// Appends a line to a text, one space between them, without inline markup: links and images by
/// their text, `**`, tags and footnote marks not at all. Code spans stay as they are.
pub(super) fn append(line: &str, out: &mut String) {
    let start = out.len();
    if start > 0 {
        out.push(' ');
    }
    let line = line.trim();
    let mut at = 0;
    while let Some(found) = line.as_bytes()[at..].iter().position(|b| is_special(*b)) {
        let here = at + found;
        out.push_str(&line[at..here]);
        let rest = &line[here..];
        at = here + take(rest, out);
    }
    out.push_str(&line[at..]);
    while out.len() > start && out.ends_with(' ') {
        out.pop();
    }
}

/// Whether a byte may start markup or a space; 0xC2 starts the space that does not break.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'[' | b'!' | b'*' | b'<' | b'`' | b'\t' | b' ' | 0xc2)
}

/// Handles the markup at the start of a text; returns how many bytes it took, at least one.
fn take(rest: &str, out: &mut String) -> usize {
    let first = rest.chars().next().map_or(1, char::len_utf8);
    match rest.as_bytes()[0] {
        b'`' => {
            let ticks = rest.len() - rest.trim_start_matches('`').len();
            let end = rest[ticks..]
                .find(&rest[..ticks])
                .map_or(ticks, |end| end + 2 * ticks);
            out.push_str(&rest[..end]);
            end
        }
        b'!' if rest.starts_with("![") => {
            link(&rest[1..]).map_or_else(|| keep(rest, 1, out), |(_, length)| length + 1)
        }
        b'[' => match link(rest) {
            Some((text, length)) => {
                append_text(text, out);
                length
            }
            None => keep(rest, 1, out),
        },
        b'*' if rest.starts_with("**") => 2,
        b'<' => match tag(rest) {
            Some((text, length)) => {
                out.push_str(text);
                length
            }
            None => keep(rest, 1, out),
        },
        b' ' | b'\t' | 0xc2 if rest.starts_with([' ', '\t', '\u{a0}']) => {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
            first
        }
        _ => keep(rest, first, out),
    }
}

/// Appends the text of a link, whose own markup goes too, one level deep.
fn append_text(text: &str, out: &mut String) {
    if text.starts_with("![") {
        return;
    }
    out.extend(text.chars().filter(|c| !matches!(c, '*')));
}

fn keep(rest: &str, length: usize, out: &mut String) -> usize {
    out.push_str(&rest[..length]);
    length
}

/// The text and length of a link at the start: `[text](target)`, `[text][ref]`, `[[target|text]]`,
/// `[[target][text]]`, `[^note]`.
fn link(rest: &str) -> Option<(&str, usize)> {
    if let Some(inner) = rest.strip_prefix("[[") {
        let end = inner.find("]]").filter(|end| *end < 400)?;
        let text = inner[..end].rsplit(['|', '[']).next()?;
        return Some((text.trim_end_matches(']'), end + 4));
    }
    let close = closing(rest, b'[', b']')?;
    let text = &rest[1..close];
    if text.starts_with('^') {
        return Some(("", close + 1));
    }
    let after = &rest[close + 1..];
    if after.starts_with('(') {
        let end = closing(after, b'(', b')')?;
        return Some((text, close + 1 + end + 1));
    }
    if after.starts_with('[') {
        let end = closing(after, b'[', b']')?;
        return Some((text, close + 1 + end + 1));
    }
    None
}

/// Offset of the bracket that closes the one at the start, not too far away.
fn closing(text: &str, open: u8, close: u8) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().take(800) {
        if byte == open {
            depth += 1;
        } else if byte == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// What stays of a tag at the start, and its length: the address of `<https://…>`, else nothing.
fn tag(rest: &str) -> Option<(&str, usize)> {
    let opens = rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!'));
    let end = rest.find('>').filter(|end| opens && *end < 300)?;
    let inner = &rest[1..end];
    let is_address = inner.contains("://") && !inner.contains(' ');
    Some((if is_address { inner } else { "" }, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_markup_goes_and_words_stay() {
        let check = |line: &str, expected: &str| {
            let mut out = String::new();
            append(line, &mut out);
            assert_eq!(out, expected, "{line}");
        };
        check("plain  text\twith   gaps ", "plain text with gaps");
        check("see [the list](a (b).md), now", "see the list, now");
        check("see [the list][1] and [x]", "see the list and [x]");
        check("![alt](x.png) after", "after");
        check("[![badge](b.svg)](c) after", "after");
        check("[[page|words]] and [[org][text]]", "words and text");
        check("a note[^1] here", "a note here");
        check("**bold** and *one*", "bold and *one*");
        check(
            "`a[1](2)` stays, ``b`c`` too",
            "`a[1](2)` stays, ``b`c`` too",
        );
        check("an open ` tick", "an open ` tick");
        check(
            "<b>bold</b> at <https://x.example>",
            "bold at https://x.example",
        );
        check("a < b and c > d", "a < b and c > d");
        check("[ never closed", "[ never closed");
        check("汉字\u{a0}与[链接](x)。", "汉字 与链接。");
    }
}
