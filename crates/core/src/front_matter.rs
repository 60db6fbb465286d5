//! Front matter: the fields that a note carries above its text, knowledge specification 3.3.
//!
//! Read by tolerant rules of our own and not by a YAML parser: in the wild a title holds `*`, `:` or
//! a date, a value is a Windows path, `---` is a mere rule. A parser refuses such a block whole; what
//! is wanted of it are a few plain fields.

/// The block of fields at the start of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontMatter<'a> {
    /// Bytes of the block, both delimiter lines included.
    pub length: usize,
    /// Top-level fields in order. Nested maps and lists have an empty value.
    pub fields: Vec<(&'a str, String)>,
}

impl FrontMatter<'_> {
    /// The first field with this name that holds something; the case of the name is no matter.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.fields
            .iter()
            .find(|(key, value)| key.eq_ignore_ascii_case(name) && !value.is_empty())
            .map(|(_, value)| value.as_str())
    }
}

/// Reads the block between two lines `---` (or `+++`, with `=` for `:`) at the very start of a text.
///
/// A block whose first line is no field is none: the dashes were a rule. Lines inside a block that
/// are no fields are passed over.
///
/// ```
/// use epitome_core::front_matter::read;
/// let block = read("---\ntitle: *Why* it holds\n---\nText.").unwrap();
/// assert_eq!(block.get("title"), Some("*Why* it holds"));
/// assert_eq!(block.length, 30);
/// assert_eq!(read("---\nOnly a rule.\n---\n"), None);
/// ```
pub fn read(text: &str) -> Option<FrontMatter<'_>> {
    let mut lines = lines_with_ends(text);
    let (sign, closers): (char, &[&str]) = match lines.next()?.1.trim_end() {
        "---" => (':', &["---", "..."]),
        "+++" => ('=', &["+++"]),
        _ => return None,
    };
    let mut fields: Vec<(&str, String)> = Vec::new();
    let mut block_scalar = false;
    for (end, line) in lines {
        let content = line.trim_end();
        if closers.contains(&content) {
            return (!fields.is_empty()).then(|| FrontMatter {
                length: end,
                fields: fields.into_iter().map(finish).collect(),
            });
        }
        let trimmed = content.trim_start();
        if trimmed.is_empty() || (trimmed.starts_with('#') && !block_scalar) {
            continue;
        }
        if trimmed.len() < content.len() {
            continue_value(&mut fields, trimmed);
        } else if let Some((key, value)) = field(trimmed, sign) {
            block_scalar = is_block_sign(value);
            fields.push((key, value.to_owned()));
        } else if fields.is_empty() {
            return None;
        }
    }
    None
}

/// Lines with the offset behind each.
fn lines_with_ends(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut end = 0;
    text.split_inclusive('\n').map(move |line| {
        end += line.len();
        (end, line)
    })
}

/// Splits a line into the name and the value of a field. The sign must end the line or stand before
/// a blank, so that `C:\path` and `http://host` are none.
fn field(line: &str, sign: char) -> Option<(&str, &str)> {
    const LONGEST_KEY: usize = 64;
    let (key, value) = line.split_once(sign)?;
    let key = key.trim_end();
    let bare = key.trim_matches('"');
    let named = !bare.is_empty()
        && bare.len() <= LONGEST_KEY
        && bare
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' '));
    let parted = sign == '=' || value.is_empty() || value.starts_with([' ', '\t']);
    (named && parted).then(|| (bare, value.trim()))
}

fn is_block_sign(value: &str) -> bool {
    matches!(value, "|" | ">" | "|-" | ">-" | "|+" | ">+")
}

/// An indented line goes on with the value above it, unless it opens a list or a nested map.
fn continue_value(fields: &mut [(&str, String)], line: &str) {
    let Some((_, value)) = fields.last_mut() else {
        return;
    };
    if value.is_empty() {
        return;
    }
    if is_block_sign(value) {
        value.clear();
    } else {
        value.push(' ');
    }
    value.push_str(line);
}

/// Takes quotes, or a comment, off a value.
fn finish((key, value): (&str, String)) -> (&str, String) {
    let value = match value.chars().next() {
        Some(quote @ ('"' | '\'')) => match unquote(&value[1..], quote) {
            Some(inner) => inner,
            None => value,
        },
        Some('#') => String::new(),
        _ if is_block_sign(&value) => String::new(),
        _ => match value.find(" #") {
            Some(comment) => value[..comment].trim_end().to_owned(),
            None => value,
        },
    };
    (key, value)
}

/// The text up to the closing quote; `None` where there is none.
fn unquote(text: &str, quote: char) -> Option<String> {
    let mut inner = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character == quote {
            if quote == '\'' && characters.peek() == Some(&'\'') {
                characters.next();
                inner.push('\'');
                continue;
            }
            return Some(inner);
        }
        match character {
            '\\' if quote == '"' => match characters.next()? {
                'n' => inner.push('\n'),
                't' => inner.push('\t'),
                escaped @ ('"' | '\\' | '/') => inner.push(escaped),
                other => inner.extend(['\\', other]),
            },
            plain => inner.push(plain),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fields_are_read_as_they_stand() {
        let check = |block: &str, name: &str, expected: Option<&str>| {
            let text = format!("---\n{block}\n---\nText\n");
            let read = read(&text);
            let found = read.as_ref().and_then(|block| block.get(name));
            assert_eq!(found, expected, "{block}");
        };
        check("title: Plain", "title", Some("Plain"));
        check("Title: Plain", "title", Some("Plain"));
        check("title: *Italic*", "title", Some("*Italic*"));
        check("title: 2026-05-26", "title", Some("2026-05-26"));
        check("title: a: b", "title", Some("a: b"));
        check("title: \"a # b\" # c", "title", Some("a # b"));
        check("title: 'it''s'", "title", Some("it's"));
        check("title: \"open", "title", Some("\"open"));
        check("title: \"C:\\\\path\"", "title", Some("C:\\path"));
        check("title: C:\\path", "title", Some("C:\\path"));
        check("title: a # comment", "title", Some("a"));
        check("title:\nC:\\path\nother: 1", "other", Some("1"));
        check("title: >-\n  one\n  two", "title", Some("one two"));
        check("title: >\n", "title", None);
        check("title: one\n  two", "title", Some("one two"));
        check("tags:\n  - a\n  - b\ntitle: x", "title", Some("x"));
        check("tags:\n- a\n- b\ntitle: x", "title", Some("x"));
        check("tags:\n  - a", "tags", None);
        check("# comment\ntitle: x", "title", Some("x"));
        check("title: é 漢字 🙂", "title", Some("é 漢字 🙂"));
        check("\"title\": x", "title", Some("x"));
    }

    #[test]
    fn what_is_no_block_is_none() {
        let check = |text: &str, expected: Option<usize>| {
            assert_eq!(read(text).map(|block| block.length), expected, "{text:?}");
        };
        check("---\na: b\n---\n", Some(13));
        check("---\r\na: b\r\n---\r\nx", Some(16));
        check("---\na: b\n...\nx", Some(13));
        check("+++\na = \"b\"\n+++\nx", Some(16));
        check("---\na: b\n---", Some(12));
        check("---\na: b\n", None);
        check("---\n---\n", None);
        check("---\n\nText below a rule.\n\n---\n", None);
        check("---\nC:\\path\n---\n", None);
        check("\n---\na: b\n---\n", None);
        check("", None);
    }

    proptest! {
        #[test]
        fn never_panics(text in "[-+:=a\"'\\\\ #>|\né漢]{0,60}") {
            for head in ["---\n", "+++\n", "---\na: "] {
                let text = format!("{head}{text}\n---\n");
                if let Some(block) = read(&text) {
                    prop_assert!(text.is_char_boundary(block.length));
                }
            }
        }
    }
}
