//! Measures on the store's own texts how an embedder's leg should count.
//!
//! Pairs are made of what the documents say about themselves: a description, a heading or a sentence
//! of the summary is the query, its document the answer. The documents are copied into a scratch
//! store from which those texts are left out, so that neither leg finds them by repeating them. The
//! dense leg gets a weight only where it gains on the pairs; otherwise the weight is 0 and the words
//! rank alone. Knowledge specification 4, decisions 8.

mod measure;
mod pairs;
mod scratch;

use epitome_core::evaluate::Interval;
use epitome_core::gate::FEWEST_PAIRS;
use epitome_core::rank::FusionOptions;
use epitome_index::Result;
use epitome_index::documents::DocumentStore;
use epitome_index::documents::model::Calibration;
use epitome_summarizer::Error as EmbedderError;
use epitome_summarizer::embed::Embedder;

/// How much is measured, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CalibrateOptions {
    /// Documents that are copied and ranked, at most.
    pub documents: usize,
    /// Pairs, at most.
    pub pairs: usize,
    /// The time, milliseconds since the epoch.
    pub now_ms: i64,
}

impl CalibrateOptions {
    /// Usual limits: intervals are narrow enough, and a minute is not exceeded.
    pub fn at(now_ms: i64) -> Self {
        Self {
            documents: 2000,
            pairs: 300,
            now_ms,
        }
    }
}

/// What was measured.
#[derive(Debug, Default)]
pub struct CalibrateReport {
    /// Pairs that were made. Under [`FEWEST_PAIRS`] nothing else is measured and the defaults stand.
    pub pairs: usize,
    /// The figures.
    pub figures: Option<Figures>,
    /// What was stored.
    pub stored: Option<Calibration>,
    /// Why nothing was stored, where the embedder failed.
    pub failure: Option<EmbedderError>,
}

/// Figures on the pairs, nDCG@10 each.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// Of the words alone.
    pub lexical: Interval,
    /// Of the vectors alone.
    pub dense: Interval,
    /// Of both, for each way of fusing them.
    pub fused: Vec<FusedFigure>,
    /// How well the coverage parts answered questions from others, 0.5 to 1.
    pub coverage_area: f64,
    /// How well coverage and cosine do together.
    pub combined_area: f64,
}

/// The figures of one way of fusing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FusedFigure {
    /// How both legs are fused.
    pub fusion: FusionOptions,
    /// nDCG@10.
    pub ndcg: Interval,
    /// Gain over the words alone, pair by pair.
    pub gain: Interval,
}

/// Calibrates an embedder whose vectors are in the store, and stores the result.
///
/// A failing embedder is no error: the report has it, and what was stored before stays.
pub async fn calibrate(
    store: &dyn DocumentStore,
    embedder: &dyn Embedder,
    options: &CalibrateOptions,
) -> Result<CalibrateReport> {
    let sample = pairs::sample(store, options)?;
    let mut report = CalibrateReport {
        pairs: sample.pairs.len(),
        ..CalibrateReport::default()
    };
    if report.pairs < FEWEST_PAIRS {
        return Ok(report);
    }
    let scratch = match scratch::Scratch::make(store, embedder, &sample).await? {
        Ok(scratch) => scratch,
        Err(failure) => {
            report.failure = Some(failure);
            return Ok(report);
        }
    };
    let outcomes = measure::rank_pairs(&scratch)?;
    let (figures, calibration) = measure::choose(&outcomes, options.now_ms);
    store.put_calibration(embedder.model(), &calibration)?;
    report.figures = Some(figures);
    report.stored = Some(calibration);
    Ok(report)
}
