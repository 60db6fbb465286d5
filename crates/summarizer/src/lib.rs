//! Seams to what writes summaries: the [`Summarizer`] trait and the extractive summarizer.
//!
//! A summarizer gets one captured batch and returns text in which every call's bullets open with
//! the call's `[[N:tool]]` label. What it returns is data: callers substitute labels and drop what
//! is malformed, they never trust it.

#![forbid(unsafe_code)]

pub mod extractive;

use async_trait::async_trait;
use epitome_core::call::CapturedBatch;

/// Why a batch got no summary.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(#[from] ErrorKind);

/// The kinds of [`Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The summarizer answered with no usable text.
    #[error("the summarizer `{summarizer}` returned no usable text")]
    Unusable {
        /// Name of the summarizer.
        summarizer: String,
    },
}

/// What a summarizer wrote about one batch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BatchSummary {
    /// Bullets, each call's first one opening with its `[[N:tool]]` label.
    pub text: String,
}

/// Writes the summary of a batch of finished tool calls.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Summarizer: Send + Sync {
    /// Name as it stands in reports, `extractive` for example.
    fn name(&self) -> &str;

    /// Summarizes the calls of one batch, in order.
    async fn summarize_batch(&self, batch: &CapturedBatch) -> Result<BatchSummary, Error>;
}

#[cfg(all(test, feature = "mock"))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_mock_stands_in_for_a_summarizer() {
        let mut summarizer = MockSummarizer::new();
        summarizer.expect_summarize_batch().returning(|_| {
            Ok(BatchSummary {
                text: "- [[1:read]] said".to_owned(),
            })
        });
        let summarizer: Box<dyn Summarizer> = Box::new(summarizer);
        let summary = summarizer.summarize_batch(&CapturedBatch::default()).await;
        assert_eq!(
            summary.map(|summary| summary.text).ok().as_deref(),
            Some("- [[1:read]] said")
        );
    }
}
