//! Output of commands: errors, failing tests, outcomes and counts, in any language of tools.

use super::findings::Findings;
use super::generic::has_text;
use super::weight::{Weight, weighed_lines};

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
pub(super) fn read<'a>(text: &'a str, findings: &mut Findings<'a>) -> bool {
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
pub(super) fn has_error_at_margin(text: &str) -> bool {
    weighed_lines(text).any(|(weight, line, _)| {
        weight == Weight::Error && line.starts_with(|c: char| c.is_alphabetic() || c == '[')
    })
}

/// Goes through the whole text once and looks closer at the lines that hold one of the words.
fn collect(text: &str) -> Report<'_> {
    let mut report = Report::default();
    for (weight, line, end) in weighed_lines(text) {
        if weight == Weight::Outcome {
            report.good += usize::from(line.trim_start().starts_with("ok"));
            // First and last outcomes say more than those between.
            if report.outcomes.len() >= HELD {
                report.outcomes.remove(HELD / 2);
            }
            report.outcomes.push(line);
            continue;
        }
        report.errors += usize::from(weight == Weight::Error);
        report.warnings += usize::from(matches!(weight, Weight::Warning | Weight::Finding));
        let line = match weight {
            Weight::Error => with_place(text, line, end),
            _ => line,
        };
        hold(&mut report.lines, weight, line);
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
fn quote<'a>(text: &'a str, report: &Report<'a>, findings: &mut Findings<'a>) {
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
        findings.lead(*outcome, 100);
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
        findings.quote(*line, 100);
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
