//! Listings: file names one a line, `ls -l`, `tree`, `git status --short`.

use std::collections::BTreeMap;

use super::findings::Findings;

/// Whether a line names one entry of a folder.
pub(super) fn is_entry(line: &str) -> bool {
    entry(line).is_some()
}

/// The name in a line of a listing, `None` for any other line.
fn entry(line: &str) -> Option<&str> {
    let line = super::line::trim(line);
    if line.is_empty() || line.len() > 300 {
        return None;
    }
    if is_long_format(line) {
        return nth_word_on(line, 8).or_else(|| line.rsplit(' ').next());
    }
    // Most entries begin with a letter; branches of trees stand in front of others.
    let line = if line.as_bytes()[0].is_ascii_alphanumeric() {
        line
    } else {
        line.trim_start_matches(['│', '├', '└', '─', '|', '`', '+', '-', ' ', '\u{a0}'])
    };
    let name = strip_status(line).unwrap_or(line);
    is_name(name).then_some(name)
}

/// `drwxr-xr-x  3 me  staff  96 Oct 20 20:35 src`
fn is_long_format(line: &str) -> bool {
    let bytes = line.as_bytes();
    bytes.len() > 40
        && matches!(bytes[0], b'-' | b'd' | b'l' | b'b' | b'c' | b'p' | b's')
        && bytes[1..10].iter().all(|b| b"rwxsStT-".contains(b))
}

/// What follows the first `words` words of a line.
fn nth_word_on(line: &str, words: usize) -> Option<&str> {
    let mut rest = line;
    for _ in 0..words {
        let end = rest.find(' ')?;
        rest = rest[end..].trim_start();
    }
    (!rest.is_empty()).then_some(rest)
}

/// `M  src/a.rs`, `?? b.txt`, `A\tc.rs`
fn strip_status(line: &str) -> Option<&str> {
    let is_letter = |byte: &&u8| b"MADRCTU?!".contains(*byte);
    let count = line.as_bytes().iter().take(3).take_while(is_letter).count();
    let is_status =
        matches!(count, 1..=2) && matches!(line.as_bytes().get(count), Some(b' ' | b'\t'));
    is_status.then(|| line[count + 1..].trim_start())
}

/// One word that could be a path; words of scripts without spaces need a mark of one.
fn is_name(name: &str) -> bool {
    let (mut letter, mut foreign, mut mark) = (false, false, false);
    for byte in name.bytes() {
        match byte {
            b' ' | b'\t' | b'=' | b'(' | b')' | b'{' | b'}' | b';' | b'"' | b'<' | b'>' | b'|'
            | b',' => {
                return false;
            }
            b'.' | b'/' | b'\\' | b'_' => mark = true,
            _ if byte.is_ascii_alphabetic() => letter = true,
            _ if !byte.is_ascii() => foreign = true,
            _ => {}
        }
    }
    (letter || (foreign && mark)) && !name.ends_with([':', '.'])
}

/// Counts the entries, groups them by folder or ending, and names as many as fit.
pub(super) fn read<'a>(lines: &[&'a str], findings: &mut Findings<'a>) {
    let mut count = 0_usize;
    let mut folders = BTreeMap::<&str, usize>::new();
    let mut names = Vec::new();
    for line in lines {
        let Some(name) = entry(line) else {
            continue;
        };
        if matches!(name, "." | "..") {
            continue;
        }
        count += 1;
        if let Some((folder, _)) = name.trim_end_matches('/').rsplit_once('/') {
            *folders.entry(folder).or_default() += 1;
        }
        if names.len() < 40 {
            names.push(name);
        }
    }
    findings.state(if count == 1 {
        "1 entry".to_owned()
    } else {
        format!("{count} entries")
    });
    if count > 12 && folders.len() > 1 {
        let mut largest: Vec<_> = folders.into_iter().collect();
        largest.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        for (folder, number) in largest.into_iter().take(3) {
            findings.lead(format!("{folder}/ {number}"), 80);
        }
    }
    for name in names {
        if super::line::is_quotable(name) {
            findings.names.push(super::line::clean(name, 120));
        } else {
            findings.unquoted += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_names() {
        let check =
            |line: &str, expected: Option<&str>| assert_eq!(entry(line), expected, "{line}");
        check("src/main.rs", Some("src/main.rs"));
        check("./a/b", Some("./a/b"));
        check("M  src/a.rs", Some("src/a.rs"));
        check("?? notes.md", Some("notes.md"));
        check("│   ├── lexer.rs", Some("lexer.rs"));
        check(
            "-rw-r--r--  1 me staff   421 Oct 20 21:06 my file.txt",
            Some("my file.txt"),
        );
        check(
            "drwxr-xr-x@ 3 me  staff    96 Oct 20 20:35 src",
            Some("src"),
        );
        check("hello world", None);
        check("let x = 1;", None);
        check("Done.", None);
        check("", None);
    }

    #[test]
    fn listings_are_counted_and_named() {
        let mut findings = Findings::default();
        read(&["a/x.rs", "a/y.rs", "b.md"], &mut findings);
        assert_eq!(findings.facts, ["3 entries"]);
        assert_eq!(findings.names, ["a/x.rs", "a/y.rs", "b.md"]);
    }
}
