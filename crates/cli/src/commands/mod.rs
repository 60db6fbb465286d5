//! One module per command.

mod completions;
mod condense;

use crate::args::{Arguments, Command};
use crate::failure::{Exit, Result};
use crate::place::StorePlace;
use crate::terminal::Terminal;

/// Runs the command that was asked for.
pub(crate) fn run(arguments: Arguments, terminal: &Terminal) -> Result<Exit> {
    let store = || StorePlace::new(arguments.shared.store.as_deref());
    match arguments.command {
        Command::Condense(typed) => condense::run(&typed.try_into()?, &store()?, terminal),
        Command::Completions(typed) => completions::run(&typed, terminal),
        _ => Ok(Exit::Usage),
    }
}
