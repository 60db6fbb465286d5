//! Names worth finding again: paths, ids, long numbers, error names and identifiers.

use std::borrow::Cow;
use std::cmp::Reverse;

use super::class;
use super::table::Table;

/// Most bytes of one text that are searched for names.
const SEARCHED: usize = 8 * 1024;

/// Most names that are taken from one text.
const MOST: usize = 30;

/// Shortest run of bytes that could be a name.
const SHORTEST: usize = 5;

/// Adds the names of a text, the most promising first.
pub(super) fn find<'a>(text: &'a str, names: &mut Vec<Cow<'a, str>>) {
    let mut table = Table::with_room(text.len().min(SEARCHED) / SHORTEST);
    for (from, part) in parts(text).into_iter().flatten() {
        scan(part, from, &mut table);
    }
    let ranked = table.into_candidates().into_iter().map(|candidate| {
        let often = u32::BITS - candidate.count.leading_zeros();
        let weight = candidate.weight + 4 * often;
        (Reverse(weight), candidate.first, candidate.name)
    });
    let mut found: Vec<_> = ranked.collect();
    if found.len() > MOST {
        found.select_nth_unstable_by_key(MOST, |ranked| (ranked.0, ranked.1));
        found.truncate(MOST);
    }
    found.sort_unstable_by_key(|ranked| (ranked.0, ranked.1));
    names.reserve(found.len());
    names.extend(found.iter().map(|ranked| Cow::Borrowed(ranked.2)));
}

/// The whole text, or beginning, middle and end of a long one.
fn parts(text: &str) -> [Option<(usize, &str)>; 3] {
    if text.len() <= SEARCHED {
        return [Some((0, text)), None, None];
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
    [
        Some((0, &text[..head])),
        Some((middle, &text[middle..middle_end])),
        Some((tail, &text[tail..])),
    ]
}

/// Collects the candidates of one part.
///
/// Plain words are most of any text, so only a pair of bytes that no plain word has is looked at.
fn scan<'a>(text: &'a str, from: usize, table: &mut Table<'a>) {
    let bytes = text.as_bytes();
    // Where the run begins that reaches the end of the block before, and whether it is marked.
    let (mut open, mut marked) = (0, false);
    let mut before = 0;
    for (index, block) in bytes.chunks(class::BLOCK).enumerate() {
        let begin = index * class::BLOCK;
        let class::Bits { mut marks, in_run } = class::bits(before, block);
        before = block.last().copied().unwrap_or_default();
        let head = in_run.trailing_ones() as usize;
        if head < class::BLOCK && (marked || marks & !(u64::MAX << head) != 0) {
            weigh_run(text, open, begin + head, from, table);
        }
        if head == class::BLOCK {
            marked |= marks != 0;
            continue;
        }
        marks &= u64::MAX << head;
        let tail = in_run.leading_ones() as usize;
        while marks != 0 {
            let at = marks.trailing_zeros();
            let start = u64::BITS - (!in_run & !(u64::MAX << at)).leading_zeros();
            let length = (in_run >> start).trailing_ones();
            let end = start + length;
            if end == u64::BITS {
                break;
            }
            weigh_run(
                text,
                begin + start as usize,
                begin + end as usize,
                from,
                table,
            );
            marks &= u64::MAX << end;
        }
        open = begin + class::BLOCK - tail;
        marked = marks != 0;
    }
    if marked && open < bytes.len() {
        weigh_run(text, open, bytes.len(), from, table);
    }
}

/// Weighs what stands between two positions of a text that begins at `from`.
fn weigh_run<'a>(text: &'a str, start: usize, end: usize, from: usize, table: &mut Table<'a>) {
    let run = &text[start..end];
    let before = start.checked_sub(1).map(|at| text.as_bytes()[at]);
    // `\n` in front of a word is an escape that lost its line end, or a folder: no telling.
    let escaped = before == Some(b'\\') && run.starts_with(['n', 't', 'r']);
    if run.len() < SHORTEST || escaped {
        return;
    }
    // Prose sets in backticks what it is about.
    let bonus = if before == Some(b'`') { 4 } else { 0 };
    let first = from + start;
    let seen = class::all_of(run);
    if seen & class::SEPARATOR == 0 {
        if let Some(weight) = weigh_word(run, seen) {
            table.add(run, first, weight + bonus);
        }
        return;
    }
    let trimmed = trim_run(run);
    if is_path(trimmed) {
        // Relative imports lead nowhere without the file they stand in.
        let weight = if trimmed.starts_with("../") { 5 } else { 14 };
        table.add(trimmed, first, weight);
        return;
    }
    let is_separator = |byte: &u8| class::of(*byte) == class::SEPARATOR;
    let mut at = 0;
    for word in trimmed.as_bytes().split(is_separator) {
        let word = &trimmed[at..at + word.len()];
        if word.len() >= SHORTEST
            && let Some(weight) = weigh_word(word, class::all_of(word))
        {
            // Members are often those of a library.
            let weight = if at == 0 {
                weight + bonus
            } else {
                weight.saturating_sub(1)
            };
            table.add(word, first + at, weight);
        }
        at += word.len() + 1;
    }
}

/// A run without the signs of prose around it.
fn trim_run(run: &str) -> &str {
    let bytes = run.as_bytes();
    let end = bytes
        .iter()
        .rposition(|byte| !matches!(byte, b'.' | b'-' | b'/'));
    let end = end.map_or(0, |at| at + 1);
    let start = bytes[..end]
        .iter()
        .position(|byte| !matches!(byte, b'-' | b'@'));
    &run[start.unwrap_or(end)..end]
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
fn weigh_word(word: &str, seen: u8) -> Option<u32> {
    let bytes = word.as_bytes();
    if seen == class::DIGIT {
        return matches!(bytes.len(), 5..=20).then_some(6);
    }
    let hexadecimal = || bytes.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if seen == class::DIGIT | class::LOWER && hexadecimal() {
        return matches!(bytes.len(), 7..=40).then_some(12);
    }
    if !matches!(bytes.len(), 8..=40) || bytes[0].is_ascii_digit() {
        return None;
    }
    let hump = seen & class::LOWER != 0
        && seen & class::UPPER != 0
        && bytes
            .windows(2)
            .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    if hump && (word.ends_with("Error") || word.ends_with("Exception")) {
        return Some(10);
    }
    let joined = || seen & class::UNDERSCORE != 0 && word.trim_matches('_').contains('_');
    if !(hump || joined()) {
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

    fn found(text: &str) -> Vec<Cow<'_, str>> {
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
    fn names_are_found_wherever_they_stand_in_blocks() {
        for length in 0..140 {
            let text = format!("{} parse_all", "x".repeat(length));
            assert_eq!(found(&text), ["parse_all"], "{length}");
            let text = format!("{}/parse_all.rs and more", "x".repeat(length % 70));
            let path = format!("{}/parse_all.rs", "x".repeat(length % 70));
            assert_eq!(found(&text), [path], "{length}");
        }
    }

    #[test]
    fn long_texts_are_searched_in_three_places() {
        let mut text = "first_name_here ".to_owned();
        text.push_str(&"é ".repeat(60_000));
        text.push_str(" last_name_here");
        assert_eq!(found(&text), ["first_name_here", "last_name_here"]);
    }
}
