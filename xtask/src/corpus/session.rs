//! One session: condensed, recovered, expanded, condensed again.

use std::path::Path;

use anyhow::{Result, ensure};
use epitome_condenser::recover::{Selector, recover};
use epitome_condenser::{
    Condensation, CondenseOptions, Manner, Persistence, Thinking, condense, expand, record,
};
use epitome_core::batch::Batching;
use epitome_core::condense::Extent;
use epitome_core::edit::Edited;
use epitome_core::id::FullRef;
use epitome_core::protect::{DEFAULT_PROTECTED_PATH, Protection};
use epitome_core::stub::{self, Channel};
use epitome_core::transcript::{Transcript, decode_content};
use epitome_core::wire;
use epitome_index::{SqliteStore, Store};
use epitome_summarizer::extractive::Extractive;

/// Session id of the resumed form.
const FRESH_ID: &str = "00000000-0000-4000-8000-000000000000";

/// With which options a session is condensed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settings {
    /// Those of the command line.
    Defaults,
    /// `--all --min-batch-chars 0`.
    Everything,
}

impl Settings {
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Defaults => "defaults",
            Self::Everything => "--all --min-batch-chars 0",
        }
    }

    fn options(self, fresh_session_id: Option<String>) -> CondenseOptions {
        let (keep_turns, min_batch_chars) = match self {
            Self::Defaults => (3, 1000),
            Self::Everything => (0, 0),
        };
        CondenseOptions {
            extent: Extent::Context,
            keep_turns,
            batching: Batching::Turn,
            min_batch_chars,
            protection: Protection::new(&[""; 0], &[DEFAULT_PROTECTED_PATH]),
            channel: Channel::Command,
            thinking: if fresh_session_id.is_some() {
                Thinking::ByModel
            } else {
                Thinking::Keep
            },
            fresh_session_id,
            title: "session".to_owned(),
            now_ms: 0,
        }
    }
}

/// What was counted, over one session or many.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Findings {
    pub(super) files: usize,
    pub(super) calls: usize,
    pub(super) summarized: usize,
    pub(super) refused: usize,
    broken_lines: usize,
    recovery_mismatches: usize,
    new_violations: usize,
    changed_outside: usize,
    differing_runs: usize,
    differing_expansions: usize,
    not_idempotent: usize,
}

impl Findings {
    pub(super) fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.summarized += other.summarized;
        self.broken_lines += other.broken_lines;
        self.recovery_mismatches += other.recovery_mismatches;
        self.new_violations += other.new_violations;
        self.changed_outside += other.changed_outside;
        self.differing_runs += other.differing_runs;
        self.differing_expansions += other.differing_expansions;
        self.not_idempotent += other.not_idempotent;
    }

    pub(super) fn is_bad(&self) -> bool {
        let bad = self.refused
            + self.recovery_mismatches
            + self.new_violations
            + self.changed_outside
            + self.differing_runs
            + self.differing_expansions
            + self.not_idempotent;
        bad > 0
    }

    pub(super) fn header() -> String {
        "format       files  calls  summarized  refused  broken lines  recovery mismatches  \
         new violations  changed outside edits  differing second runs  differing expansions  \
         twice not once"
            .to_owned()
    }

    pub(super) fn row(&self, format: &str) -> String {
        format!(
            "{format:<11}{:>7}{:>7}{:>12}{:>9}{:>14}{:>21}{:>16}{:>23}{:>23}{:>22}{:>16}",
            self.files,
            self.calls,
            self.summarized,
            self.refused,
            self.broken_lines,
            self.recovery_mismatches,
            self.new_violations,
            self.changed_outside,
            self.differing_runs,
            self.differing_expansions,
            self.not_idempotent,
        )
    }
}

/// Condenses a session in place of a user, with a fresh store, and checks what came out.
pub(super) fn check_session(name: &str, source: &[u8], settings: Settings) -> Result<Findings> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("first.db");
    let options = settings.options(None);
    let first = run(source, &options, &path)?;
    let second = run(source, &options, &folder.path().join("second.db"))?;
    let again = run(source, &options, &path)?;
    let store = SqliteStore::open(&path)?;
    let mut findings = Findings {
        calls: first.report.calls.total,
        summarized: first.report.calls.summarized,
        broken_lines: first.report.broken_lines,
        ..Findings::default()
    };
    let output = &first.output.bytes;
    findings.differing_runs += usize::from(second.output.bytes != *output);
    findings.differing_runs += usize::from(again.output.bytes != *output);
    findings.recovery_mismatches = recovery_mismatches(name, source, &first, &store)?;
    check_output(
        source,
        &first.output,
        &store,
        &first.transcript,
        &mut findings,
    )?;
    let twice = run(output, &options, &path)?;
    findings.not_idempotent += usize::from(twice.output.bytes != *output);
    let resumed = run(source, &settings.options(Some(FRESH_ID.to_owned())), &path)?;
    check_output(
        source,
        &resumed.output,
        &store,
        &resumed.transcript,
        &mut findings,
    )?;
    let twice = run(&resumed.output.bytes, &options, &path)?;
    findings.not_idempotent += usize::from(twice.output.bytes != resumed.output.bytes);
    Ok(findings)
}

fn run(source: &[u8], options: &CondenseOptions, store: &Path) -> Result<Condensation> {
    let store = SqliteStore::open(store)?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let work = condense(
        source,
        options,
        &store,
        &Extractive,
        Persistence::Commit,
        &|_| {},
    );
    let condensation = runtime.block_on(work)?;
    record(source, &condensation, options, &store)?;
    Ok(condensation)
}

/// What every output must hold to, whatever the options.
fn check_output(
    source: &[u8],
    output: &Edited,
    store: &SqliteStore,
    transcript: &Transcript,
    findings: &mut Findings,
) -> Result<()> {
    let after = wire::read(&output.bytes)?;
    findings.new_violations +=
        wire::new_violations(&transcript.violations, &after.violations).len();
    findings.changed_outside += changed_outside(source, output);
    if output.edits.is_empty() {
        findings.differing_expansions += usize::from(output.bytes != source);
    } else {
        let expanded = expand(&output.bytes, store)?;
        let whole = expanded.manner == Manner::Whole && expanded.bytes == source;
        findings.differing_expansions += usize::from(!whole);
    }
    Ok(())
}

/// Bytes that differ although no edit covers them.
fn changed_outside(source: &[u8], output: &Edited) -> usize {
    let end = (source.len(), output.bytes.len());
    let edits = output.edits.iter();
    let starts = edits
        .clone()
        .map(|edit| (edit.source.start, edit.output.start))
        .chain([end]);
    let ends = [(0, 0)]
        .into_iter()
        .chain(edits.map(|edit| (edit.source.end, edit.output.end)));
    let differing = ends
        .zip(starts)
        .map(|((source_from, output_from), (source_to, output_to))| {
            let before = &source[source_from..source_to];
            let after = &output.bytes[output_from..output_to];
            let unequal = before
                .iter()
                .zip(after)
                .filter(|(before, after)| before != after)
                .count();
            unequal + before.len().abs_diff(after.len())
        });
    differing.sum()
}

/// Stubs of the output whose original does not come back as the raw bytes of the source.
fn recovery_mismatches(
    name: &str,
    source: &[u8],
    condensation: &Condensation,
    store: &dyn Store,
) -> Result<usize> {
    let output = &condensation.output.bytes;
    let after = wire::read(output)?;
    ensure!(
        after.calls.len() == condensation.transcript.calls.len(),
        "{name}: calls were lost"
    );
    let mut mismatches = 0;
    let mut stubs = 0;
    for (call, condensed) in condensation.transcript.calls.iter().zip(&after.calls) {
        let (Some(result), Some(stubbed)) = (call.results.first(), condensed.results.first())
        else {
            continue;
        };
        let text = |bytes: &'_ [u8], span: &Option<std::ops::Range<usize>>| {
            span.clone()
                .map(|span| String::from_utf8_lossy(&bytes[span]).into_owned())
        };
        let original = text(source, &result.content);
        let shown = text(output, &stubbed.content);
        if original == shown {
            continue;
        }
        stubs += 1;
        let Some(full_ref) = stub::parse(&decode_content(shown.as_deref()).text) else {
            mismatches += 1;
            continue;
        };
        mismatches += usize::from(!comes_back(
            store,
            &full_ref,
            call,
            original.as_deref(),
            text(source, &call.input).as_deref(),
        )?);
    }
    let reported = condensation.report.calls.summarized + condensation.report.calls.duplicates;
    ensure!(
        stubs == reported,
        "{name}: {stubs} stubs, but the report says {reported}"
    );
    Ok(mismatches)
}

fn comes_back(
    store: &dyn Store,
    full_ref: &FullRef,
    call: &epitome_core::transcript::Call,
    original: Option<&str>,
    input: Option<&str>,
) -> Result<bool> {
    let selector = Selector::parse(&full_ref.to_string(), None);
    let found = recover(store, &selector)?;
    Ok(found.iter().any(|found| {
        found.provider_id == call.key.id
            && found.occurrence == call.key.occurrence
            && Some(found.raw.as_slice()) == original.map(str::as_bytes)
            && found.args == input.unwrap_or_default()
    }))
}
