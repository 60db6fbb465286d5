//! What the bullets of a call say already.

use super::class;

/// A text with the places in it where a name could begin.
#[derive(Default)]
pub(super) struct Said {
    text: String,
    /// First two bytes and position of everything that no word character stands in front of.
    starts: Vec<([u8; 2], usize)>,
    /// One bit for every pair of bytes in `starts`, several pairs to a bit.
    seen: [u64; 4],
}

impl Said {
    /// Adds a text behind what was said so far.
    pub(super) fn add(&mut self, text: &str) {
        let from = self.text.len();
        self.text.push_str(text);
        let bytes = self.text.as_bytes();
        self.starts.reserve(text.len() / 4);
        let mut in_word = from > 0 && is_word(bytes[from - 1]);
        for (at, byte) in (from..).zip(&bytes[from..]) {
            // Nothing that is looked for begins with a space.
            if !in_word && *byte != b' ' {
                let pair = [*byte, bytes.get(at + 1).copied().unwrap_or_default()];
                self.starts.push((pair, at));
                let (part, bit) = place(pair);
                self.seen[part] |= bit;
            }
            in_word = is_word(*byte);
        }
    }

    /// Whether a name was said as a word of its own.
    pub(super) fn holds(&self, name: &str) -> bool {
        let [first, rest @ ..] = name.as_bytes() else {
            return true;
        };
        let mut starts = self.starts.iter();
        let Some(second) = rest.first() else {
            return starts.any(|start| start.0[0] == *first && self.holds_at(name, start.1));
        };
        let pair = [*first, *second];
        let (part, bit) = place(pair);
        self.seen[part] & bit != 0
            && starts.any(|start| start.0 == pair && self.holds_at(name, start.1))
    }

    fn holds_at(&self, name: &str, at: usize) -> bool {
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        self.text[at..]
            .strip_prefix(name)
            .is_some_and(|rest| !rest.starts_with(in_word))
            && !self.text[..at].ends_with(in_word)
    }
}

/// Whether a byte stands in words; those of other scripts are looked at when it matters.
fn is_word(byte: u8) -> bool {
    !matches!(class::of(byte), 0 | class::SEPARATOR)
}

/// The bit that stands for a pair of bytes.
fn place([first, second]: [u8; 2]) -> (usize, u64) {
    let number = first.wrapping_mul(31).wrapping_add(second);
    (usize::from(number >> 6), 1 << (number & 63))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart_from_parts_of_names() {
        let check = |text: &str, name: &str, expected: bool| {
            let mut said = Said::default();
            said.add(text);
            assert_eq!(said.holds(name), expected, "{text}");
        };
        check("see parse_all here", "parse_all", true);
        check("see parse_all_files", "parse_all", false);
        check("see all/parse.rs", "parse.rs", true);
        check("ошибкаparse.rs", "parse.rs", false);
        check("parse.rsй", "parse.rs", false);
        check("x", "x", true);
    }

    #[test]
    fn what_is_added_later_is_said_too() {
        let mut said = Said::default();
        for text in ["one", ", ", "two_names"] {
            said.add(text);
        }
        assert!(said.holds("two_names") && said.holds("one") && !said.holds("names"));
    }
}
