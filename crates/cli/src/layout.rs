//! Text for people: nothing that a terminal obeys, no line that is too long.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Columns that texts for people keep to.
pub(crate) const COLUMNS: usize = 80;

/// Escapes what a terminal would obey or show in another order: control characters but line end
/// and tab, and the marks that turn the direction of text.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_unsafe(character) {
            // Writing to a String cannot fail.
            let _ = write!(escaped, "\\u{{{:x}}}", u32::from(character));
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

fn is_unsafe(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        other => other.is_control(),
    }
}

/// Escapes and keeps on one line what names a thing: a title, a path, a tool.
pub(crate) fn one_line(text: &str) -> String {
    escape(text).replace(['\n', '\t'], " ")
}

/// Cuts a line that is too long, visibly.
pub(crate) fn fitted(line: &str, columns: usize) -> String {
    if line.chars().count() <= columns {
        return line.trim_end().to_owned();
    }
    let head: String = line.chars().take(columns.saturating_sub(1)).collect();
    format!("{}…", head.trim_end())
}

/// A row of a report: a label, then pieces that go on a line of their own where the row is full.
pub(crate) fn row(label: &str, pieces: &[String], separator: &str) -> String {
    const INDENT: usize = 12;
    let mut text = format!("{label:<INDENT$}");
    let mut width = INDENT;
    for (index, piece) in pieces.iter().enumerate() {
        let length = piece.chars().count();
        if index > 0 && width + separator.len() + length > COLUMNS {
            text.push_str(separator.trim_end());
            let _ = write!(text, "\n{:INDENT$}", "");
            width = INDENT;
        } else if index > 0 {
            text.push_str(separator);
            width += separator.len();
        }
        text.push_str(piece);
        width += length;
    }
    text
}

/// Breaks a text between words where a line is full; what stands between backticks stays whole,
/// since it is there to be copied.
pub(crate) fn wrapped(text: &str, indent: usize) -> String {
    let mut wrapped = String::with_capacity(text.len() + 16);
    let mut width = 0;
    let mut quoted = false;
    for (index, word) in text
        .split(|character| {
            quoted ^= character == '`';
            character == ' ' && !quoted
        })
        .enumerate()
    {
        let length = word.chars().count();
        if index > 0 && width + 1 + length > COLUMNS {
            // Writing to a String cannot fail.
            let _ = write!(wrapped, "\n{:indent$}", "");
            width = indent;
        } else if index > 0 {
            wrapped.push(' ');
            width += 1;
        }
        wrapped.push_str(word);
        width += length;
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_what_a_terminal_obeys() {
        let check = |text: &str, expected: &str| assert_eq!(escape(text), expected);
        check("plain\ttext\nüñ漢", "plain\ttext\nüñ漢");
        check("\u{1b}[31mred", "\\u{1b}[31mred");
        check("a\rb\u{7}\u{9b}", "a\\u{d}b\\u{7}\\u{9b}");
        check("\u{202e}txt", "\\u{202e}txt");
        assert_eq!(one_line("a\nb\tc\r"), "a b c\\u{d}");
    }

    #[test]
    fn helps_break_between_words() {
        assert_eq!(wrapped("help: short.", 6), "help: short.");
        let long = format!(
            "help: {}. `{} b` c",
            "word ".repeat(20).trim_end(),
            "a".repeat(75)
        );
        let lines: Vec<String> = wrapped(&long, 6).lines().map(str::to_owned).collect();
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert!(lines[0].len() <= COLUMNS && lines[1].starts_with("      word"));
        assert!(lines[2].ends_with(" b`"), "{lines:?}");
    }

    #[test]
    fn rows_break_between_pieces() {
        let pieces: Vec<String> = (0..9).map(|n| format!("{n} of the pieces")).collect();
        let text = row("calls", &pieces, ", ");
        assert!(text.lines().count() > 1);
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS));
        assert_eq!(
            text.lines()
                .map(str::trim)
                .collect::<Vec<_>>()
                .join(" ")
                .replace("calls       ", ""),
            pieces.join(", ")
        );
        assert_eq!(
            row("a", &["x".repeat(90)], " "),
            format!("a{:11}{}", "", "x".repeat(90))
        );
    }
}
