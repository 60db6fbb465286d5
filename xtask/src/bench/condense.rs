//! Processor time of condensing, beside a bare parse of the same bytes.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use cpu_time::ThreadTime;
use epitome_condenser::Persistence;
use epitome_index::{MemoryStore, SqliteStore, Store};
use serde_json::Value;

use super::session::condense_one;
use super::{process, say};
use crate::example::{self, Format};

/// Bytes of one invented session.
const SESSION_BYTES: usize = 2_000_000;

/// Goals as ratios to the floor.
const GOAL_RENDER: f64 = 2.5;
const GOAL_WHOLE: f64 = 6.0;

pub(super) fn run(data: &Path, bytes: usize, runs: usize) -> Result<()> {
    let invented: Vec<Vec<u8>> = (0..bytes.div_ceil(SESSION_BYTES))
        .map(|seed| {
            let format = if seed % 2 == 0 {
                Format::Pi
            } else {
                Format::ClaudeCode
            };
            example::generate_session(format, seed as u64, SESSION_BYTES)
        })
        .collect();
    measure("invented sessions", &invented, runs)?;
    let shared = shared_sessions(data)?;
    if shared.is_empty() {
        say(&format!(
            "shared sessions: skipped, none in {}",
            data.display()
        ));
    } else {
        measure("shared sessions", &shared, runs)?;
    }
    process::measure_peak(bytes)?;
    process::measure_start_up()
}

fn shared_sessions(data: &Path) -> Result<Vec<Vec<u8>>> {
    let mut sessions = Vec::new();
    for format in ["pi", "claude-code"] {
        let Ok(entries) = fs::read_dir(data.join("transcripts").join(format)) else {
            continue;
        };
        for entry in entries {
            let path = entry?.path();
            sessions.push(
                fs::read(&path).with_context(|| format!("could not read {}", path.display()))?,
            );
        }
    }
    Ok(sessions)
}

fn measure(title: &str, sessions: &[Vec<u8>], runs: usize) -> Result<()> {
    let megabytes = sessions.iter().map(Vec::len).sum::<usize>() as f64 / 1e6;
    let floor = least(runs, || {
        bare_parse(sessions);
        Ok(())
    })?;
    let rendered = least(runs, || {
        condense_all(sessions, &MemoryStore::new(), Persistence::DryRun)
    })?;
    let whole = least(runs, || {
        let folder = tempfile::tempdir()?;
        let store = SqliteStore::open(folder.path().join("bench.db"))?;
        condense_all(sessions, &store, Persistence::Commit)
    })?;
    say(&format!(
        "{title}: {megabytes:.1} MB in {} files, one thread, processor time",
        sessions.len()
    ));
    let row = |name: &str, time: Duration, goal: Option<f64>| {
        let seconds = time.as_secs_f64();
        let goal = goal.map_or(String::new(), |goal| format!("  goal {goal:.1}x"));
        say(&format!(
            "  {name:<44}{:>8.0} ms{:>8.0} MB/s{:>7.2}x{goal}",
            seconds * 1e3,
            megabytes / seconds,
            seconds / floor.as_secs_f64(),
        ));
    };
    row("bare parse to Value", floor, None);
    row(
        "parse, extract, plan, render, validate",
        rendered,
        Some(GOAL_RENDER),
    );
    row("whole condense into SQLite", whole, Some(GOAL_WHOLE));
    Ok(())
}

/// The least processor time of several runs.
fn least(runs: usize, mut work: impl FnMut() -> Result<()>) -> Result<Duration> {
    let mut least = Duration::MAX;
    for _ in 0..runs.max(1) {
        let start = ThreadTime::now();
        work()?;
        least = least.min(start.elapsed());
    }
    Ok(least)
}

fn bare_parse(sessions: &[Vec<u8>]) {
    for session in sessions {
        for line in session
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            // Some shared sessions hold broken lines; they cost what they cost.
            black_box(serde_json::from_slice::<Value>(line).ok());
        }
    }
}

fn condense_all(sessions: &[Vec<u8>], store: &dyn Store, persistence: Persistence) -> Result<()> {
    for session in sessions {
        condense_one(session, store, persistence)?;
    }
    Ok(())
}
