//! Raw JSON: byte ranges of values, lossless string decoding, nested scans.
//!
//! Untouched parts of a source are never re-serialized, so everything here works on the bytes as
//! they stand and answers with spans.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr;
use serde_json::value::RawValue;

/// A byte range of the source.
pub type Span = Range<usize>;

/// The span of a raw value inside the source that it was borrowed from.
pub fn span_in(source: &[u8], raw: &RawValue) -> Span {
    let start = raw.get().as_ptr() as usize - source.as_ptr() as usize;
    start..start + raw.get().len()
}

/// The text of a raw JSON string; `None` for any other value.
///
/// A lone surrogate has no place in UTF-8 and stands as its escape, `\ud83d`.
pub fn string_of(raw: &RawValue) -> Option<Cow<'_, str>> {
    decode_string(raw.get())
}

/// The text of a JSON string token, quotes included; `None` if it is no string.
pub fn decode_string(token: &str) -> Option<Cow<'_, str>> {
    let inner = token.strip_prefix('"')?.strip_suffix('"')?;
    let Some(mut at) = memchr(b'\\', inner.as_bytes()) else {
        return Some(Cow::Borrowed(inner));
    };
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    loop {
        text.push_str(&rest[..at]);
        rest = decode_escape(&rest[at..], &mut text);
        match memchr(b'\\', rest.as_bytes()) {
            Some(next) => at = next,
            None => break,
        }
    }
    text.push_str(rest);
    Some(Cow::Owned(text))
}

/// Decodes the escape at the start of `rest` and returns what follows it.
fn decode_escape<'a>(rest: &'a str, text: &mut String) -> &'a str {
    let simple = match rest.as_bytes().get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(&byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
        Some(b'u') => return decode_unicode_escape(rest, text),
        _ => {
            text.push('\\');
            return &rest[1..];
        }
    };
    text.push(simple);
    &rest[2..]
}

fn decode_unicode_escape<'a>(rest: &'a str, text: &mut String) -> &'a str {
    let unit = |at: usize| {
        let escape = rest.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(escape, 16).ok()
    };
    let Some(first) = unit(0) else {
        text.push('\\');
        return &rest[1..];
    };
    let units = [first, unit(6).unwrap_or_default()];
    if let Some(Ok(decoded)) = char::decode_utf16(units).next() {
        text.push(decoded);
        &rest[decoded.len_utf16() * 6..]
    } else {
        text.push_str(&rest[..6]);
        &rest[6..]
    }
}

/// A JSON string token for this text, quotes included.
pub fn encode_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Raw values of a JSON array; `None` if the value is no array.
pub fn elements_of(raw: &RawValue) -> Option<Vec<&RawValue>> {
    raw.get()
        .starts_with('[')
        .then(|| serde_json::from_str(raw.get()).ok())
        .flatten()
}

/// A string or an array that stands somewhere inside a valid JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nested {
    /// Where it stands, relative to the start of the text.
    pub span: Span,
    /// Which of the two it is.
    pub kind: NestedKind,
}

/// The kinds of [`Nested`] values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NestedKind {
    /// A string that is a value, not an object key.
    String,
    /// An array.
    Array,
}

/// Strings and arrays inside a valid JSON text, outermost arrays before what they hold.
pub fn nested_values(text: &str) -> Vec<Nested> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut open = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                let end = string_end(bytes, at);
                if !is_key(bytes, end) {
                    found.push(Nested {
                        span: at..end,
                        kind: NestedKind::String,
                    });
                }
                at = end;
                continue;
            }
            b'[' => {
                open.push(found.len());
                found.push(Nested {
                    span: at..at,
                    kind: NestedKind::Array,
                });
            }
            b']' => {
                if let Some(index) = open.pop() {
                    found[index].span.end = at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    found.retain(|nested| !nested.span.is_empty());
    found
}

/// The offset after the string token that opens at `at`.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < bytes.len() {
        match bytes[end] {
            b'\\' => end += 2,
            b'"' => return end + 1,
            _ => end += 1,
        }
    }
    bytes.len()
}

fn is_key(bytes: &[u8], mut at: usize) -> bool {
    while at < bytes.len() && matches!(bytes[at], b' ' | b'\t' | b'\r' | b'\n') {
        at += 1;
    }
    bytes.get(at) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check_string(token: &str, expected: &str) {
        assert_eq!(decode_string(token).as_deref(), Some(expected), "{token}");
    }

    #[test]
    fn strings_decode() {
        check_string(r#""plain""#, "plain");
        check_string(r#""a\n\t\"\\\/\u0041""#, "a\n\t\"\\/A");
        check_string(r#""\ud83d\ude00!""#, "😀!");
        check_string(r#""\ud83d""#, "\\ud83d");
        check_string(r#""\ude00\ud83d\ude00""#, "\\ude00😀");
        check_string(r#""\ud83d\ud83d\ude00""#, "\\ud83d😀");
        check_string(r#""\ud83dx""#, "\\ud83dx");
        assert_eq!(decode_string("12"), None);
    }

    #[test]
    fn nested_values_are_found_without_keys() {
        let text = r#"{"a":"x","b":[1,"y]",["z"]],"c" : {"d":"\"q"}}"#;
        let found: Vec<&str> = nested_values(text)
            .into_iter()
            .map(|nested| &text[nested.span])
            .collect();
        assert_eq!(
            found,
            [
                r#""x""#,
                r#"[1,"y]",["z"]]"#,
                r#""y]""#,
                r#"["z"]"#,
                r#""z""#,
                r#""\"q""#
            ]
        );
    }

    proptest! {
        #[test]
        fn encoding_round_trips(text in any::<String>()) {
            let token = encode_string(&text);
            let decoded = decode_string(&token);
            prop_assert_eq!(decoded.as_deref(), Some(text.as_str()));
        }

        #[test]
        fn decoding_never_panics(token in "\"(\\\\|u|d|8|3|é|\\{|\"){0,12}\"") {
            let _ = decode_string(&token);
        }
    }
}
