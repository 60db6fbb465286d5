//! How a command ends: exit codes, and failures that name the thing, the place and the way out.

use std::io;
use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It did what it was asked.
    Done,
    /// Nothing was found.
    NotFound,
    /// It could not be done.
    Failed,
    /// It was asked in a way that makes no sense.
    Usage,
    /// The user interrupted it.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::NotFound => 1,
            Exit::Failed => 2,
            Exit::Usage => 3,
            // What a shell reports for a command that an interrupt ended.
            Exit::Interrupted => 130,
        })
    }
}

/// Why a command stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Who reads the output went away: no failure of ours.
    BrokenPipe,
    /// Something to tell.
    Told {
        /// The code that the process ends with.
        exit: Exit,
        /// What could not be done, as it follows `could not `.
        what: String,
        /// The way out, a sentence.
        help: Option<String>,
    },
}

impl Failure {
    pub(crate) fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::with(Exit::Failed, what.into(), Some(help.into()))
    }

    pub(crate) fn usage(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::with(Exit::Usage, what.into(), Some(help.into()))
    }

    pub(crate) fn not_found(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::with(Exit::NotFound, what.into(), Some(help.into()))
    }

    pub(crate) fn with(exit: Exit, what: String, help: Option<String>) -> Self {
        Self::Told { exit, what, help }
    }

    /// A failure of standard output or standard error.
    pub(crate) fn of_stream(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::BrokenPipe;
        }
        Self::with(Exit::Failed, format!("write the output: {error}"), None)
    }

    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::BrokenPipe => Exit::Done,
            Self::Told { exit, .. } => *exit,
        }
    }
}

/// Result of a command.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;
