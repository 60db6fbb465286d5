//! One module per command.

mod ask;
mod completions;
mod condense;
mod date;
mod doctor;
mod expand;
mod forget;
mod forget_source;
mod grep;
mod import;
mod ls;
mod mcp;
mod read;
mod recover;
mod search;
mod sessions;
mod show;
mod sources;
mod summary;

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
        Command::Import(typed) => import::run(&typed, &store()?, terminal),
        Command::Sync(typed) => import::run_sync(&typed, &store()?, terminal),
        Command::Sources => sources::run(&store()?, terminal),
        Command::Search(typed) => search::run(&typed, &store()?, terminal),
        Command::Ask(typed) => ask::run(&typed, &store()?, terminal),
        Command::Read(typed) => read::run(&typed, &store()?, terminal),
        Command::Ls(typed) => ls::run(&typed, &store()?, terminal),
        Command::Grep(typed) => grep::run(&typed, &store()?, terminal),
        Command::Summary(typed) => summary::run(&typed, &store()?, terminal),
        Command::Date(typed) => date::run(&typed, &store()?, terminal),
        Command::ForgetSource(typed) => forget_source::run(&typed, &store()?, terminal),
        Command::Doctor => doctor::run(&store()?, terminal),
        Command::Mcp => mcp::run(store()?, terminal),
        Command::Completions(typed) => completions::run(&typed, terminal),
    }
}
