//! The official MCP inspector lists and calls the tools of `epitome mcp`.
//!
//! Needs the inspector (`.ci/install-agents`, named by `EPITOME_TEST_AGENTS`); else it is skipped.

use anyhow::{Context as _, ensure};
use epitome_tests::agents::{Agent, Agents, Home};
use epitome_tests::condensed::Condensed;
use epitome_tests::sessions::example;
use epitome_tests::skip::say_skipped;
use serde_json::{Value, json};

/// An inspector at a server with a condensed example.
struct Inspector {
    agents: Agents,
    home: Home,
    condensed: Condensed,
}

impl Inspector {
    /// Asks the server and returns its result.
    async fn ask(&self, args: &[&str]) -> anyhow::Result<Value> {
        let server = self.condensed.server()?;
        let ended = self.agents.inspect(&self.home, &server, args).await?;
        ensure!(ended.success, "{args:?}: {}{}", ended.stdout, ended.stderr);
        serde_json::from_str(&ended.stdout).with_context(|| format!("no JSON: {}", ended.stdout))
    }

    async fn call(&self, tool: &str, arguments: &Value) -> anyhow::Result<String> {
        let arguments = arguments.to_string();
        let method = ["--method", "tools/call", "--tool-name", tool];
        let answer = self
            .ask(&[&method[..], &["--tool-args-json", &arguments]].concat())
            .await?;
        ensure!(answer["isError"] != true, "{tool} failed: {answer}");
        let text = answer["content"][0]["text"].as_str();
        Ok(text
            .with_context(|| format!("{tool} gave no text: {answer}"))?
            .to_owned())
    }
}

#[tokio::test]
async fn the_inspector_lists_and_calls_both_tools() -> anyhow::Result<()> {
    let agents = Agents::find().and_then(|agents| {
        let there = agents.has("mcp-inspector");
        there
            .then_some(agents)
            .ok_or_else(|| "the inspector is not installed".to_owned())
    });
    let agents = match agents {
        Ok(agents) => agents,
        Err(why) => {
            say_skipped("the MCP inspector lists and calls our tools", &why);
            return Ok(());
        }
    };
    let home = Home::new()?;
    let condensed = Condensed::make(&home, Agent::Pi, &example("coding-session.pi.jsonl")?)?;
    let inspector = Inspector {
        agents,
        home,
        condensed,
    };

    // Strict also fails on a schema that not every client can read.
    let listed = inspector
        .ask(&["--method", "tools/list", "--strict"])
        .await?;
    let tools = listed["tools"].as_array().into_iter().flatten();
    let names: Vec<&str> = tools.filter_map(|tool| tool["name"].as_str()).collect();
    ensure!(
        names.join(" ") == "context_tree_query session_status search suggest read ls grep",
        "{names:?}"
    );

    let reference = inspector.condensed.word("/first_ref")?.to_owned();
    let original = inspector.condensed.recover(&reference)?;
    let answer = inspector
        .call("context_tree_query", &json!({ "toolCallIds": [reference] }))
        .await?;
    ensure!(
        answer.contains(&original),
        "{reference} did not come back: {answer}"
    );

    let conversation = inspector.condensed.word("/conversation")?.to_owned();
    let status = inspector.call("session_status", &json!({})).await?;
    ensure!(
        status.contains(&conversation),
        "{conversation} is not listed: {status}"
    );
    let status = inspector
        .call("session_status", &json!({ "session": conversation }))
        .await?;
    ensure!(status.contains("t1"), "no ref is listed: {status}");

    inspector.home.remove()
}
