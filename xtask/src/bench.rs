//! `cargo xtask bench NAME`: speed and memory as ratios to a floor of the same run, and quality.

mod condense;
mod process;
mod retrieval;
mod search;
mod session;

use std::path::PathBuf;

use anyhow::Result;
use clap::Subcommand;

/// What is measured.
#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Condensing: processor time beside a bare parse, peak memory, start-up, binary size.
    Condense {
        /// Folder of the shared data; measured too where it exists.
        #[arg(long, default_value = "../shared/data")]
        data: PathBuf,
        /// Bytes of invented sessions.
        #[arg(long, default_value_t = 50_000_000)]
        bytes: usize,
        /// Runs of each measurement; the least one counts.
        #[arg(long, default_value_t = 3)]
        runs: usize,
    },
    /// Retrieval: ranking and gate on judged collections, without a model.
    Retrieval {
        /// Folder of the judged collections; skipped where it does not exist.
        #[arg(long, default_value = "../shared/data/ir")]
        data: PathBuf,
    },
    /// Search over invented documents: the whole search beside the bare query of the index.
    Search {
        /// Chunks of the store, about.
        #[arg(long, default_value_t = 10_000)]
        chunks: usize,
        /// Queries that are asked.
        #[arg(long, default_value_t = 200)]
        queries: usize,
    },
    /// Condenses one file and prints the peak memory of this process: a part of `condense`.
    #[command(hide = true)]
    Peak {
        /// The session.
        session: PathBuf,
        /// The store.
        store: PathBuf,
    },
}

/// Measures and prints.
pub(crate) fn run(bench: Bench) -> Result<()> {
    match bench {
        Bench::Condense { data, bytes, runs } => condense::run(&data, bytes, runs),
        Bench::Retrieval { data } => retrieval::run(&data),
        Bench::Search { chunks, queries } => search::run(chunks, queries),
        Bench::Peak { session, store } => process::print_peak(&session, &store),
    }
}

#[expect(
    clippy::print_stdout,
    reason = "the report of a task goes to standard output"
)]
fn say(line: &str) {
    println!("{line}");
}
