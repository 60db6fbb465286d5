//! How good a ranking or a gate is, against judgements.
//!
//! Measures specification 5: linear gains, the ideal ranking over all judged documents, intervals by
//! a seeded bootstrap, so that equal inputs give equal figures.

use std::collections::BTreeMap;

/// Normalized discounted cumulative gain of the first `depth` documents, from 0 to 1.
///
/// 0 where nothing relevant is judged.
///
/// ```
/// use std::collections::BTreeMap;
/// use epitome_core::evaluate::ndcg;
/// let grades = BTreeMap::from([("a", 1.0), ("b", 2.0)]);
/// assert_eq!(ndcg(&["b", "a"], &grades, 10), 1.0);
/// assert_eq!(ndcg(&["x"], &grades, 10), 0.0);
/// ```
pub fn ndcg<D: Ord>(ranking: &[D], grades: &BTreeMap<D, f64>, depth: usize) -> f64 {
    let gains = ranking
        .iter()
        .map(|document| grades.get(document).copied().unwrap_or(0.0));
    let mut ideal: Vec<_> = grades.values().copied().collect();
    ideal.sort_by(|a, b| b.total_cmp(a));
    let whole = discounted(ideal.into_iter(), depth);
    if whole > 0.0 {
        discounted(gains, depth) / whole
    } else {
        0.0
    }
}

fn discounted(gains: impl Iterator<Item = f64>, depth: usize) -> f64 {
    let ranked = gains.take(depth).zip(2_u32..);
    ranked
        .map(|(gain, rank)| gain / f64::from(rank).log2())
        .sum()
}

/// Share of the relevant documents among the first `depth`; 0 where none is relevant.
pub fn recall<D: Ord>(ranking: &[D], grades: &BTreeMap<D, f64>, depth: usize) -> f64 {
    let relevant = grades.values().filter(|&&grade| grade > 0.0).count();
    let found = ranking
        .iter()
        .take(depth)
        .filter(|&document| is_relevant(grades, document))
        .count();
    found as f64 / relevant.max(1) as f64
}

/// One over the rank of the first relevant document among the first `depth`; 0 without one.
pub fn reciprocal_rank<D: Ord>(ranking: &[D], grades: &BTreeMap<D, f64>, depth: usize) -> f64 {
    let first = ranking
        .iter()
        .take(depth)
        .position(|document| is_relevant(grades, document));
    first.map_or(0.0, |at| 1.0 / (at + 1) as f64)
}

fn is_relevant<D: Ord>(grades: &BTreeMap<D, f64>, document: &D) -> bool {
    grades.get(document).is_some_and(|&grade| grade > 0.0)
}

/// A figure with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The figure.
    pub mean: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Mean of a sample and its 95 % interval from `rounds` resamples. All 0 for an empty sample.
///
/// Give the differences of two systems per query to compare them pairwise.
///
/// ```
/// use epitome_core::evaluate::bootstrap;
/// let gain = bootstrap(&[0.1, 0.2, 0.3, 0.2], 1000, 7);
/// assert!(0.1 < gain.low && gain.low < gain.mean && gain.mean < gain.high);
/// assert_eq!(gain, bootstrap(&[0.1, 0.2, 0.3, 0.2], 1000, 7));
/// ```
pub fn bootstrap(sample: &[f64], rounds: usize, seed: u64) -> Interval {
    if sample.is_empty() {
        return Interval {
            mean: 0.0,
            low: 0.0,
            high: 0.0,
        };
    }
    let mean = |sum: f64| sum / sample.len() as f64;
    let mut state = seed;
    let mut means: Vec<f64> = (0..rounds.max(1))
        .map(|_| {
            mean(
                (0..sample.len())
                    .map(|_| sample[below(&mut state, sample.len())])
                    .sum(),
            )
        })
        .collect();
    means.sort_by(f64::total_cmp);
    Interval {
        mean: mean(sample.iter().sum()),
        low: quantile(&means, 0.025),
        high: quantile(&means, 0.975),
    }
}

/// The value below which this share of a sorted sample lies; 0 for an empty one.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len().saturating_sub(1) as f64;
    #[expect(clippy::cast_sign_loss, reason = "a share of a length is not negative")]
    let at = (share.clamp(0.0, 1.0) * last).round() as usize;
    sorted.get(at).copied().unwrap_or(0.0)
}

/// The next random number below a bound (`SplitMix64`).
fn below(state: &mut u64, bound: usize) -> usize {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^= mixed >> 31;
    ((u128::from(mixed) * bound as u128) >> 64) as usize
}

/// Area under the ROC curve: how often a positive score exceeds a negative one, ties half.
///
/// 0.5 where one side is empty: nothing is known.
///
/// ```
/// use epitome_core::evaluate::area_under_curve;
/// assert_eq!(area_under_curve(&[0.9, 0.8], &[0.1, 0.8]), 0.875);
/// ```
pub fn area_under_curve(positive: &[f64], negative: &[f64]) -> f64 {
    if positive.is_empty() || negative.is_empty() {
        return 0.5;
    }
    let mut sorted = negative.to_vec();
    sorted.sort_by(f64::total_cmp);
    let wins: f64 = positive
        .iter()
        .map(|score| {
            let below = sorted.partition_point(|negative| negative < score);
            let equal = sorted.partition_point(|negative| negative <= score) - below;
            below as f64 + equal as f64 / 2.0
        })
        .sum();
    wins / (positive.len() as f64 * negative.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grades(pairs: &[(&'static str, f64)]) -> BTreeMap<&'static str, f64> {
        pairs.iter().copied().collect()
    }

    #[track_caller]
    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-4, "{found} is not {expected}");
    }

    #[test]
    fn rankings_are_measured_by_hand_computed_values() {
        let judged = grades(&[("a", 3.0), ("b", 1.0), ("c", 0.0)]);
        near(ndcg(&["a", "b"], &judged, 10), 1.0);
        near(
            ndcg(&["b", "a"], &judged, 10),
            (1.0 + 3.0 / 3_f64.log2()) / (3.0 + 1.0 / 3_f64.log2()),
        );
        near(ndcg(&["x", "a"], &judged, 1), 0.0);
        near(ndcg(&["a"], &grades(&[]), 10), 0.0);
        near(recall(&["b", "c", "x"], &judged, 5), 0.5);
        near(recall(&["c", "x", "a"], &judged, 2), 0.0);
        near(reciprocal_rank(&["c", "b", "a"], &judged, 10), 0.5);
        near(reciprocal_rank(&["c"], &judged, 10), 0.0);
    }

    #[test]
    fn areas_and_intervals_are_right_at_the_edges() {
        near(area_under_curve(&[1.0], &[0.0]), 1.0);
        near(area_under_curve(&[0.0], &[1.0]), 0.0);
        near(area_under_curve(&[1.0, 1.0], &[1.0]), 0.5);
        near(area_under_curve(&[], &[1.0]), 0.5);
        near(bootstrap(&[2.0; 5], 100, 1).low, 2.0);
        near(bootstrap(&[], 100, 1).high, 0.0);
        near(quantile(&[1.0, 2.0, 3.0], 0.5), 2.0);
        near(quantile(&[], 0.5), 0.0);
    }

    #[test]
    fn the_interval_has_about_the_textbook_width() {
        let sample: Vec<_> = (0..400).map(|n| f64::from(n % 2)).collect();
        let interval = bootstrap(&sample, 2000, 3);
        near(interval.mean, 0.5);
        assert!((interval.high - interval.low - 2.0 * 1.96 * 0.025).abs() < 0.01);
    }
}
