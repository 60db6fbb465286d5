//! What a call asked for, read from its arguments by the names that tools use for them.

use std::borrow::Cow;

use serde_json::Value;
use serde_json::value::RawValue;

use super::fields::{Fields, string};
use super::line::clean;

/// Longest command or path that a bullet names.
const LONGEST: usize = 100;

/// What a call asked for. Every text is raw: it is cleaned where it is shown.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Request<'a> {
    /// File or folder.
    pub(super) path: Option<Cow<'a, str>>,
    /// Shell command or code to run.
    pub(super) command: Option<Cow<'a, str>>,
    /// Pattern or query of a search.
    pub(super) pattern: Option<Cow<'a, str>>,
    /// Address of a page.
    pub(super) url: Option<Cow<'a, str>>,
    /// Title, description or first other text.
    pub(super) about: Option<Cow<'a, str>>,
    /// Replacements of an edit, old and new text.
    pub(super) edits: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// Patch in diff form.
    pub(super) patch: Option<Cow<'a, str>>,
    /// Whole content to write.
    pub(super) content: Option<Cow<'a, str>>,
    /// Items of a list of tasks, each with its state in front.
    pub(super) tasks: Vec<String>,
}

const PATHS: &[&str] = &[
    "path",
    "file_path",
    "filePath",
    "notebook_path",
    "filename",
    "file",
    "target_file",
    "relative_path",
    "absolute_path",
    "directory",
    "dir_path",
    "dir",
    "folder",
];
const COMMANDS: &[&str] = &["command", "cmd", "script", "code"];
const PATTERNS: &[&str] = &[
    "pattern",
    "query",
    "regex",
    "search",
    "search_term",
    "q",
    "glob",
];
const OLD: &[&str] = &[
    "old_string",
    "oldText",
    "old_str",
    "old_text",
    "oldString",
    "search",
];
const NEW: &[&str] = &[
    "new_string",
    "newText",
    "new_str",
    "new_text",
    "newString",
    "replace",
];
const ABOUT: &[&str] = &[
    "description",
    "subject",
    "title",
    "name",
    "skill",
    "task",
    "prompt",
    "question",
    "message",
];

impl<'a> Request<'a> {
    /// Reads the raw JSON text of a call's arguments; anything but an object asks for nothing.
    pub(super) fn parse(args: &'a str) -> Self {
        let Ok(fields) = serde_json::from_str::<Fields<'_>>(args) else {
            return Self::default();
        };
        let mut request = Self {
            path: fields.text(PATHS),
            command: fields.text(COMMANDS),
            pattern: fields.text(PATTERNS),
            url: fields.text(&["url", "uri"]),
            about: fields.text(ABOUT),
            content: fields.text(&["content", "file_text", "contents", "text"]),
            edits: edits(&fields),
            ..Self::default()
        };
        request.patch = fields
            .text(&["patch", "diff", "input"])
            .filter(|patch| patch.contains("*** Begin Patch") || patch.contains("\n@@"));
        request.tasks = ["todos", "plan", "tasks"]
            .iter()
            .find_map(|name| value(fields.get(name)?))
            .map(|list| tasks(&list))
            .unwrap_or_default();
        if request.is_bare() && request.tasks.is_empty() {
            let fields = fields.sorted();
            let ids = fields.iter().filter(|(name, _)| name.ends_with("id"));
            request.about = ids
                .chain(&fields)
                .find_map(|(name, raw)| Some(format!("{name} {}", string(raw)?).into()));
        }
        request
    }

    fn is_bare(&self) -> bool {
        let texts = [
            &self.path,
            &self.command,
            &self.pattern,
            &self.url,
            &self.about,
            &self.patch,
        ];
        texts.into_iter().all(Option::is_none)
    }

    /// Whether a file was asked for, and nothing to be done with it.
    pub(super) fn reads_a_file(&self) -> bool {
        self.path.is_some()
            && self.command.is_none()
            && self.pattern.is_none()
            && self.content.is_none()
            && self.edits.is_empty()
    }

    /// Names what was asked for, in one line.
    pub(super) fn name(&self) -> String {
        if let Some(command) = &self.command {
            return format!(
                "`{}`",
                clean(&without_cd(command).replace('`', "'"), LONGEST)
            );
        }
        if let Some(url) = &self.url {
            return clean(url, LONGEST).into_owned();
        }
        let path = self.path.as_deref().map(name_path);
        match (&self.pattern, path) {
            (Some(pattern), Some(path)) => format!("`{}` in {path}", clean(pattern, 80)),
            (Some(pattern), None) => format!("`{}`", clean(pattern, LONGEST)),
            (None, Some(path)) => path,
            (None, None) => self
                .about
                .as_deref()
                .map(|text| clean(text, 80).into_owned())
                .unwrap_or_default(),
        }
    }
}

/// The replacements of an edit, named at the top or in a list of edits.
fn edits<'a>(fields: &Fields<'a>) -> Vec<(Cow<'a, str>, Cow<'a, str>)> {
    let pair = |fields: &Fields<'a>| Some((fields.text(OLD)?, fields.text(NEW)?));
    let mut edits: Vec<_> = pair(fields).into_iter().collect();
    let Some(list) = fields.get("edits") else {
        return edits;
    };
    let parse = |text: &'a str| serde_json::from_str::<Vec<Fields<'a>>>(text).ok();
    match string(list) {
        None => {
            let items = parse(list.get()).unwrap_or_default();
            edits.extend(items.iter().filter_map(pair));
        }
        // Some clients hand lists over as text.
        Some(Cow::Borrowed(text)) => {
            let items = parse(text).unwrap_or_default();
            edits.extend(items.iter().filter_map(pair));
        }
        Some(Cow::Owned(text)) => {
            let items: Vec<Fields<'_>> = serde_json::from_str(&text).unwrap_or_default();
            let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
            edits.extend(
                items
                    .iter()
                    .filter_map(|fields| Some((own(fields.text(OLD)?), own(fields.text(NEW)?)))),
            );
        }
    }
    edits
}

/// Names a path; of a very long one only the end, which tells files apart.
pub(super) fn name_path(path: &str) -> String {
    let count = path.chars().count();
    if count <= LONGEST {
        return clean(path, LONGEST).into_owned();
    }
    let tail: String = path.chars().skip(count - LONGEST).collect();
    let tail = tail
        .find(['/', '\\'])
        .map_or(tail.as_str(), |at| &tail[at..]);
    format!("…{}", clean(tail, LONGEST))
}

/// A command without the change of folder that agents put in front of it.
fn without_cd(command: &str) -> &str {
    let command = command.trim();
    let rest = command
        .strip_prefix("cd ")
        .and_then(|rest| rest.split_once("&&"));
    match rest {
        Some((folder, rest)) if folder.len() < 300 && !rest.trim().is_empty() => rest.trim(),
        _ => command,
    }
}

/// The items of a list of tasks: `[in_progress] Write docs`.
fn tasks(list: &Value) -> Vec<String> {
    let text = |item: &Value, names: &[&str]| {
        names
            .iter()
            .find_map(|name| item.get(*name)?.as_str().map(str::to_owned))
    };
    list.as_array()
        .map(Vec::as_slice)
        .unwrap_or_default()
        .iter()
        .filter_map(|item| {
            let content = text(item, &["content", "step", "title", "subject", "text"])?;
            Some(match text(item, &["status", "state"]) {
                Some(status) => format!("[{status}] {content}"),
                None => content,
            })
        })
        .collect()
}

/// A raw value, parsed; some clients hand lists over as text.
fn value(raw: &RawValue) -> Option<Value> {
    match serde_json::from_str(raw.get()).ok()? {
        Value::String(text) => serde_json::from_str(&text).ok(),
        value => Some(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_named_by_what_they_ask_for() {
        let check = |args: &str, expected: &str| assert_eq!(Request::parse(args).name(), expected);
        check(r#"{"file_path":"src/a.rs","offset":3}"#, "src/a.rs");
        check(
            r#"{"command":"cd /home/me/x && cargo test"}"#,
            "`cargo test`",
        );
        check(r#"{"command":["bash","-lc","ls -la"]}"#, "`ls -la`");
        check(r#"{"command":["git","status"]}"#, "`git status`");
        check(r#"{"pattern":"fn main","path":"src"}"#, "`fn main` in src");
        check(
            r#"{"url":"https://example.org/a"}"#,
            "https://example.org/a",
        );
        check(r#"{"subject":"Write docs"}"#, "Write docs");
        check(r#"{"zone":"Europe/Paris"}"#, "zone Europe/Paris");
        check(r#"{"command":"a\nb\u0000c"}"#, "`a b c`");
        check("{}", "");
        check("not json", "");
        check("[1]", "");
    }

    #[test]
    fn long_paths_keep_their_end() {
        let long = format!("/{}/src/lexer.rs", "x".repeat(120));
        assert_eq!(name_path(&long), "…/src/lexer.rs");
    }

    #[test]
    fn edits_are_read_in_every_spelling() {
        let pair = (Cow::Borrowed("a"), Cow::Borrowed("b"));
        for args in [
            r#"{"old_string":"a","new_string":"b"}"#,
            r#"{"oldText":"a","newText":"b"}"#,
            r#"{"edits":[{"old_str":"a","new_str":"b"}]}"#,
            r#"{"edits":"[{\"old_string\":\"a\",\"new_string\":\"b\"}]"}"#,
        ] {
            assert_eq!(Request::parse(args).edits, vec![pair.clone()], "{args}");
        }
    }
}
