//! The tree of lines: which of them the next request would send.

use std::collections::{HashMap, HashSet};

use super::entry::{Entry, Kind};
use super::fault;
use crate::transcript::{Violation, ViolationKind};

/// The active path, and everything else.
pub(super) struct Tree {
    /// Indices of entries on the active path, root first.
    pub(super) context: Vec<usize>,
    /// Indices of all other entries that carry messages, in file order, repeated lines left out.
    pub(super) history: Vec<usize>,
    copies: HashMap<usize, Vec<usize>>,
}

impl Tree {
    /// Finds the path from the leaf to its root. The leaf is the newest line of the main chain that
    /// nobody names as parent.
    pub(super) fn of(entries: &[Entry]) -> Self {
        let mut first: HashMap<&str, usize> = HashMap::new();
        let mut copies: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut repeated = HashSet::new();
        for (index, entry) in entries.iter().enumerate() {
            let Some(uuid) = entry.uuid.as_deref() else { continue };
            if let Some(&original) = first.get(uuid) {
                copies.entry(original).or_default().push(index);
                repeated.insert(index);
            } else {
                first.insert(uuid, index);
            }
        }
        let context = with_whole_responses(entries, path(entries, &first, &repeated), &repeated);
        let on_path: HashSet<usize> = context.iter().copied().collect();
        let history = (0..entries.len())
            .filter(|index| !on_path.contains(index) && !repeated.contains(index))
            .filter(|&index| entries[index].kind != Kind::Other)
            .collect();
        Self { context, history, copies }
    }

    /// Entries that repeat this one line for line id.
    pub(super) fn copies(&self, index: usize) -> &[usize] {
        self.copies.get(&index).map_or(&[], Vec::as_slice)
    }

    /// Parents that do not exist and ids that stand twice.
    pub(super) fn violations(&self, entries: &[Entry]) -> Vec<Violation> {
        let known: HashSet<&str> = entries.iter().filter_map(|entry| entry.uuid.as_deref()).collect();
        let missing = entries
            .iter()
            .filter_map(|entry| Some((entry.line, entry.parent.as_deref()?)))
            .filter(|(_, parent)| !known.contains(parent))
            .map(|(line, parent)| fault(ViolationKind::MissingParent, line, parent));
        let repeated = self.copies.values().flatten().map(|&index| {
            let entry = &entries[index];
            fault(ViolationKind::RepeatedId, entry.line, entry.uuid.as_deref().unwrap_or_default())
        });
        let mut violations: Vec<Violation> = missing.chain(repeated).collect();
        violations.sort();
        violations
    }
}

fn path(entries: &[Entry], first: &HashMap<&str, usize>, repeated: &HashSet<usize>) -> Vec<usize> {
    let main = |index: &usize| !entries[*index].sidechain && !repeated.contains(index);
    let parents: HashSet<&str> = (0..entries.len())
        .filter(main)
        .filter_map(|index| entries[index].parent.as_deref())
        .collect();
    let is_leaf = |index: &usize| {
        entries[*index].uuid.as_deref().is_some_and(|uuid| !parents.contains(uuid))
    };
    let leaf = (0..entries.len()).rev().filter(main).find(is_leaf);
    let mut path = Vec::new();
    let mut visited = HashSet::new();
    let mut next = leaf;
    while let Some(index) = next.filter(|&index| visited.insert(index)) {
        path.push(index);
        next = entries[index].parent.as_deref().and_then(|parent| first.get(parent).copied());
    }
    path.reverse();
    path
}

/// A response whose last lines hang beside the path belongs to the context as a whole.
fn with_whole_responses(
    entries: &[Entry],
    path: Vec<usize>,
    repeated: &HashSet<usize>,
) -> Vec<usize> {
    let mut last_of: HashMap<&str, usize> = HashMap::new();
    for &index in &path {
        if let Some(response) = entries[index].response.as_deref() {
            last_of.insert(response, index);
        }
    }
    let on_path: HashSet<usize> = path.iter().copied().collect();
    let mut beside: HashMap<usize, Vec<usize>> = HashMap::new();
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
