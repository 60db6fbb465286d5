//! Whole processes: peak memory, start-up, binary size.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use epitome_condenser::files::read_source;
use epitome_index::SqliteStore;

use super::say;
use super::session::condense_one;
use crate::example::{self, Format};

/// Peak memory may be this many times the file, plus [`GOAL_BASE`].
const GOAL_PEAK: f64 = 2.2;

/// Bytes of peak memory beside the multiple of the file.
const GOAL_BASE: f64 = 32e6;

/// Start-up may take this many times `/bin/true`.
const GOAL_START_UP: f64 = 6.0;

const START_UPS: usize = 40;

/// Condenses one large session in a process of its own.
pub(super) fn measure_peak(bytes: usize) -> Result<()> {
    let folder = tempfile::tempdir()?;
    for format in [Format::Pi, Format::ClaudeCode] {
        let session = folder.path().join("session.jsonl");
        fs::write(&session, example::generate_session(format, 99, bytes))?;
        let output = Command::new(std::env::current_exe()?)
            .args(["bench", "peak"])
            .arg(&session)
            .arg(folder.path().join(format!("{format:?}.db")))
            .stderr(Stdio::inherit())
            .output()?;
        ensure!(output.status.success(), "the measured process failed");
        let peak: f64 = String::from_utf8(output.stdout)?.trim().parse()?;
        let size = fs::metadata(&session)?.len() as f64;
        say(&format!(
            "peak memory, one {format:?} session of {:.0} MB: {:.0} MB = {:.2}x the file + 32 MB  goal {GOAL_PEAK:.1}x",
            size / 1e6,
            peak / 1e6,
            (peak - GOAL_BASE) / size,
        ));
    }
    Ok(())
}

/// Condenses a session and prints this process's peak memory in bytes.
pub(super) fn print_peak(session: &Path, store: &Path) -> Result<()> {
    let source = read_source(session)?;
    let store = SqliteStore::open(store)?;
    condense_one(
        &source.bytes,
        &store,
        epitome_condenser::Persistence::Commit,
    )?;
    let status =
        fs::read_to_string("/proc/self/status").context("peak memory is read on Linux only")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: u64 = line
        .and_then(|line| line.trim().strip_suffix(" kB"))
        .and_then(|number| number.parse().ok())
        .context("the system does not say the peak memory")?;
    say(&(kilobytes * 1024).to_string());
    Ok(())
}

/// Starts the binary on an existing store, in turns with `/bin/true`.
pub(super) fn measure_start_up() -> Result<()> {
    let binary = binary()?;
    let folder = tempfile::tempdir()?;
    let store = folder.path().join("bench.db");
    let session = example::generate_session(Format::Pi, 7, 500_000);
    condense_one(
        &session,
        &SqliteStore::open(&store)?,
        epitome_condenser::Persistence::Commit,
    )?;
    let (mut ours, mut floor) = (Vec::new(), Vec::new());
    for _ in 0..START_UPS {
        floor.push(time(Command::new("/bin/true"))?);
        let mut command = Command::new(&binary);
        command.arg("--store").arg(&store).arg("sessions");
        ours.push(time(command)?);
    }
    let (ours, floor) = (median(ours), median(floor));
    say(&format!(
        "start-up on an existing store: {:.2} ms, /bin/true {:.2} ms, {:.1}x  goal {GOAL_START_UP:.1}x",
        ours.as_secs_f64() * 1e3,
        floor.as_secs_f64() * 1e3,
        ours.as_secs_f64() / floor.as_secs_f64(),
    ));
    say(&format!(
        "binary: {:.1} MB",
        fs::metadata(&binary)?.len() as f64 / 1e6
    ));
    Ok(())
}

/// The release binary, built if need be.
fn binary() -> Result<PathBuf> {
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "--package", "epitome-cli"])
        .status()?;
    ensure!(status.success(), "could not build the binary");
    let folder = std::env::current_exe()?;
    let target = folder
        .ancestors()
        .nth(2)
        .context("this binary stands in no target folder")?;
    Ok(target.join("release").join("epitome"))
}

fn time(mut command: Command) -> Result<Duration> {
    let start = Instant::now();
    let status = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    ensure!(status.success(), "a measured command failed");
    Ok(start.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
