//! Files that are no session, not quite one, or hold what is hard to keep.

use serde_json::json;

use crate::scene::{SampleCall, Scene, entry, pi_lines, pi_session, three_calls, with_session};

#[test]
fn what_is_no_session_is_refused_with_its_place() {
    let scene = Scene::new();
    std::fs::create_dir(scene.path("folder")).unwrap();
    scene
        .put("empty", "")
        .put("blank", "\n \n\n")
        .put(
            "binary",
            [0x7f, b'E', b'L', b'F', 0, 1, 0xff, 0xfe, b'\n', 0, 0],
        )
        .put("prose", "Dear diary,\ntoday\n")
        .put("list", "[1,2]\n[3]\n")
        .put("other", "{\"role\":\"user\"}\n{\"role\":\"assistant\"}\n")
        .put("late", "oops\n\n{\"a\":1}\n");
    let check = |name: &str, message: &str| {
        let ended = scene.run(&["condense", name]);
        assert_eq!(ended.code, Some(2), "{name}: {ended:?}");
        let mut lines = ended.error.lines();
        let first = lines.next().unwrap_or_default();
        assert!(first.starts_with(message), "{name}: {first}");
        let help = lines.next().unwrap_or_default();
        assert!(
            help.starts_with("help: ") && ended.error.ends_with(".\n"),
            "{name}: {help}"
        );
        assert!(ended.output.is_empty(), "{name}: {ended:?}");
    };
    check("empty", "could not read empty: the file is empty");
    check("blank", "could not read blank: the file is empty");
    check("folder", "could not read folder: it is a directory");
    check("missing", "could not read missing: it does not exist");
    check("binary", "could not read binary:1: ");
    check("prose", "could not read prose:1: ");
    check("list", "could not read list:1: ");
    check("other", "could not read other:1: the format is unknown");
    check("late", "could not read late:3: the format is unknown");
    let names: Vec<String> = scene.files();
    assert!(
        names.iter().all(|name| !name.contains("condensed")),
        "{names:?}"
    );
    let ended = scene.run_with_input(&["condense", "-"], b"");
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(
        ended
            .error
            .starts_with("could not read standard input: the file is empty")
    );
}

#[test]
fn broken_lines_pass_as_they_stand() {
    let scene = Scene::new();
    let whole = pi_session("cut", &three_calls());
    let lines: Vec<&[u8]> = whole
        .as_bytes()
        .split_inclusive(|&byte| byte == b'\n')
        .collect();
    let middle: Vec<u8> = [&lines[..4], &[&b"{\"type\":\"mess\n"[..]], &lines[4..]]
        .concat()
        .concat();
    let mut invalid = whole.clone().into_bytes();
    let at = whole.find("Please look").unwrap();
    invalid[at] = 0xff;
    let mut truncated = whole.clone().into_bytes();
    truncated.extend(b"{\"type\":\"message\",\"id\":\"0000");
    let check = |name: &str, bytes: &[u8], line: usize, kept: &[u8]| {
        scene.put(name, bytes);
        let ended = scene
            .run(&["condense", name, "-o", "out", "--force"])
            .done();
        let warning = format!("warning: {name}:{line}: ");
        assert!(ended.text().starts_with(&warning), "{ended:?}");
        assert!(ended.text().contains("1 broken line of "), "{ended:?}");
        let output = scene.read("out");
        let found = output.windows(kept.len()).any(|window| window == kept);
        assert!(found && output.len() < bytes.len(), "{name}");
        let back = scene.run(&["expand", "out"]).done();
        assert_eq!(back.output, bytes, "{name}");
    };
    check("middle", &middle, 5, b"{\"type\":\"mess\n");
    check("invalid", &invalid, 2, b"\xfflease look");
    check(
        "truncated",
        &truncated,
        10,
        b"{\"type\":\"message\",\"id\":\"0000",
    );
}

#[test]
fn unknown_lines_pass_and_are_counted() {
    let scene = Scene::new();
    let strange = "{\"type\":\"from-the-future\",\"id\":\"99999999\",\"x\":[1,2]}\n";
    let source = pi_session("strange", &three_calls()) + strange;
    scene.put("strange.jsonl", &source);
    let ended = scene.run(&["condense", "strange.jsonl"]).done();
    assert!(
        ended.text().contains("1 unknown line of 10 lines"),
        "{ended:?}"
    );
    assert!(
        scene
            .read("strange.condensed.jsonl")
            .ends_with(strange.as_bytes())
    );
}

#[test]
fn what_is_hard_to_keep_comes_back() {
    let scene = Scene::new();
    let huge = "0123456789".repeat(500_000);
    let controls: String = (0..32u8).map(char::from).collect::<String>().repeat(60);
    let texts = [
        huge,
        controls,
        "[[1:read]] \n---\n```\n".repeat(90),
        "\u{1F980}漢é".repeat(500),
    ];
    let calls: Vec<SampleCall> = texts
        .iter()
        .zip(["call_0", "call_1", "call_2", "call_3"])
        .map(|(text, id)| SampleCall {
            id,
            tool: "read",
            args: json!({ "path": id }),
            content: json!([{ "type": "text", "text": text }]),
            is_error: false,
        })
        .collect();
    scene.put("hard.jsonl", pi_session("hard", &calls));
    let facts = scene.condensed("hard.jsonl");
    assert_eq!(facts["calls"]["summarized"], 4, "{facts}");
    for (text, call) in texts.iter().zip(&calls) {
        let ended = scene.run(&["recover", call.id]).done();
        assert!(ended.output == text.as_bytes(), "{}", call.id);
    }
    let back = scene.run(&["expand", "hard.condensed.jsonl"]).done();
    assert!(back.output == scene.read("hard.jsonl"));
}

#[test]
fn a_lone_surrogate_prints_as_its_escape() {
    let scene = Scene::new();
    let source = pi_session("lone", &three_calls()).replace("fn café of line 1 ", "half \\ud83e ");
    scene.put("lone.jsonl", &source);
    scene.condensed("lone.jsonl");
    let text = scene.run(&["recover", "t1"]).done().text();
    assert!(
        text.starts_with("half \\ud83e in the sample\n"),
        "{}",
        &text[..60]
    );
    let raw = scene.run(&["recover", "t1", "--raw"]).done().text();
    assert!(source.contains(&raw), "the raw bytes stand in the source");
}

#[test]
fn calls_that_do_not_add_up_are_left_alone() {
    let scene = Scene::new();
    let calls = three_calls();
    let twice: Vec<SampleCall> = three_calls().into_iter().chain(three_calls()).collect();
    scene.put("twice.jsonl", pi_session("twice", &twice));
    let facts = scene.condensed("twice.jsonl");
    let kept = facts["calls"]["summarized"].as_u64().unwrap()
        + facts["calls"]["duplicates"].as_u64().unwrap();
    assert!(kept >= 5, "{facts}");
    let found = scene.run(&["recover", "call_a", "--json"]).done().json();
    assert_eq!(found.as_array().map(Vec::len), Some(2), "{found}");

    // The first result is missing, and one answers a call that nobody made.
    let mut lines = pi_lines("odd", &calls);
    lines.remove(3);
    let orphan = json!({ "role": "toolResult", "toolCallId": "nobody", "toolName": "read",
        "content": [{ "type": "text", "text": "x".repeat(3000) }], "isError": false });
    lines.push(entry(lines.len() + 1, &orphan));
    scene.put("odd.jsonl", lines.join("\n") + "\n");
    let facts = scene.condensed("odd.jsonl");
    let output = String::from_utf8(scene.read("odd.condensed.jsonl")).unwrap();
    assert!(output.contains(&"x".repeat(3000)), "{facts}");
    scene.run(&["expand", "odd.condensed.jsonl"]);
}

#[test]
fn stores_that_cannot_be_used_are_named() {
    let scene = with_session();
    scene.put(
        "text.db",
        "this is no database, but long enough to look at\n".repeat(9),
    );
    std::fs::create_dir(scene.path("folder.db")).unwrap();
    scene.condensed("session.jsonl");
    let mut newer = scene.read("s.db");
    // The user version of a database stands at byte 60 of its header.
    newer[60..64].copy_from_slice(&99u32.to_be_bytes());
    scene.put("newer.db", &newer);
    let check = |store: &str, message: &str| {
        let before = std::fs::read(scene.path(store)).ok();
        for command in [
            &["condense", "session.jsonl", "-o", "never"][..],
            &["recover", "t1"],
            &["sessions"],
        ] {
            let ended = scene.run(&[&["--store", store][..], command].concat());
            assert_eq!(ended.code, Some(2), "{store} {command:?}: {ended:?}");
            let first = ended.error.lines().next().unwrap_or_default();
            assert!(first.starts_with("could not open the store "), "{first}");
            assert!(first.contains(message), "{first}");
            assert!(
                ended
                    .error
                    .lines()
                    .nth(1)
                    .unwrap_or_default()
                    .starts_with("help: ")
            );
        }
        assert_eq!(
            std::fs::read(scene.path(store)).ok(),
            before,
            "{store} was touched"
        );
        let doctor = scene.run(&["--store", store, "doctor"]);
        assert_eq!(doctor.code, Some(2), "{doctor:?}");
    };
    check("text.db", "not a store of this program");
    check("folder.db", "it is a folder");
    check("newer.db", "schema version 99");
    assert!(!scene.path("never").exists());
}

#[cfg(unix)]
#[test]
fn a_read_only_store_serves_and_refuses_to_keep() {
    use std::os::unix::fs::PermissionsExt as _;
    let scene = with_session();
    if !crate::scene::permissions_bind(&scene.path("")) {
        epitome_tests::skip::say_skipped("a read-only store", "permissions do not bind this user");
        return;
    }
    scene.condensed("session.jsonl");
    let mode = std::fs::Permissions::from_mode(0o400);
    std::fs::set_permissions(scene.path("s.db"), mode).unwrap();
    scene.run(&["recover", "t1"]).done();
    let ended = scene.run(&["condense", "session.jsonl", "-o", "never"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.error.contains("it is read-only"), "{ended:?}");
    assert!(!scene.path("never").exists());
}
