//! Seam to what turns texts into vectors: the [`Embedder`] trait and the one over HTTP.

mod openai;
#[cfg(test)]
mod tests;

use async_trait::async_trait;

pub use openai::{Masking, OpenAiEmbedder, OpenAiOptions};

use crate::{Error, ErrorKind};

/// Turns texts into vectors that lie close together where their meanings do.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Name of the model, stored with each vector. Vectors of two names are never compared.
    fn model(&self) -> &str;

    /// Makes one vector for each text, in order. All vectors of a model have one length.
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error>;
}

impl Error {
    /// Whether the texts themselves were refused: others may pass, or fewer at a time.
    pub fn is_about_the_texts(&self) -> bool {
        matches!(
            self.kind(),
            ErrorKind::Status {
                status: 400 | 413 | 422,
                ..
            }
        )
    }
}
