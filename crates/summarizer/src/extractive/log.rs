//! Output of commands: errors, failing tests, outcomes and counts, in any language of tools.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::findings::Findings;
use super::generic::has_text;

/// How much a line of a log says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    /// Says that something may be wrong.
    Warning,
    /// Warns about a place, `src/a.rs:12`.
    Finding,
    /// Counts what passed, failed or was done.
    Outcome,
    /// Mentions an error.
    Mention,
    /// Is an error or names a failing test.
    Error,
}

/// Words that make a line worth a closer look; case of ASCII letters does not matter.
const WORDS: &[&str] = &[
    "error",
    "fail",
    "panic",
    "exception",
    "traceback",
    "fatal",
    "undefined",
    "cannot",
    "not found",
    "denied",
    "no such",
    "assert",
    "not ok",
    "unresolved",
    "segmentation",
    "abort",
    "refused",
    "timed out",
    "rejected",
    "invalid",
    "unexpected",
    "✗",
    "✕",
    "✖",
    "×",
    "●",
    "warn",
    "passed",
    "test result",
    "tests:",
    "build success",
    "insertion",
    "finished",
    "no issues",
    "issues:",
    "compiled",
    "succeeded",
    "ok  \t",
    "ok \t",
    "exit",
    "could not",
    "unable",
    "missing",
    "unused",
    "错误",
    "失败",
    "异常",
    "警告",
    "шибк",
    "предупрежд",
    "خطأ",
    "فشل",
    "エラー",
    "失敗",
    "오류",
    "실패",
    "erreur",
    "fehler",
];

#[expect(
    clippy::expect_used,
    reason = "the words are constants; a test builds the automaton"
)]
static FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostFirst)
        .kind(Some(AhoCorasickKind::DFA))
        .build(WORDS)
        .expect("constant words build an automaton")
});

/// Weighs a line, `None` when it says nothing of the kind.
fn weigh(line: &str) -> Option<Weight> {
    let weight = FINDER
        .find_iter(line)
        .filter_map(|found| weigh_word(line, found.start(), found.end(), WORDS[found.pattern()]))
        .max()?;
    let finding = weight == Weight::Warning && has_place(line);
    Some(if finding { Weight::Finding } else { weight })
}

/// Weighs the first 400 characters of a line: what matters stands there.
fn weigh_start(line: &str) -> Option<Weight> {
    if line.len() <= 400 {
        return weigh(line);
    }
    let cut = line
        .char_indices()
        .nth(400)
        .map_or(line.len(), |(cut, _)| cut);
    weigh(&line[..cut])
}

/// Whether a line names a line of a file: `src/a.rs:12`, `a.ts(3,5)`.
pub(super) fn has_place(line: &str) -> bool {
    let bytes = line.as_bytes();
    (1..bytes.len().saturating_sub(1)).any(|at| {
        matches!(bytes[at], b':' | b'(')
            && bytes[at + 1].is_ascii_digit()
            && bytes[at - 1].is_ascii_alphabetic()
            && line[..at]
                .rsplit([' ', '\t'])
                .next()
                .is_some_and(|word| word.contains('.'))
    })
}

/// Weighs one word of a line by what stands around it.
fn weigh_word(line: &str, start: usize, end: usize, word: &str) -> Option<Weight> {
    let before = &line[..start];
    let after = &line[end..];
    let found = &line[start..end];
    let lower = found.starts_with(|c: char| c.is_ascii_lowercase());
    let glued = before.ends_with(['_', '/', '.', '-'])
        || (lower && before.ends_with(char::is_alphanumeric))
        || (!lower && found.is_ascii() && before.ends_with(|c: char| c.is_ascii_uppercase()));
    let zero = before.trim_end().ends_with(" 0") || before.trim_end() == "0" || {
        let before = before.trim_end().to_ascii_lowercase();
        before.ends_with(" no") || before == "no" || before.ends_with("without")
    };
    let tail = after.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let named = tail.starts_with(['_', '/', '-', '('])
        || (tail.starts_with('.') && tail[1..].starts_with(|c: char| c.is_ascii_alphabetic()));
    match word {
        "warn" | "unused" | "警告" | "предупрежд" => {
            (!glued && !named).then_some(Weight::Warning)
        }
        "passed" | "test result" | "tests:" | "build success" | "insertion" | "finished"
        | "no issues" | "issues:" | "compiled" | "succeeded" => {
            (!glued && !named).then_some(Weight::Outcome)
        }
        "ok  \t" | "ok \t" => before.trim().is_empty().then_some(Weight::Outcome),
        "exit" => after
            .trim_start_matches([' ', ':', '=', 's', 't', 'a', 'u', 'c', 'o', 'd', 'e'])
            .starts_with(|c: char| c.is_ascii_digit())
            .then_some(Weight::Outcome),
        "✗" | "✕" | "✖" | "×" | "●" => before.trim().is_empty().then_some(Weight::Error),
        _ if zero => (!glued && !named).then_some(Weight::Outcome),
        _ if glued || named => None,
        "error" | "fail" | "panic" | "exception" | "traceback" | "fatal" | "assert" => {
            let loud = matches!(word, "panic" | "traceback")
                || after.starts_with([':', '[', '!'])
                || tail.starts_with([':', '[', '\t', '!'])
                || found.bytes().all(|b| b.is_ascii_uppercase())
                || (before.ends_with(char::is_alphanumeric)
                    && (tail.is_empty() || tail.starts_with(':')))
                || before.trim().is_empty()
                || before.trim_end().ends_with(':');
            Some(if loud { Weight::Error } else { Weight::Mention })
        }
        _ if !word.is_ascii() => Some(Weight::Error),
        _ => Some(if before.contains(':') {
            Weight::Error
        } else {
            Weight::Mention
        }),
    }
}

/// Most lines of one weight that are held for quoting.
const HELD: usize = 24;

/// What a log reports, in the order of its lines.
#[derive(Default)]
struct Report<'a> {
    lines: Vec<(Weight, &'a str)>,
    outcomes: Vec<&'a str>,
    /// Outcomes that say no more than that one thing went well.
    good: usize,
    errors: usize,
    warnings: usize,
}

/// Reads a log: counts, the first error and the last outcome as facts, more of them as quotes.
///
/// Gives `false` and finds nothing when the text reports neither.
pub(super) fn read(text: &str, findings: &mut Findings) -> bool {
    let report = collect(text);
    let counts = [
        (report.errors, "error line", "error lines"),
        (report.warnings, "warning", "warnings"),
    ];
    for (count, one, many) in counts.into_iter().filter(|count| count.0 > 0) {
        findings.state(format!("{count} {}", if count == 1 { one } else { many }));
    }
    if report.good > 1 {
        findings.state(format!("{} ok", report.good));
    }
    if report.errors + report.warnings + report.outcomes.len() == 0 {
        return false;
    }
    quote(text, &report, findings);
    true
}

/// Whether an error stands at the margin of a text that looks like code.
///
/// Code mentions errors inside blocks; what a tool reports is not indented.
pub(super) fn has_error_at_margin(lines: &[&str]) -> bool {
    let at_margin = |line: &&&str| line.starts_with(|c: char| c.is_alphabetic() || c == '[');
    lines
        .iter()
        .filter(at_margin)
        .any(|line| weigh_start(line) == Some(Weight::Error))
}

/// Goes through the whole text once and looks closer at the lines that hold one of the words.
fn collect(text: &str) -> Report<'_> {
    let mut report = Report::default();
    let bytes = text.as_bytes();
    let mut position = 0;
    while let Some(found) = FINDER.find(&text[position..]) {
        let at = position + found.start();
        let start =
            memchr::memrchr(b'\n', &bytes[position..at]).map_or(position, |n| position + n + 1);
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(text.len(), |n| at + n);
        position = end;
        // The word may stand far into a very long line: quote from there.
        let line = if at - start > 400 {
            &text[at..end]
        } else {
            &text[start..end]
        };
        match weigh_start(line) {
            Some(Weight::Outcome) => {
                report.good += usize::from(line.trim_start().starts_with("ok"));
                // First and last outcomes say more than those between.
                if report.outcomes.len() >= HELD {
                    report.outcomes.remove(HELD / 2);
                }
                report.outcomes.push(line);
            }
            Some(weight) => {
                report.errors += usize::from(weight == Weight::Error);
                report.warnings += usize::from(matches!(weight, Weight::Warning | Weight::Finding));
                let line = match weight {
                    Weight::Error => with_place(text, line, end),
                    _ => line,
                };
                hold(&mut report.lines, weight, line);
            }
            None => {}
        }
    }
    report
}

/// An error line together with the next line, where that gives its place or its message.
///
/// `error[E0433]: …` is followed by `--> src/main.rs:3:13`, `panicked at …:` by what was wrong.
fn with_place<'a>(text: &'a str, line: &'a str, end: usize) -> &'a str {
    let start = end - line.len();
    let Some(rest) = text.get(end + 1..) else {
        return line;
    };
    let next = rest.lines().next().unwrap_or_default();
    let points = ["-->", "at ", "File ", "in "]
        .iter()
        .any(|mark| next.trim_start().starts_with(mark));
    let goes_on = line.trim_end().ends_with(':') && has_text(next);
    if next.len() < 200 && (points || goes_on) {
        &text[start..end + 1 + next.len()]
    } else {
        line
    }
}

fn hold<'a>(lines: &mut Vec<(Weight, &'a str)>, weight: Weight, line: &'a str) {
    let of_weight = lines.iter().filter(|held| held.0 == weight).count();
    if of_weight < HELD && !lines.iter().any(|held| held.1.trim() == line.trim()) {
        lines.push((weight, line));
    }
}

/// Quotes errors first, then outcomes, then whatever else the log begins and ends with.
fn quote(text: &str, report: &Report<'_>, findings: &mut Findings) {
    let of = |weight: Weight| {
        report
            .lines
            .iter()
            .filter(move |held| held.0 == weight)
            .map(|held| held.1)
    };
    // The last line of a traceback says what its first only announces.
    let announces = |line: &&str| line.trim_start().starts_with("Traceback");
    let first = of(Weight::Error).find(|line| !announces(line));
    if let Some(line) = first.or_else(|| of(Weight::Error).next()) {
        findings.lead(line, 140);
    }
    if let Some(outcome) = report.outcomes.last() {
        findings.lead(outcome, 100);
    }
    for line in of(Weight::Error).take(8) {
        findings.quote(line, 160);
    }
    for line in of(Weight::Finding).take(4) {
        findings.quote(line, 160);
    }
    for line in of(Weight::Mention).take(3) {
        findings.quote(line, 140);
    }
    for line in report.outcomes.iter().rev().skip(1).take(3) {
        findings.quote(line, 100);
    }
    for line in of(Weight::Warning).take(2) {
        findings.quote(line, 120);
    }
    if findings.quotes.len() < 3 {
        let first = text.lines().find(|line| has_text(line));
        let last = text.lines().rev().find(|line| has_text(line));
        for line in first.into_iter().chain(last) {
            findings.quote(line, 120);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_weighed_by_their_words() {
        let check =
            |line: &str, expected: Option<Weight>| assert_eq!(weigh(line), expected, "{line}");
        check("error[E0433]: failed to resolve", Some(Weight::Error));
        check(
            "src/a.ts(3,5): error TS2304: Cannot find name 'x'.",
            Some(Weight::Error),
        );
        check("TypeError: x is not a function", Some(Weight::Error));
        check("java.lang.NullPointerException: null", Some(Weight::Error));
        check("--- FAIL: TestParse (0.00s)", Some(Weight::Error));
        check(
            "FAILED tests/test_a.py::test_b - assert 1 == 2",
            Some(Weight::Error),
        );
        check(
            "thread 'main' panicked at src/main.rs:2:5:",
            Some(Weight::Error),
        );
        check("Traceback (most recent call last):", Some(Weight::Error));
        check("bash: foo: command not found", Some(Weight::Error));
        check("  ✕ adds numbers (3 ms)", Some(Weight::Error));
        check("not ok 3 - parses", Some(Weight::Mention));
        check("致命错误：文件不存在", Some(Weight::Error));
        check("Ошибка: файл не найден", Some(Weight::Error));
        check("warning: unused variable", Some(Weight::Warning));
        check("src/a.c:3:5: warning: unused x", Some(Weight::Finding));
        check("0 errors, 0 warnings", Some(Weight::Outcome));
        check("test result: ok. 3 passed; 0 failed", Some(Weight::Outcome));
        check("ok  \texample.org/x\t0.01s", Some(Weight::Outcome));
        check("src/error_handling.rs", None);
        check("docs/errors.md", None);
        check("hello", None);
        check("type ParseError struct {", Some(Weight::Mention));
    }

    #[test]
    fn an_error_is_found_anywhere() {
        let mut text = "compiling a part\n".repeat(1500);
        text.push_str("error[E0308]: mismatched types in src/deep.rs:12:3\n");
        text.push_str(&"compiling a part\n".repeat(1500));
        let mut findings = Findings::default();
        assert!(read(&text, &mut findings));
        assert_eq!(findings.facts[0], "1 error line");
        assert!(findings.facts[1].contains("src/deep.rs:12:3"));
    }
}
