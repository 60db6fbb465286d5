//! Content hash of a result: what makes two results the same for deduplication.
//!
//! The hash runs over normalized text, condense specification 3.3. Both the hash and the
//! normalized text are made of the same runs, so that the hash needs no copy of the text.

use std::borrow::Cow;

use sha1::{Digest, Sha1};

use crate::id::hex;
use crate::text::trim;

/// Makes the text that counts for identity: CRLF becomes LF, spaces and tabs at line ends go, then
/// white space at both ends of the whole.
///
/// A lone carriage return stays, as does any other white space inside.
pub fn normalize(text: &str) -> Cow<'_, str> {
    let trimmed = trim(text);
    let mut owned = String::new();
    let mut borrowed = None;
    for_each_run(trimmed, |run| {
        if run.len() == trimmed.len() {
            borrowed = Some(run);
        } else {
            owned.push_str(run);
        }
    });
    borrowed.map_or(Cow::Owned(owned), Cow::Borrowed)
}

/// Makes the hash of a result: SHA-1 over tool name, a zero byte and the normalized text, in
/// lower-case hexadecimal digits.
///
/// Arguments, the error flag and blocks that are not text are no part of it: callers compare those
/// themselves before they call two results duplicates.
pub fn content_hash(tool: &str, text: &str) -> String {
    let mut hasher = Sha1::new();
    hasher.update(tool.as_bytes());
    hasher.update([0]);
    for_each_run(trim(text), |run| hasher.update(run.as_bytes()));
    hex(&hasher.finalize())
}

/// Hands out the pieces of a trimmed text that stay, in order, each as long as possible.
///
/// Trimming first gives what trimming last would: the rules inside only touch white space, and
/// none of it is left at the ends.
fn for_each_run<'a>(text: &'a str, mut emit: impl FnMut(&'a str)) {
    let bytes = text.as_bytes();
    let mut run_start = 0;
    let mut from = 1;
    while let Some(line_feed) = find_padded_line_feed(bytes, from) {
        let run = &bytes[run_start..line_feed];
        emit(&text[run_start..run_start + end_of_line(run)]);
        run_start = line_feed;
        from = line_feed + 1;
    }
    emit(&text[run_start..]);
}

/// Length of a line without its line end: one carriage return, then all spaces and tabs before it.
///
/// A run may start with the line feed of the line before, which stops the search.
fn end_of_line(line: &[u8]) -> usize {
    let mut end = line.len();
    if end > 0 && line[end - 1] == b'\r' {
        end -= 1;
    }
    while end > 0 && matches!(line[end - 1], b' ' | b'\t') {
        end -= 1;
    }
    end
}

/// Offset of the first line feed from `from` on, which is at least 1, that has a byte before it
/// that may have to go.
fn find_padded_line_feed(bytes: &[u8], mut from: usize) -> Option<usize> {
    // In numbers, since a short cut between booleans is a branch.
    let is_hit = |before: u8, byte: u8| {
        let padding = [b' ', b'\t', b'\r'].map(|pad| u8::from(before == pad));
        u8::from(byte == b'\n') & (padding[0] | padding[1] | padding[2])
    };
    // Most blocks hold no such line feed. Looking at a whole block without leaving early runs on
    // vectors.
    const BLOCK: usize = 64;
    while from + BLOCK <= bytes.len() {
        let before = &bytes[from - 1..from - 1 + BLOCK];
        let block = &bytes[from..from + BLOCK];
        let hits = before
            .iter()
            .zip(block)
            .fold(0u8, |hits, (&before, &byte)| hits | is_hit(before, byte));
        if hits != 0 {
            break;
        }
        from += BLOCK;
    }
    (from..bytes.len()).find(|&at| is_hit(bytes[at - 1], bytes[at]) == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn normalization_follows_the_format() {
        let check = |input, expected| assert_eq!(normalize(input), expected, "{input:?}");
        check("", "");
        check("plain", "plain");
        check("a\r\nb", "a\nb");
        check("a \t\r\nb\t \nc", "a\nb\nc");
        check("a\rb", "a\rb");
        check("a\r\r\nb", "a\r\nb");
        check("a\r \nb", "a\r\nb");
        check("a\u{a0}\nb", "a\u{a0}\nb");
        check("\u{feff}a\u{a0}", "a");
        check("\u{85}a\u{85}", "\u{85}a\u{85}");
        check("a\u{c}\nb\u{b}\n", "a\u{c}\nb");
        check("\n\n \t\n", "");
        check("\r\n  a\n\n  b", "a\n\n  b");
    }

    #[test]
    fn hash_names_tool_and_text() {
        assert_eq!(
            content_hash("", ""),
            "5ba93c9db0cff93f52b521d7420e43f6eda2784f"
        );
        assert_eq!(
            content_hash("read", "a \r\nb\n"),
            content_hash("read", "a\nb")
        );
        assert_ne!(content_hash("read", "a"), content_hash("bash", "a"));
        assert_ne!(content_hash("read", "a b"), content_hash("read", "a  b"));
    }

    fn line_ends() -> impl Strategy<Value = String> {
        "([ab\u{a0}\u{feff}\u{85}😀]|[ \t\r\n]){0,40}"
    }

    proptest! {
        #[test]
        fn normalization_equals_the_plain_recipe(text in prop_oneof![line_ends(), any::<String>()]) {
            let lines: Vec<String> = text
                .replace("\r\n", "\n")
                .split('\n')
                .map(|line| line.trim_end_matches([' ', '\t']).to_owned())
                .collect();
            let joined = lines.join("\n");
            let normalized = normalize(&text);
            prop_assert_eq!(normalized.as_ref(), trim(&joined));
        }

        #[test]
        fn hash_depends_on_the_normalized_text_only(text in line_ends()) {
            let plain = normalize(&text);
            let mut hasher = Sha1::new();
            hasher.update(b"read\0");
            hasher.update(plain.as_bytes());
            prop_assert_eq!(content_hash("read", &text), hex(&hasher.finalize()));
        }

        #[test]
        fn normalization_twice_is_stable_without_carriage_returns(text in "[ab \t\n\u{a0}]{0,40}") {
            let once = normalize(&text);
            prop_assert_eq!(normalize(&once), once.clone());
        }
    }
}
