//! Lossless views of session files.
//!
//! [`read`] detects the format from the content and gives a [`Transcript`] of byte ranges. What the
//! view does not know passes as it stands: unknown lines and blocks are counted, never dropped.

mod claude_code;
mod line;
mod occurrence;
mod pi;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use thiserror::Error;

use crate::transcript::{Transcript, Violation};

/// Why a file is no session that can be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WireError {
    /// The file has no bytes but white space.
    #[error("the file is empty")]
    Empty,
    /// No line of the file is a JSON object.
    #[error("line {line} is {reason}, and no other line is a JSON object")]
    NoJson {
        /// The first line that is not blank, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The lines are JSON objects, but of no known session format.
    #[error(
        "the format is unknown: line {line} is neither a Pi session header nor a Claude Code line"
    )]
    UnknownFormat {
        /// The first line that is a JSON object, from 1.
        line: usize,
    },
}

/// Reads a session file of any known format.
pub fn read(source: &[u8]) -> Result<Transcript, WireError> {
    let head = line::Lines::new(source);
    let mut first_object = None;
    let mut first_broken = None;
    for line in head {
        match serde_json::from_slice::<line::Probe<'_>>(line.bytes(source)) {
            Ok(probe) => {
                if first_object.is_none() {
                    first_object = Some(line.number);
                    if let Some(header) = pi::Header::of(&probe) {
                        return Ok(pi::read(source, line.number, &header));
                    }
                }
                if probe.is_claude_code() {
                    return Ok(claude_code::read(source));
                }
            }
            Err(error) if first_broken.is_none() => {
                first_broken = Some((line.number, line::reason(&error, line.bytes(source))));
            }
            Err(_) => {}
        }
    }
    match (first_object, first_broken) {
        (Some(line), _) => Err(WireError::UnknownFormat { line }),
        (None, Some((line, reason))) => Err(WireError::NoJson { line, reason }),
        (None, None) => Err(WireError::Empty),
    }
}

/// The violations of `after` that `before` does not have, each as often as it is new.
pub fn new_violations(before: &[Violation], after: &[Violation]) -> Vec<Violation> {
    let mut known: HashMap<&Violation, usize> = HashMap::new();
    for violation in before {
        *known.entry(violation).or_default() += 1;
    }
    let mut new = Vec::new();
    for violation in after {
        match known.get_mut(violation) {
            Some(left) if *left > 0 => *left -= 1,
            _ => new.push(violation.clone()),
        }
    }
    new
}
