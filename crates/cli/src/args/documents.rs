//! Arguments of the commands on imported documents.

use std::path::PathBuf;

use clap::Args;

/// `epitome import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// The folder.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// First part of the paths of its documents [default: name of the folder].
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<String>,
    #[command(flatten)]
    pub(crate) selection: SelectionArguments,
}

/// `epitome sync`.
#[derive(Debug, Args)]
pub(crate) struct SyncArguments {
    /// The source to bring up to date [default: all].
    #[arg(value_name = "SOURCE")]
    pub(crate) source: Option<String>,
    #[command(flatten)]
    pub(crate) selection: SelectionArguments,
}

/// Which files are imported, and how they are looked at.
#[derive(Debug, Args)]
pub(crate) struct SelectionArguments {
    /// Import only files that match, hidden and ignored ones too; later syncs need it again.
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// Leave out files that match; later syncs need it again.
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Take in files and folders whose name starts with a dot.
    #[arg(long)]
    pub(crate) hidden: bool,
    /// Take in what ignore files name.
    #[arg(long)]
    pub(crate) no_ignore: bool,
    /// Trust size and time of a file to tell that it did not change.
    #[arg(long)]
    pub(crate) fast: bool,
}

/// `epitome search` and `epitome ask`.
#[derive(Debug, Args)]
pub(crate) struct QueryArguments {
    /// Any text; several words need no quotes.
    #[arg(required = true, value_name = "QUERY")]
    pub(crate) query: Vec<String>,
    /// Documents to show at most [env: `EPITOME_SUGGESTED_DOCS`; default: 5].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,
    /// Only documents of this source.
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<String>,
}

impl QueryArguments {
    /// Documents to show at most, where `usual` stands without a flag.
    pub(crate) fn limit(&self, usual: usize) -> usize {
        self.limit.map_or(usual, |limit| limit as usize)
    }

    /// The query as one text.
    pub(crate) fn text(&self) -> String {
        self.query.join(" ")
    }
}

/// `epitome read`.
#[derive(Debug, Args)]
pub(crate) struct ReadArguments {
    /// `docs/setup.md`, or a passage as search names it: `docs/setup.md:L10-L20`.
    #[arg(value_name = "PATH")]
    pub(crate) path: String,
    /// Print these lines only: `10-20`, `10-` or `10`.
    #[arg(long, value_name = "A-B")]
    pub(crate) lines: Option<String>,
}

/// `epitome ls`.
#[derive(Debug, Args)]
pub(crate) struct LsArguments {
    /// A source or a folder in it [default: the sources].
    #[arg(value_name = "PATH", default_value = "", hide_default_value = true)]
    pub(crate) path: String,
}

/// `epitome grep`.
#[derive(Debug, Args)]
pub(crate) struct GrepArguments {
    /// A regular expression; it matches within one line.
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: String,
    /// A source, a folder or a document [default: all].
    #[arg(value_name = "PATH", default_value = "", hide_default_value = true)]
    pub(crate) path: String,
    /// Lines to print at most.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: u32,
}

/// `epitome summary`.
#[derive(Debug, Args)]
pub(crate) struct SummaryArguments {
    /// The document.
    #[arg(value_name = "PATH")]
    pub(crate) path: String,
    /// Replace the summary by this text; imports leave it alone from then on.
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["edit", "reset"])]
    pub(crate) set: Option<String>,
    /// Change the summary in the editor that VISUAL or EDITOR names.
    #[arg(long, conflicts_with = "reset")]
    pub(crate) edit: bool,
    /// Drop the summary; the next sync makes a new one.
    #[arg(long)]
    pub(crate) reset: bool,
}

/// `epitome date`.
#[derive(Debug, Args)]
pub(crate) struct DateArguments {
    /// The document.
    #[arg(value_name = "PATH")]
    pub(crate) path: String,
    /// Its date: `2025-10-29`.
    #[arg(value_name = "DATE")]
    pub(crate) date: String,
}

/// `epitome forget-source`.
#[derive(Debug, Args)]
pub(crate) struct ForgetSourceArguments {
    /// Name of the source.
    #[arg(value_name = "SOURCE")]
    pub(crate) source: String,
    /// Do not ask.
    #[arg(short, long, visible_alias = "force")]
    pub(crate) yes: bool,
}
