//! Arguments as they are typed. Each command turns its own into domain options.

mod documents;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(crate) use documents::{
    DateArguments, ForgetSourceArguments, GrepArguments, ImportArguments, LsArguments,
    QueryArguments, ReadArguments, SelectionArguments, SummaryArguments, SyncArguments,
};

/// Name of the variable that names the store where no argument does; empty means unset.
pub(crate) const STORE_VARIABLE: &str = "EPITOME_STORE";

/// Condense agent sessions and get every original back; search and read your documents.
#[derive(Debug, Parser)]
#[command(name = "epitome", version, max_term_width = 80)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) shared: SharedArguments,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command takes.
#[derive(Debug, Args)]
pub(crate) struct SharedArguments {
    /// Where originals are kept [env: `EPITOME_STORE`; default: the platform's data folder].
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) store: Option<PathBuf>,
    /// Print JSON for machines.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print the result alone.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print all there is to say.
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Replace the finished tool calls of a session by summaries with refs.
    Condense(CondenseArguments),
    /// Print the original behind a ref.
    Recover(RecoverArguments),
    /// Put the whole original session back together from a condensed one.
    Expand(ExpandArguments),
    /// List the sessions in the store.
    Sessions,
    /// Show what became of the calls of a session.
    Show(ShowArguments),
    /// Delete a session's originals from the store.
    Forget(ForgetArguments),
    /// Import a folder of documents, with summaries.
    Import(ImportArguments),
    /// Import what changed in the folders that were imported.
    Sync(SyncArguments),
    /// List the imported folders.
    Sources,
    /// Search the imported documents.
    Search(QueryArguments),
    /// Show which documents to start from for a question, and why.
    Ask(QueryArguments),
    /// Print an imported document.
    Read(ReadArguments),
    /// List imported documents and folders.
    Ls(LsArguments),
    /// Find lines of imported documents by a regular expression.
    Grep(GrepArguments),
    /// Show, write or reset the summary of a document.
    Summary(SummaryArguments),
    /// Set the date of a document; imports leave it alone from then on.
    Date(DateArguments),
    /// Delete an imported folder from the store; its files stay.
    ForgetSource(ForgetSourceArguments),
    /// Check the store and try the whole way on a built-in sample.
    Doctor,
    /// Serve the recovery and document tools over MCP on standard input and output.
    Mcp,
    /// Print the completion script of a shell.
    Completions(CompletionsArguments),
}

/// `epitome condense`.
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "a switch is what the user types; the job made of it has none"
)]
pub(crate) struct CondenseArguments {
    /// Session files of Pi or Claude Code; `-` is standard input.
    #[arg(required = true, value_name = "SESSION")]
    pub(crate) sessions: Vec<PathBuf>,
    /// Where the condensed session goes; `-` is standard output [default: NAME.condensed.EXT].
    #[arg(short, long, value_name = "OUT", conflicts_with = "resume")]
    pub(crate) output: Option<PathBuf>,
    /// Write a new session where the agent looks for it, and print the command that resumes it.
    #[arg(long)]
    pub(crate) resume: bool,
    /// How stubs say that their original is recovered.
    #[arg(long, value_enum, default_value_t = Recovery::Command)]
    pub(crate) recovery: Recovery,
    /// Turns with calls at the end of an unfinished session that stay as they are.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) keep_turns: usize,
    /// Keep no turn at the end: the same as `--keep-turns 0`.
    #[arg(long, conflicts_with = "keep_turns")]
    pub(crate) all: bool,
    /// Take in what the next request would not send: dead branches, before a compaction.
    #[arg(long)]
    pub(crate) history: bool,
    /// Turns that share one summary.
    #[arg(long, value_enum, default_value_t = BatchingName::Turn)]
    pub(crate) batching: BatchingName,
    /// Leave a batch alone whose results have fewer characters.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) min_batch_chars: u64,
    /// Never condense calls of this tool.
    #[arg(long, value_name = "NAME")]
    pub(crate) protect_tool: Vec<String>,
    /// Never condense calls on these paths; skill files are protected anyway.
    #[arg(long, value_name = "GLOB")]
    pub(crate) protect_path: Vec<String>,
    /// Overwrite an output that exists.
    #[arg(long)]
    pub(crate) force: bool,
    /// Report what would be done and write nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// The way back that stubs name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Recovery {
    /// The `epitome recover` command.
    Command,
    /// The tool that `epitome mcp` serves.
    Tool,
}

/// Turns that share one summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BatchingName {
    /// Each turn has its own.
    Turn,
    /// All turns after one user message.
    AgentMessage,
}

/// `epitome recover`.
#[derive(Debug, Args)]
pub(crate) struct RecoverArguments {
    /// `3fa9c2d1/t12`, `t12`, or the id that the provider gave to the call.
    #[arg(required = true, value_name = "REF")]
    pub(crate) refs: Vec<String>,
    /// The session that bare refs belong to.
    #[arg(long, value_name = "SESSION")]
    pub(crate) session: Option<String>,
    /// Print these lines only: `10-20`, `10-` or `10`.
    #[arg(long, value_name = "A-B", conflicts_with_all = ["raw", "part"])]
    pub(crate) lines: Option<String>,
    /// Print lines that match this regular expression only, with their numbers.
    #[arg(long, value_name = "RE", conflicts_with_all = ["raw", "part"])]
    pub(crate) grep: Option<String>,
    /// Print the result as it stood in the source, as JSON.
    #[arg(long, conflicts_with = "part")]
    pub(crate) raw: bool,
    /// Get an image or another part of the result, counted from 1.
    #[arg(long, value_name = "N", conflicts_with = "json")]
    pub(crate) part: Option<usize>,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// `epitome expand`.
#[derive(Debug, Args)]
pub(crate) struct ExpandArguments {
    /// A session that was condensed; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Where the original goes [default: standard output, on a terminal NAME.expanded.EXT].
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite an output that exists.
    #[arg(long)]
    pub(crate) force: bool,
}

/// `epitome show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// The first half of a full ref, or the session's own id.
    #[arg(value_name = "SESSION")]
    pub(crate) session: String,
}

/// `epitome forget`.
#[derive(Debug, Args)]
pub(crate) struct ForgetArguments {
    /// The first half of a full ref, or the session's own id.
    #[arg(value_name = "SESSION")]
    pub(crate) session: String,
    /// Do not ask.
    #[arg(short, long, visible_alias = "force")]
    pub(crate) yes: bool,
}

/// `epitome completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell.
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}
