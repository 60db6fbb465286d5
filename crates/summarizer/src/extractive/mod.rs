//! The extractive summarizer: bullets made of the calls' own words, without a model.
//!
//! [`extract`] is a pure function: equal batches give equal bytes. What a bullet says stands in the
//! call, except counts. Bullets are single lines and hold no label but their own (decisions,
//! section 4).

mod args;
mod body;
mod class;
mod diff;
mod fields;
mod findings;
mod generic;
mod html;
mod json;
mod kind;
mod layout;
mod line;
mod listing;
mod log;
mod names;
mod said;
mod search_hits;
pub(crate) mod source;
mod table;
#[cfg(test)]
mod tests;
mod weight;

use async_trait::async_trait;
use epitome_core::call::{CapturedBatch, CapturedCall};

use self::args::Request;
use self::body::Body;
use self::findings::Findings;
use self::kind::{Failed, Kind};
use crate::{BatchSummary, Error, Summarizer};

/// Summarizes by extraction: no model, no network, no clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extractive;

#[async_trait]
impl Summarizer for Extractive {
    fn name(&self) -> &'static str {
        "extractive"
    }

    async fn summarize_batch(&self, batch: &CapturedBatch) -> Result<BatchSummary, Error> {
        Ok(BatchSummary {
            text: extract(batch),
        })
    }
}

/// Writes one to three bullets for every call of a batch, in order.
///
/// Each bullet is one line; the first one of a call opens with its label, `- [[1:read]] …`.
///
/// ```
/// use epitome_core::call::{CapturedBatch, CapturedCall};
///
/// let call = CapturedCall {
///     tool: "bash".to_owned(),
///     args: r#"{"command":"cargo test"}"#.to_owned(),
///     text: "test result: ok. 12 passed; 0 failed".to_owned(),
///     ..CapturedCall::default()
/// };
/// let batch = CapturedBatch { calls: vec![call], ..CapturedBatch::default() };
/// assert_eq!(
///     epitome_summarizer::extractive::extract(&batch),
///     "- [[1:bash]] `cargo test`: test result: ok. 12 passed; 0 failed"
/// );
/// ```
pub fn extract(batch: &CapturedBatch) -> String {
    let mut out = String::new();
    for (index, call) in batch.calls.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        out.push_str(&summarize(call, &label(index + 1, &call.tool)));
    }
    out
}

/// The label of a call. A name that could not stand in a label is respelled.
fn label(position: usize, tool: &str) -> String {
    let name: String = tool
        .chars()
        .map(|c| {
            if c == ']' || c == '[' || c.is_control() {
                '_'
            } else {
                c
            }
        })
        .collect();
    let name = if name.trim().is_empty() {
        "tool"
    } else {
        &name
    };
    format!("[[{position}:{name}]]")
}

/// The bullets of one call.
fn summarize(call: &CapturedCall, label: &str) -> String {
    let request = Request::parse(&call.args);
    let body = Body::open(&call.text);
    let failed = if call.is_error || body.exit.is_some_and(|exit| exit != 0) {
        Failed::Yes
    } else {
        Failed::No
    };
    let mut findings = Findings::default();
    if let Some(exit) = body.exit.filter(|exit| *exit != 0) {
        findings.state(format!("exit {exit}"));
    } else if failed == Failed::Yes {
        findings.state("error");
    }
    if let Some((from, to)) = body.range {
        findings.state(format!("lines {from}-{to}"));
    }
    let kind = read(&request, &body, failed, &mut findings);
    if let Some(rest) = &body.rest {
        findings.lead(rest, 80);
    }
    if call.other_blocks > 0 {
        let noun = if call.other_blocks == 1 {
            "part"
        } else {
            "parts"
        };
        findings.state(format!("{} {noun} that are not text", call.other_blocks));
    }
    findings.lay_out(label, &request.name(), budget(kind, body.text.len()))
}

/// Characters for the bullets of one call, by the kind and the size of its text.
fn budget(kind: Kind, length: usize) -> usize {
    match (kind, length) {
        // Every entry of a listing is a name that later work may need.
        (Kind::Listing | Kind::Diff, 0..8_000) => (length * 3 / 5).clamp(440, 500),
        (_, 0..1_000) => 260,
        (_, 1_000..8_000) => 400,
        _ => layout::LARGE,
    }
}

/// Reads the text by its kind.
fn read<'a>(
    request: &'a Request<'_>,
    body: &'a Body<'_>,
    failed: Failed,
    findings: &mut Findings<'a>,
) -> Kind {
    let text = &*body.text;
    let lines = line::split(text);
    let filled = lines
        .iter()
        .filter(|line| !line::is_blank(line))
        .take(4)
        .count();
    if filled == 0 {
        findings.state("no output");
        return Kind::Output;
    }
    if failed == Failed::No && !request.tasks.is_empty() && filled < 4 {
        state_tasks(&request.tasks, findings);
        return Kind::Output;
    }
    if failed == Failed::No && is_confirmation(request, &lines) {
        confirm(request, text, findings);
        return Kind::Output;
    }
    if filled == 1 && text.len() < 300 {
        findings.lead(text, 200);
        return Kind::Output;
    }
    let mut kind = kind::classify(request, text, &lines, failed);
    if kind == Kind::Source && !request.reads_a_file() && log::has_error_at_margin(text) {
        kind = Kind::Output;
    }
    match kind {
        Kind::Diff => diff::read(&lines, findings),
        Kind::Source => {
            if body.range.is_none() {
                findings.state(count_lines(lines.len()));
            }
            source::read(&lines, findings);
        }
        Kind::Listing => listing::read(&lines, findings),
        Kind::SearchHits => search_hits::read(&lines, findings),
        Kind::Json => json::read(text, &lines, findings),
        Kind::Html => html::read(text, findings),
        Kind::Table => {
            if !log::read(text, findings) {
                generic::read_table(&lines, findings);
            }
        }
        Kind::Output => {
            if !log::read(text, findings) {
                if failed == Failed::Yes {
                    lead_with_first(&lines, findings);
                }
                generic::read(&lines, findings);
            }
        }
    }
    if text.len() > 300 && kind != Kind::Listing {
        let from = findings.names.len();
        names::find(text, &mut findings.names);
        if kind == Kind::Diff {
            // Patches name every file twice more, below `a/` and `b/`.
            for name in &mut findings.names[from..] {
                if name.starts_with("a/") || name.starts_with("b/") {
                    *name = name[2..].to_owned().into();
                }
            }
        }
    }
    if findings.is_empty() {
        findings.state(format!("{} bytes", text.len()));
    }
    kind
}

/// States the first line of a failure that names no error as such.
fn lead_with_first<'a>(lines: &[&'a str], findings: &mut Findings<'a>) {
    if let Some(line) = lines.iter().find(|line| generic::has_text(line)) {
        findings.lead(*line, 140);
    }
}

fn count_lines(count: usize) -> String {
    if count == 1 {
        "1 line".to_owned()
    } else {
        format!("{count} lines")
    }
}

/// States how many tasks were listed, and those that are not done first.
fn state_tasks<'a>(tasks: &'a [String], findings: &mut Findings<'a>) {
    findings.state(if tasks.len() == 1 {
        "1 task".to_owned()
    } else {
        format!("{} tasks", tasks.len())
    });
    let done = |task: &&String| task.starts_with("[completed]") || task.starts_with("[done]");
    for task in tasks
        .iter()
        .filter(|task| !done(task))
        .chain(tasks.iter().filter(done))
    {
        findings.quote(task, 80);
    }
}

/// Whether the call changed a file and the result only says so.
fn is_confirmation(request: &Request<'_>, lines: &[&str]) -> bool {
    let changes = !request.edits.is_empty()
        || request.patch.is_some()
        || (request.content.is_some() && request.path.is_some());
    changes && (lines.len() <= 6 || lines[0].contains("updated") || lines[0].contains("edited"))
}

/// States what a call changed, as its arguments say, and that it was done, as its result says.
fn confirm<'a>(request: &'a Request<'_>, text: &'a str, findings: &mut Findings<'a>) {
    if !request.edits.is_empty() {
        diff::state_edits(&request.edits, findings);
    } else if let Some(patch) = &request.patch {
        diff::read(&line::split(patch), findings);
    } else if let Some(content) = &request.content {
        findings.state(format!("{} written", count_lines(content.lines().count())));
    }
    // Most confirmations repeat the path, which stands in front already.
    let said = request
        .path
        .as_deref()
        .is_some_and(|path| text.contains(path));
    if !said {
        findings.lead(text.lines().next().unwrap_or_default(), 100);
    }
}
