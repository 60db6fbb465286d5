//! Counts the terms of a query in a text.

use rustc_hash::FxHashMap;

use crate::lexical::fold::{Stems, fold};
use crate::lexical::script::{Script, runs};
use crate::lexical::{Kind, Term};

/// Counts the same terms in one text after another.
#[derive(Debug)]
pub struct Counter {
    stems: Stems,
    /// Number of each stem that is looked for; 0 is any other word.
    words: FxHashMap<String, usize>,
    openings: Openings,
    /// What was found for the words met so far; texts repeat their words.
    met: FxHashMap<String, usize>,
    /// Term of each stem, where the stem is a term by itself.
    terms_of_words: Vec<Option<usize>>,
    /// Words of each phrase with its term.
    phrases: Vec<(Vec<usize>, usize)>,
    windows: FxHashMap<String, usize>,
    substrings: Vec<(String, usize)>,
    terms: usize,
}

/// How often each term stands in a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counts {
    /// Count of each term, in the order of the terms.
    pub terms: Vec<u32>,
    /// Words in the text; of scripts without spaces, characters.
    pub length: u32,
}

impl Counter {
    /// Prepares to count these terms.
    pub fn new<'a>(terms: impl Iterator<Item = &'a Term>) -> Self {
        let mut counter = Self {
            stems: Stems::new(),
            words: FxHashMap::default(),
            openings: Openings::default(),
            met: FxHashMap::default(),
            terms_of_words: vec![None],
            phrases: Vec::new(),
            windows: FxHashMap::default(),
            substrings: Vec::new(),
            terms: 0,
        };
        for (at, term) in terms.enumerate() {
            counter.terms += 1;
            match term.kind {
                Kind::Word => {
                    let word = counter.word(&term.text);
                    counter.terms_of_words[word] = Some(at);
                }
                Kind::Phrase => {
                    let words = term.text.split(' ').map(|word| counter.word(word));
                    let words = words.collect();
                    counter.phrases.push((words, at));
                }
                Kind::Bigram | Kind::Trigram => {
                    counter.windows.insert(term.text.clone(), at);
                }
                Kind::Substring | Kind::Literal => counter.substrings.push((term.text.clone(), at)),
            }
        }
        counter
    }

    /// Counts the terms in a text.
    ///
    /// ```
    /// use epitome_core::lexical::read;
    /// use epitome_core::rank::count::Counter;
    /// let terms = read("stores kept");
    /// let counts = Counter::new(terms.iter()).count("A store is stored.");
    /// assert_eq!((counts.terms, counts.length), (vec![2, 0], 4));
    /// ```
    pub fn count(&mut self, text: &str) -> Counts {
        let mut counts = Counts {
            terms: vec![0; self.terms],
            length: 0,
        };
        let mut row = Vec::new();
        for run in runs(text) {
            if run.script == Script::Ideographic {
                counts.length += run.text.chars().count() as u32;
                self.count_windows(run.text, 2, &mut counts);
                row.push(0);
                continue;
            }
            counts.length += 1;
            if run.script == Script::Other {
                self.count_windows(&run.text.to_lowercase(), 3, &mut counts);
            }
            let word = self.find(run.text);
            if let Some(term) = self.terms_of_words[word] {
                counts.terms[term] += 1;
            }
            if !self.phrases.is_empty() {
                row.push(word);
            }
        }
        for (words, term) in &self.phrases {
            let found = row.windows(words.len()).filter(|window| window == words);
            counts.terms[*term] += found.count() as u32;
        }
        if !self.substrings.is_empty() {
            let text = text.to_lowercase();
            for (substring, term) in &self.substrings {
                counts.terms[*term] += text.matches(substring).count() as u32;
            }
        }
        counts
    }

    /// The number of a word that is looked for, new if need be.
    fn word(&mut self, word: &str) -> usize {
        let folded = fold(word);
        let stem = self.stems.stem(&folded).into_owned();
        self.openings.add(stem.as_bytes());
        let next = self.terms_of_words.len();
        let number = *self.words.entry(stem).or_insert(next);
        if number == next {
            self.terms_of_words.push(None);
        }
        number
    }

    fn find(&mut self, word: &str) -> usize {
        if !self.openings.may_open(word.as_bytes()) {
            return 0;
        }
        if let Some(&number) = self.met.get(word) {
            return number;
        }
        let folded = fold(word);
        let stem = self.stems.stem(&folded);
        let number = self.words.get(stem.as_ref()).copied().unwrap_or(0);
        self.met.insert(word.to_owned(), number);
        number
    }

    fn count_windows(&self, text: &str, width: usize, counts: &mut Counts) {
        if self.windows.is_empty() {
            return;
        }
        let mut starts = vec![0; width];
        for (seen, (at, character)) in text.char_indices().enumerate() {
            starts.rotate_left(1);
            starts[width - 1] = at;
            if seen + 1 >= width {
                let window = &text[starts[0]..at + character.len_utf8()];
                if let Some(&term) = self.windows.get(window) {
                    counts.terms[term] += 1;
                }
            }
        }
    }
}

/// The first two letters of the stems, so that most words of a text are passed over unread. A stem
/// keeps the opening of its word, but for a handful such as `dying`.
#[derive(Debug, Default)]
struct Openings([u32; 32]);

impl Openings {
    fn add(&mut self, stem: &[u8]) {
        match *stem {
            [] => {}
            [first] => self.0[slot(first)] = u32::MAX,
            [first, second, ..] => self.0[slot(first)] |= 1 << slot(second),
        }
    }

    /// Whether a stem may belong to a word. Always where an accent may stand in the opening.
    fn may_open(&self, word: &[u8]) -> bool {
        match *word {
            [first, second, ..] => {
                !first.is_ascii()
                    || !second.is_ascii()
                    || self.0[slot(first)] & (1 << slot(second)) != 0
            }
            [first] => self.0[slot(first)] != 0,
            [] => false,
        }
    }
}

/// The five bits that both cases of a letter share.
fn slot(byte: u8) -> usize {
    usize::from(byte & 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::read;

    fn check(query: &str, text: &str, expected: &[u32], length: u32) {
        let terms = read(query);
        let counts = Counter::new(terms.iter()).count(text);
        assert_eq!(counts.terms, expected, "{query} in {text}");
        assert_eq!(counts.length, length, "{text}");
    }

    #[test]
    fn terms_are_counted_in_all_their_forms() {
        check("medications", "Medication, MEDICATIONS: medal", &[2], 3); // 15
        check("resume", "Résumé résumés", &[2], 2);
        check("atomic_write", "atomic_write; write atomic", &[1, 2, 2], 4); // 12
        check("\"chat send\"", "chat-send, send chat", &[1, 2, 2], 4); // 10
        check("a-b", "a数b", &[0, 1, 1], 3);
        check("C++", "c, C++ and c++", &[3, 2], 4);
        check("止损", "设置止损点，止损", &[2], 7); // 16
        check("itgc", "重跑gen-itgc后", &[1], 5); // 17
        check("ドックス", "サンドボックス", &[0, 1, 1], 7); // 19
        check("миру", "мира", &[0, 1, 0], 1);
        check("→", "a → b", &[1], 2);
        check("", "nothing", &[], 1);
    }
}
