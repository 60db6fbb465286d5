//! Numbering of calls whose provider reuses ids.

use rustc_hash::FxHashMap;

use crate::id::CallKey;

/// Gives each call its occurrence, in file order.
#[derive(Debug, Default)]
pub(super) struct Occurrences(FxHashMap<String, u32>);

impl Occurrences {
    /// The key of the next call with this id.
    pub(super) fn next(&mut self, id: &str) -> CallKey {
        let occurrence = self.0.entry(id.to_owned()).or_insert(0);
        *occurrence += 1;
        CallKey {
            id: id.to_owned(),
            occurrence: *occurrence,
        }
    }

    /// The key of the newest call with this id, the first one if there was none.
    pub(super) fn current(&mut self, id: &str) -> CallKey {
        match self.0.get(id) {
            Some(&occurrence) => CallKey {
                id: id.to_owned(),
                occurrence,
            },
            None => self.next(id),
        }
    }
}
