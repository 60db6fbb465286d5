//! The real `epitome` in a folder of its own, without the environment of whoever runs the tests.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context as _, ensure};
use serde_json::Value;
use tempfile::TempDir;

use crate::binaries;

/// A folder that holds a store and the homes of both agents; it goes away with the value.
#[derive(Debug)]
pub struct Sandbox {
    // Dropping it removes the folder.
    _folder: TempDir,
    real: PathBuf,
    epitome: PathBuf,
}

impl Sandbox {
    /// Makes one, with the binary built.
    pub fn new() -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        Ok(Self {
            real: folder.path().canonicalize()?,
            epitome: binaries::epitome()?,
            _folder: folder,
        })
    }

    /// A path inside the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.real.join(name)
    }

    /// The store that [`Sandbox::epitome`] names.
    pub fn store(&self) -> PathBuf {
        self.path("store/epitome.db")
    }

    /// The folder that `CLAUDE_CONFIG_DIR` names.
    pub fn claude_config(&self) -> PathBuf {
        self.path("claude")
    }

    /// The folder that `PI_CODING_AGENT_DIR` names.
    pub fn pi_agent(&self) -> PathBuf {
        self.path("pi")
    }

    /// Writes a file, and the folders above it.
    pub fn write(&self, name: &str, bytes: &[u8]) -> anyhow::Result<PathBuf> {
        let path = self.path(name);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&path, bytes)
            .with_context(|| format!("could not write {}", path.display()))?;
        Ok(path)
    }

    /// Any program with the clean environment, in the folder.
    pub fn program(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("HOME", &self.real)
            .env("CLAUDE_CONFIG_DIR", self.claude_config())
            .env("PI_CODING_AGENT_DIR", self.pi_agent())
            .current_dir(&self.real)
            .stdin(Stdio::null());
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        command
    }

    /// `epitome --store STORE`, with more arguments to come.
    pub fn epitome(&self) -> Command {
        let mut command = self.program(&self.epitome);
        command.arg("--store").arg(self.store());
        command
    }

    /// The binary itself.
    pub fn binary(&self) -> &Path {
        &self.epitome
    }

    /// Runs `epitome --store STORE ARGUMENTS`.
    pub fn run<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> anyhow::Result<Run> {
        Run::of(self.epitome().args(arguments))
    }
}

/// How a command ended and what it wrote.
#[derive(Debug)]
pub struct Run {
    /// The exit code; none where a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub output: Vec<u8>,
    /// Standard error.
    pub errors: String,
}

impl Run {
    /// Runs a command to its end.
    pub fn of(command: &mut Command) -> anyhow::Result<Self> {
        let output = command
            .output()
            .with_context(|| format!("{} did not start", command.get_program().display()))?;
        Ok(Self::from(output))
    }

    /// Standard output of a command that succeeded.
    pub fn done(self) -> anyhow::Result<Vec<u8>> {
        ensure!(
            self.code == Some(0),
            "exit {:?}: {}",
            self.code,
            self.errors
        );
        Ok(self.output)
    }

    /// Standard output of a command that succeeded, as JSON.
    pub fn json(self) -> anyhow::Result<Value> {
        let output = self.done()?;
        serde_json::from_slice(&output)
            .with_context(|| format!("no JSON: {}", String::from_utf8_lossy(&output)))
    }

    /// Standard output as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.output).into_owned()
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            output: output.stdout,
            errors: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}
