//! The fields of a JSON object, each with its raw value.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Fields by name, in the order of the text; of two with one name the last one counts.
#[derive(Debug, Default)]
pub(super) struct Fields<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Fields<'a> {
    /// The raw value of a field.
    pub(super) fn get(&self, name: &str) -> Option<&'a RawValue> {
        let named = self.0.iter().rev().find(|field| field.0 == name);
        named.map(|field| field.1)
    }

    /// The first of some fields that is there and holds a text.
    pub(super) fn text(&self, names: &[&str]) -> Option<Cow<'a, str>> {
        names.iter().find_map(|name| string(self.get(name)?))
    }

    /// All fields by name.
    pub(super) fn sorted(mut self) -> Vec<(Cow<'a, str>, &'a RawValue)> {
        self.0.sort_by(|one, other| one.0.cmp(&other.0));
        self.0
    }
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut fields = Vec::new();
        while let Some((Name(name), value)) = map.next_entry()? {
            fields.push((name, value));
        }
        Ok(Fields(fields))
    }
}

/// The name of a field, borrowed where it holds no escape.
#[derive(serde::Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

/// The text of a raw value: a string, or the last item of a list of strings (`["sh", "-c", …]`).
pub(super) fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    let text = raw.get();
    match text.as_bytes().first()? {
        b'"' => {
            // The parser that made the raw value has seen that it is well formed.
            let inner = text.get(1..text.len() - 1)?;
            if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
                return Some(Cow::Borrowed(inner));
            }
            serde_json::from_str(text).ok().map(Cow::Owned)
        }
        b'[' => {
            let list: Vec<String> = serde_json::from_str(text).ok()?;
            let words = match list.as_slice() {
                [] => return None,
                [shell, flag, script] if flag.starts_with('-') && shell.ends_with("sh") => {
                    script.clone()
                }
                words => words.join(" "),
            };
            Some(Cow::Owned(words))
        }
        _ => None,
    }
}
