//! What each sentence of a document is worth: nearness to the whole, place, and form.

use super::blocks::{Block, Role};
use super::sentence;
use super::terms;

/// A sentence with what speaks for it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sentence {
    pub(super) text: String,
    pub(super) chars: usize,
    pub(super) terms: Vec<u16>,
    pub(super) score: f32,
}

/// Sentences that are looked at; the rest of a very long text only repeats its terms.
const MOST_SENTENCES: usize = 4000;

/// Splits blocks into sentences and scores them.
pub(super) fn split(blocks: &[Block], title: &str) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let mut section = Section::Plain;
    let mut place = 0_usize;
    let mut place_in_section = 0_usize;
    for block in blocks {
        if block.role == Role::Heading {
            section = Section::of(&block.text);
            place_in_section = 0;
            continue;
        }
        for (index, text) in sentence::split(&block.text).into_iter().enumerate() {
            let chars = text.chars().count();
            let mut score = rate_place(place, place_in_section, index, section);
            score += rate_form(text, chars);
            if block.role == Role::Item {
                score -= 0.3;
            }
            sentences.push(Sentence {
                text: text.to_owned(),
                chars,
                terms: terms::find(text),
                score,
            });
        }
        place += 1;
        place_in_section += 1;
        if sentences.len() >= MOST_SENTENCES {
            break;
        }
    }
    add_nearness(&mut sentences, title);
    sentences
}

/// Puts a sentence in front that the author wrote as the summary.
pub(super) fn put_first(sentences: &mut Vec<Sentence>, text: &str) {
    let first = Sentence {
        text: text.to_owned(),
        chars: text.chars().count(),
        terms: terms::find(text),
        score: 10.0,
    };
    sentences.insert(0, first);
}

/// What the heading above a sentence says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    /// The author's own short version.
    Abstract,
    Plain,
    /// What no summary needs: licence, references, thanks.
    Aside,
}

impl Section {
    fn of(heading: &str) -> Self {
        const ABSTRACT: [&str; 13] = [
            "abstract",
            "summary",
            "overview",
            "introduction",
            "purpose",
            "tl;dr",
            "about",
            "synopsis",
            "摘要",
            "概要",
            "简介",
            "概述",
            "はじめに",
        ];
        const ASIDE: [&str; 12] = [
            "copyright",
            "license",
            "licence",
            "reference",
            "acknowledg",
            "changelog",
            "citation",
            "contribut",
            "see also",
            "history",
            "参考",
            "table of contents",
        ];
        let heading = heading.to_lowercase();
        let names = |list: &[&str]| list.iter().any(|word| heading.contains(word));
        if names(&ASIDE) {
            Self::Aside
        } else if names(&ABSTRACT) {
            Self::Abstract
        } else {
            Self::Plain
        }
    }
}

fn rate_place(place: usize, in_section: usize, in_block: usize, section: Section) -> f32 {
    let early = 0.5 / (1.0 + 0.35 * place as f32 + 0.15 * in_block as f32);
    let opening = if in_block == 0 { 0.12 } else { 0.0 };
    let section = match (section, in_section) {
        (Section::Abstract, 0) => 0.55,
        (Section::Abstract, _) => 0.3,
        (Section::Plain, 0) => 0.08,
        (Section::Plain, _) => 0.0,
        (Section::Aside, _) => -1.0,
    };
    early + opening - 0.04 * in_block.min(6) as f32 + section
}

/// What the form of a sentence takes from it: fragments, lead-ins, addresses, boilerplate.
pub(super) fn rate_form(text: &str, chars: usize) -> f32 {
    let mut score = 0.0;
    // A character of three bytes says more than a letter.
    if text.len().max(chars) < 30 {
        score -= 0.35;
    }
    if chars > sentence::LONG {
        score -= 0.3;
    }
    if text.ends_with([':', '：']) {
        score -= 0.35;
    }
    if text.starts_with("http") || text.contains("RFC 2119") || text.contains("RFC-2119") {
        score -= 0.8;
    }
    let marks = text
        .bytes()
        .filter(|b| b"{}[]()<>=|\\/#$`".contains(b))
        .count();
    score - (marks as f32 / text.len() as f32 * 2.5).min(0.6)
}

/// Adds how near each sentence is to the text as a whole and to its title.
pub(super) fn add_nearness(sentences: &mut [Sentence], title: &str) {
    let mut counts = vec![0_u16; terms::TERMS];
    for sentence in sentences.iter() {
        for term in &sentence.terms {
            let count = &mut counts[usize::from(*term)];
            *count = count.saturating_add(1);
        }
    }
    let weights = weights();
    let weight =
        |term: &u16| weights[usize::from(counts[usize::from(*term)]).min(weights.len() - 1)];
    let nearness: Vec<f32> = sentences
        .iter()
        .map(|sentence| {
            let sum: f32 = sentence.terms.iter().map(weight).sum();
            sum / (sentence.terms.len() as f32 + 4.0).sqrt()
        })
        .collect();
    let most = nearness.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let title = terms::find(title);
    for (sentence, near) in sentences.iter_mut().zip(nearness) {
        sentence.score += 0.5 * near / most + 0.15 * terms::overlap(&sentence.terms, &title);
    }
}

/// The weight of a term by the number of sentences that have it. A term of one sentence alone says
/// nothing about the whole.
fn weights() -> [f32; 256] {
    std::array::from_fn(|count| (count.saturating_sub(1) as f32).ln_1p())
}
