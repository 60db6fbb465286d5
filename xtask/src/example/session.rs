//! A session without a format: what was asked, what the agent did, what came back.

/// A whole session.
#[derive(Debug)]
pub(crate) struct Session {
    /// Seed of ids, times and signatures.
    pub(crate) seed: u64,
    /// Short title, as the agents make one.
    pub(crate) title: String,
    /// Working folder.
    pub(crate) folder: String,
    pub(crate) chains: Vec<Chain>,
}

/// One user prompt with everything up to the next; the last turn has no calls.
#[derive(Debug)]
pub(crate) struct Chain {
    pub(crate) prompt: String,
    pub(crate) turns: Vec<Turn>,
}

/// One response of the model with the results of its calls.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    pub(crate) thinking: Option<String>,
    pub(crate) text: Option<String>,
    pub(crate) calls: Vec<Call>,
}

/// A call and what came back.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) action: Action,
    pub(crate) outcome: Outcome,
}

/// What the agent wants. Paths are relative to the working folder.
#[derive(Debug)]
pub(crate) enum Action {
    Read {
        path: String,
        range: Option<Range>,
    },
    List {
        path: String,
    },
    Search {
        pattern: String,
        path: String,
    },
    Find {
        pattern: String,
    },
    Edit {
        path: String,
        old: String,
        new: String,
    },
    Write {
        path: String,
        content: String,
    },
    Run {
        command: String,
        purpose: String,
    },
    Fetch {
        url: String,
        question: String,
    },
}

/// Lines of a file, the first from 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Range {
    pub(crate) first: usize,
    pub(crate) count: usize,
}

/// What a tool answered; each format words it in its own way.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// Lines of a file, from `first` on.
    File {
        content: String,
        first: usize,
        total: usize,
    },
    /// A PNG image in base64.
    Image {
        data: String,
    },
    /// Names in a folder; folders end in a slash.
    Listing(Vec<String>),
    /// Path, line number, line.
    Matches(Vec<(String, usize, String)>),
    Paths(Vec<String>),
    /// The file as it was before the edit.
    Edited {
        before: String,
    },
    Written,
    /// Standard output and error as one text.
    Output {
        text: String,
        exit_code: u8,
    },
    Page {
        html: String,
    },
    /// The file does not exist.
    Missing,
}

/// Which agent's file to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Pi, version 3.
    Pi,
    /// Claude Code.
    ClaudeCode,
}
