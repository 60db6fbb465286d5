//! Rules about the repository that no compiler checks; `cargo test` runs them too.

mod dependencies;
mod edges;
mod repository;
mod text;

use std::io::Write as _;
use std::path::Path;

use anyhow::{Result, ensure};

use repository::Repository;

/// What is wrong (errors) and what soon will be (warnings), each a complete sentence.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Report {
    /// Rules that are broken.
    pub(crate) errors: Vec<String>,
    /// Rules that are about to be.
    pub(crate) warnings: Vec<String>,
}

impl Report {
    fn error(&mut self, text: String) {
        self.errors.push(text);
    }

    fn warn(&mut self, text: String) {
        self.warnings.push(text);
    }
}

/// Checks the repository in this folder.
pub(crate) fn inspect(root: &Path) -> Result<Report> {
    Ok(inspect_repository(&Repository::read(root)?))
}

fn inspect_repository(repository: &Repository) -> Report {
    let mut report = Report::default();
    edges::check(repository, &mut report);
    dependencies::check(repository, &mut report);
    text::check(repository, &mut report);
    report
}

/// Prints what was found; fails when a rule is broken.
pub(crate) fn run(root: &Path) -> Result<()> {
    let report = inspect(root)?;
    let mut output = std::io::stderr().lock();
    for warning in &report.warnings {
        writeln!(output, "warning: {warning}")?;
    }
    for error in &report.errors {
        writeln!(output, "error: {error}")?;
    }
    ensure!(
        report.errors.is_empty(),
        "{} rules are broken",
        report.errors.len()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_repository_is_tidy() {
        let report = inspect(&crate::root()).unwrap();
        assert!(report.errors.is_empty(), "{}", report.errors.join("\n"));
    }
}
