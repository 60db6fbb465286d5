//! One condense run over a session file.

use std::collections::HashMap;

use epitome_core::batch::group_batches;
use epitome_core::call::{CapturedBatch, CapturedCall};
use epitome_core::condense::{
    Condensed, FlushPlan, plan_edits, remove_thinking, replace_session_ids, replay,
};
use epitome_core::edit::{self, Edited};
use epitome_core::id::{BlobId, ConversationId};
use epitome_core::json::{Span, decode_string};
use epitome_core::text::trim;
use epitome_core::tokens::estimate_tokens;
use epitome_core::transcript::Transcript;
use epitome_core::wire;
use epitome_index::Store;
use epitome_index::model::{Conversation, Flush, LeftReason, NewRendering, RenderingEdit};
use epitome_summarizer::Summarizer;

use crate::batch::{BatchPlan, Fate, smaller_stub};
use crate::capture::{Run, Seen};
use crate::error::ErrorKind;
use crate::options::{CondenseOptions, Thinking};
use crate::report::{Progress, Report};
use crate::state::{Known, State};
use crate::{Result, report};

/// Whether a run leaves anything behind in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Persistence {
    /// Every flush is committed before the next one begins.
    Commit,
    /// Nothing is written; the report says what would be.
    DryRun,
}

/// The result of a run.
#[derive(Debug)]
pub struct Condensation {
    /// The condensed bytes, with the places where they differ from the source.
    pub output: Edited,
    /// What was done.
    pub report: Report,
    /// The session as it was read.
    pub transcript: Transcript,
    /// The conversation that was condensed.
    pub conversation: ConversationId,
}

/// What became of every call that was looked at.
pub(crate) struct Outcomes<'a> {
    /// Results that were decoded, by call.
    pub(crate) seen: HashMap<usize, Seen<'a>>,
    pub(crate) left: HashMap<usize, LeftReason>,
    pub(crate) already: usize,
    pub(crate) open: Vec<usize>,
    /// Calls that were looked at, in order.
    pub(crate) calls: Vec<usize>,
    pub(crate) duplicates: usize,
    /// Estimated tokens of the stubs that stand in the output, by call.
    pub(crate) stub_tokens: HashMap<usize, u64>,
}

/// Condenses a session.
///
/// Flushes are committed as they come; the output itself is not written and not yet recorded. Call
/// [`record`] before it is written anywhere.
pub async fn condense(
    source: &[u8],
    options: &CondenseOptions,
    store: &dyn Store,
    summarizer: &dyn Summarizer,
    persistence: Persistence,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Condensation> {
    let transcript = wire::read(source)?;
    let conversation = transcript.conversation();
    let plan = replay(&transcript, options.extent, options.keep_turns);
    let taken_in = plan.flushes.iter().flat_map(calls_of).chain(&plan.open);
    let in_file = taken_in.map(|&call| &transcript.calls[call].key).collect();
    let mut state = State::load(store, &conversation, &in_file)?;
    let run = Run {
        source,
        transcript: &transcript,
        conversation: &conversation,
        options,
        summarizer,
        repeats: repeats(&transcript, &plan.flushes),
    };
    let mut outcomes = Outcomes {
        seen: HashMap::new(),
        left: HashMap::new(),
        already: 0,
        open: plan.open.clone(),
        calls: plan.open.clone(),
        duplicates: 0,
        stub_tokens: HashMap::new(),
    };
    for (done, flush) in plan.flushes.iter().enumerate() {
        progress(Progress {
            done,
            total: plan.flushes.len(),
        });
        run_flush(&run, flush, &mut state, store, persistence, &mut outcomes).await?;
    }
    progress(Progress {
        done: plan.flushes.len(),
        total: plan.flushes.len(),
    });
    let condensed = choose_stubs(&run, &state, &mut outcomes);
    let (output, removed) = render(&run, condensed)?;
    let report = report::write(&run, &state, &outcomes, &output, &removed);
    Ok(Condensation {
        output,
        report,
        transcript,
        conversation,
    })
}

/// The calls that a flush takes in, in order.
fn calls_of(flush: &FlushPlan) -> impl Iterator<Item = &usize> {
    flush.turns.iter().flat_map(|turn| &turn.calls)
}

/// Calls that a flush takes in although their key stands in it or an earlier one, with the call that
/// has the key first.
fn repeats(transcript: &Transcript, flushes: &[FlushPlan]) -> HashMap<usize, usize> {
    let mut first_with = HashMap::new();
    let mut repeats = HashMap::new();
    for &call in flushes.iter().flat_map(calls_of) {
        let key = &transcript.calls[call].key;
        let first = *first_with.entry(key).or_insert(call);
        if first != call {
            repeats.insert(call, first);
        }
    }
    repeats
}

/// Captures, summarizes and commits what one flush takes in.
async fn run_flush<'a>(
    run: &Run<'a>,
    flush: &FlushPlan,
    state: &mut State,
    store: &dyn Store,
    persistence: Persistence,
    outcomes: &mut Outcomes<'a>,
) -> Result<()> {
    let mut batches = Vec::new();
    // Duplicates are looked for among earlier flushes only: the state grows after this one.
    let mut kept = HashMap::new();
    let mut next = state.next();
    for plan in batch_plans(run, flush) {
        outcomes.calls.extend(&plan.calls);
        let flushed = run.flush(&plan, state, &mut next).await?;
        for outcome in flushed.outcomes {
            outcomes.seen.insert(outcome.call, outcome.seen);
            match outcome.fate {
                Fate::Known => {}
                Fate::Already => outcomes.already += 1,
                Fate::Left(reason) => {
                    outcomes.left.insert(outcome.call, reason);
                }
                Fate::Kept { known, hash } => {
                    kept.insert(outcome.call, (*known, hash));
                }
            }
        }
        if !flushed.batch.calls.is_empty() {
            batches.push(flushed.batch);
        }
    }
    if persistence == Persistence::Commit && !batches.is_empty() {
        let at_ms = run.options.now_ms;
        store.commit_flush(&Flush {
            conversation: conversation_record(run),
            at_ms,
            batches,
        })?;
    }
    for &index in calls_of(flush) {
        let call = &run.transcript.calls[index];
        if let Some((known, hash)) = kept.remove(&index) {
            let is_error = call.results.first().is_some_and(|result| result.is_error);
            state.add(call.key.clone(), known, &hash, is_error);
        }
        state.pass(&call.key);
    }
    Ok(())
}

fn conversation_record(run: &Run<'_>) -> Conversation {
    Conversation {
        id: run.conversation.clone(),
        format: run.transcript.format.name().to_owned(),
        session_id: run.transcript.session_id.clone(),
        title: run.options.title.clone(),
        parent: None,
        created_ms: run.options.now_ms,
    }
}

/// The turns of a flush, grouped as the options say.
fn batch_plans(run: &Run<'_>, flush: &FlushPlan) -> Vec<BatchPlan> {
    let skeletons = flush.turns.iter().map(|turn| CapturedBatch {
        turn: turn.number,
        timestamp: turn.timestamp,
        assistant_text: assistant_text(run, &turn.texts),
        user_turn_group: Some(turn.user_turn_group),
        calls: vec![CapturedCall::default(); turn.calls.len()],
    });
    let mut calls = calls_of(flush).copied();
    group_batches(skeletons.collect(), run.options.batching)
        .into_iter()
        .map(|group| BatchPlan {
            turn: group.turn,
            timestamp: group.timestamp,
            assistant_text: group.assistant_text,
            calls: calls.by_ref().take(group.calls.len()).collect(),
        })
        .collect()
}

fn assistant_text(run: &Run<'_>, texts: &[Span]) -> String {
    let decoded = texts
        .iter()
        .filter_map(|span| decode_string(run.raw(Some(span))));
    trim(&decoded.collect::<Vec<_>>().join("\n")).to_owned()
}

/// Decides from the state alone which calls stand as stubs in the output.
fn choose_stubs(
    run: &Run<'_>,
    state: &State,
    outcomes: &mut Outcomes<'_>,
) -> HashMap<usize, Condensed> {
    let mut condensed = HashMap::new();
    for (&index, seen) in &outcomes.seen {
        let call = &run.transcript.calls[index];
        let known = state
            .known(&call.key)
            .filter(|_| !outcomes.left.contains_key(&index));
        let (Some(known), Some(result)) = (known, call.results.first()) else {
            continue;
        };
        if seen.stub_of.as_ref() == Some(&known.full_ref) {
            continue;
        }
        if run.is_protected(call) {
            outcomes.left.insert(index, LeftReason::Protected);
            continue;
        }
        let Known {
            full_ref,
            bullets,
            duplicate,
            ..
        } = known;
        let raw = run.content(result);
        match smaller_stub(full_ref, bullets, seen, raw, &run.options.channel) {
            Some(stub) => {
                outcomes.duplicates += usize::from(*duplicate);
                outcomes
                    .stub_tokens
                    .insert(index, estimate_tokens(&stub.text));
                let replacement = stub.encoded;
                condensed.insert(
                    index,
                    Condensed {
                        short: full_ref.short,
                        replacement,
                    },
                );
            }
            None => {
                outcomes.left.insert(index, LeftReason::NotSmaller);
            }
        }
    }
    condensed
}

/// Makes the output and holds it against the source: it may have no fault that the source has not.
/// The spans are those of thinking that was removed.
fn render(run: &Run<'_>, condensed: HashMap<usize, Condensed>) -> Result<(Edited, Vec<Span>)> {
    let mut edits = plan_edits(run.source, run.transcript, condensed);
    let thinking = match run.options.thinking {
        Thinking::Keep => Vec::new(),
        Thinking::ByModel => remove_thinking(run.source, run.transcript, &edits),
    };
    let removed = thinking.iter().map(|edit| edit.span.clone()).collect();
    edits.extend(thinking);
    if let Some(fresh) = &run.options.fresh_session_id {
        edits.extend(replace_session_ids(run.transcript, fresh));
    }
    let edits = edit::normalize(run.source, edits);
    let output = edit::apply(run.source, &edits);
    if edits.is_empty() {
        return Ok((output, removed));
    }
    // The stubs stand in the output now; the second view comes on top of all that is held here.
    drop(edits);
    let after = wire::read(&output.bytes)?.violations;
    let broken = wire::new_violations(&run.transcript.violations, &after);
    match broken.into_iter().next() {
        Some(violation) => Err(ErrorKind::Invalid(violation).into()),
        None => Ok((output, removed)),
    }
}

/// Records an output, so that its source can be put together again. Durable before it is written.
///
/// With a fresh session id the new session becomes a conversation that inherits the refs.
pub fn record(
    source: &[u8],
    condensation: &Condensation,
    options: &CondenseOptions,
    store: &dyn Store,
) -> Result<()> {
    let Condensation {
        output,
        transcript,
        conversation,
        ..
    } = condensation;
    let edits = output.edits.iter().map(|edit| RenderingEdit {
        offset: edit.output.start as u64,
        length: edit.output.len() as u64,
        original: &source[edit.source.clone()],
    });
    let known = |id: ConversationId, session_id: &str, parent| Conversation {
        id,
        format: transcript.format.name().to_owned(),
        session_id: session_id.to_owned(),
        title: options.title.clone(),
        parent,
        created_ms: options.now_ms,
    };
    if store.conversation(conversation)?.is_none() {
        store.put_conversation(&known(conversation.clone(), &transcript.session_id, None))?;
    }
    store.record_rendering(&NewRendering {
        conversation: conversation.clone(),
        output: BlobId::of(&output.bytes),
        output_length: output.bytes.len() as u64,
        source: BlobId::of(source),
        source_length: source.len() as u64,
        at_ms: options.now_ms,
        edits: edits.collect(),
    })?;
    if let Some(fresh) = &options.fresh_session_id {
        let id = ConversationId::of_session(transcript.format.name(), fresh);
        store.put_conversation(&known(id, fresh, Some(conversation.clone())))?;
    }
    Ok(())
}
