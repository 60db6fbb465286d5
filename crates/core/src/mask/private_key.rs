//! Blocks of private keys, also where a cut took their head or their tail.

use std::ops::Range;

use memchr::memmem;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";

/// The longest label between the dashes that is looked at, in bytes.
const LONGEST_LABEL: usize = 64;

/// Finds private key blocks. Without its last line a block runs to the end of the text, without its
/// first one it begins where lines of base64 do.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((at, opens, after)) = next_mark(text, from) {
        if opens {
            let end = closing(text, after);
            found.push(at..end);
            from = end;
        } else {
            let start = base64_before(text, from, at);
            found.push(start..after);
            from = after;
        }
    }
    found
}

/// The next line that opens or closes a private key, with its end.
fn next_mark(text: &str, from: usize) -> Option<(usize, bool, usize)> {
    memmem::find_iter(&text.as_bytes()[from..], DASHES).find_map(|at| {
        let at = from + at;
        let rest = &text[at..];
        let (opens, label) = match (rest.strip_prefix(BEGIN), rest.strip_prefix(END)) {
            (Some(label), _) => (true, label),
            (_, Some(label)) => (false, label),
            _ => return None,
        };
        let length = label_length(label)?;
        let after = text.len() - label.len() + length + DASHES.len();
        Some((at, opens, after))
    })
}

/// Length of the label of a private key up to its dashes.
fn label_length(label: &str) -> Option<usize> {
    let bytes = label.as_bytes();
    let head = &bytes[..bytes.len().min(LONGEST_LABEL)];
    let length = memmem::find(head, DASHES.as_bytes())?;
    let label = &label[..length];
    (label.ends_with("PRIVATE KEY") || label.ends_with("PRIVATE KEY BLOCK")).then_some(length)
}

/// End of the block whose first line ends at `from`.
fn closing(text: &str, from: usize) -> usize {
    let mut at = from;
    while let Some((_, opens, after)) = next_mark(text, at) {
        if !opens {
            return after;
        }
        at = after;
    }
    text.len()
}

/// Start of the lines of base64 that stand right before `end`, not before `floor`.
fn base64_before(text: &str, floor: usize, end: usize) -> usize {
    let mut start = end;
    for line in text[floor..end].split_inclusive('\n').rev() {
        let content = line.trim();
        let is_base64 = content
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
        if !is_base64 {
            break;
        }
        start -= line.len();
    }
    start
}
