//! A folder with sessions and a store of its own, and the command run in it.

use std::fmt;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use epitome_tests::binaries;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Lines of each result of a sample: enough to be worth a stub.
pub(crate) const LINES: usize = 80;

/// A folder that the command runs in, with nothing of the user's environment.
pub(crate) struct Scene {
    binary: PathBuf,
    folder: TempDir,
}

/// How a run ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) output: Vec<u8>,
    pub(crate) error: String,
}

impl fmt::Debug for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let output = String::from_utf8_lossy(&self.output);
        write!(f, "code {:?}\n{output}\n{}", self.code, self.error)
    }
}

impl Ended {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.output.clone()).expect("the output is UTF-8")
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.output).expect("the output is one JSON value")
    }

    /// The run did what it was asked and had nothing to complain about.
    pub(crate) fn done(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:?}");
        self
    }
}

impl Scene {
    pub(crate) fn new() -> Self {
        Self {
            binary: binaries::epitome().expect("the command builds"),
            folder: TempDir::new().expect("a temporary folder"),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> &Self {
        fs::write(self.path(name), bytes).expect("the scene is writable");
        self
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Names of the files in the folder, sorted; files of the store left out.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("the folder of the scene");
        let mut names: Vec<String> = entries
            .map(|entry| {
                let entry = entry.expect("an entry");
                entry.file_name().to_string_lossy().into_owned()
            })
            .filter(|name| !name.starts_with("s.db"))
            .collect();
        names.sort();
        names
    }

    /// The command on the store `s.db`, in the folder of the scene.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .env("HOME", self.folder.path())
            .env("EPITOME_STORE", "s.db")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        ended(self.command(arguments).spawn().expect("the command starts"))
    }

    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Ended {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let mut stdin = child.stdin.take().expect("standard input is a pipe");
        let input = input.to_vec();
        // A command that ends early need not read it all.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let ended = ended(child);
        writer.join().expect("the writer does not panic");
        ended
    }

    /// Condenses a session with `--all` and returns the facts of the report.
    pub(crate) fn condensed(&self, name: &str) -> Value {
        self.run(&["condense", name, "--json", "--all", "--force"])
            .done()
            .json()
    }
}

pub(crate) fn ended(child: Child) -> Ended {
    let output = child.wait_with_output().expect("the command ends");
    Ended {
        code: output.status.code(),
        output: output.stdout,
        error: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The scene with one session, `session.jsonl`, of three calls.
pub(crate) fn with_session() -> Scene {
    let scene = Scene::new();
    scene.put("session.jsonl", pi_session("one", &three_calls()));
    scene
}

/// A call of a sample session.
pub(crate) struct SampleCall {
    pub(crate) id: &'static str,
    pub(crate) tool: &'static str,
    pub(crate) args: Value,
    pub(crate) content: Value,
    pub(crate) is_error: bool,
}

/// Text of a result, its lines told apart by their numbers.
pub(crate) fn long_text(word: &str) -> String {
    let lines: Vec<String> = (1..=LINES)
        .map(|line| format!("{word} of line {line} in the sample"))
        .collect();
    lines.join("\n")
}

pub(crate) fn three_calls() -> Vec<SampleCall> {
    let text = |word: &str| json!([{ "type": "text", "text": long_text(word) }]);
    vec![
        SampleCall {
            id: "call_a",
            tool: "read",
            args: json!({ "path": "src/main.rs" }),
            content: text("fn café"),
            is_error: false,
        },
        SampleCall {
            id: "call_b",
            tool: "bash",
            args: json!({ "command": "cargo test" }),
            content: text("error"),
            is_error: true,
        },
        SampleCall {
            id: "call_c",
            tool: "bash",
            args: json!({ "command": "make logo" }),
            content: json!([
                { "type": "text", "text": long_text("pixel") },
                { "type": "image", "data": "aGVsbG8=", "mimeType": "image/png" },
            ]),
            is_error: false,
        },
    ]
}

/// A finished Pi session that makes each of these calls in a turn of its own.
pub(crate) fn pi_session(id: &str, calls: &[SampleCall]) -> String {
    pi_chains(id, &[calls])
}

/// A Pi session of finished chains.
pub(crate) fn pi_chains(id: &str, chains: &[&[SampleCall]]) -> String {
    let mut lines = vec![pi_header(id)];
    for calls in chains {
        add_turns(&mut lines, calls);
        let done = json!({ "role": "assistant", "content": [{ "type": "text", "text": "Done." }], "stopReason": "stop" });
        lines.push(entry(lines.len(), &done));
    }
    lines.join("\n") + "\n"
}

/// The lines of a Pi session whose last turn is not finished.
pub(crate) fn pi_lines(id: &str, calls: &[SampleCall]) -> Vec<String> {
    let mut lines = vec![pi_header(id)];
    add_turns(&mut lines, calls);
    lines
}

fn pi_header(id: &str) -> String {
    json!({ "type": "session", "version": 3, "id": id, "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/" })
        .to_string()
}

fn add_turns(lines: &mut Vec<String>, calls: &[SampleCall]) {
    let user = json!({ "role": "user", "content": "Please look at this." });
    lines.push(entry(lines.len(), &user));
    for call in calls {
        let block =
            json!({ "type": "toolCall", "id": call.id, "name": call.tool, "arguments": call.args });
        let asked = json!({ "role": "assistant", "content": [block], "stopReason": "toolUse" });
        lines.push(entry(lines.len(), &asked));
        let result = json!({
            "role": "toolResult", "toolCallId": call.id, "toolName": call.tool,
            "content": call.content, "isError": call.is_error,
        });
        lines.push(entry(lines.len(), &result));
    }
}

pub(crate) fn entry(number: usize, message: &Value) -> String {
    json!({
        "type": "message",
        "id": format!("{number:08x}"),
        "parentId": (number > 1).then(|| format!("{:08x}", number - 1)),
        "timestamp": "2026-01-01T00:00:00.000Z",
        "message": message,
    })
    .to_string()
}

/// Whether permissions bind this user: they do not bind root.
#[cfg(unix)]
pub(crate) fn permissions_bind(folder: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let probe = folder.join("probe");
    fs::write(&probe, "").expect("the scene is writable");
    fs::set_permissions(&probe, fs::Permissions::from_mode(0o400)).expect("a mode can be set");
    let bound = fs::OpenOptions::new().write(true).open(&probe).is_err();
    fs::remove_file(&probe).expect("the probe can be removed");
    bound
}
