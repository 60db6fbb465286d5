//! One module per command.

mod completions;
mod condense;
mod doctor;
mod expand;
mod forget;
mod mcp;
mod recover;
mod sessions;
mod show;

use crate::args::{Arguments, Command};
use crate::failure::{Exit, Result};
use crate::place::StorePlace;
use crate::terminal::Terminal;

/// Runs the command that was asked for.
pub(crate) fn run(arguments: Arguments, terminal: &Terminal) -> Result<Exit> {
    let store = || StorePlace::new(arguments.shared.store.as_deref());
    match arguments.command {
        Command::Condense(typed) => condense::run(&typed.try_into()?, &store()?, terminal),
        Command::Recover(typed) => recover::run(&typed.try_into()?, &store()?, terminal),
        Command::Expand(typed) => expand::run(&typed, &store()?, terminal),
        Command::Sessions => sessions::run(&store()?, terminal),
        Command::Show(typed) => show::run(&typed, &store()?, terminal),
        Command::Forget(typed) => forget::run(&typed, &store()?, terminal),
        Command::Doctor => doctor::run(&store()?, terminal),
        Command::Mcp => mcp::run(store()?, terminal),
        Command::Completions(typed) => completions::run(&typed, terminal),
    }
}
