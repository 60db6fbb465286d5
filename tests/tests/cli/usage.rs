//! Exit codes, help and arguments that make no sense.

use crate::scene::{Scene, with_session};

#[test]
fn arguments_decide_the_exit_code() {
    let scene = with_session();
    let check = |line: &str, code: i32| {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let ended = scene.run(&arguments);
        assert_eq!(ended.code, Some(code), "{line}: {ended:?}");
        assert_eq!(ended.error.is_empty(), code == 0, "{line}: {ended:?}");
    };
    check("--help", 0);
    check("-h", 0);
    check("help condense", 0);
    check("--version", 0);
    check("completions zsh", 0);
    check("", 3);
    check("bogus", 3);
    check("condense", 3);
    check("condense session.jsonl --bogus", 3);
    check("condense session.jsonl --recovery pigeon", 3);
    check("condense session.jsonl --keep-turns many", 3);
    check("condense session.jsonl --keep-turns 1 --all", 3);
    check("condense session.jsonl --resume -o x", 3);
    check("condense session.jsonl - ", 3);
    check("condense session.jsonl session.jsonl -o x", 3);
    check("condense session.jsonl -q -v", 3);
    check("recover", 3);
    check("recover t1 --lines x", 3);
    check("recover t1 --lines 9-2", 3);
    check("recover t1 --grep (", 3);
    check("recover t1 --raw --part 1", 3);
    check("completions tcsh", 3);
    check("recover t1", 1);
    check("recover t1 --session nobody", 1);
    check("sessions", 1);
    check("show nobody", 1);
    check("forget nobody --yes", 1);
    check("expand session.jsonl", 1);
    check("condense nowhere.jsonl", 2);
    // Nothing of this made a store or an output.
    assert_eq!(scene.files(), ["session.jsonl"]);
    assert!(!scene.path("s.db").exists());
}

#[test]
fn texts_keep_to_80_columns() {
    let scene = with_session();
    scene.put(
        "cut.jsonl",
        "{\"type\":\"session\",\"version\":3,\"id\":\"x\"}\n{oops\n",
    );
    for line in [
        "--help",
        "condense --help",
        "recover --help",
        "condense --dry-run session.jsonl",
        "condense session.jsonl cut.jsonl",
        "condense --force --history -v session.jsonl",
        "sessions",
        "show one",
        "doctor",
        "expand session.condensed.jsonl -o back.jsonl",
        "condense nowhere.jsonl",
    ] {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let ended = scene.run(&arguments);
        let all = format!("{}{}", ended.text(), ended.error);
        // A command to be copied is never broken, and a warning is one line.
        let breaks = |line: &&str| !line.starts_with("recover ") && !line.starts_with("warning:");
        for shown in all.lines().filter(breaks) {
            assert!(shown.chars().count() <= 80, "{line}: {shown}");
            assert!(!shown.contains('\u{1b}'), "{line}: {shown}");
        }
    }
}

#[test]
fn the_store_stands_in_the_data_folder_unless_named() {
    let scene = with_session();
    let run = |arguments: &[&str]| {
        let mut command = scene.command(arguments);
        // Set, but empty: the same as not set.
        command.env("EPITOME_STORE", "");
        crate::scene::ended(command.spawn().unwrap())
    };
    let report = run(&["condense", "session.jsonl"]).done().text();
    let recover = report.lines().last().unwrap();
    assert!(
        recover.starts_with("recover ") && !recover.contains("--store"),
        "{report}"
    );
    let doctor = run(&["doctor", "--json"]).done().json();
    let store = doctor["store"].as_str().unwrap().to_owned();
    assert!(
        store.starts_with(scene.path("").to_str().unwrap()),
        "{store}"
    );
    assert_eq!(doctor["self_test"], true);
    if cfg!(unix) {
        assert_eq!(doctor["file_mode"], "0600");
        assert_eq!(doctor["folder_mode"], "0700");
    }
}

#[test]
fn completions_name_the_commands() {
    let scene = Scene::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = scene.run(&["completions", shell]).done().text();
        assert!(
            script.contains("condense") && script.contains("min-batch-chars"),
            "{shell}"
        );
    }
    let value = scene.run(&["completions", "fish", "--json"]).done().json();
    assert_eq!(value["shell"], "fish");
}
