//! `epitome recover`: originals by their refs.

mod selection;

use std::path::{Path, PathBuf};

use epitome_condenser::files::{self, Overwrite};
use epitome_condenser::recover::{Part, Recovered, Selector, find_conversation, recover};
use serde::Serialize;
use serde_json::value::RawValue;

use super::show::no_session;
use crate::args::RecoverArguments;
use crate::explain::explain;
use crate::failure::{Exit, Failure, Result};
use crate::figures::{counted, size};
use crate::interrupt;
use crate::layout::one_line;
use crate::place::StorePlace;
use crate::terminal::{Reader, Stream, Terminal};

use selection::Selection;
pub(crate) use selection::line_range;

/// Refs to recover, and what of them.
#[derive(Debug)]
pub(crate) struct Request {
    refs: Vec<String>,
    session: Option<String>,
    shape: Shape,
    output: Option<PathBuf>,
}

/// What is printed of an original.
#[derive(Debug)]
enum Shape {
    Text(Selection),
    Raw,
    Part(usize),
}

impl TryFrom<RecoverArguments> for Request {
    type Error = Failure;

    fn try_from(typed: RecoverArguments) -> Result<Self, Failure> {
        let shape = match (typed.part, typed.raw) {
            (Some(number), _) => Shape::Part(number),
            (None, true) => Shape::Raw,
            (None, false) => Shape::Text(Selection::new(
                typed.lines.as_deref(),
                typed.grep.as_deref(),
            )?),
        };
        Ok(Self {
            refs: typed.refs,
            session: typed.session,
            shape,
            output: typed.output.filter(|path| path != Path::new("-")),
        })
    }
}

/// An original, ready to be printed.
struct Found {
    call: Recovered,
    text: String,
}

pub(crate) fn run(request: &Request, place: &StorePlace, terminal: &Terminal) -> Result<Exit> {
    if !place.exists() {
        let what = format!(
            "find {}: there is no store at {}",
            request.refs.join(", "),
            place.path.display()
        );
        return missing(request, terminal, Failure::not_found(what, NAME_THE_STORE));
    }
    let store = place.open_to_read()?;
    let mut session = None;
    if let Some(text) = &request.session {
        let found = find_conversation(store.as_ref(), text);
        match found.map_err(|error| explain(&error, None))? {
            Some(found) => session = Some(found.id),
            None => return missing(request, terminal, no_session(text, place)),
        }
    }
    let mut found = Vec::new();
    let mut exit = Exit::Done;
    for text in &request.refs {
        let selector = Selector::parse(text, session.as_ref());
        let calls = recover(store.as_ref(), &selector).map_err(|error| explain(&error, None))?;
        if calls.is_empty() {
            terminal.tell(&Failure::not_found(
                format!("find {text} in the store {}", place.path.display()),
                format!(
                    "`{} sessions` lists what is kept; --store names another store.",
                    place.program()
                ),
            ));
            exit = Exit::NotFound;
        }
        found.extend(calls);
    }
    match &request.shape {
        Shape::Part(number) => print_part(&found, *number, request, terminal)?,
        Shape::Text(selection) => {
            let found = select(found, selection, terminal, &mut exit);
            print_found(&found, request, terminal)?;
        }
        Shape::Raw => {
            let raw = found.into_iter().map(|call| Found {
                text: String::from_utf8_lossy(&call.raw).into_owned(),
                call,
            });
            print_found(&raw.collect::<Vec<_>>(), request, terminal)?;
        }
    }
    Ok(exit)
}

const NAME_THE_STORE: &str = "Name the store that the session was condensed with by --store.";

/// A machine gets an empty list, too, where nothing is found.
fn missing(request: &Request, terminal: &Terminal, failure: Failure) -> Result<Exit> {
    if terminal.reader == Reader::Machine && !matches!(request.shape, Shape::Part(_)) {
        terminal.line(Stream::Output, "[]")?;
    }
    Err(failure)
}

/// Picks the lines that were asked for; an original without any is told.
fn select(
    calls: Vec<Recovered>,
    selection: &Selection,
    terminal: &Terminal,
    exit: &mut Exit,
) -> Vec<Found> {
    let mut found = Vec::with_capacity(calls.len());
    for call in calls {
        match selection.apply(&call.text()) {
            Ok(text) => found.push(Found { call, text }),
            Err(problem) => {
                let lines = counted(call.lines, "line");
                terminal.tell(&Failure::not_found(
                    format!("find {problem} in {}", call.full_ref),
                    format!("The original has {lines}; leave --lines and --grep out to see it."),
                ));
                *exit = Exit::NotFound;
            }
        }
    }
    found
}

fn print_found(found: &[Found], request: &Request, terminal: &Terminal) -> Result<()> {
    if terminal.reader == Reader::Machine {
        let text = for_machines(found, request);
        return match &request.output {
            Some(path) => write(path, text.as_bytes()),
            None => terminal.bytes(Stream::Output, text.as_bytes()),
        };
    }
    let text = match found {
        [] => return Ok(()),
        [only] => only.text.clone(),
        several => blocks(several),
    };
    match (&request.output, &request.shape) {
        (Some(path), _) => write(path, text.as_bytes()),
        (None, Shape::Raw) => terminal.bytes(Stream::Output, text.as_bytes()),
        (None, _) => terminal.text(&text),
    }
}

/// Several originals, each under a line that says what it is.
fn blocks(found: &[Found]) -> String {
    let blocks = found.iter().map(|Found { call, text }| {
        let end = if text.is_empty() || text.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        format!("{}\n{text}{end}", label(call))
    });
    blocks.collect::<Vec<_>>().join("\n")
}

fn label(call: &Recovered) -> String {
    let failed = if call.is_error { ", failed" } else { "" };
    format!(
        "== {}  {}  {} (occurrence {})  {}, {}{failed} ==",
        call.full_ref,
        one_line(&call.tool),
        one_line(&call.provider_id),
        call.occurrence,
        counted(call.lines, "line"),
        size(call.bytes),
    )
}

#[derive(Serialize)]
struct Entry<'a> {
    r#ref: String,
    session: &'a str,
    tool: &'a str,
    args: &'a RawValue,
    is_error: bool,
    provider_id: &'a str,
    occurrence: u32,
    timestamp: Option<i64>,
    lines: u64,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    /// The result as it stood in the source; only where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<&'a RawValue>,
}

fn for_machines(found: &[Found], request: &Request) -> String {
    let is_raw = matches!(request.shape, Shape::Raw);
    let entries: Vec<Entry<'_>> = found
        .iter()
        .map(|Found { call, text }| Entry {
            r#ref: call.full_ref.to_string(),
            session: call.full_ref.conversation.as_str(),
            tool: &call.tool,
            args: serde_json::from_str(&call.args).unwrap_or(RawValue::NULL),
            is_error: call.is_error,
            provider_id: &call.provider_id,
            occurrence: call.occurrence,
            timestamp: call.timestamp,
            lines: call.lines,
            bytes: call.bytes,
            text: (!is_raw).then_some(text),
            raw: is_raw.then(|| serde_json::from_str(text).unwrap_or(RawValue::NULL)),
        })
        .collect();
    // Strings, numbers and raw JSON always serialize.
    serde_json::to_string(&entries).unwrap_or_default() + "\n"
}

fn print_part(
    found: &[Recovered],
    number: usize,
    request: &Request,
    terminal: &Terminal,
) -> Result<()> {
    let call = match found {
        [] => return Ok(()),
        [only] => only,
        [first, ..] => {
            return Err(Failure::usage(
                format!("write a part of {} originals at once", found.len()),
                format!("Name one call by its id: {}.", first.provider_id),
            ));
        }
    };
    let part = pick_part(call, number)?;
    match &request.output {
        Some(path) => write(path, &part.bytes),
        None if terminal.is_terminal(Stream::Output) => Err(Failure::usage(
            format!("print {} on a terminal", part.media_type),
            "Name a file with --output.",
        )),
        None => terminal.bytes(Stream::Output, &part.bytes),
    }
}

fn pick_part(call: &Recovered, number: usize) -> Result<Part> {
    let mut parts = call.parts();
    if (1..=parts.len()).contains(&number) {
        return Ok(parts.swap_remove(number - 1));
    }
    let kinds: Vec<String> = parts
        .iter()
        .enumerate()
        .map(|(index, part)| format!("{} is {}", index + 1, part.media_type))
        .collect();
    Err(Failure::not_found(
        format!("find part {number} of {}", call.full_ref),
        if kinds.is_empty() {
            "The result has no part.".to_owned()
        } else {
            format!("Its parts: {}.", kinds.join(", "))
        },
    ))
}

/// Writes a file whole or not at all; what an earlier run wrote there is replaced.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let _whole = interrupt::hold();
    let told = |error| explain(&error, None);
    let nowhere = files::read_pipe(std::io::empty()).map_err(told)?;
    files::write_output(path, bytes, &nowhere, Overwrite::Replace).map_err(told)
}
