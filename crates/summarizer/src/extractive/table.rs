//! The table in which the names of one text are counted.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// A name with what speaks for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<'a> {
    pub(super) name: &'a str,
    /// How often it stands in the text.
    pub(super) count: u32,
    /// Where it stands first.
    pub(super) first: usize,
    pub(super) weight: u32,
}

/// Candidates by name, in the order in which they came.
///
/// A general map would grow step by step and be walked through in full; texts are short and many,
/// so this one only holds positions in a list and is made large enough at once.
pub(super) struct Table<'a> {
    /// Position in `candidates` plus one, 0 for a free slot. Twice as many as there is room for.
    slots: Vec<u16>,
    candidates: Vec<Candidate<'a>>,
    room: usize,
}

impl<'a> Table<'a> {
    /// Makes a table that takes `room` names; more are left out.
    pub(super) fn with_room(room: usize) -> Self {
        let room = room.min(usize::from(u16::MAX) / 2);
        Self {
            slots: vec![0; (2 * room).next_power_of_two().max(2)],
            candidates: Vec::with_capacity(room / 6),
            room: room.max(1),
        }
    }

    /// Counts a name; place and weight are those of its first use.
    pub(super) fn add(&mut self, name: &'a str, first: usize, weight: u32) {
        let mask = self.slots.len() - 1;
        let mut slot = hash(name) & mask;
        loop {
            match self.slots[slot] {
                0 => break,
                taken => {
                    let candidate = &mut self.candidates[usize::from(taken) - 1];
                    if candidate.name == name {
                        candidate.count += 1;
                        return;
                    }
                }
            }
            slot = (slot + 1) & mask;
        }
        if self.candidates.len() < self.room {
            self.candidates.push(Candidate {
                name,
                count: 1,
                first,
                weight,
            });
            self.slots[slot] = self.candidates.len() as u16;
        }
    }

    /// The names with their counts, in the order of their first use.
    pub(super) fn into_candidates(self) -> Vec<Candidate<'a>> {
        self.candidates
    }
}

/// A hash whose low bits tell names apart.
fn hash(name: &str) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    hasher.finish() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_counted_once_each() {
        let mut table = Table::with_room(2);
        for (at, name) in ["one", "two", "one", "three"].into_iter().enumerate() {
            table.add(name, at, 1);
        }
        let counts: Vec<_> = table
            .into_candidates()
            .iter()
            .map(|candidate| (candidate.name, candidate.count, candidate.first))
            .collect();
        assert_eq!(counts, [("one", 2, 0), ("two", 1, 1)]);
    }
}
