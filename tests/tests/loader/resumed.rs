//! One run of `epitome condense --resume`, and everything that must be true of what it wrote.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use epitome_tests::command::{Run, Sandbox};
use epitome_tests::comparison::{Stub, compare};
use epitome_tests::loader::{Format, Loaded};
use serde_json::value::RawValue;

/// Condenses a session to resume it, and checks everything about the new one.
pub(crate) fn check_run(session: &[u8], options: &[&str]) -> anyhow::Result<Vec<Stub>> {
    let sandbox = Sandbox::new()?;
    let loaded = Loaded::new(session)?;
    // Without a working folder only the place of the source says where the new one goes.
    let place = match (loaded.folders().is_empty(), loaded.format) {
        (false, _) => "somewhere",
        (true, Format::ClaudeCode) => "claude/projects/-home-dev-work",
        (true, Format::Pi) => "pi/sessions/--home-dev-work--",
    };
    let source = sandbox.write(&format!("{place}/source.jsonl"), session)?;
    let arguments = [&["condense", "--resume", "--json"], options].concat();
    let mut command = sandbox.epitome();
    command.args(arguments).arg(&source);
    let report = Run::of(&mut command)?.json()?;
    let text = |key: &str| report[key].as_str().with_context(|| format!("no {key}"));

    let written = PathBuf::from(text("written")?);
    let output = std::fs::read(&written)?;
    let fresh = check_place(&written, &loaded, &source, &sandbox)?;
    check_command(text("resume")?, &written, &fresh, loaded.format)?;
    let stubs = compare(session, &output, &fresh)?;
    let originals = report["originals"].as_u64().unwrap_or_default();
    // Copies of one line share an original.
    let calls: BTreeSet<_> = stubs
        .iter()
        .map(|stub| (&stub.reference, &stub.call, &stub.raw))
        .collect();
    ensure!(
        calls.len() as u64 <= originals && originals <= stubs.len() as u64,
        "{} stubs, {originals} originals reported",
        stubs.len()
    );
    check_recovery(&stubs, &sandbox)?;
    ensure!(std::fs::read(&source)? == session, "the source changed");
    Ok(stubs)
}

/// The file stands where its agent looks, under a name that the agent accepts; returns its id.
fn check_place(
    written: &Path,
    source: &Loaded,
    source_path: &Path,
    sandbox: &Sandbox,
) -> anyhow::Result<String> {
    let stem = written.file_stem().unwrap_or_default().to_string_lossy();
    let id = match source.format {
        Format::ClaudeCode => stem.as_ref(),
        Format::Pi => stem.rsplit_once('_').context("a name without a time")?.1,
    };
    let groups: Vec<usize> = id.split('-').map(str::len).collect();
    let is_hex = |c: char| c == '-' || c.is_ascii_digit() || ('a'..='f').contains(&c);
    ensure!(
        groups == [8, 4, 4, 4, 12] && id.chars().all(is_hex),
        "{id} is no UUID"
    );
    let folder = match source.folders().first() {
        None => source_path.parent().unwrap_or(source_path).to_owned(),
        Some(cwd) => session_folder(source.format, cwd, sandbox),
    };
    ensure!(
        written.parent() == Some(folder.as_path()),
        "{} does not stand in {}",
        written.display(),
        folder.display()
    );
    Ok(id.to_owned())
}

fn session_folder(format: Format, cwd: &str, sandbox: &Sandbox) -> PathBuf {
    let real = std::fs::canonicalize(cwd).unwrap_or_else(|_| PathBuf::from(cwd));
    let real = real.to_string_lossy();
    match format {
        Format::ClaudeCode => {
            let plain = |unit: u16| char::from_u32(unit.into()).filter(char::is_ascii_alphanumeric);
            let name = real.encode_utf16().map(|unit| plain(unit).unwrap_or('-'));
            sandbox
                .claude_config()
                .join("projects")
                .join(name.collect::<String>())
        }
        Format::Pi => {
            let inner = real.trim_start_matches('/').replace(['/', '\\', ':'], "-");
            sandbox
                .pi_agent()
                .join("sessions")
                .join(format!("--{inner}--"))
        }
    }
}

/// The command names the new session in a way that its agent understands.
fn check_command(command: &str, written: &Path, id: &str, format: Format) -> anyhow::Result<()> {
    let path = written.to_string_lossy();
    let names_path = command.ends_with(path.as_ref()) || command.ends_with(&format!("'{path}'"));
    let (agent, by_id) = match format {
        Format::ClaudeCode => (
            "claude --resume ",
            command.ends_with(&format!(" --resume {id}")),
        ),
        Format::Pi => ("pi --session ", false),
    };
    ensure!(command.contains(agent), "{command} does not run the agent");
    // By its id a session is looked for in the folder of the working folder only.
    ensure!(
        names_path || by_id && command.starts_with("cd "),
        "{command} does not find {path}"
    );
    Ok(())
}

/// Every stub brings back the raw content that stood in its place.
fn check_recovery(stubs: &[Stub], sandbox: &Sandbox) -> anyhow::Result<()> {
    let Some(first) = stubs.first() else {
        return Ok(());
    };
    let references: BTreeSet<&str> = stubs.iter().map(|stub| stub.reference.as_str()).collect();
    let arguments = ["recover", "--raw", "--json"].into_iter().chain(references);
    let output = sandbox.run(arguments)?.done()?;
    let entries: Vec<BTreeMap<String, &RawValue>> = serde_json::from_slice(&output)?;
    let is = |entry: &BTreeMap<String, &RawValue>, key: &str, expected: &str| {
        let text = entry
            .get(key)
            .map(|raw| serde_json::from_str::<String>(raw.get()));
        matches!(text, Some(Ok(text)) if text == expected)
    };
    for stub in stubs {
        let found = entries.iter().any(|entry| {
            is(entry, "ref", &stub.reference)
                && is(entry, "provider_id", &stub.call)
                && entry.get("raw").is_some_and(|raw| raw.get() == stub.raw)
        });
        ensure!(
            found,
            "{} does not bring back {}",
            stub.reference,
            stub.call
        );
    }
    let shared = stubs
        .iter()
        .filter(|stub| stub.reference == first.reference);
    if shared.count() == 1 {
        let plain = sandbox
            .run(["recover", &first.reference, "--raw"])?
            .done()?;
        ensure!(
            plain == first.raw.as_bytes(),
            "{} is not raw",
            first.reference
        );
    }
    Ok(())
}
