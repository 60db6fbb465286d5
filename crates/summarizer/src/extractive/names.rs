//! Names worth finding again: paths, ids, long numbers, error names and identifiers.

use rustc_hash::{FxBuildHasher, FxHashMap};

/// Most bytes of one text that are searched for names.
const SEARCHED: usize = 8 * 1024;

/// Most names that are taken from one text.
const MOST: usize = 30;

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
    // Code holds about one candidate in thirty bytes.
    let expected = text.len().min(SEARCHED) / 32;
    let mut candidates = Candidates::with_capacity_and_hasher(expected, FxBuildHasher);
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

/// What kinds of characters a run holds.
mod class {
    pub(super) const LOWER: u8 = 1;
    pub(super) const UPPER: u8 = 2;
    pub(super) const DIGIT: u8 = 4;
    pub(super) const UNDERSCORE: u8 = 8;
    /// `/`, `.` and the like: a run with one is a path or several words.
    pub(super) const SEPARATOR: u8 = 16;

    /// Class by byte, 0 for what ends a run.
    pub(super) const TABLE: [u8; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            table[byte] = match byte as u8 {
                b'a'..=b'z' => LOWER,
                b'A'..=b'Z' => UPPER,
                b'0'..=b'9' => DIGIT,
                b'_' => UNDERSCORE,
                b'/' | b'.' | b'-' | b'@' | b'~' => SEPARATOR,
                _ => 0,
            };
            byte += 1;
        }
        table
    };

    /// Whether a class behind another one, `before * 32 + class`, makes a run more than a word.
    pub(super) const MARKS: [bool; 1024] = {
        let mut marks = [false; 1024];
        let word = [LOWER, UPPER, DIGIT];
        let mut at = 0;
        while at < 3 {
            marks[word[at] as usize * 32 + UNDERSCORE as usize] = true;
            marks[SEPARATOR as usize * 32 + word[at] as usize] = true;
            at += 1;
        }
        marks[LOWER as usize * 32 + UPPER as usize] = true;
        marks[LOWER as usize * 32 + DIGIT as usize] = true;
        marks[DIGIT as usize * 32 + LOWER as usize] = true;
        marks[DIGIT as usize * 32 + DIGIT as usize] = true;
        marks
    };
}

/// Collects the candidates of one part.
///
/// Plain words are most of any text, so only a pair of bytes that no plain word has is looked at.
fn scan<'a>(text: &'a str, from: usize, candidates: &mut Candidates<'a>) {
    let bytes = text.as_bytes();
    let class_at = |at: usize| class::TABLE[usize::from(bytes[at])];
    let mut at = 0;
    let mut before = 0;
    while at < bytes.len() {
        let class = class_at(at);
        let marked = class::MARKS[usize::from(before) * 32 + usize::from(class)];
        before = class;
        at += 1;
        if !marked {
            continue;
        }
        let start = (0..at)
            .rev()
            .take_while(|at| class_at(*at) != 0)
            .last()
            .unwrap_or(at);
        let end = (at..bytes.len())
            .find(|at| class_at(*at) == 0)
            .unwrap_or(bytes.len());
        // `\n` in front of a word is an escape that lost its line end, or a folder: no telling.
        let escaped =
            start > 0 && bytes[start - 1] == b'\\' && matches!(bytes[start], b'n' | b't' | b'r');
        if end - start >= 5 && !escaped {
            let seen = bytes[start..end]
                .iter()
                .fold(0, |seen, b| seen | class::TABLE[usize::from(*b)]);
            // Prose sets in backticks what it is about.
            let set_off = start > 0 && bytes[start - 1] == b'`';
            let bonus = if set_off { 4 } else { 0 };
            weigh_run(&text[start..end], seen, from + start, bonus, candidates);
        }
        at = end;
        before = 0;
    }
}

fn weigh_run<'a>(
    run: &'a str,
    seen: u8,
    first: usize,
    bonus: u32,
    candidates: &mut Candidates<'a>,
) {
    if seen & class::SEPARATOR == 0 {
        if let Some(weight) = weigh_word(run) {
            add(run, first, weight + bonus, candidates);
        }
        return;
    }
    let trimmed = run
        .trim_end_matches(['.', '-', '/'])
        .trim_start_matches(['-', '@']);
    if is_path(trimmed) {
        // Relative imports lead nowhere without the file they stand in.
        let weight = if trimmed.starts_with("../") { 5 } else { 14 };
        add(trimmed, first, weight, candidates);
        return;
    }
    let mut start = true;
    for word in trimmed.split(['/', '.', '-', '@', '~']) {
        if word.len() >= 5
            && let Some(weight) = weigh_word(word)
        {
            // Members are often those of a library.
            let weight = if start {
                weight + bonus
            } else {
                weight.saturating_sub(1)
            };
            add(word, first, weight, candidates);
        }
        start = false;
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
    let bytes = run.as_bytes();
    let Some(dot) = bytes
        .iter()
        .rposition(|b| matches!(b, b'.' | b'/'))
        .filter(|at| bytes[*at] == b'.')
    else {
        return false;
    };
    let name_from = bytes[..dot]
        .iter()
        .rposition(|b| *b == b'/')
        .map_or(0, |at| at + 1);
    let (stem, ending) = (&run[name_from..dot], &run[dot + 1..]);
    let known_ending = matches!(ending.len(), 1..=8)
        && ending.starts_with(|c: char| c.is_ascii_alphabetic())
        && ending.bytes().all(|b| b.is_ascii_alphanumeric());
    let folder = name_from > 0;
    known_ending && !stem.is_empty() && (folder || ENDINGS.contains(&ending))
}

/// Endings that make a bare name a file.
const ENDINGS: &[&str] = &[
    "rs", "py", "ts", "tsx", "js", "jsx", "mjs", "go", "java", "kt", "c", "h", "cc", "cpp", "hpp",
    "cs", "rb", "php", "swift", "scala", "zig", "sh", "sql", "md", "txt", "rst", "json", "jsonl",
    "toml", "yaml", "yml", "xml", "html", "css", "scss", "vue", "lock", "log", "csv", "ini", "cfg",
    "proto",
];

/// Weighs one word of letters, digits and underscores, `None` for a plain one.
fn weigh_word(word: &str) -> Option<u32> {
    let bytes = word.as_bytes();
    let mut seen = 0;
    let mut hump = false;
    let mut hexadecimal = true;
    let mut before = 0;
    for byte in bytes {
        let class = class::TABLE[usize::from(*byte)];
        seen |= class;
        hump |= before == class::LOWER && class == class::UPPER;
        hexadecimal &= class == class::DIGIT || matches!(byte, b'a'..=b'f');
        before = class;
    }
    if seen == class::DIGIT {
        return matches!(bytes.len(), 5..=20).then_some(6);
    }
    if hexadecimal && seen & class::DIGIT != 0 {
        return matches!(bytes.len(), 7..=40).then_some(12);
    }
    if !matches!(bytes.len(), 8..=40) || bytes[0].is_ascii_digit() {
        return None;
    }
    if hump && (word.ends_with("Error") || word.ends_with("Exception")) {
        return Some(10);
    }
    let joined = seen & class::UNDERSCORE != 0 && word.trim_matches('_').contains('_');
    if !(hump || joined) {
        return None;
    }
    // Constants and variables of the environment are what one looks up; very long names are
    // mostly those of tests, and cost the place of three others.
    Some(match (seen & class::LOWER, bytes.len()) {
        (0, _) => 8,
        (_, 25..) => 2,
        _ => 5,
    })
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
