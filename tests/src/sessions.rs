//! Sessions for the tests: our own example, and the shared collection where it is at hand.

use std::path::PathBuf;

use anyhow::Context as _;
use serde_json::Value;

use crate::binaries::workspace;

/// Variable that names the folder of shared data.
pub const DATA_VARIABLE: &str = "EPITOME_TEST_DATA";

/// The folder of shared data: what the variable names, else `../shared/data` beside the workspace.
pub fn shared_data() -> Option<PathBuf> {
    let named = std::env::var_os(DATA_VARIABLE).map(PathBuf::from);
    let folder = named.unwrap_or_else(|| workspace().join("../shared/data"));
    folder.is_dir().then_some(folder)
}

/// Reads one of our example sessions by its file name.
pub fn example(name: &str) -> anyhow::Result<Vec<u8>> {
    let path = workspace().join("examples").join(name);
    std::fs::read(&path).with_context(|| format!("could not read {}", path.display()))
}

/// Makes a Claude Code session one of this id that was held in this folder.
///
/// Lines that are no JSON object stay as they are.
pub fn move_claude_code(session: &[u8], id: &str, cwd: &str) -> Vec<u8> {
    each_line(session, |_, line| {
        if line.contains_key("sessionId") {
            line.insert("sessionId".to_owned(), id.into());
        }
        if line.contains_key("cwd") {
            line.insert("cwd".to_owned(), cwd.into());
        }
    })
}

/// Makes a Pi session one that was held in this folder.
pub fn move_pi(session: &[u8], cwd: &str) -> Vec<u8> {
    each_line(session, |index, line| {
        if index == 0 {
            line.insert("cwd".to_owned(), cwd.into());
        }
    })
}

fn each_line(
    session: &[u8],
    change: impl Fn(usize, &mut serde_json::Map<String, Value>),
) -> Vec<u8> {
    let mut out = Vec::with_capacity(session.len());
    for (index, line) in session.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let mut parsed: Option<Value> = serde_json::from_slice(line).ok();
        match parsed.as_mut().and_then(Value::as_object_mut) {
            Some(object) => {
                change(index, object);
                out.extend(serde_json::to_vec(object).unwrap_or_default());
                out.push(b'\n');
            }
            None => out.extend(line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_move_and_keep_what_is_no_object() {
        let moved = |session: &str| {
            String::from_utf8(move_claude_code(session.as_bytes(), "new", "/w")).unwrap()
        };
        assert_eq!(
            moved("{\"a\":1,\"sessionId\":\"old\"}\n{broken\n\n{\"cwd\":\"/old\"}"),
            "{\"a\":1,\"sessionId\":\"new\"}\n{broken\n\n{\"cwd\":\"/w\"}\n"
        );
        let moved = |session: &str| String::from_utf8(move_pi(session.as_bytes(), "/w")).unwrap();
        assert_eq!(
            moved("{\"type\":\"session\",\"cwd\":\"/old\"}\n{\"cwd\":\"/old\"}\n"),
            "{\"type\":\"session\",\"cwd\":\"/w\"}\n{\"cwd\":\"/old\"}\n"
        );
    }
}
