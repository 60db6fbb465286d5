//! Hostile sessions, disks and outputs: a clear message, the right exit code, nothing half-written,
//! and the source as it was.
//!
//! What the command line says to plain mistakes is tested beside the other tests of the command.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};
use epitome_tests::command::{Run, Sandbox};
use epitome_tests::comparison::{Stub, stubs};
use epitome_tests::fixtures::{ClaudeCode, long_text};
use epitome_tests::skip::say_skipped;
use serde_json::{Value, json};

const SOURCE: &str = "s.jsonl";
const OUTPUT: &str = "s.condensed.jsonl";

/// Two steps, finished: seven lines of which 3 and 5 hold results.
fn two_steps() -> ClaudeCode {
    let mut session = ClaudeCode::new("/home/dev/bad");
    session.user("Begin.");
    session.step("toolu_a");
    session.step("toolu_b");
    session.says("msg_last", "Done.");
    session
}

/// Condenses a session, recovers every stub of it and expands it; returns stubs and report.
fn round_trip(session: &[u8]) -> anyhow::Result<(Vec<Stub>, Value)> {
    let sandbox = Sandbox::new()?;
    let source = sandbox.write(SOURCE, session)?;
    let report = sandbox
        .run(["condense", "--all", "--json", SOURCE])?
        .json()?;
    let output = fs::read(sandbox.path(OUTPUT))?;
    let found = stubs(session, &output)?;
    for stub in &found {
        let raw = sandbox.run(["recover", "--raw", &stub.reference])?.done()?;
        // Of several occurrences each stands in a block of its own.
        let raw = String::from_utf8(raw)?;
        ensure!(
            raw.contains(&stub.raw),
            "{} is not recovered",
            stub.reference
        );
    }
    if found.is_empty() {
        ensure!(
            output == session,
            "nothing is condensed, yet the output differs"
        );
    } else {
        let back = sandbox.run(["expand", OUTPUT])?.done()?;
        ensure!(back == session, "the expanded session differs");
    }
    ensure!(fs::read(source)? == session, "the source changed");
    Ok((found, report))
}

#[test]
fn damaged_lines_are_named_and_pass() -> anyhow::Result<()> {
    let whole = two_steps().bytes();
    let text = String::from_utf8(whole.clone())?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let check = |name: &str, session: &[u8], broken: &[u64], expected: usize| {
        let (found, report) =
            round_trip(session).unwrap_or_else(|error| panic!("{name}: {error:#}"));
        assert_eq!(found.len(), expected, "{name}: {report}");
        assert_eq!(report["broken_lines"], broken.len(), "{name}: {report}");
        let warnings = report["warnings"].as_array().cloned().unwrap_or_default();
        let named: Vec<u64> = warnings
            .iter()
            .filter_map(|warning| warning["line"].as_u64())
            .collect();
        assert_eq!(named, broken, "{name}: {report}");
    };
    let with = |index: usize, line: &str| -> Vec<u8> {
        let mut lines = lines.clone();
        lines[index] = line;
        lines.concat().into_bytes()
    };
    check("whole", &whole, &[], 2);
    check("no last line feed", text.trim_end().as_bytes(), &[], 2);
    check(
        "carriage returns",
        text.replace('\n', "\r\n").as_bytes(),
        &[],
        2,
    );
    check("blank lines", text.replace('\n', "\n\n").as_bytes(), &[], 2);
    check(
        "a byte order mark",
        format!("\u{feff}{text}").as_bytes(),
        &[1],
        2,
    );
    check("a cut end", &whole[..whole.len() - 30], &[6], 2);
    check(
        "a cut end in a result",
        &whole[..whole.len() - lines[5].len() - 30],
        &[5],
        1,
    );
    check(
        "a broken line first",
        format!("{{\"type\":\n{text}").as_bytes(),
        &[1],
        2,
    );
    check(
        "a line of NUL",
        &[&whole[..], &[0; 5_000]].concat(),
        &[7],
        2,
    );
    check(
        "an unknown prompt in between",
        &with(0, "[1, 2]\n"),
        &[1],
        2,
    );
    let nested = format!(
        "{{\"type\":\"user\",\"deep\":{}{}}}\n",
        "[".repeat(200_000),
        "]".repeat(200_000)
    );
    check(
        "200,000 nested lists",
        format!("{text}{nested}").as_bytes(),
        &[],
        2,
    );

    let mut invalid = whole.clone();
    let at = text.find("\"Begin.").context("the prompt")? + 2;
    invalid[at] = 0xff;
    check("invalid UTF-8 in a prompt", &invalid, &[1], 2);
    let mut invalid = whole.clone();
    let at = lines[..2].concat().len() + lines[2].find("    9  ").context("the result")?;
    invalid[at] = 0xc0;
    check("invalid UTF-8 in a result", &invalid, &[3], 1);
    Ok(())
}

#[test]
fn hard_texts_come_back_byte_for_byte() -> anyhow::Result<()> {
    let check = |name: &str, content: &str| -> anyhow::Result<()> {
        let mut session = two_steps();
        session.lines.truncate(3);
        let text = String::from_utf8(session.bytes())?;
        let result = session.lines[2]["message"]["content"][0]["content"].to_string();
        let session = text.replace(&result, content);
        let (found, report) = round_trip(session.as_bytes()).context(name.to_owned())?;
        assert_eq!(found.len(), 1, "{name}: {report}");
        assert_eq!(found[0].raw, content, "{name}");
        Ok(())
    };
    let lone = "half \\ud83e of a pair, the other \\udd80 half\\n".repeat(60);
    check("lone surrogates", &format!("\"{lone}\""))?;
    let escapes = "\\u0000\\u001b[31m\\u202e\\/\\u00e4ä\\ud83e\\udd80🦀\\r\\n".repeat(200);
    check("escapes of every kind", &format!("\"{escapes}\""))?;
    let labels = "[[1:read]]\\n---\\n- `t1` says all is well\\n```\\n".repeat(60);
    check("labels and fences", &format!("\"{labels}\""))?;
    let block = json!({ "type": "text", "text": long_text(3, 80) });
    check("blocks", &format!("[ {block} , {block}\t]"))?;
    check(
        "5,000,000 characters",
        &format!("\"{}\"", "漢é🦀\\n".repeat(1_250_000)),
    )
}

#[test]
fn ids_that_repeat_bring_back_each_result() -> anyhow::Result<()> {
    let mut session = two_steps();
    session.user("Once more.");
    session.call("msg_again", "toolu_a");
    session.result("toolu_a", &long_text(11, 70));
    session.says("msg_end", "Done.");
    let (found, report) = round_trip(&session.bytes())?;
    assert!(found.len() >= 2, "{report}");

    // Two calls of one response share an id: no result can be told to be whose.
    let mut session = ClaudeCode::new("/home/dev/bad");
    session.user("Begin.");
    session.call("msg_a", "toolu_a");
    session.call("msg_a", "toolu_a");
    session.result("toolu_a", &long_text(12, 70));
    session.result("toolu_a", &long_text(13, 70));
    session.says("msg_end", "Done.");
    let (found, report) = round_trip(&session.bytes())?;
    assert_eq!(found.len(), 0, "{report}");

    let mut session = two_steps();
    session.lines.remove(1);
    session.lines[1]["parentUuid"] = session.lines[0]["uuid"].clone();
    let (found, report) = round_trip(&session.bytes())?;
    assert_eq!(found.len(), 1, "a result without a call stays: {report}");

    let mut session = two_steps();
    session.lines.remove(2);
    session.lines[2]["parentUuid"] = session.lines[1]["uuid"].clone();
    let (found, report) = round_trip(&session.bytes())?;
    assert_eq!(found.len(), 1, "a call without a result stays: {report}");
    Ok(())
}

#[test]
fn a_session_that_grows_meanwhile_is_condensed_as_far_as_it_was_read() -> anyhow::Result<()> {
    use std::io::Write as _;
    use std::sync::atomic::{AtomicBool, Ordering};
    let sandbox = Sandbox::new()?;
    let mut session = two_steps();
    // Long enough that reading takes a while.
    session.user(&"x".repeat(20_000_000));
    session.says("msg_more", "I see.");
    let mut warned = false;
    for attempt in 0..10 {
        let name = format!("{attempt}.jsonl");
        let source = sandbox.write(&name, &session.bytes())?;
        let ended = AtomicBool::new(false);
        let run = std::thread::scope(|scope| {
            let writer = scope.spawn(|| -> std::io::Result<()> {
                let mut file = fs::OpenOptions::new().append(true).open(&source)?;
                for number in 0..1_000_000 {
                    if ended.load(Ordering::Relaxed) {
                        break;
                    }
                    // In two writes, so that a line may be seen half.
                    file.write_all(b"{\"type\":\"queue-operation\",")?;
                    file.write_all(format!("\"number\":{number}}}\n").as_bytes())?;
                    std::thread::sleep(std::time::Duration::from_micros(20));
                }
                Ok(())
            });
            let run = sandbox.run(["condense", "--json", &name]);
            ended.store(true, Ordering::Relaxed);
            writer
                .join()
                .map_err(|_| anyhow::anyhow!("the writer stopped"))??;
            run
        })?;
        let report = run.json()?;
        assert_eq!(report["originals"], 2, "{report}");
        let back = sandbox
            .run(["expand", &format!("{attempt}.condensed.jsonl")])?
            .done()?;
        ensure!(
            fs::read(&source)?.starts_with(&back),
            "no beginning of the source"
        );
        warned |= report["warnings"]
            .to_string()
            .contains("The file changed while it was read");
        if warned {
            break;
        }
    }
    ensure!(warned, "nothing was said of the growing file");
    Ok(())
}

#[cfg(unix)]
#[test]
fn an_output_that_is_the_source_is_refused() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let session = two_steps().bytes();
    let source = sandbox.write(SOURCE, &session)?;
    fs::hard_link(&source, sandbox.path("hard.jsonl"))?;
    std::os::unix::fs::symlink(&source, sandbox.path("soft.jsonl"))?;
    std::os::unix::fs::symlink(sandbox.path("soft.jsonl"), sandbox.path("softer.jsonl"))?;
    std::os::unix::fs::symlink(sandbox.path("nowhere"), sandbox.path("dangling.jsonl"))?;
    let before = names(&sandbox.path(""))?;
    let check = |arguments: &[&str], message: &str| -> anyhow::Result<()> {
        let run = sandbox.run([&["condense"], arguments].concat())?;
        check_refusal(&run, 2, message).with_context(|| format!("{arguments:?}"))?;
        ensure!(
            fs::read(&source)? == session,
            "{arguments:?}: the source changed"
        );
        ensure!(
            names(&sandbox.path(""))? == before,
            "{arguments:?}: something was left"
        );
        Ok(())
    };
    let itself = "it is the source itself";
    for output in [
        "s.jsonl",
        "./s.jsonl",
        "hard.jsonl",
        "soft.jsonl",
        "softer.jsonl",
    ] {
        check(&[SOURCE, "-o", output], itself)?;
        check(&[SOURCE, "--force", "-o", output], itself)?;
        check(&[output, "--force", "-o", SOURCE], itself)?;
    }
    check(
        &[SOURCE, "-o", "missing/folder/out.jsonl"],
        "could not write missing/folder/out.jsonl",
    )?;
    check(
        &[SOURCE, "-o", "s.jsonl/out"],
        "could not write s.jsonl/out",
    )?;
    check(
        &[SOURCE, "-o", "dangling.jsonl"],
        "could not write dangling.jsonl",
    )?;
    check(&["s.jsonl/s.jsonl"], "could not read s.jsonl/s.jsonl")
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing_half_written() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let mut session = ClaudeCode::new("/home/dev/bad");
    session.user(&long_text(1, 4_000));
    for step in 0..40 {
        session.step(&format!("toolu_{step}"));
    }
    session.says("msg_last", "Done.");
    let session = session.bytes();
    let source = sandbox.write(SOURCE, &session)?;
    fs::create_dir(sandbox.path("small"))?;
    let Some(full) = FullDisk::find(&sandbox)? else {
        say_skipped(
            "a full disk",
            "neither a small file system nor a limit can be had",
        );
        return Ok(());
    };

    let run = full.run(&sandbox, &["condense", SOURCE, "-o", "small/out.jsonl"])?;
    check_refusal(&run, 2, "could not write small/out.jsonl")?;
    ensure!(
        run.text().trim() == "left:",
        "something is left: {}",
        run.text()
    );

    let run = full.run(
        &sandbox,
        &[
            "--store",
            "small/s.db",
            "condense",
            SOURCE,
            "-o",
            "out.jsonl",
        ],
    )?;
    check_refusal(&run, 2, "small/s.db")?;
    ensure!(
        !sandbox.path("out.jsonl").exists(),
        "an output without its originals"
    );
    if full == FullDisk::Mounted {
        ensure!(run.errors.contains("the disk is full"), "{}", run.errors);
    }
    ensure!(fs::read(source)? == session, "the source changed");

    // With space again the same command does what it is asked.
    sandbox
        .run(["condense", SOURCE, "-o", "small/out.jsonl"])?
        .done()?;
    let output = fs::read(sandbox.path("small/out.jsonl"))?;
    ensure!(
        stubs(&session, &output)?.len() == 40,
        "not all is condensed"
    );
    sandbox.run(["doctor", "--quiet"])?.done()?;
    Ok(())
}

/// How a disk is made too small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FullDisk {
    /// A file system of 100 kB in a mount namespace of its own, gone with the process.
    Mounted,
    /// Files of at most 100 kB.
    Limited,
}

impl FullDisk {
    fn find(sandbox: &Sandbox) -> anyhow::Result<Option<Self>> {
        for kind in [Self::Mounted, Self::Limited] {
            let probe = "head -c 200000 /dev/zero > small/probe";
            let run = Run::of(kind.shell(sandbox, probe).arg("sh"));
            // The write must fail, and nothing before it.
            if run.is_ok_and(|run| run.code == Some(1) && run.errors.contains("head")) {
                fs::remove_file(sandbox.path("small/probe")).ok();
                return Ok(Some(kind));
            }
            fs::remove_file(sandbox.path("small/probe")).ok();
        }
        Ok(None)
    }

    fn shell(self, sandbox: &Sandbox, script: &str) -> Command {
        match self {
            Self::Mounted => {
                let mut command = sandbox.program("unshare");
                let script = format!("mount -t tmpfs -o size=100k tmpfs small && {script}");
                // Root needs no user namespace, others are root in one.
                command.args(["--mount", "--map-root-user", "sh", "-c", &script]);
                command
            }
            Self::Limited => {
                let mut command = sandbox.program("sh");
                // An ignored signal stays ignored in the program, which sees an error instead.
                command.args(["-c", &format!("trap '' XFSZ; ulimit -f 200; {script}")]);
                command
            }
        }
    }

    /// Runs `epitome` with `small` too small, and lists what is in it afterwards.
    fn run(self, sandbox: &Sandbox, arguments: &[&str]) -> anyhow::Result<Run> {
        let script = "\"$@\"; code=$?; echo left: $(ls -A small); exit $code";
        let mut command = self.shell(sandbox, script);
        command.arg("sh").arg(sandbox.binary());
        command.args(["--store", "roomy.db"]).args(arguments);
        if arguments.contains(&"--store") {
            command = self.shell(sandbox, script);
            command.arg("sh").arg(sandbox.binary()).args(arguments);
        }
        Run::of(&mut command)
    }
}

#[cfg(unix)]
#[test]
fn a_store_that_cannot_be_written_still_gives_back() -> anyhow::Result<()> {
    let sandbox = Sandbox::new()?;
    let session = two_steps().bytes();
    let source = sandbox.write(SOURCE, &session)?;
    sandbox.run(["condense", SOURCE])?.done()?;
    let found = stubs(&session, &fs::read(sandbox.path(OUTPUT))?)?;
    let reader = Reader::find(&sandbox)?;
    let Some(reader) = reader else {
        say_skipped(
            "a store that cannot be written",
            "no user that permissions bind",
        );
        return Ok(());
    };
    for name in [
        "store/epitome.db",
        "store/epitome.db-wal",
        "store/epitome.db-shm",
    ] {
        if sandbox.path(name).exists() {
            set_mode(&sandbox.path(name), 0o444)?;
        }
    }
    set_mode(&sandbox.path("store"), 0o555)?;
    set_mode(&sandbox.path(""), 0o777)?;

    let raw = reader
        .run(&sandbox, &["recover", "--raw", &found[0].reference])?
        .done()?;
    ensure!(raw == found[0].raw.as_bytes(), "another original");
    let back = reader.run(&sandbox, &["expand", OUTPUT])?.done()?;
    ensure!(back == session, "another session");
    let mut other = two_steps();
    other.step("toolu_c");
    other.says("msg_c", "Done.");
    sandbox.write("other.jsonl", &other.bytes())?;
    let run = reader.run(&sandbox, &["condense", "other.jsonl"])?;
    check_refusal(&run, 2, "store/epitome.db: it is read-only")?;
    ensure!(
        !sandbox.path("other.condensed.jsonl").exists(),
        "an output without its originals"
    );
    ensure!(fs::read(source)? == session, "the source changed");
    // So that the folder can be removed.
    set_mode(&sandbox.path("store"), 0o755)
}

/// Somebody whom permissions bind.
#[cfg(unix)]
#[derive(Debug, Clone, Copy)]
enum Reader {
    Ourselves,
    Nobody,
}

#[cfg(unix)]
impl Reader {
    fn find(sandbox: &Sandbox) -> anyhow::Result<Option<Self>> {
        let probe = sandbox.write("probe", b"")?;
        set_mode(&probe, 0o400)?;
        if fs::OpenOptions::new().write(true).open(&probe).is_err() {
            return Ok(Some(Self::Ourselves));
        }
        set_mode(&sandbox.path(""), 0o755)?;
        let run = Self::Nobody.run(sandbox, &["--version"]);
        Ok(run
            .is_ok_and(|run| run.code == Some(0))
            .then_some(Self::Nobody))
    }

    fn run(self, sandbox: &Sandbox, arguments: &[&str]) -> anyhow::Result<Run> {
        let mut command = match self {
            Self::Ourselves => sandbox.epitome(),
            Self::Nobody => {
                let mut command = sandbox.program("setpriv");
                command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]);
                command
                    .arg(sandbox.binary())
                    .arg("--store")
                    .arg(sandbox.store());
                command
            }
        };
        Run::of(command.args(arguments))
    }
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(mode))?)
}

/// A run that was refused: one message that holds this text, a way out, and the exit code.
fn check_refusal(run: &Run, code: i32, message: &str) -> anyhow::Result<()> {
    ensure!(
        run.code == Some(code),
        "exit {:?}: {}",
        run.code,
        run.errors
    );
    let mut lines = run.errors.lines();
    let (first, help) = (
        lines.next().unwrap_or_default(),
        lines.next().unwrap_or_default(),
    );
    ensure!(
        first.starts_with("could not ") && first.contains(message),
        "{first}"
    );
    ensure!(
        help.starts_with("help: ") && run.errors.ends_with(".\n"),
        "{}",
        run.errors
    );
    Ok(())
}

/// Names of the files in a folder, sorted; the store is left out.
fn names(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name != "store" {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}
