//! The lexical plan: what is asked of the indexes for a query, whatever its text.
//!
//! A query is an OR of its terms, never the raw text and never an AND. Frequent terms and stop words
//! are left out of the first question, because they cost the most and bring the least; when too
//! little is found, a second one has all terms. Decisions 8, knowledge specification 4.
//!
//! ```
//! use epitome_core::lexical::{Kind, Plan, read};
//!
//! let terms = read("how does the store recover");
//! let plan = Plan::new(terms, 1000, |term| (term.kind == Kind::Word).then_some(12));
//! assert_eq!(plan.first().words, ["store", "recover"]);
//! assert_eq!(plan.all().words, ["how", "does", "the", "store", "recover"]);
//! ```

pub mod fold;
mod read;
pub mod script;
pub mod stop;

pub use read::read;

/// Most terms that are read from a query; a longer one is cut off there.
pub const MOST_READ: usize = 512;

/// Most terms of one kind that an index is asked for: the rarest of the query.
pub const MOST_ASKED: usize = 64;

/// A part of a query that can be counted in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// How it is found.
    pub kind: Kind,
    /// Its text in lower case.
    pub text: String,
    /// What it does for the query.
    pub role: Role,
}

/// How a term is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A word, in all its forms.
    Word,
    /// Words in a row.
    Phrase,
    /// Two characters in a row of Han, Kana or Hangul.
    Bigram,
    /// Three characters in a row of another script than Latin.
    Trigram,
    /// Any text, found by a plain scan.
    Substring,
    /// A name with signs that no index keeps. It is not asked for, but chunks with it rise.
    Literal,
}

/// What a term does for its query; the first ones ask for more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// It carries the topic.
    Content,
    /// It stands by until the content finds too little.
    Part,
    /// It says how something is asked.
    Stop,
}

/// What the indexes are asked, each list for one of them; any of the terms may match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Question {
    /// Words and phrases for the word index.
    pub words: Vec<String>,
    /// Pairs of characters.
    pub bigrams: Vec<String>,
    /// Three characters in a row.
    pub trigrams: Vec<String>,
    /// Texts for a plain scan.
    pub substrings: Vec<String>,
}

/// The terms of a query with what is known of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Chunks that are searched.
    pub chunks: u64,
    /// The terms, in the order of the query.
    pub terms: Vec<PlannedTerm>,
}

/// A term and in how many chunks it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedTerm {
    /// The term.
    pub term: Term,
    /// Chunks with it, where the index knows.
    pub frequency: Option<u64>,
    /// Whether it counts for the rank and the cover of a chunk.
    pub counts: bool,
}

impl Plan {
    /// Plans a query over so many chunks, with the number of chunks that each term stands in.
    pub fn new(
        terms: Vec<Term>,
        chunks: u64,
        mut frequency: impl FnMut(&Term) -> Option<u64>,
    ) -> Self {
        let has_content = terms.iter().any(|term| term.role == Role::Content);
        let terms = terms
            .into_iter()
            .map(|term| PlannedTerm {
                frequency: frequency(&term),
                counts: term.role != Role::Stop || !has_content,
                term,
            })
            .collect();
        Self { chunks, terms }
    }

    /// What is asked first: content that is not in more than half of the chunks. All terms where
    /// nothing would be left.
    pub fn first(&self) -> Question {
        let narrow = self.question(|planned| {
            planned.term.role == Role::Content
                && planned.frequency.is_none_or(|n| n <= self.chunks / 2)
        });
        if narrow == Question::default() {
            self.all()
        } else {
            narrow
        }
    }

    /// What is asked when the first question finds too little: all terms.
    pub fn all(&self) -> Question {
        self.question(|_| true)
    }

    fn question(&self, wanted: impl Fn(&PlannedTerm) -> bool) -> Question {
        let of_kinds = |kinds: &[Kind]| {
            let mut found: Vec<_> = self
                .terms
                .iter()
                .enumerate()
                .filter(|(_, planned)| kinds.contains(&planned.term.kind) && wanted(planned))
                .collect();
            if found.len() > MOST_ASKED {
                found.sort_by_key(|(at, planned)| (planned.frequency.unwrap_or(0), *at));
                found.truncate(MOST_ASKED);
                found.sort_by_key(|(at, _)| *at);
            }
            found
                .into_iter()
                .map(|(_, planned)| planned.term.text.clone())
                .collect()
        };
        Question {
            words: of_kinds(&[Kind::Word, Kind::Phrase]),
            bigrams: of_kinds(&[Kind::Bigram]),
            trigrams: of_kinds(&[Kind::Trigram]),
            substrings: of_kinds(&[Kind::Substring]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(query: &str, frequencies: &[u64], first: &[&str], all: &[&str]) {
        let mut frequencies = frequencies.iter().copied();
        let plan = Plan::new(read(query), 100, |_| frequencies.next());
        assert_eq!(plan.first().words, first, "{query}");
        assert_eq!(plan.all().words, all, "{query}");
    }

    #[test]
    fn frequent_terms_and_stop_words_wait_for_the_second_question() {
        check("rare common", &[3, 51], &["rare"], &["rare", "common"]);
        check("half common", &[50, 51], &["half"], &["half", "common"]);
        check(
            "all common",
            &[99, 99],
            &["all", "common"],
            &["all", "common"],
        );
        check(
            "what is it",
            &[1, 1, 1],
            &["what", "is", "it"],
            &["what", "is", "it"],
        );
        check(
            "\"chat send\" log",
            &[1, 1, 1, 1],
            &["chat send", "log"],
            &["chat send", "chat", "send", "log"],
        ); // 10
        check("", &[], &[], &[]);
    }

    #[test]
    fn only_the_rarest_terms_of_a_long_query_are_asked() {
        let words: Vec<_> = (0..200).map(|n| format!("w{n}")).collect();
        let plan = Plan::new(read(&words.join(" ")), 1000, |term| {
            term.text[1..].parse::<u64>().ok().map(|n| 400 - n)
        });
        assert_eq!(plan.first().words, words[200 - MOST_ASKED..]);
    }
}
