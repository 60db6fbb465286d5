use super::*;
use serde_json::json;

/// Runs over the recorded vectors where the variable names their folder.
#[test]
fn recorded_answers_are_matched() {
    let Some(folder) = std::env::var_os("EPITOME_ORACLE") else {
        return;
    };
    let report = check(Path::new(&folder)).unwrap();
    println!("{report}");
    assert_eq!(report.failures(), 0);
}

#[test]
fn numbers_compare_by_value() {
    assert!(same(&json!({"a": [1, 2.5]}), &json!({"a": [1.0, 2.5]})));
    assert!(!same(&json!({"a": null}), &json!({})));
    assert!(!same(&json!([1]), &json!([1, 2])));
    assert!(!same(&json!("1"), &json!(1)));
}

#[test]
fn a_file_is_compared_line_by_line() {
    let lines = [
        json!({"id": "a", "args": {"pattern": "*", "path": "x"}, "result": true}),
        json!({"id": "b", "args": {"pattern": "*", "path": "x"}, "result": true, "expected": false}),
    ];
    let text = lines.map(|line| line.to_string() + "\n").concat();
    let report = check_file("globMatch", calls::glob_match, &text).unwrap();
    assert_eq!((report.vectors, report.passed), (2, 1));
    assert_eq!(report.failures[0].id, "b");
}
