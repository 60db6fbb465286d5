//! Which entries of a Pi session the next request would send.

use rustc_hash::{FxHashMap, FxHashSet};

use super::entry::Entry;
use super::fault;
use crate::transcript::{Violation, ViolationKind};

/// The entries that are sent, and the rest.
pub(super) struct Path {
    /// Indices of entries that are sent, in order.
    pub(super) context: Vec<usize>,
    /// Indices of all others, in file order.
    pub(super) history: Vec<usize>,
    pub(super) violations: Vec<Violation>,
}

impl Path {
    pub(super) fn of(entries: &[Entry], version: u64, header_id: &str) -> Self {
        let mut violations = Vec::new();
        let active = if version < 2 {
            (0..entries.len()).collect()
        } else {
            active_path(entries, header_id, &mut violations)
        };
        let context = after_compaction(entries, active);
        let sent: FxHashSet<usize> = context.iter().copied().collect();
        let history = (0..entries.len())
            .filter(|index| !sent.contains(index))
            .collect();
        Self {
            context,
            history,
            violations,
        }
    }
}

/// From the last line of the file to its root, in order. A missing parent ends the walk; some
/// writers name the header as the root's parent.
fn active_path(entries: &[Entry], header_id: &str, violations: &mut Vec<Violation>) -> Vec<usize> {
    let mut by_id: FxHashMap<&str, usize> = FxHashMap::default();
    for (index, entry) in entries.iter().enumerate() {
        let Some(id) = entry.id.as_deref() else {
            continue;
        };
        if by_id.insert(id, index).is_some() {
            violations.push(fault(ViolationKind::RepeatedId, entry.line, id));
        }
    }
    for entry in entries {
        let missing = |parent: &&str| *parent != header_id && !by_id.contains_key(parent);
        if let Some(parent) = entry.parent.as_deref().filter(missing) {
            violations.push(fault(ViolationKind::MissingParent, entry.line, parent));
        }
    }
    let mut path = Vec::new();
    let mut visited = FxHashSet::default();
    let mut next = entries.len().checked_sub(1);
    while let Some(index) = next.filter(|&index| visited.insert(index)) {
        path.push(index);
        next = entries[index]
            .parent
            .as_deref()
            .and_then(|parent| by_id.get(parent).copied());
    }
    path.reverse();
    path
}

/// The newest compaction on the path replaces what stands before the entries that it keeps.
fn after_compaction(entries: &[Entry], path: Vec<usize>) -> Vec<usize> {
    let newest = path
        .iter()
        .rposition(|&index| entries[index].compaction.is_some());
    let Some((at, compaction)) =
        newest.and_then(|at| Some((at, entries[path[at]].compaction.as_ref()?)))
    else {
        return path;
    };
    let (before, rest) = path.split_at(at);
    let first_kept = if compaction.holds_tail {
        None
    } else if let Some(id) = compaction.first_kept_id.as_deref() {
        before
            .iter()
            .position(|&index| entries[index].id.as_deref() == Some(id))
    } else {
        // The header, which is no entry here, counts as line 0.
        let index = compaction
            .first_kept_index
            .and_then(|index| index.checked_sub(1));
        index.and_then(|index| before.iter().position(|&entry| entry == index))
    };
    let kept = first_kept.map_or(&[][..], |first| &before[first..]);
    let (summary, after) = rest.split_at(1);
    [summary, kept, after].concat()
}
