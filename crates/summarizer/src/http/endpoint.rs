//! Addresses of model services.

use std::fmt;

use reqwest::Url;

use crate::{Error, ErrorKind};

/// The address of a service: https, or plain http on this machine.
///
/// Shown without its query, which may hold a key.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint(Url);

impl Endpoint {
    /// Reads an address. User names, passwords, other schemes, and plain http to other machines are
    /// refused.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let refuse = |shown: String, reason: &str| {
            Err(ErrorKind::Endpoint {
                endpoint: shown,
                reason: reason.to_owned(),
            }
            .into())
        };
        let Ok(mut url) = Url::parse(text.trim()) else {
            // It may hold anything, so it is not shown.
            return refuse(
                "given".to_owned(),
                "it is no address; write it like `https://host/v1`",
            );
        };
        if !url.username().is_empty() || url.password().is_some() {
            return refuse(
                url.host_str().unwrap_or_default().to_owned(),
                "an address must hold no user name or password; put the key into the environment or a file",
            );
        }
        url.set_fragment(None);
        let endpoint = Self(url);
        match endpoint.0.scheme() {
            "https" if endpoint.0.has_host() => Ok(endpoint),
            "http" if endpoint.is_loopback() => Ok(endpoint),
            "http" => refuse(
                endpoint.to_string(),
                "plain http is for this machine only; use https",
            ),
            _ => refuse(endpoint.to_string(), "only https and http are spoken"),
        }
    }

    /// Whether the service runs on this machine.
    pub fn is_loopback(&self) -> bool {
        let Some(host) = self.0.host_str() else {
            return false;
        };
        if host == "localhost" {
            return true;
        }
        host.trim_start_matches('[')
            .trim_end_matches(']')
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
    }

    /// The address of a resource of an OpenAI-compatible service, `embeddings` for example.
    ///
    /// An address without a path gets `/v1`; one that names the resource already stays.
    #[must_use]
    pub fn resource(&self, name: &str) -> Self {
        let mut url = self.0.clone();
        let path = url.path().trim_end_matches('/');
        let is_named = path
            .strip_suffix(name)
            .is_some_and(|rest| rest.ends_with('/'));
        let path = match path {
            "" => format!("/v1/{name}"),
            path if is_named => path.to_owned(),
            path => format!("{path}/{name}"),
        };
        url.set_path(&path);
        Self(url)
    }

    pub(super) fn url(&self) -> Url {
        self.0.clone()
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = self.0.clone();
        shown.set_query(None);
        f.write_str(shown.as_str())
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Endpoint({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let check = |input: &str, expected: Option<&str>, loopback: bool| {
            let parsed = Endpoint::parse(input).ok();
            assert_eq!(
                parsed.as_ref().map(ToString::to_string).as_deref(),
                expected,
                "{input}"
            );
            assert_eq!(
                parsed.is_some_and(|endpoint| endpoint.is_loopback()),
                loopback,
                "{input}"
            );
        };
        check("https://host/v1", Some("https://host/v1"), false);
        check(" https://host ", Some("https://host/"), false);
        check("https://host/v1?key=x#y", Some("https://host/v1"), false);
        check("http://localhost:1/v1", Some("http://localhost:1/v1"), true);
        check("http://127.9.0.1", Some("http://127.9.0.1/"), true);
        check("http://[::1]:8/", Some("http://[::1]:8/"), true);
        check("http://host/v1", None, false);
        check("http://localhost.example/v1", None, false);
        check("http://127.0.0.1.example/v1", None, false);
        check("http://0.0.0.0/v1", None, false);
        check("https://ada:secret@host/v1", None, false);
        check("http://ada@localhost/v1", None, false);
        check("ftp://localhost/", None, false);
        check("localhost:8080", None, false);
        check("", None, false);
    }

    #[test]
    fn refusals_show_no_password() {
        let check = |input: &str| {
            let error = Endpoint::parse(input).unwrap_err().to_string();
            assert!(!error.contains("hunter2"), "{error}");
        };
        check("https://ada:hunter2@host/v1");
        check("http://host/v1?key=hunter2");
        check("hunter2");
    }

    #[test]
    fn resources_have_an_address() {
        let check = |input: &str, expected: &str| {
            let resource = Endpoint::parse(input).unwrap().resource("embeddings");
            assert_eq!(resource.to_string(), expected);
        };
        check("https://host", "https://host/v1/embeddings");
        check("https://host/", "https://host/v1/embeddings");
        check("https://host/v1/", "https://host/v1/embeddings");
        check("https://host/api/v1", "https://host/api/v1/embeddings");
        check("https://host/v1/embeddings", "https://host/v1/embeddings");
        check(
            "https://host/myembeddings",
            "https://host/myembeddings/embeddings",
        );
    }
}
