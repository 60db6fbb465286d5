use epitome_core::truncate::Position;
use epitome_index::MemoryStore;
use serde_json::{Value, json};

use super::*;
use crate::search::store_of;

const SETTINGS: ToolSettings = ToolSettings {
    read_max_chars: 60,
    grep_hits: 3,
    ..ToolSettings::USUAL
};

fn twelve_lines() -> String {
    let lines: Vec<String> = (1..=12).map(|line| format!("line {line} of it")).collect();
    lines.join("\n") + "\n"
}

fn library() -> MemoryStore {
    let long = twelve_lines();
    store_of(&[
        (
            "guide/setup.md",
            "# Setup\n\nInstall the ledger.\nThen run it.\n",
        ),
        ("guide/notes/long.md", &long),
        ("guide-old.md", "An old guide.\n"),
        ("wide.md", &"é".repeat(150)),
        ("empty.md", "x"),
    ])
}

fn call(tool: &str, arguments: &Value) -> ToolAnswer {
    let table = table();
    let tool = table.iter().find(|known| known.name == tool).unwrap();
    (tool.call)(&library(), &SETTINGS, arguments)
}

#[test]
fn every_tool_has_a_schema_for_its_arguments() {
    for tool in table() {
        assert_eq!(tool.input_schema["type"], "object", "{}", tool.name);
        assert!(tool.description.ends_with('.'), "{}", tool.name);
    }
}

#[test]
fn documents_are_read_in_pages() {
    let check = |arguments: Value, expected: &str| {
        let answer = call("read", &arguments);
        assert_eq!((answer.text.as_str(), answer.is_error), (expected, false));
    };
    check(
        json!({ "path": "docs/guide/setup.md" }),
        "title: guide/setup.md\ndate: unknown\nlines: 1-4 of 4\n\n# Setup\n\nInstall the ledger.\nThen run it.\n",
    );
    check(
        json!({ "path": "docs/guide/setup.md", "offset": 3, "limit": 1 }),
        "title: guide/setup.md\ndate: unknown\nlines: 3-3 of 4\n\nInstall the ledger.",
    );
    check(
        json!({ "path": "docs/guide/setup.md:L3-L3" }),
        "title: guide/setup.md\ndate: unknown\nlines: 3-3 of 4\n\nInstall the ledger.",
    );
    check(
        json!({ "path": "/docs/guide/notes/long.md", "offset": "9" }),
        "title: guide/notes/long.md\ndate: unknown\nlines: 9-12 of 12\n\nline 9 of it\nline 10 of it\nline 11 of it\nline 12 of it\n",
    );
    check(
        json!({ "path": "docs/guide/notes/long.md" }),
        "title: guide/notes/long.md\ndate: unknown\nlines: 1-4 of 12\n\nline 1 of it\nline 2 of it\nline 3 of it\nline 4 of it\n… [truncated]\nOnly a part is shown. To read on, call `read` with {\"path\":\"docs/guide/notes/long.md\",\"offset\":5}.",
    );
}

#[test]
fn pages_put_together_are_the_document() {
    let store = library();
    let check = |path: &str, expected: &str| {
        let (mut text, mut from) = (String::new(), None);
        loop {
            let request = ReadRequest {
                path,
                from,
                lines: None,
                max_chars: 60,
            };
            let page = read(&store, &request).unwrap();
            assert!(page.content.chars().count() <= 60);
            if from.is_some_and(|from: Position| from.byte == 0) {
                text.push('\n');
            }
            text.push_str(&page.content);
            from = page.next;
            if from.is_none() {
                break;
            }
        }
        assert_eq!(text, expected);
    };
    check("docs/wide.md", &"é".repeat(150));
    let long = twelve_lines();
    check("docs/guide/notes/long.md", &long);
}

#[test]
fn folders_list_what_is_right_below() {
    let check = |arguments: Value, expected: &str| {
        let listing = call("ls", &arguments);
        assert!(!listing.is_error, "{listing:?}");
        assert_eq!(listing.text, expected);
    };
    check(json!({}), "docs/  5 documents");
    check(
        json!({ "path": "docs/guide/" }),
        "docs/guide/notes/  1 documents\n… [truncated]\n1 more entries. To go on, list the same path with {\"after\":\"docs/guide/notes\"}.",
    );
    check(
        json!({ "path": "docs/guide", "after": "docs/guide/notes" }),
        "docs/guide/setup.md  no date  42 characters  guide/setup.md",
    );
    check(
        json!({ "path": "docs/empty.md" }),
        "docs/empty.md  no date  1 characters  empty.md",
    );
}

#[test]
fn lines_are_found_by_pattern() {
    let check = |arguments: Value, expected: &str| {
        let found = call("grep", &arguments);
        assert!(!found.is_error, "{found:?}");
        assert_eq!(found.text, expected);
    };
    check(
        json!({ "pattern": "(?i)GUIDE|ledger" }),
        "docs/guide-old.md:1: An old guide.\ndocs/guide/setup.md:3: Install the ledger.",
    );
    check(
        json!({ "pattern": "^line 1", "path": "docs/guide" }),
        "docs/guide/notes/long.md:1: line 1 of it\ndocs/guide/notes/long.md:10: line 10 of it\ndocs/guide/notes/long.md:11: line 11 of it\nMore lines match; these are the first 3. Narrow the pattern or the path.",
    );
    check(
        json!({ "pattern": "nowhere", "path": "docs/wide.md" }),
        "No line matches in 1 documents.",
    );
}

#[test]
fn errors_tell_a_model_what_to_do() {
    let check = |tool: &str, arguments: Value, expected: &str| {
        let answer = call(tool, &arguments);
        assert!(answer.is_error);
        assert!(answer.text.contains(expected), "{}", answer.text);
    };
    check("read", json!({}), "`path`: it is missing");
    check("read", json!({ "path": 3 }), "`path`: it must be a string");
    check(
        "read",
        json!({ "path": "docs/guide/setpu.md" }),
        "nearest: docs/guide/setup.md",
    );
    check("read", json!({ "path": "docs/guide" }), "list it with `ls`");
    check(
        "read",
        json!({ "path": "docs/empty.md", "offset": 9 }),
        "from line 9: it has 1 lines",
    );
    check(
        "read",
        json!({ "path": "docs/empty.md", "limit": 0 }),
        "a whole number from 1 on",
    );
    check(
        "read",
        json!({ "path": "../../etc/passwd" }),
        "Could not find",
    );
    check("ls", json!({ "path": "dosc" }), "nearest:");
    check("grep", json!({ "pattern": "(" }), "unclosed group");
    check("grep", json!({ "pattern": "(a{900}){900}" }), "too large");
    check("search", json!({}), "`query`: it is missing");
    check("suggest", json!({ "question": [] }), "must be a string");
}

#[test]
fn questions_start_from_documents_or_are_deflected() {
    let check = |tool: &str, arguments: Value, expected: &str| {
        let answer = call(tool, &arguments);
        assert!(answer.text.starts_with(expected), "{}", answer.text);
    };
    check(
        "search",
        json!({ "query": "install ledger" }),
        "1. guide/setup.md\n   docs/guide/setup.md  no date\n",
    );
    check("search", json!({ "query": "zebra" }), "No document");
    check(
        "suggest",
        json!({ "question": "how to install the ledger?" }),
        "HIGH: start here\n\n1. guide/setup.md",
    );
    check(
        "suggest",
        json!({ "question": "what do zebras eat?" }),
        "LOW: ",
    );
}
