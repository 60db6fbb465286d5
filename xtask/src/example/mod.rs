//! The example session in `examples/`, and sessions of any size for benchmarks.
//!
//! One script of steps without a format is run against an invented project and then written by two writers,
//! so both files hold the same work.

mod bulk;
mod claude_code;
mod clock;
mod pi;
mod random;
mod script;
mod session;
mod story;
#[cfg(test)]
mod tests;
mod texts;
mod workspace;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

pub(crate) use bulk::generate_session;
pub(crate) use session::Format;

/// Model that both files name.
const MODEL: &str = "claude-opus-4-5-20251101";

/// Names and contents of the example files.
pub(crate) fn generate() -> Result<[(&'static str, Vec<u8>); 2]> {
    let session = script::tell()?;
    Ok([
        ("coding-session.pi.jsonl", pi::write(&session)),
        (
            "coding-session.claude-code.jsonl",
            claude_code::write(&session),
        ),
    ])
}

/// Writes the example files into a folder.
pub(crate) fn write(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("could not make {}", folder.display()))?;
    for (name, bytes) in generate()? {
        let path = folder.join(name);
        fs::write(&path, bytes).with_context(|| format!("could not write {}", path.display()))?;
    }
    Ok(())
}
