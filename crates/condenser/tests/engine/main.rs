//! The engine end to end: small sessions through condense, record, recover and expand.

mod dedup;
mod fixture;
mod flush;
mod growth;
mod hostile;
mod originals;
mod properties;
mod query;
mod resume;
