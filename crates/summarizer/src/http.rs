//! HTTP to model services: one place for deadlines, retries, keys and errors.
//!
//! [`Client`] posts JSON to one [`Endpoint`]. It follows no redirect, speaks plain HTTP to loopback
//! addresses only, waits as long as a `Retry-After` asks, and gives up at a deadline. Time passes
//! through a [`Pause`], so that tests of retries take no time.

mod endpoint;
mod key;
mod post;
mod retry;
#[cfg(test)]
pub(crate) mod scripted;
#[cfg(test)]
mod tests;

use std::pin::Pin;
use std::sync::{Arc, Once};
use std::time::Duration;

pub use endpoint::Endpoint;
pub use key::Key;

use crate::{Error, ErrorKind};

/// How long a [`Client`] waits and how often it tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// For a connection.
    pub connect: Duration,
    /// For one answer, from the first byte sent to the last byte received.
    pub answer: Duration,
    /// For everything, pauses included.
    pub total: Duration,
    /// Requests at most, the first one included.
    pub attempts: u32,
    /// Before the second request; doubled for each one after it, where the server asks for nothing
    /// else.
    pub first_pause: Duration,
    /// The longest pause; a server that asks for a longer one is not tried again.
    pub longest_pause: Duration,
}

impl Patience {
    /// What suits a batch job that may take its time.
    pub const BATCH: Self = Self {
        connect: Duration::from_secs(10),
        answer: Duration::from_mins(2),
        total: Duration::from_mins(5),
        attempts: 5,
        first_pause: Duration::from_millis(500),
        longest_pause: Duration::from_mins(1),
    };

    /// What suits a person who waits for a search.
    pub const QUERY: Self = Self {
        connect: Duration::from_secs(3),
        answer: Duration::from_secs(10),
        total: Duration::from_secs(15),
        attempts: 2,
        first_pause: Duration::from_millis(250),
        longest_pause: Duration::from_secs(2),
    };
}

/// Lets time pass between two requests; tests put in one that only notes for how long.
#[derive(Clone)]
pub struct Pause(Arc<PauseFn>);

type PauseFn = dyn Fn(Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync;

impl Pause {
    /// Sleeps on the clock of the runtime.
    pub fn sleeping() -> Self {
        Self(Arc::new(|time| Box::pin(tokio::time::sleep(time))))
    }

    /// Tells the time to a function and goes on at once.
    pub fn noting(note: impl Fn(Duration) + Send + Sync + 'static) -> Self {
        Self(Arc::new(move |time| {
            note(time);
            Box::pin(std::future::ready(()))
        }))
    }
}

impl std::fmt::Debug for Pause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pause")
    }
}

/// Posts JSON to one endpoint.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    endpoint: Endpoint,
    key: Option<Key>,
    patience: Patience,
    pause: Pause,
}

impl Client {
    /// Makes a client; no connection is opened yet.
    pub fn new(
        endpoint: Endpoint,
        key: Option<Key>,
        patience: Patience,
        pause: Pause,
    ) -> Result<Self, Error> {
        static PROVIDER: Once = Once::new();
        // A second provider is an error that means that there is one.
        PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("epitome/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(patience.connect);
        if endpoint.is_loopback() {
            // A proxy would carry the text off the machine.
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|error| ErrorKind::Endpoint {
            endpoint: endpoint.to_string(),
            reason: chain(&error),
        })?;
        Ok(Self {
            http,
            endpoint,
            key,
            patience,
            pause,
        })
    }

    /// Where this client posts to.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }
}

/// An error with its causes, in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(error) = next {
        let cause = error.to_string();
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
        next = error.source();
    }
    text
}
