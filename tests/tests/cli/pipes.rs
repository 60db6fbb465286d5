//! Standard input and output, readers that go away, full disks and interrupts.

use std::process::Stdio;
use std::time::Duration;

use crate::scene::{ended, with_session};

#[test]
fn a_session_passes_through_a_pipe() {
    let scene = with_session();
    let source = scene.read("session.jsonl");
    let ended = scene.run_with_input(&["condense", "-"], &source).done();
    assert!(
        ended.text().starts_with("{\"type\":\"session\""),
        "the session alone"
    );
    assert!(
        ended.error.contains("session     standard input"),
        "{}",
        ended.error
    );
    assert!(
        ended.error.contains("written     standard output"),
        "{}",
        ended.error
    );
    let facts = scene
        .run_with_input(&["condense", "-", "--json"], &source)
        .done();
    assert!(
        facts.text().starts_with("{\"type\":\"session\""),
        "the session alone"
    );
    let report: serde_json::Value = serde_json::from_str(&facts.error).unwrap();
    assert_eq!(report["written"], "-");
    let back = scene
        .run_with_input(&["-q", "expand", "-"], &ended.output)
        .done();
    assert_eq!(back.output, source);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let scene = with_session();
    scene.condensed("session.jsonl");
    for arguments in [
        &["recover", "t1"][..],
        &["recover", "t1", "--json"],
        &["expand", "session.condensed.jsonl"],
        &["condense", "session.jsonl", "-o", "-"],
        &["condense", "session.jsonl", "--force"],
        &["sessions"],
        &["show", "one"],
        &["completions", "bash"],
        &["doctor"],
        &["--help"],
    ] {
        let mut child = scene.command(arguments).spawn().unwrap();
        drop(child.stdout.take());
        let ended = ended(child);
        assert_eq!(ended.code, Some(0), "{arguments:?}: {ended:?}");
        assert!(
            !ended.error.contains("could not"),
            "{arguments:?}: {ended:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let scene = with_session();
    scene.condensed("session.jsonl");
    for arguments in [
        &["recover", "t1"][..],
        &["condense", "session.jsonl", "-o", "-"],
    ] {
        let full = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let child = scene
            .command(arguments)
            .stdout(Stdio::from(full))
            .spawn()
            .unwrap();
        let ended = ended(child);
        assert_eq!(ended.code, Some(2), "{arguments:?}: {ended:?}");
        assert!(
            ended.error.starts_with("could not write the output: "),
            "{ended:?}"
        );
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_130_and_leaves_nothing_half_written() {
    let scene = with_session();
    let mut child = scene
        .command(&["condense", "-", "-o", "out"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    // It waits for its input; give it time to begin.
    std::thread::sleep(Duration::from_millis(700));
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let open = child.stdin.take();
    let ended = ended(child);
    drop(open);
    assert_eq!(ended.code, Some(130), "{ended:?}");
    assert_eq!(scene.files(), ["session.jsonl"]);
}
