//! Classes of characters, as far as an index treats them differently.

use crate::bigram::{is_ideographic, is_other_script};

/// How the words of a script are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// Letters and digits of scripts whose words the word index stems and splits well.
    Latin,
    /// Han, Kana and Hangul: found by pairs of characters.
    Ideographic,
    /// All other letters and digits: found by their words and by three characters in a row.
    Other,
}

/// The script of a letter or digit; `None` for everything else.
///
/// ```
/// use epitome_core::lexical::script::{Script, script};
/// assert_eq!(script('é'), Some(Script::Latin));
/// assert_eq!(script('数'), Some(Script::Ideographic));
/// assert_eq!(script('ж'), Some(Script::Other));
/// assert_eq!(script('-'), None);
/// ```
pub fn script(character: char) -> Option<Script> {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric().then_some(Script::Latin);
    }
    if is_ideographic(character) {
        return Some(Script::Ideographic);
    }
    // Marks belong to the word that they stand in; Thai and Devanagari need them to hold together.
    if is_mark(character) || character.is_alphanumeric() {
        return Some(if is_other_script(character) {
            Script::Other
        } else {
            Script::Latin
        });
    }
    None
}

/// Marks that combine with the letter before them.
fn is_mark(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36F}'
            | '\u{E31}'
            | '\u{E34}'..='\u{E3A}'
            | '\u{E47}'..='\u{E4E}'
            | '\u{93C}'
            | '\u{94D}'
            | '\u{64B}'..='\u{65F}'
    )
}

/// A run of characters of one script, with its byte range in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run<'a> {
    /// Script of all its characters.
    pub script: Script,
    /// Its text.
    pub text: &'a str,
    /// Where it begins.
    pub start: usize,
}

impl Run<'_> {
    /// Where it ends.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The runs of a text in order; what is neither letter nor digit parts them.
pub fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (start, script) = run_start(text, at)?;
        at = run_end(text, start, script);
        Some(Run {
            script,
            text: &text[start..at],
            start,
        })
    })
}

/// The next letter or digit. Most text is ASCII, which is passed over byte by byte.
fn run_start(text: &str, from: usize) -> Option<(usize, Script)> {
    let mut at = from;
    loop {
        let byte = *text.as_bytes().get(at)?;
        if byte.is_ascii_alphanumeric() {
            return Some((at, Script::Latin));
        }
        if byte.is_ascii() {
            at += 1;
            continue;
        }
        let character = text[at..].chars().next()?;
        if let Some(script) = script(character) {
            return Some((at, script));
        }
        at += character.len_utf8();
    }
}

/// Where the characters of a script end that begin at a place.
fn run_end(text: &str, start: usize, expected: Script) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii() {
            if expected != Script::Latin || !byte.is_ascii_alphanumeric() {
                break;
            }
            at += 1;
            continue;
        }
        match text[at..].chars().next() {
            Some(character) if script(character) == Some(expected) => at += character.len_utf8(),
            _ => break,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_falls_into_runs_of_one_script() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<_> = runs(text).map(|run| run.text).collect();
            assert_eq!(found, expected, "{text}");
            for run in runs(text) {
                assert_eq!(&text[run.start..run.end()], run.text);
            }
        };
        check("", &[]);
        check("→ 😀 !", &[]);
        check("don't stop", &["don", "t", "stop"]);
        check("重跑gen-itgc后", &["重跑", "gen", "itgc", "后"]); // 17
        check("サンドボックス", &["サンドボックス"]); // 19
        check("v1.2.3", &["v1", "2", "3"]);
        check("naïve Straße", &["naïve", "Straße"]);
        check("สวัสดีครับ", &["สวัสดีครับ"]);
        check("привет мир", &["привет", "мир"]);
        check("x數x", &["x", "數", "x"]);
    }
}
