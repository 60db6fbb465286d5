//! The invented project on a disk that exists only here: steps run against it, so that what one call
//! writes is what a later call reads.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

use super::session::{Action, Call, Outcome, Range};

/// The files of the project by their relative path.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    files: BTreeMap<String, String>,
    images: BTreeMap<String, String>,
}

impl Workspace {
    pub(crate) fn add(&mut self, path: &str, content: impl Into<String>) {
        self.files.insert(path.to_owned(), content.into());
    }

    /// Adds a PNG image, given in base64.
    pub(crate) fn add_image(&mut self, path: &str, data: String) {
        self.images.insert(path.to_owned(), data);
    }

    /// Runs an action that needs nothing but the files; fails where the script contradicts itself.
    pub(crate) fn run(&mut self, action: Action) -> Result<Call> {
        let outcome = match &action {
            Action::Read { path, range } => self.read(path, *range),
            Action::List { path } => Outcome::Listing(self.list(path)),
            Action::Search { pattern, path } => Outcome::Matches(self.search(pattern, path)),
            Action::Find { pattern } => Outcome::Paths(self.find(pattern)),
            Action::Edit { path, old, new } => self.edit(path, old, new)?,
            Action::Write { path, content } => {
                self.add(path, content.as_str());
                Outcome::Written
            }
            Action::Run { .. } | Action::Fetch { .. } => {
                anyhow::bail!("{action:?} needs an answer from the script")
            }
        };
        Ok(Call { action, outcome })
    }

    fn read(&self, path: &str, range: Option<Range>) -> Outcome {
        if let Some(data) = self.images.get(path) {
            return Outcome::Image { data: data.clone() };
        }
        let Some(content) = self.files.get(path) else {
            return Outcome::Missing;
        };
        let lines: Vec<&str> = content.split('\n').collect();
        let Range { first, count } = range.unwrap_or(Range {
            first: 1,
            count: lines.len(),
        });
        let shown: Vec<&str> = lines.iter().skip(first - 1).take(count).copied().collect();
        Outcome::File {
            content: shown.join("\n"),
            first,
            total: lines.len(),
        }
    }

    fn list(&self, path: &str) -> Vec<String> {
        let prefix = if path == "." {
            String::new()
        } else {
            format!("{path}/")
        };
        let mut names: Vec<String> = Vec::new();
        for file in self.files.keys().chain(self.images.keys()) {
            let Some(rest) = file.strip_prefix(&prefix) else {
                continue;
            };
            let name = match rest.split_once('/') {
                Some((folder, _)) => format!("{folder}/"),
                None => rest.to_owned(),
            };
            names.push(name);
        }
        names.sort();
        names.dedup();
        names
    }

    fn search(&self, pattern: &str, path: &str) -> Vec<(String, usize, String)> {
        let under =
            |file: &str| path == "." || file == path || file.starts_with(&format!("{path}/"));
        let files = self.files.iter().filter(|(file, _)| under(file));
        files
            .flat_map(|(file, content)| {
                let lines = content
                    .lines()
                    .enumerate()
                    .filter(|(_, line)| line.contains(pattern));
                lines.map(|(index, line)| (file.clone(), index + 1, line.to_owned()))
            })
            .collect()
    }

    /// Knows one kind of pattern, `**/*SUFFIX`.
    fn find(&self, pattern: &str) -> Vec<String> {
        let suffix = pattern.rsplit('*').next().unwrap_or(pattern);
        self.files
            .keys()
            .filter(|file| file.ends_with(suffix))
            .cloned()
            .collect()
    }

    fn edit(&mut self, path: &str, old: &str, new: &str) -> Result<Outcome> {
        let content = self
            .files
            .get_mut(path)
            .with_context(|| format!("no file {path} to edit"))?;
        let found = content.matches(old).count();
        ensure!(
            found == 1,
            "the text to replace occurs {found} times in {path}: {old}"
        );
        let before = content.clone();
        *content = content.replace(old, new);
        Ok(Outcome::Edited { before })
    }
}

/// The changed lines of an edit, with three lines of context on both sides.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Hunk {
    /// Number of the first line shown, in both files.
    pub(crate) first: usize,
    /// Number of the first changed line.
    pub(crate) changed: usize,
    /// Lines, each after its mark: a space, `-` or `+`.
    pub(crate) lines: Vec<(char, String)>,
}

impl Hunk {
    /// Compares a file before and after one replacement.
    pub(crate) fn between(before: &str, after: &str) -> Self {
        let (old, new): (Vec<_>, Vec<_>) = (before.lines().collect(), after.lines().collect());
        let shorter = old.len().min(new.len());
        let head = (0..shorter).take_while(|&at| old[at] == new[at]).count();
        let same_end = |back: &usize| old[old.len() - 1 - back] == new[new.len() - 1 - back];
        let tail = (0..shorter - head).take_while(same_end).count();
        let from = head.saturating_sub(3);
        let until = (old.len() - tail + 3).min(old.len());
        let mark = |mark: char, lines: &[&str]| -> Vec<(char, String)> {
            lines
                .iter()
                .map(|line| (mark, (*line).to_owned()))
                .collect()
        };
        let mut lines = mark(' ', &old[from..head]);
        lines.extend(mark('-', &old[head..old.len() - tail]));
        lines.extend(mark('+', &new[head..new.len() - tail]));
        lines.extend(mark(' ', &old[old.len() - tail..until]));
        Self {
            first: from + 1,
            changed: head + 1,
            lines,
        }
    }

    /// How many lines the hunk covers in the file before (`-`) or after (`+`).
    pub(crate) fn count(&self, side: char) -> usize {
        self.lines
            .iter()
            .filter(|(mark, _)| *mark == ' ' || *mark == side)
            .count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hunk_shows_the_change_and_three_lines_around_it() {
        let hunk = Hunk::between("a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nd\nE\nE2\nf\ng\nh\n");
        let lines = hunk
            .lines
            .iter()
            .map(|(mark, line)| format!("{mark}{line}"));
        assert_eq!(
            lines.collect::<Vec<_>>().join(" "),
            " b  c  d -e +E +E2  f  g  h"
        );
        assert_eq!(
            (hunk.first, hunk.changed, hunk.count('-'), hunk.count('+')),
            (2, 5, 7, 8)
        );
    }

    #[test]
    fn an_edit_must_be_unique_and_is_seen_by_the_next_read() {
        let mut workspace = Workspace::default();
        workspace.add("src/a.ts", "one\ntwo\none\n");
        let edit = |old: &str| Action::Edit {
            path: "src/a.ts".into(),
            old: old.into(),
            new: "2".into(),
        };
        assert!(workspace.run(edit("one")).is_err());
        assert!(workspace.run(edit("two")).is_ok());
        let read = workspace
            .run(Action::Read {
                path: "src/a.ts".into(),
                range: None,
            })
            .unwrap();
        assert!(
            matches!(read.outcome, Outcome::File { content, .. } if content == "one\n2\none\n")
        );
    }
}
