//! Paragraphs, list items and headings of a document, without code, tables and directives.

use super::inline;

/// The markup a document is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Markup {
    Markdown,
    Restructured,
    AsciiDoc,
    Org,
    Plain,
}

impl Markup {
    /// The markup of a kind of file; where that says nothing, of a file name.
    pub(super) fn of(kind: &str, path: &str) -> Self {
        let extension = path.rsplit('.').next().unwrap_or_default();
        for name in [kind, extension] {
            match name.to_ascii_lowercase().as_str() {
                "markdown" | "md" | "mdx" | "html" | "htm" => return Self::Markdown,
                "restructuredtext" | "rst" | "rest" => return Self::Restructured,
                "asciidoc" | "adoc" | "asc" => return Self::AsciiDoc,
                "org" => return Self::Org,
                _ => {}
            }
        }
        Self::Plain
    }
}

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Heading,
    Paragraph,
    Item,
}

/// A block of text as a reader sees it, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) role: Role,
    pub(super) text: String,
}

/// Finds the blocks of a text in order.
pub(super) fn find(text: &str, markup: Markup) -> Vec<Block> {
    let mut reader = Reader {
        markup,
        blocks: Vec::new(),
        open: None,
        lines: 0,
        skipping: Skip::Nothing,
    };
    for line in text.lines() {
        reader.read(line);
    }
    reader.close();
    reader.blocks
}

/// What is left out until its end.
enum Skip<'a> {
    Nothing,
    /// Up to a line that is this fence or a longer one.
    Fence(&'a str),
    /// Up to a line that holds this.
    Until(&'static str),
    /// Lines that are indented or blank.
    Indented,
}

struct Reader<'a> {
    markup: Markup,
    blocks: Vec<Block>,
    /// The block that the next line may continue, with its lines so far.
    open: Option<Block>,
    lines: usize,
    skipping: Skip<'a>,
}

impl<'a> Reader<'a> {
    fn read(&mut self, line: &'a str) {
        if self.skip(line) {
            return;
        }
        let start = line.trim_start();
        let indent = line.len() - start.len();
        let start = start.trim_end();
        let is_prose =
            !start.is_empty() && !self.opens_code(start, indent) && !is_noise(start, self.markup);
        if !is_prose {
            self.close();
        } else if let Some(title) = heading(start, indent, self.markup) {
            self.close();
            self.push(Role::Heading, title);
            self.close();
        } else if self.is_underline(start) {
            if let Some(block) = &mut self.open {
                block.role = Role::Heading;
            }
            self.close();
        } else if is_rule(start) {
            self.close();
        } else if let Some(item) = item(start) {
            self.close();
            self.push(Role::Item, item);
        } else {
            self.continue_with(start.trim_start_matches(['>', ' ']));
        }
    }

    /// Whether the line belongs to what is left out.
    fn skip(&mut self, line: &str) -> bool {
        let trimmed = line.trim();
        let ends = match &self.skipping {
            Skip::Nothing => return false,
            Skip::Fence(fence) => {
                trimmed.starts_with(fence) && {
                    let mark = &fence[..1];
                    trimmed.trim_start_matches(mark).is_empty()
                }
            }
            Skip::Until(end) => contains_ignoring_case(trimmed, end),
            Skip::Indented => {
                if trimmed.is_empty() || line.starts_with([' ', '\t']) {
                    return true;
                }
                self.skipping = Skip::Nothing;
                return false;
            }
        };
        if ends {
            self.skipping = Skip::Nothing;
        }
        true
    }

    /// Whether the line opens something that is no prose; notes where that ends.
    fn opens_code(&mut self, start: &'a str, indent: usize) -> bool {
        let fence = |mark: &str, least: usize| {
            let length = start.len() - start.trim_start_matches(mark).len();
            (length >= least).then(|| &start[..length])
        };
        let opened = match self.markup {
            Markup::Markdown | Markup::Plain => fence("`", 3)
                .or_else(|| fence("~", 3))
                .map(Skip::Fence)
                .or_else(|| {
                    let comment = start.starts_with("<!--") && !start.contains("-->");
                    comment.then_some(Skip::Until("-->"))
                })
                .or_else(|| {
                    let block = ["<style", "<script"]
                        .into_iter()
                        .zip(["</style", "</script"]);
                    block
                        .into_iter()
                        .find(|(open, close)| start.starts_with(open) && !start.contains(close))
                        .map(|(_, close)| Skip::Until(close))
                }),
            Markup::AsciiDoc => ["-", ".", "+", "/"]
                .into_iter()
                .find_map(|mark| fence(mark, 4).filter(|fence| *fence == start))
                .or_else(|| (start == "|===").then_some(start))
                .map(Skip::Fence),
            Markup::Org => start
                .get(..8)
                .filter(|head| head.eq_ignore_ascii_case("#+begin_"))
                .map(|_| Skip::Until("#+end_"))
                .or_else(|| (start == ":PROPERTIES:").then_some(Skip::Until(":END:"))),
            Markup::Restructured => {
                (start.starts_with(".. ") || start == "..").then_some(Skip::Indented)
            }
        };
        // Indented text that continues nothing is code.
        let indented = indent >= 4 && self.open.is_none() && self.markup == Markup::Markdown;
        match opened {
            Some(skip) => {
                self.skipping = skip;
                true
            }
            None => indented,
        }
    }

    /// Whether the line underlines the one before it.
    fn is_underline(&self, start: &str) -> bool {
        let marks: &[u8] = match self.markup {
            Markup::Restructured => b"=-~^\"'*+#:.`_",
            Markup::Markdown | Markup::Plain => b"=-",
            Markup::AsciiDoc | Markup::Org => return false,
        };
        let first = start.as_bytes()[0];
        self.lines == 1
            && (start.len() >= 3 || first == b'=')
            && marks.contains(&first)
            && start.bytes().all(|byte| byte == first)
            && self
                .open
                .as_ref()
                .is_some_and(|open| open.role == Role::Paragraph)
    }

    fn push(&mut self, role: Role, line: &str) {
        let mut text = String::new();
        inline::append(line, &mut text);
        self.open = Some(Block { role, text });
        self.lines = 1;
    }

    fn continue_with(&mut self, line: &str) {
        match &mut self.open {
            Some(open) => {
                inline::append(line, &mut open.text);
                self.lines += 1;
            }
            None => self.push(Role::Paragraph, line),
        }
    }

    fn close(&mut self) {
        let Some(mut block) = self.open.take() else {
            return;
        };
        if self.markup == Markup::Restructured && block.text.ends_with("::") {
            block.text.pop();
            self.skipping = Skip::Indented;
        }
        if block.text.chars().any(char::is_alphanumeric) {
            self.blocks.push(block);
        }
    }
}

/// The title of a line that is a heading by itself.
fn heading(start: &str, indent: usize, markup: Markup) -> Option<&str> {
    let (mark, most) = match markup {
        Markup::Markdown | Markup::Plain => ('#', 6),
        Markup::AsciiDoc => ('=', 6),
        Markup::Org => ('*', 9),
        Markup::Restructured => return None,
    };
    let title = start.trim_start_matches(mark);
    let level = start.len() - title.len();
    let column = if markup == Markup::Org { 0 } else { 3 };
    let is_heading = (1..=most).contains(&level) && indent <= column && title.starts_with(' ');
    is_heading.then(|| title.trim().trim_end_matches(mark).trim_end())
}

/// The text of a list item.
fn item(start: &str) -> Option<&str> {
    if let Some(text) = ["- ", "* ", "+ ", "• ", ". ", "** "]
        .into_iter()
        .find_map(|mark| start.strip_prefix(mark))
    {
        let text = text.trim_start();
        // Boxes of task lists.
        return Some(
            ["[ ] ", "[x] ", "[X] "]
                .into_iter()
                .find_map(|box_| text.strip_prefix(box_))
                .unwrap_or(text),
        );
    }
    let digits = start.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &start[digits..];
    (1..=3)
        .contains(&digits)
        .then(|| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")))
        .flatten()
}

/// Whether a line is nothing but marks: a rule, an overline, the border of a table.
fn is_rule(start: &str) -> bool {
    start.len() >= 3 && !start.chars().any(char::is_alphanumeric)
}

/// Whether a line is no prose: a row of a table, a tag, a definition, an attribute, a directive.
fn is_noise(start: &str, markup: Markup) -> bool {
    let field = || {
        start.strip_prefix(':').is_some_and(|rest| {
            rest.find(':')
                .is_some_and(|end| end > 0 && !rest[..end].contains(' '))
        })
    };
    match markup {
        Markup::Markdown => {
            start.starts_with('|')
                || start.starts_with(":::")
                || (start.starts_with('<') && start.ends_with('>') && !start.contains("://"))
                || (start.starts_with('[') && start.contains("]: "))
                || start.starts_with("!!! ")
        }
        Markup::Restructured => field() || start.starts_with('|') || start.starts_with("+-"),
        Markup::AsciiDoc => {
            field()
                || (start.starts_with('[') && start.ends_with(']'))
                || start.starts_with("//")
                || start.starts_with("include::")
                || start.starts_with("image::")
                || (start.starts_with('.') && start.len() > 1 && !start.starts_with(". "))
        }
        Markup::Org => field() || start.starts_with("#+") || start.starts_with('|'),
        Markup::Plain => false,
    }
}

fn contains_ignoring_case(text: &str, ascii: &str) -> bool {
    text.as_bytes()
        .windows(ascii.len())
        .any(|window| window.eq_ignore_ascii_case(ascii.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(markup: Markup, text: &str, expected: &[&str]) {
        let found: Vec<String> = find(text, markup)
            .into_iter()
            .map(|block| {
                let mark = match block.role {
                    Role::Heading => "# ",
                    Role::Paragraph => "",
                    Role::Item => "- ",
                };
                format!("{mark}{}", block.text)
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn markdown_gives_its_prose() {
        let check = |text, expected: &[&str]| check(Markup::Markdown, text, expected);
        check(
            "# One #\ntext\nmore\n\n## Two\n",
            &["# One", "text more", "# Two"],
        );
        check("One\n===\nText.\n", &["# One", "Text."]);
        check("a\n```rust\n# no\n```\nb\n", &["a", "b"]);
        check("````\n```\n````\nb\n", &["b"]);
        check("a\n\n    code\n\nb\n", &["a", "b"]);
        check(
            "- one\n  more\n- [x] two\n1. three\n",
            &["- one more", "- two", "- three"],
        );
        check("| a | b |\n|---|---|\ntext\n", &["text"]);
        check("<div align=\"x\">\ntext\n</div>\n", &["text"]);
        check("<!-- a\nb -->\ntext\n\n---\n[x]: y\n", &["text"]);
        check("> quoted\n> text\n", &["quoted text"]);
        check("```\nnever closed\n", &[]);
    }

    #[test]
    fn other_markups_give_their_prose() {
        check(
            Markup::Restructured,
            "====\nOne\n====\n\n:date: x\n\nText::\n\n    code\n\n.. note:: x\n   y\n\nMore.\n",
            &["# One", "Text:", "More."],
        );
        check(
            Markup::AsciiDoc,
            "= One\n:toc: left\n\nText.\n\n[source,sh]\n----\ncode\n----\n* item\n",
            &["# One", "Text.", "- item"],
        );
        check(
            Markup::Org,
            "#+TITLE: x\n* One\n:PROPERTIES:\n:ID: 1\n:END:\nText.\n#+BEGIN_SRC sh\ncode\n#+END_SRC\n- item\n",
            &["# One", "Text.", "- item"],
        );
        check(
            Markup::Plain,
            "Title\n=====\n\na\nb\n\n\n* c\n",
            &["# Title", "a b", "- c"],
        );
    }

    #[test]
    fn the_kind_names_the_markup() {
        let check = |kind, path, expected| assert_eq!(Markup::of(kind, path), expected);
        check("markdown", "a/b", Markup::Markdown);
        check("html", "a/b.html", Markup::Markdown);
        check("text", "a/b.txt", Markup::Plain);
        check("", "a/b.rst", Markup::Restructured);
        check("asciidoc", "a", Markup::AsciiDoc);
        check("org", "a", Markup::Org);
    }
}
