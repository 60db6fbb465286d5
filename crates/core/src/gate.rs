//! Decides whether the documents answer a question at all.
//!
//! The signal is the share of the question's weight whose terms stand in the best document; with an
//! embedder the best cosine joins it. Scores of a fusion say nothing here: they are squeezed ranks.
//! Decisions 8, knowledge specification 5.

use crate::evaluate::quantile;

/// Signal from which on a question counts as answered, without an embedder or a calibration.
pub const DEFAULT_THRESHOLD: f64 = 0.40;

/// Fewest calibration pairs that replace the defaults.
pub const FEWEST_PAIRS: usize = 50;

/// What the documents hold for a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Branch {
    /// Evidence: answer from the documents.
    High,
    /// Too little: say so, and show titles only.
    Low,
}

/// HIGH from the threshold on.
///
/// ```
/// use epitome_core::gate::{Branch, decide};
/// assert_eq!(decide(0.40, 0.40), Branch::High);
/// assert_eq!(decide(0.39, 0.40), Branch::Low);
/// assert_eq!(decide(f64::NAN, 0.40), Branch::Low);
/// ```
pub fn decide(signal: f64, threshold: f64) -> Branch {
    if signal >= threshold {
        Branch::High
    } else {
        Branch::Low
    }
}

/// How a signal is spread over a calibration sample, as a fixed number of its quantiles.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread(Vec<f64>);

impl Spread {
    /// Steps between the quantiles that are kept.
    const STEPS: usize = 100;

    /// The spread of a sample; `None` for an empty one.
    pub fn of(sample: &[f64]) -> Option<Self> {
        let mut sorted: Vec<_> = sample
            .iter()
            .copied()
            .filter(|value| value.is_finite())
            .collect();
        sorted.sort_by(f64::total_cmp);
        let quantiles =
            (0..=Self::STEPS).map(|step| quantile(&sorted, step as f64 / Self::STEPS as f64));
        (!sorted.is_empty()).then(|| Self(quantiles.collect()))
    }

    /// A spread from quantiles that were kept, ascending; `None` where there are none.
    pub fn from_quantiles(quantiles: Vec<f64>) -> Option<Self> {
        (!quantiles.is_empty() && quantiles.is_sorted()).then_some(Self(quantiles))
    }

    /// The quantiles, to be kept.
    pub fn quantiles(&self) -> &[f64] {
        &self.0
    }

    /// Share of the sample below a value, equal ones half, from 0 to 1.
    pub fn percentile(&self, value: f64) -> f64 {
        let below = self.0.partition_point(|&quantile| quantile < value);
        let up_to = self.0.partition_point(|&quantile| quantile <= value);
        (below + up_to) as f64 / 2.0 / self.0.len() as f64
    }
}

/// What both signals look like on the store's own pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Spreads {
    /// Of the coverage, with and without the right document.
    pub coverage: Spread,
    /// Of the best cosine, with and without the right document.
    pub cosine: Spread,
}

/// One signal of both: the mean of their percentiles. The plain coverage where the cosine or the
/// sample is missing.
///
/// ```
/// use epitome_core::gate::{Spread, Spreads, signal};
/// let sample: Vec<_> = (0..100).map(|n| f64::from(n) / 100.0).collect();
/// let spread = Spread::of(&sample).unwrap();
/// let spreads = Spreads { coverage: spread.clone(), cosine: spread };
/// assert_eq!(signal(0.3, None, Some(&spreads)), 0.3);
/// assert!((signal(0.3, Some(0.7), Some(&spreads)) - 0.5).abs() < 0.01);
/// ```
pub fn signal(coverage: f64, cosine: Option<f64>, spreads: Option<&Spreads>) -> f64 {
    match (cosine, spreads) {
        (Some(cosine), Some(spreads)) => {
            let percentiles =
                spreads.coverage.percentile(coverage) + spreads.cosine.percentile(cosine);
            percentiles / 2.0
        }
        _ => coverage,
    }
}

/// The threshold that parts two samples of a signal best: the least sum of both error rates, the
/// lowest of equal ones. `None` where one sample is empty.
///
/// ```
/// use epitome_core::gate::best_threshold;
/// assert_eq!(best_threshold(&[0.6, 0.8], &[0.1, 0.3]), Some(0.6));
/// ```
pub fn best_threshold(answered: &[f64], unanswered: &[f64]) -> Option<f64> {
    if answered.is_empty() || unanswered.is_empty() {
        return None;
    }
    let mut candidates = answered.to_vec();
    candidates.sort_by(f64::total_cmp);
    let errors = |threshold: f64| {
        let rates = error_rates(answered, unanswered, threshold);
        rates.missed + rates.accepted
    };
    candidates
        .into_iter()
        .min_by(|a, b| errors(*a).total_cmp(&errors(*b)).then(a.total_cmp(b)))
}

/// How often a threshold is wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorRates {
    /// Share of the answered questions that are deflected.
    pub missed: f64,
    /// Share of the unanswered questions that are let through.
    pub accepted: f64,
}

/// Both error rates of a threshold; 0 on an empty side.
pub fn error_rates(answered: &[f64], unanswered: &[f64], threshold: f64) -> ErrorRates {
    let share = |sample: &[f64], branch| {
        let wrong = sample
            .iter()
            .filter(|&&signal| decide(signal, threshold) == branch)
            .count();
        wrong as f64 / sample.len().max(1) as f64
    };
    ErrorRates {
        missed: share(answered, Branch::Low),
        accepted: share(unanswered, Branch::High),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn percentiles_follow_the_sample() {
        let check = |sample: &[f64], value, expected: f64| {
            let found = Spread::of(sample).unwrap().percentile(value);
            assert!(
                (found - expected).abs() < 0.02,
                "{value}: {found} is not {expected}"
            );
        };
        check(&[0.0, 1.0], -1.0, 0.0);
        check(&[0.0, 1.0], 0.5, 0.5);
        check(&[0.0, 1.0], 2.0, 1.0);
        check(&[3.0; 9], 3.0, 0.5);
        assert_eq!(Spread::of(&[]), None);
        assert_eq!(Spread::of(&[f64::NAN]), None);
        assert_eq!(Spread::from_quantiles(vec![2.0, 1.0]), None);
    }

    #[test]
    fn both_error_rates_are_counted() {
        let check = |threshold, missed, accepted| {
            let rates = error_rates(&[0.2, 0.6, 0.8, 0.9], &[0.1, 0.5], threshold);
            assert_eq!((rates.missed, rates.accepted), (missed, accepted));
        };
        check(0.0, 0.0, 1.0);
        check(0.5, 0.25, 0.5);
        check(0.6, 0.25, 0.0);
        check(1.0, 1.0, 0.0);
        assert_eq!(
            best_threshold(&[0.2, 0.6, 0.8, 0.9], &[0.1, 0.5]),
            Some(0.6)
        );
        assert_eq!(best_threshold(&[], &[0.1]), None);
    }

    proptest! {
        #[test]
        fn a_spread_survives_being_kept_and_rises(
            sample in prop::collection::vec(-1.0_f64..1.0, 1..300),
            a in -1.0_f64..1.0,
            b in -1.0_f64..1.0,
        ) {
            let spread = Spread::of(&sample).unwrap();
            prop_assert_eq!(Spread::from_quantiles(spread.quantiles().to_vec()), Some(spread.clone()));
            prop_assert!(spread.percentile(a.min(b)) <= spread.percentile(a.max(b)));
        }
    }
}
