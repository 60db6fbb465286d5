//! A condense that is killed at any moment leaves nothing broken behind.
//!
//! The moments are spread over the whole run and drawn from a seed; `EPITOME_TEST_SEED` repeats a
//! seed that a failing run printed.
#![cfg(unix)]

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, ensure};
use epitome_index::model::StoredFate;
use epitome_index::{SqliteStore, Store as _};
use epitome_tests::command::{Run, Sandbox};
use epitome_tests::fixtures::large_session;
use epitome_tests::random::Random;

/// Runs that are killed.
const KILLS: u32 = 30;

/// Times that a kill which came too late is tried again, each a fifth earlier.
const TRIES: u32 = 8;

/// Steps of the session, and lines of each result.
const SESSION: (u64, usize) = (150, 120);

const SIGKILL: i32 = 9;

#[test]
fn killed_runs_leave_a_sound_store_and_no_half_output() -> anyhow::Result<()> {
    let seed = seed();
    println!("EPITOME_TEST_SEED={seed}");
    let mut random = Random::new(seed);
    let (steps, lines) = SESSION;
    let session = large_session("/home/dev/large", 7, steps, lines);
    let (expected, whole_run) = undisturbed(&session)?;
    println!("{} bytes, {whole_run:?} a run", session.len());
    let mut flushed = 0;
    for number in 0..KILLS {
        let share = (f64::from(number) + random.fraction()) / f64::from(KILLS);
        let mut moment = whole_run.mul_f64(share);
        let mut refs = None;
        for _ in 0..TRIES {
            let killed = kill_one(&session, &expected, moment);
            refs = killed.with_context(|| format!("seed {seed}, killed after {moment:?}"))?;
            if refs.is_some() {
                break;
            }
            moment = moment.mul_f64(0.8);
        }
        let refs = refs.with_context(|| format!("seed {seed}: run {number} was never hit"))?;
        flushed += u32::from(refs > 0);
    }
    println!("{KILLS} runs were killed, {flushed} of them with refs in the store");
    ensure!(flushed > 0, "no kill came after a flush: seed {seed}");
    Ok(())
}

fn seed() -> u64 {
    let named = std::env::var("EPITOME_TEST_SEED").ok();
    named.and_then(|seed| seed.parse().ok()).unwrap_or_else(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0, |since| u64::from(since.subsec_nanos()))
    })
}

/// What an undisturbed run writes and how long it takes; the second of two runs is measured.
fn undisturbed(session: &[u8]) -> anyhow::Result<(Vec<u8>, Duration)> {
    let mut measured = None;
    for _ in 0..2 {
        let sandbox = Sandbox::new()?;
        sandbox.write("s.jsonl", session)?;
        let begin = Instant::now();
        Run::of(&mut condense(&sandbox))?.done()?;
        measured = Some((std::fs::read(sandbox.path(OUTPUT))?, begin.elapsed()));
    }
    measured.context("it ran twice")
}

const OUTPUT: &str = "s.condensed.jsonl";

fn condense(sandbox: &Sandbox) -> Command {
    let mut command = sandbox.epitome();
    command.args(["condense", "--quiet", "s.jsonl"]);
    command
}

/// Kills a run at a moment, checks what it left and runs it again. Returns how many calls the store
/// held; none where the run had ended before.
fn kill_one(session: &[u8], expected: &[u8], moment: Duration) -> anyhow::Result<Option<usize>> {
    let sandbox = Sandbox::new()?;
    let source = sandbox.write("s.jsonl", session)?;
    let mut child = condense(&sandbox)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    std::thread::sleep(moment);
    child.kill()?;
    let was_hit = child.wait()?.signal() == Some(SIGKILL);

    let output = sandbox.path(OUTPUT);
    if output.exists() {
        ensure!(std::fs::read(&output)? == expected, "a half-written output");
        std::fs::remove_file(&output)?;
    }
    let refs = check_store(&sandbox.store())?;
    sandbox.run(["doctor", "--quiet"])?.done()?;

    Run::of(&mut condense(&sandbox))?
        .done()
        .context("the next run")?;
    ensure!(
        std::fs::read(&output)? == expected,
        "the next run writes another output"
    );
    ensure!(
        check_store(&sandbox.store())? >= refs,
        "the next run lost refs"
    );
    ensure!(std::fs::read(&source)? == session, "the source changed");
    Ok(was_hit.then_some(refs))
}

/// The store is sound and every ref in it has its originals; returns how many there are.
fn check_store(path: &Path) -> anyhow::Result<usize> {
    if !path.exists() {
        return Ok(0);
    }
    let store = SqliteStore::open(path)?;
    let check = store.check()?;
    ensure!(check.problems.is_empty(), "{:?}", check.problems);
    let mut refs = 0;
    for summary in store.conversations(None, usize::MAX)? {
        for call in store.calls(&summary.conversation.id)? {
            if let StoredFate::Kept { args, result, .. } = &call.fate {
                store.original(args)?;
                store.original(result)?;
                refs += 1;
            }
        }
    }
    Ok(refs)
}
