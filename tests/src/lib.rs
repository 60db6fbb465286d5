//! End-to-end tests over the binaries; they live in the `tests` folder of this package.
//!
//! Here is what they share:
//! - [`binaries`] builds what the tests run,
//! - [`sessions`] finds example and shared sessions and moves them into a test's own home,
//! - [`agents`] finds and runs Claude Code, Pi and the MCP inspector,
//! - [`endpoint`] is the model that the agents talk to, on a loopback address,
//! - [`request`] checks what they send,
//! - [`condensed`] holds sessions that `epitome` condensed for them,
//! - [`command`] runs `epitome` in a folder of its own,
//! - [`fixtures`] writes sessions, with numbers of [`random`],
//! - [`loader`] loads sessions as agents do, [`comparison`] holds two against each other,
//! - [`skip`] says what did not run.

#![forbid(unsafe_code)]

pub mod agents;
pub mod binaries;
pub mod command;
pub mod comparison;
pub mod condensed;
pub mod endpoint;
pub mod fixtures;
pub mod loader;
pub mod random;
pub mod request;
pub mod sessions;
pub mod skip;
