//! The text of a result without the wrappers that hosts put around it.

use std::borrow::Cow;

use serde_json::Value;

/// The text of a result, with what its wrapper said.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Body<'a> {
    /// The text itself.
    pub(super) text: Cow<'a, str>,
    /// Exit status, where the host printed one.
    pub(super) exit: Option<i64>,
    /// What the host said about the part that is missing: `487 more lines in file`.
    pub(super) rest: Option<String>,
}

impl<'a> Body<'a> {
    /// Takes the wrappers off a result.
    pub(super) fn open(text: &'a str) -> Self {
        let mut body = Self {
            text: Cow::Borrowed(text),
            exit: None,
            rest: None,
        };
        if let Some((inner, exit)) = unwrap_json(text) {
            body.text = Cow::Owned(inner);
            body.exit = exit;
            return body;
        }
        let (text, exit) = unwrap_header(text);
        let (text, last_exit) = strip_exit_footer(strip_reminders(text));
        let (text, rest) = strip_note(text);
        body.text = Cow::Borrowed(text.trim_end());
        body.exit = exit.or(last_exit);
        body.rest = rest;
        body
    }
}

/// `{"output": "…", "metadata": {"exit_code": 0}}` and its like.
fn unwrap_json(text: &str) -> Option<(String, Option<i64>)> {
    let text = text.trim();
    if !text.starts_with("{\"output\":") {
        return None;
    }
    let Value::Object(mut fields) = serde_json::from_str(text).ok()? else {
        return None;
    };
    let exit = fields
        .get("metadata")
        .and_then(|data| data.get("exit_code")?.as_i64());
    match fields.remove("output")? {
        Value::String(output) if fields.len() <= 1 => Some((output, exit)),
        _ => None,
    }
}

/// A head such as `Exit code: 0`, `Wall time: 1 seconds`, `Output:`, or only `Exit code 1`.
fn unwrap_header(text: &str) -> (&str, Option<i64>) {
    let mut exit = None;
    let mut rest = text;
    for _ in 0..8 {
        let (line, next) = rest.split_once('\n').unwrap_or((rest, ""));
        if line == "Output:" {
            return (next, exit);
        }
        let is_head = [
            "Exit code",
            "Wall time:",
            "Chunk ID:",
            "Process exited",
            "Process running",
        ]
        .iter()
        .any(|head| line.starts_with(head))
            || line.starts_with("Original token count:")
            || line.starts_with("Total output lines:")
            || line.starts_with("Command: ");
        if !is_head {
            break;
        }
        if line.starts_with("Exit code") || line.starts_with("Process exited") {
            exit = last_number(line);
        }
        rest = next;
    }
    // Without the marker only a bare status line counts as a wrapper.
    match text.split_once('\n').unwrap_or((text, "")) {
        (first, next) if first.starts_with("Exit code ") && last_number(first).is_some() => {
            (next, last_number(first))
        }
        _ => (text, None),
    }
}

/// Reminders that hosts append for the model, and the usage block after an agent's report.
fn strip_reminders(text: &str) -> &str {
    let mut text = text.trim_end();
    for (open, close) in [
        ("<system-reminder>", "</system-reminder>"),
        ("<usage>", "</usage>"),
    ] {
        while let Some(head) = text.strip_suffix(close).and_then(|head| {
            let at = head.rfind(open)?;
            Some(&head[..at])
        }) {
            text = head.trim_end();
        }
    }
    text
}

/// A last line that gives the status: `Command exited with code 2`, `[exit code: 2]`.
fn strip_exit_footer(text: &str) -> (&str, Option<i64>) {
    let (head, last) = text.rsplit_once('\n').unwrap_or(("", text));
    let short = last.len() < 60;
    let says = last.contains("exited with code")
        || last.contains("exit code")
        || last.starts_with("exit status ")
        || last.contains("Exit code");
    match last_number(last) {
        Some(exit) if short && says => (head, Some(exit)),
        _ => (text, None),
    }
}

/// A last line in brackets about what was left out: `[487 more lines in file. Use offset=…]`.
fn strip_note(text: &str) -> (&str, Option<String>) {
    let text = text.trim_end();
    let (head, last) = text.rsplit_once('\n').unwrap_or(("", text));
    let Some(note) = last
        .trim()
        .strip_prefix('[')
        .and_then(|note| note.strip_suffix(']'))
    else {
        return (text, None);
    };
    let about_size = ["lines", "bytes", "characters", "limit", "truncated"];
    let fits = last.len() < 240
        && note.bytes().any(|b| b.is_ascii_digit())
        && about_size.iter().any(|word| note.contains(word));
    if !fits {
        return (text, None);
    }
    let end = note.find(". ").unwrap_or(note.len());
    (head, Some(note[..end].to_owned()))
}

/// The last run of digits in a line.
fn last_number(line: &str) -> Option<i64> {
    let line = line.trim_end_matches(|c: char| !c.is_ascii_digit());
    let start = line.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| {
        at + line[at..].chars().next().map_or(1, char::len_utf8)
    });
    line[start..].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrappers_come_off() {
        let check = |text: &str, inner: &str, exit: Option<i64>| {
            let body = Body::open(text);
            assert_eq!((&*body.text, body.exit), (inner, exit), "{text}");
        };
        check("plain\n", "plain", None);
        check("Exit code 1\nboom", "boom", Some(1));
        check(
            "Exit code: 0\nWall time: 1 seconds\nOutput:\nfine",
            "fine",
            Some(0),
        );
        check(
            "Chunk ID: 7\nProcess exited with code 2\nOutput:\nx",
            "x",
            Some(2),
        );
        check("x\n\nCommand exited with code 3", "x", Some(3));
        check(
            r#"{"output":"a\nb","metadata":{"exit_code":4}}"#,
            "a\nb",
            Some(4),
        );
        check(
            r#"{"output":"a","total":4,"x":1}"#,
            r#"{"output":"a","total":4,"x":1}"#,
            None,
        );
        check("a\n<system-reminder>\nb\n</system-reminder>\n", "a", None);
        check("Exit code", "Exit code", None);
        check("", "", None);
    }

    #[test]
    fn notes_on_the_rest_are_told_apart_from_text() {
        let body = Body::open("a\n\n[487 more lines in file. Use offset=101 to continue]");
        assert_eq!(&*body.text, "a");
        assert_eq!(body.rest.as_deref(), Some("487 more lines in file"));
        assert_eq!(Body::open("a\n[link]").rest, None);
    }
}
