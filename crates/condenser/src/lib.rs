//! Application layer of condensing: a session file is replayed, its finished tool calls become
//! stubs, and every original can be recovered.
//!
//! [`condense`] reads a session, makes each flush durable and returns the condensed bytes;
//! [`recover`] and [`expand`] go the other way; [`tools`] holds the tool table that binaries serve.

#![forbid(unsafe_code)]

mod batch;
mod capture;
mod condense;
mod error;
mod expand;
pub mod files;
mod options;
pub mod recover;
mod report;
pub mod resume;
mod state;
pub mod tools;

pub use condense::{Condensation, Persistence, condense, record};
pub use error::{Error, ErrorKind};
pub use expand::{Expanded, Manner, expand, is_output};
pub use options::{CondenseOptions, Thinking};
pub use report::{CallCounts, ContextSize, Progress, Report, Warning};

/// Result of this crate's functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;
