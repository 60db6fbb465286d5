//! How much a line of a log says, told by its words and what stands around them.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

/// How much a line of a log says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// Says that something may be wrong.
    Warning,
    /// Warns about a place, `src/a.rs:12`.
    Finding,
    /// Counts what passed, failed or was done.
    Outcome,
    /// Mentions an error.
    Mention,
    /// Is an error or names a failing test.
    Error,
}

/// Words that make a line worth a closer look; case of ASCII letters does not matter.
const WORDS: &[&str] = &[
    "error",
    "fail",
    "panic",
    "exception",
    "traceback",
    "fatal",
    "undefined",
    "cannot",
    "not found",
    "denied",
    "no such",
    "assert",
    "not ok",
    "unresolved",
    "segmentation",
    "abort",
    "refused",
    "timed out",
    "rejected",
    "invalid",
    "unexpected",
    "✗",
    "✕",
    "✖",
    "×",
    "●",
    "warn",
    "passed",
    "test result",
    "tests:",
    "build success",
    "insertion",
    "finished",
    "no issues",
    "issues:",
    "compiled",
    "succeeded",
    "ok  \t",
    "ok \t",
    "exit",
    "could not",
    "unable",
    "missing",
    "unused",
    "错误",
    "失败",
    "异常",
    "警告",
    "шибк",
    "предупрежд",
    "خطأ",
    "فشل",
    "エラー",
    "失敗",
    "오류",
    "실패",
    "erreur",
    "fehler",
];

#[expect(
    clippy::expect_used,
    reason = "the words are constants; a test builds the automaton"
)]
static FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostFirst)
        .kind(Some(AhoCorasickKind::DFA))
        .build(WORDS)
        .expect("constant words build an automaton")
});

/// Most bytes of a line that are looked at behind its beginning or the first word found.
const LOOKED_AT: usize = 400;

/// The lines of a text that say something, each with its weight and the position of its end.
///
/// Of a line in which the first word stands far behind the beginning only the rest is given.
pub(super) fn weighed_lines(text: &str) -> impl Iterator<Item = (Weight, &str, usize)> {
    let mut words = FINDER.find_iter(text).peekable();
    std::iter::from_fn(move || {
        loop {
            let first = words.next()?;
            let start =
                memchr::memrchr(b'\n', &text.as_bytes()[..first.start()]).map_or(0, |n| n + 1);
            let end = memchr::memchr(b'\n', &text.as_bytes()[first.end()..])
                .map_or(text.len(), |n| first.end() + n);
            let start = if first.start() - start > LOOKED_AT {
                first.start()
            } else {
                start
            };
            let line = &text[start..end];
            let looked_at = start + first_characters(line.strip_suffix('\r').unwrap_or(line)).len();
            let mut weight = None;
            let mut word = Some(first);
            while let Some(found) = word {
                if found.end() <= looked_at {
                    let (from, to) = (found.start() - start, found.end() - start);
                    let line = &text[start..looked_at];
                    weight = weight.max(weigh_word(line, from, to, WORDS[found.pattern()]));
                }
                word = words.next_if(|next| next.start() < end);
            }
            if let Some(weight) = weight {
                let finding = weight == Weight::Warning && has_place(&text[start..looked_at]);
                let weight = if finding { Weight::Finding } else { weight };
                return Some((weight, line, end));
            }
        }
    })
}

/// The first characters of a line: what matters stands there.
fn first_characters(line: &str) -> &str {
    if line.len() <= LOOKED_AT {
        return line;
    }
    let cut = line.char_indices().nth(LOOKED_AT);
    &line[..cut.map_or(line.len(), |(cut, _)| cut)]
}

/// Whether a line names a line of a file: `src/a.rs:12`, `a.ts(3,5)`.
pub(super) fn has_place(line: &str) -> bool {
    let bytes = line.as_bytes();
    (1..bytes.len().saturating_sub(1)).any(|at| {
        matches!(bytes[at], b':' | b'(')
            && bytes[at + 1].is_ascii_digit()
            && bytes[at - 1].is_ascii_alphabetic()
            && line[..at]
                .rsplit([' ', '\t'])
                .next()
                .is_some_and(|word| word.contains('.'))
    })
}

/// Whether letters that follow one of the words only inflect it: `failed`, but not `failover`.
fn is_inflected(word: &str, suffix: &str) -> bool {
    let any_of = |suffixes: &[&str]| {
        suffixes
            .iter()
            .any(|other| other.eq_ignore_ascii_case(suffix))
    };
    match word {
        "error" | "exception" => any_of(&["", "s", "ed"]),
        "fail" => any_of(&["", "s", "ed", "ing", "ure", "ures"]),
        "panic" => any_of(&["", "s", "ked"]),
        "assert" => any_of(&["", "s", "ed", "ion", "ions", "ionerror"]),
        _ => true,
    }
}

/// Whether what stands in front of a word says that there is none: `0 errors`, `no errors`.
fn is_none(before: &str) -> bool {
    let before = before.trim_end().as_bytes();
    let ends = |word: &[u8]| {
        let at = before.len().checked_sub(word.len())?;
        before[at..].eq_ignore_ascii_case(word).then_some(at)
    };
    let alone = |at: usize| at == 0 || before[at - 1] == b' ';
    ends(b"0").is_some_and(alone) || ends(b"no").is_some_and(alone) || ends(b"without").is_some()
}

/// Weighs one word of a line by what stands around it.
fn weigh_word(line: &str, start: usize, end: usize, word: &str) -> Option<Weight> {
    let before = &line[..start];
    let after = &line[end..];
    let found = &line[start..end];
    let lower = found.starts_with(|c: char| c.is_ascii_lowercase());
    let glued = before.ends_with(['_', '/', '.', '-'])
        || (lower && before.ends_with(char::is_alphanumeric))
        || (!lower && found.is_ascii() && before.ends_with(|c: char| c.is_ascii_uppercase()));
    let tail = after.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let named = tail.starts_with(['_', '/', '-', '('])
        || (tail.starts_with('.') && tail[1..].starts_with(|c: char| c.is_ascii_alphabetic()));
    match word {
        "warn" | "unused" | "警告" | "предупрежд" => {
            (!glued && !named).then_some(Weight::Warning)
        }
        "passed" | "test result" | "tests:" | "build success" | "insertion" | "finished"
        | "no issues" | "issues:" | "compiled" | "succeeded" => {
            (!glued && !named).then_some(Weight::Outcome)
        }
        "ok  \t" | "ok \t" => before.trim().is_empty().then_some(Weight::Outcome),
        "exit" => after
            .trim_start_matches([' ', ':', '=', 's', 't', 'a', 'u', 'c', 'o', 'd', 'e'])
            .starts_with(|c: char| c.is_ascii_digit())
            .then_some(Weight::Outcome),
        "✗" | "✕" | "✖" | "×" | "●" => before.trim().is_empty().then_some(Weight::Error),
        _ if is_none(before) => (!glued && !named).then_some(Weight::Outcome),
        _ if glued || named || !is_inflected(word, &after[..after.len() - tail.len()]) => None,
        "error" | "fail" | "panic" | "exception" | "traceback" | "fatal" | "assert" => {
            let loud = matches!(word, "panic" | "traceback")
                || after.starts_with([':', '[', '!'])
                || tail.starts_with([':', '[', '\t', '!'])
                || found.bytes().all(|b| b.is_ascii_uppercase())
                || (before.ends_with(char::is_alphanumeric)
                    && (tail.is_empty() || tail.starts_with(':')))
                || before.trim().is_empty()
                || before.trim_end().ends_with(':');
            Some(if loud { Weight::Error } else { Weight::Mention })
        }
        _ if !word.is_ascii() => Some(Weight::Error),
        _ => Some(if before.contains(':') {
            Weight::Error
        } else {
            Weight::Mention
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_weighed_by_their_words() {
        let check = |line: &str, expected: Option<Weight>| {
            let weight = weighed_lines(line).next().map(|weighed| weighed.0);
            assert_eq!(weight, expected, "{line}");
        };
        check("error[E0433]: failed to resolve", Some(Weight::Error));
        check(
            "src/a.ts(3,5): error TS2304: Cannot find name 'x'.",
            Some(Weight::Error),
        );
        check("TypeError: x is not a function", Some(Weight::Error));
        check("java.lang.NullPointerException: null", Some(Weight::Error));
        check("--- FAIL: TestParse (0.00s)", Some(Weight::Error));
        check(
            "FAILED tests/test_a.py::test_b - assert 1 == 2",
            Some(Weight::Error),
        );
        check(
            "thread 'main' panicked at src/main.rs:2:5:",
            Some(Weight::Error),
        );
        check("Traceback (most recent call last):", Some(Weight::Error));
        check("bash: foo: command not found", Some(Weight::Error));
        check("  ✕ adds numbers (3 ms)", Some(Weight::Error));
        check("not ok 3 - parses", Some(Weight::Mention));
        check("致命错误：文件不存在", Some(Weight::Error));
        check("Ошибка: файл не найден", Some(Weight::Error));
        check("warning: unused variable", Some(Weight::Warning));
        check("src/a.c:3:5: warning: unused x", Some(Weight::Finding));
        check("0 errors, 0 warnings", Some(Weight::Outcome));
        check("test result: ok. 3 passed; 0 failed", Some(Weight::Outcome));
        check("ok  \texample.org/x\t0.01s", Some(Weight::Outcome));
        check("src/error_handling.rs", None);
        check("docs/errors.md", None);
        check("Collected: exceptiongroup>=1.0", None);
        check("hello", None);
        check("type ParseError struct {", Some(Weight::Mention));
    }
}
