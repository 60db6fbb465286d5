//! Sizes, line ends, words that have no place in the repository, and files that must be there.

use std::path::Path;

use super::Report;
use super::repository::Repository;

const REQUIRED: [&str; 4] = [
    "README.md",
    "CHANGELOG.md",
    "ARCHITECTURE.md",
    "SHORTCOMINGS.md",
];

/// Lines of a Rust file from which it should be, and must be, split.
const LINES_TO_WARN: usize = 400;
const LINES_TO_FAIL: usize = 500;

const MAX_BYTES: usize = 400_000;
/// Larger files that are meant to be.
const LARGE_FILES: [&str; 2] = ["Cargo.lock", "examples/coding-session.claude-code.jsonl"];

/// Words that nothing but tests may hold, in two halves, so that this file holds none of them.
const BANNED: [(&str, &str, &str); 7] = [
    ("/wor", "k/", "a path of one machine"),
    ("/tm", "p/", "a path of one machine"),
    ("crates", ".io", "a host of a registry"),
    ("npmjs", ".com", "a host of a registry"),
    ("npmjs", ".org", "a host of a registry"),
    ("pypi", ".org", "a host of a registry"),
    ("tod", "o!", "an unfinished place"),
];

pub(super) fn check(repository: &Repository, report: &mut Report) {
    for name in REQUIRED {
        if !repository.files.contains_key(name) {
            report.error(format!("{name} is missing."));
        }
    }
    for (path, bytes) in &repository.files {
        if bytes.len() > MAX_BYTES && !LARGE_FILES.contains(&path.as_str()) {
            report.error(format!(
                "{path} has {} bytes, more than {MAX_BYTES}.",
                bytes.len()
            ));
        }
    }
    for (path, text) in repository.texts() {
        check_text(path, text, report);
        if is_rust(path) {
            check_rust(path, text, report);
        }
    }
}

fn check_text(path: &str, text: &str, report: &mut Report) {
    if text.contains('\r') && !is_test(path) {
        report.error(format!("{path} has a carriage return."));
    }
    // The lock file names the registry of every crate; that is its format.
    if path == "Cargo.lock" || is_test(path) {
        return;
    }
    for (index, line) in without_unit_tests(path, text).lines().enumerate() {
        for (head, tail, what) in BANNED {
            let word = format!("{head}{tail}");
            if line.contains(&word) {
                report.error(format!("{path}:{} holds {word}, {what}.", index + 1));
            }
        }
    }
}

fn is_rust(path: &str) -> bool {
    Path::new(path)
        .extension()
        .is_some_and(|extension| extension == "rs")
}

fn is_test(path: &str) -> bool {
    path.starts_with("tests/") || path.contains("/tests/") || path.ends_with("tests.rs")
}

/// The part of a Rust file before its unit tests.
fn without_unit_tests<'a>(path: &str, text: &'a str) -> &'a str {
    match text.find("\n#[cfg(test)]\nmod tests {") {
        Some(end) if is_rust(path) => &text[..end],
        _ => text,
    }
}

fn check_rust(path: &str, text: &str, report: &mut Report) {
    let lines = text.lines().count();
    if lines > LINES_TO_FAIL {
        report.error(format!(
            "{path} has {lines} lines, more than {LINES_TO_FAIL}."
        ));
    } else if lines > LINES_TO_WARN {
        report.warn(format!(
            "{path} has {lines} lines, more than {LINES_TO_WARN}."
        ));
    }
    if path.ends_with("src/lib.rs")
        && path.starts_with("crates/")
        && !text.contains("\n#![forbid(unsafe_code)]\n")
    {
        report.error(format!("{path} does not forbid unsafe code."));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Report {
        let mut report = Report::default();
        super::check(&Repository::of([(path, text)]), &mut report);
        report.errors.retain(|error| {
            !REQUIRED
                .iter()
                .any(|name| *error == format!("{name} is missing."))
        });
        report
    }

    #[test]
    fn texts_are_checked() {
        let check = |path: &str, text: &str, expected: &[&str]| {
            assert_eq!(found(path, text).errors, expected, "{path}");
        };
        check("docs/a.md", "See /workshop.\n", &[]);
        check(
            "docs/a.md",
            concat!("\nSee /wor", "k/a.\n"),
            &[concat!(
                "docs/a.md:2 holds /wor",
                "k/, a path of one machine."
            )],
        );
        check("tests/tests/a.rs", "let path = \"/tmp/a\";\n", &[]);
        check(
            "crates/a/src/b.rs",
            "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    // /tmp/a\n}\n",
            &[],
        );
        check(
            "crates/a/src/b.rs",
            "// /tmp/a\n",
            &["crates/a/src/b.rs:1 holds /tmp/, a path of one machine."],
        );
        check(
            "a.md",
            concat!("On crates", ".io.\n"),
            &[concat!("a.md:1 holds crates", ".io, a host of a registry.")],
        );
        check("Cargo.lock", concat!("crates", ".io\n"), &[]);
        check("a.sql", "SELECT 1;\r\n", &["a.sql has a carriage return."]);
        check(
            "crates/a/src/lib.rs",
            "//! A.\n\n#![forbid(unsafe_code)]\n",
            &[],
        );
        check(
            "crates/a/src/lib.rs",
            "//! A.\n",
            &["crates/a/src/lib.rs does not forbid unsafe code."],
        );
        check("a.json", &"1".repeat(MAX_BYTES), &[]);
        check(
            "a.json",
            &"1".repeat(MAX_BYTES + 1),
            &["a.json has 400001 bytes, more than 400000."],
        );
        check("Cargo.lock", &"1".repeat(MAX_BYTES + 1), &[]);
    }

    #[test]
    fn long_rust_files_warn_then_fail() {
        let check = |lines: usize, warnings: usize, errors: usize| {
            let report = found("crates/a/src/b.rs", &"//\n".repeat(lines));
            assert_eq!(
                (report.warnings.len(), report.errors.len()),
                (warnings, errors),
                "{lines}"
            );
        };
        check(LINES_TO_WARN, 0, 0);
        check(LINES_TO_WARN + 1, 1, 0);
        check(LINES_TO_FAIL, 1, 0);
        check(LINES_TO_FAIL + 1, 0, 1);
    }

    #[test]
    fn the_four_documents_must_be_there() {
        let mut report = Report::default();
        super::check(
            &Repository::of([
                ("README.md", ""),
                ("CHANGELOG.md", ""),
                ("ARCHITECTURE.md", ""),
            ]),
            &mut report,
        );
        assert_eq!(report.errors, ["SHORTCOMINGS.md is missing."]);
    }
}
