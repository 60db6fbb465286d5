//! `epitome show`: batches, bullets, refs and sizes of a session, and why something was left.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use epitome_condenser::recover::find_conversation;
use epitome_index::Store;
use epitome_index::model::{Conversation, LeftReason, StoredBatch, StoredCall, StoredFate};
use serde_json::{Value, json};

use crate::args::ShowArguments;
use crate::explain::{explain, explain_store};
use crate::failure::{Exit, Failure, Result};
use crate::figures::{counted, grouped, size, thousands};
use crate::layout::{COLUMNS, fitted, one_line};
use crate::place::StorePlace;
use crate::terminal::{Loudness, Reader, Stream, Terminal};

/// Column where the bullets of a call start.
const BULLETS: usize = 10;

/// A batch with its calls.
struct Shown {
    batch: StoredBatch,
    calls: Vec<StoredCall>,
}

pub(crate) fn run(typed: &ShowArguments, place: &StorePlace, terminal: &Terminal) -> Result<Exit> {
    let store = place.open_to_read()?;
    let found =
        find_conversation(store.as_ref(), &typed.session).map_err(|error| explain(&error, None))?;
    let Some(conversation) = found else {
        return Err(no_session(&typed.session, place));
    };
    let shown = load(store.as_ref(), &conversation)?;
    if terminal.reader == Reader::Machine {
        terminal.json(Stream::Output, &for_machines(&conversation, &shown))?;
    } else {
        for line in lines(&conversation, &shown) {
            let line = match terminal.loudness {
                Loudness::Verbose => line,
                Loudness::Normal | Loudness::Quiet => fitted(&line, COLUMNS),
            };
            terminal.line(Stream::Output, &line)?;
        }
    }
    Ok(Exit::Done)
}

/// The failure to find a session.
pub(crate) fn no_session(text: &str, place: &StorePlace) -> Failure {
    Failure::not_found(
        format!(
            "find the session {text} in the store {}",
            place.path.display()
        ),
        format!(
            "`{} sessions` lists what is kept; --store names another store.",
            place.program()
        ),
    )
}

fn load(store: &dyn Store, conversation: &Conversation) -> Result<Vec<Shown>> {
    let told = |error| explain_store(&error);
    let mut calls: BTreeMap<u32, Vec<StoredCall>> = BTreeMap::new();
    for call in store.calls(&conversation.id).map_err(told)? {
        calls.entry(call.batch).or_default().push(call);
    }
    let batches = store.batches(&conversation.id).map_err(told)?;
    let shown = batches.into_iter().map(|batch| Shown {
        calls: calls.remove(&batch.number).unwrap_or_default(),
        batch,
    });
    Ok(shown.collect())
}

fn lines(conversation: &Conversation, shown: &[Shown]) -> Vec<String> {
    let kept = shown
        .iter()
        .flat_map(|shown| &shown.calls)
        .filter(|call| matches!(call.fate, StoredFate::Kept { .. }));
    let mut lines = vec![format!(
        "{}  {}  {}  {}",
        conversation.id,
        one_line(&conversation.title),
        counted(shown.len() as u64, "batch"),
        counted(kept.count() as u64, "ref"),
    )];
    if let Some(parent) = &conversation.parent {
        lines.push(format!("  resumed from {parent}, whose refs it has too"));
    }
    for shown in shown {
        lines.extend(batch_lines(shown));
        lines.extend(left_lines(shown));
    }
    lines
}

fn batch_lines(shown: &Shown) -> Vec<String> {
    let kept = shown.calls.iter().filter_map(|call| match &call.fate {
        StoredFate::Kept {
            short,
            duplicate,
            bullets,
            rendering,
            ..
        } => {
            let mut notes = String::new();
            if call.is_error {
                notes.push_str("  failed");
            }
            if *duplicate {
                notes.push_str("  repeats it");
            }
            if rendering.is_empty() {
                notes.push_str("  left: not smaller");
            }
            // A repeated result has the bullets of the one that it repeats.
            let bullets = if *duplicate { "" } else { bullets };
            Some((call, *short, notes, bullets))
        }
        StoredFate::Left(_) => None,
    });
    let mut lines: Vec<String> = Vec::new();
    for (call, short, notes, bullets) in kept {
        lines.extend(call_lines(call, &short.to_string(), &notes, bullets));
    }
    if !lines.is_empty() {
        let StoredBatch {
            turn,
            raw_chars,
            summary_chars,
            ..
        } = &shown.batch;
        let mut head = format!(
            "  turn {turn}   {}",
            counted(shown.calls.len() as u64, "call")
        );
        if *raw_chars > 0 {
            // Writing to a String cannot fail.
            let _ = write!(
                head,
                "   {} -> {} characters",
                thousands(*raw_chars),
                thousands(*summary_chars)
            );
        }
        lines.insert(0, head);
    }
    lines
}

fn call_lines(call: &StoredCall, short: &str, notes: &str, bullets: &str) -> Vec<String> {
    let prefix = format!("`{short}` ");
    let mut bullets = bullets
        .lines()
        .map(|line| one_line(line.trim_start_matches("- ").trim_start_matches(&prefix)));
    let mut lines = vec![format!(
        "     {short:<4} {:<6} {:>5} {}, {}{notes}  {}",
        one_line(&call.tool),
        grouped(call.lines),
        if call.lines == 1 { "line" } else { "lines" },
        size(call.bytes),
        bullets.next().unwrap_or_default(),
    )];
    lines.extend(bullets.map(|line| format!("{:BULLETS$}{line}", "")));
    lines
}

/// Why calls of a batch stayed as they were, one line a reason.
fn left_lines(shown: &Shown) -> Vec<String> {
    let mut left: BTreeMap<LeftReason, Vec<&StoredCall>> = BTreeMap::new();
    for call in &shown.calls {
        if let StoredFate::Left(reason) = call.fate {
            left.entry(reason).or_default().push(call);
        }
    }
    let line = |(reason, calls): (LeftReason, Vec<&StoredCall>)| {
        let bytes = calls.iter().map(|call| call.bytes).sum();
        let mut tools: Vec<&str> = calls.iter().map(|call| call.tool.as_str()).collect();
        tools.dedup();
        format!(
            "  left: turn {}  {} ({}, {}: {})",
            shown.batch.turn,
            reason.name().replace('-', " "),
            counted(calls.len() as u64, "call"),
            size(bytes),
            one_line(&tools.join(", ")),
        )
    };
    left.into_iter().map(line).collect()
}

fn for_machines(conversation: &Conversation, shown: &[Shown]) -> Value {
    let batches = shown.iter().map(|Shown { batch, calls }| {
        json!({
            "batch": batch.number,
            "turn": batch.turn,
            "at_ms": batch.at_ms,
            "raw_chars": batch.raw_chars,
            "summary_chars": batch.summary_chars,
            "summary": batch.summary,
            "calls": calls.iter().map(call_for_machines).collect::<Vec<_>>(),
        })
    });
    json!({
        "session": conversation.id.as_str(),
        "format": conversation.format,
        "session_id": conversation.session_id,
        "title": conversation.title,
        "parent": conversation.parent.as_ref().map(ToString::to_string),
        "batches": batches.collect::<Vec<_>>(),
    })
}

fn call_for_machines(call: &StoredCall) -> Value {
    let mut value = json!({
        "provider_id": call.key.id,
        "occurrence": call.key.occurrence,
        "tool": call.tool,
        "is_error": call.is_error,
        "timestamp": call.timestamp,
        "lines": call.lines,
        "bytes": call.bytes,
    });
    match &call.fate {
        StoredFate::Kept {
            short,
            duplicate,
            bullets,
            rendering,
            ..
        } => {
            value["ref"] = json!(format!("{}/{short}", call.conversation));
            value["duplicate"] = json!(duplicate);
            value["bullets"] = json!(bullets);
            value["stub"] = json!(rendering);
        }
        StoredFate::Left(reason) => value["left"] = json!(reason.name()),
    }
    value
}
