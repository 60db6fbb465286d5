//! Patches and what edits changed: files with their line counts, and the headings of the hunks.

use std::borrow::Cow;

use super::findings::Findings;
use super::line::{clean, is_quotable, split};

/// Whether a sample of lines comes from a patch or from a table of changed files.
pub(super) fn is_diff(lines: &[&str]) -> bool {
    let heads = lines
        .iter()
        .filter(|line| {
            line.starts_with("diff --git ")
                || line.starts_with("@@ -")
                || line.starts_with("*** Update File: ")
                || line.starts_with("*** Add File: ")
        })
        .count();
    heads > 0 && (heads >= 2 || lines.iter().take(15).any(|line| is_head(line)))
        || lines.iter().any(|line| is_stat_total(line))
            && lines.iter().filter(|line| stat(line).is_some()).count() > 0
}

fn is_head(line: &str) -> bool {
    line.starts_with("diff --git ") || line.starts_with("@@") || line.starts_with("*** ")
}

/// ` 3 files changed, 10 insertions(+), 2 deletions(-)`
fn is_stat_total(line: &str) -> bool {
    line.starts_with(' ')
        && line.trim_start().starts_with(|c: char| c.is_ascii_digit())
        && line.contains(" changed, ")
}

/// ` src/a.rs | 12 +++--`
fn stat(line: &str) -> Option<(&str, &str)> {
    let (path, rest) = line.split_once(" | ")?;
    let (path, rest) = (path.trim(), rest.trim());
    let number = rest.split(' ').next()?;
    let counted =
        !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) || number == "Bin";
    (counted && !path.is_empty() && !path.contains(' ')).then_some((path, number))
}

/// One file of a patch.
struct File<'a> {
    path: &'a str,
    added: usize,
    removed: usize,
}

/// Reads a patch: files with counts as names, hunk headings and declarations as quotes.
pub(super) fn read<'a>(lines: &[&'a str], findings: &mut Findings<'a>) {
    let mut files: Vec<File<'_>> = Vec::new();
    let mut stats = Vec::new();
    let mut headings: Vec<&str> = Vec::new();
    let mut total = None;
    for line in lines.iter().copied() {
        if let Some(path) = file_head(line) {
            if files.last().is_none_or(|file| file.path != path) {
                files.push(File {
                    path,
                    added: 0,
                    removed: 0,
                });
            }
        } else if let Some(heading) = hunk_heading(line) {
            if headings.len() < 40 {
                headings.push(heading);
            }
        } else if line.starts_with('+') && !line.starts_with("+++ ") {
            if let Some(file) = files.last_mut() {
                file.added += 1;
            }
            if headings.len() < 40 && super::source::declaration(line[1..].trim()).is_some() {
                headings.push(line);
            }
        } else if line.starts_with('-') && !line.starts_with("--- ") {
            if let Some(file) = files.last_mut() {
                file.removed += 1;
            }
        } else if files.is_empty() {
            if let Some(stat) = stat(line) {
                stats.push(stat);
            } else if is_stat_total(line) {
                total = Some(line.trim());
            }
        }
    }
    let (added, removed) = files.iter().fold((0, 0), |sum, file| {
        (sum.0 + file.added, sum.1 + file.removed)
    });
    if let Some(total) = total {
        findings.lead(total, 100);
    } else if !files.is_empty() {
        let noun = if files.len() == 1 { "file" } else { "files" };
        findings.state(format!(
            "diff of {} {noun}, +{added} -{removed}",
            files.len()
        ));
    }
    for heading in headings {
        findings.quote(heading, 90);
    }
    for file in files.iter().take(30).filter(|file| is_quotable(file.path)) {
        findings.names.push(
            format!(
                "{} +{} -{}",
                clean(file.path, 110),
                file.added,
                file.removed
            )
            .into(),
        );
    }
    if files.is_empty() {
        for (path, number) in stats
            .into_iter()
            .take(30)
            .filter(|stat| is_quotable(stat.0))
        {
            findings
                .names
                .push(format!("{} {number}", clean(path, 110)).into());
        }
    }
}

/// The path in a line that opens a file of a patch.
fn file_head(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix("diff --git ") {
        let path = rest.rsplit_once(" b/").map_or(rest, |(_, path)| path);
        return Some(path);
    }
    if let Some(rest) = line.strip_prefix("+++ ") {
        let path = rest.split('\t').next()?.trim();
        let path = path.strip_prefix("b/").unwrap_or(path);
        return (path != "/dev/null").then_some(path);
    }
    ["*** Update File: ", "*** Add File: ", "*** Delete File: "]
        .iter()
        .find_map(|head| line.strip_prefix(head))
        .map(str::trim)
}

/// What stands behind the ranges of a hunk: the function that it is in.
fn hunk_heading(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("@@")?;
    let heading = rest
        .split_once("@@")
        .map_or("", |(_, heading)| heading)
        .trim();
    (!heading.is_empty()).then_some(heading)
}

/// States what replacements changed: lines added and removed, and the first changed line.
pub(super) fn state_edits<'a>(
    edits: &'a [(Cow<'_, str>, Cow<'_, str>)],
    findings: &mut Findings<'a>,
) {
    let changes: Vec<_> = edits.iter().map(|(old, new)| changed(old, new)).collect();
    let added: usize = changes.iter().map(|change| change.0).sum();
    let removed: usize = changes.iter().map(|change| change.1).sum();
    findings.state(format!("+{added} -{removed}"));
    for line in changes.iter().take(4).filter_map(|change| change.2) {
        findings.quote(line, 100);
    }
}

/// Lines added and removed between two texts, and the first line that differs.
fn changed<'a>(old: &'a str, new: &'a str) -> (usize, usize, Option<&'a str>) {
    let (old, new) = (split(old), split(new));
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let room = old.len().min(new.len()) - head;
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(room)
        .take_while(|(a, b)| a == b)
        .count();
    let (minus, plus) = (old.len() - head - tail, new.len() - head - tail);
    let filled = |line: &&&str| !line.trim().is_empty();
    let first = new[head..head + plus].iter().find(filled);
    let first = first.or_else(|| old[head..head + minus].iter().find(filled));
    (plus, minus, first.copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "diff --git a/src/a.rs b/src/a.rs\n--- a/src/a.rs\n+++ b/src/a.rs\n\
        @@ -1,3 +1,4 @@ fn main() {\n context\n-old\n+new\n+fn added() {\n";

    #[test]
    fn patches_keep_files_counts_and_headings() {
        assert!(is_diff(&PATCH.lines().collect::<Vec<_>>()));
        let mut findings = Findings::default();
        read(&crate::extractive::line::split(PATCH), &mut findings);
        assert_eq!(findings.facts, ["diff of 1 file, +2 -1"]);
        assert_eq!(findings.names, ["src/a.rs +2 -1"]);
        assert_eq!(findings.quotes, ["fn main() {", "+fn added() {"]);
    }

    #[test]
    fn tables_of_changed_files_are_read() {
        let text = " a.rs | 3 +-\n b/c.md | Bin 0 -> 12 bytes\n 2 files changed, 2 insertions(+)\n";
        assert!(is_diff(&text.lines().collect::<Vec<_>>()));
        let mut findings = Findings::default();
        read(&crate::extractive::line::split(text), &mut findings);
        assert_eq!(findings.facts, ["2 files changed, 2 insertions(+)"]);
        assert_eq!(findings.names, ["a.rs 3", "b/c.md Bin"]);
    }

    #[test]
    fn edits_count_only_what_differs() {
        assert_eq!(changed("a\nb\nc", "a\nx\ny\nc"), (2, 1, Some("x")));
        assert_eq!(changed("a\nb", "a"), (0, 1, Some("b")));
        assert_eq!(changed("a", "a"), (0, 0, None));
        assert_eq!(changed("", "a\n"), (1, 0, Some("a")));
    }
}
