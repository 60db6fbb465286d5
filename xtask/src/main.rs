//! Project tasks: `cargo xtask NAME`.

#![forbid(unsafe_code)]

mod bench;
mod corpus;
mod example;
mod oracle;
mod tidy;
mod torture;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "Project tasks")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Write the example sessions anew.
    Example,
    /// Measure speed and memory, as ratios to a floor of the same run.
    #[command(subcommand)]
    Bench(bench::Bench),
    /// Condense every shared session and hold the outputs against their sources.
    Corpus {
        /// Folder of the shared data; skipped where it does not exist.
        #[arg(long, default_value = "../shared/data")]
        data: PathBuf,
    },
    /// Compare pure functions with recorded answers of the reference system.
    Oracle {
        /// Folder of the recorded answers.
        folder: PathBuf,
    },
    /// Check the rules of the repository.
    Tidy,
    /// Write a folder with a specimen of every fault that files have brought to tools of this kind.
    Torture {
        /// Folder to write; new or empty.
        folder: PathBuf,
    },
    /// Write an invented session of any size, as the benchmarks use them.
    Session {
        /// Agent whose file format it has.
        format: example::Format,
        /// File to write.
        output: PathBuf,
        /// Size in bytes, about.
        #[arg(long, default_value_t = 2_000_000)]
        bytes: usize,
        /// Another number gives another session.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().task {
        Task::Bench(bench) => bench::run(bench),
        Task::Corpus { data } => corpus::run(&data),
        Task::Example => example::write(&root().join("examples")),
        Task::Oracle { folder } => oracle::run(&folder),
        Task::Tidy => tidy::run(&root()),
        Task::Torture { folder } => torture::run(&folder),
        Task::Session {
            format,
            output,
            bytes,
            seed,
        } => fs::write(&output, example::generate_session(format, seed, bytes))
            .with_context(|| format!("could not write {}", output.display())),
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
