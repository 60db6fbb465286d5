//! Tables and text of no special kind: the first line and the lines that say most.

use super::findings::Findings;

/// Lines that are looked at: the beginning and the end of a long text.
const LOOKED_AT: usize = 300;

/// Reads a table: its size, its heading and its first rows.
pub(super) fn read_table(lines: &[&str], findings: &mut Findings) {
    findings.state(format!(
        "{} rows",
        lines.iter().filter(|line| !line.trim().is_empty()).count()
    ));
    for line in lines.iter().filter(|line| has_text(line)).take(4) {
        findings.quote(line, 140);
    }
}

/// Whether a line holds a letter or a digit of any script.
pub(super) fn has_text(line: &str) -> bool {
    line.chars().any(char::is_alphanumeric)
}

/// Reads any other text: short ones whole, of long ones the most informative lines in order.
pub(super) fn read(all: &[&str], findings: &mut Findings) {
    let lines: Vec<&str> = all.iter().copied().filter(|line| has_text(line)).collect();
    if lines.len() == 1 {
        findings.lead(lines[0], 200);
        return;
    }
    if lines.len() > 3 {
        findings.state(format!("{} lines", all.len()));
    }
    let tail_from = lines.len().saturating_sub(LOOKED_AT / 4);
    let mut scored: Vec<(i32, usize)> = (0..lines.len())
        .filter(|at| *at < LOOKED_AT || *at >= tail_from)
        .map(|at| (score(lines[at], at, lines.len()), at))
        .collect();
    scored.sort_by_key(|(score, at)| (-score, *at));
    let mut used = 0;
    let mut chosen: Vec<usize> = Vec::new();
    for (_, at) in scored {
        let length = lines[at].trim().chars().take(120).count() + 3;
        if used + length > 240 && !chosen.is_empty() {
            continue;
        }
        used += length;
        chosen.push(at);
        if chosen.len() == 6 || used > 200 {
            break;
        }
    }
    chosen.sort_unstable();
    for at in chosen {
        findings.quote(lines[at], 120);
    }
}

/// Scores a line by what later work needs: names with marks, numbers, keys, its place.
fn score(line: &str, at: usize, count: usize) -> i32 {
    let line = line.trim();
    let mut score = 0;
    score += if at == 0 { 6 } else { 0 };
    score += if at + 1 == count { 3 } else { 0 };
    score += i32::from(line.starts_with('#') || line.starts_with("==")) * 4;
    score += i32::from(super::weight::has_place(line)) * 5;
    score += i32::from(line.contains("http://") || line.contains("https://")) * 2;
    score += i32::from(line.contains('/')) + i32::from(line.contains('_'));
    score += i32::from(line.contains(": ") || line.contains('=')) * 2;
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
        assert!(findings.quotes.contains(&"version: 10422".to_owned()));
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
