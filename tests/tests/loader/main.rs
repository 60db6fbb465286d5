//! Every session that `epitome condense --resume` writes is loaded by an independent loader and
//! held against its source.
//!
//! The loader is written from the wire specification, part 2; shared sessions are tried where they
//! are at hand.

mod claude_code;
mod pi;
mod random;
mod real;
mod resumed;

use anyhow::{Context as _, bail, ensure};
use epitome_tests::fixtures::{ClaudeCode, Pi};
use epitome_tests::loader::Loaded;
use epitome_tests::sessions::{example, shared_data};
use epitome_tests::skip::say_skipped;

use resumed::check_run;

/// Options of the runs over every session.
const RUNS: [&[&str]; 2] = [&[], &["--all", "--min-batch-chars", "0"]];

#[test]
fn examples_load_as_their_sources_do() -> anyhow::Result<()> {
    let claude_code = check_runs(&example("coding-session.claude-code.jsonl")?)?;
    let pi = check_runs(&example("coding-session.pi.jsonl")?)?;
    ensure!(
        claude_code.iter().chain(&pi).all(|stubs| *stubs >= 20),
        "few stubs: {claude_code:?}, {pi:?}"
    );
    Ok(())
}

#[test]
fn shared_claude_code_sessions_load_as_their_sources_do() -> anyhow::Result<()> {
    check_folder("claude-code")
}

#[test]
fn shared_pi_sessions_load_as_their_sources_do() -> anyhow::Result<()> {
    check_folder("pi")
}

fn check_folder(folder: &str) -> anyhow::Result<()> {
    let Some(data) = shared_data() else {
        say_skipped(&format!("shared {folder} sessions"), "no shared data here");
        return Ok(());
    };
    let mut stubs = [0, 0];
    let mut files = 0;
    for entry in std::fs::read_dir(data.join("transcripts").join(folder))? {
        let path = entry?.path();
        let found = check_runs(&std::fs::read(&path)?);
        let found = found.with_context(|| path.display().to_string())?;
        stubs = [stubs[0] + found[0], stubs[1] + found[1]];
        files += 1;
    }
    ensure!(
        files > 0 && stubs[1] >= stubs[0],
        "{files} files, {stubs:?}"
    );
    Ok(())
}

/// Numbers of stubs in the runs over a session.
fn check_runs(session: &[u8]) -> anyhow::Result<[usize; 2]> {
    let mut stubs = [0, 0];
    for (found, options) in stubs.iter_mut().zip(RUNS) {
        let run = check_run(session, options);
        *found = run.with_context(|| format!("options {options:?}"))?.len();
    }
    Ok(stubs)
}

/// Checks a session of our own and that it gets this many stubs when all of it is condensed.
pub(crate) fn check(name: &str, session: &[u8], expected: usize) {
    let found = check_runs(session).unwrap_or_else(|error| panic!("{name}: {error:#}"));
    assert_eq!(found[1], expected, "{name}");
}

#[test]
fn sessions_go_where_a_real_folder_says() -> anyhow::Result<()> {
    let work = tempfile::tempdir()?;
    let real = work.path().canonicalize()?.join("my work_ä.😀");
    std::fs::create_dir(&real)?;
    let mut folders = vec![real.clone()];
    #[cfg(unix)]
    {
        let link = work.path().join("link");
        std::os::unix::fs::symlink(&real, &link)?;
        folders.push(link);
    }
    for folder in folders {
        let cwd = folder.to_str().context("the folder has a name")?;
        let mut session = ClaudeCode::new(cwd);
        session.user("Begin.");
        session.step("toolu_a");
        session.says("msg_last", "Done.");
        check("claude code", &session.bytes(), 1);
        let mut session = Pi::new(3, cwd);
        session.user("Begin.");
        session.step(&["call_a"]);
        session.says("Done.");
        check("pi", &session.bytes(), 1);
    }
    Ok(())
}

#[test]
fn the_loader_tells_sessions_from_other_files() -> anyhow::Result<()> {
    for other in ["", "\n", "{\"a\":1}\n", "[1]\n"] {
        if Loaded::new(other.as_bytes()).is_ok() {
            bail!("{other:?} was loaded");
        }
    }
    Ok(())
}
