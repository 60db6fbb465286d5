//! The loader is held against Claude Code itself, where that is installed: a check of the checker.

use anyhow::{Context as _, ensure};
use epitome_tests::agents::{Agent, Agents, Home};
use epitome_tests::endpoint::Endpoint;
use epitome_tests::loader::Loaded;
use epitome_tests::random::Random;
use epitome_tests::sessions::{example, shared_data};
use epitome_tests::skip::say_skipped;
use serde_json::Value;

use crate::random::claude_code;

/// Random sessions that are sent; each takes the agent about two seconds.
const SESSIONS: u64 = 12;

#[tokio::test]
async fn the_loader_finds_the_calls_that_claude_code_sends() -> anyhow::Result<()> {
    let agents = match Agents::find() {
        Ok(agents) => agents,
        Err(why) => {
            say_skipped("the loader against Claude Code", &why);
            return Ok(());
        }
    };
    let example = example("coding-session.claude-code.jsonl")?;
    let mut sessions = vec![("the example".to_owned(), example)];
    if let Some(data) = shared_data() {
        for entry in std::fs::read_dir(data.join("transcripts/claude-code"))? {
            let path = entry?.path();
            sessions.push((path.display().to_string(), std::fs::read(&path)?));
        }
    }
    for seed in 0..SESSIONS {
        let session = claude_code(&mut Random::new(seed));
        sessions.push((format!("random {seed}"), session));
    }
    for (name, session) in sessions {
        let request = first_request(&agents, &session).await;
        let request = request.with_context(|| name.clone())?;
        let sent = request["messages"].as_array().context("no messages")?;
        assert_eq!(
            pairs(&Loaded::new(&session)?.messages),
            pairs(sent),
            "{name}"
        );
    }
    Ok(())
}

async fn first_request(agents: &Agents, session: &[u8]) -> anyhow::Result<Value> {
    let home = Home::new()?;
    let path = home.place(Agent::ClaudeCode, session)?;
    let endpoint = Endpoint::start([]).await?;
    agents
        .resume(Agent::ClaudeCode, &home, &path, &endpoint, None)
        .await?;
    home.remove()?;
    let mut requests = endpoint.message_requests();
    ensure!(!requests.is_empty(), "nothing was sent");
    Ok(requests.remove(0))
}

/// Calls and results of messages, in order.
fn pairs(messages: &[Value]) -> Vec<String> {
    let contents = messages
        .iter()
        .filter_map(|message| message["content"].as_array());
    contents
        .flatten()
        .filter_map(|block| match block["type"].as_str()? {
            "tool_use" => Some(format!("call {}", block["id"])),
            "tool_result" => Some(format!("result of {}", block["tool_use_id"])),
            _ => None,
        })
        .collect()
}
