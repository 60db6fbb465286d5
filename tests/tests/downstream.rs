//! A program outside the workspace builds on `epitome-core` alone, and runs.

use std::path::Path;

use anyhow::Context as _;
use epitome_tests::binaries::{epitome, workspace};
use epitome_tests::command::{Run, Sandbox};

const PROGRAM: &str = r#"
//! Shortens the results of a session with texts of its own.

use std::collections::HashMap;

use epitome_core::condense::{Condensed, Extent, plan_edits, replay};
use epitome_core::edit::{apply, normalize};
use epitome_core::id::ShortRef;
use epitome_core::transcript::{Call, decode_content};
use epitome_core::{stub, wire};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("no session is named")?;
    let source = std::fs::read(path)?;
    let transcript = wire::read(&source)?;
    let plan = replay(&transcript, Extent::Context, 0);
    let turns = plan.flushes.iter().flat_map(|flush| &flush.turns);
    let calls = turns.flat_map(|turn| turn.calls.iter().copied());
    let condensed: HashMap<usize, Condensed> = calls
        .map(|call| (call, condense(&source, &transcript.calls[call])))
        .collect();
    let count = condensed.len();
    let edits = normalize(&source, plan_edits(&source, &transcript, condensed));
    let output = apply(&source, &edits);
    let after = wire::read(&output.bytes)?;
    let new = wire::new_violations(&transcript.violations, &after.violations);
    println!("{}: {} calls, {} new violations", transcript.format, count, new.len());
    println!("shorter: {}", output.bytes.len() < source.len() / 2);
    Ok(())
}

fn condense(source: &[u8], call: &Call) -> Condensed {
    let content = call.results.first().and_then(|result| result.content.clone());
    let content = content.and_then(|span| std::str::from_utf8(&source[span]).ok());
    let stub = format!("(the result of {} was here)", call.tool);
    let replacement = stub::encode(&stub, &decode_content(content));
    Condensed { short: ShortRef::FIRST, replacement }
}
"#;

#[test]
fn a_program_of_its_own_uses_core_alone() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let core = workspace().join("crates/core");
    let manifest = format!(
        "[package]\nname = \"downstream\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [workspace]\n\n\
         [dependencies]\nepitome-core = {{ path = {core:?} }}\n\n\
         [profile.dev]\ndebug = false\n"
    );
    sandbox.write("downstream/Cargo.toml", manifest.as_bytes())?;
    sandbox.write("downstream/src/main.rs", PROGRAM.as_bytes())?;
    let lock = std::fs::read(workspace().join("Cargo.lock"))?;
    sandbox.write("downstream/Cargo.lock", &lock)?;

    // Beside the other builds, so that the next run finds the dependencies built.
    let binary = epitome()?;
    let target = binary.parent().and_then(Path::parent);
    let target = target
        .context("the binary stands in a target folder")?
        .join("downstream");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = std::process::Command::new(cargo);
    build
        .args(["build", "--offline", "--quiet"])
        .current_dir(sandbox.path("downstream"))
        .env("CARGO_TARGET_DIR", &target);
    Run::of(&mut build)?.done()?;

    let check = |session: &str, expected: &str| -> anyhow::Result<()> {
        let mut program = sandbox.program(target.join("debug/downstream"));
        program.arg(workspace().join("examples").join(session));
        let printed = String::from_utf8(Run::of(&mut program)?.done()?)?;
        assert_eq!(printed, format!("{expected}\nshorter: true\n"));
        Ok(())
    };
    check(
        "coding-session.claude-code.jsonl",
        "claude code: 108 calls, 0 new violations",
    )?;
    check(
        "coding-session.pi.jsonl",
        "pi v3: 108 calls, 0 new violations",
    )
}
