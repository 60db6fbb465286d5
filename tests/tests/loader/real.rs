//! The loader is held against Claude Code itself, where that is installed: a check of the checker.

use std::collections::HashSet;

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
        // What the agent makes of a call that the session leaves without a result is its own affair.
        let answered = answered(&session);
        let ours = pairs(&Loaded::new(&session)?.messages, &answered);
        assert_eq!(ours, pairs(sent, &answered), "{name}");
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

/// Ids of the calls that have a result somewhere in the session.
fn answered(session: &[u8]) -> HashSet<String> {
    let lines = session.split(|&byte| byte == b'\n');
    let lines = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let blocks = lines.filter_map(|line| line["message"]["content"].as_array().cloned());
    blocks
        .flatten()
        .filter_map(|block| block["tool_use_id"].as_str().map(str::to_owned))
        .collect()
}

/// Calls that are answered and their results, in order.
fn pairs(messages: &[Value], answered: &HashSet<String>) -> Vec<String> {
    let contents = messages
        .iter()
        .filter_map(|message| message["content"].as_array());
    contents
        .flatten()
        .filter_map(|block| {
            let (what, id) = match block["type"].as_str()? {
                "tool_use" => ("call", block["id"].as_str()?),
                "tool_result" => ("result of", block["tool_use_id"].as_str()?),
                _ => return None,
            };
            answered.contains(id).then(|| format!("{what} {id}"))
        })
        .collect()
}
