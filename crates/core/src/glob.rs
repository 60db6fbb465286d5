//! Path patterns of protected files, condense specification 2.4.
//!
//! A pattern matches the whole path, case-sensitively:
//! - `**/` stands for any number of whole folders, none included;
//! - `**` elsewhere stands for any run that holds no line end;
//! - `*` stands for any run inside one path segment;
//! - `?` stands for one UTF-16 unit that is not `/`;
//! - anything else, brackets and braces too, stands for itself.

/// A compiled pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    tokens: Vec<Token>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    /// This unit.
    Unit(u16),
    /// One unit that is not `/`.
    One,
    /// Any run without `/`.
    Segment,
    /// Any run without a line end.
    Any,
    /// Whole folders; the state after it, [`Token::InFolder`], stands inside a folder's name.
    Folders,
    /// See [`Token::Folders`].
    InFolder,
}

impl Glob {
    /// Compiles a pattern. Every text is a pattern.
    pub fn new(pattern: &str) -> Self {
        let units: Vec<u16> = pattern.encode_utf16().collect();
        let mut tokens = Vec::with_capacity(units.len());
        let mut rest = units.as_slice();
        while let Some((&first, tail)) = rest.split_first() {
            let (token, length) = match (first, tail) {
                (STAR, [STAR, SLASH, ..]) => (Token::Folders, 3),
                (STAR, [STAR, ..]) => (Token::Any, 2),
                (STAR, _) => (Token::Segment, 1),
                (QUESTION, _) => (Token::One, 1),
                _ => (Token::Unit(first), 1),
            };
            tokens.push(token);
            if token == Token::Folders {
                tokens.push(Token::InFolder);
            }
            rest = &rest[length..];
        }
        Self { tokens }
    }

    /// Whether the pattern matches the whole path. Takes time in proportion to the product of both
    /// lengths at most.
    pub fn matches(&self, path: &str) -> bool {
        let end = self.tokens.len();
        let mut states = vec![false; end + 1];
        let mut next = vec![false; end + 1];
        states[0] = true;
        self.skip_empty(&mut states);
        for unit in path.encode_utf16() {
            next.fill(false);
            for (state, token) in self.tokens.iter().enumerate() {
                if states[state] {
                    step(*token, state, unit, &mut next);
                }
            }
            self.skip_empty(&mut next);
            std::mem::swap(&mut states, &mut next);
            if !states.contains(&true) {
                return false;
            }
        }
        states[end]
    }

    /// Enters every state that is reached without a unit. Tokens only lead forward, so one pass
    /// finds them all.
    fn skip_empty(&self, states: &mut [bool]) {
        for (state, token) in self.tokens.iter().enumerate() {
            if states[state] {
                match token {
                    Token::Segment | Token::Any => states[state + 1] = true,
                    Token::Folders => states[state + 2] = true,
                    Token::Unit(_) | Token::One | Token::InFolder => {}
                }
            }
        }
    }
}

const STAR: u16 = b'*' as u16;
const SLASH: u16 = b'/' as u16;
const QUESTION: u16 = b'?' as u16;

/// Enters the states that `unit` leads to from `state`.
fn step(token: Token, state: usize, unit: u16, next: &mut [bool]) {
    match token {
        Token::Unit(expected) => next[state + 1] |= unit == expected,
        Token::One => next[state + 1] |= unit != SLASH,
        Token::Segment => next[state] |= unit != SLASH,
        Token::Any => next[state] |= !is_line_end(unit),
        Token::Folders if unit == SLASH => next[state] = true,
        Token::Folders => next[state + 1] = true,
        Token::InFolder if unit == SLASH => next[state - 1] = true,
        Token::InFolder => next[state] = true,
    }
}

fn is_line_end(unit: u16) -> bool {
    matches!(unit, 0x0A | 0x0D | 0x2028 | 0x2029)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn patterns_match_whole_paths() {
        let check = |pattern: &str, path: &str, expected: bool| {
            assert_eq!(
                Glob::new(pattern).matches(path),
                expected,
                "{pattern} on {path:?}"
            );
        };
        check("src/**", "src/a/b.rs", true); // 324
        check("src/**/x.rs", "src/a/b/x.rs", true); // 324
        check("**/x.md", "x.md", true); // 325
        check("a/**/b", "a/b", true); // 325
        check("a/**/b", "a/xb", false); // 325
        check("*.md", "a.md", true); // 326
        check("*.md", "a/b.md", false); // 326
        check("a?c", "abc", true); // 326
        check("a?c", "a/c", false); // 326
        check("a.b", "axb", false); // 327
        check("[ab]", "a", false); // 327
        check("[ab]{c}(d)+^$|\\", "[ab]{c}(d)+^$|\\", true); // 327
        check("b", "abc", false); // 328
        check("b", "b\n", false); // 328
        check("A.md", "a.md", false); // 329
        check("a/**", "a/", true); // 492
        check("a/**", "a/b/c", true); // 492
        check("a/**", "a", false); // 492
        check("**a", "x/ya", true); // 493
        check("", "", true); // 494
        check("", "a", false); // 494
        check("**", "a\nb", false);
        check("**", "a\u{2028}b", false);
        check("*", "a\nb", true);
        check("**/b", "a\n/b", true);
        check("***/x", "a/b/x", true);
        check("***/x", "x", false);
        check("**/x", "/x", true);
        check("**/x", "//x", true);
        check("?", "😀", false);
        check("??", "😀", true);
        check("漢?.md", "漢字.md", true);
        check("**/skills/**/*.md", "home/skills/a/b/SKILL.md", true);
        check("**/skills/**/*.md", "skills/SKILL.md", true);
        check("**/skills/**/*.md", "skills.md", false);
    }

    #[test]
    fn hostile_patterns_stay_cheap() {
        let pattern = Glob::new(&"**/*?".repeat(40));
        assert!(!pattern.matches(&"a/".repeat(2000)));
        assert!(!Glob::new(&("*a".repeat(60) + "b")).matches(&"a".repeat(5000)));
    }

    /// The contract as plain backtracking, for short inputs.
    fn plain(pattern: &[u16], path: &[u16]) -> bool {
        let runs = |skip: usize, ok: &dyn Fn(&[u16]) -> bool| {
            (0..=path.len()).any(|n| ok(&path[..n]) && plain(&pattern[skip..], &path[n..]))
        };
        match pattern {
            [] => path.is_empty(),
            [STAR, STAR, SLASH, ..] => runs(3, &|run| run.last().is_none_or(|&u| u == SLASH)),
            [STAR, STAR, ..] => runs(2, &|run| !run.iter().any(|&u| is_line_end(u))),
            [STAR, ..] => runs(1, &|run| !run.contains(&SLASH)),
            [QUESTION, ..] => {
                path.first().is_some_and(|&u| u != SLASH) && plain(&pattern[1..], &path[1..])
            }
            [unit, ..] => path.first() == Some(unit) && plain(&pattern[1..], &path[1..]),
        }
    }

    proptest! {
        #[test]
        fn agrees_with_plain_backtracking(pattern in "[*?/a\n]{0,9}", path in "[/ab\n]{0,9}") {
            let units = |text: &str| text.encode_utf16().collect::<Vec<_>>();
            prop_assert_eq!(Glob::new(&pattern).matches(&path), plain(&units(&pattern), &units(&path)));
        }

        #[test]
        fn never_panics(pattern in any::<String>(), path in any::<String>()) {
            let _ = Glob::new(&pattern).matches(&path);
        }

        #[test]
        fn plain_text_matches_itself(path in "[^*?]{0,20}") {
            prop_assert!(Glob::new(&path).matches(&path));
        }
    }
}
