//! Views of small hand-written sessions.

use super::*;

#[test]
fn what_is_no_session_is_refused_with_its_line() {
    let check = |source: &[u8], expected: &str| {
        let error = read(source).expect_err("no session").to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(b"", "empty");
    check(b"\n \n", "empty");
    check(b"\n\x00\xff\x01", "line 2 is not valid UTF-8");
    check(b"hello\n", "line 1 is not valid JSON");
    check(b"{\"a\":1", "cut off");
    check(b"[1]\n{\"a\":1}\n", "line 2 is neither");
}
