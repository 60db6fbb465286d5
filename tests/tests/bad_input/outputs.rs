//! Outputs that must not be written.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};
use epitome_tests::command::{Run, Sandbox};

use crate::{SOURCE, two_steps};

#[test]
fn an_output_that_is_the_source_is_refused() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let session = two_steps().bytes();
    let source = sandbox.write(SOURCE, &session)?;
    fs::hard_link(&source, sandbox.path("hard.jsonl"))?;
    std::os::unix::fs::symlink(&source, sandbox.path("soft.jsonl"))?;
    std::os::unix::fs::symlink(sandbox.path("soft.jsonl"), sandbox.path("softer.jsonl"))?;
    std::os::unix::fs::symlink(sandbox.path("nowhere"), sandbox.path("dangling.jsonl"))?;
    let before = names(&sandbox.path(""))?;
    let check = |arguments: &[&str], message: &str| -> anyhow::Result<()> {
        let run = sandbox.run([&["condense"], arguments].concat())?;
        check_refusal(&run, 2, message).with_context(|| format!("{arguments:?}"))?;
        ensure!(
            fs::read(&source)? == session,
            "{arguments:?}: the source changed"
        );
        ensure!(
            names(&sandbox.path(""))? == before,
            "{arguments:?}: something was left"
        );
        Ok(())
    };
    let itself = "it is the source itself";
    for output in [
        "s.jsonl",
        "./s.jsonl",
        "hard.jsonl",
        "soft.jsonl",
        "softer.jsonl",
    ] {
        check(&[SOURCE, "-o", output], itself)?;
        check(&[SOURCE, "--force", "-o", output], itself)?;
        check(&[output, "--force", "-o", SOURCE], itself)?;
    }
    check(
        &[SOURCE, "-o", "missing/folder/out.jsonl"],
        "could not write missing/folder/out.jsonl",
    )?;
    check(
        &[SOURCE, "-o", "s.jsonl/out"],
        "could not write s.jsonl/out",
    )?;
    check(
        &[SOURCE, "-o", "dangling.jsonl"],
        "could not write dangling.jsonl",
    )?;
    check(&["s.jsonl/s.jsonl"], "could not read s.jsonl/s.jsonl")
}

/// A run that was refused: one message that holds this text, a way out, and the exit code.
pub(crate) fn check_refusal(run: &Run, code: i32, message: &str) -> anyhow::Result<()> {
    ensure!(
        run.code == Some(code),
        "exit {:?}: {}",
        run.code,
        run.errors
    );
    let mut lines = run.errors.lines();
    let (first, help) = (
        lines.next().unwrap_or_default(),
        lines.next().unwrap_or_default(),
    );
    ensure!(
        first.starts_with("could not ") && first.contains(message),
        "{first}"
    );
    ensure!(
        help.starts_with("help: ") && run.errors.ends_with(".\n"),
        "{}",
        run.errors
    );
    Ok(())
}

/// Names of the files in a folder, sorted; the store is left out.
fn names(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name != "store" {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}
