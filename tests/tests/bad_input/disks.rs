//! Disks that are full, and stores that cannot be written.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::ensure;
use epitome_tests::command::{Run, Sandbox};
use epitome_tests::comparison::stubs;
use epitome_tests::fixtures::{ClaudeCode, long_text};
use epitome_tests::skip::say_skipped;

use crate::outputs::check_refusal;
use crate::{OUTPUT, SOURCE, two_steps};

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
    let Some(full) = FullDisk::find(&sandbox) else {
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
    fn find(sandbox: &Sandbox) -> Option<Self> {
        for kind in [Self::Mounted, Self::Limited] {
            let probe = "head -c 200000 /dev/zero > small/probe";
            let run = Run::of(kind.shell(sandbox, probe).arg("sh"));
            // The write must fail, and nothing before it.
            if run.is_ok_and(|run| run.code == Some(1) && run.errors.contains("head")) {
                fs::remove_file(sandbox.path("small/probe")).ok();
                return Some(kind);
            }
            fs::remove_file(sandbox.path("small/probe")).ok();
        }
        None
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
#[derive(Debug, Clone, Copy)]
enum Reader {
    Ourselves,
    Nobody,
}

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

fn set_mode(path: &Path, mode: u32) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(mode))?)
}
