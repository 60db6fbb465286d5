//! Caps on recovered text: its head, its pages, a range of its lines.
//!
//! Lines end at a line feed only. A line feed at the very end of a text closes its last line and
//! opens no further one.

/// How much of a text is shown at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Lines at most.
    pub lines: usize,
    /// Bytes of UTF-8 at most, line feeds between lines included.
    pub bytes: usize,
}

/// Limits of one answer of the recovery tool, condense specification 9.
pub const RECOVERY_LIMITS: Limits = Limits {
    lines: 2000,
    bytes: 51_200,
};

/// Which limit cut a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CutBy {
    /// The number of lines, or a text whose closing line feed alone is too much.
    Lines,
    /// The number of bytes.
    Bytes,
}

/// The head of a text, in whole lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head<'a> {
    /// The lines that fit, without the last one's line feed where something was cut.
    pub content: &'a str,
    /// What cut the text; `None` where it is whole.
    pub cut_by: Option<CutBy>,
    /// Lines of the content.
    pub lines: usize,
    /// Lines of the text.
    pub total_lines: usize,
}

/// Counts the lines of a text.
pub fn count_lines(text: &str) -> usize {
    let feeds = text.bytes().filter(|&b| b == b'\n').count();
    feeds + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// Cuts a text to its head, whole lines only, as the reference system does.
///
/// A first line that is over the limit of bytes leaves nothing; [`read_page`] shows a part of it.
pub fn truncate_head(text: &str, limits: Limits) -> Head<'_> {
    let total_lines = count_lines(text);
    if total_lines <= limits.lines && text.len() <= limits.bytes {
        return Head {
            content: text,
            cut_by: None,
            lines: total_lines,
            total_lines,
        };
    }
    let (content, lines) = whole_lines(text, limits);
    let cut_by_lines = lines == limits.lines || lines == total_lines;
    Head {
        content,
        cut_by: Some(if cut_by_lines {
            CutBy::Lines
        } else {
            CutBy::Bytes
        }),
        lines,
        total_lines,
    }
}

/// The lines at the start of a text that fit, without the last one's line feed, and their number.
fn whole_lines(text: &str, limits: Limits) -> (&str, usize) {
    let mut end = 0;
    let mut next = 0;
    let mut lines = 0;
    for line in text.split_inclusive('\n').take(limits.lines) {
        let line_end = next + line.strip_suffix('\n').unwrap_or(line).len();
        if line_end > limits.bytes {
            break;
        }
        end = line_end;
        next += line.len();
        lines += 1;
    }
    (&text[..end], lines)
}

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Byte inside the line, from 0.
    pub byte: usize,
}

impl Position {
    /// The start of a text.
    pub const START: Self = Self { line: 1, byte: 0 };
}

/// One page of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<'a> {
    /// What fits: whole lines, or a part of one line that is too long for any page.
    pub content: &'a str,
    /// Where the page starts.
    pub start: Position,
    /// Where the next page starts; `None` at the end of the text.
    pub next: Option<Position>,
    /// Lines of the text.
    pub total_lines: usize,
}

/// Reads a page of a text.
///
/// Pages read one after another are the whole text: put together with a line feed where the next
/// one starts at byte 0, with nothing where it starts inside a line. A place inside a character
/// is moved to its start, one behind the text is its end. Every page gets further, even where not
/// a single character fits.
///
/// ```
/// use epitome_core::truncate::{Limits, Position, read_page};
/// let limits = Limits { lines: 2, bytes: 100 };
/// let page = read_page("a\nb\nc\n", Position::START, limits);
/// assert_eq!((page.content, page.next), ("a\nb", Some(Position { line: 3, byte: 0 })));
/// assert_eq!(read_page("a\nb\nc\n", Position { line: 3, byte: 0 }, limits).content, "c\n");
/// ```
pub fn read_page(text: &str, from: Position, limits: Limits) -> Page<'_> {
    let line_start = line_offset(text, from.line);
    let line = first_line(&text[line_start..]);
    let skipped = line.floor_char_boundary(from.byte);
    let start = Position {
        line: from.line.max(1),
        byte: skipped,
    };
    let rest = &text[line_start + skipped..];
    let (content, lines) = whole_lines(rest, limits);
    let (content, next) = if lines == 0 {
        let end = window_end(first_line(rest), limits.bytes);
        let byte = skipped + end;
        (&rest[..end], Position { byte, ..start })
    } else {
        let line = start.line + lines;
        (content, Position { line, byte: 0 })
    };
    // A line feed that closes the text belongs to its last page, limit or not.
    let at_end = matches!(&rest[content.len()..], "" | "\n");
    Page {
        content: if at_end { rest } else { content },
        start,
        next: (!at_end).then_some(next),
        total_lines: count_lines(text),
    }
}

/// End of the part of a line that fits, at least one character.
fn window_end(line: &str, bytes: usize) -> usize {
    match line.floor_char_boundary(bytes) {
        0 => line.chars().next().map_or(0, char::len_utf8),
        end => end,
    }
}

fn first_line(text: &str) -> &str {
    text.split_once('\n').map_or(text, |(line, _)| line)
}

/// Takes the lines from `first` to `last`, both counted from 1, with their line feeds.
///
/// Lines that do not exist are left out.
///
/// ```
/// use epitome_core::truncate::select_lines;
/// assert_eq!(select_lines("a\nb\nc", 2, 9), "b\nc");
/// ```
pub fn select_lines(text: &str, first: usize, last: usize) -> &str {
    let start = line_offset(text, first);
    let count = last.saturating_add(1).saturating_sub(first.max(1));
    let rest = &text[start..];
    &rest[..line_offset(rest, count.saturating_add(1))]
}

/// Offset at which a line starts, counted from 1; the end of the text for one behind it.
fn line_offset(text: &str, line: usize) -> usize {
    text.split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum()
}

#[cfg(test)]
mod tests;
