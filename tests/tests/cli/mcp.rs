//! `epitome mcp` over its pipes.

use serde_json::{Value, json};

use crate::scene::{Scene, long_text, with_session};

/// Sends requests after the handshake and returns the answers by id, the handshake's as number 0.
pub(crate) fn talk(scene: &Scene, arguments: &[&str], requests: &[Value]) -> Vec<Value> {
    let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" },
    } });
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let mut input = format!("{hello}\n{ready}\n");
    for (index, request) in requests.iter().enumerate() {
        let mut request = request.clone();
        request["jsonrpc"] = "2.0".into();
        request["id"] = (index + 1).into();
        input += &request.to_string();
        input.push('\n');
    }
    let ended = scene.run_with_input(arguments, input.as_bytes()).done();
    let text = ended.text();
    let mut answers: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("only the protocol is on standard output"))
        .collect();
    answers.sort_by_key(|answer| answer["id"].as_u64());
    answers
}

pub(crate) fn call(tool: &str, arguments: &Value) -> Value {
    json!({ "method": "tools/call", "params": { "name": tool, "arguments": arguments } })
}

#[test]
fn tools_are_listed_and_called() {
    let scene = with_session();
    let facts = scene.condensed("session.jsonl");
    let full = facts["first_ref"].as_str().unwrap();
    let answers = talk(
        &scene,
        &["mcp"],
        &[
            json!({ "method": "tools/list" }),
            call("context_tree_query", &json!({ "toolCallIds": [full] })),
            call("context_tree_query", &json!({ "toolCallIds": "call_b" })),
            call("context_tree_query", &json!({})),
            call("session_status", &json!({})),
            call("no_such_tool", &json!({})),
        ],
    );
    assert_eq!(answers[0]["result"]["serverInfo"]["name"], "epitome");
    let tools = answers[1]["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    let expected = "context_tree_query session_status search suggest read ls grep";
    assert_eq!(names.join(" "), expected);
    assert!(
        tools
            .iter()
            .all(|tool| tool["inputSchema"]["type"] == "object")
    );
    let text = |index: usize| {
        let result = &answers[index]["result"];
        result["content"][0]["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    assert!(text(2).contains(&long_text("fn café")), "{}", text(2));
    assert!(text(3).contains("Status: ERROR"), "{}", text(3));
    assert_eq!(answers[4]["result"]["isError"], true);
    assert!(text(5).contains("session.jsonl"), "{}", text(5));
    assert_eq!(answers[6]["error"]["code"], -32602);
}

#[test]
fn a_store_that_is_not_there_is_an_answer() {
    let scene = Scene::new();
    let status = call("session_status", &json!({}));
    let answers = talk(&scene, &["mcp", "-v"], &[status]);
    let result = &answers[1]["result"];
    assert_eq!(result["isError"], true);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("no store at s.db"), "{text}");
    assert!(!scene.path("s.db").exists());
}

#[test]
fn the_end_of_input_ends_it() {
    let scene = Scene::new();
    for input in ["", "no protocol at all\n"] {
        let ended = scene.run_with_input(&["mcp"], input.as_bytes()).done();
        assert!(ended.output.is_empty(), "{ended:?}");
    }
}
