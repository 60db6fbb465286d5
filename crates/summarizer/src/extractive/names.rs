//! Names worth finding again: paths, ids, long numbers, error names and identifiers.

use rustc_hash::FxHashMap;

/// Most bytes of one text that are searched for names.
const SEARCHED: usize = 32 * 1024;

/// Most names that are taken from one text.
const MOST: usize = 40;

/// Candidates by name. Never read in the order of the table.
type Candidates<'a> = FxHashMap<&'a str, Candidate>;

/// A name with what speaks for it.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    count: u32,
    first: usize,
    weight: u32,
}

/// Adds the names of a text, the most promising first.
pub(super) fn find(text: &str, names: &mut Vec<String>) {
    let mut candidates = Candidates::default();
    for (from, part) in parts(text) {
        scan(part, from, &mut candidates);
    }
    let mut found: Vec<(u32, usize, &str)> = candidates
        .into_iter()
        .map(|(name, candidate)| {
            let often = u32::BITS - candidate.count.leading_zeros();
            (candidate.weight + 4 * often, candidate.first, name)
        })
        .collect();
    found.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    names.extend(
        found
            .into_iter()
            .take(MOST)
            .map(|(_, _, name)| name.to_owned()),
    );
}

/// The whole text, or beginning, middle and end of a long one.
fn parts(text: &str) -> Vec<(usize, &str)> {
    if text.len() <= SEARCHED {
        return vec![(0, text)];
    }
    let boundary = |at: usize| {
        (at..text.len())
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(text.len())
    };
    let head = boundary(SEARCHED / 2);
    let middle = boundary(text.len() / 2).max(head);
    let middle_end = boundary((middle + SEARCHED / 4).min(text.len()));
    let tail = boundary(text.len() - SEARCHED / 4).max(middle_end);
    vec![
        (0, &text[..head]),
        (middle, &text[middle..middle_end]),
        (tail, &text[tail..]),
    ]
}

/// Collects the candidates of one part.
fn scan<'a>(text: &'a str, from: usize, candidates: &mut Candidates<'a>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !in_run(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && in_run(bytes[at]) {
            at += 1;
        }
        if at - start >= 5 {
            weigh_run(&text[start..at], from + start, candidates);
        }
    }
}

/// Whether a byte belongs to paths and identifiers.
fn in_run(byte: u8) -> bool {
    const TABLE: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            let b = byte as u8;
            table[byte] =
                b.is_ascii_alphanumeric() || matches!(b, b'_' | b'/' | b'.' | b'-' | b'@' | b'~');
            byte += 1;
        }
        table
    };
    TABLE[usize::from(byte)]
}

fn weigh_run<'a>(run: &'a str, first: usize, candidates: &mut Candidates<'a>) {
    let trimmed = run
        .trim_end_matches(['.', '-', '/'])
        .trim_start_matches(['-', '@']);
    if is_path(trimmed) {
        add(trimmed, first, 14, candidates);
        return;
    }
    for word in trimmed.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        if let Some(weight) = weigh_word(word) {
            add(word, first, weight, candidates);
        }
    }
}

fn add<'a>(name: &'a str, first: usize, weight: u32, candidates: &mut Candidates<'a>) {
    let candidate = candidates.entry(name).or_insert(Candidate {
        count: 0,
        first,
        weight,
    });
    candidate.count += 1;
}

/// A path whose last part has an ending.
fn is_path(run: &str) -> bool {
    if run.len() > 120 || run.starts_with("//") {
        return false;
    }
    let name = run.rsplit('/').next().unwrap_or(run);
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return false;
    };
    let known_ending = matches!(ending.len(), 1..=8)
        && ending.starts_with(|c: char| c.is_ascii_alphabetic())
        && ending.bytes().all(|b| b.is_ascii_alphanumeric());
    let folder = run.len() > name.len();
    known_ending && !stem.is_empty() && (folder || ENDINGS.contains(&ending))
}

/// Endings that make a bare name a file.
const ENDINGS: &[&str] = &[
    "rs", "py", "ts", "tsx", "js", "jsx", "mjs", "go", "java", "kt", "c", "h", "cc", "cpp", "hpp",
    "cs", "rb", "php", "swift", "scala", "zig", "sh", "sql", "md", "txt", "rst", "json", "jsonl",
    "toml", "yaml", "yml", "xml", "html", "css", "scss", "vue", "lock", "log", "csv", "ini", "cfg",
    "proto",
];

/// Weighs one word, `None` for a plain one.
fn weigh_word(word: &str) -> Option<u32> {
    let bytes = word.as_bytes();
    let digits = bytes.iter().filter(|b| b.is_ascii_digit()).count();
    if digits == bytes.len() {
        return matches!(bytes.len(), 5..=20).then_some(6);
    }
    let hexadecimal = bytes
        .iter()
        .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(b));
    if hexadecimal && digits > 0 && matches!(bytes.len(), 7..=40) {
        return Some(12);
    }
    if !matches!(bytes.len(), 8..=40) || bytes[0].is_ascii_digit() {
        return None;
    }
    if word.ends_with("Error") || word.ends_with("Exception") {
        return Some(10);
    }
    let humps = bytes
        .windows(2)
        .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let inner = word.trim_matches('_');
    (humps || inner.contains('_')).then_some(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let mut names = Vec::new();
        find(text, &mut names);
        names
    }

    #[test]
    fn names_are_found_and_ordered() {
        let check = |text: &str, expected: &[&str]| assert_eq!(found(text), expected, "{text}");
        check(
            "see src/parser.rs and parse_all, parse_all.",
            &["src/parser.rs", "parse_all"],
        );
        check("commit 3fa9c2d took 48213 ms", &["3fa9c2d", "48213"]);
        check("plain words without marks", &[]);
        check(
            "raise ValueError in handleRequest",
            &["ValueError", "handleRequest"],
        );
        check("README.md, v1.2.3, e.g. this", &["README.md"]);
        check("文件 README.md 很好", &["README.md"]);
    }

    #[test]
    fn long_texts_are_searched_in_three_places() {
        let mut text = "first_name_here ".to_owned();
        text.push_str(&"é ".repeat(60_000));
        text.push_str(" last_name_here");
        assert_eq!(found(&text), ["first_name_here", "last_name_here"]);
    }
}
