//! A server for tests: it plays a list of answers and keeps the requests.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::Endpoint;

/// What the server does with one request.
pub(crate) enum Answer {
    /// Sends these bytes as they are and closes.
    Raw(String),
    /// Makes the answer of the body of the request.
    Body(fn(&str) -> String),
    /// Never answers.
    Silence,
}

/// An answer with a status, header lines, each with its line end, and a body.
pub(crate) fn answer(status: u16, headers: &str, body: &str) -> Answer {
    Answer::Raw(raw(status, headers, body))
}

fn raw(status: u16, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status} Said\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n{body}"
    )
}

/// The running server.
pub(crate) struct Scripted {
    pub(crate) endpoint: Endpoint,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Scripted {
    /// Starts a server that plays these answers, one for each connection, and then none.
    pub(crate) async fn start(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&requests);
        tokio::spawn(async move {
            for answer in answers {
                let (mut stream, _) = listener.accept().await.unwrap();
                let request = read(&mut stream).await;
                let body = request
                    .split_once("\r\n\r\n")
                    .map_or("", |(_, body)| body)
                    .to_owned();
                kept.lock().unwrap().push(request);
                let bytes = match answer {
                    Answer::Raw(bytes) => bytes,
                    Answer::Body(make) => raw(200, "", &make(&body)),
                    Answer::Silence => {
                        tokio::spawn(async move {
                            std::future::pending::<()>().await;
                            drop(stream);
                        });
                        continue;
                    }
                };
                stream.write_all(bytes.as_bytes()).await.unwrap();
            }
        });
        Self {
            endpoint: Endpoint::parse(&format!("http://{address}")).unwrap(),
            requests,
        }
    }

    /// The requests so far, whole.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// The bodies of the requests so far.
    pub(crate) fn bodies(&self) -> Vec<String> {
        let body = |request: &String| request.split_once("\r\n\r\n").unwrap().1.to_owned();
        self.requests().iter().map(body).collect()
    }
}

/// Reads one request with its body.
async fn read(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| {
                    line.to_ascii_lowercase()
                        .strip_prefix("content-length: ")
                        .map(str::to_owned)
                })
                .map_or(0, |length| length.parse().unwrap());
            if body.len() >= length {
                return text;
            }
        }
        let mut buffer = [0; 4096];
        let read = stream.read(&mut buffer).await.unwrap();
        assert!(read > 0, "the request ended early");
        bytes.extend_from_slice(&buffer[..read]);
    }
}
