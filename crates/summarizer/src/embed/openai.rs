//! Vectors from any service that speaks `/v1/embeddings` as `OpenAI` does.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use async_trait::async_trait;
use epitome_core::mask::mask_secrets;
use serde::{Deserialize, Serialize};

use super::Embedder;
use crate::http::{Client, Endpoint, Key, Patience, Pause};
use crate::{Error, ErrorKind};

/// Which texts lose their secrets before they are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Masking {
    /// All that go to another machine.
    Remote,
    /// None: the owner trusts the service.
    Never,
}

/// What an [`OpenAiEmbedder`] needs to know.
#[derive(Debug, Clone)]
pub struct OpenAiOptions {
    /// Address of the service, with or without `/embeddings`.
    pub endpoint: Endpoint,
    /// Name of the model, as the service knows it.
    pub model: String,
    /// Key of the service.
    pub key: Option<Key>,
    /// Length of the vectors, for models that can shorten them.
    pub dimensions: Option<usize>,
    /// Texts in one request, at most; at least one is sent.
    pub batch_texts: usize,
    /// Bytes of text in one request, at most; a longer text goes alone.
    pub batch_bytes: usize,
    /// Bytes of one text that are sent, at most. Models read a few thousand words and refuse more.
    pub text_bytes: usize,
    /// Which texts lose their secrets.
    pub masking: Masking,
    /// How long to wait and how often to try.
    pub patience: Patience,
    /// How time passes between two tries.
    pub pause: Pause,
}

impl OpenAiOptions {
    /// Usual limits for a service and a model.
    pub fn new(endpoint: Endpoint, model: impl Into<String>, key: Option<Key>) -> Self {
        Self {
            endpoint,
            model: model.into(),
            key,
            dimensions: None,
            batch_texts: 64,
            batch_bytes: 64 * 1024,
            text_bytes: 8 * 1024,
            masking: Masking::Remote,
            patience: Patience::BATCH,
            pause: Pause::sleeping(),
        }
    }
}

/// Embeds over HTTP.
#[derive(Debug)]
pub struct OpenAiEmbedder {
    client: Client,
    options: OpenAiOptions,
    /// Name with the asked length, since a shortened vector is another one.
    name: String,
    /// Length of the vectors, known after the first answer.
    dimension: OnceLock<usize>,
}

impl OpenAiEmbedder {
    /// Makes an embedder; nothing is sent yet.
    pub fn new(options: OpenAiOptions) -> Result<Self, Error> {
        let client = Client::new(
            options.endpoint.resource("embeddings"),
            options.key.clone(),
            options.patience,
            options.pause.clone(),
        )?;
        let name = match options.dimensions {
            Some(dimensions) => format!("{}@{dimensions}", options.model),
            None => options.model.clone(),
        };
        Ok(Self {
            client,
            options,
            name,
            dimension: OnceLock::new(),
        })
    }

    /// The text as it is sent: masked, shortened, never blank, which services refuse.
    pub(super) fn prepare<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let is_masked =
            self.options.masking == Masking::Remote && !self.client.endpoint().is_loopback();
        let text = if is_masked {
            mask_secrets(text).text
        } else {
            Cow::Borrowed(text)
        };
        if text.trim().is_empty() {
            return Cow::Borrowed("-");
        }
        let end = text.floor_char_boundary(self.options.text_bytes.max(1));
        if end == text.len() {
            return text;
        }
        Cow::Owned(text[..end].to_owned())
    }

    async fn embed_batch(&self, texts: &[Cow<'_, str>]) -> Result<Vec<Vec<f32>>, Error> {
        let request = Request {
            model: &self.options.model,
            input: texts,
            encoding_format: "float",
            dimensions: self.options.dimensions,
        };
        let body = serde_json::to_vec(&request).map_err(|error| self.unusable(&error))?;
        let answer = self.client.post(&body).await?;
        let answer: Answer =
            serde_json::from_slice(&answer).map_err(|error| self.unusable(&error))?;
        self.in_order(answer.data, texts.len())
    }

    /// Puts the vectors into the order of the texts and checks them.
    fn in_order(&self, data: Vec<Item>, expected: usize) -> Result<Vec<Vec<f32>>, Error> {
        if data.len() != expected {
            return Err(self.unusable(&format!("{} vectors for {expected} texts", data.len())));
        }
        let mut vectors = vec![Vec::new(); expected];
        for (position, item) in data.into_iter().enumerate() {
            let index = item.index.unwrap_or(position);
            let Some(place) = vectors.get_mut(index).filter(|place| place.is_empty()) else {
                return Err(self.unusable(&format!("vector {index} is one too many")));
            };
            self.check(&item.embedding)?;
            *place = item.embedding;
        }
        Ok(vectors)
    }

    fn check(&self, vector: &[f32]) -> Result<(), Error> {
        let dimension = *self.dimension.get_or_init(|| vector.len());
        if vector.is_empty() {
            return Err(self.unusable(&"a vector is empty"));
        }
        if vector.len() != dimension {
            return Err(self.unusable(&format!(
                "a vector has {} numbers, the ones before had {dimension}",
                vector.len()
            )));
        }
        Ok(())
    }

    fn unusable(&self, reason: &dyn std::fmt::Display) -> Error {
        ErrorKind::Answer {
            endpoint: self.client.endpoint().to_string(),
            reason: reason.to_string(),
        }
        .into()
    }
}

#[async_trait]
impl Embedder for OpenAiEmbedder {
    fn model(&self) -> &str {
        &self.name
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        let prepared: Vec<Cow<'_, str>> = texts.iter().map(|text| self.prepare(text)).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        let limits = (self.options.batch_texts, self.options.batch_bytes);
        for range in batches(&prepared, limits) {
            vectors.extend(self.embed_batch(&prepared[range]).await?);
        }
        Ok(vectors)
    }
}

/// Splits texts into runs within both limits, of at least one text each.
fn batches(texts: &[Cow<'_, str>], (most_texts, most_bytes): (usize, usize)) -> Vec<Range<usize>> {
    let mut batches = Vec::new();
    let mut start = 0;
    let mut bytes = 0;
    for (index, text) in texts.iter().enumerate() {
        let is_full = index - start >= most_texts.max(1) || bytes + text.len() > most_bytes;
        if is_full && index > start {
            batches.push(start..index);
            start = index;
            bytes = 0;
        }
        bytes += text.len();
    }
    if start < texts.len() {
        batches.push(start..texts.len());
    }
    batches
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: &'a [Cow<'a, str>],
    encoding_format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    index: Option<usize>,
    embedding: Vec<f32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_keep_both_limits() {
        let check = |lengths: &[usize], limits, expected: &[Range<usize>]| {
            let texts: Vec<Cow<'_, str>> = lengths
                .iter()
                .map(|length| Cow::Owned("x".repeat(*length)))
                .collect();
            assert_eq!(batches(&texts, limits), expected, "{lengths:?} {limits:?}");
        };
        check(&[], (2, 10), &[]);
        check(&[1, 1, 1], (2, 10), &[0..2, 2..3]);
        check(&[6, 4, 1], (9, 10), &[0..2, 2..3]);
        check(&[20, 1, 20], (9, 10), &[0..1, 1..2, 2..3]);
        check(&[1, 1], (0, 0), &[0..1, 1..2]);
    }
}
