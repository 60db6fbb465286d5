//! A model on a loopback address: answers what it was told to and records what it was asked.
//!
//! Speaks the part of the Anthropic Messages protocol that Claude Code and Pi use: streaming
//! `POST /v1/messages`, `POST /v1/messages/count_tokens`, and a `HEAD` to see whether it is there.
//! Wire specification 1.1; what the agents need was seen with the agents themselves.

use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Bytes of one request; the largest shared session is far below.
const LARGEST_REQUEST: usize = 64 << 20;

/// Requests that are answered; an agent that asks on is in a loop.
const MOST_REQUESTS: usize = 50;

/// One answer of the model.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A text that ends the turn.
    Text(String),
    /// A tool call; the agent runs it and asks again.
    ToolCall {
        /// Id of the call.
        id: String,
        /// Name of the tool as the agent knows it.
        name: String,
        /// Arguments, an object.
        input: Value,
    },
}

/// A request as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// `GET`, `HEAD` or `POST`.
    pub method: String,
    /// Path without the query.
    pub path: String,
    /// The body; null where it is no JSON.
    pub body: Value,
}

/// A running endpoint. It stops when it is dropped.
#[derive(Debug)]
pub struct Endpoint {
    address: SocketAddr,
    script: Arc<Mutex<Script>>,
    server: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Script {
    answers: VecDeque<Answer>,
    recorded: Vec<Recorded>,
}

impl Endpoint {
    /// Starts an endpoint that gives these answers in turn, then a short text for ever.
    pub async fn start(answers: impl IntoIterator<Item = Answer>) -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let script = Arc::new(Mutex::new(Script {
            answers: answers.into_iter().collect(),
            recorded: Vec::new(),
        }));
        let app = Router::new()
            .fallback(answer)
            .layer(DefaultBodyLimit::max(LARGEST_REQUEST))
            .with_state(Arc::clone(&script));
        let server = tokio::spawn(async move {
            // An endpoint that cannot serve shows in the agent that gets no answer.
            let _ = axum::serve(listener, app).await;
        });
        Ok(Self {
            address,
            script,
            server,
        })
    }

    /// The base URL for agents.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request so far, in order.
    pub fn recorded(&self) -> Vec<Recorded> {
        lock(&self.script).recorded.clone()
    }

    /// The bodies of the requests for an answer so far, in order.
    pub fn message_requests(&self) -> Vec<Value> {
        let recorded = self.recorded().into_iter();
        recorded
            .filter(|request| request.method == "POST" && request.path == "/v1/messages")
            .map(|request| request.body)
            .collect()
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// A script stays usable after a panic elsewhere: it only ever grows by whole entries.
fn lock(script: &Mutex<Script>) -> MutexGuard<'_, Script> {
    script.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn answer(
    State(script): State<Arc<Mutex<Script>>>,
    method: Method,
    uri: Uri,
    body: Bytes,
) -> Response {
    let mut script = lock(&script);
    script.recorded.push(Recorded {
        method: method.to_string(),
        path: uri.path().to_owned(),
        body: serde_json::from_slice(&body).unwrap_or_default(),
    });
    if script.recorded.len() > MOST_REQUESTS {
        return (StatusCode::BAD_REQUEST, "too many requests for a test").into_response();
    }
    match (method, uri.path()) {
        (Method::HEAD, _) => StatusCode::OK.into_response(),
        (Method::POST, "/v1/messages/count_tokens") => {
            let body = json!({ "input_tokens": body.len() / 4 }).to_string();
            ([(header::CONTENT_TYPE, "application/json")], body).into_response()
        }
        (Method::POST, "/v1/messages") => {
            let answer = script.answers.pop_front();
            let answer = answer.unwrap_or_else(|| Answer::Text("Done.".to_owned()));
            let events = events(&answer, script.recorded.len());
            ([(header::CONTENT_TYPE, "text/event-stream")], events).into_response()
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Writes an answer as the server-sent events of one message.
fn events(answer: &Answer, number: usize) -> String {
    let (block, delta, stop_reason) = match answer {
        Answer::Text(text) => (
            json!({ "type": "text", "text": "" }),
            json!({ "type": "text_delta", "text": text }),
            "end_turn",
        ),
        Answer::ToolCall { id, name, input } => (
            json!({ "type": "tool_use", "id": id, "name": name, "input": {} }),
            json!({ "type": "input_json_delta", "partial_json": input.to_string() }),
            "tool_use",
        ),
    };
    let message = json!({
        "id": format!("msg_{number:04}"), "type": "message", "role": "assistant",
        "model": "mock", "content": [], "stop_reason": null, "stop_sequence": null,
        "usage": { "input_tokens": 1, "output_tokens": 1 },
    });
    let events = [
        json!({ "type": "message_start", "message": message }),
        json!({ "type": "content_block_start", "index": 0, "content_block": block }),
        json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({
            "type": "message_delta", "usage": { "output_tokens": 1 },
            "delta": { "stop_reason": stop_reason, "stop_sequence": null },
        }),
        json!({ "type": "message_stop" }),
    ];
    let event = |data: &Value| {
        let name = data["type"].as_str().unwrap_or_default();
        format!("event: {name}\ndata: {data}\n\n")
    };
    events.iter().map(event).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    /// Sends one request and returns status line and body.
    async fn send(endpoint: &Endpoint, head: &str, body: &str) -> (String, String) {
        let mut stream = tokio::net::TcpStream::connect(endpoint.address)
            .await
            .unwrap();
        let length = body.len();
        let request = format!(
            "{head} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        (head.lines().next().unwrap().to_owned(), body.to_owned())
    }

    #[tokio::test]
    async fn answers_come_in_turn_and_requests_are_recorded() {
        let call = Answer::ToolCall {
            id: "toolu_1".to_owned(),
            name: "look".to_owned(),
            input: json!({ "at": "t1" }),
        };
        let endpoint = Endpoint::start([call, Answer::Text("Seen.".to_owned())])
            .await
            .unwrap();

        let (status, _) = send(&endpoint, "HEAD /", "").await;
        assert_eq!(status, "HTTP/1.1 200 OK");
        let (_, body) = send(&endpoint, "POST /v1/messages/count_tokens", "{}").await;
        assert!(body.contains("input_tokens"), "{body}");
        let (_, body) = send(
            &endpoint,
            "POST /v1/messages?beta=true",
            r#"{"messages":[1]}"#,
        )
        .await;
        assert!(
            body.contains(r#""partial_json":"{\"at\":\"t1\"}""#),
            "{body}"
        );
        assert!(body.contains(r#""stop_reason":"tool_use""#), "{body}");
        let (_, body) = send(&endpoint, "POST /v1/messages", "{}").await;
        assert!(
            body.contains("Seen.") && body.contains("end_turn"),
            "{body}"
        );
        let (_, body) = send(&endpoint, "POST /v1/messages", "{}").await;
        assert!(body.contains("Done."), "{body}");
        let (status, _) = send(&endpoint, "GET /other", "").await;
        assert_eq!(status, "HTTP/1.1 404 Not Found");

        assert_eq!(endpoint.recorded().len(), 6);
        assert_eq!(endpoint.message_requests()[0], json!({ "messages": [1] }));
    }

    #[tokio::test]
    async fn an_agent_in_a_loop_is_refused() {
        let endpoint = Endpoint::start([]).await.unwrap();
        for _ in 0..MOST_REQUESTS {
            send(&endpoint, "POST /v1/messages", "{}").await;
        }
        let (status, _) = send(&endpoint, "POST /v1/messages", "{}").await;
        assert_eq!(status, "HTTP/1.1 400 Bad Request");
    }
}
