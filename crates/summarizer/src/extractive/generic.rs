//! Tables and text of no special kind: the first line and the lines that say most.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::findings::Findings;
use super::line::{trim, width};

/// Lines that are looked at: the beginning and the end of a long text.
const LOOKED_AT: usize = 300;

/// Reads a table: its size, its heading and its first rows.
pub(super) fn read_table<'a>(lines: &[&'a str], findings: &mut Findings<'a>) {
    findings.state(format!(
        "{} rows",
        lines.iter().filter(|line| !line.trim().is_empty()).count()
    ));
    for line in lines.iter().filter(|line| has_text(line)).take(4) {
        findings.quote(*line, 140);
    }
}

/// Whether a line holds a letter or a digit of any script.
pub(super) fn has_text(line: &str) -> bool {
    // The first sign mostly is a letter already.
    let ascii = line.bytes().any(|byte| byte.is_ascii_alphanumeric());
    ascii || line.chars().any(char::is_alphanumeric)
}

/// Reads any other text: short ones whole, of long ones the most informative lines in order.
pub(super) fn read<'a>(all: &[&'a str], findings: &mut Findings<'a>) {
    let lines: Vec<&str> = all.iter().copied().filter(|line| has_text(line)).collect();
    if lines.len() == 1 {
        findings.lead(lines[0], 200);
        return;
    }
    if lines.len() > 3 {
        findings.state(format!("{} lines", all.len()));
    }
    let mut chosen = choose(&lines);
    chosen.sort_unstable();
    for at in chosen {
        findings.quote(lines[at], 120);
    }
}

/// Positions of the lines that say most, as many as fit, the best first.
fn choose(lines: &[&str]) -> Vec<usize> {
    let tail_from = lines.len().saturating_sub(LOOKED_AT / 4).max(LOOKED_AT);
    let looked_at = (0..lines.len().min(LOOKED_AT)).chain(tail_from..lines.len());
    let mut scored: BinaryHeap<(i32, Reverse<usize>)> = looked_at
        .map(|at| (score(lines[at], at, lines.len()), Reverse(at)))
        .collect();
    let mut used = 0;
    let mut chosen: Vec<usize> = Vec::with_capacity(6);
    while let Some((_, Reverse(at))) = scored.pop() {
        let length = width(trim(lines[at])).min(120) + 3;
        if used + length > 240 && !chosen.is_empty() {
            continue;
        }
        used += length;
        chosen.push(at);
        if chosen.len() == 6 || used > 200 {
            break;
        }
    }
    chosen
}

/// Signs that speak for a line, by byte.
mod sign {
    pub(super) const SLASH: u8 = 1;
    pub(super) const UNDERSCORE: u8 = 2;
    pub(super) const EQUALS: u8 = 4;
    /// A colon or a bracket: what stands around it decides.
    pub(super) const JOINT: u8 = 8;

    pub(super) const TABLE: [u8; 256] = {
        let mut table = [0; 256];
        table[b'/' as usize] = SLASH;
        table[b'_' as usize] = UNDERSCORE;
        table[b'=' as usize] = EQUALS;
        table[b':' as usize] = JOINT;
        table[b'(' as usize] = JOINT;
        table
    };
}

/// Scores a line by what later work needs: names with marks, numbers, keys, its place.
fn score(line: &str, at: usize, count: usize) -> i32 {
    let line = trim(line);
    let signs = line
        .bytes()
        .fold(0, |signs, byte| signs | sign::TABLE[usize::from(byte)]);
    let has = |sign: u8| signs & sign != 0;
    let pair = |pair: &[u8]| line.as_bytes().windows(2).any(|bytes| bytes == pair);
    let is_address = |line: &str| line.contains("http://") || line.contains("https://");
    let mut score = 0;
    score += if at == 0 { 6 } else { 0 };
    score += if at + 1 == count { 3 } else { 0 };
    score += i32::from(line.starts_with('#') || line.starts_with("==")) * 4;
    score += i32::from(has(sign::JOINT) && super::weight::has_place(line)) * 5;
    score += i32::from(has(sign::JOINT) && pair(b":/") && is_address(line)) * 2;
    score += i32::from(has(sign::SLASH)) + i32::from(has(sign::UNDERSCORE));
    score += i32::from(has(sign::EQUALS) || (has(sign::JOINT) && pair(b": "))) * 2;
    score += i32::from(line.bytes().filter(u8::is_ascii_digit).count() >= 5) * 2;
    score -= i32::from(line.len() < 8) * 2;
    score -= i32::from(line.len() > 300) * 2;
    score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_keeps_its_most_informative_lines() {
        let mut findings = Findings::default();
        read(
            &[
                "Deployed.",
                "so",
                "version: 10422",
                "and",
                "see https://example.org/x_y",
            ],
            &mut findings,
        );
        assert_eq!(findings.quotes[0], "Deployed.");
        assert!(findings.quotes.contains(&"version: 10422".into()));
    }

    #[test]
    fn a_single_line_is_stated_whole() {
        let mut findings = Findings::default();
        read(&["", "وصل الملف"], &mut findings);
        assert_eq!(findings.facts, ["وصل الملف"]);
    }

    #[test]
    fn tables_keep_their_heading() {
        let mut findings = Findings::default();
        read_table(&["id,name", "1,a", "2,b", "3,c"], &mut findings);
        assert_eq!(findings.facts, ["4 rows"]);
        assert_eq!(findings.quotes[0], "id,name");
    }
}
