//! Ranks the pairs by both legs and chooses how they are fused.

use std::collections::BTreeMap;

use epitome_core::evaluate::{area_under_curve, bootstrap, ndcg, quantile};
use epitome_core::gate::{DEFAULT_THRESHOLD, Spread, Spreads, best_threshold, signal};
use epitome_core::id::DocumentId;
use epitome_core::rank::{FusionOptions, RankedChunk, best_chunks, fuse};
use epitome_index::Result;
use epitome_index::documents::model::Calibration;

use super::scratch::Scratch;
use super::{Figures, FusedFigure};
use crate::search::{SearchRequest, rank};

/// Documents of a ranking that count.
const DEPTH: usize = 10;

/// Chunks of the dense leg, as in a search.
const DENSE_CHUNKS: usize = 100;

/// Ways of fusing that are tried.
const WEIGHTS: [f64; 3] = [0.25, 0.5, 1.0];
const CONSTANTS: [f64; 2] = [10.0, 60.0];

/// The constant that is stored beside a weight of 0.
const USUAL_CONSTANT: f64 = 60.0;

const ROUNDS: usize = 1000;
const THRESHOLD_ROUNDS: u64 = 200;
const SEED: u64 = 0x6570_6974;

/// What both legs found for a pair.
pub(super) struct Outcome {
    pub(super) document: DocumentId,
    pub(super) lexical: Vec<RankedChunk>,
    pub(super) dense: Vec<RankedChunk>,
    /// The gate's signals with the document and without it.
    pub(super) answered: Signals,
    pub(super) unanswered: Signals,
}

/// The two signals of the gate.
#[derive(Clone, Copy)]
pub(super) struct Signals {
    pub(super) coverage: f64,
    pub(super) cosine: f64,
}

/// Ranks every pair by both legs.
pub(super) fn rank_pairs(scratch: &Scratch) -> Result<Vec<Outcome>> {
    let mut outcomes = Vec::with_capacity(scratch.pairs.len());
    for pair in &scratch.pairs {
        let request = SearchRequest {
            query: &pair.query,
            limit: DEPTH,
            source: None,
            dense: None,
        };
        let found = rank(&scratch.store, &request)?.lexical;
        let dense = scratch.index.as_ref().map_or_else(Vec::new, |index| {
            index.closest(&pair.vector, DENSE_CHUNKS, None)
        });
        let signals = |counts: &dyn Fn(DocumentId) -> bool| {
            let covered = found.ranked.iter().zip(&found.coverages);
            let best = covered.clone().find(|(chunk, _)| counts(chunk.document));
            let closest = dense.iter().find(|chunk| counts(chunk.document));
            Signals {
                coverage: best.map_or(0.0, |(_, coverage)| *coverage),
                cosine: closest.map_or(0.0, |chunk| chunk.score),
            }
        };
        outcomes.push(Outcome {
            document: pair.document,
            answered: signals(&|_| true),
            unanswered: signals(&|document| document != pair.document),
            lexical: found.ranked,
            dense,
        });
    }
    Ok(outcomes)
}

/// Measures every way of fusing and chooses one: the largest gain whose interval does not reach below
/// zero and that both halves of the pairs confirm. Where there is none the dense leg weighs nothing.
pub(super) fn choose(outcomes: &[Outcome], now_ms: i64) -> (Figures, Calibration) {
    let lexical: Vec<_> = outcomes
        .iter()
        .map(|outcome| quality(&outcome.lexical, outcome.document))
        .collect();
    let dense: Vec<_> = outcomes
        .iter()
        .map(|outcome| quality(&outcome.dense, outcome.document))
        .collect();
    let mut fused = Vec::new();
    let mut best: Option<FusedFigure> = None;
    for k in CONSTANTS {
        for dense_weight in WEIGHTS {
            let (figure, is_sure) = measure(outcomes, &lexical, FusionOptions { k, dense_weight });
            let is_better = best.is_none_or(|best| figure.gain.mean > best.gain.mean);
            if is_sure && is_better {
                best = Some(figure);
            }
            fused.push(figure);
        }
    }
    let gate = Gate::measure(outcomes);
    let figures = Figures {
        lexical: bootstrap(&lexical, ROUNDS, SEED),
        dense: bootstrap(&dense, ROUNDS, SEED),
        fused,
        coverage_area: gate.coverage_area,
        combined_area: gate.combined_area,
    };
    let calibration = calibration(best, gate, outcomes.len(), now_ms);
    (figures, calibration)
}

fn quality(chunks: &[RankedChunk], document: DocumentId) -> f64 {
    let ranking: Vec<_> = best_chunks(chunks)
        .iter()
        .map(|chunk| chunk.document)
        .collect();
    ndcg(&ranking, &BTreeMap::from([(document, 1.0)]), DEPTH)
}

/// The figures of one way of fusing, and whether its gain is sure.
fn measure(outcomes: &[Outcome], lexical: &[f64], fusion: FusionOptions) -> (FusedFigure, bool) {
    let fused: Vec<_> = outcomes
        .iter()
        .map(|outcome| {
            let chunks = fuse(&outcome.lexical, &outcome.dense, fusion);
            quality(&chunks, outcome.document)
        })
        .collect();
    let gains: Vec<_> = fused
        .iter()
        .zip(lexical)
        .map(|(fused, lexical)| fused - lexical)
        .collect();
    let gain = bootstrap(&gains, ROUNDS, SEED);
    let half = |skipped| gains.iter().skip(skipped).step_by(2).sum::<f64>();
    let is_sure = gain.mean > 0.0 && gain.low >= 0.0 && half(0) >= 0.0 && half(1) >= 0.0;
    let figure = FusedFigure {
        fusion,
        ndcg: bootstrap(&fused, ROUNDS, SEED),
        gain,
    };
    (figure, is_sure)
}

fn calibration(best: Option<FusedFigure>, gate: Gate, pairs: usize, now_ms: i64) -> Calibration {
    let defaults = Calibration {
        dense_weight: 0.0,
        gain: (0.0, 0.0, 0.0),
        k: USUAL_CONSTANT,
        threshold: (DEFAULT_THRESHOLD, DEFAULT_THRESHOLD, DEFAULT_THRESHOLD),
        coverage: Vec::new(),
        cosine: Vec::new(),
        pairs: pairs as u64,
        at_ms: now_ms,
    };
    let Some(best) = best else { return defaults };
    let fused = Calibration {
        dense_weight: best.fusion.dense_weight,
        gain: (best.gain.mean, best.gain.low, best.gain.high),
        k: best.fusion.k,
        ..defaults
    };
    match gate.chosen {
        Some((spreads, threshold)) => Calibration {
            threshold,
            coverage: spreads.coverage.quantiles().to_vec(),
            cosine: spreads.cosine.quantiles().to_vec(),
            ..fused
        },
        None => fused,
    }
}

/// How the gate does with the cosine.
struct Gate {
    coverage_area: f64,
    combined_area: f64,
    /// Spreads and threshold, where the cosine does not make the gate worse.
    chosen: Option<(Spreads, (f64, f64, f64))>,
}

impl Gate {
    fn measure(outcomes: &[Outcome]) -> Self {
        let both = || {
            let each = outcomes.iter();
            each.flat_map(|outcome| [outcome.answered, outcome.unanswered])
        };
        let coverages: Vec<_> = both().map(|signals| signals.coverage).collect();
        let cosines: Vec<_> = both().map(|signals| signals.cosine).collect();
        let spreads = Spread::of(&coverages).zip(Spread::of(&cosines));
        let spreads = spreads.map(|(coverage, cosine)| Spreads { coverage, cosine });
        let combined =
            |signals: Signals| signal(signals.coverage, Some(signals.cosine), spreads.as_ref());
        let answered: Vec<_> = outcomes.iter().map(|o| combined(o.answered)).collect();
        let unanswered: Vec<_> = outcomes.iter().map(|o| combined(o.unanswered)).collect();
        let combined_area = area_under_curve(&answered, &unanswered);
        let coverage_area = area_under_curve(
            &outcomes
                .iter()
                .map(|o| o.answered.coverage)
                .collect::<Vec<_>>(),
            &outcomes
                .iter()
                .map(|o| o.unanswered.coverage)
                .collect::<Vec<_>>(),
        );
        let chosen = spreads
            .filter(|_| combined_area >= coverage_area)
            .zip(threshold(&answered, &unanswered));
        Self {
            coverage_area,
            combined_area,
            chosen,
        }
    }
}

/// The best threshold with its interval over resampled pairs.
fn threshold(answered: &[f64], unanswered: &[f64]) -> Option<(f64, f64, f64)> {
    let best = best_threshold(answered, unanswered)?;
    let mut state = SEED;
    let mut next = || {
        // Numbers of Knuth's generator; the high bits are the good ones.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % answered.len()
    };
    let mut resampled: Vec<_> = (0..THRESHOLD_ROUNDS)
        .filter_map(|_| {
            let picks: Vec<_> = (0..answered.len()).map(|_| next()).collect();
            let pick = |sample: &[f64]| picks.iter().map(|at| sample[*at]).collect::<Vec<_>>();
            best_threshold(&pick(answered), &pick(unanswered))
        })
        .collect();
    resampled.sort_by(f64::total_cmp);
    Some((
        best,
        quantile(&resampled, 0.025),
        quantile(&resampled, 0.975),
    ))
}

#[cfg(test)]
mod tests {
    use epitome_core::id::ChunkId;

    use super::*;

    /// Outcomes in which each leg has the document at these ranks, which count from 0.
    fn outcomes(ranks: impl Iterator<Item = (usize, usize)>) -> Vec<Outcome> {
        let leg = |rank: usize| -> Vec<RankedChunk> {
            (0..20)
                .map(|at| {
                    let document = if at == rank { 0 } else { 100 + at as u64 };
                    RankedChunk {
                        chunk: ChunkId(document),
                        document: DocumentId(document),
                        position: 0,
                        score: 1.0 / (at + 1) as f64,
                        cosine: None,
                    }
                })
                .collect()
        };
        ranks
            .map(|(lexical, dense)| Outcome {
                document: DocumentId(0),
                lexical: leg(lexical),
                dense: leg(dense),
                answered: Signals {
                    coverage: 0.8,
                    cosine: 0.7,
                },
                unanswered: Signals {
                    coverage: 0.5,
                    cosine: 0.2,
                },
            })
            .collect()
    }

    #[test]
    fn the_weight_is_what_the_pairs_say() {
        let check = |lexical: usize, dense: usize, has_weight: bool| {
            let (figures, calibration) = choose(&outcomes((0..60).map(|_| (lexical, dense))), 7);
            assert_eq!(calibration.dense_weight > 0.0, has_weight, "{figures:?}");
            assert!(calibration.gain.1 >= 0.0);
            assert_eq!((calibration.pairs, calibration.at_ms), (60, 7));
            assert_eq!(calibration.cosine.is_empty(), !has_weight);
        };
        check(3, 0, true);
        check(9, 9, false);
        check(0, 0, false);
        check(0, 19, false);
        check(1, 30, false);
    }

    #[test]
    fn a_gain_that_may_be_chance_weighs_nothing() {
        let mixed = (0..60).map(|n| if n % 2 == 0 { (4, 0) } else { (0, 19) });
        let (_, calibration) = choose(&outcomes(mixed), 0);
        assert!(calibration.dense_weight.abs() < 1e-9);
        assert!((calibration.threshold.0 - DEFAULT_THRESHOLD).abs() < 1e-9);
    }

    #[test]
    fn thresholds_have_an_interval_around_them() {
        let answered: Vec<_> = (0..60).map(|n| 0.4 + f64::from(n) / 100.0).collect();
        let unanswered: Vec<_> = (0..60).map(|n| f64::from(n) / 100.0).collect();
        let (best, low, high) = threshold(&answered, &unanswered).unwrap();
        assert!(low <= best && best <= high, "{low} {best} {high}");
        assert!(threshold(&[], &[]).is_none());
    }
}
