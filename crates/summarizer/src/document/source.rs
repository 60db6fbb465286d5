//! Source code and configuration: the first comment, then the names that are declared.

use super::facts::append_list;
use super::{inline, sentence};
use crate::extractive::source::{declaration, key, section, short};

/// Characters of the first comment that are quoted.
const COMMENT_CHARS: usize = 320;
/// Names that are looked at.
const MOST_NAMES: usize = 60;

/// Whether a kind of file is code or configuration.
pub(super) fn is_source(kind: &str) -> bool {
    matches!(
        kind,
        "source" | "code" | "config" | "configuration" | "data"
    )
}

/// Summarizes code or configuration.
pub(super) fn summarize(text: &str) -> String {
    let mut summary = first_comment(text);
    let mut declared: Vec<&str> = Vec::new();
    let mut sections: Vec<&str> = Vec::new();
    let mut keys: Vec<&str> = Vec::new();
    for line in text.lines() {
        if declared.len() + sections.len() >= MOST_NAMES {
            break;
        }
        if let Some(heading) = declaration(line.trim_start()) {
            push_new(&mut declared, short(heading));
        } else if line.starts_with('[')
            && let Some(name) = section(line)
        {
            push_new(&mut sections, name.trim_end());
        } else if keys.len() < MOST_NAMES
            && let Some(name) = name_of(line)
        {
            push_new(&mut keys, name);
        }
    }
    if !declared.is_empty() {
        append_list(&mut summary, "Declares ", declared.into_iter());
    } else if !sections.is_empty() {
        append_list(&mut summary, "Sections: ", sections.into_iter());
    } else if !keys.is_empty() {
        append_list(&mut summary, "Keys: ", keys.into_iter());
    }
    if summary.is_empty() {
        first_line(text)
    } else {
        summary
    }
}

fn push_new<'a>(names: &mut Vec<&'a str>, name: &'a str) {
    if !names.contains(&name) && name.len() < 100 {
        names.push(name);
    }
}

/// The name that a line of configuration sets: `name:`, `name =`, `"name":` or `NAME=`.
fn name_of(line: &str) -> Option<&str> {
    if let Some(line) = key(line) {
        return line.split(':').next();
    }
    let shallow = line.len() - line.trim_start().len() <= 4;
    if let Some(rest) = line.trim_start().strip_prefix('"') {
        let (name, after) = rest.split_once('"')?;
        return (shallow && after.trim_start().starts_with(':')).then_some(name);
    }
    let (name, _) = line.split_once('=')?;
    let name = name.trim_end();
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    is_name.then_some(name)
}

/// The first comment that is no licence, in whole sentences.
fn first_comment(text: &str) -> String {
    let mut comment = String::new();
    let mut block: Option<&str> = None;
    for line in text.lines().take(120) {
        let start = line.trim();
        let content = match block {
            Some(end) => {
                let content = start.split(end).next().unwrap_or_default();
                if start.contains(end) {
                    block = None;
                }
                Some(content.trim_start_matches('*'))
            }
            None => line_comment(start).or_else(|| {
                let (content, end) = opens_block(start)?;
                if !content.contains(end) {
                    block = Some(end);
                }
                content.split(end).next()
            }),
        };
        match content.map(str::trim) {
            Some(content) if is_wanted(content) => inline::append(content, &mut comment),
            // A licence stands in a comment of its own; what follows it is another one.
            _ if !comment.is_empty() && is_licence(&comment) => comment.clear(),
            _ if !comment.is_empty() && block.is_none() => break,
            _ => {}
        }
    }
    if is_licence(&comment) {
        return String::new();
    }
    let mut taken = String::new();
    for sentence in sentence::split(&comment) {
        if !taken.is_empty() && taken.chars().count() + sentence.chars().count() > COMMENT_CHARS {
            break;
        }
        if !taken.is_empty() {
            taken.push(' ');
        }
        taken.push_str(sentence);
    }
    sentence::cut(&taken, COMMENT_CHARS)
}

/// The text of a comment that ends with its line.
fn line_comment(start: &str) -> Option<&str> {
    if start.starts_with("#!") || start.starts_with("#[") || start.starts_with("#include") {
        return None;
    }
    ["///", "//!", "//", "##", "# ", "--", ";;", "; ", "% "]
        .into_iter()
        .find_map(|mark| start.strip_prefix(mark))
}

/// The text after the opening of a comment of several lines, with what closes it.
fn opens_block(start: &str) -> Option<(&str, &'static str)> {
    const BLOCKS: [(&str, &str); 6] = [
        ("/**", "*/"),
        ("/*", "*/"),
        ("\"\"\"", "\"\"\""),
        ("'''", "'''"),
        ("<!--", "-->"),
        ("{-", "-}"),
    ];
    BLOCKS
        .into_iter()
        .find_map(|(open, close)| start.strip_prefix(open).map(|rest| (rest, close)))
}

fn is_wanted(content: &str) -> bool {
    content.chars().any(char::is_alphanumeric)
        && !content.starts_with("-*-")
        && !content.starts_with("eslint")
        && !content.starts_with("SPDX-")
}

fn is_licence(comment: &str) -> bool {
    let head = &comment[..comment.floor_char_boundary(200)].to_lowercase();
    head.starts_with("copyright") || head.contains("licensed under") || head.contains("(c) ")
}

/// The first line that says something.
fn first_line(text: &str) -> String {
    let line = text
        .lines()
        .find(|line| line.chars().any(char::is_alphanumeric))
        .unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().take(60).collect();
    sentence::cut(&words.join(" "), COMMENT_CHARS)
}
