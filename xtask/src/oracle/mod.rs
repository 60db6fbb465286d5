//! Checks our pure functions against recorded answers of the reference system.
//!
//! The vectors are no part of the repository: one file per function, one JSON object per line with
//! `id`, `args`, `result`, and `expected` where the recorded answer is not the one we want.

mod calls;
mod deviation;
mod query;
mod summary;
#[cfg(test)]
mod tests;
mod text;

use std::fmt;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// What a check of all functions found.
#[derive(Debug)]
pub(crate) struct OracleReport {
    /// One report per function, in the order of [`FUNCTIONS`].
    pub files: Vec<FileReport>,
}

/// What the check of one function found.
#[derive(Debug)]
pub(crate) struct FileReport {
    /// Name of the function, which is the name of the file.
    pub function: &'static str,
    /// Vectors in the file.
    pub vectors: usize,
    /// Vectors that we answer as wanted.
    pub passed: usize,
    /// Vectors that this check leaves out, because what they need is not part of a pure function.
    pub left_out: usize,
    /// Vectors that we answer otherwise on purpose.
    pub deviations: Vec<(String, &'static str)>,
    /// Vectors that we answer wrongly.
    pub failures: Vec<Failure>,
}

/// A vector that we answer wrongly.
#[derive(Debug)]
pub(crate) struct Failure {
    /// Its id.
    pub id: String,
    /// The answer that was wanted.
    pub expected: Value,
    /// Our answer.
    pub found: Value,
}

/// Our answer to the arguments of a vector.
type Answer = fn(&Value) -> Value;

/// The functions under check, each a section of the condense specification.
const FUNCTIONS: [(&str, Answer); 14] = [
    ("substituteInlineRefs", summary::substitute_inline_refs),
    ("formatSummaryToolCallRefs", summary::format_refs),
    ("normalizeSummaryToolCallRefs", summary::normalize_refs),
    ("serializeBatchForSummarizer", summary::serialize_batch),
    ("normalizeResultText", text::normalize),
    ("hashToolResult", text::hash),
    ("truncateHead", text::truncate_head),
    ("globMatch", calls::glob_match),
    ("isProtected", calls::is_protected),
    ("groupBatchesByMode", calls::group_batches),
    ("captureUnindexedBatchesFromSession", calls::capture_branch),
    ("occKey", calls::format_occurrence),
    ("parseOccKey", calls::parse_occurrence),
    ("queryTool", query::answer),
];

/// Whether a vector is left out: reading results that were moved to files is the store's part.
fn is_left_out(function: &str, line: &str) -> bool {
    function == "queryTool" && line.contains("\"spillPath\"")
}

/// Checks all functions and prints the report; wrong answers are an error.
pub(crate) fn run(folder: &Path) -> Result<()> {
    let report = check(folder)?;
    write!(std::io::stdout(), "{report}")?;
    match report.failures() {
        0 => Ok(()),
        wrong => bail!("{wrong} recorded answers are not matched"),
    }
}

/// Answers every vector of the folder and compares.
pub(crate) fn check(folder: &Path) -> Result<OracleReport> {
    let files = FUNCTIONS
        .iter()
        .map(|&(function, answer)| {
            let path = folder.join(function).with_extension("jsonl");
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("read {}", path.display()))?;
            check_file(function, answer, &text).with_context(|| format!("check {function}"))
        })
        .collect::<Result<_>>()?;
    Ok(OracleReport { files })
}

fn check_file(function: &'static str, answer: Answer, text: &str) -> Result<FileReport> {
    let mut report = FileReport {
        function,
        vectors: 0,
        passed: 0,
        left_out: 0,
        deviations: Vec::new(),
        failures: Vec::new(),
    };
    for line in text.split('\n').filter(|line| !line.is_empty()) {
        let vector: Value = serde_json::from_str(line)?;
        let id = vector["id"].as_str().unwrap_or_default().to_owned();
        let expected = vector.get("expected").unwrap_or(&vector["result"]);
        report.vectors += 1;
        if is_left_out(function, line) {
            report.left_out += 1;
            continue;
        }
        let found = answer(&vector["args"]);
        if same(&found, expected) {
            report.passed += 1;
        } else if let Some(reason) = deviation::reason(function, &vector["args"], &found, expected)
        {
            report.deviations.push((id, reason));
        } else {
            report.failures.push(Failure {
                id,
                expected: expected.clone(),
                found,
            });
        }
    }
    Ok(report)
}

/// The texts of a list.
fn texts_of(list: &Value) -> Vec<String> {
    let texts = list.as_array().into_iter().flatten();
    texts.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Whether two values are equal, numbers by their value and not by their spelling.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            left == right || left.as_f64() == right.as_f64()
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| same(l, r))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(key, l)| right.get(key).is_some_and(|r| same(l, r)))
        }
        _ => left == right,
    }
}

impl OracleReport {
    /// Number of vectors that we answer wrongly.
    pub(crate) fn failures(&self) -> usize {
        self.files.iter().map(|file| file.failures.len()).sum()
    }
}

impl fmt::Display for OracleReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<36}{:>8}{:>8}{:>10}{:>11}{:>8}",
            "function", "vectors", "passed", "left out", "deviations", "wrong"
        )?;
        for file in &self.files {
            writeln!(
                f,
                "{:<36}{:>8}{:>8}{:>10}{:>11}{:>8}",
                file.function,
                file.vectors,
                file.passed,
                file.left_out,
                file.deviations.len(),
                file.failures.len(),
            )?;
        }
        for file in &self.files {
            for (id, reason) in &file.deviations {
                writeln!(f, "{id} differs on purpose: {reason}.")?;
            }
            for Failure {
                id,
                expected,
                found,
            } in &file.failures
            {
                writeln!(
                    f,
                    "{id} is wrong.\n  expected {expected}\n  found    {found}"
                )?;
            }
        }
        Ok(())
    }
}
