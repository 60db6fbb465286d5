//! Terms of a sentence as numbers: words, pairs of ideographs, triples of scripts without spaces.

use std::hash::Hasher as _;

use epitome_core::bigram::is_ideographic;
use rustc_hash::FxHasher;

/// Number of terms that are told apart; others share a number, which blurs a weight a little.
pub(super) const TERMS: usize = 1 << 14;

/// The distinct terms of a text, sorted.
pub(super) fn find(text: &str) -> Vec<u16> {
    let mut terms = Vec::with_capacity(text.len() / 6);
    let mut word_start = None;
    let mut before = [None; 2];
    for (at, c) in text.char_indices() {
        let spaceless = is_ideographic(c) || is_unspaced(c);
        if spaceless {
            end_word(&text[..at], &mut word_start, &mut terms);
            let parts = if is_ideographic(c) {
                [None, before[1]]
            } else {
                before
            };
            if before[1].is_some() {
                terms.push(number(&(parts, c)));
            }
            before = [before[1], Some(c)];
            continue;
        }
        before = [None; 2];
        if c.is_alphanumeric() || is_mark(c) {
            word_start.get_or_insert(at);
        } else {
            end_word(&text[..at], &mut word_start, &mut terms);
        }
    }
    end_word(text, &mut word_start, &mut terms);
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// Ends the word that began before; short words and the commonest ones carry no meaning.
fn end_word(text: &str, start: &mut Option<usize>, terms: &mut Vec<u16>) {
    let Some(word) = start.take().map(|start| &text[start..]) else {
        return;
    };
    if word.is_ascii() {
        let mut buffer = [0_u8; 24];
        let length = word.len().min(buffer.len());
        buffer[..length].copy_from_slice(&word.as_bytes()[..length]);
        let word = &mut buffer[..length];
        word.make_ascii_lowercase();
        if length > 2 && !is_stop_word(word) {
            terms.push(number(&stem(word)));
        }
    } else if word.chars().nth(1).is_some() {
        terms.push(number(&word.to_lowercase()));
    }
}

/// A word without the ending of its plural.
fn stem(word: &[u8]) -> &[u8] {
    match word {
        [head @ .., b'e', b's'] | [head @ .., b'e'] if head.len() > 3 => head,
        [head @ .., b's'] if head.len() > 3 && !head.ends_with(b"s") => head,
        _ => word,
    }
}

fn is_stop_word(word: &[u8]) -> bool {
    const WORDS: [&str; 58] = [
        "about", "after", "all", "also", "and", "any", "are", "because", "been", "before", "but",
        "can", "could", "does", "each", "for", "from", "had", "has", "have", "how", "however",
        "into", "its", "may", "more", "most", "must", "not", "one", "only", "other", "our",
        "should", "such", "than", "that", "the", "their", "them", "then", "there", "these", "they",
        "this", "those", "was", "were", "what", "when", "where", "which", "while", "who", "will",
        "with", "would", "you",
    ];
    std::str::from_utf8(word).is_ok_and(|word| WORDS.binary_search(&word).is_ok())
}

/// Thai, Lao, Myanmar and Khmer put no spaces between words.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// Marks that stand inside words.
fn is_mark(c: char) -> bool {
    c == '_'
        || (!c.is_ascii()
            && !c.is_whitespace()
            && matches!(c, '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{dff}'))
}

fn number(term: &impl std::hash::Hash) -> u16 {
    let mut hasher = FxHasher::default();
    term.hash(&mut hasher);
    // The upper bits of this hash are the well-mixed ones.
    (hasher.finish() >> 50) as u16
}

/// Share of the smaller set's terms that the other one has too.
pub(super) fn overlap(a: &[u16], b: &[u16]) -> f32 {
    let least = a.len().min(b.len());
    if least == 0 {
        return 0.0;
    }
    let (mut i, mut j, mut common) = (0, 0, 0_usize);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                common += 1;
                i += 1;
                j += 1;
            }
        }
    }
    common as f32 / least as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_follow_the_script() {
        let check = |a: &str, b: &str, expected: f32| {
            let overlap = overlap(&find(a), &find(b));
            assert!((overlap - expected).abs() < 1e-6, "{a} / {b}: {overlap}");
        };
        check("The accounts and the ledger", "LEDGER account", 1.0);
        check("the and with", "anything", 0.0);
        check("数据库备份", "备份数据库", 0.75);
        check("数据库", "汉字", 0.0);
        check("ภาษาไทย", "ภาษาไทย", 1.0);
        check("Отчёт готов", "отчёт", 1.0);
        assert!(
            find("one two three words")
                .iter()
                .all(|t| usize::from(*t) < TERMS)
        );
    }

    #[test]
    fn stop_words_are_sorted_for_the_search() {
        for word in ["about", "could", "the", "you"] {
            assert!(is_stop_word(word.as_bytes()), "{word}");
        }
    }
}
