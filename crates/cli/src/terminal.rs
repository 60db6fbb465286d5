//! What reaches the person or the pipe: streams, escapes, colour, progress.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;

use crate::args::SharedArguments;
use crate::failure::{Failure, Result};

/// Columns that texts for people keep to.
pub(crate) const COLUMNS: usize = 80;

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
            let help = self.shown(Stream::Error, help);
            let label = self.paint(Stream::Error, Paint::Dim, "help:");
            let _ = self.bytes(Stream::Error, format!("{label} {help}\n").as_bytes());
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

    /// A progress line on standard error, hidden where nobody looks at it.
    pub(crate) fn progress(&self, what: &str) -> ProgressBar {
        if !self.error_on_screen || self.loudness == Loudness::Quiet {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let template = "{msg}  {pos} of {len}  {per_sec}  {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(escape(what).into_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }
}

/// Escapes what a terminal would obey or show in another order: control characters but line end
/// and tab, and the marks that turn the direction of text.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_unsafe(character) {
            // Writing to a String cannot fail.
            let _ = write!(escaped, "\\u{{{:x}}}", u32::from(character));
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

fn is_unsafe(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        other => other.is_control(),
    }
}

/// Escapes and keeps on one line what names a thing: a title, a path, a tool.
pub(crate) fn one_line(text: &str) -> String {
    escape(text).replace(['\n', '\t'], " ")
}

/// Cuts a line that is too long, visibly.
pub(crate) fn fitted(line: &str, columns: usize) -> String {
    if line.chars().count() <= columns {
        return line.trim_end().to_owned();
    }
    let head: String = line.chars().take(columns.saturating_sub(1)).collect();
    format!("{}…", head.trim_end())
}

/// A row of a report: a label, then pieces that go on a line of their own where the row is full.
pub(crate) fn row(label: &str, pieces: &[String], separator: &str) -> String {
    const INDENT: usize = 12;
    let mut text = format!("{label:<INDENT$}");
    let mut width = INDENT;
    for (index, piece) in pieces.iter().enumerate() {
        let length = piece.chars().count();
        if index > 0 && width + separator.len() + length > COLUMNS {
            text.push_str(separator.trim_end());
            let _ = write!(text, "\n{:INDENT$}", "");
            width = INDENT;
        } else if index > 0 {
            text.push_str(separator);
            width += separator.len();
        }
        text.push_str(piece);
        width += length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_what_a_terminal_obeys() {
        let check = |text: &str, expected: &str| assert_eq!(escape(text), expected);
        check("plain\ttext\nüñ漢", "plain\ttext\nüñ漢");
        check("\u{1b}[31mred", "\\u{1b}[31mred");
        check("a\rb\u{7}\u{9b}", "a\\u{d}b\\u{7}\\u{9b}");
        check("\u{202e}txt", "\\u{202e}txt");
        assert_eq!(one_line("a\nb\tc\r"), "a b c\\u{d}");
    }

    #[test]
    fn rows_break_between_pieces() {
        let pieces: Vec<String> = (0..9).map(|n| format!("{n} of the pieces")).collect();
        let text = row("calls", &pieces, ", ");
        assert!(text.lines().count() > 1);
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS));
        assert_eq!(
            text.lines()
                .map(str::trim)
                .collect::<Vec<_>>()
                .join(" ")
                .replace("calls       ", ""),
            pieces.join(", ")
        );
        assert_eq!(
            row("a", &["x".repeat(90)], " "),
            format!("a{:11}{}", "", "x".repeat(90))
        );
    }
}
