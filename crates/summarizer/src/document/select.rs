//! Which sentences make the summary: the best ones that say different things, in their own order.

use super::score::Sentence;
use super::sentence::{LONG, cut};
use super::terms::overlap;
use super::{ENOUGH_CHARS, MOST_CHARS};

/// Sentences that may still be chosen; worse ones never are.
const CANDIDATES: usize = 60;

/// Share of terms from which on a sentence says what another one said.
const SAME: f32 = 0.85;

/// Chooses sentences up to the length of a summary and joins them.
pub(super) fn choose(sentences: &[Sentence]) -> String {
    join(choose_texts(sentences))
}

/// Chooses sentences up to the length of a summary, in their own order.
pub(super) fn choose_texts(sentences: &[Sentence]) -> impl Iterator<Item = &str> {
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    let better = |a: &usize, b: &usize| {
        sentences[*b]
            .score
            .total_cmp(&sentences[*a].score)
            .then(a.cmp(b))
    };
    if order.len() > CANDIDATES {
        order.select_nth_unstable_by(CANDIDATES, better);
        order.truncate(CANDIDATES);
    }
    order.sort_unstable_by(better);
    let mut chosen = pick(sentences, order);
    chosen.sort_unstable();
    chosen.into_iter().map(|index| &*sentences[index].text)
}

/// Takes the best remaining sentence again and again, each one judged by what it adds.
fn pick(sentences: &[Sentence], mut order: Vec<usize>) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut repeats = vec![0.0_f32; order.len()];
    let mut used = 0;
    let mut best_score = None;
    while used < ENOUGH_CHARS && !order.is_empty() {
        let worth = |at: usize| sentences[order[at]].score - 0.7 * repeats[at];
        let mut best = 0;
        for at in 1..order.len() {
            if worth(at) > worth(best) {
                best = at;
            }
        }
        let score = worth(best);
        let index = order.swap_remove(best);
        let repeat = repeats.swap_remove(best);
        let top = *best_score.get_or_insert(score.min(1.5));
        // Weak sentences fill no summary that says something already.
        if used > 0 && score < (0.3 * top).max(0.0) && used + chosen.len() > MOST_CHARS / 4 {
            break;
        }
        let sentence = &sentences[index];
        if repeat > SAME || (used + sentence.chars + 1 > MOST_CHARS && used > 0) {
            continue;
        }
        used += sentence.chars.min(MOST_CHARS) + 1;
        chosen.push(index);
        for (at, other) in order.iter().enumerate() {
            let repeat = overlap(&sentences[*other].terms, &sentence.terms);
            repeats[at] = repeats[at].max(repeat);
        }
    }
    chosen
}

/// Joins sentences with a space, except after a full-width mark; the whole fits a summary.
fn join<'a>(sentences: impl Iterator<Item = &'a str>) -> String {
    let mut summary = String::new();
    for sentence in sentences {
        if !summary.is_empty() && !summary.ends_with(['。', '！', '？', '」', '』', '”']) {
            summary.push(' ');
        }
        summary.push_str(sentence);
    }
    let most = if summary.chars().nth(MOST_CHARS).is_some() {
        // One sentence alone was too long: the rest of it is only more of the same.
        LONG + LONG / 2
    } else {
        MOST_CHARS
    };
    cut(&summary, most)
}
