//! Sessions that are damaged, hard to keep, contradictory, or not finished.

use std::fs;

use anyhow::{Context as _, ensure};
use epitome_tests::command::Sandbox;
use epitome_tests::comparison::{Stub, stubs};
use epitome_tests::fixtures::{ClaudeCode, long_text};
use serde_json::{Value, json};

use crate::{OUTPUT, SOURCE, two_steps};

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
