//! Pure domain of epitome.
//!
//! Core performs no I/O, reads no clock, spawns nothing and never panics on input. Time, ids and
//! randomness come in as values.

#![forbid(unsafe_code)]

pub mod call;
pub mod id;
