//! Condense, recover and expand a built-in sample in a store of its own.

use std::error::Error;

use epitome_condenser::recover::{Selector, recover};
use epitome_condenser::{CondenseOptions, Persistence, Thinking, condense, expand, record};
use epitome_core::batch::Batching;
use epitome_core::condense::Extent;
use epitome_core::protect::Protection;
use epitome_core::stub::Channel;
use epitome_index::model::StoredFate;
use epitome_index::{SqliteStore, Store as _};
use epitome_summarizer::extractive::Extractive;

use super::sample;

/// What the self-test did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Done {
    /// Originals that came back as they were.
    pub(crate) recovered: u64,
    /// Bytes of the session that was put together again.
    pub(crate) bytes: u64,
}

/// What was done, or what went wrong.
pub(crate) type Outcome = Result<Done, String>;

/// Runs the self-test; nothing of it is left behind.
pub(crate) fn run() -> Outcome {
    attempt().map_err(|error| error.to_string())
}

fn attempt() -> Result<Done, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let store = SqliteStore::open(folder.path().join("store.db"))?;
    let source = sample::session();
    let options = options();
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let condensed = runtime.block_on(condense(
        &source,
        &options,
        &store,
        &Extractive,
        Persistence::Commit,
        &|_| {},
    ))?;
    record(&source, &condensed, &options, &store)?;
    let transcript = &condensed.transcript;
    let mut recovered = 0;
    for call in store.calls(&condensed.conversation)? {
        let StoredFate::Kept { short, .. } = call.fate else {
            return Err(format!("a call of {} was not condensed", call.tool).into());
        };
        let selector = Selector::Ref {
            conversation: Some(call.conversation),
            short,
        };
        let original = transcript
            .calls
            .iter()
            .find(|original| original.key == call.key)
            .and_then(|original| original.results.first()?.content.clone())
            .ok_or("a call is not in the sample")?;
        let found = recover(&store, &selector)?;
        if !matches!(&found[..], [only] if only.raw == source[original]) {
            return Err(format!("the original of {short} came back changed").into());
        }
        recovered += 1;
    }
    if recovered == 0 {
        return Err("nothing of the sample was condensed".into());
    }
    let expanded = expand(&condensed.output.bytes, &store)?.bytes;
    if expanded != source {
        return Err("the expanded session is not the source".into());
    }
    Ok(Done {
        recovered,
        bytes: source.len() as u64,
    })
}

fn options() -> CondenseOptions {
    CondenseOptions {
        extent: Extent::Context,
        keep_turns: 0,
        batching: Batching::Turn,
        min_batch_chars: 0,
        protection: Protection::none(),
        channel: Channel::Command,
        thinking: Thinking::Keep,
        fresh_session_id: None,
        title: "self-test".to_owned(),
        now_ms: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_passes() {
        let done = run().unwrap();
        assert_eq!(done.recovered, 3);
    }
}
