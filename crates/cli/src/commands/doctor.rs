//! `epitome doctor`: is the store sound, and does the whole way work on this machine?

mod sample;
mod self_test;

use std::path::Path;

use epitome_index::Store as _;
use epitome_index::model::CheckReport;
use serde_json::json;

use crate::explain::explain_store;
use crate::failure::{Exit, Failure, Result};
use crate::figures::{counted, size};
use crate::layout::row;
use crate::place::StorePlace;
use crate::terminal::{Loudness, Reader, Stream, Terminal};

/// What the examination of the store found.
struct Findings {
    /// `None` where there is no store yet.
    check: Option<CheckReport>,
    modes: Option<Modes>,
    self_test: self_test::Outcome,
    problems: Vec<Problem>,
}

/// What is wrong, as a fragment that fits "could not …", and the way out.
struct Problem {
    what: String,
    help: String,
}

impl Problem {
    fn of_this_store(what: String) -> Self {
        let help = "What was condensed into another store is not concerned.".to_owned();
        Self { what, help }
    }
}

/// Permission bits of the store's file and folder.
struct Modes {
    file: u32,
    folder: u32,
}

pub(crate) fn run(place: &StorePlace, terminal: &Terminal) -> Result<Exit> {
    let findings = examine(place);
    if terminal.reader == Reader::Machine {
        print_for_machines(&findings, place, terminal)?;
    } else if terminal.loudness != Loudness::Quiet {
        print_rows(&findings, place, terminal)?;
    }
    for Problem { what, help } in &findings.problems {
        terminal.tell(&Failure::new(what.clone(), help.clone()));
    }
    Ok(if findings.problems.is_empty() {
        Exit::Done
    } else {
        Exit::Failed
    })
}

fn examine(place: &StorePlace) -> Findings {
    let mut problems = Vec::new();
    let mut told = |failure: Failure| {
        if let Failure::Told { what, help, .. } = failure {
            problems.push(match help {
                Some(help) => Problem { what, help },
                None => Problem::of_this_store(what),
            });
        }
    };
    let check = place.exists().then(|| {
        let store = epitome_index::SqliteStore::open_read_only(&place.path);
        store
            .and_then(|store| store.check())
            .map_err(|error| explain_store(&error))
    });
    let check = match check {
        Some(Ok(check)) => Some(check),
        Some(Err(failure)) => {
            told(failure);
            None
        }
        None => None,
    };
    let modes = place.exists().then(|| modes(&place.path)).flatten();
    let self_test = self_test::run();
    if let Err(problem) = &self_test {
        let what = format!("pass the self-test: {problem}");
        let help = "Until it passes, keep the sources of what you condense.".to_owned();
        problems.push(Problem { what, help });
    }
    if let Some(check) = &check {
        let found = check.problems.iter();
        let whats = found.map(|problem| format!("trust the store: {problem}"));
        problems.extend(whats.map(Problem::of_this_store));
    }
    if let Some(mode) = modes.as_ref().map(|modes| modes.file) {
        let path = place.path.display();
        if mode & 0o077 != 0 {
            problems.push(Problem {
                what: format!("keep the store private: the mode of {path} is {mode:04o}, not 0600"),
                help: format!("`chmod 600 {path}` keeps other users out."),
            });
        }
    }
    Findings {
        check,
        modes,
        self_test,
        problems,
    }
}

#[cfg(unix)]
fn modes(path: &Path) -> Option<Modes> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &Path| Some(path.metadata().ok()?.permissions().mode() & 0o7777);
    let absolute = std::path::absolute(path).ok()?;
    Some(Modes {
        file: mode(&absolute)?,
        folder: mode(absolute.parent()?)?,
    })
}

#[cfg(not(unix))]
fn modes(_path: &Path) -> Option<Modes> {
    None
}

fn print_rows(findings: &Findings, place: &StorePlace, terminal: &Terminal) -> Result<()> {
    let print =
        |label: &str, pieces: &[String]| terminal.line(Stream::Output, &row(label, pieces, ", "));
    print("version", &[env!("CARGO_PKG_VERSION").to_owned()])?;
    let store = place.path.to_string_lossy().into_owned();
    if let Some(check) = &findings.check {
        print(
            "store",
            &[store, format!("schema version {}", check.schema_version)],
        )?;
        print(
            "holds",
            &[
                counted(check.conversations, "session"),
                counted(check.blobs, "original"),
                format!("{} in {}", size(check.blob_bytes), size(check.stored_bytes)),
            ],
        )?;
        print("check", &[verdict(check.problems.is_empty())])?;
    } else if place.exists() {
        print("store", &[store, "unusable".to_owned()])?;
    } else {
        print("store", &[store, "none yet: condense makes it".to_owned()])?;
    }
    if let Some(Modes { file, folder }) = &findings.modes {
        let modes = [format!("file {file:04o}"), format!("folder {folder:04o}")];
        print("permissions", &modes)?;
    }
    match &findings.self_test {
        Ok(done) => print(
            "self-test",
            &[
                "passed".to_owned(),
                format!("{} recovered", counted(done.recovered, "original")),
                format!("{} expanded", size(done.bytes)),
            ],
        ),
        Err(_) => print("self-test", &[verdict(false)]),
    }
}

fn verdict(is_sound: bool) -> String {
    if is_sound { "passed" } else { "failed" }.to_owned()
}

fn print_for_machines(findings: &Findings, place: &StorePlace, terminal: &Terminal) -> Result<()> {
    let check = findings.check.as_ref().map(|check| {
        json!({
            "schema_version": check.schema_version,
            "sessions": check.conversations,
            "originals": check.blobs,
            "original_bytes": check.blob_bytes,
            "stored_bytes": check.stored_bytes,
        })
    });
    let octal = |mode: u32| format!("{mode:04o}");
    let value = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "store": place.path.to_string_lossy(),
        "exists": place.exists(),
        "check": check,
        "file_mode": findings.modes.as_ref().map(|modes| octal(modes.file)),
        "folder_mode": findings.modes.as_ref().map(|modes| octal(modes.folder)),
        "self_test": findings.self_test.is_ok(),
        "problems": findings.problems.iter().map(|problem| &problem.what).collect::<Vec<_>>(),
    });
    terminal.json(Stream::Output, &value)
}
