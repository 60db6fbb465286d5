//! From what a user typed to the terms of a query.

use rustc_hash::FxHashMap;

use super::fold::{Stems, fold};
use super::script::{Run, Script, runs};
use super::stop::is_stop_word;
use super::{Kind, MOST_READ, Role, Term};

/// Most parts of a joined word that still make a phrase.
const MOST_PARTS: usize = 12;

/// Reads the distinct terms of a query in their order, [`MOST_READ`] of them at most.
///
/// Any text is a query. Words joined by punctuation stay together as a phrase beside their parts;
/// the parts of what the user put in quotes stand by for the case that the phrase finds little.
///
/// ```
/// use epitome_core::lexical::read;
/// let texts: Vec<_> = read("find atomic_write").into_iter().map(|term| term.text).collect();
/// assert_eq!(texts, ["find", "atomic write", "atomic", "write"]);
/// ```
pub fn read(query: &str) -> Vec<Term> {
    let mut reader = Reader::default();
    for (text, quoted) in quotes(query) {
        if reader.is_full() {
            break;
        }
        if quoted {
            reader.quoted(text);
        } else {
            text.split_whitespace()
                .for_each(|piece| reader.piece(piece));
        }
    }
    if reader.terms.is_empty() {
        // Symbols and emoji: nothing but a plain scan can find them.
        for piece in query.split_whitespace() {
            reader.add(Kind::Substring, piece.to_lowercase(), Role::Content);
        }
    }
    reader.terms
}

/// Parts a query at its quotes; a quote without its partner is plain text.
fn quotes(query: &str) -> Vec<(&str, bool)> {
    let mut parts = Vec::new();
    let mut rest = query;
    while let Some(open) = rest.find(['"', '“', '„']) {
        let inside = &rest[open..];
        let inside = &inside[inside.chars().next().map_or(0, char::len_utf8)..];
        let Some(close) = inside.find(['"', '”', '“']) else {
            break;
        };
        parts.push((&rest[..open], false));
        parts.push((&inside[..close], true));
        let after = &inside[close..];
        rest = &after[after.chars().next().map_or(0, char::len_utf8)..];
    }
    parts.push((rest, false));
    parts
}

#[derive(Default)]
struct Reader {
    stems: Stems,
    terms: Vec<Term>,
    known: FxHashMap<(Kind, String), usize>,
}

impl Reader {
    fn is_full(&self) -> bool {
        self.terms.len() >= MOST_READ
    }

    /// Words in quotes: a phrase that counts, and its parts in reserve.
    fn quoted(&mut self, text: &str) {
        let all: Vec<_> = runs(text).collect();
        let words: Vec<_> = all
            .iter()
            .filter(|run| run.script != Script::Ideographic)
            .copied()
            .collect();
        if words.len() < 2 || words.len() < all.len() || words.len() > MOST_PARTS {
            text.split_whitespace().for_each(|piece| self.piece(piece));
            return;
        }
        self.add(Kind::Phrase, join(&words), Role::Content);
        for run in words {
            self.word(run.text, Role::Part);
        }
    }

    /// What stands between two spaces.
    fn piece(&mut self, piece: &str) {
        let all: Vec<_> = runs(piece).collect();
        for group in all
            .chunk_by(|a, b| (a.script == Script::Ideographic) == (b.script == Script::Ideographic))
        {
            if self.is_full() {
                return;
            }
            if group[0].script == Script::Ideographic {
                for run in group {
                    self.ideographs(run.text);
                }
                continue;
            }
            if (2..=MOST_PARTS).contains(&group.len()) && !is_contraction(piece, group) {
                self.add(Kind::Phrase, join(group), Role::Content);
            }
            for run in group {
                self.word(run.text, Role::Content);
                self.literal(piece, run);
                if run.script == Script::Other {
                    self.trigrams(run.text);
                }
            }
        }
    }

    fn word(&mut self, text: &str, role: Role) {
        let role = if is_stop_word(&fold(text)) {
            Role::Stop
        } else {
            role
        };
        self.add(Kind::Word, text.to_lowercase(), role);
    }

    /// Names such as `C++` and `C#`, of which an index of words keeps one letter.
    fn literal(&mut self, piece: &str, run: &Run<'_>) {
        let after = &piece[run.end()..];
        let signs = after.len() - after.trim_start_matches(['+', '#']).len();
        if signs > 0 && signs <= 2 && signs == after.trim_end_matches(['.', ',', '?', '!']).len() {
            let text = &piece[run.start..run.end() + signs];
            self.add(Kind::Literal, text.to_lowercase(), Role::Content);
        }
    }

    fn ideographs(&mut self, text: &str) {
        let starts: Vec<_> = text.char_indices().map(|(at, _)| at).collect();
        if starts.len() == 1 {
            self.add(Kind::Substring, text.to_owned(), Role::Part);
        }
        self.windows(text, 2, Kind::Bigram);
    }

    fn trigrams(&mut self, text: &str) {
        self.windows(&text.to_lowercase(), 3, Kind::Trigram);
    }

    fn windows(&mut self, text: &str, width: usize, kind: Kind) {
        let mut bounds: Vec<_> = text.char_indices().map(|(at, _)| at).collect();
        bounds.push(text.len());
        for window in bounds.windows(width + 1) {
            if self.is_full() {
                return;
            }
            self.add(
                kind,
                text[window[0]..window[width]].to_owned(),
                Role::Content,
            );
        }
    }

    /// Adds a term once; of two roles the one that asks for more stays.
    fn add(&mut self, kind: Kind, text: String, role: Role) {
        let folded = fold(&text);
        let key = match kind {
            Kind::Word => self.stems.stem(&folded).into_owned(),
            _ => text.clone(),
        };
        match self.known.get(&(kind, key.clone())) {
            Some(&at) => self.terms[at].role = self.terms[at].role.min(role),
            None if self.is_full() => {}
            None => {
                self.known.insert((kind, key), self.terms.len());
                self.terms.push(Term { kind, text, role });
            }
        }
    }
}

fn join(words: &[Run<'_>]) -> String {
    let words: Vec<_> = words.iter().map(|run| run.text.to_lowercase()).collect();
    words.join(" ")
}

/// Whether two parts are a word with its ending, `don't` or `Allen's`, which no phrase is needed for.
fn is_contraction(piece: &str, group: &[Run<'_>]) -> bool {
    group.len() == 2
        && matches!(&piece[group[0].end()..group[1].start], "'" | "’")
        && is_stop_word(&fold(group[1].text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(query: &str, expected: &str) {
        let found: Vec<_> = read(query).iter().map(shown).collect();
        assert_eq!(found.join(", "), expected, "{query}");
    }

    fn shown(term: &Term) -> String {
        let kind = match term.kind {
            Kind::Word => "",
            Kind::Phrase => "phrase:",
            Kind::Bigram => "2:",
            Kind::Trigram => "3:",
            Kind::Substring => "in:",
            Kind::Literal => "as:",
        };
        let role = match term.role {
            Role::Content => "",
            Role::Part => "~",
            Role::Stop => "-",
        };
        format!("{kind}{}{role}", term.text)
    }

    #[test]
    fn words_are_read_once_and_stop_words_are_marked() {
        check("", "");
        check("How do stores store a Store?", "how-, do-, stores, a-");
        check("don't", "don-, t-"); // 1
        check("Allen's sacks", "allen, s-, sacks");
        check("AND OR NOT NEAR", "and-, or-, not-, near");
    }

    #[test]
    fn identifiers_stay_together_beside_their_parts() {
        check(
            "atomic_write_json",
            "phrase:atomic write json, atomic, write, json",
        ); // 12
        check("grammar::fa", "phrase:grammar fa, grammar, fa"); // 2
        check("POL-358", "phrase:pol 358, pol, 358"); // 5
        check(
            "agentic-os dashboard",
            "phrase:agentic os, agentic, os, dashboard",
        ); // 9
        check("-4i", "4i"); // 4
        check("v1.2.3", "phrase:v1 2 3, v1, 2, 3"); // 8
        check("C++ or C#?", "c, as:c++, or-, as:c#");
    }

    #[test]
    fn phrases_in_quotes_are_kept() {
        check(
            "\"--error-on-warnings\"",
            "phrase:error on warnings, error~, on-, warnings~",
        ); // 3
        check("\"chat send\" log", "phrase:chat send, chat~, send~, log"); // 10
        check("orphaned plugin version", "orphaned, plugin, version"); // 11
        check("\"one\" and \"open", "one, and-, open");
        check("“exact words” words", "phrase:exact words, exact~, words");
        check("\"\" \"", "in:\"\", in:\"");
    }

    #[test]
    fn scripts_without_spaces_fall_into_windows() {
        check("止损", "2:止损"); // 16
        check(
            "重跑gen-itgc后",
            "2:重跑, phrase:gen itgc, gen, itgc, in:后~",
        ); // 17
        check("ドック", "2:ドッ, 2:ック"); // 19
        check("мир", "мир, 3:мир");
        check("→ 😀", "in:→, in:😀"); // 22
    }

    #[test]
    fn a_huge_query_is_read_in_part() {
        let words: Vec<_> = (0..20_000).map(|n| format!("w{n}")).collect();
        assert_eq!(read(&words.join(" ")).len(), MOST_READ);
        assert_eq!(read(&"数字".repeat(20_000)).len(), 2);
        assert_eq!(read(&"x_".repeat(50_000)).len(), 1);
        assert_eq!(read(&"\"".repeat(100_000)).len(), 1);
    }
}
