//! What a document says about itself outside of its prose: fields of its front matter, its headings.

use epitome_core::front_matter::FrontMatter;

use super::blocks::{Block, Role};
use super::{MOST_CHARS, inline};

/// Characters under which a summary is completed by facts.
const SHORT_CHARS: usize = 160;
/// Fields that tell a reader what a document is, as they are written in front matter.
const TELLING: [&str; 9] = [
    "status",
    "type",
    "category",
    "categories",
    "tags",
    "keywords",
    "topic",
    "state",
    "kind",
];

/// Fields of front matter that tell what a document is.
#[derive(Debug, Default)]
pub(super) struct Facts<'a> {
    description: Option<String>,
    telling: Vec<(&'a str, &'a str)>,
}

impl<'a> Facts<'a> {
    pub(super) fn of(block: Option<&'a FrontMatter<'a>>) -> Self {
        let Some(block) = block else {
            return Self::default();
        };
        let description = ["description", "summary", "abstract", "subtitle"]
            .into_iter()
            .find_map(|name| block.get(name))
            .filter(|text| text.chars().nth(MOST_CHARS / 2).is_none())
            .map(|text| {
                let mut plain = String::new();
                inline::append(text, &mut plain);
                with_full_stop(plain)
            });
        let telling = block
            .fields
            .iter()
            .map(|(key, value)| (*key, value.trim_matches(['[', ']'])))
            .filter(|(key, value)| {
                let known = TELLING.iter().any(|name| key.eq_ignore_ascii_case(name));
                known && !value.is_empty() && value.len() < 80
            })
            .collect();
        Self {
            description,
            telling,
        }
    }

    /// The author's own summary in one line.
    pub(super) fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }
}

fn with_full_stop(mut text: String) -> String {
    if text.ends_with(char::is_alphanumeric) {
        text.push('.');
    }
    text
}

/// Completes a short summary: by the headings of the document, then by its fields.
pub(super) fn complete(summary: &mut String, facts: &Facts<'_>, blocks: &[Block]) {
    if summary.chars().count() >= SHORT_CHARS {
        return;
    }
    let headings: Vec<&str> = blocks
        .iter()
        .filter(|block| block.role == Role::Heading)
        .map(|block| &*block.text)
        .filter(|heading| !summary.contains(heading))
        .collect();
    // The first heading is the title, which stands beside every summary.
    if headings.len() > 2 {
        append_list(summary, "Sections: ", headings[1..].iter().copied());
    }
    let fields: Vec<String> = facts
        .telling
        .iter()
        .map(|(key, value)| format!("{}: {value}", key.to_lowercase()))
        .collect();
    if summary.is_empty() {
        append_list(summary, "", fields.iter().map(String::as_str));
    } else if !fields.is_empty() {
        summary.push_str(" (");
        summary.push_str(&fields.join("; "));
        summary.push(')');
    }
}

/// Appends a list in one sentence, as many entries as fit.
pub(super) fn append_list<'a>(
    summary: &mut String,
    label: &str,
    entries: impl Iterator<Item = &'a str>,
) {
    let mut used = summary.chars().count() + label.chars().count();
    let mut list = String::new();
    for entry in entries {
        let length = entry.chars().count() + 2;
        if used + length + 2 > MOST_CHARS {
            break;
        }
        used += length;
        if !list.is_empty() {
            list.push_str("; ");
        }
        list.push_str(entry);
    }
    if list.is_empty() {
        return;
    }
    if !summary.is_empty() {
        summary.push(' ');
    }
    summary.push_str(label);
    summary.push_str(&list);
    summary.push('.');
}

/// What is said about a document that says nothing itself.
pub(super) fn describe_title(title: &str) -> String {
    let title: String = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.chars().any(char::is_alphanumeric) {
        super::sentence::cut(&title, MOST_CHARS)
    } else {
        String::new()
    }
}
