//! One batch of a flush: capture, duplicates, minimum size, summary, stubs.

use std::borrow::Cow;

use epitome_core::call::{CapturedBatch, CapturedCall};
use epitome_core::hash::content_hash;
use epitome_core::id::{BlobId, ConversationId, FullRef, ShortRef};
use epitome_core::label::{Segments, substitute_labels};
use epitome_core::stub::{self, Channel, StubFacts};
use epitome_core::text::{is_oversized, trim, utf16_len};
use epitome_core::transcript::{Call, CallResult, ResultContent, Transcript, decode_content};
use epitome_index::model::{FlushedBatch, FlushedCall, FlushedFate, KeptCall, LeftReason};
use epitome_summarizer::Summarizer;

use crate::options::CondenseOptions;
use crate::state::{Known, State};

/// What a batch is made of: turns that share one summary.
pub(crate) struct BatchPlan {
    pub(crate) turn: usize,
    pub(crate) timestamp: i64,
    pub(crate) assistant_text: String,
    pub(crate) calls: Vec<usize>,
}

/// What happens to one call of a batch.
pub(crate) struct Outcome {
    pub(crate) call: usize,
    pub(crate) fate: Fate,
}

/// The fate of a call, before it is durable.
pub(crate) enum Fate {
    /// Known from an earlier flush; nothing to do.
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
    pub(crate) outcomes: Vec<Outcome>,
}

/// What every batch of a run shares.
pub(crate) struct Run<'a> {
    pub(crate) source: &'a [u8],
    pub(crate) transcript: &'a Transcript,
    pub(crate) conversation: &'a ConversationId,
    pub(crate) options: &'a CondenseOptions,
    pub(crate) summarizer: &'a dyn Summarizer,
}

/// A call with its decoded result.
struct Open<'a> {
    index: usize,
    call: &'a Call,
    result: &'a CallResult,
    content: ResultContent<'a>,
    captured: CapturedCall,
    hash: String,
}

impl<'a> Run<'a> {
    pub(crate) fn raw(&self, span: Option<&std::ops::Range<usize>>) -> &'a str {
        let bytes = span.and_then(|span| self.source.get(span.clone()));
        bytes
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or_default()
    }

    /// Raw JSON of a result's content; `None` when absent.
    pub(crate) fn content(&self, result: &CallResult) -> Option<&'a str> {
        result.content.as_ref().map(|span| self.raw(Some(span)))
    }

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
        let mut open = Vec::new();
        for &index in &plan.calls {
            if let Some(fresh) = self.classify(index, state, &mut done) {
                open.push(fresh);
            }
        }
        let open = self.take_duplicates(open, state, &mut done);
        done.batch.raw_chars = open
            .iter()
            .map(|open| utf16_len(&open.captured.text) as u64)
            .sum();
        if open.is_empty() {
            return Ok(done);
        }
        if done.batch.raw_chars < self.options.min_batch_chars {
            self.leave(&open, LeftReason::TooSmall, &mut done);
            return Ok(done);
        }
        self.summarize(plan, open, next, &mut done).await?;
        Ok(done)
    }

    /// Sorts out what is no longer open; the rest is decoded for the summarizer.
    fn classify(&self, index: usize, state: &State, done: &mut Flushable<'a>) -> Option<Open<'a>> {
        let call = &self.transcript.calls[index];
        let result = call.results.first()?;
        let raw = self.content(result);
        let known = state.known(&call.key);
        let content = decode_content(raw);
        let stubbed = stub::parse(&content.text);
        let fate = if let Some(known) = known {
            known_fate(known, raw, stubbed.as_ref())
        } else if stubbed.is_some() || stub::is_foreign(&content.text) {
            Fate::Left(LeftReason::Stub)
        } else if call.ambiguous {
            Fate::Left(LeftReason::Ambiguous)
        } else if content.unsupported {
            Fate::Left(LeftReason::Unsupported)
        } else if self.is_protected(call) {
            Fate::Left(LeftReason::Protected)
        } else {
            let captured = self.capture(call, result, &content);
            let hash = content_hash(&call.tool, &content.text);
            return Some(Open {
                index,
                call,
                result,
                content,
                captured,
                hash,
            });
        };
        if let Fate::Left(reason) = fate {
            // A call that is known keeps its record; only its place in this file is left alone.
            if known.is_none() {
                done.batch.calls.push(self.flushed(
                    call,
                    result,
                    &content,
                    FlushedFate::Left(reason),
                ));
            }
        }
        done.outcomes.push(Outcome { call: index, fate });
        None
    }

    pub(crate) fn is_protected(&self, call: &Call) -> bool {
        self.options
            .protection
            .protects(&call.tool, self.raw(call.input.as_ref()))
    }

    fn capture(
        &self,
        call: &Call,
        result: &CallResult,
        content: &ResultContent<'a>,
    ) -> CapturedCall {
        let args = self.raw(call.input.as_ref());
        CapturedCall {
            id: call.key.id.clone(),
            tool: call.tool.clone(),
            args: if args.is_empty() {
                "{}".to_owned()
            } else {
                args.to_owned()
            },
            text: content.text.clone().into_owned(),
            is_error: result.is_error,
            timestamp: result.timestamp,
            other_blocks: content.images.len(),
        }
    }

    /// Results that an earlier flush holds already share its ref and summary.
    fn take_duplicates(
        &self,
        open: Vec<Open<'a>>,
        state: &State,
        done: &mut Flushable<'a>,
    ) -> Vec<Open<'a>> {
        let (duplicates, rest): (Vec<_>, Vec<_>) = open.into_iter().partition(|open| {
            open.content.images.is_empty()
                && state.original(&open.hash, open.result.is_error).is_some()
        });
        for open in duplicates {
            let Some((original, bullets)) = state.original(&open.hash, open.result.is_error) else {
                continue;
            };
            let full_ref = self.own(original);
            let stub = self.smaller_stub(&open, &full_ref, bullets);
            if stub.is_some() {
                self.keep(
                    &open,
                    full_ref,
                    bullets.clone(),
                    stub,
                    Repeats::Earlier,
                    done,
                );
            } else {
                self.leave(std::slice::from_ref(&open), LeftReason::NotSmaller, done);
            }
        }
        rest
    }

    /// The same short ref inside this conversation: refs of ancestors are inherited.
    fn own(&self, original: &FullRef) -> FullRef {
        FullRef {
            conversation: self.conversation.clone(),
            short: original.short,
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
        let tools: Vec<&str> = open.iter().map(|open| open.call.tool.as_str()).collect();
        let substituted = substitute_labels(&text, &names, &tools);
        let Segments {
            calls: mut bullets,
            rest,
        } = substituted.segments(open.len());
        let full_refs: Vec<FullRef> = refs
            .into_iter()
            .map(|short| FullRef {
                conversation: self.conversation.clone(),
                short,
            })
            .collect();
        let mut stubs: Vec<Option<String>> = open
            .iter()
            .zip(&full_refs)
            .zip(&bullets)
            .map(|((open, full_ref), bullets)| self.smaller_stub(open, full_ref, bullets))
            .collect();
        self.give_rest_to_last(&open, &full_refs, &rest, &mut bullets, &mut stubs);
        let summary_chars = utf16_len(&substituted.text);
        let oversized = is_oversized(summary_chars, done.batch.raw_chars as usize);
        if oversized || stubs.iter().all(Option::is_none) {
            self.leave(&open, LeftReason::Oversized, done);
            return Ok(());
        }
        *next += open.len() as u32;
        done.batch.summary_chars = summary_chars as u64;
        done.batch.summary = substituted.text;
        for (((open, full_ref), bullets), stub) in
            open.iter().zip(full_refs).zip(bullets).zip(stubs)
        {
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
            bullets[last] = with_rest.trim_start().to_owned();
            stubs[last] = Some(stub);
        }
    }

    /// The stub of a call, unless it is no smaller than what it replaces.
    fn smaller_stub(&self, open: &Open<'a>, full_ref: &FullRef, bullets: &str) -> Option<String> {
        let (lines, bytes) = extent(&open.content.text);
        let facts = Known {
            full_ref: full_ref.clone(),
            duplicate: false,
            lines,
            bytes,
            bullets: bullets.to_owned(),
            result: None,
        };
        smaller_stub(
            &facts,
            &open.content,
            self.content(open.result),
            &self.options.channel,
        )
    }

    fn keep(
        &self,
        open: &Open<'a>,
        full_ref: FullRef,
        bullets: String,
        stub: Option<String>,
        repeats: Repeats,
        done: &mut Flushable<'a>,
    ) {
        let (lines, bytes) = extent(&open.content.text);
        let duplicate = matches!(repeats, Repeats::Earlier);
        // Equal texts beside different images are no duplicates: no hash, no match.
        let hash = if open.content.images.is_empty() {
            open.hash.clone()
        } else {
            String::new()
        };
        let kept = KeptCall {
            short: full_ref.short,
            duplicate,
            content_hash: hash.clone(),
            args: self.raw(open.call.input.as_ref()).as_bytes(),
            result: self.content(open.result).unwrap_or_default().as_bytes(),
            bullets: bullets.clone(),
            rendering: stub.unwrap_or_default(),
        };
        let fate = FlushedFate::Kept(kept);
        done.batch
            .calls
            .push(self.flushed(open.call, open.result, &open.content, fate));
        let known = Known {
            full_ref,
            duplicate,
            lines,
            bytes,
            bullets,
            result: None,
        };
        let fate = Fate::Kept {
            known: Box::new(known),
            hash,
        };
        done.outcomes.push(Outcome {
            call: open.index,
            fate,
        });
    }

    fn leave(&self, open: &[Open<'a>], reason: LeftReason, done: &mut Flushable<'a>) {
        for open in open {
            let fate = FlushedFate::Left(reason);
            done.batch
                .calls
                .push(self.flushed(open.call, open.result, &open.content, fate));
            done.outcomes.push(Outcome {
                call: open.index,
                fate: Fate::Left(reason),
            });
        }
    }

    fn flushed(
        &self,
        call: &Call,
        result: &CallResult,
        content: &ResultContent<'_>,
        fate: FlushedFate<'a>,
    ) -> FlushedCall<'a> {
        let (lines, bytes) = extent(&content.text);
        FlushedCall {
            key: call.key.clone(),
            tool: call.tool.clone(),
            is_error: result.is_error,
            timestamp: result.timestamp,
            lines,
            bytes,
            fate,
        }
    }
}

/// What a call is whose key the store has: its original, our stub of it, or something else.
fn known_fate(known: &Known, raw: Option<&str>, stubbed: Option<&FullRef>) -> Fate {
    let is_original = |blob| blob == BlobId::of(raw.unwrap_or_default().as_bytes());
    if known.result.is_none_or(is_original) {
        Fate::Known
    } else if stubbed == Some(&known.full_ref) {
        Fate::Already
    } else {
        Fate::Left(LeftReason::Ambiguous)
    }
}

/// Whether a call repeats the content of an earlier one.
enum Repeats {
    Nothing,
    Earlier,
}

/// The stub of a known call, unless it is no smaller than the raw content that it replaces.
pub(crate) fn smaller_stub(
    known: &Known,
    content: &ResultContent<'_>,
    raw: Option<&str>,
    channel: &Channel,
) -> Option<String> {
    let stub = stub::render(&StubFacts {
        full_ref: &known.full_ref,
        lines: known.lines,
        bytes: known.bytes,
        images: &content.images,
        bullets: &known.bullets,
        channel,
    });
    let smaller = stub::encode(&stub, content).len() < raw.map_or(0, str::len);
    smaller.then_some(stub)
}

/// Lines and UTF-8 bytes of a text; a line feed at its end opens no line.
fn extent(text: &Cow<'_, str>) -> (u64, u64) {
    (text.lines().count() as u64, text.len() as u64)
}
