//! `epitome completions`: the completion script of a shell.

use clap::CommandFactory as _;
use serde_json::json;

use crate::args::{Arguments, CompletionsArguments};
use crate::failure::{Exit, Result};
use crate::terminal::{Reader, Stream, Terminal};

pub(crate) fn run(typed: &CompletionsArguments, terminal: &Terminal) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(
        typed.shell,
        &mut Arguments::command(),
        "epitome",
        &mut script,
    );
    if terminal.reader == Reader::Machine {
        let script = String::from_utf8_lossy(&script);
        let value = json!({ "shell": typed.shell.to_string(), "script": script });
        terminal.json(Stream::Output, &value)?;
    } else {
        terminal.bytes(Stream::Output, &script)?;
    }
    Ok(Exit::Done)
}
