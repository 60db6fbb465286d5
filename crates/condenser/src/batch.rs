//! One batch of a flush: duplicates, minimum size, summary, stubs.

use epitome_core::call::{CapturedBatch, CapturedCall};
use epitome_core::id::{FullRef, ShortRef};
use epitome_core::label::{Segments, substitute_labels};
use epitome_core::stub::{self, Channel, StubFacts};
use epitome_core::text::{is_oversized, trim, utf16_len};
use epitome_core::transcript::{Call, CallResult};
use epitome_index::model::{FlushedBatch, FlushedCall, FlushedFate, KeptCall, LeftReason};

use crate::capture::{Run, Seen, Standing};
use crate::state::{Known, State};

/// What a batch is made of: turns that share one summary.
pub(crate) struct BatchPlan {
    pub(crate) turn: usize,
    pub(crate) timestamp: i64,
    pub(crate) assistant_text: String,
    pub(crate) calls: Vec<usize>,
}

/// What happens to one call of a batch.
pub(crate) struct Outcome<'a> {
    pub(crate) call: usize,
    pub(crate) seen: Seen<'a>,
    pub(crate) fate: Fate,
}

/// The fate of a call, before it is durable.
pub(crate) enum Fate {
    /// The store has its original, which stands here.
    Known,
    /// A stub of ours stands there.
    Already,
    Left(LeftReason),
    Kept {
        known: Box<Known>,
        /// Hash of the content, empty for what never is the original of duplicates.
        hash: String,
    },
}

/// A batch that is ready to become durable.
pub(crate) struct Flushable<'a> {
    pub(crate) batch: FlushedBatch<'a>,
    pub(crate) outcomes: Vec<Outcome<'a>>,
}

/// A call that can be summarized.
struct Open<'a> {
    index: usize,
    call: &'a Call,
    result: &'a CallResult,
    seen: Seen<'a>,
    captured: CapturedCall,
    hash: String,
}

/// Whether a call repeats the content of an earlier one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeats {
    Nothing,
    Earlier,
}

impl<'a> Run<'a> {
    /// Decides what happens to the calls of a batch; `next` is the number of the next free ref.
    pub(crate) async fn flush(
        &self,
        plan: &BatchPlan,
        state: &State,
        next: &mut u32,
    ) -> crate::Result<Flushable<'a>> {
        let mut done = Flushable {
            batch: FlushedBatch {
                turn: plan.turn as u32,
                summary: String::new(),
                raw_chars: 0,
                summary_chars: 0,
                calls: Vec::new(),
            },
            outcomes: Vec::new(),
        };
        let open = self.sort_out(plan, state, &mut done);
        let open = self.take_duplicates(open, state, &mut done);
        let sizes = open
            .iter()
            .map(|open| utf16_len(&open.captured.text) as u64);
        done.batch.raw_chars = sizes.sum();
        if open.is_empty() {
            return Ok(done);
        }
        if done.batch.raw_chars < self.options.min_batch_chars {
            leave(open, LeftReason::TooSmall, &mut done);
            return Ok(done);
        }
        self.summarize(plan, open, next, &mut done).await?;
        Ok(done)
    }

    /// Settles what cannot be summarized; the rest stays open.
    fn sort_out(&self, plan: &BatchPlan, state: &State, done: &mut Flushable<'a>) -> Vec<Open<'a>> {
        let mut open = Vec::new();
        for &index in &plan.calls {
            let call = &self.transcript.calls[index];
            let Some(result) = call.results.first() else {
                continue;
            };
            let (seen, standing) = self.look_at(call, result, state);
            let first = self.repeats.get(&index);
            let standing = match (standing, first) {
                (Standing::Known | Standing::Open { .. }, Some(&first)) => {
                    self.repeated(first, result)
                }
                (standing, _) => standing,
            };
            let fate = match standing {
                Standing::Open { captured, hash } => {
                    open.push(Open {
                        index,
                        call,
                        result,
                        seen,
                        captured,
                        hash,
                    });
                    continue;
                }
                Standing::Known => Fate::Known,
                Standing::Already => Fate::Already,
                Standing::Left(reason) => {
                    // A call that is known keeps its record; only its place in this file is left.
                    if state.known(&call.key).is_none() && first.is_none() {
                        let fate = FlushedFate::Left(reason);
                        done.batch.calls.push(flushed(call, result, &seen, fate));
                    }
                    Fate::Left(reason)
                }
            };
            done.outcomes.push(Outcome {
                call: index,
                seen,
                fate,
            });
        }
        open
    }

    /// Results that an earlier flush holds already share its ref and summary.
    fn take_duplicates(
        &self,
        open: Vec<Open<'a>>,
        state: &State,
        done: &mut Flushable<'a>,
    ) -> Vec<Open<'a>> {
        let mut rest = Vec::new();
        for open in open {
            let Some((original, bullets)) = state.original(&open.hash, open.result.is_error) else {
                rest.push(open);
                continue;
            };
            // Refs of ancestors are inherited: the same short ref, inside this conversation.
            let full_ref = self.own(original.short);
            match self.smaller_stub(&open, &full_ref, bullets) {
                Some(stub) => {
                    self.keep(
                        open,
                        full_ref,
                        bullets.clone(),
                        stub,
                        Repeats::Earlier,
                        done,
                    );
                }
                None => leave(vec![open], LeftReason::NotSmaller, done),
            }
        }
        rest
    }

    fn own(&self, short: ShortRef) -> FullRef {
        FullRef {
            conversation: self.conversation.clone(),
            short,
        }
    }

    async fn summarize(
        &self,
        plan: &BatchPlan,
        mut open: Vec<Open<'a>>,
        next: &mut u32,
        done: &mut Flushable<'a>,
    ) -> crate::Result<()> {
        let batch = CapturedBatch {
            turn: plan.turn,
            timestamp: plan.timestamp,
            assistant_text: trim(&plan.assistant_text).to_owned(),
            user_turn_group: None,
            calls: open
                .iter_mut()
                .map(|open| std::mem::take(&mut open.captured))
                .collect(),
        };
        let text = self.summarizer.summarize_batch(&batch).await?.text;
        let refs: Vec<ShortRef> = (*next..)
            .filter_map(ShortRef::new)
            .take(open.len())
            .collect();
        let names: Vec<String> = refs.iter().map(ToString::to_string).collect();
        let tools: Vec<String> = open
            .iter()
            .map(|open| label_name(&open.call.tool))
            .collect();
        let substituted = substitute_labels(&text, &names, &tools);
        let Segments {
            calls: mut bullets,
            rest,
        } = substituted.segments(open.len());
        let full_refs: Vec<FullRef> = refs.into_iter().map(|short| self.own(short)).collect();
        let places = open.iter().zip(&full_refs).zip(&bullets);
        let mut stubs: Vec<Option<String>> = places
            .map(|((open, full_ref), bullets)| self.smaller_stub(open, full_ref, bullets))
            .collect();
        self.give_rest_to_last(&open, &full_refs, &rest, &mut bullets, &mut stubs);
        let summary_chars = utf16_len(&substituted.text);
        let oversized = is_oversized(summary_chars, done.batch.raw_chars as usize);
        if oversized || stubs.iter().all(Option::is_none) {
            leave(open, LeftReason::Oversized, done);
            return Ok(());
        }
        *next += open.len() as u32;
        done.batch.summary_chars = summary_chars as u64;
        done.batch.summary = substituted.text;
        for (((open, full_ref), bullets), stub) in
            open.into_iter().zip(full_refs).zip(bullets).zip(stubs)
        {
            let stub = stub.unwrap_or_default();
            self.keep(open, full_ref, bullets, stub, Repeats::Nothing, done);
        }
        Ok(())
    }

    /// Text that the summarizer tied to no call goes to the last result that becomes a stub.
    fn give_rest_to_last(
        &self,
        open: &[Open<'a>],
        full_refs: &[FullRef],
        rest: &str,
        bullets: &mut [String],
        stubs: &mut [Option<String>],
    ) {
        let Some(last) = stubs
            .iter()
            .rposition(Option::is_some)
            .filter(|_| !rest.is_empty())
        else {
            return;
        };
        let with_rest = format!("{}\n{rest}", bullets[last]);
        if let Some(stub) = self.smaller_stub(&open[last], &full_refs[last], &with_rest) {
            with_rest.trim_start().clone_into(&mut bullets[last]);
            stubs[last] = Some(stub);
        }
    }

    /// The stub of a call, unless it is no smaller than what it replaces.
    fn smaller_stub(&self, open: &Open<'a>, full_ref: &FullRef, bullets: &str) -> Option<String> {
        let raw = self.content(open.result);
        smaller_stub(full_ref, bullets, &open.seen, raw, &self.options.channel)
            .map(|stub| stub.text)
    }

    fn keep(
        &self,
        open: Open<'a>,
        full_ref: FullRef,
        bullets: String,
        stub: String,
        repeats: Repeats,
        done: &mut Flushable<'a>,
    ) {
        let duplicate = repeats == Repeats::Earlier;
        let kept = KeptCall {
            short: full_ref.short,
            duplicate,
            content_hash: open.hash.clone(),
            args: self.raw(open.call.input.as_ref()).as_bytes(),
            result: self.content(open.result).unwrap_or_default().as_bytes(),
            bullets: bullets.clone(),
            rendering: stub,
        };
        let fate = FlushedFate::Kept(kept);
        done.batch
            .calls
            .push(flushed(open.call, open.result, &open.seen, fate));
        let known = Known {
            full_ref,
            duplicate,
            bullets,
            result: None,
        };
        let fate = Fate::Kept {
            known: Box::new(known),
            hash: open.hash,
        };
        done.outcomes.push(Outcome {
            call: open.index,
            seen: open.seen,
            fate,
        });
    }
}

/// The name of a tool as a label can hold it: summarizers respell what would end the label early.
fn label_name(tool: &str) -> String {
    let respelled = |c: char| {
        if matches!(c, '[' | ']') || c.is_control() {
            '_'
        } else {
            c
        }
    };
    let name: String = tool.chars().map(respelled).collect();
    if name.trim().is_empty() {
        "tool".to_owned()
    } else {
        name
    }
}

fn leave<'a>(open: Vec<Open<'a>>, reason: LeftReason, done: &mut Flushable<'a>) {
    for open in open {
        let fate = FlushedFate::Left(reason);
        done.batch
            .calls
            .push(flushed(open.call, open.result, &open.seen, fate));
        done.outcomes.push(Outcome {
            call: open.index,
            seen: open.seen,
            fate: Fate::Left(reason),
        });
    }
}

fn flushed<'a>(
    call: &Call,
    result: &CallResult,
    seen: &Seen<'_>,
    fate: FlushedFate<'a>,
) -> FlushedCall<'a> {
    FlushedCall {
        key: call.key.clone(),
        tool: call.tool.clone(),
        is_error: result.is_error,
        timestamp: result.timestamp,
        lines: seen.lines,
        bytes: seen.bytes,
        fate,
    }
}

/// A stub with the raw JSON that carries it.
pub(crate) struct Stub {
    pub(crate) text: String,
    pub(crate) encoded: String,
}

/// The stub of a call, unless it is no smaller than the raw content that it replaces.
pub(crate) fn smaller_stub(
    full_ref: &FullRef,
    bullets: &str,
    seen: &Seen<'_>,
    raw: Option<&str>,
    channel: &Channel,
) -> Option<Stub> {
    let text = stub::render(&StubFacts {
        full_ref,
        lines: seen.lines,
        bytes: seen.bytes,
        images: &seen.content.images,
        bullets,
        channel,
    });
    let encoded = stub::encode(&text, &seen.content);
    (encoded.len() < raw.map_or(0, str::len)).then_some(Stub { text, encoded })
}
