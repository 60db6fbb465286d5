//! Source text: declarations of code, sections of configuration, headings of prose.

use super::findings::Findings;
use super::line::{is_quotable, trim};

/// What a word in front of a declaration is.
enum Word {
    /// May stand in front of a keyword: `pub`, `static`.
    Modifier,
    /// A modifier that makes a name visible outside.
    Exporter,
    /// Opens a declaration: `fn`, `class`.
    Keyword,
    /// Declares a value, which counts only when it is exported or a function.
    Value,
}

fn word(word: &str) -> Option<Word> {
    Some(match word {
        "pub" | "export" => Word::Exporter,
        "default" | "async" | "static" | "public" | "private" | "protected" | "internal"
        | "abstract" | "final" | "unsafe" | "extern" | "inline" | "virtual" | "override"
        | "declare" | "sealed" | "partial" | "open" | "data" | "suspend" | "local" | "native"
        | "synchronized" => Word::Modifier,
        "fn" | "def" | "class" | "struct" | "interface" | "type" | "func" | "impl" | "trait"
        | "enum" | "module" | "namespace" | "function" | "union" | "record" | "protocol"
        | "extension" | "macro_rules!" | "defp" | "defmodule" | "object" | "sub" | "proc"
        | "message" | "service" | "package" => Word::Keyword,
        "const" | "let" | "var" | "val" => Word::Value,
        _ => return None,
    })
}

/// The heading of a declaration, `None` for a line that declares nothing.
///
/// `pub fn parse(text: &str) -> Ast {` gives `fn parse(text: &str) -> Ast`.
pub(crate) fn declaration(line: &str) -> Option<&str> {
    let start = line.trim_ascii_start();
    // Every word that may open a declaration is in small letters.
    if !start
        .as_bytes()
        .first()
        .is_some_and(|b| b.is_ascii_lowercase() || !b.is_ascii())
    {
        return None;
    }
    let mut rest = trim(start);
    if rest.len() < 4 || rest.ends_with("*/") {
        return None;
    }
    let mut exported = false;
    loop {
        let bytes = rest.as_bytes();
        let end = bytes
            .iter()
            .position(|b| !(b.is_ascii_lowercase() || matches!(b, b'_' | b'!')))?;
        let after = &rest[end..];
        match word(&rest[..end])? {
            Word::Exporter | Word::Modifier if !after.starts_with([' ', '\t', '(']) => return None,
            Word::Exporter if after.starts_with('(') => {
                exported = true;
                rest = after[after.find(')')? + 1..].trim_start();
            }
            Word::Exporter => {
                exported = true;
                rest = after.trim_start();
            }
            Word::Modifier => rest = after.trim_start(),
            Word::Keyword => return names_something(after).then(|| heading(rest)),
            Word::Value => {
                let function = rest.contains("=> {")
                    || rest.contains(") =>")
                    || rest.contains("= function")
                    || after.trim_start().starts_with("fn ");
                return (exported || function).then(|| heading(rest));
            }
        }
    }
}

/// Whether a name, a receiver or type parameters follow a keyword.
fn names_something(after: &str) -> bool {
    let trimmed = after.trim_start();
    let spaced = trimmed.len() < after.len() || after.starts_with(['<', '(']);
    spaced
        && trimmed
            .starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '(' | '<' | '*' | '$'))
        && !trimmed.contains(" is ")
        && !trimmed.ends_with('.')
}

/// A declaration without its body.
fn heading(text: &str) -> &str {
    let end = text.find(['{', ';']).unwrap_or(text.len());
    let end = if end < 4 { text.len() } else { end };
    let text = &text[..end];
    let text = text.find(" = ").map_or(text, |at| &text[..at]);
    text.trim_end()
        .trim_end_matches(" where")
        .trim_end_matches("=>")
        .trim_end()
}

/// The name that a heading declares, with its keyword: `fn parse`.
pub(crate) fn short(heading: &str) -> &str {
    let mut from = 0;
    // The receiver of a method stands in front of its name.
    if heading.starts_with("func (") {
        from = heading.find(')').map_or(0, |at| at + 1);
    }
    let end = heading[from..]
        .find(['(', '<', ':', '='])
        .map_or(heading.len(), |at| from + at);
    heading[..end].trim_end().trim_end_matches(',')
}

/// A heading of prose or a section of configuration.
pub(crate) fn section(line: &str) -> Option<&str> {
    if line.starts_with('#') {
        let title = line.trim_start_matches('#');
        let is_title = title.starts_with(' ') && line.len() - title.len() <= 4 && title.len() > 2;
        return is_title.then_some(line);
    }
    let table = line.starts_with('[') && line.trim_end().ends_with(']') && line.len() < 80;
    table.then_some(line)
}

/// A top-level key of configuration: `name:` at the start of a line.
pub(crate) fn key(line: &str) -> Option<&str> {
    let bytes = line.as_bytes();
    let end = bytes
        .iter()
        .take(40)
        .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.')))?;
    let ends = matches!(bytes.get(end + 1), None | Some(b' '));
    (end > 0 && bytes[end] == b':' && ends).then_some(line)
}

/// Reads source text: declarations, headings of prose or keys of configuration as quotes.
pub(super) fn read<'a>(lines: &[&'a str], findings: &mut Findings<'a>) {
    let mut declared: Vec<&str> = Vec::new();
    let mut sections: Vec<&str> = Vec::new();
    let mut keys: Vec<&str> = Vec::new();
    let mut subsections = 0_usize;
    let mut first = None;
    let mut fenced = false;
    quote_front_matter(lines, findings);
    for line in lines.iter().copied() {
        let start = line.trim_start();
        if first.is_none() && start.len() > 3 && start.chars().any(char::is_alphanumeric) {
            first = Some(line);
        }
        if declared.len() < 200
            && let Some(heading) = declaration(start)
        {
            declared.push(heading);
            continue;
        }
        fenced ^= start.starts_with("```");
        if !fenced && sections.len() < 80 && start.len() == line.len() {
            if let Some(title) = section(line) {
                subsections += usize::from(title.starts_with("##"));
                sections.push(title);
            } else if keys.len() < 60 {
                keys.extend(key(line));
            }
        }
    }
    // Prose may hold examples of code; code holds no headings of the second level.
    let prose = subsections >= 2;
    if !prose && (declared.len() >= 2 || (declared.len() == 1 && sections.len() < 2)) {
        quote_declarations(&declared, findings);
    } else if sections.len() >= 2 {
        quote_sections(lines, &sections, findings);
    } else if keys.len() >= 3 {
        for key in keys {
            findings.quote(key, 60);
        }
    } else if let Some(first) = first {
        findings.quote(first, 160);
    }
}

/// Quotes the keys that stand between two `---` lines in front of a text.
fn quote_front_matter<'a>(lines: &[&'a str], findings: &mut Findings<'a>) {
    if lines.first() != Some(&"---") {
        return;
    }
    let front = lines[1..]
        .iter()
        .take(12)
        .take_while(|line| **line != "---");
    for line in front.filter_map(|line| key(line)).take(3) {
        findings.quote(line, 100);
    }
}

/// Quotes headings; where they are few, each with the first line of its text.
fn quote_sections<'a>(lines: &[&'a str], sections: &[&'a str], findings: &mut Findings<'a>) {
    let prose = sections.iter().any(|title| title.starts_with('#'));
    if sections.len() > 6 || !prose {
        for title in sections {
            findings.quote(*title, 80);
        }
        return;
    }
    let mut titles = sections.iter().copied().peekable();
    let mut open = None;
    let mut fenced = false;
    for line in lines.iter().copied() {
        fenced ^= line.trim_start().starts_with("```");
        if titles.next_if(|title| std::ptr::eq(*title, line)).is_some() {
            if let Some(title) = open.replace(line) {
                findings.quote(title, 80);
            }
        } else if !fenced
            && super::generic::has_text(line)
            && is_quotable(line)
            && let Some(title) = open.take()
        {
            findings.quote(format!("{title}: {}", trim(line)), 110);
        }
    }
    if let Some(title) = open {
        findings.quote(title, 80);
    }
}

/// Quotes whole headings where they fit, else only the names, the keyword once for each run.
fn quote_declarations<'a>(declared: &[&'a str], findings: &mut Findings<'a>) {
    let whole: usize = declared
        .iter()
        .map(|heading| heading.len().min(140) + 3)
        .sum();
    if whole <= 220 {
        for heading in declared {
            findings.quote(*heading, 140);
        }
        return;
    }
    let mut run = String::new();
    let mut keyword = "";
    for heading in declared {
        if !is_quotable(heading) {
            findings.unquoted += 1;
            continue;
        }
        let name = short(heading);
        let (word, rest) = name.split_once(' ').unwrap_or((name, ""));
        if word == keyword && !rest.is_empty() && run.len() + rest.len() < 100 {
            run.push_str(", ");
            run.push_str(rest);
        } else {
            findings.quote(std::mem::take(&mut run), 120);
            keyword = word;
            name.clone_into(&mut run);
        }
    }
    findings.quote(run, 120);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_of_many_languages_are_found() {
        let check =
            |line: &str, expected: Option<&str>| assert_eq!(declaration(line), expected, "{line}");
        check(
            "pub fn parse(text: &str) -> Ast {",
            Some("fn parse(text: &str) -> Ast"),
        );
        check("pub(crate) async fn run() {", Some("fn run()"));
        check("def area(self):", Some("def area(self):"));
        check("class Shape(Base):", Some("class Shape(Base):"));
        check("export interface Options {", Some("interface Options"));
        check("export const LIMIT = 3;", Some("const LIMIT"));
        check("const add = (a, b) => {", Some("const add"));
        check(
            "func (s *Server) Start(ctx context.Context) error {",
            Some("func (s *Server) Start(ctx context.Context) error"),
        );
        check("type Options struct {", Some("type Options struct"));
        check(
            "impl<T> Display for X<T> {",
            Some("impl<T> Display for X<T>"),
        );
        check("let x = 3;", None);
        check("return fn(x);", None);
        check("type of the error is unknown.", None);
        check("", None);
    }

    #[test]
    fn source_keeps_declarations_or_headings() {
        let check = |text: &str, expected: &[&str]| {
            let mut findings = Findings::default();
            read(&crate::extractive::line::split(text), &mut findings);
            assert_eq!(findings.quotes, expected);
        };
        check("use a;\nfn a() {}\nstruct B;\n", &["fn a()", "struct B"]);
        check(
            "# One\n## Two\n## Three\n```\n# no\n```\n",
            &["# One", "## Two", "## Three"],
        );
        check("# One\ntext\n## Two\n", &["# One: text", "## Two"]);
        check(
            "[package]\nname = 1\n[dependencies]\n",
            &["[package]", "[dependencies]"],
        );
        check("name: x\non: y\njobs:\n", &["name: x", "on: y", "jobs:"]);
        check("只有一行文字\n", &["只有一行文字"]);
    }
}
