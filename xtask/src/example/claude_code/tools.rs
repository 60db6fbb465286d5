//! How Claude Code words calls and results, and the second copy of a result that it keeps for its screen.

use serde_json::{Value, json};

use crate::example::session::{Action, Call, Outcome};
use crate::example::workspace::Hunk;

/// The tool and its input. Files are named by their absolute path.
pub(super) fn request(action: &Action, folder: &str) -> (&'static str, Value) {
    match action {
        Action::Read { path, range: None } => {
            ("Read", json!({ "file_path": absolute(folder, path) }))
        }
        Action::Read {
            path,
            range: Some(range),
        } => (
            "Read",
            json!({ "file_path": absolute(folder, path), "offset": range.first, "limit": range.count }),
        ),
        Action::List { path } => (
            "Bash",
            json!({ "command": format!("ls -p {path}"), "description": format!("List {path}") }),
        ),
        Action::Search { pattern, path } => (
            "Grep",
            json!({ "pattern": pattern, "path": path, "output_mode": "content", "-n": true }),
        ),
        Action::Find { pattern } => ("Glob", json!({ "pattern": pattern })),
        Action::Edit { path, old, new } => (
            "Edit",
            json!({
                "replace_all": false, "file_path": absolute(folder, path), "old_string": old, "new_string": new,
            }),
        ),
        Action::Write { path, content } => (
            "Write",
            json!({ "file_path": absolute(folder, path), "content": content }),
        ),
        Action::Run { command, purpose } => (
            "Bash",
            json!({ "command": command, "description": purpose }),
        ),
        Action::Fetch { url, question } => ("WebFetch", json!({ "url": url, "prompt": question })),
    }
}

/// A result block and its second copy.
pub(super) struct Answer {
    pub(super) block: Value,
    pub(super) copy: Value,
}

/// Words the result of a call.
pub(super) fn answer(call: &Call, id: &str, folder: &str) -> Answer {
    match (&call.action, &call.outcome) {
        (
            Action::Read { path, .. },
            Outcome::File {
                content,
                first,
                total,
            },
        ) => {
            let path = absolute(folder, path);
            let count = content.split('\n').count();
            let copy = json!({
                "type": "text",
                "file": {
                    "filePath": path, "content": content, "numLines": count, "startLine": first,
                    "totalLines": total,
                },
            });
            plain(id, &numbered(content, *first), copy)
        }
        (_, Outcome::Image { data }) => image(id, data),
        (_, Outcome::Listing(names)) => output(id, &names.join("\n")),
        (_, Outcome::Paths(paths)) => {
            let copy = json!({ "filenames": paths, "durationMs": 12, "numFiles": paths.len(), "truncated": false });
            plain(id, &paths.join("\n"), copy)
        }
        (_, Outcome::Matches(matches)) => {
            let lines: Vec<String> = matches
                .iter()
                .map(|(path, number, line)| format!("{path}:{number}:{line}"))
                .collect();
            let text = lines.join("\n");
            let copy = json!({
                "mode": "content", "numFiles": 0, "filenames": [], "content": text, "numLines": lines.len(),
            });
            let shown = if matches.is_empty() {
                "No matches found"
            } else {
                &text
            };
            plain(id, shown, copy)
        }
        (Action::Edit { path, old, new }, Outcome::Edited { before }) => {
            edited(id, &absolute(folder, path), before, old, new)
        }
        (Action::Write { path, content }, _) => written(id, &absolute(folder, path), content),
        (_, Outcome::Output { text, exit_code: 0 }) => output(id, text),
        (_, Outcome::Output { text, exit_code }) => {
            error(id, &format!("Exit code {exit_code}\n{text}"))
        }
        (Action::Fetch { url, .. }, Outcome::Page { html }) => {
            let copy = json!({
                "bytes": html.len(), "code": 200, "codeText": "OK", "result": html, "durationMs": 812, "url": url,
            });
            plain(id, html, copy)
        }
        (_, Outcome::Missing) => error(
            id,
            &format!("File does not exist. Note: your current working directory is {folder}."),
        ),
        (action, outcome) => error(id, &format!("{action:?} cannot end with {outcome:?}")),
    }
}

fn absolute(folder: &str, path: &str) -> String {
    format!("{folder}/{path}")
}

fn numbered(content: &str, first: usize) -> String {
    let mut text = String::with_capacity(content.len() + content.len() / 8);
    for (index, line) in content.split('\n').enumerate() {
        if index > 0 {
            text.push('\n');
        }
        text.push_str(&(first + index).to_string());
        text.push('\t');
        text.push_str(line);
    }
    text
}

fn plain(id: &str, text: &str, copy: Value) -> Answer {
    Answer {
        block: json!({ "tool_use_id": id, "type": "tool_result", "content": text }),
        copy,
    }
}

/// A shell command that succeeded.
fn output(id: &str, text: &str) -> Answer {
    Answer {
        block: json!({ "tool_use_id": id, "type": "tool_result", "content": text, "is_error": false }),
        copy: json!({
            "stdout": text, "stderr": "", "interrupted": false, "isImage": false,
            "noOutputExpected": text.is_empty(),
        }),
    }
}

fn error(id: &str, text: &str) -> Answer {
    Answer {
        block: json!({ "type": "tool_result", "content": text, "is_error": true, "tool_use_id": id }),
        copy: json!(format!("Error: {text}")),
    }
}

fn image(id: &str, data: &str) -> Answer {
    let source = json!({ "type": "base64", "data": data, "media_type": "image/png" });
    Answer {
        block: json!({
            "tool_use_id": id, "type": "tool_result", "content": [{ "type": "image", "source": source }],
        }),
        copy: json!({
            "type": "image",
            "file": { "base64": data, "type": "image/png", "originalSize": data.len() / 4 * 3 },
        }),
    }
}

fn edited(id: &str, path: &str, before: &str, old: &str, new: &str) -> Answer {
    let hunk = Hunk::between(before, &before.replacen(old, new, 1));
    let lines: Vec<String> = hunk
        .lines
        .iter()
        .map(|(mark, line)| format!("{mark}{line}"))
        .collect();
    let hunks = json!([{
        "oldStart": hunk.first, "oldLines": hunk.count('-'), "newStart": hunk.first,
        "newLines": hunk.count('+'), "lines": lines,
    }]);
    let text = format!(
        "The file {path} has been updated successfully. \
         (file state is current in your context — no need to Read it back)"
    );
    let copy = json!({
        "filePath": path, "oldString": old, "newString": new, "originalFile": before,
        "structuredPatch": hunks, "userModified": false, "replaceAll": false,
    });
    plain(id, &text, copy)
}

fn written(id: &str, path: &str, content: &str) -> Answer {
    let text = format!(
        "File created successfully at: {path} (file state is current in your context — no need to Read it back)"
    );
    let copy = json!({
        "type": "create", "filePath": path, "content": content, "structuredPatch": [], "originalFile": null,
        "userModified": false,
    });
    plain(id, &text, copy)
}
