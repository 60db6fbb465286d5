//! One request, tried until it succeeds or hope is gone.

use std::time::{Duration, Instant, SystemTime};

use epitome_core::mask::mask_secrets;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};

use super::{Client, chain, retry};
use crate::{Error, ErrorKind};

/// Longest answer that is read, in bytes.
const LONGEST_ANSWER: usize = 64 * 1024 * 1024;
/// Longest part of an answer that is looked at for what a server says about an error, in bytes.
const LONGEST_COMPLAINT: usize = 64 * 1024;
/// Longest message of a server that is shown, in characters.
const SHOWN_CHARS: usize = 300;

/// An attempt that failed, with what decides whether there is another one.
struct Failure {
    kind: ErrorKind,
    is_temporary: bool,
    asked: Option<Duration>,
}

impl Client {
    /// Posts a JSON body and returns the body of the answer, whose status was a success.
    pub async fn post(&self, body: &[u8]) -> Result<Vec<u8>, Error> {
        let start = Instant::now();
        let mut failed = 0;
        loop {
            let failure = match self.attempt(body).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            failed += 1;
            let pause = failure
                .is_temporary
                .then(|| retry::next_pause(&self.patience, failed, failure.asked, start.elapsed()));
            match pause.flatten() {
                Some(pause) => (self.pause.0)(pause).await,
                None => return Err(with_attempts(failure.kind, failed).into()),
            }
        }
    }

    async fn attempt(&self, body: &[u8]) -> Result<Vec<u8>, Failure> {
        match tokio::time::timeout(self.patience.answer, self.exchange(body)).await {
            Ok(result) => result,
            Err(_) => Err(self.unreachable(
                format!("no full answer in {} s", self.patience.answer.as_secs_f32()),
                "raise the deadline, or send less at once",
            )),
        }
    }

    async fn exchange(&self, body: &[u8]) -> Result<Vec<u8>, Failure> {
        let mut request = self
            .http
            .post(self.endpoint.url())
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_vec());
        if let Some(key) = self.key.as_ref().and_then(super::Key::header) {
            request = request.header(AUTHORIZATION, key);
        }
        let mut response = request.send().await.map_err(|error| self.not_sent(error))?;
        let status = response.status().as_u16();
        let asked = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| retry::retry_after(value, SystemTime::now()));
        if response.status().is_success() {
            return self.read(&mut response).await;
        }
        let complaint = read_complaint(&mut response).await;
        Err(Failure {
            kind: ErrorKind::Status {
                endpoint: self.endpoint.to_string(),
                status,
                message: self.message(&complaint),
                way_out: self.way_out(status),
                attempts: 1,
            },
            is_temporary: retry::is_temporary(status),
            asked,
        })
    }

    async fn read(&self, response: &mut reqwest::Response) -> Result<Vec<u8>, Failure> {
        let mut answer = Vec::new();
        while let Some(chunk) = response
            .chunk()
            .await
            .map_err(|error| self.not_sent(error))?
        {
            if answer.len() + chunk.len() > LONGEST_ANSWER {
                return Err(Failure {
                    kind: ErrorKind::Answer {
                        endpoint: self.endpoint.to_string(),
                        reason: format!("it is longer than {LONGEST_ANSWER} bytes"),
                    },
                    is_temporary: false,
                    asked: None,
                });
            }
            answer.extend_from_slice(&chunk);
        }
        Ok(answer)
    }

    fn not_sent(&self, error: reqwest::Error) -> Failure {
        let way_out = if error.is_connect() {
            "check the address, and that the server runs"
        } else {
            "try again; if it stays so, look at the server's log"
        };
        self.unreachable(chain(&error.without_url()), way_out)
    }

    fn unreachable(&self, reason: String, way_out: &str) -> Failure {
        Failure {
            kind: ErrorKind::Unreachable {
                endpoint: self.endpoint.to_string(),
                reason,
                way_out: way_out.to_owned(),
                attempts: 1,
            },
            is_temporary: true,
            asked: None,
        }
    }

    /// What a server says about an error: one line, shortened, without secrets.
    fn message(&self, complaint: &[u8]) -> String {
        let text = String::from_utf8_lossy(complaint);
        let said = serde_json::from_str::<serde_json::Value>(&text)
            .ok()
            .and_then(|value| {
                let error = value.get("error").unwrap_or(&value);
                let said = error
                    .get("message")
                    .or(error.get("detail"))
                    .unwrap_or(error);
                said.as_str().map(str::to_owned)
            })
            .unwrap_or_else(|| text.into_owned());
        let said = match &self.key {
            Some(key) => key.hide_in(&said),
            None => said,
        };
        let line: String = mask_secrets(&said)
            .text
            .split(|char: char| char.is_whitespace() || char.is_control())
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" ");
        match line.char_indices().nth(SHOWN_CHARS) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None if line.is_empty() => "no message".to_owned(),
            None => line,
        }
    }

    fn way_out(&self, status: u16) -> String {
        match (status, &self.key) {
            (401 | 403, Some(key)) => format!("check the key {}", key.place()),
            (401 | 403, None) => "give a key, in the environment or a file".to_owned(),
            (300..=399, _) => "redirects are not followed; give the final address".to_owned(),
            (404 | 405, _) => "check the address and the name of the model".to_owned(),
            (429, _) => "wait, or raise the limits of the account".to_owned(),
            (500.., _) => "try again later; what is done stays".to_owned(),
            _ => "check the name of the model and its limits".to_owned(),
        }
    }
}

/// Reads the begin of what a server says about an error. That is a courtesy: a status without it, or
/// with half of it, is an answer too.
async fn read_complaint(response: &mut reqwest::Response) -> Vec<u8> {
    let mut complaint = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        complaint.extend_from_slice(&chunk);
        if complaint.len() >= LONGEST_COMPLAINT {
            break;
        }
    }
    complaint
}

fn with_attempts(mut kind: ErrorKind, failed: u32) -> ErrorKind {
    if let ErrorKind::Status { attempts, .. } | ErrorKind::Unreachable { attempts, .. } = &mut kind
    {
        *attempts = failed;
    }
    kind
}
