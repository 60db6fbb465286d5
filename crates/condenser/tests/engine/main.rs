//! The engine end to end: small sessions through condense, record, recover and expand.

// The linter knows by this attribute that helpers may unwrap.
#[cfg(test)]
mod dedup;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod flush;
#[cfg(test)]
mod growth;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod originals;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod query;
#[cfg(test)]
mod resume;
