//! What a condense run did.

use epitome_core::capability::{ThinkingRule, thinking_rule};
use epitome_core::condense::session_model;
use epitome_core::edit::Edited;
use epitome_core::json::{Span, decode_string};
use epitome_core::tokens::{TOKEN_ESTIMATOR, estimate_tokens};
use epitome_core::transcript::{Message, decode_content};
use epitome_index::model::LeftReason;
use serde::Serialize;

use crate::capture::Run;
use crate::condense::Outcomes;
use crate::options::Thinking;
use crate::state::State;

/// The facts of one condense run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Format with its version, `pi v3` or `claude code`.
    pub format: String,
    /// The session's own id.
    pub session_id: String,
    /// The conversation, the first half of every full ref.
    pub conversation: String,
    /// Messages that the next request would send.
    pub messages: usize,
    /// Estimated tokens of the context.
    pub context: ContextSize,
    /// Bytes of the source.
    pub file_before: usize,
    /// Bytes of the output.
    pub file_after: usize,
    /// Calls, by what became of them.
    pub calls: CallCounts,
    /// Calls whose originals are in the store and whose stubs stand in the output.
    pub originals: usize,
    /// Decoded bytes of those originals.
    pub original_bytes: u64,
    /// A full ref that can be tried, the first one of the output.
    pub first_ref: Option<String>,
    /// Lines of the source that are not blank.
    pub lines: usize,
    /// Lines that are no JSON object; they stand in the output as they are.
    pub broken_lines: usize,
    /// Lines of an unknown kind; they stand in the output as they are.
    pub unknown_lines: usize,
    /// Content blocks of an unknown kind; they stand in the output as they are.
    pub unknown_blocks: usize,
    /// Thinking blocks that were removed.
    pub thinking_removed: usize,
    /// What deserves attention.
    pub warnings: Vec<Warning>,
}

/// Estimated tokens of a context, before and after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ContextSize {
    /// Tokens of the source's context.
    pub before: u64,
    /// Tokens of the output's context.
    pub after: u64,
    /// How they were counted.
    pub estimator: &'static str,
}

/// Calls by what became of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct CallCounts {
    /// All calls that were looked at.
    pub total: usize,
    /// Replaced by a stub.
    pub summarized: usize,
    /// Replaced by a stub that shares the ref of an equal result.
    pub duplicates: usize,
    /// Left: the tool or path is protected.
    pub protected: usize,
    /// Left: the batch is below the minimum size.
    pub too_small: usize,
    /// Left: the stub would not be smaller.
    pub not_smaller: usize,
    /// Left: in the open tail, or without a result.
    pub open: usize,
    /// Stubs already.
    pub already: usize,
    /// Left for another reason: blocks that must pass untouched, ambiguous ids, stubs of other
    /// programs or of an unknown store.
    pub other: usize,
}

/// Something that deserves attention.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// Line of the source, from 1, where there is one.
    pub line: Option<usize>,
    /// What it is, a sentence.
    pub text: String,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Flushes that are durable.
    pub done: usize,
    /// All flushes.
    pub total: usize,
}

/// Puts the report of a run together.
pub(crate) fn write(
    run: &Run<'_>,
    state: &State,
    outcomes: &Outcomes<'_>,
    output: &Edited,
    removed: &[Span],
) -> Report {
    let transcript = run.transcript;
    let known = |index: &usize| state.known(&transcript.calls[*index].key);
    let first = outcomes
        .calls
        .iter()
        .find(|index| outcomes.stub_tokens.contains_key(index))
        .and_then(known);
    Report {
        format: transcript.format.to_string(),
        session_id: transcript.session_id.clone(),
        conversation: run.conversation.to_string(),
        messages: transcript.context.len(),
        context: context_size(run, outcomes, removed),
        file_before: run.source.len(),
        file_after: output.bytes.len(),
        calls: call_counts(outcomes),
        originals: outcomes.stub_tokens.len(),
        original_bytes: outcomes
            .stub_tokens
            .keys()
            .filter_map(|index| outcomes.seen.get(index))
            .map(|seen| seen.bytes)
            .sum(),
        first_ref: first.map(|known| known.full_ref.to_string()),
        lines: transcript.lines.total,
        broken_lines: transcript.broken.len(),
        unknown_lines: transcript.lines.unknown,
        unknown_blocks: transcript.lines.unknown_blocks,
        thinking_removed: removed.len(),
        warnings: warnings(run, outcomes),
    }
}

fn call_counts(outcomes: &Outcomes<'_>) -> CallCounts {
    let mut counts = CallCounts {
        total: outcomes.calls.len(),
        summarized: outcomes.stub_tokens.len() - outcomes.duplicates,
        duplicates: outcomes.duplicates,
        open: outcomes.open.len(),
        already: outcomes.already,
        ..CallCounts::default()
    };
    for reason in outcomes.left.values() {
        *match reason {
            LeftReason::Protected => &mut counts.protected,
            LeftReason::TooSmall => &mut counts.too_small,
            LeftReason::NotSmaller | LeftReason::Oversized => &mut counts.not_smaller,
            _ => &mut counts.other,
        } += 1;
    }
    counts
}

/// Estimates what the next request sends of the conversation: texts, thinking, calls, results.
fn context_size(run: &Run<'_>, outcomes: &Outcomes<'_>, removed: &[Span]) -> ContextSize {
    let mut size = ContextSize {
        estimator: TOKEN_ESTIMATOR,
        ..ContextSize::default()
    };
    let mut add = |before: u64, after: u64| {
        size.before += before;
        size.after += after;
    };
    let decoded =
        |span: &Span| decode_string(run.raw(Some(span))).map_or(0, |text| estimate_tokens(&text));
    for message in &run.transcript.context {
        for tokens in message.texts.iter().map(decoded) {
            add(tokens, tokens);
        }
        for span in thinking_texts(message) {
            let gone = removed
                .iter()
                .any(|block| block.start <= span.start && span.end <= block.end);
            let tokens = decoded(span);
            add(tokens, if gone { 0 } else { tokens });
        }
        for &index in &message.calls {
            let call = &run.transcript.calls[index];
            let input = estimate_tokens(run.raw(call.input.as_ref()));
            add(input, input);
            let Some(result) = call.results.first() else {
                continue;
            };
            let before = match outcomes.seen.get(&index) {
                Some(seen) => seen.tokens,
                None => estimate_tokens(&decode_content(run.content(result)).text),
            };
            let after = outcomes.stub_tokens.get(&index).copied().unwrap_or(before);
            add(before, after);
        }
    }
    size
}

fn thinking_texts(message: &Message) -> impl Iterator<Item = &Span> {
    message.thinking.iter().flat_map(|list| &list.texts)
}

fn warnings(run: &Run<'_>, outcomes: &Outcomes<'_>) -> Vec<Warning> {
    let transcript = run.transcript;
    let mut warnings: Vec<Warning> = transcript
        .broken
        .iter()
        .map(|broken| Warning {
            line: Some(broken.line),
            text: format!("The line is {}; it was kept as it stands.", broken.reason),
        })
        .collect();
    let mut strange: Vec<usize> = outcomes
        .left
        .iter()
        .filter(|(_, reason)| matches!(reason, LeftReason::Ambiguous))
        .map(|(index, _)| transcript.calls[*index].line)
        .collect();
    strange.sort_unstable();
    warnings.extend(strange.into_iter().map(|line| {
        Warning {
            line: Some(line),
            text: "The call cannot be told apart from another one with its id; it was left raw."
                .to_owned(),
        }
    }));
    warnings.extend(lost_stubs(run, outcomes));
    warnings.extend(bound_thinking(run, outcomes));
    warnings
}

/// Stubs of ours whose originals this store does not have.
fn lost_stubs(run: &Run<'_>, outcomes: &Outcomes<'_>) -> Vec<Warning> {
    let left = outcomes
        .left
        .iter()
        .filter(|(_, reason)| **reason == LeftReason::Stub);
    let mut lost: Vec<Warning> = left
        .filter_map(|(index, _)| {
            let full_ref = outcomes.seen.get(index)?.stub_of.as_ref()?;
            let line = run.transcript.calls[*index].results.first()?.line;
            let text = format!(
                "The stub of {full_ref} stands here, but this store does not have its original."
            );
            Some(Warning {
                line: Some(line),
                text,
            })
        })
        .collect();
    lost.sort_by_key(|warning| warning.line);
    lost
}

/// Thinking that the session's model would reject after this change.
fn bound_thinking(run: &Run<'_>, outcomes: &Outcomes<'_>) -> Option<Warning> {
    let model = session_model(run.transcript)?;
    let thinks = run
        .transcript
        .context
        .iter()
        .any(|message| !message.thinking.is_empty());
    let bound = thinking_rule(model) == ThinkingRule::BoundToPrefix;
    let kept = run.options.thinking == Thinking::Keep;
    (bound && thinks && kept && !outcomes.stub_tokens.is_empty()).then(|| Warning {
        line: None,
        text: format!(
            "Thinking was kept, but {model} ties it to what stands before: resume this session \
             through --resume, which removes it."
        ),
    })
}
