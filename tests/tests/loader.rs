//! Every session that `epitome condense --resume` writes is loaded by an independent loader and
//! held against its source.
//!
//! The loader is written from the wire specification, part 2; shared sessions are tried where they
//! are at hand.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use epitome_tests::command::Sandbox;
use epitome_tests::comparison::{Stub, compare};
use epitome_tests::fixtures::{ClaudeCode, Pi, long_text};
use epitome_tests::loader::{Format, Loaded};
use epitome_tests::sessions::{example, shared_data};
use epitome_tests::skip::say_skipped;
use serde_json::value::RawValue;
use serde_json::{Value, json};

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
    println!(
        "{folder}: {files} files, {} and {} stubs",
        stubs[0], stubs[1]
    );
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

/// Condenses a session to resume it, and checks everything about the new one.
fn check_run(session: &[u8], options: &[&str]) -> anyhow::Result<Vec<Stub>> {
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
    let report = epitome_tests::command::Run::of(&mut command)?.json()?;
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

/// Checks a session of our own and that it gets this many stubs when all of it is condensed.
fn check(name: &str, session: &[u8], expected: usize) {
    let found = check_runs(session).unwrap_or_else(|error| panic!("{name}: {error:#}"));
    assert_eq!(found[1], expected, "{name}");
}

#[test]
fn claude_code_trees_of_every_kind_stay_whole() {
    let cwd = "/home/dev/a_b.c";
    let check_session = |name: &str, expected: usize, write: &dyn Fn(&mut ClaudeCode)| {
        let mut session = ClaudeCode::new(cwd);
        session.user("Begin.");
        write(&mut session);
        session.says("msg_last", "Done.");
        check(name, &session.bytes(), expected);
    };
    check_session("one call", 1, &|session| session.step("toolu_a"));
    check_session("parallel calls", 3, &|session| {
        let calls = ["toolu_a", "toolu_b", "toolu_c"].map(|id| (id, session.call("msg_p", id)));
        for (seed, (id, line)) in calls.into_iter().enumerate() {
            session.leaf = Some(line);
            session.result(id, &long_text(seed as u64, 50));
        }
    });
    check_session("a compaction", 1, &|session| {
        session.step("toolu_lost");
        session.leaf = None;
        session.line(
            "system",
            json!({ "subtype": "compact_boundary", "content": "Compacted" }),
        );
        let message = json!({ "role": "user", "content": "This session goes on." });
        session.line(
            "user",
            json!({ "message": message, "isCompactSummary": true }),
        );
        session.step("toolu_kept");
    });
    check_session("a new root in between", 1, &|session| {
        session.step("toolu_lost");
        session.leaf = None;
        session.user("Begin again.");
        session.step("toolu_kept");
    });
    check_session(
        "progress, attachments and notes on the way",
        2,
        &|session| {
            session.step("toolu_a");
            session.line("progress", json!({ "data": { "type": "hook_progress" } }));
            session.line("attachment", json!({ "attachment": { "type": "todo" } }));
            session.line(
                "system",
                json!({ "subtype": "turn_duration", "content": "" }),
            );
            session.step("toolu_b");
        },
    );
    check_session("a dead branch", 1, &|session| {
        let fork = session.leaf.clone();
        session.step("toolu_dead");
        session.leaf = fork;
        session.user("Another way.");
        session.step("toolu_live");
    });
    check_session("a missing parent, near", 2, &|session| {
        session.step("toolu_a");
        session.leaf = Some("5e551000-0000-4000-8000-00000000dead".to_owned());
        session.step("toolu_b");
    });
    check_session("a side chain in the file", 1, &|session| {
        session.step("toolu_a");
        let leaf = session.leaf.clone();
        session.step("toolu_side");
        for line in session.lines.iter_mut().rev().take(2) {
            line["isSidechain"] = true.into();
        }
        session.leaf = leaf;
    });
    check_session("copies of a line", 2, &|session| {
        session.step("toolu_a");
        let copy = session.lines.last().cloned().unwrap_or_default();
        session.lines.push(copy);
    });
    check_session("unknown lines and fields", 1, &|session| {
        session
            .lines
            .push(json!({ "type": "from-the-future", "sessionId": "x", "n": [1.0, 1e20] }));
        session.step("toolu_a");
        session
            .lines
            .push(json!({ "type": "summary", "summary": "A title", "leafUuid": "elsewhere" }));
    });
}

#[test]
fn claude_code_leaves_are_found() {
    let mut session = ClaudeCode::new("/home/dev/leaf");
    session.user("Begin.");
    session.step("toolu_a");
    let left = session.says("msg_left", "One way.");
    session.leaf = session.lines[0]["uuid"].as_str().map(str::to_owned);
    session.step("toolu_b");
    session.says("msg_right", "Another way.");
    check("the last line", &session.bytes(), 1);
    let prompt = |more: Value| {
        let mut lines = session.lines.clone();
        let mut line = json!({ "type": "last-prompt", "leafUuid": left, "lastPrompt": "x" });
        if let (Value::Object(line), Value::Object(more)) = (&mut line, more) {
            line.extend(more);
        }
        lines.push(line);
        let mut chosen = ClaudeCode::new("/home/dev/leaf");
        chosen.lines = lines;
        chosen.bytes()
    };
    check("a prompt elsewhere", &prompt(json!({})), 1);
    check("a chosen prompt", &prompt(json!({ "explicit": true })), 1);
    check(
        "an unknown prompt",
        &prompt(json!({ "leafUuid": "nobody" })),
        1,
    );
}

#[test]
fn claude_code_calls_that_do_not_add_up_are_mended_alike() {
    let write = |change: &dyn Fn(&mut ClaudeCode)| {
        let mut session = ClaudeCode::new("/home/dev/odd");
        session.user("Begin.");
        session.step("toolu_a");
        change(&mut session);
        session.user("Go on.");
        session.step("toolu_z");
        session.says("msg_last", "Done.");
        session.bytes()
    };
    let long = long_text(5, 50);
    let unanswered = write(&|session| drop(session.call("msg_b", "toolu_b")));
    check("a call without a result", &unanswered, 2);
    let orphan = write(&|session| drop(session.result("toolu_nobody", &long)));
    check("a result without a call", &orphan, 2);
    let second = write(&|session| drop(session.result("toolu_a", &long)));
    check("a second result", &second, 2);
    let open = write(&|session| {
        session.user("And now?");
        session.call("msg_b", "toolu_b");
    });
    check("an open call in between", &open, 2);
}

#[test]
fn thinking_goes_by_the_model() -> anyhow::Result<()> {
    let write = |model: &'static str| {
        let mut session = ClaudeCode::new("/home/dev/thinking");
        session.model = model;
        let think = |number: usize| json!({ "type": "thinking", "thinking": format!("idea {number}"), "signature": "c2ln" });
        session.user("Begin.");
        for (number, id) in ["toolu_a", "toolu_b", "toolu_c"].into_iter().enumerate() {
            session.block(&format!("msg_{id}"), think(number));
            session.step(id);
        }
        session.block("msg_alone", think(9));
        session.user("Go on.");
        session.says("msg_last", "Done.");
        session.bytes()
    };
    let blocks = |model: &'static str| -> anyhow::Result<u64> {
        let sandbox = Sandbox::new()?;
        sandbox.write("s.jsonl", &write(model))?;
        let report = sandbox
            .run(["condense", "--resume", "--json", "s.jsonl"])?
            .json()?;
        report["thinking_removed"].as_u64().context("no count")
    };
    check("thinking that is bound", &write("claude-opus-5-5"), 3);
    check(
        "thinking that is free",
        &write("claude-sonnet-4-5-20250929"),
        3,
    );
    assert_eq!(blocks("claude-opus-5-5")?, 2);
    assert_eq!(blocks("claude-sonnet-4-5-20250929")?, 0);
    Ok(())
}

#[test]
fn pi_sessions_of_every_version_stay_whole() {
    for version in 1..=3 {
        let check_session = |name: &str, expected: usize, write: &dyn Fn(&mut Pi)| {
            let mut session = Pi::new(version, "/home/dev/a_b.c");
            session.user("Begin.");
            write(&mut session);
            session.says("Done.");
            check(
                &format!("{name}, version {version}"),
                &session.bytes(),
                expected,
            );
        };
        check_session("one call", 1, &|session| session.step(&["call_a"]));
        check_session("parallel calls", 2, &|session| {
            session.step(&["call_a|fc_1", "call_b|fc_2"])
        });
        check_session("a compaction", 2, &|session| {
            session.step(&["call_lost"]);
            let kept = session.user("Go on.");
            let index = session.lines.len() - 1;
            session.step(&["call_kept"]);
            let first = if version == 1 {
                json!({ "firstKeptEntryIndex": index })
            } else {
                json!({ "firstKeptEntryId": kept })
            };
            let mut compaction = json!({ "summary": "What was.", "tokensBefore": 9 });
            if let (Value::Object(compaction), Value::Object(first)) = (&mut compaction, first) {
                compaction.extend(first);
            }
            session.entry("compaction", compaction);
            session.step(&["call_new"]);
        });
        check_session("entries that are not sent", 1, &|session| {
            session.entry(
                "model_change",
                json!({ "provider": "anthropic", "modelId": "m" }),
            );
            session.entry(
                "custom",
                json!({ "customType": "state", "data": { "n": 1.0 } }),
            );
            session.step(&["call_a"]);
            let hidden = json!({ "role": "bashExecution", "command": "ls", "output": "x", "excludeFromContext": true });
            session.entry("message", json!({ "message": hidden }));
        });
        check_session("an answer that failed", 1, &|session| {
            session.step(&["call_a"]);
            session.assistant(json!([{ "type": "text", "text": "Oh" }]), "error");
        });
    }
}

#[test]
fn pi_trees_of_every_kind_stay_whole() {
    let check_session = |name: &str, expected: usize, write: &dyn Fn(&mut Pi)| {
        let mut session = Pi::new(3, "/home/dev/tree");
        session.user("Begin.");
        write(&mut session);
        check(name, &session.bytes(), expected);
    };
    check_session("a dead branch", 1, &|session| {
        let fork = session.leaf.clone();
        session.step(&["call_dead"]);
        session.leaf = fork;
        session.entry(
            "branch_summary",
            json!({ "fromId": "x", "summary": "It failed." }),
        );
        session.step(&["call_live"]);
    });
    check_session("a label at the end", 2, &|session| {
        session.step(&["call_a"]);
        session.step(&["call_b"]);
        session.entry("label", json!({ "targetId": "5e550001", "label": "here" }));
    });
    check_session("a missing parent", 1, &|session| {
        session.step(&["call_lost"]);
        session.leaf = Some("0000dead".to_owned());
        session.user("Begin again.");
        session.step(&["call_kept"]);
    });
    check_session("a message of an extension", 1, &|session| {
        session.step(&["call_a"]);
        let note = json!({ "customType": "note", "content": "Mind this.", "display": true });
        session.entry("custom_message", note);
        session.says("Done.");
    });
    check_session("a kept part that does not exist", 1, &|session| {
        session.step(&["call_lost"]);
        let compaction = json!({ "summary": "What was.", "firstKeptEntryId": "0000dead" });
        session.entry("compaction", compaction);
        session.step(&["call_new"]);
    });
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
