//! The words in which the script tells the session.

use anyhow::{Context, Result};

use super::session::{Action, Call, Chain, Outcome, Range, Turn};
use super::workspace::Workspace;

/// Tells a session step by step, running each step against the workspace.
pub(crate) struct Story {
    workspace: Workspace,
    chains: Vec<Chain>,
}

/// What the model thinks and says before its calls.
#[derive(Default)]
pub(crate) struct Words {
    thinking: Option<String>,
    text: Option<String>,
}

/// A step: one that the workspace answers, or one that brings its answer along.
pub(crate) enum Step {
    OnFiles(Action),
    Answered(Action, Outcome),
}

impl Story {
    pub(crate) fn new(workspace: Workspace) -> Self {
        Self {
            workspace,
            chains: Vec::new(),
        }
    }

    /// The user writes; a new chain begins.
    pub(crate) fn prompt(&mut self, text: &str) {
        self.chains.push(Chain {
            prompt: text.to_owned(),
            turns: Vec::new(),
        });
    }

    /// The model makes its calls, in parallel when there are several.
    pub(crate) fn turn<const N: usize>(&mut self, words: Words, steps: [Step; N]) -> Result<()> {
        let mut calls = Vec::with_capacity(N);
        for step in steps {
            calls.push(match step {
                Step::OnFiles(action) => self.workspace.run(action)?,
                Step::Answered(action, outcome) => Call { action, outcome },
            });
        }
        self.push(Turn {
            thinking: words.thinking,
            text: words.text,
            calls,
        })
    }

    /// The model's last words of this chain.
    pub(crate) fn answer(&mut self, text: &str) -> Result<()> {
        self.push(Turn {
            text: Some(text.to_owned()),
            ..Turn::default()
        })
    }

    pub(crate) fn into_chains(self) -> Vec<Chain> {
        self.chains
    }

    fn push(&mut self, turn: Turn) -> Result<()> {
        self.chains
            .last_mut()
            .context("a turn needs a prompt before it")?
            .turns
            .push(turn);
        Ok(())
    }
}

pub(crate) fn silent() -> Words {
    Words::default()
}

pub(crate) fn say(text: &str) -> Words {
    Words {
        text: Some(text.to_owned()),
        ..Words::default()
    }
}

pub(crate) fn think(thinking: &str) -> Words {
    Words {
        thinking: Some(thinking.to_owned()),
        ..Words::default()
    }
}

impl Words {
    pub(crate) fn then_say(self, text: &str) -> Self {
        Self {
            text: Some(text.to_owned()),
            ..self
        }
    }
}

pub(crate) fn read(path: &str) -> Step {
    Step::OnFiles(Action::Read {
        path: path.to_owned(),
        range: None,
    })
}

pub(crate) fn read_part(path: &str, first: usize, count: usize) -> Step {
    Step::OnFiles(Action::Read {
        path: path.to_owned(),
        range: Some(Range { first, count }),
    })
}

pub(crate) fn list(path: &str) -> Step {
    Step::OnFiles(Action::List {
        path: path.to_owned(),
    })
}

pub(crate) fn search(pattern: &str, path: &str) -> Step {
    Step::OnFiles(Action::Search {
        pattern: pattern.to_owned(),
        path: path.to_owned(),
    })
}

pub(crate) fn find(pattern: &str) -> Step {
    Step::OnFiles(Action::Find {
        pattern: pattern.to_owned(),
    })
}

pub(crate) fn edit(path: &str, old: &str, new: &str) -> Step {
    Step::OnFiles(Action::Edit {
        path: path.to_owned(),
        old: old.to_owned(),
        new: new.to_owned(),
    })
}

pub(crate) fn write(path: &str, content: &str) -> Step {
    Step::OnFiles(Action::Write {
        path: path.to_owned(),
        content: content.to_owned(),
    })
}

pub(crate) fn run(command: &str, purpose: &str, output: impl Into<String>) -> Step {
    exit(command, purpose, 0, output)
}

/// A command that ends with an exit code.
pub(crate) fn exit(command: &str, purpose: &str, exit_code: u8, output: impl Into<String>) -> Step {
    Step::Answered(
        Action::Run {
            command: command.to_owned(),
            purpose: purpose.to_owned(),
        },
        Outcome::Output {
            text: output.into(),
            exit_code,
        },
    )
}

pub(crate) fn fetch(url: &str, question: &str, html: String) -> Step {
    Step::Answered(
        Action::Fetch {
            url: url.to_owned(),
            question: question.to_owned(),
        },
        Outcome::Page { html },
    )
}
