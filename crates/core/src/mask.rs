//! Masks secrets in text that is about to leave the machine.
//!
//! The rules are a list, [`RULES`], and each is a pattern that runs only where one of its literals
//! stands in the text, so that plain prose costs a few scans at the speed of memory. A rule masks the
//! secret alone: the name of a setting, the scheme and the host of an address stay. Masking errs on
//! the side of hiding; it is no proof that a text is free of secrets (decisions, section 9).

mod private_key;
mod rules;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

pub use rules::RULES;

/// What stands in the place of a secret.
pub const MASK: &str = "[masked]";

/// A rule of the list, as people see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaskRule {
    /// Its name, `github-token` for example.
    pub name: &'static str,
    /// What it hides, in words.
    pub hides: &'static str,
}

/// A text without the secrets that the rules know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Masked<'a> {
    /// The text; the same one where nothing was found.
    pub text: Cow<'a, str>,
    /// Names of the rules that found something, in the order of the list, with how often.
    pub counts: Vec<(&'static str, usize)>,
}

/// Replaces every secret that a rule knows with [`MASK`].
///
/// Secrets that touch or overlap become one mask, counted for the rule that starts first.
///
/// ```
/// use epitome_core::mask::mask_secrets;
///
/// let masked = mask_secrets("fetch https://ada:hunter2@example.org/notes");
/// assert_eq!(masked.text, "fetch https://ada:[masked]@example.org/notes");
/// assert_eq!(masked.counts, [("url-password", 1)]);
/// ```
pub fn mask_secrets(text: &str) -> Masked<'_> {
    let mut found = rules::find(text);
    if found.is_empty() {
        return Masked {
            text: Cow::Borrowed(text),
            counts: Vec::new(),
        };
    }
    found.sort_by_key(|(range, rule)| (range.start, range.end, *rule));
    let merged = merge(found);
    let mut counts: Vec<(&'static str, usize)> = Vec::new();
    for (index, rule) in RULES.iter().enumerate() {
        let count = merged.iter().filter(|(_, by)| *by == index).count();
        if count > 0 {
            counts.push((rule.name, count));
        }
    }
    Masked {
        text: Cow::Owned(replace(text, &merged)),
        counts,
    }
}

/// A found secret with the place of its rule in the list.
type Found = (Range<usize>, usize);

fn merge(found: Vec<Found>) -> Vec<Found> {
    let mut merged: Vec<Found> = Vec::with_capacity(found.len());
    for (range, rule) in found {
        match merged.last_mut() {
            Some((last, _)) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push((range, rule)),
        }
    }
    merged
}

fn replace(text: &str, secrets: &[Found]) -> String {
    let mut output = String::with_capacity(text.len());
    let mut from = 0;
    for (range, _) in secrets {
        output.push_str(&text[from..range.start]);
        output.push_str(MASK);
        from = range.end;
    }
    output.push_str(&text[from..]);
    output
}
