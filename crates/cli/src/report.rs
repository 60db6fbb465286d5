//! The report of a condense run, for people and for machines.

use std::path::PathBuf;

use epitome_condenser::{CallCounts, Report, Warning};
use serde_json::{Value, json};

use crate::failure::Result;
use crate::figures::{change, counted, grouped, size, size_change};
use crate::layout::{one_line, row};
use crate::place::StorePlace;
use crate::terminal::{Loudness, Paint, Reader, Stream, Terminal};

/// Warnings that a person sees; the rest is counted.
const MOST_WARNINGS: usize = 10;

/// What a run over one session did.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) session: PathBuf,
    pub(crate) written: Written,
    /// The output is the source, byte for byte.
    pub(crate) identical: bool,
    /// Somebody wrote to the source meanwhile.
    pub(crate) changed_while_read: bool,
    /// The command that resumes the new session.
    pub(crate) resume: Option<String>,
    pub(crate) report: Report,
}

/// Where the output went.
#[derive(Debug)]
pub(crate) enum Written {
    File(PathBuf),
    Output,
    /// A dry run; the file would have been this one.
    Nothing(Option<PathBuf>),
}

/// Prints what a run did: the path alone, the report, or JSON.
pub(crate) fn print(
    outcome: &Outcome,
    stream: Stream,
    place: &StorePlace,
    terminal: &Terminal,
) -> Result<()> {
    let warnings = warnings(outcome);
    if terminal.reader == Reader::Machine {
        return terminal.json(stream, &for_machines(outcome, &warnings, place));
    }
    if terminal.loudness == Loudness::Quiet {
        return match &outcome.written {
            Written::File(path) => terminal.line(stream, &path.to_string_lossy()),
            Written::Output | Written::Nothing(_) => Ok(()),
        };
    }
    print_warnings(&warnings, outcome, stream, terminal)?;
    for (label, pieces, separator) in rows(outcome, place, terminal.loudness) {
        let text = row(label, &pieces, separator);
        let rest = terminal.shown(stream, &text[label.len()..]).into_owned();
        let label = terminal.paint(stream, Paint::Dim, label);
        terminal.bytes(stream, format!("{label}{rest}\n").as_bytes())?;
    }
    Ok(())
}

/// What deserves attention, what the run found and what reading found.
fn warnings(outcome: &Outcome) -> Vec<Warning> {
    let grew = outcome.changed_while_read.then(|| Warning {
        line: None,
        text: "The file changed while it was read: an agent may still be writing to it.".to_owned(),
    });
    grew.into_iter()
        .chain(outcome.report.warnings.iter().cloned())
        .collect()
}

fn print_warnings(
    warnings: &[Warning],
    outcome: &Outcome,
    stream: Stream,
    terminal: &Terminal,
) -> Result<()> {
    let most = match terminal.loudness {
        Loudness::Verbose => warnings.len(),
        Loudness::Normal | Loudness::Quiet => MOST_WARNINGS,
    };
    let label = terminal.paint(stream, Paint::Yellow, "warning:");
    for warning in warnings.iter().take(most) {
        let session = one_line(&outcome.session.to_string_lossy());
        let place = match warning.line {
            Some(line) => format!("{session}:{line}"),
            None => session,
        };
        let text = one_line(&warning.text);
        terminal.bytes(stream, format!("{label} {place}: {text}\n").as_bytes())?;
    }
    let more = warnings.len().saturating_sub(most);
    if more > 0 {
        let text = format!("{label} … and {more} more; -v shows them all.\n");
        terminal.bytes(stream, text.as_bytes())?;
    }
    Ok(())
}

type Row = (&'static str, Vec<String>, &'static str);

fn rows(outcome: &Outcome, place: &StorePlace, loudness: Loudness) -> Vec<Row> {
    const WIDE: &str = "   ";
    let report = &outcome.report;
    let mut rows = vec![
        ("session", session(outcome), WIDE),
        ("context", context(report), WIDE),
        ("file", vec![file(outcome)], WIDE),
        ("calls", calls(&report.calls), ", "),
    ];
    let rest = other_findings(report, loudness);
    if !rest.is_empty() {
        rows.push(("untouched", rest, ", "));
    }
    if report.thinking_removed > 0 {
        let removed = counted(report.thinking_removed as u64, "block");
        rows.push(("thinking", vec![format!("{removed} removed")], ", "));
    }
    rows.push(("originals", originals(outcome, place), ", "));
    rows.push(("written", written(outcome), ", "));
    rows.extend(recover_line(outcome, place).map(|line| ("recover", vec![line], WIDE)));
    rows.extend(resume_line(outcome).map(|line| ("resume", vec![line], WIDE)));
    rows
}

fn session(outcome: &Outcome) -> Vec<String> {
    let report = &outcome.report;
    let facts = format!(
        "{}, {}, {}",
        report.format,
        counted(report.messages as u64, "message"),
        counted(report.calls.total as u64, "call"),
    );
    let path = outcome.session.to_string_lossy();
    let name = if path == "-" { "standard input" } else { &path };
    vec![one_line(name), facts]
}

fn context(report: &Report) -> Vec<String> {
    let context = report.context;
    let percent = change(context.before, context.after)
        .filter(|_| context.before != context.after)
        .map(|percent| format!(" ({percent})"))
        .unwrap_or_default();
    vec![
        format!(
            "{} -> {} tokens{percent}",
            grouped(context.before),
            grouped(context.after)
        ),
        format!("estimate: {}", context.estimator),
    ]
}

fn file(outcome: &Outcome) -> String {
    let report = &outcome.report;
    size_change(report.file_before as u64, report.file_after as u64)
}

/// What became of the calls, without what is zero.
fn calls(counts: &CallCounts) -> Vec<String> {
    if counts.total == 0 {
        return vec!["none".to_owned()];
    }
    let parts = [
        (counts.summarized, "summarized"),
        (
            counts.duplicates,
            if counts.duplicates == 1 {
                "duplicate"
            } else {
                "duplicates"
            },
        ),
        (counts.protected, "protected"),
        (counts.too_small, "too small"),
        (counts.not_smaller, "not smaller"),
        (counts.open, "left open"),
        (counts.already, "condensed before"),
        (counts.other, "left for another reason"),
    ];
    parts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", grouped(count as u64)))
        .collect()
}

/// What passed as it stands because nothing is known of it.
fn other_findings(report: &Report, loudness: Loudness) -> Vec<String> {
    let parts = [
        (report.broken_lines, "broken line"),
        (report.unknown_lines, "unknown line"),
        (report.unknown_blocks, "unknown block"),
    ];
    let mut found: Vec<String> = parts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| counted(count as u64, what))
        .collect();
    let lines = counted(report.lines as u64, "line");
    match found.last_mut() {
        Some(last) => *last = format!("{last} of {lines}"),
        None if loudness == Loudness::Verbose => found.push(format!("nothing of {lines}")),
        None => {}
    }
    found
}

fn originals(outcome: &Outcome, place: &StorePlace) -> Vec<String> {
    let report = &outcome.report;
    let kept = match (&outcome.written, report.originals) {
        (_, 0) => return vec!["none: there is nothing to condense".to_owned()],
        (Written::Nothing(_), _) => "would be kept",
        _ => "kept",
    };
    let store = place.path.to_string_lossy();
    let count = grouped(report.originals as u64);
    vec![
        format!("{count} {kept} in {store}"),
        size(report.original_bytes),
    ]
}

fn written(outcome: &Outcome) -> Vec<String> {
    let written = match &outcome.written {
        Written::File(path) => path.to_string_lossy().into_owned(),
        Written::Output => "standard output".to_owned(),
        Written::Nothing(None) => return vec!["nothing: this is a dry run".to_owned()],
        Written::Nothing(Some(path)) => {
            let path = path.to_string_lossy();
            return vec![format!("nothing: a dry run of {path}")];
        }
    };
    let identical = "identical to the source".to_owned();
    std::iter::once(written)
        .chain(outcome.identical.then_some(identical))
        .collect()
}

fn recover_line(outcome: &Outcome, place: &StorePlace) -> Option<String> {
    let first = outcome.report.first_ref.as_ref()?;
    match outcome.written {
        Written::Nothing(_) => None,
        _ => Some(format!("{} recover {first}", place.program())),
    }
}

fn resume_line(outcome: &Outcome) -> Option<String> {
    match outcome.written {
        Written::Nothing(_) => None,
        _ => outcome.resume.clone(),
    }
}

fn for_machines(outcome: &Outcome, warnings: &[Warning], place: &StorePlace) -> Value {
    let (written, dry_run) = match &outcome.written {
        Written::File(path) => (Some(path.to_string_lossy()), false),
        Written::Output => (Some("-".into()), false),
        Written::Nothing(_) => (None, true),
    };
    let report = serde_json::to_value(&outcome.report).unwrap_or_default();
    let mut value = json!({
        "session": outcome.session.to_string_lossy(),
        "written": written,
        "dry_run": dry_run,
        "identical": outcome.identical,
        "store": place.path.to_string_lossy(),
        "recover": recover_line(outcome, place),
        "resume": resume_line(outcome),
    });
    if let (Value::Object(all), Value::Object(report)) = (&mut value, report) {
        all.extend(report);
        all.insert("warnings".to_owned(), json!(warnings));
    }
    value
}
