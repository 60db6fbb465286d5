//! A folder with a specimen of every fault that files have brought to tools of this kind, each with
//! what an import must make of it.

mod links;
mod specimens;
#[cfg(test)]
mod tests;

use std::fmt;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

/// A file and what must become of it.
struct Specimen {
    /// Path inside the folder.
    path: String,
    bytes: Vec<u8>,
    fate: Fate,
}

/// What an import must make of a file.
enum Fate {
    /// A document with this text.
    Text(String),
    /// A document; its text is for others to judge.
    Taken,
    /// None, for this reason.
    Skipped(&'static str),
    /// None, and no word about it.
    PassedBy,
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "a document of {} characters", text.chars().count()),
            Self::Taken => f.write_str("a document"),
            Self::Skipped(reason) => write!(f, "skipped: {reason}"),
            Self::PassedBy => f.write_str("passed by"),
        }
    }
}

/// Writes the folder and says what must become of each plain file.
pub(crate) fn run(folder: &Path) -> Result<()> {
    write(folder)?;
    let mut output = std::io::stdout().lock();
    for specimen in specimens::all() {
        writeln!(output, "{}\t{}", specimen.path, specimen.fate)?;
    }
    Ok(())
}

/// Writes the folder, which must be empty or new.
fn write(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("could not make {}", folder.display()))?;
    ensure!(
        fs::read_dir(folder)?.next().is_none(),
        "{} is not empty",
        folder.display()
    );
    for specimen in specimens::all() {
        let path = folder.join(&specimen.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, &specimen.bytes)
            .with_context(|| format!("could not write {}", path.display()))?;
    }
    links::write(folder)
}
