//! Hostile sessions, disks and outputs: a clear message, the right exit code, nothing half-written,
//! and the source as it was.
//!
//! What the command line says to plain mistakes is tested beside the other tests of the command.

#[cfg(unix)]
mod disks;
#[cfg(unix)]
mod outputs;
mod sessions;

use epitome_tests::fixtures::ClaudeCode;

/// Where a test puts its session, and where its condensed form goes.
pub(crate) const SOURCE: &str = "s.jsonl";
pub(crate) const OUTPUT: &str = "s.condensed.jsonl";

/// Two steps, finished: seven lines of which 3 and 5 hold results.
pub(crate) fn two_steps() -> ClaudeCode {
    let mut session = ClaudeCode::new("/home/dev/bad");
    session.user("Begin.");
    session.step("toolu_a");
    session.step("toolu_b");
    session.says("msg_last", "Done.");
    session
}
