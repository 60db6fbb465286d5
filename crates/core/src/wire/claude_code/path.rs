//! The tree of lines: which of them the next request would send.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::occurrence::Occurrences;
use super::entry::{Choice, Entry, Kind};
use super::fault;
use crate::transcript::{Violation, ViolationKind};

/// The active path, and everything else.
pub(super) struct Tree {
    /// Indices of entries on the active path, root first.
    pub(super) context: Vec<usize>,
    /// Indices of all other entries that carry messages, in file order, repeated lines left out.
    pub(super) history: Vec<usize>,
    /// Indices of history entries whose results answer calls of the history.
    answers_beside: FxHashSet<usize>,
    copies: FxHashMap<usize, Vec<usize>>,
}

impl Tree {
    /// Finds the path from the leaf to its root.
    pub(super) fn of(entries: &[Entry]) -> Self {
        let mut newest: FxHashMap<&str, usize> = FxHashMap::default();
        let mut copies: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        let mut repeated = FxHashSet::default();
        for (index, entry) in entries.iter().enumerate() {
            let Some(uuid) = entry.uuid.as_deref().filter(|_| is_linked(entry)) else {
                continue;
            };
            if let Some(earlier) = newest.insert(uuid, index) {
                // The newest copy of a line counts, for content and place.
                let mut all = copies.remove(&earlier).unwrap_or_default();
                all.push(earlier);
                copies.insert(index, all);
                repeated.insert(earlier);
            }
        }
        let links = Links {
            entries,
            newest,
            repeated: &repeated,
        };
        let context = with_whole_responses(entries, links.path(links.leaf()), &repeated);
        let on_path: FxHashSet<usize> = context.iter().copied().collect();
        let history: Vec<usize> = (0..entries.len())
            .filter(|index| !on_path.contains(index) && !repeated.contains(index))
            .filter(|&index| matches!(entries[index].kind, Kind::Assistant | Kind::User))
            .collect();
        let answers_beside = history
            .iter()
            .copied()
            .filter(|&index| links.answers_beside(index, &on_path))
            .collect();
        Self {
            context,
            history,
            answers_beside,
            copies,
        }
    }

    /// Whether the results of an entry answer calls that are not sent.
    pub(super) fn answers_beside(&self, index: usize) -> bool {
        self.answers_beside.contains(&index)
    }

    /// Gives the calls of a line that stands twice the keys of its first copy, so that they stay
    /// the same calls when a session grows by copies of its lines.
    pub(super) fn number_copies(&self, entries: &mut [Entry]) {
        if self.copies.is_empty() {
            return;
        }
        let mut first_of = FxHashMap::default();
        for (&newest, earlier) in &self.copies {
            let first = earlier.iter().copied().min().unwrap_or(newest);
            let later = earlier.iter().copied().chain([newest]);
            first_of.extend(
                later
                    .filter(|&copy| copy != first)
                    .map(|copy| (copy, first)),
            );
        }
        let mut occurrences = Occurrences::default();
        for index in 0..entries.len() {
            let first = first_of.get(&index).copied();
            for at in 0..entries[index].calls.len() {
                let id = entries[index].calls[at].key.id.clone();
                let copied = first.and_then(|first| {
                    let calls = entries[first].calls.iter();
                    calls
                        .map(|call| &call.key)
                        .find(|key| key.id == id)
                        .cloned()
                });
                entries[index].calls[at].key = copied.unwrap_or_else(|| occurrences.next(&id));
            }
        }
    }

    /// Entries that carry the same line id, earlier in the file.
    pub(super) fn copies(&self, index: usize) -> &[usize] {
        self.copies.get(&index).map_or(&[], Vec::as_slice)
    }

    /// Parents that do not exist and ids that stand twice.
    pub(super) fn violations(&self, entries: &[Entry]) -> Vec<Violation> {
        let known: FxHashSet<&str> = entries
            .iter()
            .filter_map(|entry| entry.uuid.as_deref())
            .collect();
        let missing = entries
            .iter()
            .filter_map(|entry| Some((entry.line, entry.parent.as_deref()?)))
            .filter(|(_, parent)| !known.contains(parent))
            .map(|(line, parent)| fault(ViolationKind::MissingParent, line, parent));
        let repeated = self.copies.values().flatten().map(|&index| {
            let entry = &entries[index];
            fault(
                ViolationKind::RepeatedId,
                entry.line,
                entry.uuid.as_deref().unwrap_or_default(),
            )
        });
        let mut violations: Vec<Violation> = missing.chain(repeated).collect();
        violations.sort();
        violations
    }
}

/// Whether parents are looked for among lines of this kind.
fn is_linked(entry: &Entry) -> bool {
    !matches!(entry.kind, Kind::LastPrompt | Kind::Other)
}

/// A last-prompt line that counts.
struct Prompt {
    /// Where it stands.
    place: usize,
    /// The leaf that it names.
    named: usize,
    choice: Choice,
}

/// The links between lines, as the agent's loader follows them.
struct Links<'a> {
    entries: &'a [Entry],
    newest: FxHashMap<&'a str, usize>,
    repeated: &'a FxHashSet<usize>,
}

impl Links<'_> {
    /// The newest message of the main chain, unless a later prompt was made from another branch.
    fn leaf(&self) -> Option<usize> {
        let last = (0..self.entries.len()).rev().find(|&index| {
            let entry = &self.entries[index];
            let message = matches!(entry.kind, Kind::Assistant | Kind::User | Kind::Attachment);
            message && !entry.sidechain && entry.uuid.is_some() && !self.repeated.contains(&index)
        })?;
        let Some(Prompt {
            place,
            named,
            choice,
        }) = self.prompted()
        else {
            return Some(last);
        };
        // A leaf that the user chose counts until something is said again.
        let said_since = self.entries[place..]
            .iter()
            .any(|entry| matches!(entry.kind, Kind::Assistant | Kind::User));
        let chosen = choice == Choice::Explicit && !said_since;
        let elsewhere = chosen || !self.descends(last, named);
        Some(if elsewhere { named } else { last })
    }

    /// The leaf that the last last-prompt line names; a compaction after it clears it.
    fn prompted(&self) -> Option<Prompt> {
        let since = self
            .entries
            .iter()
            .enumerate()
            .rev()
            .take_while(|(_, entry)| entry.kind != Kind::CompactBoundary);
        let prompts = since.filter_map(|(place, entry)| {
            let (uuid, choice) = entry.prompted.as_ref()?;
            let named = *self.newest.get(uuid.as_str())?;
            Some(Prompt {
                place,
                named,
                choice: *choice,
            })
        });
        let mut main = prompts.filter(|prompt| !self.entries[prompt.named].sidechain);
        main.next()
    }

    /// Whether an entry is, or follows, another by parents that exist: one that was only hung on a
    /// line near in time does not count as a follower of it here.
    fn descends(&self, entry: usize, ancestor: usize) -> bool {
        let mut visited = FxHashSet::default();
        let mut next = Some(entry);
        while let Some(index) = next.filter(|&index| visited.insert(index)) {
            if index == ancestor {
                return true;
            }
            let parent = self.entries[index].parent.as_deref();
            next = parent.and_then(|parent| self.newest.get(parent).copied());
        }
        false
    }

    /// From a leaf to its root, root first. Nothing before a compaction is on it.
    fn path(&self, leaf: Option<usize>) -> Vec<usize> {
        let mut path = Vec::new();
        let mut visited = FxHashSet::default();
        let mut next = leaf;
        while let Some(index) = next.filter(|&index| visited.insert(index)) {
            path.push(index);
            let entry = &self.entries[index];
            if entry.kind == Kind::CompactBoundary {
                break;
            }
            next = entry
                .parent
                .as_deref()
                .and_then(|parent| match self.newest.get(parent) {
                    Some(&found) => Some(found),
                    None => self.rescue(index),
                });
        }
        path.reverse();
        path
    }

    /// Whether the call that an entry's results answer stands on its own branch beside the path: ids
    /// that are used again must not carry results from there to a call of the path.
    fn answers_beside(&self, index: usize, on_path: &FxHashSet<usize>) -> bool {
        let ids = &self.entries[index].results;
        let mut visited = FxHashSet::default();
        let mut next = Some(index).filter(|_| !ids.is_empty());
        while let Some(at) = next.filter(|at| !on_path.contains(at) && visited.insert(*at)) {
            let entry = &self.entries[at];
            if entry
                .calls
                .iter()
                .any(|call| ids.iter().any(|(id, _)| *id == call.key.id))
            {
                return true;
            }
            let parent = entry.parent.as_deref();
            next = parent.and_then(|parent| self.newest.get(parent).copied());
        }
        false
    }

    /// A line whose parent does not exist hangs on the line before it in time, if that is near.
    fn rescue(&self, index: usize) -> Option<usize> {
        let entry = &self.entries[index];
        let time = entry.timestamp?;
        let near = self
            .entries
            .iter()
            .enumerate()
            .take(index)
            .filter(|(_, candidate)| {
                candidate.uuid.is_some()
                    && is_linked(candidate)
                    && candidate.sidechain == entry.sidechain
                    && candidate
                        .timestamp
                        .is_some_and(|at| at <= time && time - at <= NEAR_MS)
            });
        near.max_by_key(|(other, candidate)| (candidate.timestamp, *other))
            .map(|(other, _)| other)
    }
}

/// How near in time a line is taken for the parent of one whose parent does not exist.
const NEAR_MS: i64 = 5000;

/// A response whose last lines hang beside the path belongs to the context as a whole.
fn with_whole_responses(
    entries: &[Entry],
    path: Vec<usize>,
    repeated: &FxHashSet<usize>,
) -> Vec<usize> {
    let mut last_of: FxHashMap<&str, usize> = FxHashMap::default();
    for &index in &path {
        if let Some(response) = entries[index].response.as_deref() {
            last_of.insert(response, index);
        }
    }
    let on_path: FxHashSet<usize> = path.iter().copied().collect();
    let mut beside: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (index, entry) in entries.iter().enumerate() {
        let part = entry.kind == Kind::Assistant && !entry.sidechain && !repeated.contains(&index);
        if !part || on_path.contains(&index) {
            continue;
        }
        if let Some(&last) = entry.response.as_deref().and_then(|id| last_of.get(id)) {
            beside.entry(last).or_default().push(index);
        }
    }
    path.into_iter()
        .flat_map(|index| std::iter::once(index).chain(beside.remove(&index).unwrap_or_default()))
        .collect()
}
