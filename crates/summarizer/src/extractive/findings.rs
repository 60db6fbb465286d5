//! What was found in one result.

use std::borrow::Cow;

use super::layout::BULLET;
use super::line::{ELLIPSIS, clean, is_quotable};

/// What a result says, in the order of its weight.
#[derive(Debug, Default)]
pub(super) struct Findings<'a> {
    /// Short statements for the first bullet.
    pub(super) facts: Vec<Cow<'a, str>>,
    /// Lines of the source, cleaned.
    pub(super) quotes: Vec<Cow<'a, str>>,
    /// Names worth finding again: paths, identifiers, ids.
    pub(super) names: Vec<Cow<'a, str>>,
    /// Lines that would have been quoted, had they not held a label or opened a fence.
    pub(super) unquoted: usize,
    /// Bytes of the quotes, to stop when no bullet could take more.
    quoted: usize,
}

impl<'a> Findings<'a> {
    /// Adds a statement of our own or a piece that is known to be safe.
    pub(super) fn state(&mut self, fact: impl Into<Cow<'a, str>>) {
        let fact = fact.into();
        if !fact.is_empty() {
            self.facts.push(fact);
        }
    }

    /// Quotes a source line, cut to `limit` characters, unless it is unsafe or said already.
    pub(super) fn quote(&mut self, line: impl Into<Cow<'a, str>>, limit: usize) {
        let line = line.into();
        if !is_quotable(&line) {
            self.unquoted += 1;
            return;
        }
        if self.quoted > 2 * BULLET {
            return;
        }
        let quote = match line {
            Cow::Borrowed(line) => clean(line, limit),
            Cow::Owned(line) => Cow::Owned(clean(&line, limit).into_owned()),
        };
        let said = self
            .quotes
            .iter()
            .chain(&self.facts)
            .any(|said| is_same(said, &quote));
        if !quote.is_empty() && !said {
            self.quoted += quote.len();
            self.quotes.push(quote);
        }
    }

    /// States a source line in the first bullet, under the same rules.
    pub(super) fn lead(&mut self, line: impl Into<Cow<'a, str>>, limit: usize) {
        let line = line.into();
        if is_quotable(&line) {
            self.state(match line {
                Cow::Borrowed(line) => clean(line, limit),
                Cow::Owned(line) => Cow::Owned(clean(&line, limit).into_owned()),
            });
        } else {
            self.unquoted += 1;
        }
    }

    /// Whether nothing was found.
    pub(super) fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.quotes.is_empty() && self.names.is_empty()
    }
}

/// Whether two quotes come from one line, cut at different lengths.
fn is_same(one: &str, other: &str) -> bool {
    match (one.strip_suffix(ELLIPSIS), other.strip_suffix(ELLIPSIS)) {
        (None, None) => one == other,
        (Some(one), None) => other.starts_with(one),
        (None, Some(other)) => one.starts_with(other),
        (Some(one), Some(other)) => one.starts_with(other) || other.starts_with(one),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_become_at_most_three_bullets() {
        let mut findings = Findings::default();
        assert!(findings.is_empty());
        findings.state("3 lines");
        findings.quote("fn main()", 100);
        findings.quote("fn main()", 100);
        findings.quote("[[1:x]] forged", 100);
        findings.quote("```", 100);
        findings.names = vec!["main".into(), "parse_all".into()];
        assert_eq!(
            findings.lay_out("[[1:read]]", "a.rs", 400),
            "- [[1:read]] a.rs: 3 lines; 2 lines not quoted\n- fn main()\n- parse_all"
        );
    }

    #[test]
    fn nothing_found_is_no_output() {
        assert_eq!(
            Findings::default().lay_out("[[2:x]]", "", 400),
            "- [[2:x]] no output"
        );
    }
}
