//! What reaches the person or the pipe: streams, colour, progress.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, IsTerminal as _, Write as _};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use serde_json::Value;

use crate::args::SharedArguments;
use crate::failure::{Failure, Result};
use crate::layout::{escape, fitted, one_line, wrapped};

/// Columns of a progress line that its name may take.
const LONGEST_NAME: usize = 40;

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loudness {
    /// The result alone.
    Quiet,
    /// What a person wants to know.
    Normal,
    /// All there is.
    Verbose,
}

/// Who reads the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    Person,
    Machine,
}

/// One of the two output streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Output,
    Error,
}

/// A colour with a meaning; texts read the same without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    /// Labels.
    Dim,
    /// Warnings.
    Yellow,
    /// Failures.
    Red,
}

/// How this process talks.
#[derive(Debug, Clone)]
pub(crate) struct Terminal {
    pub(crate) loudness: Loudness,
    pub(crate) reader: Reader,
    output_on_screen: bool,
    error_on_screen: bool,
    colour: bool,
}

impl Terminal {
    pub(crate) fn new(shared: &SharedArguments) -> Self {
        Self {
            loudness: match (shared.quiet, shared.verbose) {
                (true, _) => Loudness::Quiet,
                (_, true) => Loudness::Verbose,
                _ => Loudness::Normal,
            },
            reader: if shared.json {
                Reader::Machine
            } else {
                Reader::Person
            },
            output_on_screen: io::stdout().is_terminal(),
            error_on_screen: io::stderr().is_terminal(),
            // The convention of no-color.org: set and not empty.
            colour: std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        }
    }

    pub(crate) fn is_terminal(&self, stream: Stream) -> bool {
        match stream {
            Stream::Output => self.output_on_screen,
            Stream::Error => self.error_on_screen,
        }
    }

    /// Whether a person can be asked.
    pub(crate) fn can_ask(&self) -> bool {
        self.error_on_screen && io::stdin().is_terminal()
    }

    /// Writes text and a line end; control characters are escaped on a terminal.
    pub(crate) fn line(&self, stream: Stream, text: &str) -> Result<()> {
        let mut text = self.shown(stream, text).into_owned();
        text.push('\n');
        self.bytes(stream, text.as_bytes())
    }

    /// Writes text that stood in a session; control characters are escaped on a terminal, and
    /// there it ends with a line end, so that the prompt stands on its own line.
    pub(crate) fn text(&self, text: &str) -> Result<()> {
        let shown = self.shown(Stream::Output, text);
        self.bytes(Stream::Output, shown.as_bytes())?;
        if self.output_on_screen && !text.is_empty() && !text.ends_with('\n') {
            self.bytes(Stream::Output, b"\n")?;
        }
        Ok(())
    }

    /// Writes bytes as they are.
    #[expect(
        clippy::unused_self,
        reason = "the terminal is the one way to the streams"
    )]
    pub(crate) fn bytes(&self, stream: Stream, bytes: &[u8]) -> Result<()> {
        let written = match stream {
            Stream::Output => {
                let mut output = io::stdout().lock();
                output.write_all(bytes).and_then(|()| output.flush())
            }
            Stream::Error => io::stderr().lock().write_all(bytes),
        };
        written.map_err(|error| Failure::of_stream(&error))
    }

    /// Writes a JSON value on one line.
    pub(crate) fn json(&self, stream: Stream, value: &Value) -> Result<()> {
        self.bytes(stream, format!("{value}\n").as_bytes())
    }

    /// Tells a failure on standard error, where nothing is left to be done about a second one.
    pub(crate) fn tell(&self, failure: &Failure) {
        let Failure::Told { what, help, .. } = failure else {
            return;
        };
        let text = format!(
            "{} {}",
            self.paint(Stream::Error, Paint::Red, "could not"),
            self.shown(Stream::Error, what)
        );
        let _ = self.bytes(Stream::Error, format!("{text}\n").as_bytes());
        if let Some(help) = help {
            let help = wrapped(&format!("help: {help}"), "help: ".len());
            let help = self.shown(Stream::Error, &help);
            let _ = self.bytes(Stream::Error, format!("{help}\n").as_bytes());
        }
    }

    /// Colours a text of ours where the stream is a terminal.
    pub(crate) fn paint<'a>(&self, stream: Stream, paint: Paint, text: &'a str) -> Cow<'a, str> {
        if !self.colour || !self.is_terminal(stream) {
            return Cow::Borrowed(text);
        }
        let code = match paint {
            Paint::Dim => 2,
            Paint::Yellow => 33,
            Paint::Red => 31,
        };
        Cow::Owned(format!("\u{1b}[{code}m{text}\u{1b}[0m"))
    }

    /// The text as the stream may show it.
    pub(crate) fn shown<'a>(&self, stream: Stream, text: &'a str) -> Cow<'a, str> {
        if self.is_terminal(stream) {
            escape(text)
        } else {
            Cow::Borrowed(text)
        }
    }

    /// A progress line on standard error, hidden where nobody looks at it. It shows itself with
    /// the first step.
    pub(crate) fn progress(&self, what: &str) -> ProgressBar {
        if !self.error_on_screen || self.loudness == Loudness::Quiet {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
            .with_message(fitted(&one_line(what), LONGEST_NAME));
        let template = "{msg}  {pos} of {len} steps  {rate}  {eta} left";
        let Ok(style) = ProgressStyle::with_template(template) else {
            return bar;
        };
        let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
            // Nothing depends on a rate that is not shown.
            let _ = write!(out, "{:.0}/s", state.per_sec());
        };
        bar.with_style(style.with_key("rate", rate))
    }
}
