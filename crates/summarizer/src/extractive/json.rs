//! JSON: top-level keys with sizes, and the values that fit.

use serde_json::Value;

use super::findings::Findings;
use super::line::{clean, is_quotable};

/// Longest document that is parsed; of a longer one only the beginning is looked at.
const PARSED: usize = 256 * 1024;

/// Reads a JSON document or JSON lines.
pub(super) fn read<'a>(text: &'a str, lines: &[&'a str], findings: &mut Findings<'a>) {
    let text = text.trim();
    if text.len() <= PARSED
        && let Ok(value) = serde_json::from_str::<Value>(text)
    {
        describe(&value, findings);
        return;
    }
    let first = lines.first().copied().unwrap_or_default();
    let rows = lines.len();
    let row = (first.len() <= PARSED)
        .then(|| serde_json::from_str::<Value>(first).ok())
        .flatten();
    match row {
        Some(value) if rows > 1 => {
            findings.state(format!("{rows} JSON lines, the first:"));
            describe(&value, findings);
        }
        _ => {
            findings.state(format!("JSON, {rows} lines, {} bytes", text.len()));
            for line in lines.iter().filter(|line| line.contains(':')).take(8) {
                findings.quote(*line, 80);
            }
        }
    }
}

/// Describes one value: keys of an object, length and first item of a list.
fn describe(value: &Value, findings: &mut Findings<'_>) {
    match value {
        Value::Object(fields) => {
            findings.state(format!("object with {} keys", fields.len()));
            for (name, value) in fields.iter().take(24) {
                findings.quote(format!("{name}: {}", short(value)), 100);
            }
        }
        Value::Array(items) => {
            findings.state(format!("list of {}", items.len()));
            for item in items.iter().take(6) {
                match item {
                    Value::Object(fields) => {
                        let fields: Vec<String> = fields
                            .iter()
                            .take(8)
                            .map(|(name, value)| format!("{name}: {}", short(value)))
                            .collect();
                        findings.quote(fields.join(", "), 150);
                    }
                    other => findings.quote(short(other), 80),
                }
            }
        }
        other => findings.quote(short(other), 200),
    }
}

/// A value in a few words: its own text when short, else its size.
fn short(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let names: Vec<&str> = fields.keys().take(5).map(String::as_str).collect();
            let more = if fields.len() > 5 { ", …" } else { "" };
            format!("{{{}{more}}}", names.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.len()),
        Value::String(text) if is_quotable(text) => clean(text, 60).into_owned(),
        Value::String(text) => format!("text of {} bytes", text.len()),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_keeps_keys_and_sizes() {
        let check = |text: &str, facts: &[&str], quotes: &[&str]| {
            let mut findings = Findings::default();
            read(text, &crate::extractive::line::split(text), &mut findings);
            assert_eq!(findings.facts, facts);
            assert_eq!(findings.quotes, quotes);
        };
        check(
            r#"{"id":7,"tags":["a","b"],"who":{"name":"x"}}"#,
            &["object with 3 keys"],
            &["id: 7", "tags: [2]", "who: {name}"],
        );
        check(
            r#"[{"id":1,"ok":true},{"id":2,"ok":false}]"#,
            &["list of 2"],
            &["id: 1, ok: true", "id: 2, ok: false"],
        );
        check(
            "{\"a\":1}\n{\"a\":2}\n",
            &["2 JSON lines, the first:", "object with 1 keys"],
            &["a: 1"],
        );
        check(
            "{\"a\": 1,\n broken",
            &["JSON, 2 lines, 16 bytes"],
            &["{\"a\": 1,"],
        );
    }
}
