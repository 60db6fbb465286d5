use std::time::Duration;

use super::*;
use crate::http::scripted::{Answer, Scripted, answer};
use crate::http::{Endpoint, Key, Patience, Pause};

fn options(endpoint: Endpoint) -> OpenAiOptions {
    OpenAiOptions {
        batch_texts: 2,
        text_bytes: 12,
        patience: Patience {
            attempts: 2,
            answer: Duration::from_secs(5),
            ..Patience::BATCH
        },
        pause: Pause::noting(|_| ()),
        ..OpenAiOptions::new(endpoint, "small", None)
    }
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// Embeds each text as its length and the number of texts in its request.
fn lengths(body: &str) -> String {
    let request: serde_json::Value = serde_json::from_str(body).unwrap();
    let input = request["input"].as_array().unwrap();
    let items: Vec<String> = input
        .iter()
        .enumerate()
        // The order of an answer is the service's business.
        .rev()
        .map(|(index, text)| {
            let length = text.as_str().unwrap().len();
            format!(
                r#"{{"index":{index},"embedding":[{length},{}]}}"#,
                input.len()
            )
        })
        .collect();
    format!(r#"{{"data":[{}]}}"#, items.join(","))
}

#[tokio::test]
async fn texts_go_in_batches_and_come_back_in_order() {
    let server = Scripted::start(vec![Answer::Body(lengths), Answer::Body(lengths)]).await;
    let embedder = OpenAiEmbedder::new(options(server.endpoint.clone())).unwrap();
    let vectors = embedder.embed(&texts(&["a", "bb", "ccc"])).await.unwrap();
    assert_eq!(vectors, [[1.0, 2.0], [2.0, 2.0], [3.0, 1.0]]);
    assert_eq!(
        server.bodies(),
        [
            r#"{"model":"small","input":["a","bb"],"encoding_format":"float"}"#,
            r#"{"model":"small","input":["ccc"],"encoding_format":"float"}"#,
        ]
    );
    assert!(embedder.embed(&[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn texts_are_cut_and_never_blank() {
    let server = Scripted::start(vec![Answer::Body(lengths)]).await;
    let embedder = OpenAiEmbedder::new(options(server.endpoint.clone())).unwrap();
    embedder.embed(&texts(&[" \n", "ééééééé"])).await.unwrap();
    assert_eq!(
        server.bodies(),
        [r#"{"model":"small","input":["-","éééééé"],"encoding_format":"float"}"#]
    );
}

#[tokio::test]
async fn a_shortened_vector_is_another_model() {
    let server = Scripted::start(vec![Answer::Body(lengths)]).await;
    let options = OpenAiOptions {
        dimensions: Some(2),
        ..options(server.endpoint.clone())
    };
    let embedder = OpenAiEmbedder::new(options).unwrap();
    assert_eq!(embedder.model(), "small@2");
    embedder.embed(&texts(&["a"])).await.unwrap();
    assert!(server.bodies()[0].contains(r#""model":"small","#));
    assert!(server.bodies()[0].contains(r#""dimensions":2"#));
}

#[tokio::test]
async fn answers_that_do_not_fit_are_refused() {
    async fn check(body: &str, expected: &str) {
        let server = Scripted::start(vec![answer(200, "", body)]).await;
        let embedder = OpenAiEmbedder::new(options(server.endpoint.clone())).unwrap();
        let error = embedder.embed(&texts(&["a", "b"])).await.unwrap_err();
        let error = error.to_string();
        assert!(error.contains(expected), "{error}");
        assert!(error.contains("/v1/embeddings"), "{error}");
    }
    check("<html>", "expected value").await;
    check(r#"{"data":[]}"#, "0 vectors for 2 texts").await;
    check(
        r#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#,
        "vector 0 is one too many",
    )
    .await;
    check(
        r#"{"data":[{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}]}"#,
        "vector 2 is one too many",
    )
    .await;
    check(
        r#"{"data":[{"embedding":[1]},{"embedding":[1,2]}]}"#,
        "a vector has 2 numbers, the ones before had 1",
    )
    .await;
    check(r#"{"data":[{"embedding":[]},{"embedding":[]}]}"#, "empty").await;
    check(
        r#"{"data":[{"embedding":[1e300]},{"embedding":[1]}]}"#,
        "number out of range",
    )
    .await;
}

#[tokio::test]
async fn refused_texts_are_told_from_a_dead_service() {
    async fn check(status: u16, expected: bool) {
        let answers = vec![answer(status, "", "no"), answer(status, "", "no")];
        let server = Scripted::start(answers).await;
        let embedder = OpenAiEmbedder::new(options(server.endpoint.clone())).unwrap();
        let error = embedder.embed(&texts(&["a"])).await.unwrap_err();
        assert_eq!(error.is_about_the_texts(), expected, "{status}");
    }
    check(400, true).await;
    check(413, true).await;
    check(401, false).await;
    check(500, false).await;
}

#[test]
fn secrets_go_before_a_text_leaves_the_machine() {
    let check = |address: &str, masking, expected: &str| {
        let options = OpenAiOptions {
            text_bytes: 100,
            masking,
            ..options(Endpoint::parse(address).unwrap())
        };
        let embedder = OpenAiEmbedder::new(options).unwrap();
        assert_eq!(
            embedder.prepare("password=hunter2"),
            expected,
            "{address} {masking:?}"
        );
    };
    check("https://host/v1", Masking::Remote, "password=[masked]");
    check("https://localhost/v1", Masking::Remote, "password=hunter2");
    check("http://[::1]/v1", Masking::Remote, "password=hunter2");
    check("https://host/v1", Masking::Never, "password=hunter2");
}

#[test]
fn debug_output_holds_no_key() {
    let endpoint = Endpoint::parse("https://host/v1").unwrap();
    let key = Key::new("hunter2", "here").unwrap();
    let options = OpenAiOptions::new(endpoint, "small", Some(key));
    let shown = format!("{:?}", OpenAiEmbedder::new(options).unwrap());
    assert!(!shown.contains("hunter2"), "{shown}");
}

#[cfg(feature = "mock")]
#[tokio::test]
async fn the_mock_stands_in_for_an_embedder() {
    let mut embedder = MockEmbedder::new();
    embedder
        .expect_embed()
        .returning(|texts| Ok(vec![vec![1.0]; texts.len()]));
    let embedder: Box<dyn Embedder> = Box::new(embedder);
    assert_eq!(embedder.embed(&texts(&["a"])).await.unwrap(), [[1.0]]);
}
