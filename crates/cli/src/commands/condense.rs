//! `epitome condense`: a session file becomes a smaller one in the same format.

mod job;

use std::fs;
use std::path::Path;

use epitome_condenser::files::{self, Overwrite, Source};
use epitome_condenser::resume::{self, Homes, ResumeTarget};
use epitome_condenser::{Condensation, CondenseOptions, Persistence, condense, is_output, record};
use epitome_core::wire;
use epitome_index::Store;
use epitome_summarizer::extractive::Extractive;
use serde_json::json;

use crate::args::Recovery;
use crate::explain::explain;
use crate::failure::{Exit, Failure, Result};
use crate::interrupt;
use crate::place::StorePlace;
use crate::report::{self, Outcome, Written};
use crate::terminal::{Loudness, Reader, Stream, Terminal};

use job::Destination;
pub(crate) use job::{Job, is_pipe, now_ms};

/// Condenses each session; one that fails does not keep the others from being done.
pub(crate) fn run(job: &Job, place: &StorePlace, terminal: &Terminal) -> Result<Exit> {
    interrupt::watch();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .map_err(|error| Failure::with(Exit::Failed, format!("start: {error}"), None))?;
    let mut store = None;
    let mut exit = Exit::Done;
    for (index, session) in job.sessions.iter().enumerate() {
        let stream = report_stream(&job.destination(session));
        if index > 0 && terminal.reader == Reader::Person && terminal.loudness != Loudness::Quiet {
            terminal.line(stream, "")?;
        }
        match runtime.block_on(condense_one(session, job, place, &mut store, terminal)) {
            Ok(outcome) => report::print(&outcome, stream, place, terminal)?,
            Err(Failure::BrokenPipe) => return Err(Failure::BrokenPipe),
            Err(Failure::Told { what, help, .. }) => {
                if terminal.reader == Reader::Machine {
                    let error = json!({ "what": what, "help": help });
                    let session = session.to_string_lossy();
                    terminal.json(stream, &json!({ "session": session, "error": error }))?;
                }
                exit = Exit::Failed;
                terminal.tell(&Failure::with(exit, what, help));
            }
        }
    }
    Ok(exit)
}

/// The report keeps away from an output that is the session itself.
fn report_stream(destination: &Destination) -> Stream {
    match destination {
        Destination::Output => Stream::Error,
        Destination::File(_) | Destination::Agent => Stream::Output,
    }
}

async fn condense_one(
    session: &Path,
    job: &Job,
    place: &StorePlace,
    store: &mut Option<Box<dyn Store>>,
    terminal: &Terminal,
) -> Result<Outcome> {
    let told = |error| explain(&error, Some(session));
    let source = read(session).map_err(told)?;
    let options = options(&source, job).map_err(told)?;
    let destination = job.destination(session);
    if let (Destination::File(path), Persistence::Commit) = (&destination, job.persistence) {
        files::check_target(path, &source, Overwrite::Replace).map_err(told)?;
    }
    // Opened only now, so that a wrong path of a session makes no store.
    let store = match store {
        Some(store) => store,
        None => store.insert(match job.persistence {
            Persistence::Commit => Box::new(place.open()?),
            Persistence::DryRun => place.open_to_read()?,
        }),
    };
    let store = store.as_ref();
    let overwrite = overwrite(&destination, job, store).map_err(told)?;
    if let (Destination::File(path), Persistence::Commit) = (&destination, job.persistence) {
        files::check_target(path, &source, overwrite).map_err(told)?;
    }
    let condensed = run_with_progress(&source, &options, store, job, session, terminal)
        .await
        .map_err(told)?;
    let resume = match &options.fresh_session_id {
        Some(fresh) => Some(resume_target(&source, &condensed, fresh, &options).map_err(told)?),
        None => None,
    };
    let target = match (destination, &resume) {
        (_, Some(resume)) => Some(resume.path.clone()),
        (Destination::File(path), None) => Some(path),
        (Destination::Output | Destination::Agent, None) => None,
    };
    if job.persistence == Persistence::Commit {
        record(&source.bytes, &condensed, &options, store).map_err(told)?;
        match &target {
            Some(path) => write(path, &condensed, &source, job, overwrite).map_err(told)?,
            None => terminal.bytes(Stream::Output, &condensed.output.bytes)?,
        }
    }
    Ok(Outcome {
        session: session.to_owned(),
        written: match (job.persistence, target) {
            (Persistence::DryRun, target) => Written::Nothing(target),
            (Persistence::Commit, Some(path)) => Written::File(path),
            (Persistence::Commit, None) => Written::Output,
        },
        identical: condensed.output.edits.is_empty(),
        changed_while_read: source.changed_while_read,
        resume: resume.map(|target| resume_command(&target, job, place)),
        report: condensed.report,
    })
}

fn read(session: &Path) -> epitome_condenser::Result<Source> {
    if is_pipe(session) {
        files::read_pipe(std::io::stdin().lock())
    } else {
        files::read_source(session)
    }
}

/// The options of one session: the tool's name depends on its format.
fn options(source: &Source, job: &Job) -> epitome_condenser::Result<CondenseOptions> {
    let format = match job.recovery {
        Recovery::Command => None,
        Recovery::Tool => Some(wire::read(&source.bytes)?.format),
    };
    Ok(job.options(source.path.as_deref(), format))
}

async fn run_with_progress(
    source: &Source,
    options: &CondenseOptions,
    store: &dyn Store,
    job: &Job,
    session: &Path,
    terminal: &Terminal,
) -> epitome_condenser::Result<Condensation> {
    let name = session.file_name().unwrap_or(session.as_os_str());
    let bar = terminal.progress(&format!("condensing {}", name.to_string_lossy()));
    let show = |progress: epitome_condenser::Progress| {
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
    };
    let bytes = &source.bytes;
    let condensed = condense(bytes, options, store, &Extractive, job.persistence, &show).await;
    bar.finish_and_clear();
    condensed
}

fn resume_target(
    source: &Source,
    condensed: &Condensation,
    fresh: &str,
    options: &CondenseOptions,
) -> epitome_condenser::Result<ResumeTarget> {
    // The folder may decide where the new session goes, so a bare file name needs its own.
    let path = source
        .path
        .as_deref()
        .map(|path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
    let homes = Homes::from_environment();
    let transcript = &condensed.transcript;
    resume::target(transcript, path.as_deref(), fresh, options.now_ms, &homes)
}

/// What the user types to resume. Stubs that name a command find another store by its variable.
fn resume_command(target: &ResumeTarget, job: &Job, place: &StorePlace) -> String {
    let command = &target.command;
    match place
        .variable()
        .filter(|_| job.recovery == Recovery::Command)
    {
        None => command.clone(),
        Some(variable) => match command.rsplit_once(" && ") {
            Some((enter, agent)) => format!("{enter} && {variable} {agent}"),
            None => format!("{variable} {command}"),
        },
    }
}

/// An output of an earlier run may be replaced without being asked: its source can be put together
/// again. Any other file stays unless the user says so.
fn overwrite(
    destination: &Destination,
    job: &Job,
    store: &dyn Store,
) -> epitome_condenser::Result<Overwrite> {
    let Destination::File(path) = destination else {
        return Ok(job.overwrite);
    };
    let earlier = fs::read(path).ok();
    let ours = match earlier {
        Some(bytes) => is_output(&bytes, store)?,
        None => false,
    };
    Ok(if ours {
        Overwrite::Replace
    } else {
        job.overwrite
    })
}

fn write(
    path: &Path,
    condensed: &Condensation,
    source: &Source,
    job: &Job,
    overwrite: Overwrite,
) -> epitome_condenser::Result<()> {
    let _whole = interrupt::hold();
    if let Some(folder) = path.parent().filter(|_| job.is_resumed()) {
        // The agent makes the folder of a project on first use. Where this fails, so does the
        // write, and says why.
        let _ = fs::create_dir_all(folder);
    }
    files::write_output(path, &condensed.output.bytes, source, overwrite)
}
