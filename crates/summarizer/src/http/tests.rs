use std::sync::Mutex;

use super::scripted::{Answer, Scripted, answer};
use super::*;

/// Posts to a server that plays these answers; returns the answer or the error as text, the pauses
/// in seconds, and the server.
async fn post(
    answers: Vec<Answer>,
    patience: Patience,
    key: Option<Key>,
) -> (Result<String, String>, Vec<u64>, Scripted) {
    let server = Scripted::start(answers).await;
    let pauses = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&pauses);
    let pause = Pause::noting(move |time| noted.lock().unwrap().push(time.as_secs()));
    let client = Client::new(server.endpoint.resource("things"), key, patience, pause).unwrap();
    let result = client.post(b"{}").await;
    let result = result
        .map(|bytes| String::from_utf8(bytes).unwrap())
        .map_err(|error| error.to_string());
    let pauses = pauses.lock().unwrap().clone();
    (result, pauses, server)
}

fn patience() -> Patience {
    Patience {
        answer: Duration::from_secs(5),
        first_pause: Duration::from_secs(1),
        attempts: 3,
        ..Patience::BATCH
    }
}

fn good() -> Answer {
    answer(200, "", "good")
}

#[tokio::test]
async fn temporary_failures_are_tried_again() {
    async fn check(answers: Vec<Answer>, pauses: &[u64]) {
        let (result, waited, server) = post(answers, patience(), None).await;
        assert_eq!(result.as_deref(), Ok("good"));
        assert_eq!(waited, pauses);
        assert_eq!(server.requests().len(), pauses.len() + 1);
    }
    check(vec![good()], &[]).await;
    check(vec![answer(500, "", ""), good()], &[1]).await;
    check(
        vec![answer(503, "", ""), answer(502, "", ""), good()],
        &[1, 2],
    )
    .await;
    check(vec![answer(429, "retry-after: 7\r\n", ""), good()], &[7]).await;
    check(vec![answer(503, "Retry-After: 0\r\n", ""), good()], &[0]).await;
    check(vec![answer(429, "retry-after: soon\r\n", ""), good()], &[1]).await;
    // A connection that breaks off before, in the middle of, and at an answer.
    check(vec![Answer::Raw(String::new()), good()], &[1]).await;
    check(
        vec![
            Answer::Raw("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nha".to_owned()),
            good(),
        ],
        &[1],
    )
    .await;
}

#[tokio::test]
async fn what_will_not_change_fails_at_once_and_says_what_to_do() {
    async fn check(answer: Answer, expected: &[&str]) {
        let (result, waited, server) = post(vec![answer], patience(), None).await;
        let error = result.unwrap_err();
        let endpoint = server.endpoint.resource("things").to_string();
        for expected in expected.iter().copied().chain([endpoint.as_str()]) {
            assert!(error.contains(expected), "{error} lacks {expected}");
        }
        assert!(!error.contains(['\n', '\u{1b}']), "{error}");
        assert!(waited.is_empty());
    }
    check(answer(401, "", ""), &["401", "give a key", "no message"]).await;
    check(
        answer(404, "", r#"{"error":{"message":"no such\nmodel"}}"#),
        &["404", "no such model", "name of the model"],
    )
    .await;
    check(
        answer(400, "", r#"{"error":"too\u001blong"}"#),
        &["400", "too long"],
    )
    .await;
    check(answer(422, "", r#"{"detail":"odd"}"#), &["422", "odd"]).await;
    check(
        answer(302, "location: http://127.0.0.1:1/\r\n", ""),
        &["302", "redirects are not followed"],
    )
    .await;
    check(answer(400, "", &"x".repeat(100_000)), &["xxx…; check"]).await;
    // Longer than we are willing to wait.
    check(
        answer(429, "retry-after: 86400\r\n", "slow down"),
        &["429", "slow down", "wait"],
    )
    .await;
}

#[tokio::test]
async fn hope_ends_with_the_attempts() {
    let answers = vec![
        answer(500, "", ""),
        answer(500, "", ""),
        answer(500, "", ""),
    ];
    let (result, waited, server) = post(answers, patience(), None).await;
    assert!(result.unwrap_err().contains("in 3 attempts: status 500"));
    assert_eq!(waited, [1, 2]);
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn deadlines_end_a_silent_server() {
    let patience = Patience {
        answer: Duration::from_millis(50),
        attempts: 2,
        ..patience()
    };
    let (result, waited, _) = post(vec![Answer::Silence, Answer::Silence], patience, None).await;
    let error = result.unwrap_err();
    assert!(error.contains("no full answer in 0.05 s"), "{error}");
    assert_eq!(waited, [1]);
}

#[tokio::test]
async fn nobody_there_is_told_with_the_address() {
    let server = Scripted::start(Vec::new()).await;
    let endpoint = server.endpoint.clone();
    // The listener closes with its task, which has no answer to play.
    tokio::time::sleep(Duration::from_millis(20)).await;
    let client = Client::new(endpoint, None, patience(), Pause::noting(|_| ())).unwrap();
    let error = client.post(b"{}").await.unwrap_err().to_string();
    assert!(error.contains("in 3 attempts"), "{error}");
    assert!(
        error.contains("check the address, and that the server runs"),
        "{error}"
    );
}

#[tokio::test]
async fn the_key_is_sent_and_never_shown() {
    let key = Key::new("k3y-k3y-k3y", "in the file f").unwrap();
    let complaint = r#"{"error":{"message":"wrong key k3y-k3y-k3y"}}"#;
    let (result, _, server) = post(vec![answer(401, "", complaint)], patience(), Some(key)).await;
    let error = result.unwrap_err();
    assert!(
        error.contains("wrong key [masked]; check the key in the file f"),
        "{error}"
    );
    let request = &server.requests()[0];
    assert!(
        request.contains("authorization: Bearer k3y-k3y-k3y\r\n"),
        "{request}"
    );
    assert!(
        request.starts_with("POST /v1/things HTTP/1.1\r\n"),
        "{request}"
    );
}

#[tokio::test]
async fn debug_output_holds_no_key() {
    let endpoint = Endpoint::parse("https://host/v1?key=hunter2").unwrap();
    let key = Key::new("hunter2", "here").unwrap();
    let client = Client::new(endpoint, Some(key), patience(), Pause::sleeping()).unwrap();
    let shown = format!("{client:?}");
    assert!(!shown.contains("hunter2"), "{shown}");
}
