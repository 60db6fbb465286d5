//! The `epitome` command as a person, a script and a pipe see it.

mod bad_input;
mod condense;
mod documents;
mod mcp;
mod pipes;
mod recover;
mod scene;
mod stored;
mod usage;
