//! What was found in one result, and how it is laid out as bullets.

use std::borrow::Cow;

use super::line::{ELLIPSIS, break_labels, clean, clip, is_quotable};

/// Most characters of one bullet, without its label.
const BULLET: usize = 220;

/// Budget from which on the first bullet is filled as well.
pub(super) const LARGE: usize = 600;

/// What a result says, in the order of its weight.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// Short statements for the first bullet.
    pub(super) facts: Vec<String>,
    /// Lines of the source, cleaned.
    pub(super) quotes: Vec<String>,
    /// Names worth finding again: paths, identifiers, ids.
    pub(super) names: Vec<String>,
    /// Lines that would have been quoted, had they not held a label or opened a fence.
    pub(super) unquoted: usize,
    /// Bytes of the quotes, to stop when no bullet could take more.
    quoted: usize,
}

impl Findings {
    /// Adds a statement of our own or a piece that is known to be safe.
    pub(super) fn state(&mut self, fact: impl Into<String>) {
        let fact = fact.into();
        if !fact.is_empty() {
            self.facts.push(fact);
        }
    }

    /// Quotes a source line, cut to `limit` characters, unless it is unsafe or said already.
    pub(super) fn quote(&mut self, line: &str, limit: usize) {
        if !is_quotable(line) {
            self.unquoted += 1;
            return;
        }
        if self.quoted > 2 * BULLET {
            return;
        }
        let quote = clean(line, limit);
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
    pub(super) fn lead(&mut self, line: &str, limit: usize) {
        if is_quotable(line) {
            self.state(clean(line, limit));
        } else {
            self.unquoted += 1;
        }
    }

    /// Whether nothing was found.
    pub(super) fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.quotes.is_empty() && self.names.is_empty()
    }

    /// Lays the findings out as one to three bullets, each one line, the first under `label`.
    ///
    /// `budget` is the number of characters that the bullets may have together.
    pub(super) fn lay_out(mut self, label: &str, subject: &str, budget: usize) -> String {
        if self.unquoted > 0 {
            let noun = if self.unquoted == 1 { "line" } else { "lines" };
            self.facts
                .push(format!("{} {noun} not quoted", self.unquoted));
        }
        let wish: usize = self.facts.iter().map(|fact| fact.chars().count() + 2).sum();
        let subject = shorten(subject, BULLET.saturating_sub(wish + 2).max(60));
        let room = BULLET.saturating_sub(subject.chars().count() + 2);
        if budget >= LARGE {
            self.fill_first_bullet(room);
        }
        let facts = join(&self.facts, "; ", room);
        let facts_length = facts.chars().count();
        let first = match (subject.is_empty(), facts.is_empty()) {
            (false, false) => format!("{subject}: {facts}"),
            (false, true) => subject,
            (true, false) => facts,
            (true, true) => "no output".to_owned(),
        };
        let mut out = format!("- {label} {}", seal(&first));
        let mut left = budget.saturating_sub(facts_length);
        // Both lists get a share: the shorter one leaves its rest to the other.
        let wish = self
            .names
            .iter()
            .take(24)
            .map(|name| name.len() + 2)
            .sum::<usize>();
        let for_names = if self.quotes.is_empty() {
            left
        } else {
            wish.min(left * 2 / 5)
        };
        let quotes = join(
            &self.quotes,
            " | ",
            BULLET.min(left.saturating_sub(for_names)),
        );
        if !quotes.is_empty() {
            add_bullet(&mut out, &quotes);
        }
        left = left.saturating_sub(quotes.chars().count());
        let mut names = self.names.iter();
        for _ in 0..if quotes.is_empty() { 2 } else { 1 } {
            let bullet = join_names(&mut names, &out, BULLET.min(left));
            left = left.saturating_sub(bullet.chars().count());
            if !bullet.is_empty() {
                add_bullet(&mut out, &bullet);
            }
        }
        out
    }

    /// Moves quotes into the first bullet while they fit, so that a large result fills all three.
    fn fill_first_bullet(&mut self, room: usize) {
        let mut used: usize = self.facts.iter().map(|fact| fact.chars().count() + 2).sum();
        while let Some(quote) = self.quotes.first() {
            used += quote.chars().count() + 2;
            if used > room {
                break;
            }
            self.facts.push(self.quotes.remove(0));
        }
    }
}

/// Cuts what names a call to `limit` characters; the quotes around a command stay.
fn shorten(subject: &str, limit: usize) -> String {
    match clip(subject, limit) {
        Cow::Owned(cut) if subject.starts_with('`') && !cut[1..].contains('`') => format!("{cut}`"),
        other => other.into_owned(),
    }
}

fn add_bullet(out: &mut String, text: &str) {
    out.push_str("\n- ");
    out.push_str(&seal(text));
}

/// Joins the names that fit into `limit` characters and are not said yet; leaves the rest.
fn join_names(names: &mut std::slice::Iter<'_, String>, said: &str, limit: usize) -> String {
    let mut bullet = String::new();
    let mut used = 0;
    let mut skipped = 0;
    while let Some(name) = names.as_slice().first() {
        let count = name.chars().count() + 2;
        if used + count > limit {
            // A long name does not keep the shorter ones behind it out.
            skipped += 1;
            if skipped > 8 || limit < used + 10 {
                break;
            }
            names.next();
            continue;
        }
        names.next();
        if says(said, name) || says(&bullet, name) {
            continue;
        }
        if !bullet.is_empty() {
            bullet.push_str(", ");
        }
        bullet.push_str(name);
        used += count;
    }
    bullet
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

/// Whether a text holds a name as a word of its own.
pub(super) fn says(text: &str, name: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    memchr::memmem::find_iter(text.as_bytes(), name.as_bytes())
        .any(|at| !text[..at].ends_with(in_word) && !text[at + name.len()..].starts_with(in_word))
}

/// Joins the pieces that fit into `limit` characters; the first one is cut when it alone is longer.
fn join(pieces: &[String], separator: &str, limit: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    let mut left_out = 0;
    let gap = separator.chars().count();
    for piece in pieces {
        let count = piece.chars().count();
        if out.is_empty() {
            if limit < 12 {
                break;
            }
            let piece = clip(piece, limit);
            used = piece.chars().count();
            out.push_str(&piece);
        } else if used + gap + count <= limit {
            out.push_str(separator);
            out.push_str(piece);
            used += gap + count;
        } else if limit.saturating_sub(used + gap) > 60 && separator != ", " {
            let piece = clip(piece, limit - used - gap);
            out.push_str(separator);
            out.push_str(&piece);
            used += gap + piece.chars().count();
        } else {
            left_out += 1;
        }
    }
    if left_out > 0 && !out.ends_with(ELLIPSIS) {
        out.push_str(" …");
    }
    out
}

/// Makes a bullet safe whatever it was made from: one line, no label, no fence at its start.
fn seal(bullet: &str) -> String {
    let line = clean(bullet, usize::MAX);
    let line = break_labels(&line);
    match line.strip_prefix(['`', '~']) {
        Some(_) if line.starts_with("```") || line.starts_with("~~~") => format!("… {line}"),
        _ => line.into_owned(),
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
        findings.names = vec!["main".to_owned(), "parse_all".to_owned()];
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

    #[test]
    fn joining_stays_within_its_limit() {
        let pieces: Vec<String> = (0..50).map(|n| format!("name_number_{n}")).collect();
        let joined = join(&pieces, ", ", 100);
        assert!(joined.chars().count() <= 102, "{joined}");
        assert!(joined.ends_with(" …"));
    }

    #[test]
    fn names_are_told_apart_from_parts_of_names() {
        assert!(says("see parse_all here", "parse_all"));
        assert!(!says("see parse_all_files", "parse_all"));
    }
}
