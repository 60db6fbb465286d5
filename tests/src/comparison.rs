//! Holds a resumed session against its source: what an agent loads may differ in stubs only.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};

use anyhow::{Context as _, ensure};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::loader::{Format, Loaded};
use crate::request::request_problems;

/// A stub in the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stub {
    /// The full ref that it names.
    pub reference: String,
    /// Id of the call.
    pub call: String,
    /// The content of the result in the source, as raw JSON.
    pub raw: String,
}

/// Compares a source with its condensed form and returns the stubs of the latter.
///
/// `fresh` is the id that the new session must carry wherever it carries one.
pub fn compare(source: &[u8], output: &[u8], fresh: &str) -> anyhow::Result<Vec<Stub>> {
    let before = Loaded::new(source).context("the source")?;
    let after = Loaded::new(output).context("the output")?;
    check_ids(&before, &after, fresh)?;
    ensure!(before.path == after.path, "the path differs");
    ensure!(
        before.mended == after.mended,
        "the agent mends {:?}, before {:?}",
        after.mended,
        before.mended
    );
    check_messages(&before, &after)?;
    let stubs = compare_lines((source, &before), (output, &after))?;
    let known = request_problems(&before.request());
    for problem in request_problems(&after.request()) {
        ensure!(
            known.contains(&problem),
            "the request is not valid: {problem}"
        );
    }
    Ok(stubs)
}

/// The stubs of a condensed form that is no new session.
pub fn stubs(source: &[u8], output: &[u8]) -> anyhow::Result<Vec<Stub>> {
    let before = Loaded::new(source).context("the source")?;
    let after = Loaded::new(output).context("the output")?;
    compare_lines((source, &before), (output, &after))
}

fn check_ids(before: &Loaded, after: &Loaded, fresh: &str) -> anyhow::Result<()> {
    let (old, new) = (before.session_ids(), after.session_ids());
    ensure!(old.len() == new.len(), "ids of the session went or came");
    for ((old_line, old), (new_line, new)) in old.into_iter().zip(new) {
        ensure!(old_line == new_line, "ids of the session moved");
        ensure!(
            new == fresh && old != fresh,
            "line {}: the id {new} is not the fresh one",
            new_line + 1
        );
    }
    Ok(())
}

fn check_messages(before: &Loaded, after: &Loaded) -> anyhow::Result<()> {
    let roles = |loaded: &Loaded| -> Vec<String> {
        let roles = loaded.messages.iter().map(|message| &message["role"]);
        roles.map(Value::to_string).collect()
    };
    ensure!(roles(before) == roles(after), "the roles differ");
    let kept = |loaded: &Loaded| -> Vec<String> {
        let messages = loaded.messages.iter();
        messages
            .map(|message| masked_content(&message["content"], loaded.format).to_string())
            .collect()
    };
    for (index, (before, after)) in kept(before).into_iter().zip(kept(after)).enumerate() {
        ensure!(
            before == after,
            "message {index}: {after} instead of {before}"
        );
    }
    check_thinking(before, after)
}

/// Thinking stays as a whole, or goes as a whole from the first stub on.
fn check_thinking(before: &Loaded, after: &Loaded) -> anyhow::Result<()> {
    let blocks = |loaded: &Loaded, wanted: fn(&Value) -> bool| -> Vec<(usize, Value)> {
        let messages = loaded.messages.iter().enumerate();
        messages
            .flat_map(|(index, message)| {
                let blocks = message["content"].as_array().into_iter().flatten();
                blocks.map(move |block| (index, block.clone()))
            })
            .filter(|(_, block)| wanted(block))
            .collect()
    };
    let is_result = |block: &Value| block["type"] == "tool_result";
    let results = blocks(before, is_result).into_iter();
    let first_stub = results
        .zip(blocks(after, is_result))
        .find_map(|((index, old), (_, new))| (old != new).then_some(index));
    let (old, new) = (blocks(before, is_thinking), blocks(after, is_thinking));
    let until_stub: Vec<_> = old
        .iter()
        .filter(|(index, _)| first_stub.is_none_or(|stub| *index < stub))
        .cloned()
        .collect();
    ensure!(
        new == old || new == until_stub,
        "thinking went from between thinking"
    );
    Ok(())
}

fn compare_lines(
    (source, before): (&[u8], &Loaded),
    (output, after): (&[u8], &Loaded),
) -> anyhow::Result<Vec<Stub>> {
    let raw = |bytes: &[u8]| -> Vec<Vec<u8>> {
        let lines = bytes.split_inclusive(|&byte| byte == b'\n');
        lines.map(<[u8]>::to_vec).collect()
    };
    let (old, new) = (raw(source), raw(output));
    ensure!(
        old.len() == new.len(),
        "{} lines, before {}",
        new.len(),
        old.len()
    );
    let on_path: HashSet<&str> = before.path.iter().map(String::as_str).collect();
    let mut stubs = Vec::new();
    for index in 0..old.len() {
        let found = compare_line(
            &Line::new(&old[index], before, index),
            &Line::new(&new[index], after, index),
            &on_path,
        );
        stubs.extend(found.with_context(|| format!("line {}", index + 1))?);
    }
    Ok(stubs)
}

/// A line as bytes and as JSON.
struct Line<'a> {
    bytes: &'a [u8],
    json: &'a Value,
    format: Format,
    /// The first line of the file.
    header: &'a Value,
}

fn compare_line(
    before: &Line<'_>,
    after: &Line<'_>,
    on_path: &HashSet<&str>,
) -> anyhow::Result<Vec<Stub>> {
    if before.json.is_null() {
        ensure!(before.bytes == after.bytes, "a broken line differs");
        return Ok(Vec::new());
    }
    let masked = |line: &Line<'_>| line.masked().to_string();
    ensure!(
        masked(before) == masked(after),
        "it differs outside results"
    );
    let id = before.json[before.keys().id].as_str().unwrap_or_default();
    if !on_path.contains(id) && !id.is_empty() {
        let content = |line: &Line<'_>| without_results(&line.json["message"]["content"]);
        ensure!(
            content(before) == content(after),
            "thinking went that is not sent"
        );
    }
    let mut stubs = Vec::new();
    let (old, new) = (before.results(), after.results());
    ensure!(old.len() == new.len(), "results went or came");
    for ((call, raw), (_, new)) in old.into_iter().zip(new) {
        if raw == new {
            continue;
        }
        let reference = stub_reference(&raw, &new).with_context(|| format!("no stub: {new}"))?;
        stubs.push(Stub {
            reference,
            call,
            raw,
        });
    }
    ensure!(
        stubs.is_empty() || id.is_empty() || on_path.contains(id),
        "a stub for a result that is not sent"
    );
    check_copy(before, after, stubs.is_empty())?;
    Ok(stubs)
}

/// The second copy of a result keeps keys and types, and changes only beside a stub.
fn check_copy(before: &Line<'_>, after: &Line<'_>, is_untouched: bool) -> anyhow::Result<()> {
    let copy = |line: &Line<'_>| line.json.pointer(line.keys().copy).cloned();
    let (old, new) = (copy(before), copy(after));
    if is_untouched {
        ensure!(old == new, "the second copy of a result that stays differs");
    }
    ensure!(
        has_shape_of(&new.unwrap_or_default(), &old.unwrap_or_default()),
        "the second copy lost keys or types"
    );
    ensure!(
        is_untouched || after.bytes.len() < before.bytes.len(),
        "the line did not get shorter"
    );
    Ok(())
}

/// Where things stand in a line.
struct Keys {
    id: &'static str,
    session: &'static [&'static str],
    copy: &'static str,
}

impl Line<'_> {
    fn new<'a>(bytes: &'a [u8], loaded: &'a Loaded, index: usize) -> Line<'a> {
        Line {
            bytes,
            json: &loaded.lines[index],
            format: loaded.format,
            header: &loaded.lines[0],
        }
    }

    fn keys(&self) -> Keys {
        match self.format {
            Format::ClaudeCode => Keys {
                id: "uuid",
                session: &["sessionId", "session_id"],
                copy: "/toolUseResult",
            },
            Format::Pi => Keys {
                id: "id",
                session: &[],
                copy: "/message/details",
            },
        }
    }

    /// The line without what may differ: the session's id, results, their copies and thinking.
    fn masked(&self) -> Value {
        let mut line = self.json.clone();
        for key in self.keys().session {
            if line[key].is_string() {
                line[key] = Value::Null;
            }
        }
        if self.format == Format::Pi && line["type"] == "session" {
            line["id"] = Value::Null;
        } else if self.format == Format::Pi && line["parentId"] == self.header["id"] {
            // Some writers name the header as the parent of the root.
            line["parentId"] = "the header".into();
        }
        if let Some(copy) = line.pointer_mut(self.keys().copy) {
            *copy = Value::Null;
        }
        if line["message"]["role"] == "toolResult" {
            line["message"]["content"] = Value::Null;
        } else if let Some(content) = line.pointer_mut("/message/content") {
            *content = masked_content(content, self.format);
        }
        line
    }

    /// Calls and the raw contents of their results.
    fn results(&self) -> Vec<(String, String)> {
        let message = std::str::from_utf8(self.bytes).ok().and_then(members);
        let message = message.and_then(|line| members(line.get("message")?.get()));
        let Some(message) = message else {
            return Vec::new();
        };
        let Some(content) = message.get("content") else {
            return Vec::new();
        };
        if let Some(id) = message.get("toolCallId") {
            return vec![(decoded(id), content.get().to_owned())];
        }
        let blocks: Vec<&RawValue> = serde_json::from_str(content.get()).unwrap_or_default();
        let blocks = blocks.into_iter().filter_map(|block| members(block.get()));
        blocks
            .filter_map(|block| {
                let id = decoded(block.get("tool_use_id")?);
                let content = block.get("content").map_or("", |content| content.get());
                Some((id, content.to_owned()))
            })
            .collect()
    }
}

fn members(object: &str) -> Option<BTreeMap<String, &RawValue>> {
    serde_json::from_str(object).ok()
}

fn decoded(raw: &RawValue) -> String {
    serde_json::from_str(raw.get()).unwrap_or_default()
}

fn is_thinking(block: &Value) -> bool {
    block["type"] == "thinking" || block["type"] == "redacted_thinking"
}

/// Blocks without thinking, results without their content.
fn masked_content(content: &Value, format: Format) -> Value {
    let Some(blocks) = content.as_array() else {
        return content.clone();
    };
    let mut kept: Vec<Value> = blocks.iter().filter(|b| !is_thinking(b)).cloned().collect();
    if format == Format::ClaudeCode && kept.is_empty() {
        kept.push("only thinking".into());
    }
    without_results(&Value::Array(kept))
}

fn without_results(content: &Value) -> Value {
    let mut content = content.clone();
    for block in content.as_array_mut().into_iter().flatten() {
        if block["type"] == "tool_result"
            && block["content"].is_string() | block["content"].is_array()
        {
            block["content"] = Value::Null;
        }
    }
    content
}

/// The full ref of a stub that took the place of a result; none where the new content is no stub or
/// has another shape than the old one.
fn stub_reference(old: &str, new: &str) -> Option<String> {
    let new: Value = serde_json::from_str(new).ok()?;
    let text = match (old.bytes().next()?, &new) {
        (b'"', Value::String(text)) => text.as_str(),
        (b'[', Value::Array(blocks)) => blocks.first()?["text"].as_str()?,
        _ => return None,
    };
    let head = text.strip_prefix("[Summarized, ref `")?.lines().next()?;
    let (_, reference) = head.split_once("Get it: epitome recover ")?;
    Some(reference.strip_suffix(']')?.to_owned())
}

/// Whether a value has all keys and types of another; lists may be shorter.
fn has_shape_of(new: &Value, old: &Value) -> bool {
    match (new, old) {
        (Value::Object(new), Value::Object(old)) => {
            new.len() == old.len()
                && old
                    .iter()
                    .all(|(key, old)| new.get(key).is_some_and(|new| has_shape_of(new, old)))
        }
        (Value::Array(new), Value::Array(old)) => {
            new.len() <= old.len() && new.iter().zip(old).all(|(new, old)| has_shape_of(new, old))
        }
        (Value::String(_), Value::String(_))
        | (Value::Number(_), Value::Number(_))
        | (Value::Bool(_), Value::Bool(_))
        | (Value::Null, Value::Null) => true,
        _ => false,
    }
}
