//! Errors of the layers below, as a person reads them: the thing, the place, the way out.

use std::path::Path;

use epitome_condenser::{Error, ErrorKind};
use epitome_core::wire::WireError;
use epitome_retriever::tools::ToolError;

use crate::failure::{Exit, Failure};

const FORMATS: &str = "epitome reads session files of Pi (~/.pi/agent/sessions) and of Claude \
                       Code (~/.claude/projects).";

/// Explains an error of the application layer; `place` is the session that was worked on.
pub(crate) fn explain(error: &Error, place: Option<&Path>) -> Failure {
    let place = match place {
        None => "the session".to_owned(),
        Some(path) if path == Path::new("-") => "standard input".to_owned(),
        Some(path) => path.display().to_string(),
    };
    match error.kind() {
        ErrorKind::Wire(wire) => explain_wire(wire, &place),
        ErrorKind::Store(store) => explain_store(store),
        ErrorKind::Read { .. } => Failure::new(error.to_string(), "Check the path of the session."),
        ErrorKind::Write { .. } => Failure::new(
            error.to_string(),
            "Name another file with --output; nothing was left half-written.",
        ),
        ErrorKind::Exists { .. } => Failure::new(
            error.to_string(),
            "Pass --force to overwrite it, or name another file with --output.",
        ),
        ErrorKind::NoResume { .. } => Failure::new(
            error.to_string(),
            "Leave --resume out and place the condensed file yourself.",
        ),
        ErrorKind::AmbiguousRef { candidates, .. } => {
            let names: Vec<String> = candidates.iter().map(ToString::to_string).collect();
            Failure::new(
                error.to_string(),
                format!("Name one of them: {}.", names.join(", ")),
            )
        }
        ErrorKind::NotCondensed { missing } => Failure::with(
            Exit::NotFound,
            error.to_string().replace("the session", &place),
            Some(if *missing == 0 {
                "Only a session that epitome condensed can be expanded.".to_owned()
            } else {
                format!(
                    "{missing} stubs stand in it: name the store that they were made with by --store."
                )
            }),
        ),
        ErrorKind::Invalid(violation) => Failure::new(
            format!(
                "condense {place}:{}: the result would break the session ({violation})",
                violation.line
            ),
            "Nothing was written. This is a fault of epitome; the session itself is whole.",
        ),
        _ => Failure::with(Exit::Failed, error.to_string(), None),
    }
}

fn explain_wire(error: &WireError, place: &str) -> Failure {
    match error {
        WireError::Empty => Failure::new(format!("read {place}: the file is empty"), FORMATS),
        WireError::NoJson { line, reason } => Failure::new(
            format!("read {place}:{line}: the line is {reason}"),
            format!("No line of the file is a JSON object. {FORMATS}"),
        ),
        WireError::UnknownFormat { line } => Failure::new(
            format!("read {place}:{line}: the format is unknown"),
            format!("The line is neither a Pi session header nor a Claude Code line. {FORMATS}"),
        ),
        _ => Failure::new(format!("read {place}: {error}"), FORMATS),
    }
}

/// Explains why a tool could not answer.
pub(crate) fn explain_tool(error: &ToolError) -> Failure {
    let what = error.to_string();
    match error {
        ToolError::Store(store) => explain_store(store),
        ToolError::UnknownPath { .. } => {
            Failure::not_found(what, "`epitome ls` lists what was imported.")
        }
        ToolError::BehindEnd { .. } => Failure::with(Exit::NotFound, what, None),
        ToolError::Pattern { .. } => Failure::usage(
            what,
            "Put a backslash before characters that are meant as they are.",
        ),
        _ => Failure::with(Exit::Usage, what, None),
    }
}

/// Explains an error of the store.
pub(crate) fn explain_store(error: &epitome_index::Error) -> Failure {
    use epitome_index::ErrorKind as Kind;
    let help = match error.kind() {
        Kind::Newer { .. } => {
            "Update epitome, or name another store with --store; this one was not touched."
        }
        Kind::ReadOnly { .. } => "Make it writable, or name another store with --store.",
        Kind::Full { .. } => {
            "Free some space and run the command again; what was stored before is whole."
        }
        Kind::Busy { .. } => "Wait until the other command has ended, then run this one again.",
        Kind::Folder { .. } => {
            "Check the path of the folder; what was imported of it is untouched."
        }
        Kind::SourceBusy { .. } => {
            "Wait until it has ended; reading and searching go on meanwhile."
        }
        Kind::SourceName { .. } => "Name the source with --source NAME.",
        Kind::Pattern { .. } => "Patterns look like those of an ignore file: `*.md`, `drafts/`.",
        Kind::UnknownSource { .. } => "`epitome sources` lists what was imported.",
        Kind::Corrupted { .. } | Kind::Damaged { .. } => {
            "Run `epitome doctor` to see what is wrong, and name another store with --store."
        }
        _ => "Check the path of the store, or name another one with --store.",
    };
    Failure::new(error.to_string(), help)
}
