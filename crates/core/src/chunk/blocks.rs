//! The blocks of a text: headings, and what stands between blank lines.

use std::ops::Range;

use super::Markup;
use super::heading::{self, Heading};
use crate::front_matter;

/// A run of lines that belong together. It starts at a line start and ends behind its last
/// character that is not blank.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) range: Range<usize>,
    /// Present when the block is a heading.
    pub(super) heading: Option<Heading>,
}

/// A line: where it starts, ends without its line end, and where the next one starts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
    pub(super) next: usize,
}

impl<'a> Line<'a> {
    /// The line that starts at this offset; `None` at the end of the text.
    pub(super) fn at(text: &'a str, start: usize) -> Option<Self> {
        let rest = &text[start..];
        if rest.is_empty() {
            return None;
        }
        let length = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |end| end + 1);
        Some(Self {
            text: rest[..length].trim_end(),
            start,
            next: start + length,
        })
    }

    /// End of what is not blank.
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Iterates over the blocks of a text.
pub(super) struct Blocks<'a> {
    text: &'a str,
    markup: Markup,
    at: usize,
    /// Underline styles of reStructuredText in the order in which they came up.
    styles: Vec<(char, heading::Overline)>,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(text: &'a str, markup: Markup) -> Self {
        Self {
            text,
            markup,
            at: 0,
            styles: Vec::new(),
        }
    }

    /// Front matter is one block: what looks like a heading in it is none.
    fn front_matter(&mut self) -> Option<Block> {
        if self.at > 0 || self.markup != Markup::Markdown {
            return None;
        }
        let length = front_matter::read(self.text)?.length;
        self.at = length;
        Some(Block {
            range: 0..self.text[..length].trim_end().len(),
            heading: None,
        })
    }

    /// The first line from here on that is not blank.
    fn next_line(&mut self) -> Option<Line<'a>> {
        loop {
            let line = Line::at(self.text, self.at)?;
            if !line.text.is_empty() {
                return Some(line);
            }
            self.at = line.next;
        }
    }

    /// Goes on to the end of the paragraph, or of the fence that it opens.
    fn paragraph(&mut self, first: Line<'a>) -> Block {
        let mut fence: Option<Fence<'a>> = None;
        let mut end = first.start;
        let mut line = Some(first);
        while let Some(current) = line {
            match fence {
                Some(open) if open.closes(current.text) => fence = None,
                Some(_) => {}
                None if current.text.is_empty() => break,
                None if current.start > first.start && self.is_heading(current) => break,
                None => fence = Fence::open(current.text, self.markup),
            }
            if !current.text.is_empty() {
                end = current.end();
            }
            self.at = current.next;
            line = Line::at(self.text, self.at);
        }
        Block {
            range: first.start..end,
            heading: None,
        }
    }

    /// Whether a one-line heading interrupts a paragraph here.
    fn is_heading(&self, line: Line<'a>) -> bool {
        heading::of_line(line.text, self.markup).is_some()
    }
}

impl Iterator for Blocks<'_> {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        if let Some(block) = self.front_matter() {
            return Some(block);
        }
        let line = self.next_line()?;
        let found = heading::of_line(line.text, self.markup)
            .map(|heading| (heading, line.end(), line.next))
            .or_else(|| heading::of_lines(self.text, line, self.markup, &mut self.styles));
        if let Some((heading, end, next)) = found {
            self.at = next;
            return Some(Block {
                range: line.start..end,
                heading: Some(heading),
            });
        }
        Some(self.paragraph(line))
    }
}

/// An open fence: inside it nothing is a heading and blank lines part nothing.
#[derive(Debug, Clone, Copy)]
enum Fence<'a> {
    /// Ends at a line of at least so many of this character, and nothing else.
    Run(char, usize),
    /// Ends at this line.
    Line(&'a str),
    /// Ends at `#+end_` and this name, in any case.
    Org(&'a str),
}

impl<'a> Fence<'a> {
    fn open(line: &'a str, markup: Markup) -> Option<Self> {
        let line = line.trim_start();
        match markup {
            Markup::Markdown => {
                let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
                let rest = line.trim_start_matches(mark);
                let length = line.len() - rest.len();
                // A run of backticks with another one behind it is code within a line.
                let opens = length >= 3 && !(mark == '`' && rest.contains('`'));
                opens.then_some(Self::Run(mark, length))
            }
            Markup::AsciiDoc => {
                let mark = line.chars().next()?;
                let delimiter =
                    matches!(mark, '-' | '.' | '+' | '/') && line.chars().all(|c| c == mark);
                let long = line.len() >= 4;
                if line.starts_with("```") {
                    Some(Self::Line("```"))
                } else {
                    (delimiter && long).then_some(Self::Line(line))
                }
            }
            Markup::Org => {
                let name = strip_prefix_any_case(line, "#+begin_")?;
                Some(Self::Org(name.split_whitespace().next().unwrap_or("")))
            }
            Markup::Plain | Markup::ReStructuredText | Markup::Code => None,
        }
    }

    fn closes(self, line: &str) -> bool {
        let line = line.trim();
        match self {
            Self::Run(mark, length) => line.len() >= length && line.chars().all(|c| c == mark),
            Self::Line(end) => line == end,
            Self::Org(name) => strip_prefix_any_case(line, "#+end_")
                .is_some_and(|end| end.eq_ignore_ascii_case(name)),
        }
    }
}

/// What stands behind a prefix of ASCII letters in any case.
pub(super) fn strip_prefix_any_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}
