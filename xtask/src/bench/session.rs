//! One session through the engine, with the options of the command line.

use std::hint::black_box;

use anyhow::Result;
use epitome_condenser::{CondenseOptions, Persistence, Thinking, condense, record};
use epitome_core::batch::Batching;
use epitome_core::condense::Extent;
use epitome_core::protect::{DEFAULT_PROTECTED_PATH, Protection};
use epitome_core::stub::Channel;
use epitome_index::Store;
use epitome_summarizer::extractive::Extractive;

/// Condenses a session; the output goes nowhere.
pub(super) fn condense_one(
    source: &[u8],
    store: &dyn Store,
    persistence: Persistence,
) -> Result<()> {
    let options = CondenseOptions {
        extent: Extent::Context,
        keep_turns: 3,
        batching: Batching::Turn,
        min_batch_chars: 1000,
        protection: Protection::new(&[""; 0], &[DEFAULT_PROTECTED_PATH]),
        channel: Channel::Command,
        thinking: Thinking::Keep,
        fresh_session_id: None,
        title: "session".to_owned(),
        now_ms: 0,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let work = condense(source, &options, store, &Extractive, persistence, &|_| {});
    let condensation = runtime.block_on(work)?;
    if persistence == Persistence::Commit {
        record(source, &condensation, &options, store)?;
    }
    black_box(condensation);
    Ok(())
}
