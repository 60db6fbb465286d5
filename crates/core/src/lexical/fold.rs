//! One form for the forms of a word.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Lower case without accents, as the word index compares words.
///
/// ```
/// use epitome_core::lexical::fold::fold;
/// assert_eq!(fold("Résumé"), "resume");
/// assert_eq!(fold("plain"), "plain");
/// ```
pub fn fold(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return word.to_ascii_lowercase().into();
        }
        return word.into();
    }
    let lower = word.to_lowercase();
    let bare: String = lower.nfd().filter(|&c| !is_combining_mark(c)).collect();
    bare.nfc().collect::<String>().into()
}

/// Takes English endings off folded words.
pub struct Stems(Stemmer);

impl Stems {
    /// Makes the stemmer of the ranking.
    pub fn new() -> Self {
        Self(Stemmer::create(Algorithm::English))
    }

    /// The stem of a folded word. Words beyond ASCII stay as they are: English endings mean nothing
    /// on them.
    pub fn stem<'a>(&self, folded: &'a str) -> Cow<'a, str> {
        if folded.is_ascii() {
            self.0.stem(folded)
        } else {
            folded.into()
        }
    }
}

impl Default for Stems {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Stems {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Stems")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_meet() {
        let check = |a: &str, b: &str| {
            let stems = Stems::new();
            let form = |word: &str| stems.stem(&fold(word)).into_owned();
            assert_eq!(form(a), form(b));
        };
        check("medications", "Medication"); // 15
        check("Running", "runs");
        check("naïve", "naive");
        check("É", "e\u{301}");
        check("Ё", "ё");
    }
}
