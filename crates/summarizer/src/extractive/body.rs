//! The text of a result without the wrappers that hosts put around it.

use std::borrow::Cow;

use serde_json::Value;

use super::line::is_quotable;

/// The text of a result, with what its wrapper said.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Body<'a> {
    /// The text itself.
    pub(super) text: Cow<'a, str>,
    /// Exit status, where the host printed one.
    pub(super) exit: Option<i64>,
    /// First and last line number, where the host numbered the lines.
    pub(super) range: Option<(u64, u64)>,
    /// What the host said about the part that is missing: `487 more lines in file`.
    pub(super) rest: Option<String>,
}

impl<'a> Body<'a> {
    /// Takes the wrappers off a result.
    pub(super) fn open(text: &'a str) -> Self {
        if let Some((inner, exit)) = unwrap_json(text) {
            let numbered = strip_numbers(&inner);
            let range = numbered.as_ref().map(|(_, range)| *range);
            let text = Cow::Owned(numbered.map_or(inner, |(text, _)| text));
            return Self {
                text,
                exit,
                range,
                rest: None,
            };
        }
        let (text, code) = unwrap_tags(text);
        let (text, exit, running) = unwrap_header(text);
        let exit = exit.or(code);
        let (text, last_exit) = strip_exit_footer(strip_reminders(text));
        let (text, saved) = unwrap_saved(text);
        let (text, note) = strip_note(text);
        let exit = exit.or(last_exit);
        let rest = running.or(saved).or(note);
        match strip_numbers(text) {
            Some((text, range)) => Self {
                text: Cow::Owned(text),
                exit,
                range: Some(range),
                rest,
            },
            None => Self {
                text: Cow::Borrowed(text.trim_end()),
                exit,
                range: None,
                rest,
            },
        }
    }
}

/// A preview of an output that the host saved: `<persisted-output>`, where it is, the preview.
fn unwrap_saved(text: &str) -> (&str, Option<String>) {
    let Some(inner) = text.strip_prefix("<persisted-output>\n") else {
        return (text, None);
    };
    let inner = inner.strip_suffix("</persisted-output>").unwrap_or(inner);
    let (head, preview) = inner.split_once("\n\nPreview").unwrap_or((inner, ""));
    let preview = preview.split_once(":\n").map_or("", |(_, preview)| preview);
    let preview = preview.trim_end().trim_end_matches("...").trim_end();
    (preview, Some(head.trim().to_owned()))
}

/// Takes off the numbers that a host put in front of the lines, as `cat -n` does.
///
/// Only when the first lines count up by one: `   56→text`, `56\ttext`, `56|text`; and, four of
/// them, `56:text`, which hits of a search look like as well. Up to three lines of the host's own
/// may stand in front.
fn strip_numbers(text: &str) -> Option<(String, (u64, u64))> {
    if text
        .lines()
        .take(4)
        .all(|line| split_number(line).is_none())
    {
        return None;
    }
    let mut lines = text
        .lines()
        .skip_while(|line| split_number(line).is_none())
        .peekable();
    let mark = split_number(lines.peek()?)?.mark;
    let mut numbers = Vec::with_capacity(4);
    for number in lines
        .map_while(split_number)
        .take(4)
        .map(|line| line.number)
    {
        if numbers.last().is_some_and(|last| last + 1 != number) {
            break;
        }
        numbers.push(number);
    }
    let alone = text.lines().nth(1).is_none() && mark != ":";
    if numbers.len() < if mark == ":" { 4 } else { 2 } && !alone {
        return None;
    }
    let from = numbers[0];
    let mut to = from;
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        match split_number(line) {
            Some(numbered) => {
                to = to.max(numbered.number);
                out.push_str(numbered.text);
            }
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    Some((out, (from, to)))
}

/// A line with a number in front.
struct NumberedLine<'a> {
    number: u64,
    mark: &'static str,
    text: &'a str,
}

/// Splits a line into its number and its text.
fn split_number(line: &str) -> Option<NumberedLine<'_>> {
    let start = line.trim_start_matches(' ');
    let digits = start.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 9 {
        return None;
    }
    let rest = &start[digits..];
    let mark = ["→", "\t", "|", ":"]
        .into_iter()
        .find(|mark| rest.starts_with(mark))?;
    Some(NumberedLine {
        number: start[..digits].parse().ok()?,
        mark,
        text: &rest[mark.len()..],
    })
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

/// `<returncode>1</returncode>`, then the text between `<output>` and `</output>`.
fn unwrap_tags(text: &str) -> (&str, Option<i64>) {
    let unwrapped = text.strip_prefix("<returncode>").and_then(|rest| {
        let (code, rest) = rest.split_once("</returncode>\n<output>")?;
        let inner = rest.trim_end().strip_suffix("</output>").unwrap_or(rest);
        Some((inner.trim_start_matches('\n'), code.parse().ok()))
    });
    unwrapped.unwrap_or((text, None))
}

/// A head such as `Exit code: 0`, `Wall time: 1 seconds`, `Output:`, or only `Exit code 1`.
///
/// Gives the text behind it, the exit status, and the line on a process that still runs.
fn unwrap_header(text: &str) -> (&str, Option<i64>, Option<String>) {
    const HEADS: &[&str] = &[
        "Exit code",
        "Wall time:",
        "Chunk ID:",
        "Process exited",
        "Process running",
        "Original token count:",
        "Total output lines:",
        "Command: ",
    ];
    let mut exit = None;
    let mut running = None;
    let mut rest = text;
    for _ in 0..8 {
        let (line, next) = rest.split_once('\n').unwrap_or((rest, ""));
        if line == "Output:" {
            return (next, exit, running);
        }
        if !HEADS.iter().any(|head| line.starts_with(head)) {
            break;
        }
        if line.starts_with("Exit code") || line.starts_with("Process exited") {
            exit = last_number(line);
        } else if line.starts_with("Process running") {
            running = Some(line.to_owned());
        }
        rest = next;
    }
    // Without the marker only a bare status line counts as a wrapper.
    match text.split_once('\n').unwrap_or((text, "")) {
        (first, next) if first.starts_with("Exit code ") && last_number(first).is_some() => {
            (next, last_number(first), None)
        }
        _ => (text, None, None),
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
    let start = last.trim_start_matches(['[', '(', '<', ' ']);
    let heads = [
        "Command exited with",
        "Process exited with",
        "exit code",
        "Exit code",
        "exit status",
    ];
    let says = heads.iter().any(|head| start.starts_with(head));
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
        && is_quotable(last)
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
        check("a\nit exited with code 3", "a\nit exited with code 3", None);
        check(
            "<returncode>2</returncode>\n<output>\nx\n</output>",
            "x",
            Some(2),
        );
        check("Exit code", "Exit code", None);
        check("", "", None);
    }

    #[test]
    fn numbers_of_hosts_come_off() {
        let check = |text: &str, inner: &str, range: Option<(u64, u64)>| {
            let body = Body::open(text);
            assert_eq!((&*body.text, body.range), (inner, range), "{text}");
        };
        check("   7→fn a() {\n   8→}\n   9→", "fn a() {\n}", Some((7, 9)));
        check("1\tone\n2\ttwo", "one\ntwo", Some((1, 2)));
        check("1\tone\n5\tfive", "1\tone\n5\tfive", None);
        check(
            "[File: a.py]\n1:a\n2:\n3:b\n4:c",
            "[File: a.py]\na\n\nb\nc",
            Some((1, 4)),
        );
        check("1:a\n2:b\n9:c", "1:a\n2:b\n9:c", None);
        check("3→only", "only", Some((3, 3)));
    }

    #[test]
    fn saved_outputs_are_unwrapped() {
        let text = "<persisted-output>\nOutput too large (22KB). Full output saved to: /a/b.txt\n\n\
            Preview (first 2KB):\nline one\n...\n</persisted-output>";
        let body = Body::open(text);
        assert_eq!(&*body.text, "line one");
        assert!(body.rest.is_some_and(|rest| rest.ends_with("/a/b.txt")));
    }

    #[test]
    fn notes_on_the_rest_are_told_apart_from_text() {
        let body = Body::open("a\n\n[487 more lines in file. Use offset=101 to continue]");
        assert_eq!(&*body.text, "a");
        assert_eq!(body.rest.as_deref(), Some("487 more lines in file"));
        assert_eq!(Body::open("a\n[link]").rest, None);
    }
}
