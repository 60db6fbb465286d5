//! Text that looks like what tools print, made of a vocabulary and numbers.

use std::fmt::Write;

use super::words::{ADJECTIVES, NOUNS, VERBS};
use crate::example::random::Random;

/// `stale_lease_cursor`.
pub(super) fn identifier(random: &mut Random) -> String {
    let mut text = String::with_capacity(32);
    push_identifier(random, &mut text);
    text
}

fn push_identifier(random: &mut Random, text: &mut String) {
    match random.between(0, 3) {
        0 => {
            text.push_str(random.pick(&VERBS));
            text.push('_');
        }
        1 => {
            text.push_str(random.pick(&ADJECTIVES));
            text.push('_');
        }
        _ => {}
    }
    text.push_str(random.pick(&NOUNS));
    if random.chance(40) {
        text.push('_');
        text.push_str(random.pick(&NOUNS));
    }
}

/// `crates/relay/src/lease_window.rs`.
pub(super) fn path(random: &mut Random) -> String {
    let (package, file) = (random.pick(&NOUNS), identifier(random));
    format!("crates/{package}/src/{file}.rs")
}

/// One sentence, first letter large, with its full stop.
pub(super) fn sentence(random: &mut Random) -> String {
    let mut text = String::with_capacity(96);
    push_sentence(random, &mut text);
    text
}

fn push_sentence(random: &mut Random, text: &mut String) {
    let start = text.len();
    let opening = random.pick(&[
        "the",
        "each",
        "when the",
        "now the",
        "first the",
        "only the",
        "since the",
        "that",
    ]);
    text.push_str(opening);
    for _ in 0..random.between(1, 4) {
        let (adjective, noun) = (random.pick(&ADJECTIVES), random.pick(&NOUNS));
        let (verb, object) = (random.pick(&VERBS), random.pick(&NOUNS));
        let joint = random.pick(&[
            "before the",
            "and the",
            "so that no",
            "without a",
            "for every",
            "unless the",
        ]);
        for word in [adjective, noun, "must", verb, "its", object, joint] {
            text.push(' ');
            text.push_str(word);
        }
    }
    text.push(' ');
    text.push_str(random.pick(&NOUNS));
    text.push('.');
    text[start..=start].make_ascii_uppercase();
}

/// Sentences, about `length` bytes.
pub(super) fn paragraph(random: &mut Random, length: usize) -> String {
    let mut text = String::with_capacity(length + 160);
    while text.len() < length {
        push_sentence(random, &mut text);
        text.push(' ');
    }
    text.pop();
    text
}

/// Source code, about `length` bytes.
pub(super) fn code(random: &mut Random, length: usize) -> String {
    let mut text = String::with_capacity(length + 400);
    while text.len() < length {
        push_function(random, &mut text);
    }
    text
}

fn push_function(random: &mut Random, text: &mut String) {
    text.push_str("/// ");
    push_sentence(random, text);
    text.push_str("\npub fn ");
    push_identifier(random, text);
    text.push('(');
    let argument = identifier(random);
    text.push_str(&argument);
    text.push_str(random.pick(&[
        ": &mut Vec<u8>",
        ": &str",
        ": u64",
        ": Option<Duration>",
        ": &Path",
    ]));
    text.push_str(random.pick(&[
        ") -> Result<usize> {\n",
        ") {\n",
        ") -> Option<String> {\n",
        ") -> bool {\n",
    ]));
    for _ in 0..random.between(3, 14) {
        push_statement(random, text, &argument);
    }
    text.push_str("}\n\n");
}

fn push_statement(random: &mut Random, text: &mut String, argument: &str) {
    text.push_str("    ");
    match random.between(0, 9) {
        6..9 => push_quoted(random, text),
        0 => {
            text.push_str("let ");
            push_identifier(random, text);
            text.push_str(" = self.");
            push_identifier(random, text);
            text.push('(');
            text.push_str(argument);
            let _ = write!(text, ", {});", random.between(1, 9_999));
        }
        1 => {
            text.push_str("if ");
            push_identifier(random, text);
            text.push_str(random.pick(&[" > ", " < ", " == ", " != "]));
            let _ = write!(
                text,
                "{} {{\n        return Err(Error::new(\"",
                random.between(0, 70_000)
            );
            push_sentence(random, text);
            text.push_str("\"));\n    }");
        }
        2 => {
            text.push_str("for ");
            push_identifier(random, text);
            text.push_str(" in ");
            text.push_str(argument);
            text.push_str(".iter() {\n        ");
            push_identifier(random, text);
            text.push_str(".push(");
            push_identifier(random, text);
            text.push_str(");\n    }");
        }
        3 => {
            text.push_str("// ");
            push_sentence(random, text);
        }
        4 => {
            text.push_str("assert_eq!(");
            push_identifier(random, text);
            let _ = write!(text, ", \"{:x}\");", random.next() >> 24);
        }
        _ => {
            push_identifier(random, text);
            text.push_str(" += ");
            push_identifier(random, text);
            let _ = write!(text, " * {};", random.between(2, 512));
        }
    }
    text.push('\n');
}

/// A statement with string literals, as tables, messages and requests have them.
fn push_quoted(random: &mut Random, text: &mut String) {
    text.push_str("table.insert(\"");
    push_identifier(random, text);
    text.push_str("\", json!({ \"name\": \"");
    push_identifier(random, text);
    let _ = write!(text, "\", \"size\": {} }}));", random.between(1, 99_999));
}

/// A line of code that holds the pattern.
pub(super) fn line_with(random: &mut Random, pattern: &str) -> String {
    let mut text = String::from("    let ");
    push_identifier(random, &mut text);
    text.push_str(" = ");
    text.push_str(pattern);
    let _ = write!(text, "({});", random.between(0, 4_096));
    text
}

/// A log with times, levels and ids.
pub(super) fn log(random: &mut Random, length: usize) -> String {
    let mut text = String::with_capacity(length + 200);
    let mut time = random.between(0, 40_000_000);
    while text.len() < length {
        time += random.between(1, 900);
        let (hour, minute, second) = (time / 3_600_000 % 24, time / 60_000 % 60, time / 1_000 % 60);
        let level = match random.between(0, 100) {
            0..2 => "ERROR",
            2..7 => "WARN",
            7..40 => "DEBUG",
            _ => "INFO",
        };
        let _ = write!(
            text,
            "2025-11-24T{hour:02}:{minute:02}:{second:02}.{:03}Z {level:>5} ",
            time % 1_000
        );
        push_identifier(random, &mut text);
        text.push_str("{request=");
        let _ = write!(
            text,
            "{:012x} took_ms={}}}: ",
            random.next() >> 16,
            random.between(0, 5_000)
        );
        push_sentence(random, &mut text);
        text.push('\n');
    }
    text
}

/// What a test runner prints.
pub(super) fn test_report(random: &mut Random, length: usize) -> String {
    let mut text = String::with_capacity(length + 300);
    let mut passed = 0;
    let mut failed = 0;
    while text.len() < length {
        text.push_str("test ");
        push_identifier(random, &mut text);
        text.push_str("::tests::");
        push_identifier(random, &mut text);
        if random.chance(96) {
            text.push_str(" ... ok\n");
            passed += 1;
            continue;
        }
        failed += 1;
        text.push_str(" ... FAILED\nassertion `left == right` failed: ");
        push_sentence(random, &mut text);
        let _ = write!(
            text,
            "\n  left: {}\n right: {}\n",
            random.next() >> 30,
            random.next() >> 30
        );
    }
    let _ = write!(
        text,
        "\ntest result: {passed} passed; {failed} failed; finished in {} ms\n",
        random.between(9, 90_000)
    );
    text
}

/// What a compiler prints.
pub(super) fn build_report(random: &mut Random, length: usize) -> String {
    let mut text = String::with_capacity(length + 400);
    while text.len() < length {
        if random.chance(60) {
            text.push_str("   Compiling ");
            push_identifier(random, &mut text);
            let _ = writeln!(
                text,
                " v{}.{}.{}",
                random.between(0, 9),
                random.between(0, 40),
                random.between(0, 20)
            );
            continue;
        }
        text.push_str("warning: unused variable: `");
        let name = identifier(random);
        let line = random.between(1, 900);
        let _ = write!(
            text,
            "{name}`\n  --> {}:{line}:{}\n   |\n{line} |     let {name} = ",
            path(random),
            random.between(5, 40)
        );
        push_identifier(random, &mut text);
        text.push_str(";\n   |         ^^^^ help: ");
        push_sentence(random, &mut text);
        text.push_str("\n\n");
    }
    let _ = writeln!(
        text,
        "    Finished in {}.{:02}s",
        random.between(0, 90),
        random.between(0, 100)
    );
    text
}

/// A web page.
pub(super) fn page(random: &mut Random, length: usize) -> String {
    let mut text = String::with_capacity(length + 300);
    let title = sentence(random);
    let _ = write!(
        text,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>{title}</title></head>\n<body>\n<h1>{title}</h1>\n"
    );
    while text.len() < length {
        let anchor = identifier(random);
        let _ = write!(
            text,
            "<h2 id=\"{anchor}\">{}</h2>\n<p>{}</p>\n",
            sentence(random),
            paragraph(random, 400)
        );
    }
    text.push_str("</body>\n</html>\n");
    text
}
