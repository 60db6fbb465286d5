//! `cargo xtask bench retrieval`: ranking and gate on judged collections, without a model.

mod collection;
mod gate;
mod quality;

use std::path::Path;

use anyhow::{Result, bail};
use epitome_index::SqliteStore;

use collection::Collection;

use super::say;

/// A collection with the least nDCG@10 that is good enough.
const COLLECTIONS: [(&str, f64); 4] = [
    ("cranfield", 0.525),
    ("eip-description-ki", 0.92),
    ("xquad-en", 0.960),
    ("xquad-zh", 0.960),
];

/// Runs every query of every collection in the folder; fails when a figure is below its goal.
pub(super) fn run(folder: &Path) -> Result<()> {
    if !folder.exists() {
        say("Skipped: the judged collections are not here.");
        return Ok(());
    }
    let scratch = tempfile::tempdir()?;
    let mut failures = Vec::new();
    let mut imported = Vec::new();
    say(
        "collection            chunks  nDCG@10 [95 %]          recall@5  recall@10  MRR@10  beside plain FTS [95 %]",
    );
    for (name, goal) in COLLECTIONS {
        let collection = Collection::read(&folder.join(name), name)?;
        let store = SqliteStore::open(scratch.path().join(format!("{name}.db")))?;
        collection.import(&store)?;
        failures.extend(quality::measure(&collection, &store, goal)?);
        imported.push((collection, store));
    }
    say("");
    say("gate: answered          asked of              AUC    missed  accepted (at 0.40)");
    failures.extend(gate::measure(&imported)?);
    if failures.is_empty() {
        say("All goals are reached.");
        return Ok(());
    }
    bail!("{}", failures.join("\n"))
}
