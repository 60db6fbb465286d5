//! Edits on byte ranges: the only way that output differs from its source.

use crate::json::Span;

/// Replaces one byte range of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced, as a range of the source.
    pub span: Span,
    /// What stands there instead.
    pub replacement: String,
}

/// An edit that landed, as it stands in the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliedEdit {
    /// What was replaced, as a range of the source.
    pub source: Span,
    /// What stands there now, as a range of the output.
    pub output: Span,
}

/// An output with the places where it differs from its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The new bytes.
    pub bytes: Vec<u8>,
    /// The edits in ascending order.
    pub edits: Vec<AppliedEdit>,
}

/// Puts edits in ascending order and drops those that are no change, leave the source or overlap
/// an earlier one.
#[must_use]
pub fn normalize(source: &[u8], mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.sort_by(|a, b| {
        a.span
            .start
            .cmp(&b.span.start)
            .then(b.span.end.cmp(&a.span.end))
    });
    let mut end = 0;
    edits.retain(|edit| {
        let Some(old) = source.get(edit.span.clone()) else {
            return false;
        };
        let lands = edit.span.start >= end && old != edit.replacement.as_bytes();
        if lands {
            end = edit.span.end;
        }
        lands
    });
    edits
}

/// Applies normalized edits; every byte outside them is copied as it stands.
#[must_use]
pub fn apply(source: &[u8], edits: &[Edit]) -> Edited {
    let removed: usize = edits.iter().map(|edit| edit.span.len()).sum();
    let added: usize = edits.iter().map(|edit| edit.replacement.len()).sum();
    let mut bytes = Vec::with_capacity((source.len() + added).saturating_sub(removed));
    let mut applied = Vec::with_capacity(edits.len());
    let mut done = 0;
    for edit in edits {
        bytes.extend_from_slice(&source[done..edit.span.start]);
        let start = bytes.len();
        bytes.extend_from_slice(edit.replacement.as_bytes());
        applied.push(AppliedEdit {
            source: edit.span.clone(),
            output: start..bytes.len(),
        });
        done = edit.span.end;
    }
    bytes.extend_from_slice(&source[done..]);
    Edited {
        bytes,
        edits: applied,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn edit(span: Span, replacement: &str) -> Edit {
        Edit {
            span,
            replacement: replacement.to_owned(),
        }
    }

    #[test]
    fn edits_land_and_the_rest_stays() {
        let source = b"0123456789";
        let edits = normalize(
            source,
            vec![
                edit(6..8, "xyz"),
                edit(1..3, ""),
                edit(2..5, "lost"),
                edit(9..9, "+"),
                edit(3..4, "3"),
                edit(8..40, "out"),
            ],
        );
        let edited = apply(source, &edits);
        assert_eq!(edited.bytes, b"0345xyz8+9");
        assert_eq!(
            edited.edits[1],
            AppliedEdit {
                source: 6..8,
                output: 4..7
            }
        );
    }

    proptest! {
        #[test]
        fn no_edits_are_the_identity(source in any::<Vec<u8>>()) {
            prop_assert_eq!(apply(&source, &normalize(&source, Vec::new())).bytes, source);
        }

        #[test]
        fn reversing_the_edits_gives_the_source(
            source in any::<Vec<u8>>(),
            places in prop::collection::vec((0usize..40, 0usize..6, "[a-z]{0,5}"), 0..8),
        ) {
            let edits = places.into_iter().map(|(at, length, text)| edit(at..at + length, &text));
            let edits = normalize(&source, edits.collect());
            let edited = apply(&source, &edits);
            let mut back = Vec::new();
            let mut done = 0;
            for edit in &edited.edits {
                back.extend_from_slice(&edited.bytes[done..edit.output.start]);
                back.extend_from_slice(&source[edit.source.clone()]);
                done = edit.output.end;
            }
            back.extend_from_slice(&edited.bytes[done..]);
            prop_assert_eq!(back, source);
        }
    }
}
