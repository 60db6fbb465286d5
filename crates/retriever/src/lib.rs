//! Application layer of the knowledge base: documents are ingested, found, suggested and read.

#![forbid(unsafe_code)]

pub mod calibrate;
pub mod dense;
pub mod ingest;
pub mod search;
pub mod suggest;
pub mod tools;
