//! How a test says that it did not run.

use std::io::Write as _;

/// Says on standard error why a test, or a part of one, is skipped.
///
/// Written past the capture of the test harness, so that a plain `cargo test` shows it.
pub fn say_skipped(what: &str, why: &str) {
    // A test must not fail because nobody reads its output.
    let _ = writeln!(std::io::stderr(), "skipped: {what}: {why}");
}
