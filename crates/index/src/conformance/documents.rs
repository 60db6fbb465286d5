//! What a document store promises.

pub(crate) mod fixture;
pub(super) mod import;
pub(super) mod random;
pub(super) mod search;
pub(super) mod summaries;
pub(super) mod vectors;
