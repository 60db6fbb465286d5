//! Lines of a JSONL file and lenient readings of what stands on them.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{
    Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
    value::MapAccessDeserializer,
};
use serde_json::value::RawValue;

use crate::json::{self, Span};
use crate::transcript::BrokenLine;

/// One line that is not blank.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// Its number, from 1.
    pub(super) number: usize,
    /// Its bytes, without the line feed.
    span: Span,
}

impl Line {
    pub(super) fn bytes<'a>(&self, source: &'a [u8]) -> &'a [u8] {
        &source[self.span.clone()]
    }

    /// Reads the line as an object of this shape, or says why it is none.
    pub(super) fn parse<'a, T: Deserialize<'a>>(&self, source: &'a [u8]) -> Result<T, BrokenLine> {
        let bytes = self.bytes(source);
        serde_json::from_slice(bytes).map_err(|error| BrokenLine {
            line: self.number,
            reason: reason(&error, bytes),
        })
    }
}

/// Why a line is no JSON object, as a fragment that fits "line 7 is …".
pub(super) fn reason(error: &serde_json::Error, bytes: &[u8]) -> String {
    if std::str::from_utf8(bytes).is_err() {
        return "not valid UTF-8".to_owned();
    }
    match error.classify() {
        serde_json::error::Category::Eof => "cut off in the middle".to_owned(),
        serde_json::error::Category::Data => "not a JSON object of the expected shape".to_owned(),
        _ => format!("not valid JSON at column {}", error.column()),
    }
}

/// The lines of a source, blank ones left out.
#[derive(Debug, Clone)]
pub(super) struct Lines<'a> {
    source: &'a [u8],
    at: usize,
    number: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(source: &'a [u8]) -> Self {
        Self {
            source,
            at: 0,
            number: 0,
        }
    }
}

impl Iterator for Lines<'_> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        while self.at < self.source.len() {
            let start = self.at;
            let rest = &self.source[start..];
            let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            self.at = start + length + 1;
            self.number += 1;
            if !rest[..length].trim_ascii().is_empty() {
                return Some(Line {
                    number: self.number,
                    span: start..start + length,
                });
            }
        }
        None
    }
}

/// What tells the formats apart.
#[derive(serde::Deserialize)]
pub(super) struct Probe<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) id: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) version: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) cwd: Option<&'a RawValue>,
    #[serde(borrow, rename = "sessionId")]
    session_id: Option<&'a RawValue>,
    #[serde(borrow, rename = "parentUuid")]
    parent: Option<&'a RawValue>,
    #[serde(borrow)]
    uuid: Option<&'a RawValue>,
}

impl Probe<'_> {
    /// Whether the line has the envelope of Claude Code.
    pub(super) fn is_claude_code(&self) -> bool {
        let named = |raw: Option<&RawValue>| raw.and_then(json::string_of).is_some();
        named(self.kind) && named(self.uuid) && (named(self.session_id) || self.parent.is_some())
    }
}

/// An object of this shape; any other JSON value reads as `None`.
#[derive(Debug)]
pub(super) struct ObjectOf<T>(pub(super) Option<T>);

impl<T> Default for ObjectOf<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ObjectOf<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = ObjectOf<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(|object| ObjectOf(Some(object)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(ObjectOf(None))
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(ObjectOf(None))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(ObjectOf(None))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(ObjectOf(None))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(ObjectOf(None))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(ObjectOf(None))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(ObjectOf(None))
    }
}

/// The text of a field that should hold a string.
pub(super) fn text(raw: Option<&RawValue>) -> Option<Cow<'_, str>> {
    raw.and_then(json::string_of)
}

/// The text of a field that should hold a string, owned.
pub(super) fn owned(raw: Option<&RawValue>) -> Option<String> {
    text(raw).map(Cow::into_owned)
}

/// Whether a field holds `true`.
pub(super) fn is_true(raw: Option<&RawValue>) -> bool {
    raw.is_some_and(|raw| raw.get() == "true")
}

/// The whole milliseconds of a numeric field.
pub(super) fn milliseconds(raw: Option<&RawValue>) -> Option<i64> {
    let number: f64 = raw?.get().parse().ok()?;
    (number.is_finite() && number.abs() < 9e15).then_some(number as i64)
}
