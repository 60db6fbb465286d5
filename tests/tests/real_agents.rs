//! Claude Code and Pi load what `epitome condense --resume` writes.
//!
//! Needs the agents (`.ci/install-agents`, named by `EPITOME_TEST_AGENTS`); shared sessions are
//! tried where they are at hand. What is not there is named and skipped.

use anyhow::{Context as _, ensure};
use epitome_tests::agents::{Agent, Agents, Home};
use epitome_tests::condensed::{Condensed, RECOVERY_TOOL, named_call, ref_of_stub};
use epitome_tests::endpoint::{Answer, Endpoint};
use epitome_tests::request::{ToolResult, request_problems, request_tokens, tool_results};
use epitome_tests::sessions::{example, shared_data};
use epitome_tests::skip::say_skipped;
use serde_json::{Value, json};

const CLAUDE_CODE_SESSIONS: [&str; 8] = [
    "entireio-skills--35ea950f-b370-raw_transcript.jsonl",
    "entireio-cli--09a2c705-b334-full.jsonl",
    "entireio-cli--220c8e1c-18de-full.jsonl",
    "entireio-entire-graph--09e82c6a-87c1-full.jsonl",
    "jnarowski-agentcmd--full-session-three.jsonl",
    "entireio-git-sync--68029492-648e-full.jsonl",
    "entireio-cli--0cf3db51-1c73-full-4.jsonl",
    "entireio-cli--198393f2-22db-full.jsonl",
];

const PI_SESSIONS: [&str; 3] = [
    "badlogic-pi-mono--5fd1e58c-9635-session.jsonl",
    "badlogic-pi-mono--htmlexport-738aa34c-fc1f.jsonl",
    "DaviRain-Su-pi-mono-zig--2026-05-17T13-51-26-739Z_019e3634-be13-7330-a2a4-ffab205872d1.jsonl",
];

/// Part of the reported saving by which the saving in the request may differ.
const TOLERANCE: f64 = 0.1;

/// Originals that Claude Code is made to ask for.
const ASKED: usize = 5;

/// Bytes of an original that surely fits one page of the recovery tool.
const ONE_PAGE: usize = 40_000;

#[tokio::test]
async fn claude_code_resumes_what_was_condensed() -> anyhow::Result<()> {
    let example = example("coding-session.claude-code.jsonl")?;
    resume_all(
        Agent::ClaudeCode,
        example,
        "claude-code",
        &CLAUDE_CODE_SESSIONS,
    )
    .await
}

#[tokio::test]
async fn pi_resumes_and_exports_what_was_condensed() -> anyhow::Result<()> {
    let example = example("coding-session.pi.jsonl")?;
    resume_all(Agent::Pi, example, "pi", &PI_SESSIONS).await
}

/// Thinking of newer models is tied to everything before it, so `--resume` removes what stands
/// behind the first stub; the example is made one of such a model.
#[tokio::test]
async fn claude_code_resumes_without_thinking_that_would_be_rejected() -> anyhow::Result<()> {
    let example = String::from_utf8(example("coding-session.claude-code.jsonl")?)?;
    let example = example.replace("\"claude-opus-4-5-20251101\"", "\"claude-opus-5-5\"");
    let agents = match Agents::find() {
        Ok(agents) => agents,
        Err(why) => {
            say_skipped("Claude Code resumes without bound thinking", &why);
            return Ok(());
        }
    };
    let resumed = check_resume(&agents, Agent::ClaudeCode, example.as_bytes()).await?;
    let kept = thinking_before_and_behind_stubs(&resumed.after);
    ensure!(kept.1 == 0, "thinking is sent behind a stub: {kept:?}");
    ensure!(resumed.thinking_removed > 0, "no thinking was removed");
    Ok(())
}

/// Counts thinking blocks before the first stub of a request, and behind it.
fn thinking_before_and_behind_stubs(body: &Value) -> (usize, usize) {
    let messages = body["messages"].as_array().into_iter().flatten();
    let blocks = messages
        .filter_map(|message| message["content"].as_array())
        .flatten();
    let (mut count, mut seen) = ((0, 0), false);
    for block in blocks {
        let text = block["content"].as_str().unwrap_or_default();
        seen |= text.starts_with("[Summarized, ref `");
        match block["type"].as_str() {
            Some("thinking" | "redacted_thinking") if seen => count.1 += 1,
            Some("thinking" | "redacted_thinking") => count.0 += 1,
            _ => {}
        }
    }
    count
}

async fn resume_all(
    agent: Agent,
    example: Vec<u8>,
    folder: &str,
    names: &[&str],
) -> anyhow::Result<()> {
    let agents = match Agents::find() {
        Ok(agents) => agents,
        Err(why) => {
            say_skipped(&format!("{agent:?} resumes condensed sessions"), &why);
            return Ok(());
        }
    };
    let mut sessions = vec![("example", example)];
    if let Some(data) = shared_data() {
        for name in names {
            let path = data.join("transcripts").join(folder).join(name);
            let bytes = std::fs::read(&path);
            let bytes = bytes.with_context(|| format!("could not read {}", path.display()))?;
            sessions.push((name, bytes));
        }
    } else {
        say_skipped(
            &format!("{agent:?} resumes shared sessions"),
            "no shared data here",
        );
    }
    for (name, session) in sessions {
        let checked = check_resume(&agents, agent, &session).await;
        checked.with_context(|| format!("{agent:?}, {name}"))?;
    }
    Ok(())
}

/// A condensed session as its agent sent it.
struct Resumed {
    after: Value,
    thinking_removed: u64,
}

/// Resumes a session as it is and condensed, and compares what the agent sends.
async fn check_resume(agents: &Agents, agent: Agent, session: &[u8]) -> anyhow::Result<Resumed> {
    let before = first_request(agents, agent, session).await?;

    let home = Home::new()?;
    let condensed = Condensed::make(&home, agent, session)?;
    let endpoint = Endpoint::start([]).await?;
    agents
        .resume(agent, &home, &condensed.path, &endpoint, None)
        .await?;
    let after = only_request(&endpoint)?;

    let known = request_problems(&before);
    let new: Vec<String> = request_problems(&after)
        .into_iter()
        .filter(|problem| !known.contains(problem))
        .collect();
    ensure!(new.is_empty(), "the request is not valid: {new:#?}");

    let stubs = tool_results(&after)
        .iter()
        .filter(|result| ref_of_stub(result).is_some())
        .count();
    let originals = condensed.figure("/originals")?;
    ensure!(originals > 0, "nothing was condensed");
    ensure!(
        stubs as u64 == originals,
        "{stubs} stubs in the request, {originals} reported"
    );

    let promised = condensed.figure("/context/before")? - condensed.figure("/context/after")?;
    let saved = request_tokens(&before).saturating_sub(request_tokens(&after));
    let difference = saved.abs_diff(promised) as f64 / promised as f64;
    ensure!(
        difference <= TOLERANCE,
        "{saved} tokens saved, {promised} reported"
    );

    if agent == Agent::Pi {
        let page = agents.export_pi(&home, &condensed.path).await?;
        ensure!(page.contains("<html"), "pi --export wrote no page");
    }
    let thinking_removed = condensed.figure("/thinking_removed")?;
    home.remove()?;
    Ok(Resumed {
        after,
        thinking_removed,
    })
}

/// What the agent sends when it resumes this session as it is.
async fn first_request(agents: &Agents, agent: Agent, session: &[u8]) -> anyhow::Result<Value> {
    let home = Home::new()?;
    let path = home.place(agent, session)?;
    let endpoint = Endpoint::start([]).await?;
    agents.resume(agent, &home, &path, &endpoint, None).await?;
    home.remove()?;
    only_request(&endpoint)
}

fn only_request(endpoint: &Endpoint) -> anyhow::Result<Value> {
    let mut requests = endpoint.message_requests();
    ensure!(
        requests.len() == 1,
        "{} requests instead of one",
        requests.len()
    );
    Ok(requests.remove(0))
}

#[tokio::test]
async fn claude_code_gets_originals_back_over_mcp() -> anyhow::Result<()> {
    let agents = match Agents::find() {
        Ok(agents) => agents,
        Err(why) => {
            say_skipped("Claude Code recovers over MCP", &why);
            return Ok(());
        }
    };
    let session = example("coding-session.claude-code.jsonl")?;
    let before = first_request(&agents, Agent::ClaudeCode, &session).await?;
    let home = Home::new()?;
    let condensed = Condensed::make(&home, Agent::ClaudeCode, &session)?;

    // The stubs are read where the model reads them: in a request. The session is put back as it
    // was then, since Claude Code holds a resumed session to the tools of its first request.
    let fresh = std::fs::read(&condensed.path)?;
    let endpoint = Endpoint::start([]).await?;
    agents
        .resume(Agent::ClaudeCode, &home, &condensed.path, &endpoint, None)
        .await?;
    std::fs::write(&condensed.path, fresh)?;
    let wanted = originals_behind_stubs(&before, &only_request(&endpoint)?);
    ensure!(
        wanted.len() == ASKED,
        "only {} stubs to ask for",
        wanted.len()
    );

    let calls = wanted
        .iter()
        .enumerate()
        .map(|(index, (refs, _))| Answer::ToolCall {
            id: format!("toolu_ask_{index}"),
            name: RECOVERY_TOOL.to_owned(),
            input: json!({ "toolCallIds": refs }),
        });
    let endpoint = Endpoint::start(calls).await?;
    let server = condensed.server()?;
    agents
        .resume(
            Agent::ClaudeCode,
            &home,
            &condensed.path,
            &endpoint,
            Some(&server),
        )
        .await?;

    let requests = endpoint.message_requests();
    ensure!(requests.len() == ASKED + 1, "{} requests", requests.len());
    let offered = requests[0]["tools"].as_array().into_iter().flatten();
    let offered: Vec<&str> = offered.filter_map(|tool| tool["name"].as_str()).collect();
    ensure!(
        offered.contains(&RECOVERY_TOOL),
        "the tool is not offered: {offered:?}"
    );
    for (index, (refs, original)) in wanted.iter().enumerate() {
        let answer = named_call(&requests[index + 1], &format!("toolu_ask_{index}"))?;
        ensure!(
            answer.text.contains(&original.text),
            "{refs:?} did not bring back the result of {}: {}",
            original.id,
            answer.text
        );
    }
    home.remove()
}

/// Refs of stubs with the result that each stands for, the largest that fit a page first.
fn originals_behind_stubs(before: &Value, after: &Value) -> Vec<(Vec<String>, ToolResult)> {
    let stubs = tool_results(after);
    let refs = |id: &str| {
        let stub = stubs.iter().find(|result| result.id == id)?;
        ref_of_stub(stub)
    };
    let mut found: Vec<_> = tool_results(before)
        .into_iter()
        .filter(|original| original.text.len() <= ONE_PAGE)
        .filter_map(|original| Some((refs(&original.id)?, original)))
        .collect();
    found.sort_by_key(|(_, original)| std::cmp::Reverse(original.text.len()));
    found.truncate(ASKED);
    found
}
