//! What an import did, for people and machines.

use epitome_index::import::Completion;
use epitome_retriever::ingest::{IngestCounts, SourceReport};
use serde_json::{Value, json};

use crate::failure::Result;
use crate::figures::{counted, grouped};
use crate::layout::{one_line, wrapped};
use crate::terminal::{Loudness, Reader, Stream, Terminal};

/// Files that a report names of each kind, unless all is asked for.
const NAMED: usize = 10;

/// Reports an import; its JSON ends with one object of exactly the counters.
pub(super) fn tell_import(name: &str, report: &SourceReport, terminal: &Terminal) -> Result<()> {
    match terminal.reader {
        Reader::Machine => {
            for event in events(report) {
                terminal.json(Stream::Output, &event)?;
            }
            terminal.json(Stream::Output, &counts_json(&report.counts))
        }
        Reader::Person => tell_person(name, report, terminal),
    }
}

/// Reports one source of a sync; its counters come with its name.
pub(super) fn tell_sync(name: &str, report: &SourceReport, terminal: &Terminal) -> Result<()> {
    match terminal.reader {
        Reader::Machine => {
            let mut value = json!({ "source": name });
            if let (Value::Object(value), Value::Object(counts)) =
                (&mut value, counts_json(&report.counts))
            {
                value.extend(counts);
            }
            terminal.json(Stream::Output, &value)
        }
        Reader::Person => tell_person(name, report, terminal),
    }
}

fn counts_json(counts: &IngestCounts) -> Value {
    json!({
        "added": counts.added,
        "updated": counts.updated,
        "unchanged": counts.unchanged,
        "pruned": counts.pruned,
        "skipped": counts.skipped,
        "summaries": counts.summaries,
        "summary_errors": counts.summary_errors,
        "summary_backfilled": counts.summary_backfilled,
        "ms": counts.ms,
    })
}

/// What a report names, one object each.
fn events(report: &SourceReport) -> Vec<Value> {
    let named = |event: &str, path: &dyn ToString, reason: &dyn ToString| json!({ "event": event, "path": path.to_string(), "reason": reason.to_string() });
    let mut events = Vec::new();
    for skipped in &report.imported.skipped {
        events.push(named("skipped", &skipped.path, &skipped.reason));
    }
    for noticed in &report.imported.notices {
        events.push(named("changed", &noticed.path, &noticed.notice));
    }
    for failed in &report.ingested.failed {
        events.push(named("summary_error", &failed.path, &failed.reason));
    }
    for path in &report.ingested.stale_by_owner {
        events.push(named("stale_owner_summary", path, &STALE));
    }
    events
}

const STALE: &str = "your summary was written for an earlier version";

fn tell_person(name: &str, report: &SourceReport, terminal: &Terminal) -> Result<()> {
    if terminal.loudness == Loudness::Quiet {
        return Ok(());
    }
    let counts = &report.counts;
    let line = format!(
        "{}: {} added, {} updated, {} unchanged, {} pruned, {} skipped; {} made, {} failed, {} \
         made up for; {:.1} s",
        one_line(name),
        grouped(counts.added),
        grouped(counts.updated),
        grouped(counts.unchanged),
        grouped(counts.pruned),
        grouped(counts.skipped),
        match counts.summaries {
            1 => "1 summary".to_owned(),
            many => format!("{} summaries", grouped(many)),
        },
        grouped(counts.summary_errors),
        grouped(counts.summary_backfilled),
        counts.ms as f64 / 1000.0,
    );
    terminal.line(Stream::Output, &wrapped(&line, 2))?;
    let skipped = report.imported.skipped.iter();
    let skipped: Vec<String> = skipped
        .map(|skipped| format!("{}: {}", skipped.path, skipped.reason))
        .collect();
    tell_list("skipped", &skipped, terminal)?;
    let failed = report.ingested.failed.iter();
    let failed: Vec<String> = failed
        .map(|failed| format!("{}: {}", failed.path, failed.reason))
        .collect();
    tell_list("no summary", &failed, terminal)?;
    let stale = report.ingested.stale_by_owner.iter();
    let stale: Vec<String> = stale.map(|path| format!("{path}: {STALE}")).collect();
    tell_list("stale", &stale, terminal)?;
    if terminal.loudness == Loudness::Verbose {
        let notices = report.imported.notices.iter();
        let notices: Vec<String> = notices
            .map(|noticed| format!("{}: {}", noticed.path, noticed.notice))
            .collect();
        tell_list("changed", &notices, terminal)?;
        terminal.line(Stream::Error, &format!("{name}: {counts}"))?;
    }
    if report.ingested.completion == Completion::Cancelled {
        terminal.line(
            Stream::Error,
            "Interrupted: what was imported is kept, the next sync goes on from there.",
        )?;
    }
    Ok(())
}

fn tell_list(label: &str, lines: &[String], terminal: &Terminal) -> Result<()> {
    let named = match terminal.loudness {
        Loudness::Verbose => lines.len(),
        Loudness::Normal | Loudness::Quiet => NAMED,
    };
    for line in lines.iter().take(named) {
        terminal.line(Stream::Output, &format!("  {label}  {}", one_line(line)))?;
    }
    let rest = lines.len().saturating_sub(named) as u64;
    if rest > 0 {
        let note = format!(
            "  {label}  {} more; --verbose names them",
            counted(rest, "file")
        );
        terminal.line(Stream::Output, &note)?;
    }
    Ok(())
}
