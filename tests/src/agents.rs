//! Runs the real agents in an empty environment, in a home of their own, against a loopback
//! endpoint.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use serde_json::json;
use tempfile::TempDir;
use tokio::process::Command;

use crate::endpoint::Endpoint;
use crate::sessions::{move_claude_code, move_pi};

/// Variable that names the folder that `.ci/install-agents` filled.
pub const AGENTS_VARIABLE: &str = "EPITOME_TEST_AGENTS";

/// Time for one run of an agent; a run takes about two seconds.
const TIME_LIMIT: Duration = Duration::from_mins(2);

/// Id of the session that a test starts from.
const SOURCE_ID: &str = "6f1c2a0e-5d43-4b8e-9a57-3c0d2e4f6a81";

/// An agent whose sessions we condense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    /// Anthropic's Claude Code.
    ClaudeCode,
    /// The Pi coding agent.
    Pi,
}

/// The folder that the agents are installed in.
#[derive(Debug, Clone)]
pub struct Agents {
    programs: PathBuf,
}

/// A home of one test: the agent's files and, inside it, a working folder.
#[derive(Debug)]
pub struct Home {
    folder: TempDir,
    root: PathBuf,
}

/// The server that an agent gets its recovery tool from.
#[derive(Debug, Clone)]
pub struct McpServer {
    /// The program.
    pub command: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

/// What a program printed and how it ended.
#[derive(Debug)]
pub struct Ended {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Whether the exit code was 0.
    pub success: bool,
}

impl Home {
    /// Makes an empty home with a working folder.
    pub fn new() -> anyhow::Result<Self> {
        // Agents know a folder by its real path.
        let folder = tempfile::Builder::new().prefix("epitome-").tempdir()?;
        let root = folder.path().canonicalize()?;
        std::fs::create_dir(root.join("work"))?;
        std::fs::create_dir(root.join("tmp"))?;
        Ok(Self { folder, root })
    }

    /// The home itself.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// The folder that the sessions of this home were held in.
    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// Puts a session where its agent looks for it, as one that was held in the working folder.
    pub fn place(&self, agent: Agent, session: &[u8]) -> anyhow::Result<PathBuf> {
        let work = self.work();
        let cwd = work
            .to_str()
            .context("the temporary folder's name is no text")?;
        let (path, session) = match agent {
            Agent::ClaudeCode => (
                self.root
                    .join(".claude/projects")
                    .join(dashed(cwd, |unit| unit.is_ascii_alphanumeric()))
                    .join(format!("{SOURCE_ID}.jsonl")),
                move_claude_code(session, SOURCE_ID, cwd),
            ),
            Agent::Pi => {
                let inner = cwd.trim_start_matches('/');
                let inner = dashed(inner, |unit| !['/', '\\', ':'].contains(&unit));
                let folder = format!(".pi/agent/sessions/--{inner}--");
                let name = format!("2026-01-01T00-00-00-000Z_{SOURCE_ID}.jsonl");
                (self.root.join(folder).join(name), move_pi(session, cwd))
            }
        };
        std::fs::create_dir_all(path.parent().context("a session path has a folder")?)?;
        std::fs::write(&path, session)?;
        Ok(path)
    }

    /// Removes the home; a home that is only dropped goes as well, but then failures go unseen.
    pub fn remove(self) -> anyhow::Result<()> {
        Ok(self.folder.close()?)
    }
}

/// A folder name of a path: a dash for every UTF-16 unit that may not stand in it.
fn dashed(path: &str, stays: impl Fn(char) -> bool) -> String {
    let mut name = String::with_capacity(path.len());
    for character in path.chars() {
        if stays(character) {
            name.push(character);
        } else {
            name.extend(std::iter::repeat_n('-', character.len_utf16()));
        }
    }
    name
}

impl Agents {
    /// Finds the installed agents, or says why there are none.
    pub fn find() -> Result<Self, String> {
        let Some(folder) = std::env::var_os(AGENTS_VARIABLE).filter(|value| !value.is_empty())
        else {
            return Err(format!("{AGENTS_VARIABLE} is not set"));
        };
        let programs = PathBuf::from(folder).join("node_modules/.bin");
        if programs.is_dir() {
            Ok(Self { programs })
        } else {
            Err(format!("{} is no folder", programs.display()))
        }
    }

    /// Resumes a session with a short prompt; what the agent sent is with the endpoint.
    pub async fn resume(
        &self,
        agent: Agent,
        home: &Home,
        session: &Path,
        endpoint: &Endpoint,
        server: Option<&McpServer>,
    ) -> anyhow::Result<()> {
        let ended = match agent {
            Agent::ClaudeCode => {
                self.resume_claude_code(home, session, endpoint, server)
                    .await?
            }
            Agent::Pi => self.resume_pi(home, session, endpoint).await?,
        };
        ensure!(
            ended.success,
            "{agent:?} failed on {}: {}{}",
            session.display(),
            ended.stdout,
            ended.stderr
        );
        Ok(())
    }

    async fn resume_claude_code(
        &self,
        home: &Home,
        session: &Path,
        endpoint: &Endpoint,
        server: Option<&McpServer>,
    ) -> anyhow::Result<Ended> {
        let id = session.file_stem().context("a session has a file name")?;
        let mut command = self.command("claude", home);
        command.args(["-p", "go on", "--resume"]).arg(id);
        if let Some(server) = server {
            let config = write_mcp_config(home, server)?;
            command
                .arg("--mcp-config")
                .arg(config)
                .arg("--strict-mcp-config");
            command.args(["--allowedTools", "mcp__epitome__context_tree_query"]);
        }
        command.env("ANTHROPIC_BASE_URL", endpoint.url());
        command.env("ANTHROPIC_API_KEY", "dummy");
        for off in [
            "DISABLE_TELEMETRY",
            "DISABLE_ERROR_REPORTING",
            "DISABLE_AUTOUPDATER",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
        ] {
            command.env(off, "1");
        }
        run(command).await
    }

    async fn resume_pi(
        &self,
        home: &Home,
        session: &Path,
        endpoint: &Endpoint,
    ) -> anyhow::Result<Ended> {
        let model = json!({
            "id": "mock-1", "name": "mock", "contextWindow": 200_000, "maxTokens": 4096,
        });
        let provider = json!({
            "baseUrl": endpoint.url(), "api": "anthropic-messages", "apiKey": "dummy",
            "models": [model],
        });
        let models = home.path().join(".pi/agent/models.json");
        std::fs::write(
            models,
            json!({ "providers": { "mock": provider } }).to_string(),
        )?;
        let mut command = self.command("pi", home);
        command.arg("--session").arg(session);
        command.args(["--provider", "mock", "--model", "mock-1", "-p", "go on"]);
        command.env("PI_OFFLINE", "1");
        run(command).await
    }

    /// Lets Pi write a session as HTML and returns what it wrote.
    pub async fn export_pi(&self, home: &Home, session: &Path) -> anyhow::Result<String> {
        let page = home.path().join("export.html");
        let mut command = self.command("pi", home);
        command.arg("--export").arg(session).arg(&page);
        command.env("PI_OFFLINE", "1");
        let ended = run(command).await?;
        ensure!(
            ended.success,
            "pi --export failed: {}{}",
            ended.stdout,
            ended.stderr
        );
        Ok(std::fs::read_to_string(page)?)
    }

    /// Runs the MCP inspector's command-line mode on a server.
    pub async fn inspect(
        &self,
        home: &Home,
        server: &McpServer,
        args: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> anyhow::Result<Ended> {
        let config = write_mcp_config(home, server)?;
        let mut command = self.command("mcp-inspector", home);
        command
            .args(["--cli", "--config"])
            .arg(config)
            .args(["--server", "epitome"]);
        command.args(args);
        run(command).await
    }

    /// Whether a program is installed.
    pub fn has(&self, program: &str) -> bool {
        self.programs.join(program).exists()
    }

    /// A command with nothing in its environment but where programs and the home are.
    fn command(&self, program: &str, home: &Home) -> Command {
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&inherited);
        let folders = std::iter::once(self.programs.clone()).chain(folders);
        let mut command = Command::new(self.programs.join(program));
        command.env_clear().current_dir(home.work());
        command
            .env("HOME", home.path())
            .env("TMPDIR", home.path().join("tmp"));
        command.env("PATH", std::env::join_paths(folders).unwrap_or(inherited));
        command
    }
}

fn write_mcp_config(home: &Home, server: &McpServer) -> anyhow::Result<PathBuf> {
    let args: Vec<_> = server
        .args
        .iter()
        .map(|arg| arg.to_string_lossy())
        .collect();
    let server = json!({
        "type": "stdio", "command": server.command.to_string_lossy(), "args": args,
    });
    let path = home.path().join("mcp.json");
    std::fs::write(
        &path,
        json!({ "mcpServers": { "epitome": server } }).to_string(),
    )?;
    Ok(path)
}

async fn run(mut command: Command) -> anyhow::Result<Ended> {
    command.stdin(Stdio::null()).kill_on_drop(true);
    let output = tokio::time::timeout(TIME_LIMIT, command.output())
        .await
        .with_context(|| format!("no end within {} seconds", TIME_LIMIT.as_secs()))?
        .with_context(|| {
            format!(
                "could not start {}",
                command.as_std().get_program().display()
            )
        })?;
    Ok(Ended {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        success: output.status.success(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_placed_where_agents_look() {
        let check = |path: &str, expected: &str| {
            assert_eq!(dashed(path, |unit| unit.is_ascii_alphanumeric()), expected);
        };
        check("/a/b.c_d e", "-a-b-c-d-e");
        check("/ä日😀x", "-----x");
        let home = Home::new().unwrap();
        let path = home.place(Agent::Pi, b"{\"type\":\"session\"}\n").unwrap();
        assert!(std::fs::read_to_string(&path).unwrap().contains("\"cwd\""));
        assert!(path.starts_with(home.path().join(".pi/agent/sessions")));
        home.remove().unwrap();
    }
}
