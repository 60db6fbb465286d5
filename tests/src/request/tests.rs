use serde_json::{Value, json};

use super::*;

fn user(content: &Value) -> Value {
    json!({ "role": "user", "content": content })
}

fn model(content: &Value) -> Value {
    json!({ "role": "assistant", "content": content })
}

fn call(id: &str) -> Value {
    json!({ "type": "tool_use", "id": id, "name": "look", "input": {} })
}

fn result(id: &str) -> Value {
    json!({ "type": "tool_result", "tool_use_id": id, "content": "seen" })
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn check(messages: &[Value], expected: &[&str]) {
    assert_eq!(request_problems(&json!({ "messages": messages })), expected);
}

#[test]
fn valid_bodies_have_no_problems() {
    let ask = user(&json!("go on"));
    check(std::slice::from_ref(&ask), &[]);
    check(&[ask.clone(), model(&json!([text("yes")]))], &[]);
    let calls = model(&json!([text("I look."), call("a"), call("b")]));
    // Order among results is free, text may follow, and one turn may come in two messages.
    let results = user(&json!([result("b"), result("a"), text("and?")]));
    check(&[ask.clone(), calls.clone(), results], &[]);
    let split = [
        user(&json!([result("a")])),
        user(&json!([result("b")])),
        ask.clone(),
    ];
    check(&[&[ask.clone(), calls.clone()], &split[..]].concat(), &[]);
    let system = json!({ "role": "system", "content": [], "output_config": {} });
    let both = user(&json!([result("a"), result("b")]));
    check(&[system.clone(), ask.clone(), calls, system, both], &[]);
    let bare = json!({ "type": "tool_result", "tool_use_id": "a" });
    check(
        &[ask, model(&json!([call("a")])), user(&json!([bare]))],
        &[],
    );
}

#[test]
fn what_the_provider_refuses_is_named() {
    let ask = user(&json!("go on"));
    let one = model(&json!([call("a")]));
    let seen = user(&json!([result("a")]));
    assert_eq!(request_problems(&json!({})), ["messages: no list"]);
    check(&[], &["messages[0]: the first turn is not the user's"]);
    check(
        &[model(&json!([text("hi")]))],
        &["messages[0]: the first turn is not the user's"],
    );
    check(&[user(&json!(" "))], &["messages[0]: empty text"]);
    check(&[user(&json!([]))], &["messages[0]: no content"]);
    check(
        &[user(&json!(7))],
        &["messages[0]: content is neither a text nor a list"],
    );
    check(&[user(&json!([text("")]))], &["messages[0]: empty text"]);
    check(
        &[user(&json!([{}]))],
        &["messages[0]: a block without a type"],
    );
    check(
        &[ask.clone(), json!({ "role": "tool", "content": "x" })],
        &["messages[1]: unknown role `tool`"],
    );
    check(
        &[ask.clone(), one.clone()],
        &["messages[1]: call `a` without a result"],
    );
    check(
        &[
            ask.clone(),
            one.clone(),
            ask.clone(),
            model(&json!([text("x")])),
            seen.clone(),
        ],
        &[
            "messages[1]: call `a` without a result",
            "messages[4]: result of `a`, which is no open call",
        ],
    );
    check(
        &[
            ask.clone(),
            one.clone(),
            user(&json!([result("a"), result("a")])),
        ],
        &["messages[2]: result of `a`, which is no open call"],
    );
    check(
        &[
            ask.clone(),
            one.clone(),
            user(&json!([text("x"), result("a")])),
        ],
        &["messages[2]: a result behind other content"],
    );
    check(
        &[ask.clone(), one.clone(), seen.clone(), one, seen.clone()],
        &["messages[3]: call id `a` a second time"],
    );
    check(&[seen], &["messages[0]: a result before any call"]);
    check(
        &[
            ask.clone(),
            model(&json!([{ "type": "thinking", "thinking": "so" }])),
        ],
        &["messages[1]: thinking without a signature"],
    );
    let wrong = json!({ "type": "tool_use", "id": "a", "name": "look", "input": "text" });
    let answered =
        user(&json!([{ "type": "tool_result", "tool_use_id": "a", "content": [text("")] }]));
    check(
        &[ask, model(&json!([wrong])), answered],
        &[
            "messages[1]: a call without a name or an input object",
            "messages[2]: empty text in a result",
        ],
    );
}

#[test]
fn more_than_four_breakpoints_are_refused() {
    let marked = json!({ "type": "text", "text": "x", "cache_control": { "type": "ephemeral" } });
    let body = |count: usize| json!({ "system": [marked], "messages": [user(&json!(vec![marked.clone(); count]))] });
    assert!(request_problems(&body(3)).is_empty());
    assert_eq!(
        request_problems(&body(4)),
        ["5 cache breakpoints, 4 are allowed"]
    );
}

#[test]
fn tokens_count_what_the_model_reads() {
    let tokens = |content: Value| request_tokens(&json!({ "messages": [user(&content)] }));
    let expected = estimate_tokens("parseFile returns");
    assert_eq!(tokens(json!("parseFile returns")), expected);
    assert_eq!(tokens(json!([text("parseFile returns")])), expected);
    let list = json!([text("parseFile "), text("returns")]);
    let block = json!({ "type": "tool_result", "tool_use_id": "a", "content": list });
    assert_eq!(tokens(json!([block])), expected);
    let image = json!({ "type": "image", "source": { "data": "AAAA" } });
    assert_eq!(tokens(json!([image])), 0);
}

#[test]
fn results_come_with_their_whole_text() {
    let list = json!([text("a\r\n"), { "type": "image" }, text("b")]);
    let parts = json!({ "type": "tool_result", "tool_use_id": "1", "content": list });
    let body = json!({ "messages": [user(&json!("x")), user(&json!([parts, result("2")]))] });
    let found = tool_results(&body);
    assert_eq!(
        found[0],
        ToolResult {
            id: "1".to_owned(),
            text: "a\r\nb".to_owned()
        }
    );
    assert_eq!(
        found[1],
        ToolResult {
            id: "2".to_owned(),
            text: "seen".to_owned()
        }
    );
}
