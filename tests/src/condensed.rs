//! Sessions that the real `epitome` condensed, and how an agent finds its way back.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};
use serde_json::Value;

use crate::agents::{Agent, Home, McpServer};
use crate::binaries;
use crate::request::{ToolResult, tool_results};

/// The recovery tool as Claude Code names it.
pub const RECOVERY_TOOL: &str = "mcp__epitome__context_tree_query";

/// A condensed session where its agent looks for it.
#[derive(Debug)]
pub struct Condensed {
    /// The new session.
    pub path: PathBuf,
    /// Where the originals are.
    pub store: PathBuf,
    report: Value,
}

impl Condensed {
    /// Places a session in a home and runs `epitome condense --resume --recovery tool` on it.
    pub fn make(home: &Home, agent: Agent, session: &[u8]) -> anyhow::Result<Self> {
        let source = home.place(agent, session)?;
        let store = home.path().join("store.db");
        let mut command = Command::new(binaries::epitome()?);
        command
            .arg("--store")
            .arg(&store)
            .arg("condense")
            .arg(source);
        command.args(["--resume", "--recovery", "tool", "--json"]);
        command
            .env_clear()
            .env("HOME", home.path())
            .stdin(Stdio::null());
        let output = command.output()?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "epitome condense failed: {errors}");
        let report: Value = serde_json::from_slice(&output.stdout)
            .with_context(|| format!("the report is no JSON object: {errors}"))?;
        let written = report["written"]
            .as_str()
            .context("the report names no file")?;
        Ok(Self {
            path: PathBuf::from(written),
            store,
            report,
        })
    }

    /// The server that an agent gets its recovery tool from.
    pub fn server(&self) -> anyhow::Result<McpServer> {
        Ok(McpServer {
            command: binaries::epitome()?,
            args: vec!["--store".into(), self.store.clone().into(), "mcp".into()],
        })
    }

    /// The text of an original, as `epitome recover` prints it.
    pub fn recover(&self, reference: &str) -> anyhow::Result<String> {
        let mut command = Command::new(binaries::epitome()?);
        command
            .arg("--store")
            .arg(&self.store)
            .args(["recover", reference]);
        let output = command.env_clear().stdin(Stdio::null()).output()?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "epitome recover failed: {errors}");
        Ok(String::from_utf8(output.stdout)?)
    }

    /// A text of the report, by its JSON pointer.
    pub fn word(&self, pointer: &str) -> anyhow::Result<&str> {
        let value = self.report.pointer(pointer).and_then(Value::as_str);
        value.with_context(|| format!("the report has no {pointer}: {}", self.report))
    }

    /// A number of the report, by its JSON pointer.
    pub fn figure(&self, pointer: &str) -> anyhow::Result<u64> {
        let value = self.report.pointer(pointer).and_then(Value::as_u64);
        value.with_context(|| format!("the report has no {pointer}: {}", self.report))
    }
}

/// What a stub says to pass to the recovery tool; none for a result that is no stub.
pub fn ref_of_stub(result: &ToolResult) -> Option<Vec<String>> {
    let stub = result.text.strip_prefix("[Summarized, ref `")?;
    let (_, list) = stub.split_once("toolCallIds ")?;
    let mut lists = serde_json::Deserializer::from_str(list).into_iter();
    lists.next()?.ok()
}

/// The result of a call, by its id.
pub fn named_call(request: &Value, id: &str) -> anyhow::Result<ToolResult> {
    let found = tool_results(request)
        .into_iter()
        .find(|result| result.id == id);
    found.with_context(|| format!("no result of {id}"))
}
