//! Lines of an original.

use std::fmt::Write as _;

use epitome_core::truncate::select_lines;
use regex::{Regex, RegexBuilder};

use crate::failure::{Failure, Result};

/// Memory that a compiled pattern may take.
const PATTERN_BYTES: usize = 1 << 20;

/// Which lines are wanted.
#[derive(Debug)]
pub(crate) struct Selection {
    /// First and last line, from 1.
    range: Option<(usize, usize)>,
    pattern: Option<Regex>,
}

impl Selection {
    /// Reads `--lines` and `--grep`.
    pub(crate) fn new(lines: Option<&str>, pattern: Option<&str>) -> Result<Self> {
        Ok(Self {
            range: lines.map(line_range).transpose()?,
            pattern: pattern.map(compile).transpose()?,
        })
    }

    /// The lines that are wanted; matches come with their numbers. Without any, says which were
    /// looked for.
    pub(crate) fn apply(&self, text: &str) -> Result<String, String> {
        let (first, last) = self.range.unwrap_or((1, usize::MAX));
        let lines = match self.range {
            Some((first, last)) => select_lines(text, first, last),
            None => text,
        };
        if lines.is_empty() && self.range.is_some() {
            return Err(if last == usize::MAX {
                format!("line {first}")
            } else {
                format!("lines {first}-{last}")
            });
        }
        let Some(pattern) = &self.pattern else {
            return Ok(lines.to_owned());
        };
        let mut matching = String::new();
        for (line, number) in lines.split_inclusive('\n').zip(first..) {
            if pattern.is_match(line.trim_end_matches(['\n', '\r'])) {
                // Writing to a String cannot fail.
                let _ = write!(matching, "{number}:{line}");
            }
        }
        if matching.is_empty() {
            Err(format!("a line that matches `{pattern}`"))
        } else {
            Ok(matching)
        }
    }
}

/// Reads `10-20`, `10-` or `10`.
pub(crate) fn line_range(text: &str) -> Result<(usize, usize)> {
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|line| *line > 0);
    let range = match text.split_once('-') {
        None => number(text).map(|line| (line, line)),
        Some((first, last)) if last.trim().is_empty() => {
            number(first).map(|line| (line, usize::MAX))
        }
        Some((first, last)) => number(first).zip(number(last)),
    };
    range.filter(|(first, last)| first <= last).ok_or_else(|| {
        Failure::usage(
            format!("read the lines `{text}`"),
            "Lines count from 1 and look like `10-20`, `10-` or `10`.",
        )
    })
}

fn compile(pattern: &str) -> Result<Regex> {
    let built = RegexBuilder::new(pattern).size_limit(PATTERN_BYTES).build();
    built.map_err(|error| {
        // The last line of the error says what is wrong; those before it draw where.
        let text = error.to_string();
        let reason = text.lines().last().unwrap_or_default();
        let reason = reason.trim_start_matches("error: ").to_owned();
        Failure::usage(
            format!("read the pattern `{pattern}`: {reason}"),
            "Put a backslash before characters that are meant as they are.",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        let check = |text: &str, expected: Option<(usize, usize)>| {
            assert_eq!(line_range(text).ok(), expected, "{text}");
        };
        check("10-20", Some((10, 20)));
        check("10-", Some((10, usize::MAX)));
        check("10", Some((10, 10)));
        check(" 1 - 2 ", Some((1, 2)));
        for bad in ["", "0", "0-3", "-3", "5-2", "a-b", "1-2-3", "-"] {
            check(bad, None);
        }
    }

    #[test]
    fn lines_are_picked() {
        let check = |lines: Option<&str>, pattern: Option<&str>, expected: Result<&str, &str>| {
            let selection = Selection::new(lines, pattern).unwrap();
            let picked = selection.apply("one\ntwo\r\nthree");
            let picked = picked.as_deref().map_err(String::as_str);
            assert_eq!(picked, expected, "{lines:?} {pattern:?}");
        };
        check(None, None, Ok("one\ntwo\r\nthree"));
        check(Some("2"), None, Ok("two\r\n"));
        check(Some("2-9"), None, Ok("two\r\nthree"));
        check(Some("4"), None, Err("lines 4-4"));
        check(Some("4-"), None, Err("line 4"));
        check(None, Some("^t"), Ok("2:two\r\n3:three"));
        check(None, Some("o$"), Ok("2:two\r\n"));
        check(Some("3-"), Some("^t"), Ok("3:three"));
        check(None, Some("x"), Err("a line that matches `x`"));
        assert!(Selection::new(None, Some("(")).is_err());
        assert!(Selection::new(None, Some("a{1000}{1000}{1000}")).is_err());
    }
}
