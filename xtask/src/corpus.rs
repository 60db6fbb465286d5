//! `cargo xtask corpus`: every shared session, through the real engine, held against its source.

mod session;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::oracle;
use session::{Findings, Settings, check_session};

/// Formats of this check, by folder.
const FORMATS: [&str; 2] = ["pi", "claude-code"];

/// Calls that the thorough run must summarize in each format.
const LEAST_SUMMARIZED: usize = 20;

/// Runs every check over the shared data, or says that it was skipped.
pub(crate) fn run(data: &Path) -> Result<()> {
    if !data.is_dir() {
        say(&format!("skipped: no folder {}", data.display()));
        return Ok(());
    }
    let mut failed = false;
    for settings in [Settings::Defaults, Settings::Everything] {
        say(&format!("\n{}", settings.title()));
        say(&Findings::header());
        for format in FORMATS {
            let findings = check_format(&data.join("transcripts").join(format), settings)?;
            say(&findings.row(format));
            let too_few =
                settings == Settings::Everything && findings.summarized < LEAST_SUMMARIZED;
            if too_few {
                say(&format!(
                    "{format}: fewer than {LEAST_SUMMARIZED} calls were summarized"
                ));
            }
            failed |= too_few || findings.is_bad();
        }
    }
    say("");
    oracle::run(&data.join("oracle"))?;
    if failed {
        bail!("the corpus check failed");
    }
    Ok(())
}

fn check_format(folder: &Path, settings: Settings) -> Result<Findings> {
    let mut total = Findings::default();
    for path in session_files(folder)? {
        let source =
            fs::read(&path).with_context(|| format!("could not read {}", path.display()))?;
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        match check_session(&name, &source, settings) {
            Ok(findings) => total.add(&findings),
            Err(error) => {
                say(&format!("{name}: {error:#}"));
                total.refused += 1;
            }
        }
        total.files += 1;
    }
    Ok(total)
}

fn session_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("could not read {}", folder.display()))?;
    let mut files = BTreeMap::new();
    for entry in entries {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            files.insert(path.clone(), path);
        }
    }
    Ok(files.into_values().collect())
}

#[expect(
    clippy::print_stdout,
    reason = "the report of a task goes to standard output"
)]
fn say(line: &str) {
    println!("{line}");
}
