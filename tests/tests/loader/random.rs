//! Sessions that grow in random ways: whatever an agent makes of them, it makes of their condensed
//! form too.
//!
//! `EPITOME_TEST_SEED` adds a session of that seed to the fixed ones.

use epitome_tests::fixtures::{ClaudeCode, Pi, long_text};
use epitome_tests::random::Random;
use serde_json::{Value, json};

use crate::check_runs;

/// Sessions of each agent.
const SESSIONS: u64 = 24;

/// Things that happen in a session.
const EVENTS: u64 = 14;

#[test]
fn random_claude_code_sessions_stay_whole() {
    check_seeds(claude_code);
}

#[test]
fn random_pi_sessions_stay_whole() {
    check_seeds(pi);
}

fn check_seeds(write: fn(&mut Random) -> Vec<u8>) {
    let named = std::env::var("EPITOME_TEST_SEED").ok();
    let named = named.and_then(|seed| seed.parse().ok());
    for seed in (0..SESSIONS).chain(named) {
        let session = write(&mut Random::new(seed));
        let found = check_runs(&session);
        if let Err(error) = found {
            panic!("EPITOME_TEST_SEED={seed}: {error:#}");
        }
    }
}

pub(crate) fn claude_code(random: &mut Random) -> Vec<u8> {
    let mut session = ClaudeCode::new("/home/dev/random");
    if random.below(3) == 0 {
        session.model = "claude-opus-5-5";
    }
    session.user("Begin.");
    for event in 0..EVENTS {
        let id = format!("toolu_{}", random.below(2 * EVENTS));
        let response = format!("msg_{event}");
        let text = long_text(random.below(6), 1 + random.below(60) as usize);
        match random.below(17) {
            0..4 => session.step(&id),
            4 => drop(session.user("Go on.")),
            5 => drop(session.says(&response, "I see.")),
            6..8 => parallel_calls(&mut session, &response, random),
            8 => {
                let think =
                    json!({ "type": "thinking", "thinking": response, "signature": "c2ln" });
                session.block(&response, &think);
                session.call(&response, &id);
                session.result(&id, &text);
            }
            9 => drop(session.call(&response, &id)),
            10 => drop(session.result(&id, &text)),
            11 => {
                // Back to an earlier line.
                let place = random.below(session.lines.len() as u64) as usize;
                let uuid = session.lines[place]["uuid"].as_str();
                session.leaf = uuid.map(str::to_owned).or(session.leaf);
            }
            12 => {
                let data = json!({ "data": { "type": "hook_progress" } });
                session.line("progress", data);
            }
            13 => drop(session.line("attachment", json!({ "attachment": { "type": "todo" } }))),
            14 => {
                let place = random.below(session.lines.len() as u64) as usize;
                let copy = session.lines[place].clone();
                session.lines.push(copy);
            }
            15 => session.leaf = Some("5e551000-0000-4000-8000-00000000dead".to_owned()),
            _ => {
                let place = random.below(session.lines.len() as u64) as usize;
                let leaf = session.lines[place]["uuid"].clone();
                let explicit = random.below(2) == 0;
                let line = json!({ "type": "last-prompt", "leafUuid": leaf, "explicit": explicit });
                session.lines.push(line);
            }
        }
    }
    if random.below(2) == 0 {
        session.says("msg_end", "Done.");
    }
    session.bytes()
}

fn parallel_calls(session: &mut ClaudeCode, response: &str, random: &mut Random) {
    let count = 2 + random.below(3);
    let calls: Vec<_> = (0..count)
        .map(|number| {
            let id = format!("{response}_{number}");
            let line = session.call(response, &id);
            (id, line)
        })
        .collect();
    let end = session.leaf.clone();
    for (id, line) in calls {
        session.leaf = Some(line);
        session.result(&id, &long_text(random.below(6), 50));
    }
    if random.below(4) == 0 {
        // The session goes on behind the calls instead of behind a result.
        session.leaf = end;
    }
}

fn pi(random: &mut Random) -> Vec<u8> {
    let version = 1 + random.below(3);
    let mut session = Pi::new(version, "/home/dev/random");
    session.user("Begin.");
    for _ in 0..EVENTS {
        let id = format!("call_{}", random.below(2 * EVENTS));
        let text = long_text(random.below(6), 1 + random.below(60) as usize);
        let call = json!([{ "type": "toolCall", "id": id, "name": "read", "arguments": {} }]);
        match random.below(14) {
            0..4 => session.step(&[&id]),
            4 => session.step(&[&id, &format!("{id}|fc_2")]),
            5 => drop(session.user("Go on.")),
            6 => drop(session.says("I see.")),
            7 => drop(session.assistant(&call, "toolUse")),
            8 => drop(session.result(&id, &text)),
            9 => {
                session.assistant(&call, "error");
                session.result(&id, &text);
            }
            10 => {
                let place = random.below(session.lines.len() as u64) as usize;
                let id = session.lines[place]["id"].as_str();
                session.leaf = id.filter(|_| place > 0).map(str::to_owned).or(session.leaf);
            }
            11 => drop(session.entry("compaction", compaction(&session, random))),
            12 => session.leaf = Some("0000dead".to_owned()),
            _ => {
                let note =
                    json!({ "customType": "note", "content": "Mind this.", "display": true });
                session.entry("custom_message", note);
            }
        }
    }
    if random.below(2) == 0 {
        session.says("Done.");
    }
    session.bytes()
}

fn compaction(session: &Pi, random: &mut Random) -> Value {
    let place = random.below(session.lines.len() as u64) as usize;
    let id = &session.lines[place]["id"];
    if id.is_string() && place > 0 {
        json!({ "summary": "What was.", "firstKeptEntryId": id })
    } else {
        json!({ "summary": "What was.", "firstKeptEntryIndex": place })
    }
}
