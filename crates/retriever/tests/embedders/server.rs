//! An embedding service on loopback whose vectors are a function of the text.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::routing::post;
use epitome_summarizer::embed::{OpenAiEmbedder, OpenAiOptions};
use epitome_summarizer::http::Endpoint;
use serde_json::{Value, json};

/// Makes the vector of a text.
pub(crate) type Make = fn(&str) -> Vec<f32>;

const DIMENSION: usize = 256;

/// A bag of hashed words: a decent embedder of what is said with the same words.
pub(crate) fn words(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSION];
    for word in text.split(|char: char| !char.is_alphanumeric()) {
        if word.len() > 2 {
            vector[hash(&word.to_lowercase()) as usize % DIMENSION] += 1.0;
        }
    }
    vector
}

/// A bag of hashed meanings: words that differ in their last letter only mean the same.
pub(crate) fn meanings(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSION];
    for word in text.split(|char: char| !char.is_alphanumeric()) {
        if let Some(stem) = word.strip_suffix(['x', 'y']) {
            vector[hash(stem) as usize % DIMENSION] += 1.0;
        }
    }
    vector[0] += 0.01;
    vector
}

/// Chance: a bad embedder that knows nothing, but always says the same.
pub(crate) fn chance(text: &str) -> Vec<f32> {
    let mut state = hash(text);
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 40) as f32 / (1 << 24) as f32 - 0.5
    };
    (0..DIMENSION).map(|_| next()).collect()
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Serves vectors and returns an embedder that asks for them over HTTP.
pub(crate) async fn embedder(make: Make) -> OpenAiEmbedder {
    let make = Arc::new(make);
    let answer = move |body: Bytes| {
        let make = Arc::clone(&make);
        async move {
            let request: Value = serde_json::from_slice(&body).unwrap();
            let texts = request["input"].as_array().unwrap();
            let item = |(index, text): (usize, &Value)| json!({"index": index, "embedding": make(text.as_str().unwrap())});
            let data: Vec<_> = texts.iter().enumerate().map(item).collect();
            json!({"object": "list", "data": data}).to_string()
        }
    };
    let app = Router::new().route("/v1/embeddings", post(answer));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    let endpoint = Endpoint::parse(&format!("http://{address}")).unwrap();
    OpenAiEmbedder::new(OpenAiOptions::new(endpoint, "test", None)).unwrap()
}
