//! What `epitome condense` is asked to do, made of its arguments.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use epitome_condenser::files::{self, Overwrite};
use epitome_condenser::{CondenseOptions, Persistence, Thinking};
use epitome_core::batch::Batching;
use epitome_core::condense::Extent;
use epitome_core::protect::{DEFAULT_PROTECTED_PATH, Protection};
use epitome_core::stub::{CLAUDE_CODE_RECOVERY_TOOL, Channel, RECOVERY_TOOL};
use epitome_core::transcript::Format;
use uuid::Uuid;

use crate::args::{BatchingName, CondenseArguments, Recovery};
use crate::failure::Failure;

/// Sessions to condense, and how.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) sessions: Vec<PathBuf>,
    pub(crate) recovery: Recovery,
    pub(crate) overwrite: Overwrite,
    pub(crate) persistence: Persistence,
    target: Target,
    extent: Extent,
    keep_turns: usize,
    batching: Batching,
    min_batch_chars: u64,
    protection: Protection,
}

/// Where outputs go, as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    /// Beside each session; to standard output for standard input.
    Beside,
    /// To this file, the only one.
    File(PathBuf),
    /// To standard output.
    Output,
    /// Where the agent looks for sessions.
    Agent,
}

/// Where the output of one session goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Destination {
    File(PathBuf),
    Output,
    /// A file that the session itself decides.
    Agent,
}

impl TryFrom<CondenseArguments> for Job {
    type Error = Failure;

    fn try_from(typed: CondenseArguments) -> Result<Self, Failure> {
        let target = match typed.output {
            _ if typed.resume => Target::Agent,
            Some(path) if is_pipe(&path) => Target::Output,
            Some(path) => Target::File(path),
            None => Target::Beside,
        };
        let pipes = typed.sessions.iter().filter(|path| is_pipe(path)).count();
        let one_output = matches!(target, Target::File(_) | Target::Output);
        if typed.sessions.len() > 1 && (one_output || pipes > 0) {
            return Err(Failure::usage(
                "condense several sessions into one output",
                "Leave --output out: each session then gets a file of its own beside it.",
            ));
        }
        let patterns: Vec<&str> = [DEFAULT_PROTECTED_PATH]
            .into_iter()
            .chain(typed.protect_path.iter().map(String::as_str))
            .collect();
        Ok(Self {
            target,
            recovery: typed.recovery,
            overwrite: if typed.force {
                Overwrite::Replace
            } else {
                Overwrite::Refuse
            },
            persistence: if typed.dry_run {
                Persistence::DryRun
            } else {
                Persistence::Commit
            },
            extent: if typed.history {
                Extent::WholeFile
            } else {
                Extent::Context
            },
            keep_turns: if typed.all { 0 } else { typed.keep_turns },
            batching: match typed.batching {
                BatchingName::Turn => Batching::Turn,
                BatchingName::AgentMessage => Batching::AgentMessage,
            },
            min_batch_chars: typed.min_batch_chars,
            protection: Protection::new(&typed.protect_tool, &patterns),
            sessions: typed.sessions,
        })
    }
}

impl Job {
    /// Where the output of this session goes.
    pub(crate) fn destination(&self, session: &Path) -> Destination {
        match &self.target {
            Target::Agent => Destination::Agent,
            Target::File(path) => Destination::File(path.clone()),
            Target::Output => Destination::Output,
            Target::Beside if is_pipe(session) => Destination::Output,
            Target::Beside => Destination::File(files::output_path(session, "condensed")),
        }
    }

    /// Whether the output is a new session.
    pub(crate) fn is_resumed(&self) -> bool {
        self.target == Target::Agent
    }

    /// The options for a session of this file and format; a format is needed for tools only.
    pub(crate) fn options(&self, path: Option<&Path>, format: Option<Format>) -> CondenseOptions {
        let resumed = self.is_resumed();
        CondenseOptions {
            extent: self.extent,
            keep_turns: self.keep_turns,
            batching: self.batching,
            min_batch_chars: self.min_batch_chars,
            protection: self.protection.clone(),
            channel: match format {
                None => Channel::Command,
                Some(format) => Channel::Tool {
                    name: tool_name(format).to_owned(),
                },
            },
            thinking: if resumed {
                Thinking::ByModel
            } else {
                Thinking::Keep
            },
            fresh_session_id: resumed.then(|| Uuid::new_v4().to_string()),
            title: path.and_then(Path::file_name).map_or_else(
                || "standard input".to_owned(),
                |name| name.to_string_lossy().into_owned(),
            ),
            now_ms: now_ms(),
        }
    }
}

/// The recovery tool's name as the agent shows it.
fn tool_name(format: Format) -> &'static str {
    match format {
        Format::ClaudeCode => CLAUDE_CODE_RECOVERY_TOOL,
        Format::Pi { .. } => RECOVERY_TOOL,
    }
}

/// Whether the path stands for standard input or standard output.
pub(crate) fn is_pipe(path: &Path) -> bool {
    path == Path::new("-")
}

/// Milliseconds since the epoch; 0 on a clock that stands before it.
pub(crate) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Arguments, Command};
    use clap::Parser as _;

    fn job(arguments: &[&str]) -> Result<Job, Failure> {
        let line = ["epitome", "condense"].iter().chain(arguments);
        let Command::Condense(typed) = Arguments::try_parse_from(line).unwrap().command else {
            panic!("another command");
        };
        typed.try_into()
    }

    #[test]
    fn outputs_go_where_they_were_asked_to() {
        let check = |arguments: &[&str], expected: Destination| {
            let job = job(arguments).unwrap();
            assert_eq!(job.destination(&job.sessions[0]), expected, "{arguments:?}");
        };
        let file = |path: &str| Destination::File(path.into());
        check(&["a/s.jsonl"], file("a/s.condensed.jsonl"));
        check(&["a/s"], file("a/s.condensed"));
        check(&["a/s.jsonl", "-o", "out"], file("out"));
        check(&["a/s.jsonl", "-o", "-"], Destination::Output);
        check(&["-"], Destination::Output);
        check(&["-", "-o", "out"], file("out"));
        check(&["a/s.jsonl", "--resume"], Destination::Agent);
    }

    #[test]
    fn several_sessions_need_several_outputs() {
        assert!(job(&["a", "b"]).is_ok());
        for bad in [
            &["a", "b", "-o", "c"][..],
            &["a", "b", "-o", "-"],
            &["a", "-"],
        ] {
            assert!(job(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn options_follow_the_arguments() {
        let job = |arguments: &[&str]| job(arguments).unwrap().options(None, None);
        let plain = job(&["s"]);
        assert_eq!(plain.keep_turns, 3);
        assert_eq!(plain.min_batch_chars, 1000);
        assert_eq!(plain.extent, Extent::Context);
        assert_eq!(plain.channel, Channel::Command);
        assert_eq!(plain.fresh_session_id, None);
        assert_eq!(plain.thinking, Thinking::Keep);
        assert!(
            plain
                .protection
                .protects("read", r#"{"path":"a/skills/b.md"}"#)
        );
        assert_eq!(job(&["s", "--all"]).keep_turns, 0);
        assert_eq!(job(&["s", "--history"]).extent, Extent::WholeFile);
        let resumed = job(&["s", "--resume"]);
        assert!(resumed.fresh_session_id.is_some());
        assert_eq!(resumed.thinking, Thinking::ByModel);
        let protecting = job(&["s", "--protect-tool", "todo", "--protect-path", "*.key"]);
        assert!(protecting.protection.protects("todo", "{}"));
        assert!(
            protecting
                .protection
                .protects("read", r#"{"path":"a.key"}"#)
        );
        assert!(
            protecting
                .protection
                .protects("read", r#"{"path":"a/skills/b.md"}"#)
        );
    }
}
