//! Sessions of any size for benchmarks: no two results are alike, so neither compression nor
//! deduplication is flattered.

mod prose;
mod words;

use super::random::Random;
use super::session::{Action, Call, Chain, Format, Outcome, Session, Turn};
use super::{claude_code, pi};

/// Makes a session of about `target_bytes` bytes in the given format; the same arguments give the same bytes.
///
/// The size is met within a sixth from a megabyte on; a smaller session may be larger by one result.
pub(crate) fn generate_session(format: Format, seed: u64, target_bytes: usize) -> Vec<u8> {
    let mut random = Random::new(seed ^ 0xe917_03e5);
    let mut chains = Vec::new();
    let mut left = target_bytes;
    while left > 0 {
        chains.push(chain(&mut random, format, &mut left));
    }
    let session = Session {
        seed,
        title: prose::sentence(&mut random),
        folder: format!("/home/dev/{}", prose::identifier(&mut random)),
        chains,
    };
    match format {
        Format::Pi => pi::write(&session),
        Format::ClaudeCode => claude_code::write(&session),
    }
}

fn chain(random: &mut Random, format: Format, left: &mut usize) -> Chain {
    let mut chain = Chain {
        prompt: prose::paragraph(random, 240),
        turns: Vec::new(),
    };
    for _ in 0..random.between(4, 22) {
        let parallel = if random.chance(22) {
            random.between(2, 5)
        } else {
            1
        };
        let turn = Turn {
            thinking: random.chance(80).then(|| prose::paragraph(random, 600)),
            text: random.chance(40).then(|| prose::sentence(random)),
            calls: (0..parallel).map(|_| call(random)).collect(),
        };
        *left = left.saturating_sub(size(format, &turn));
        chain.turns.push(turn);
        if *left == 0 {
            break;
        }
    }
    let answer = prose::paragraph(random, 700);
    chain.turns.push(Turn {
        text: Some(answer),
        ..Turn::default()
    });
    chain
}

/// Bytes of a turn on disk, estimated: envelopes, and the second copies that Claude Code keeps.
fn size(format: Format, turn: &Turn) -> usize {
    let (per_turn, per_call, copies) = match format {
        Format::Pi => (1_150, 480, 1),
        Format::ClaudeCode => (1_500, 1_950, 2),
    };
    let result = |call: &Call| {
        let (once, twice) = weight(call);
        // Claude Code keeps the whole file as it was before an edit.
        let original = match (format, &call.outcome) {
            (Format::ClaudeCode, Outcome::Edited { before }) => before.len(),
            _ => 0,
        };
        per_call + once + twice * copies + original
    };
    // Quotes, tabs and line feeds take a second byte.
    per_turn + turn.calls.iter().map(result).sum::<usize>() * 26 / 25
}

/// Bytes that stand in a call once, and those that Claude Code writes twice.
fn weight(call: &Call) -> (usize, usize) {
    let written = match &call.outcome {
        Outcome::File { content: text, .. }
        | Outcome::Output { text, .. }
        | Outcome::Page { html: text } => text.len(),
        Outcome::Matches(matches) => matches
            .iter()
            .map(|(path, _, line)| path.len() + line.len() + 6)
            .sum(),
        Outcome::Listing(names) | Outcome::Paths(names) => {
            names.iter().map(|name| name.len() + 3).sum()
        }
        Outcome::Image { .. } | Outcome::Edited { .. } | Outcome::Written | Outcome::Missing => 0,
    };
    let asked = match &call.action {
        Action::Edit { old, new, .. } => 2 * (old.len() + new.len()),
        Action::Write { content, .. } => content.len(),
        _ => 0,
    };
    (asked, written)
}

/// Two kilobytes on average, as in real sessions; now and then fifty.
fn length(random: &mut Random) -> usize {
    match random.between(0, 200) {
        0..100 => random.between(50, 800) as usize,
        100..176 => random.between(800, 4_500) as usize,
        176..198 => random.between(4_500, 14_000) as usize,
        _ => random.between(30_000, 60_000) as usize,
    }
}

fn call(random: &mut Random) -> Call {
    let length = length(random);
    match random.between(0, 100) {
        0..34 => {
            let content = prose::code(random, length);
            let total = content.split('\n').count();
            let action = Action::Read {
                path: prose::path(random),
                range: None,
            };
            Call {
                action,
                outcome: Outcome::File {
                    content,
                    first: 1,
                    total,
                },
            }
        }
        34..64 => run(random, length),
        64..78 => edit(random, length.min(12_000)),
        78..90 => search(random, length.min(8_000)),
        90..94 => {
            let action = Action::Write {
                path: prose::path(random),
                content: prose::code(random, length.min(6_000)),
            };
            Call {
                action,
                outcome: Outcome::Written,
            }
        }
        94..97 => {
            let paths = (0..random.between(3, 60))
                .map(|_| prose::path(random))
                .collect();
            Call {
                action: Action::Find {
                    pattern: "**/*.rs".to_owned(),
                },
                outcome: Outcome::Paths(paths),
            }
        }
        97..99 => {
            let url = format!("https://docs.example/{}", prose::path(random));
            let action = Action::Fetch {
                url,
                question: prose::sentence(random),
            };
            Call {
                action,
                outcome: Outcome::Page {
                    html: prose::page(random, length),
                },
            }
        }
        _ => Call {
            action: Action::Read {
                path: prose::path(random),
                range: None,
            },
            outcome: Outcome::Missing,
        },
    }
}

fn run(random: &mut Random, length: usize) -> Call {
    let exit_code = u8::from(random.chance(15));
    let (command, text) = match random.between(0, 3) {
        0 => (
            format!("cargo test -p {}", prose::identifier(random)),
            prose::test_report(random, length),
        ),
        1 => (
            format!("journalctl -u {} --since today", prose::identifier(random)),
            prose::log(random, length),
        ),
        _ => (
            format!("cargo build -p {}", prose::identifier(random)),
            prose::build_report(random, length),
        ),
    };
    Call {
        action: Action::Run {
            command,
            purpose: prose::sentence(random),
        },
        outcome: Outcome::Output { text, exit_code },
    }
}

fn edit(random: &mut Random, length: usize) -> Call {
    let before = prose::code(random, length);
    let lines: Vec<&str> = before.lines().collect();
    let at = random.between(0, lines.len() as u64) as usize;
    let old = lines[at..(at + 4).min(lines.len())].join("\n");
    let action = Action::Edit {
        path: prose::path(random),
        new: prose::code(random, old.len() + 80),
        old,
    };
    Call {
        action,
        outcome: Outcome::Edited { before },
    }
}

fn search(random: &mut Random, length: usize) -> Call {
    let pattern = prose::identifier(random);
    let matches = (0..=length / 90)
        .map(|_| {
            (
                prose::path(random),
                random.between(1, 900) as usize,
                prose::line_with(random, &pattern),
            )
        })
        .collect();
    Call {
        action: Action::Search {
            pattern,
            path: ".".to_owned(),
        },
        outcome: Outcome::Matches(matches),
    }
}
