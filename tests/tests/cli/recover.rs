//! `epitome recover`: every form of ref, every shape of answer.

use serde_json::json;

use crate::scene::{
    LINES, SampleCall, Scene, long_text, pi_chains, pi_session, three_calls, with_session,
};

fn condensed() -> (Scene, String) {
    let scene = with_session();
    let facts = scene.condensed("session.jsonl");
    let conversation = facts["conversation"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    (scene, conversation)
}

#[test]
fn every_form_of_ref_finds_the_original() {
    let (scene, conversation) = condensed();
    let full = format!("{conversation}/t1");
    let text = long_text("fn café");
    let check = |arguments: &[&str]| {
        let ended = scene.run(&[&["recover"][..], arguments].concat()).done();
        // Exactly the text, with no line end of ours.
        assert_eq!(ended.text(), text, "{arguments:?}");
        assert_eq!(ended.error, "", "{arguments:?}");
    };
    check(&[&full]);
    check(&["t1"]);
    check(&["`t1`"]);
    check(&["call_a"]);
    check(&["t1", "--session", &conversation]);
    check(&["t1", "--session", "one"]);
    check(&["call_a", "--session", "one"]);
    check(&["t1", "-o", "-"]);
}

#[test]
fn parts_of_an_original_can_be_had() {
    let (scene, _) = condensed();
    let check = |line: &str, expected: &str| {
        let mut arguments = vec!["recover", "t1"];
        arguments.extend(line.split_whitespace());
        assert_eq!(scene.run(&arguments).done().text(), expected, "{line}");
    };
    let of_line = |line: usize| format!("fn café of line {line} in the sample");
    check("--lines 3", &format!("{}\n", of_line(3)));
    check("--lines 3-4", &format!("{}\n{}\n", of_line(3), of_line(4)));
    check(&format!("--lines {LINES}-"), &of_line(LINES));
    check("--grep line.7\\b", &format!("7:{}\n", of_line(7)));
    check(
        "--lines 70-80 --grep line.7[89]",
        &format!("78:{}\n79:{}\n", of_line(78), of_line(79)),
    );
    let nothing = |line: &str, message: &str| {
        let mut arguments = vec!["recover", "t1"];
        arguments.extend(line.split_whitespace());
        let ended = scene.run(&arguments);
        assert_eq!(ended.code, Some(1), "{line}: {ended:?}");
        assert!(
            ended.output.is_empty() && ended.error.contains(message),
            "{line}: {ended:?}"
        );
    };
    nothing("--lines 81-", "could not find line 81 in ");
    nothing(
        "--grep nowhere",
        "could not find a line that matches `nowhere` in ",
    );
    nothing("--part 2", "could not find part 2 of ");
}

#[test]
fn raw_bytes_and_images_come_back() {
    let (scene, _) = condensed();
    let source = String::from_utf8(scene.read("session.jsonl")).unwrap();
    let raw = scene.run(&["recover", "t3", "--raw"]).done().text();
    assert!(raw.starts_with('[') && source.contains(&raw), "{raw}");
    scene
        .run(&["recover", "t3", "--part", "2", "-o", "logo.png"])
        .done();
    assert_eq!(scene.read("logo.png"), b"hello");
    assert_eq!(
        scene.run(&["recover", "t3", "--part", "2"]).done().output,
        b"hello"
    );
    scene.run(&["recover", "t3", "-o", "text"]).done();
    assert_eq!(scene.read("text"), long_text("pixel").as_bytes());
    let ended = scene.run(&["recover", "t1", "t3", "--part", "1"]);
    assert_eq!(ended.code, Some(3), "{ended:?}");
}

#[test]
fn several_originals_are_labelled() {
    let (scene, conversation) = condensed();
    let text = scene.run(&["recover", "t1", "t2"]).done().text();
    let expected = format!(
        "== {conversation}/t1  read  call_a (occurrence 1)  80 lines, 2.7 kB ==\n{}\n\n\
         == {conversation}/t2  bash  call_b (occurrence 1)  80 lines, 2.5 kB, failed ==\n{}\n",
        long_text("fn café"),
        long_text("error"),
    );
    assert!(text == expected, "{text}");
    // What is not there does not hide what is.
    let ended = scene.run(&["recover", "t1", "t99", "nobody"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert_eq!(ended.text(), long_text("fn café"));
    assert!(ended.error.contains("could not find t99 ") && ended.error.contains("find nobody "));
}

#[test]
fn a_repeated_result_is_one_block_an_occurrence() {
    let scene = Scene::new();
    let again = |id| SampleCall {
        id,
        ..three_calls().remove(0)
    };
    // Results are compared with earlier chains only.
    scene.put(
        "session.jsonl",
        pi_chains("again", &[&[again("call_x")], &[again("call_y")]]),
    );
    let facts = scene.condensed("session.jsonl");
    assert_eq!(facts["calls"]["duplicates"], 1, "{facts}");
    let text = scene.run(&["recover", "t1"]).done().text();
    assert_eq!(text.matches("== ").count(), 2, "{text}");
    let found = scene.run(&["recover", "t1", "--json"]).done().json();
    let ids: Vec<&str> = found
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|entry| entry["provider_id"].as_str())
        .collect();
    assert_eq!(ids, ["call_x", "call_y"]);
}

#[test]
fn machines_get_an_array() {
    let (scene, conversation) = condensed();
    let found = scene.run(&["recover", "t2", "--json"]).done().json();
    let entry = &found[0];
    assert_eq!(entry["ref"], format!("{conversation}/t2"));
    assert_eq!(entry["session"], conversation);
    assert_eq!(entry["tool"], "bash");
    assert_eq!(entry["args"], json!({ "command": "cargo test" }));
    assert_eq!(entry["is_error"], true);
    assert_eq!(entry["occurrence"], 1);
    assert_eq!(entry["lines"], LINES as u64);
    assert_eq!(entry["bytes"], long_text("error").len() as u64);
    assert_eq!(entry["text"], long_text("error"));
    let raw = scene
        .run(&["recover", "t2", "--json", "--raw"])
        .done()
        .json();
    assert_eq!(raw[0]["raw"][0]["text"], long_text("error"));
    let none = scene.run(&["recover", "t99", "--json"]);
    assert_eq!((none.code, none.json()), (Some(1), json!([])));
    let elsewhere = scene.run(&["--store", "none.db", "recover", "t1", "--json"]);
    assert_eq!((elsewhere.code, elsewhere.json()), (Some(1), json!([])));
    assert!(!scene.path("none.db").exists());
}

#[test]
fn an_ambiguous_ref_lists_what_could_be_meant() {
    let (scene, conversation) = condensed();
    scene.put("two.jsonl", pi_session("two", &three_calls()));
    scene.condensed("two.jsonl");
    let ended = scene.run(&["recover", "t1"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(
        ended.error.contains(&format!("{conversation}/t1")),
        "{ended:?}"
    );
    scene.run(&["recover", "t1", "--session", "two"]).done();
}
