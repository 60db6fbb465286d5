//! The first page of the README does what it says.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use epitome_tests::binaries::workspace;
use epitome_tests::command::{Run, Sandbox};
use epitome_tests::comparison::stubs;
use epitome_tests::sessions::example;

/// The two commands that a newcomer is told to run.
const FIRST: &str = "cargo run --release -p epitome-cli -- --store target/example.db condense \
                     examples/coding-session.claude-code.jsonl";
const SECOND: &str = "cargo test --workspace";

#[test]
fn the_readme_names_two_commands_and_the_first_keeps_its_promise() -> anyhow::Result<()> {
    let readme = std::fs::read_to_string(workspace().join("README.md")).context("README.md")?;
    let blocks = code_blocks(&readme);
    let first = blocks.first().and_then(|block| block.first());
    assert_eq!(first.copied(), Some(FIRST));
    ensure!(
        blocks.concat().contains(&SECOND),
        "the README does not name `{SECOND}`"
    );

    // A copy of the examples stands for the clone, so that nothing is left in this one.
    let sandbox = Sandbox::new()?;
    let name = "coding-session.claude-code.jsonl";
    let source = example(name)?;
    sandbox.write(&format!("examples/{name}"), &source)?;
    let (_, arguments) = FIRST.split_once(" -- ").context("no arguments")?;
    let mut command = sandbox.program(sandbox.binary());
    let report = Run::of(command.args(arguments.split(' ')))?.done()?;
    let report = String::from_utf8(report)?;
    let line = |label: &str| -> anyhow::Result<&str> {
        let line = report.lines().find_map(|line| line.strip_prefix(label));
        Ok(line
            .with_context(|| format!("no line `{label}`: {report}"))?
            .trim())
    };
    // The README shows this report, but for the path of the program.
    let shown = block_that_starts_with(&readme, "session ")?;
    let without_recover = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with("recover"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(without_recover(shown), without_recover(&report));

    let output = std::fs::read(sandbox.path(line("written")?))?;
    let after = serde_json::to_string(block_that_starts_with(&readme, "[Summarized, ")?)?;
    ensure!(
        String::from_utf8_lossy(&output).contains(&after),
        "no such stub: {after}"
    );
    let found = stubs(&source, &output)?;
    let mut words = line("recover")?.split(' ');
    let program = PathBuf::from(words.next().context("an empty line")?);
    assert_eq!(program, sandbox.binary());
    let words: Vec<&str> = words.collect();
    let reference = words.last().context("no ref")?;
    let stub = found.iter().find(|stub| stub.reference == *reference);
    let stub = stub.context("the recover line names no ref of the output")?;
    let printed = Run::of(sandbox.program(&program).args(&words))?.done()?;
    let text: String = serde_json::from_str(&stub.raw)?;
    ensure!(
        printed == text.as_bytes(),
        "{} is not what was left out",
        stub.reference
    );
    let raw = Run::of(sandbox.program(&program).args(&words).arg("--raw"))?.done()?;
    ensure!(raw == stub.raw.as_bytes(), "{} is not raw", stub.reference);
    Ok(())
}

/// The text of the fenced block that starts so.
fn block_that_starts_with<'a>(markdown: &'a str, start: &str) -> anyhow::Result<&'a str> {
    let pieces = markdown.split("\n```").skip(1).step_by(2);
    let mut texts = pieces.filter_map(|block| Some(block.split_once('\n')?.1));
    texts
        .find(|text| text.starts_with(start))
        .with_context(|| format!("the README has no block that starts with `{start}`"))
}

/// The lines of each fenced block.
fn code_blocks(markdown: &str) -> Vec<Vec<&str>> {
    let pieces = markdown.split("\n```").skip(1).step_by(2);
    // What stands behind the fence itself is its language.
    pieces
        .map(|block| {
            block
                .lines()
                .skip(1)
                .filter(|line| !line.trim().is_empty())
                .collect()
        })
        .collect()
}
