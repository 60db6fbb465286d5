//! Builds the binaries that the tests run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use anyhow::{Context as _, anyhow, ensure};
use serde_json::Value;

/// Builds `epitome` in the profile of the test and returns its path; later calls only return it.
pub fn epitome() -> anyhow::Result<PathBuf> {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    BUILT
        .get_or_init(|| build("epitome-cli", "epitome").map_err(|error| format!("{error:#}")))
        .clone()
        .map_err(|error| anyhow!("could not build epitome: {error}"))
}

/// The root of the workspace.
pub fn workspace() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package)
}

fn build(package: &str, binary: &str) -> anyhow::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args([
        "build",
        "--quiet",
        "--message-format=json-render-diagnostics",
    ]);
    command.args(["--package", package, "--bin", binary]);
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    let output = command
        .current_dir(workspace())
        .stdin(Stdio::null())
        .output()
        .context("cargo did not start")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{errors}");
    executable(&String::from_utf8_lossy(&output.stdout), binary)
        .with_context(|| format!("cargo names no executable `{binary}`"))
}

/// Finds the path of a binary in cargo's messages, one JSON object a line.
fn executable(messages: &str, binary: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == binary)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executables_are_found_in_messages() {
        let check = |messages: &str, expected: Option<&str>| {
            assert_eq!(executable(messages, "epitome"), expected.map(PathBuf::from));
        };
        check("", None);
        check("no json", None);
        check(
            r#"{"target":{"name":"other"},"executable":"a/other"}"#,
            None,
        );
        check(r#"{"target":{"name":"epitome"},"executable":null}"#, None);
        check(
            "{\"reason\":\"x\"}\n{\"target\":{\"name\":\"epitome\"},\"executable\":\"a/epitome\"}",
            Some("a/epitome"),
        );
    }
}
