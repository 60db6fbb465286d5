//! Prints JSON for people and models, from its raw text.
//!
//! Key order and the spelling of numbers stay as they stand in the source. Strings are printed
//! with as few escapes as JSON allows, so that any script is readable.

/// Deeper levels than this are not indented further, so that hostile nesting cannot blow up.
const DEEPEST_INDENT: usize = 64;

/// Prints a JSON text with an indent of two spaces, condense specification 0.2.
///
/// A text that is no JSON comes back as it is.
///
/// ```
/// use epitome_core::pretty::pretty;
/// assert_eq!(pretty(r#"{"n":1.0,"a":[]}"#), "{\n  \"n\": 1.0,\n  \"a\": []\n}");
/// ```
pub fn pretty(json: &str) -> String {
    if serde_json::from_str::<serde::de::IgnoredAny>(json).is_err() {
        return json.to_owned();
    }
    let mut printer = Printer {
        out: String::with_capacity(json.len() + json.len() / 4),
        depth: 0,
    };
    let mut rest = json;
    while let Some(token) = next_token(&mut rest) {
        printer.print(token);
    }
    printer.out
}

/// Takes the next token of a valid JSON text, white space skipped.
fn next_token<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let text = rest.trim_ascii_start();
    let bytes = text.as_bytes();
    let len = match bytes.first()? {
        b'"' => string_len(bytes),
        b'{' | b'}' | b'[' | b']' | b',' | b':' => 1,
        _ => bytes
            .iter()
            .position(|b| b.is_ascii_whitespace() || b",]}".contains(b))
            .unwrap_or(bytes.len()),
    };
    let (token, after) = text.split_at(len);
    *rest = after;
    Some(token)
}

/// Length of the string token that opens here.
fn string_len(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        at += match byte {
            b'"' => return at + 1,
            b'\\' => 2,
            _ => 1,
        };
    }
    bytes.len()
}

struct Printer {
    out: String,
    depth: usize,
}

impl Printer {
    fn print(&mut self, token: &str) {
        let opened = self.out.ends_with(['{', '[']);
        match token {
            "}" | "]" => {
                self.depth = self.depth.saturating_sub(1);
                if !opened {
                    self.break_line();
                }
                self.out.push_str(token);
                return;
            }
            "," => {
                self.out.push(',');
                self.break_line();
                return;
            }
            ":" => {
                self.out.push_str(": ");
                return;
            }
            _ => {}
        }
        if opened {
            self.break_line();
        }
        match token {
            "{" | "[" => {
                self.depth += 1;
                self.out.push_str(token);
            }
            _ if token.starts_with('"') => print_string(token, &mut self.out),
            _ => self.out.push_str(token),
        }
    }

    fn break_line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.depth.min(DEEPEST_INDENT) {
            self.out.push_str("  ");
        }
    }
}

/// Prints a string token with the fewest escapes; one that holds a lone surrogate stays as it is.
fn print_string(token: &str, out: &mut String) {
    let has_escapes = token.contains('\\');
    let text = has_escapes.then(|| serde_json::from_str::<String>(token).ok());
    let encoded = text
        .flatten()
        .and_then(|text| serde_json::to_string(&text).ok());
    out.push_str(encoded.as_deref().unwrap_or(token));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn prints_with_two_spaces() {
        let check = |input: &str, expected: &str| assert_eq!(pretty(input), expected);
        check("{}", "{}");
        check(" [ ] ", "[]");
        check("null", "null");
        check(r#""a\u00e9\/""#, "\"aé/\"");
        check(
            r#"{"b":1,"a":[1.0,1e21,-0]}"#,
            "{\n  \"b\": 1,\n  \"a\": [\n    1.0,\n    1e21,\n    -0\n  ]\n}",
        );
        check(
            r#"{"a":{},"b":[],"c":[[]]}"#,
            "{\n  \"a\": {},\n  \"b\": [],\n  \"c\": [\n    []\n  ]\n}",
        );
        check(
            r#"{"10":1,"9":2,"9":3}"#,
            "{\n  \"10\": 1,\n  \"9\": 2,\n  \"9\": 3\n}",
        );
        check(
            r#"["\u000b\n\u007f\u2028"]"#,
            "[\n  \"\\u000b\\n\u{7f}\u{2028}\"\n]",
        );
        check(r#"["\ud83d"]"#, "[\n  \"\\ud83d\"\n]");
        check(
            r#"["[","{","\"}"]"#,
            "[\n  \"[\",\n  \"{\",\n  \"\\\"}\"\n]",
        );
    }

    #[test]
    fn what_is_no_json_stays() {
        for text in ["", "{", "{\"a\":}", "[1,]", "ls -l", "{} {}"] {
            assert_eq!(pretty(text), text);
        }
    }

    #[test]
    fn deep_nesting_stays_small() {
        let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
        assert!(pretty(&deep).len() < 5000 * 300);
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        use serde_json::Value;
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((any::<String>(), inner), 0..4)
                    .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn agrees_with_the_library_printer(value in json()) {
            let expected = serde_json::to_string_pretty(&value).unwrap();
            let compact = value.to_string();
            prop_assert_eq!(pretty(&compact), expected);
        }

        #[test]
        fn never_panics(text in "[\\[\\]{}:,\"\\\\ud83a1 ]{0,20}") {
            let _ = pretty(&text);
        }
    }
}
