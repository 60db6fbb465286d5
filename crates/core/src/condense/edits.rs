//! Edits that turn a source into its condensed form.

use crate::capability::{ThinkingRule, thinking_rule};
use crate::details;
use crate::edit::Edit;
use crate::id::ShortRef;
use crate::json::encode_string;
use crate::transcript::{Block, CallResult, Format, Message, Role, Transcript};

/// A call that leaves the model's view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condensed {
    /// Its ref, named where its second copy was shrunk.
    pub short: ShortRef,
    /// Raw JSON of the result content that holds the stub.
    pub replacement: String,
}

/// Edits that put stubs in place of the results of these calls, by index, and shrink their second
/// copies.
///
/// Verbatim copies of a result are treated alike; a copy that differs stays as it is.
pub fn plan_edits(
    source: &[u8],
    transcript: &Transcript,
    condensed: impl IntoIterator<Item = (usize, Condensed)>,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (index, condensed) in condensed {
        let results = &transcript.calls[index].results;
        let Some(content) = results.first().and_then(|result| raw(source, result)) else {
            continue;
        };
        let equal = results
            .iter()
            .filter(|result| raw(source, result) == Some(content));
        for result in equal {
            let Some(span) = result.content.clone() else {
                continue;
            };
            edits.push(Edit {
                span,
                replacement: condensed.replacement.clone(),
            });
            if let Some(span) = &result.details
                && let Ok(copy) = std::str::from_utf8(&source[span.clone()])
            {
                edits.extend(details::shrink(copy, span, condensed.short));
            }
        }
    }
    edits
}

fn raw<'a>(source: &'a [u8], result: &CallResult) -> Option<&'a str> {
    std::str::from_utf8(source.get(result.content.clone()?)?).ok()
}

/// The model that would go on with the session: that of the last answer that a model gave.
pub fn session_model(transcript: &Transcript) -> Option<&str> {
    let answers = transcript
        .context
        .iter()
        .rev()
        .filter(|message| message.role == Role::Assistant);
    answers
        .filter_map(|message| message.model.as_deref())
        .find(|model| !model.starts_with('<'))
}

/// Edits that remove every thinking block after the first of `edits`, where the session's model
/// ties thinking to its prefix. All of them go, never a part: decisions, section 5.
pub fn remove_thinking(source: &[u8], transcript: &Transcript, edits: &[Edit]) -> Vec<Edit> {
    let bound = session_model(transcript)
        .is_some_and(|model| thinking_rule(model) == ThinkingRule::BoundToPrefix);
    let first = edits.iter().map(|edit| edit.span.start).min();
    let Some(first) = first.filter(|_| bound) else {
        return Vec::new();
    };
    // Claude Code does not send a message that is thinking only, but would send an empty one.
    let sends = |message: &&Message| {
        let only_thinking = message.texts.is_empty() && message.calls.is_empty();
        transcript.format != Format::ClaudeCode || !only_thinking
    };
    let lists = transcript
        .context
        .iter()
        .filter(sends)
        .flat_map(|message| &message.thinking);
    let after = lists.filter(|list| list.content.start > first);
    after
        .flat_map(|list| without_thinking(&list.blocks(source)))
        .collect()
}

/// Edits that take the thinking blocks and their commas out of a list.
fn without_thinking(blocks: &[Block]) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut kept_before = false;
    for (index, block) in blocks.iter().enumerate() {
        if !block.is_thinking {
            kept_before = true;
            continue;
        }
        let span = if kept_before {
            blocks[index - 1].span.end..block.span.end
        } else {
            block.span.start
                ..blocks
                    .get(index + 1)
                    .map_or(block.span.end, |next| next.span.start)
        };
        edits.push(Edit {
            span,
            replacement: String::new(),
        });
    }
    edits
}

/// Edits that give the session a fresh id on every line that carries one.
pub fn replace_session_ids(transcript: &Transcript, fresh: &str) -> Vec<Edit> {
    let replacement = encode_string(fresh);
    let edit = |span: &std::ops::Range<usize>| Edit {
        span: span.clone(),
        replacement: replacement.clone(),
    };
    transcript.session_ids.iter().map(edit).collect()
}
