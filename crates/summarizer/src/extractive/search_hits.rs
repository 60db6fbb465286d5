//! Hits of a search: `path:line:text` lines become files with counts and the best lines.

use super::findings::Findings;

/// Most hits that are quoted.
const QUOTED: usize = 8;

/// Longest path in front of a hit.
const LONGEST: usize = 300;

/// What no path holds that a search prints plainly.
const STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    let signs = b" \t(\"=[";
    let mut at = 0;
    while at < signs.len() {
        stops[signs[at] as usize] = true;
        at += 1;
    }
    stops
};

/// Hits among which those that declare something are looked for.
const LOOKED_AT: usize = 400;

/// One hit.
#[derive(Debug, PartialEq, Eq)]
struct Hit<'a> {
    path: &'a str,
    line: &'a str,
    text: &'a str,
}

/// Whether a line is a hit with its place, or a line of context around one.
pub(super) fn is_hit(line: &str) -> bool {
    parse(line).is_some_and(|hit| !is_message(hit.text)) || line == "--"
}

/// Whether a compiler wrote it: the column, a colon and one space stand in front of the message.
fn is_message(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let message = rest.strip_prefix(": ").filter(|_| rest.len() < text.len());
    message.is_some_and(|message| !message.starts_with(' '))
}

/// Whether a line is a hit in the one file that was searched: `12:text`.
pub(super) fn is_hit_of_one_file(line: &str) -> bool {
    line == "--" || parse_bare(line, ':').is_some() || parse_bare(line, '-').is_some()
}

fn parse_bare(line: &str, separator: char) -> Option<Hit<'_>> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let text = line[digits..].strip_prefix(separator)?;
    // A time of day opens with two digits and a colon as well.
    let clock = digits == 2 && text.as_bytes().get(2) == Some(&b':');
    (digits > 0 && !clock).then(|| Hit {
        path: "",
        line: &line[..digits],
        text: super::line::trim(text),
    })
}

/// Parses `path:12:text` and, for context lines, `path-12-text`.
fn parse(line: &str) -> Option<Hit<'_>> {
    parse_with(line, b':').or_else(|| parse_with(line, b'-'))
}

fn parse_with(line: &str, separator: u8) -> Option<Hit<'_>> {
    let bytes = &line.as_bytes()[..line.len().min(LONGEST)];
    let stops = |byte: &u8| STOPS[usize::from(*byte)];
    let end = bytes.iter().position(stops).unwrap_or(bytes.len());
    memchr::memchr_iter(separator, &bytes[..end]).find_map(|at| {
        let digits = line.as_bytes()[at + 1..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        let end = at + 1 + digits;
        let is_place = digits > 0 && line.as_bytes().get(end) == Some(&separator);
        (is_place && memchr::memchr2(b'.', b'/', &bytes[..at]).is_some()).then(|| Hit {
            path: &line[..at],
            line: &line[at + 1..end],
            text: super::line::trim(&line[end + 1..]),
        })
    })
}

/// Counts the hits by file and quotes the lines that declare something, then the first ones.
pub(super) fn read<'a>(lines: &[&'a str], findings: &mut Findings<'a>) {
    let mut files: Vec<(&str, usize)> = Vec::new();
    let mut count = 0_usize;
    let (mut declaring, mut others) = (Vec::new(), Vec::new());
    for line in lines {
        let Some(hit) = parse_with(line, b':').or_else(|| parse_bare(line, ':')) else {
            continue;
        };
        count += 1;
        // Hits of one file stand together: look at the last file first.
        match files.iter().rposition(|file| file.0 == hit.path) {
            Some(at) => files[at].1 += 1,
            None if files.len() < 200 => files.push((hit.path, 1)),
            None => {}
        }
        if declaring.len() < QUOTED && count <= LOOKED_AT && !hit.text.is_empty() {
            if super::source::declaration(hit.text).is_some() {
                declaring.push(hit);
            } else if others.len() < QUOTED {
                others.push(hit);
            }
        }
    }
    let noun = if count == 1 { "hit" } else { "hits" };
    let of = if files.len() == 1 { "file" } else { "files" };
    findings.state(format!("{count} {noun} in {} {of}", files.len()));
    for hit in declaring.iter().chain(&others).take(QUOTED) {
        // The whole path stands among the names.
        let name = hit.path.rsplit('/').next().unwrap_or(hit.path);
        let mark = if name.is_empty() { "" } else { ":" };
        findings.quote(format!("{name}{mark}{}:{}", hit.line, hit.text), 110);
    }
    files.sort_by_key(|file| std::cmp::Reverse(file.1));
    for (path, number) in files.iter().take(20).filter(|file| !file.0.is_empty()) {
        if super::line::is_quotable(path) {
            findings
                .names
                .push(format!("{} ({number})", super::line::clean(path, 120)).into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_have_a_path_a_line_and_a_text() {
        let check = |line: &str, expected: Option<(&str, &str, &str)>| {
            let hit = parse(line).map(|hit| (hit.path, hit.line, hit.text));
            assert_eq!(hit, expected, "{line}");
        };
        check("src/a.rs:12:  fn x()", Some(("src/a.rs", "12", "fn x()")));
        check("C:/x/a.rs:1:y", Some(("C:/x/a.rs", "1", "y")));
        check("src/a-b.rs-7-context", Some(("src/a-b.rs", "7", "context")));
        check("12:30:01 started", None);
        check("a b.rs:1:x", None);
        check("plain", None);
    }

    #[test]
    fn messages_of_compilers_are_no_hits() {
        assert!(is_hit("src/a.c:3:int total;"));
        assert!(is_hit("src/a.c:3:5:int total;"));
        assert!(!is_hit("src/a.c:3:5: error: undeclared"));
    }

    #[test]
    fn hits_are_counted_by_file() {
        let mut findings = Findings::default();
        read(
            &["a.rs:1:use x;", "a.rs:9:fn x() {", "b.rs:2:x();"],
            &mut findings,
        );
        assert_eq!(findings.facts, ["3 hits in 2 files"]);
        assert_eq!(findings.quotes[0], "a.rs:9:fn x() {");
        assert_eq!(findings.names, ["a.rs (2)", "b.rs (1)"]);
    }
}
