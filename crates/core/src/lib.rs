//! Pure domain of epitome.
//!
//! Core performs no I/O, reads no clock, spawns nothing and never panics on input. Time, ids and
//! randomness come in as values.

#![forbid(unsafe_code)]

pub mod answer;
pub mod batch;
pub mod bigram;
pub mod call;
pub mod capability;
pub mod capture;
pub mod chunk;
pub mod condense;
pub mod details;
pub mod edit;
pub mod evaluate;
pub mod footer;
pub mod front_matter;
pub mod gate;
pub mod glob;
pub mod hash;
pub mod id;
pub mod json;
pub mod label;
pub mod lexical;
pub mod mask;
pub mod occurrence;
pub mod pretty;
pub mod protect;
pub mod quantize;
pub mod rank;
pub mod select;
pub mod serialize;
pub mod snippet;
pub mod stub;
pub mod text;
pub mod time;
pub mod tokens;
pub mod transcript;
pub mod truncate;
pub mod wire;
