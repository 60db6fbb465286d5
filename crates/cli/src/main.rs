//! The epitome command: condenses agent sessions and gives every original back; imports documents
//! and finds them.
//!
//! A command parses its arguments, calls the application layer and prints what it did. Exit codes:
//! 0 done, 1 nothing found, 2 failed, 3 wrong usage, 130 interrupted.

#![forbid(unsafe_code)]

mod args;
mod commands;
mod explain;
mod failure;
mod figures;
mod interrupt;
mod layout;
mod place;
mod report;
mod settings;
mod terminal;

use std::process::ExitCode;

use clap::Parser as _;

use args::Arguments;
use failure::Exit;
use terminal::Terminal;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Nobody is left to be told where printing fails.
            let _ = error.print();
            let exit = if error.use_stderr() {
                Exit::Usage
            } else {
                Exit::Done
            };
            return exit.into();
        }
    };
    let terminal = Terminal::new(&arguments.shared);
    let exit = commands::run(arguments, &terminal).unwrap_or_else(|failure| {
        terminal.tell(&failure);
        failure.exit()
    });
    exit.into()
}
