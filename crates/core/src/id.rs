//! Ids and refs: newtypes that can only hold well-formed values.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use thiserror::Error;

/// A text that is not a well-formed id or ref.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{text}` is not {expected}")]
pub struct ParseIdError {
    /// The text that was given.
    pub text: String,
    /// What was expected instead, with its article.
    pub expected: &'static str,
}

impl ParseIdError {
    fn new(text: &str, expected: &'static str) -> Self {
        Self {
            text: text.to_owned(),
            expected,
        }
    }
}

/// Id of a conversation: eight lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConversationId(String);

impl ConversationId {
    /// Makes the id from the format's name and the session's own id.
    pub fn of_session(format: &str, session_id: &str) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(format.as_bytes());
        hasher.update([0]);
        hasher.update(session_id.as_bytes());
        Self(hex(&hasher.finalize()[..4]))
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ConversationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ConversationId {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        if text.len() == 8 && digits {
            Ok(Self(text.to_owned()))
        } else {
            Err(ParseIdError::new(
                text,
                "a conversation id (eight hexadecimal digits)",
            ))
        }
    }
}

/// Short ref of a call inside its conversation: `t12`, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShortRef(u32);

impl ShortRef {
    /// The first ref of a conversation, `t1`.
    pub const FIRST: Self = Self(1);

    /// Makes the ref with this number, `None` for 0.
    pub fn new(number: u32) -> Option<Self> {
        (number > 0).then_some(Self(number))
    }

    /// The number behind the `t`.
    pub fn number(self) -> u32 {
        self.0
    }

    /// The ref after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for ShortRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

impl FromStr for ShortRef {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseIdError::new(text, "a short ref (`t12`)");
        let digits = text.strip_prefix('t').ok_or_else(error)?;
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(error());
        }
        digits.parse().ok().and_then(Self::new).ok_or_else(error)
    }
}

/// A short ref with its conversation: `3fa9c2d1/t12`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FullRef {
    /// The conversation.
    pub conversation: ConversationId,
    /// The ref inside it.
    pub short: ShortRef,
}

impl fmt::Display for FullRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.conversation, self.short)
    }
}

impl FromStr for FullRef {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseIdError::new(text, "a full ref (`3fa9c2d1/t12`)");
        let (conversation, short) = text.split_once('/').ok_or_else(error)?;
        Ok(Self {
            conversation: conversation.parse().map_err(|_| error())?,
            short: short.parse().map_err(|_| error())?,
        })
    }
}

/// Identity of a call inside a conversation: the provider's id and which occurrence of it this is.
///
/// Providers reuse ids between turns, so the id alone is no identity.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallKey {
    /// Id that the provider issued.
    pub id: String,
    /// Occurrence of that id on the active path, from 1.
    pub occurrence: u32,
}

impl fmt::Display for CallKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.id, self.occurrence)
    }
}

/// Address of stored bytes: their SHA-256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlobId([u8; 32]);

impl BlobId {
    /// Makes the address of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Takes an address that was stored before.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

/// Number of a document in its store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentId(pub u64);

/// Number of a chunk in its store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChunkId(pub u64);

/// Lower-case hexadecimal digits of some bytes.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(DIGITS[usize::from(byte >> 4)] as char);
        text.push(DIGITS[usize::from(byte & 15)] as char);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refs_parse_only_when_well_formed() {
        assert_eq!("t12".parse::<ShortRef>().map(ShortRef::number), Ok(12));
        for bad in [
            "",
            "t",
            "t0",
            "12",
            "T12",
            "t-1",
            "t+1",
            "t99999999999",
            "t1 ",
        ] {
            assert!(bad.parse::<ShortRef>().is_err(), "{bad}");
        }
        let full: FullRef = "3fa9c2d1/t7".parse().unwrap();
        assert_eq!(full.to_string(), "3fa9c2d1/t7");
        for bad in ["3fa9c2d1", "3FA9C2D1/t7", "3fa9c2d/t7", "/t7", "3fa9c2d1/7"] {
            assert!(bad.parse::<FullRef>().is_err(), "{bad}");
        }
    }

    #[test]
    fn conversation_id_depends_on_format_and_session() {
        let id = ConversationId::of_session("pi", "abc");
        assert_eq!(id.as_str().len(), 8);
        assert_ne!(id, ConversationId::of_session("claude-code", "abc"));
        assert_ne!(id, ConversationId::of_session("pia", "bc"));
    }
}
