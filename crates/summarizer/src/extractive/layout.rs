//! How findings are laid out as bullets.

use std::borrow::Cow;

use super::findings::Findings;
use super::line::{ELLIPSIS, break_labels, clean, clip, width};
use super::said::Said;

/// Most characters of one bullet, without its label.
pub(super) const BULLET: usize = 220;

/// Budget from which on the first bullet is filled as well.
pub(super) const LARGE: usize = 600;

impl Findings<'_> {
    /// Lays the findings out as one to three bullets, each one line, the first under `label`.
    ///
    /// `budget` is the number of characters that the bullets may have together.
    pub(super) fn lay_out(mut self, label: &str, subject: &str, budget: usize) -> String {
        if self.unquoted > 0 {
            let noun = if self.unquoted == 1 { "line" } else { "lines" };
            self.state(format!("{} {noun} not quoted", self.unquoted));
        }
        let wish: usize = self.facts.iter().map(|fact| width(fact) + 2).sum();
        let subject = shorten(subject, BULLET.saturating_sub(wish + 2).max(60));
        let room = BULLET.saturating_sub(width(&subject) + 2);
        if budget >= LARGE {
            self.fill_first_bullet(room);
        }
        let mut first = String::with_capacity(BULLET);
        first.push_str(&subject);
        if !subject.is_empty() && !self.facts.is_empty() {
            first.push_str(": ");
        }
        let facts_length = join(&mut first, &self.facts, "; ", room);
        if facts_length == 0 {
            first.truncate(subject.len());
        }
        if first.is_empty() {
            first.push_str("no output");
        }
        let mut out = String::with_capacity(label.len() + budget + BULLET);
        out.push_str("- ");
        out.push_str(label);
        out.push(' ');
        seal(&mut out, &first);
        let left = budget.saturating_sub(facts_length);
        self.lay_out_lists(out, left)
    }

    /// Adds the bullets of quotes and of names, `left` characters together.
    fn lay_out_lists(&self, mut out: String, left: usize) -> String {
        // Both lists get a share: the shorter one leaves its rest to the other.
        let wish = || -> usize { self.names.iter().take(24).map(|name| name.len() + 2).sum() };
        let for_names = if self.quotes.is_empty() {
            left
        } else {
            wish().min(left * 2 / 5)
        };
        let mut bullet = String::with_capacity(BULLET);
        let limit = BULLET.min(left.saturating_sub(for_names));
        let quoted = join(&mut bullet, &self.quotes, " | ", limit);
        add_bullet(&mut out, &bullet);
        let mut left = left.saturating_sub(quoted);
        if self.names.is_empty() {
            return out;
        }
        let mut said = Said::default();
        said.add(&out);
        let mut names = self.names.iter();
        for _ in 0..if quoted == 0 { 2 } else { 1 } {
            let bullet = join_names(&mut names, &mut said, BULLET.min(left));
            left = left.saturating_sub(width(&bullet));
            add_bullet(&mut out, &bullet);
        }
        out
    }

    /// Moves quotes into the first bullet while they fit, so that a large result fills all three.
    fn fill_first_bullet(&mut self, room: usize) {
        let mut used: usize = self.facts.iter().map(|fact| width(fact) + 2).sum();
        let fitting = |quote: &&Cow<'_, str>| {
            used += width(quote) + 2;
            used <= room
        };
        let count = self.quotes.iter().take_while(fitting).count();
        self.facts.extend(self.quotes.drain(..count));
    }
}

/// Cuts what names a call to `limit` characters; the quotes around a command stay.
fn shorten(subject: &str, limit: usize) -> Cow<'_, str> {
    match clip(subject, limit) {
        Cow::Owned(cut) if subject.starts_with('`') && !cut[1..].contains('`') => {
            Cow::Owned(format!("{cut}`"))
        }
        other => other,
    }
}

/// Adds a bullet, unless it is empty.
fn add_bullet(out: &mut String, text: &str) {
    if !text.is_empty() {
        out.push_str("\n- ");
        seal(out, text);
    }
}

/// Joins the names that fit into `limit` characters and are not said yet; leaves the rest.
fn join_names(
    names: &mut std::slice::Iter<'_, Cow<'_, str>>,
    said: &mut Said,
    limit: usize,
) -> String {
    let mut bullet = String::with_capacity(limit);
    let mut used = 0;
    let mut skipped = 0;
    while let Some(name) = names.as_slice().first() {
        let count = width(name) + 2;
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
        if said.holds(name) {
            continue;
        }
        let gap = if bullet.is_empty() { "\n" } else { ", " };
        said.add(gap);
        said.add(name);
        if !bullet.is_empty() {
            bullet.push_str(gap);
        }
        bullet.push_str(name);
        used += count;
    }
    bullet
}

/// Adds the pieces that fit into `limit` characters; the first one is cut when it alone is longer.
///
/// Gives the number of characters that it added.
fn join(out: &mut String, pieces: &[Cow<'_, str>], separator: &str, limit: usize) -> usize {
    let mut used = 0;
    let mut left_out = 0;
    let gap = width(separator);
    for piece in pieces {
        let count = width(piece);
        if used == 0 {
            if limit < 12 {
                break;
            }
            let piece = clip(piece, limit);
            used = width(&piece);
            out.push_str(&piece);
        } else if used + gap + count <= limit {
            out.push_str(separator);
            out.push_str(piece);
            used += gap + count;
        } else if limit.saturating_sub(used + gap) > 60 {
            let piece = clip(piece, limit - used - gap);
            out.push_str(separator);
            out.push_str(&piece);
            used += gap + width(&piece);
        } else {
            left_out += 1;
        }
    }
    if left_out > 0 && !out.ends_with(ELLIPSIS) {
        out.push_str(" …");
        used += 2;
    }
    used
}

/// Adds a bullet that is safe whatever it was made from: one line, no label, no fence at its start.
fn seal(out: &mut String, bullet: &str) {
    let line = clean(bullet, usize::MAX);
    let line = break_labels(&line);
    if line.starts_with("```") || line.starts_with("~~~") {
        out.push_str("… ");
    }
    out.push_str(&line);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_stays_within_its_limit() {
        let pieces: Vec<Cow<'_, str>> =
            (0..50).map(|n| format!("name_number_{n}").into()).collect();
        let mut joined = String::new();
        let count = join(&mut joined, &pieces, " | ", 100);
        assert_eq!(count, joined.chars().count());
        assert!(count <= 102, "{joined}");
        assert!(joined.ends_with(" …"));
    }
}
