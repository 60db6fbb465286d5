//! `epitome expand`: the whole original session back from a condensed one.

use std::path::PathBuf;

use epitome_condenser::files::{self, Overwrite};
use epitome_condenser::{Manner, expand};
use serde_json::{Value, json};

use super::condense::is_pipe;
use crate::args::ExpandArguments;
use crate::explain::explain;
use crate::failure::{Exit, Result};
use crate::figures::{counted, size};
use crate::interrupt;
use crate::layout::row;
use crate::place::StorePlace;
use crate::terminal::{Loudness, Reader, Stream, Terminal};

pub(crate) fn run(
    typed: &ExpandArguments,
    place: &StorePlace,
    terminal: &Terminal,
) -> Result<Exit> {
    interrupt::watch();
    let told = |error| explain(&error, Some(&typed.file));
    let source = if is_pipe(&typed.file) {
        files::read_pipe(std::io::stdin().lock())
    } else {
        files::read_source(&typed.file)
    };
    let source = source.map_err(told)?;
    let overwrite = if typed.force {
        Overwrite::Replace
    } else {
        Overwrite::Refuse
    };
    let target = target(typed, terminal);
    if let Some(path) = &target {
        files::check_target(path, &source, overwrite).map_err(told)?;
    }
    let store = place.open_to_read()?;
    let expanded = expand(&source.bytes, store.as_ref()).map_err(told)?;
    match &target {
        Some(path) => {
            let _whole = interrupt::hold();
            files::write_output(path, &expanded.bytes, &source, overwrite).map_err(told)?;
        }
        None => terminal.bytes(Stream::Output, &expanded.bytes)?,
    }
    report(
        typed,
        target,
        &expanded.manner,
        expanded.bytes.len(),
        terminal,
    )?;
    Ok(match expanded.manner {
        Manner::ByStubs { missing: 1.., .. } => Exit::NotFound,
        _ => Exit::Done,
    })
}

/// The file to write; `None` for standard output.
fn target(typed: &ExpandArguments, terminal: &Terminal) -> Option<PathBuf> {
    match &typed.output {
        Some(path) if is_pipe(path) => None,
        Some(path) => Some(path.clone()),
        None if is_pipe(&typed.file) || !terminal.is_terminal(Stream::Output) => None,
        None => Some(files::output_path(&typed.file, "expanded")),
    }
}

fn report(
    typed: &ExpandArguments,
    target: Option<PathBuf>,
    manner: &Manner,
    bytes: usize,
    terminal: &Terminal,
) -> Result<()> {
    let stream = if target.is_some() {
        Stream::Output
    } else {
        Stream::Error
    };
    let written = target.map(|path| path.to_string_lossy().into_owned());
    if terminal.reader == Reader::Machine {
        let value = for_machines(typed, written.as_deref(), manner, bytes);
        return terminal.json(stream, &value);
    }
    match (terminal.loudness, written) {
        (Loudness::Quiet, None) => Ok(()),
        (Loudness::Quiet, Some(path)) => terminal.line(stream, &path),
        (_, written) => {
            let pieces = [describe(manner), size(bytes as u64)];
            terminal.line(stream, &row("expanded", &pieces, ", "))?;
            let written = written.unwrap_or_else(|| "standard output".to_owned());
            terminal.line(stream, &row("written", &[written], ""))
        }
    }
}

fn describe(manner: &Manner) -> String {
    match manner {
        Manner::Whole => "the source, byte for byte".to_owned(),
        Manner::Grown { added_bytes } => format!(
            "the source, byte for byte, and {} added since",
            size(*added_bytes as u64)
        ),
        Manner::ByStubs { restored, missing } => {
            let restored = counted(*restored as u64, "result");
            let missing = match missing {
                0 => String::new(),
                count => format!(", {} not in this store", counted(*count as u64, "original")),
            };
            format!("a changed file: {restored} put back{missing}")
        }
    }
}

fn for_machines(
    typed: &ExpandArguments,
    written: Option<&str>,
    manner: &Manner,
    bytes: usize,
) -> Value {
    let (name, added, restored, missing) = match manner {
        Manner::Whole => ("whole", 0, 0, 0),
        Manner::Grown { added_bytes } => ("grown", *added_bytes, 0, 0),
        Manner::ByStubs { restored, missing } => ("by-stubs", 0, *restored, *missing),
    };
    json!({
        "file": typed.file.to_string_lossy(),
        "written": written.unwrap_or("-"),
        "bytes": bytes,
        "manner": name,
        "added_bytes": added,
        "restored": restored,
        "missing": missing,
    })
}
