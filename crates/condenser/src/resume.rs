//! Where agents look for sessions, and how they are told to resume one.
//!
//! Source: wire specification, part 2, sections 1 and 2, and what the agents were seen to do.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use epitome_core::time::iso_text;
use epitome_core::transcript::{Format, Transcript};

use crate::Result;
use crate::error::ErrorKind;

/// UTF-16 units after which Claude Code cuts the name of a project folder.
const LONGEST_PROJECT_NAME: usize = 200;

/// The folders that agents keep their files in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Homes {
    /// The user's home.
    pub home: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`.
    pub claude_config: Option<PathBuf>,
    /// `PI_CODING_AGENT_DIR`.
    pub pi_agent: Option<PathBuf>,
    /// `PI_CODING_AGENT_SESSION_DIR`.
    pub pi_sessions: Option<PathBuf>,
}

impl Homes {
    /// Takes them from the environment.
    pub fn from_environment() -> Self {
        let folder = |name: &str| {
            env::var_os(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        Self {
            home: env::home_dir(),
            claude_config: folder("CLAUDE_CONFIG_DIR"),
            pi_agent: folder("PI_CODING_AGENT_DIR"),
            pi_sessions: folder("PI_CODING_AGENT_SESSION_DIR"),
        }
    }
}

/// A new session file and the command that resumes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResumeTarget {
    /// Where the file goes.
    pub path: PathBuf,
    /// What the user types.
    pub command: String,
}

/// Says where a new session goes so that its agent finds it.
///
/// A source that stands where its agent keeps sessions gets the new one beside it; otherwise the
/// working folder that the session names decides.
pub fn target(
    transcript: &Transcript,
    source: Option<&Path>,
    fresh_id: &str,
    now_ms: i64,
    homes: &Homes,
) -> Result<ResumeTarget> {
    let cwd = transcript.cwd.as_deref().map(real_folder);
    let here = source
        .and_then(Path::parent)
        .filter(|folder| is_session_folder(transcript.format, folder));
    let folder = match (here, cwd.as_deref()) {
        (Some(here), _) => here.to_owned(),
        (None, Some(cwd)) => session_folder(transcript.format, cwd, homes)?,
        (None, None) => {
            let reason = "the session names no working folder, so its agent would not find it";
            return Err(ErrorKind::NoResume {
                reason: reason.to_owned(),
            }
            .into());
        }
    };
    let name = match transcript.format {
        Format::ClaudeCode => format!("{fresh_id}.jsonl"),
        Format::Pi { .. } => {
            format!(
                "{}_{fresh_id}.jsonl",
                iso_text(now_ms).replace([':', '.'], "-")
            )
        }
    };
    let path = folder.join(name);
    let command = command(transcript.format, cwd.as_deref(), fresh_id, &path);
    Ok(ResumeTarget { path, command })
}

fn command(format: Format, cwd: Option<&Path>, fresh_id: &str, path: &Path) -> String {
    let enter = cwd
        .filter(|cwd| cwd.is_dir())
        .map(|cwd| format!("cd {} && ", quoted(cwd)));
    match (format, enter) {
        (Format::ClaudeCode, Some(enter)) if !is_cut(cwd) => {
            format!("{enter}claude --resume {fresh_id}")
        }
        (Format::ClaudeCode, enter) => {
            format!(
                "{}claude --resume {}",
                enter.unwrap_or_default(),
                quoted(path)
            )
        }
        (Format::Pi { .. }, enter) => {
            format!("{}pi --session {}", enter.unwrap_or_default(), quoted(path))
        }
    }
}

/// Agents know a folder by its real path.
fn real_folder(cwd: &str) -> PathBuf {
    fs::canonicalize(cwd).unwrap_or_else(|_| PathBuf::from(cwd))
}

fn is_session_folder(format: Format, folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    match format {
        Format::ClaudeCode => folder
            .parent()
            .and_then(Path::file_name)
            .is_some_and(|parent| parent == "projects"),
        Format::Pi { .. } => name.len() > 4 && name.starts_with("--") && name.ends_with("--"),
    }
}

fn session_folder(format: Format, cwd: &Path, homes: &Homes) -> Result<PathBuf> {
    let no_home = || {
        let reason = "the home folder is unknown; set HOME".to_owned();
        crate::Error::from(ErrorKind::NoResume { reason })
    };
    let cwd_name = cwd.to_string_lossy();
    match format {
        Format::ClaudeCode => {
            let config = homes.claude_config.clone();
            let config = config.or_else(|| Some(homes.home.as_ref()?.join(".claude")));
            Ok(config
                .ok_or_else(no_home)?
                .join("projects")
                .join(project_name(&cwd_name)))
        }
        Format::Pi { .. } => {
            if let Some(sessions) = &homes.pi_sessions {
                return Ok(sessions.clone());
            }
            let agent = homes.pi_agent.clone();
            let agent = agent.or_else(|| Some(homes.home.as_ref()?.join(".pi/agent")));
            let inner = cwd_name
                .trim_start_matches(['/', '\\'])
                .replace(['/', '\\', ':'], "-");
            Ok(agent
                .ok_or_else(no_home)?
                .join("sessions")
                .join(format!("--{inner}--")))
        }
    }
}

/// The folder name that Claude Code makes of a working folder: a dash for every UTF-16 unit that is
/// no ASCII letter or digit, cut where it is too long.
fn project_name(cwd: &str) -> String {
    let dashed = cwd.encode_utf16().map(|unit| match u8::try_from(unit) {
        Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
        _ => '-',
    });
    dashed.take(LONGEST_PROJECT_NAME).collect()
}

/// Whether the project folder of this working folder has a name of the agent's own making.
fn is_cut(cwd: Option<&Path>) -> bool {
    cwd.is_some_and(|cwd| cwd.to_string_lossy().encode_utf16().count() > LONGEST_PROJECT_NAME)
}

/// The path as one word of a shell.
fn quoted(path: &Path) -> String {
    shell_word(&path.to_string_lossy())
}

/// The text as one word of a shell.
pub fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,@:=%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn project_names_follow_the_agent() {
        let check = |cwd: &str, expected: &str| assert_eq!(project_name(cwd), expected);
        check("/home/dev/my.app_2", "-home-dev-my-app-2");
        check("/ä/日/😀", "-------");
        assert_eq!(project_name(&"a/".repeat(150)).len(), 200);
    }

    #[test]
    fn words_are_quoted_only_where_they_must_be() {
        assert_eq!(quoted(Path::new("/a/b-c.d")), "/a/b-c.d");
        assert_eq!(quoted(Path::new("/a b/it's")), r"'/a b/it'\''s'");
    }
}
