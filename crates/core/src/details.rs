//! Second copies of results: structured for display, not sent, often larger than the result.
//!
//! When a result becomes a stub its second copy is shrunk: keys and types stay, since interfaces
//! read them; long strings and long lists of strings go. Source: wire specification, part 2,
//! section 1, `toolUseResult`.

use crate::edit::Edit;
use crate::id::ShortRef;
use crate::json::{NestedKind, Span, encode_string, nested_values};

/// Raw bytes that a string of a second copy may have.
const LONGEST_STRING: usize = 160;

/// Raw bytes that a list of strings of a second copy may have.
const LONGEST_LIST: usize = 400;

/// Edits that shrink the second copy at `span`, whose raw JSON is `raw`.
pub fn shrink(raw: &str, span: &Span, short: ShortRef) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut done = 0;
    for nested in nested_values(raw) {
        if nested.span.start < done {
            continue;
        }
        let value = &raw[nested.span.clone()];
        let replacement = match nested.kind {
            NestedKind::String if value.len() > LONGEST_STRING => encode_string(&format!(
                "[epitome: {} bytes left out, ref {short}]",
                value.len() - 2
            )),
            NestedKind::Array if value.len() > LONGEST_LIST && holds_strings_only(value) => {
                "[]".to_owned()
            }
            _ => continue,
        };
        done = nested.span.end;
        let start = span.start;
        edits.push(Edit {
            span: start + nested.span.start..start + nested.span.end,
            replacement,
        });
    }
    edits
}

fn holds_strings_only(array: &str) -> bool {
    let nested = nested_values(array);
    let inner: usize = nested.iter().skip(1).map(|string| string.span.len()).sum();
    let all_strings = nested
        .iter()
        .skip(1)
        .all(|value| value.kind == NestedKind::String);
    // What remains beside the strings are the brackets, commas and white space.
    all_strings && inner + 2 * nested.len() + 2 >= array.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{apply, normalize};

    fn shrunk(raw: &str) -> String {
        let short = ShortRef::new(7).unwrap();
        let edits = normalize(raw.as_bytes(), shrink(raw, &(0..raw.len()), short));
        String::from_utf8(apply(raw.as_bytes(), &edits).bytes).unwrap()
    }

    #[test]
    fn keys_and_types_stay() {
        let long = "x".repeat(200);
        let lines = format!("[{}]", vec!["\"some line\""; 60].join(","));
        let raw = format!(
            r#"{{"filePath":"a.rs","old":"{long}","n":1.0,"patch":[{{"start":3,"lines":{lines}}}],"ok":true}}"#
        );
        assert_eq!(
            shrunk(&raw),
            r#"{"filePath":"a.rs","old":"[epitome: 200 bytes left out, ref t7]","n":1.0,"patch":[{"start":3,"lines":[]}],"ok":true}"#
        );
        assert_eq!(
            shrunk(&format!("\"{long}\"")),
            "\"[epitome: 200 bytes left out, ref t7]\""
        );
        let numbers = format!("[{}]", vec!["123456"; 100].join(","));
        assert_eq!(shrunk(&numbers), numbers);
    }
}
