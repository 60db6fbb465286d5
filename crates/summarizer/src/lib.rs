//! Seams to what writes summaries: the [`Summarizer`] trait and the extractive summarizer.
//!
//! A summarizer gets one captured batch and returns text in which every call's bullets open with
//! the call's `[[N:tool]]` label. What it returns is data: callers substitute labels and drop what
//! is malformed, they never trust it.

#![forbid(unsafe_code)]

pub mod document;
pub mod embed;
pub mod extractive;
pub mod http;

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
    /// An address cannot be used.
    #[error("use the address {endpoint}: {reason}")]
    Endpoint {
        /// The address, as far as it may be shown.
        endpoint: String,
        /// Why, with the way out.
        reason: String,
    },
    /// A key cannot be used.
    #[error("use the key {place}: {reason}")]
    Key {
        /// Where the key comes from.
        place: String,
        /// Why, with the way out.
        reason: String,
    },
    /// No answer came.
    #[error("reach {endpoint} in {attempts} attempts: {reason}; {way_out}")]
    Unreachable {
        /// The address.
        endpoint: String,
        /// What the system said.
        reason: String,
        /// What can be done.
        way_out: String,
        /// Requests that were sent.
        attempts: u32,
    },
    /// The service refused.
    #[error(
        "get an answer from {endpoint} in {attempts} attempts: status {status}, {message}; {way_out}"
    )]
    Status {
        /// The address.
        endpoint: String,
        /// Status of the answer.
        status: u16,
        /// What the service said, shortened, without secrets.
        message: String,
        /// What can be done.
        way_out: String,
        /// Requests that were sent.
        attempts: u32,
    },
    /// The answer is not what was asked for.
    #[error("use the answer of {endpoint}: {reason}")]
    Answer {
        /// The address.
        endpoint: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl Error {
    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }
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
