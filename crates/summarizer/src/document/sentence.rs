//! Sentences of any script.

use epitome_core::bigram::is_ideographic;

use super::terms::is_unspaced;

/// Characters of a sentence from which on it is split at weaker marks too.
pub(super) const LONG: usize = 320;

/// Splits a text that has single spaces into its sentences, each trimmed, none empty.
///
/// A sentence ends at a mark of any script: `.`, `!` and `?` before a space and no lower-case
/// letter, full-width and other scripts' marks anywhere. What is longer than [`LONG`] is split at
/// commas or spaces, since Thai writes no mark at all.
pub(super) fn split(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut from = 0;
    while let Some(end) = find_end(text, from) {
        from = end;
        if ends_with_abbreviation(&text[start..end]) {
            continue;
        }
        push(&text[start..end], &mut sentences);
        start = end;
    }
    push(&text[start..], &mut sentences);
    sentences
}

/// End of the next sentence after its mark and what closes it.
fn find_end(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let found = at + text[at..].find(is_mark)?;
        let mark = text[found..].chars().next()?;
        let rest = text[found..].trim_start_matches(|c| is_mark(c) || closes(c));
        let end = text.len() - rest.len();
        if rest.is_empty() {
            return None;
        }
        if !matches!(mark, '.' | '!' | '?') {
            return Some(end);
        }
        // A mark that stands alone ends a sentence whatever follows.
        let alone = text[..found].ends_with(' ');
        if let Some(after) = rest.strip_prefix(' ')
            && (alone || !after.starts_with(char::is_lowercase))
        {
            return Some(end);
        }
        at = end;
    }
}

fn is_mark(c: char) -> bool {
    matches!(
        c,
        '.' | '!'
            | '?'
            | '。'
            | '！'
            | '？'
            | '．'
            | '؟'
            | '۔'
            | '।'
            | '॥'
            | '။'
            | '។'
            | '።'
            | '։'
    )
}

fn closes(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | ')'
            | ']'
            | '”'
            | '’'
            | '»'
            | '」'
            | '』'
            | '）'
            | '】'
            | '》'
            | '*'
            | '_'
            | '`'
    )
}

/// Whether what ends here is a short form rather than a sentence: `e.g.`, `Dr.`, `A.`, `3.`.
fn ends_with_abbreviation(sentence: &str) -> bool {
    let Some(body) = sentence.strip_suffix('.') else {
        return false;
    };
    let word = body.rsplit([' ', '(']).next().unwrap_or_default();
    let mut letters = word.chars();
    let single = letters.next().is_some_and(char::is_alphanumeric) && letters.next().is_none();
    let numbering = !word.is_empty() && word.len() <= 2 && word.bytes().all(|b| b.is_ascii_digit());
    const SHORT: [&str; 22] = [
        "e.g", "i.e", "etc", "cf", "vs", "dr", "mr", "mrs", "ms", "prof", "st", "no", "nr", "fig",
        "sec", "ca", "approx", "resp", "incl", "bzw", "vgl", "al",
    ];
    single
        || (numbering && body.len() == word.len())
        || (word.len() <= 6 && SHORT.contains(&word.to_ascii_lowercase().as_str()))
}

fn push<'a>(sentence: &'a str, sentences: &mut Vec<&'a str>) {
    let mut rest = sentence.trim();
    while rest.len() > LONG
        && let Some(cut) = weak_end(rest)
    {
        let (head, tail) = rest.split_at(cut);
        sentences.push(head.trim_end());
        rest = tail.trim_start();
    }
    if !rest.is_empty() {
        sentences.push(rest);
    }
}

/// Where a long sentence is split: after the last clause that ends within [`LONG`] characters, or at
/// a space of a script that writes no other mark.
///
/// `None` while it is short enough, or holds no such place.
fn weak_end(text: &str) -> Option<usize> {
    let limit = text.char_indices().nth(LONG).map(|(at, _)| at)?;
    let head = &text[..limit];
    let clause = |c: char| matches!(c, ';' | '；' | '，' | '、' | '،' | '؛');
    let strong = head
        .char_indices()
        .rev()
        .find(|(at, c)| clause(*c) && *at > limit / 3)
        .map(|(at, c)| at + c.len_utf8());
    let space = || {
        let at = head.rfind(' ')?;
        head[..at].ends_with(is_unspaced).then_some(at)
    };
    strong.or_else(space).filter(|cut| *cut < text.len())
}

/// Cuts a text to at most `most` characters, an ellipsis included: at a space or, in scripts without
/// spaces, between characters that stand for themselves.
pub(super) fn cut(text: &str, most: usize) -> String {
    let Some((limit, _)) = text.char_indices().nth(most) else {
        return text.to_owned();
    };
    // The ellipsis needs the place of one character.
    let room = text[..limit]
        .char_indices()
        .next_back()
        .map_or(0, |(at, _)| at);
    let head = &text[..room];
    let by_space = head.rfind(' ');
    let by_character = boundary(text, room);
    let end = match (by_space, by_character) {
        (Some(space), Some(character)) => space.max(character),
        (Some(space), None) => space,
        (None, Some(character)) => character,
        (None, None) => loose_boundary(text, room),
    };
    format!("{}…", text[..end].trim_end())
}

/// The last place up to `limit` between two ideographs or after a mark, where a cut breaks no word.
fn boundary(text: &str, limit: usize) -> Option<usize> {
    let mut after = text[limit..].chars().next()?;
    let mut end = limit;
    for c in text[..limit].chars().rev() {
        if is_ideographic(c) && !joins(after) && (is_ideographic(after) || !after.is_alphanumeric())
        {
            return Some(end);
        }
        after = c;
        end -= c.len_utf8();
    }
    None
}

/// A place in a run without spaces where at least no character is broken from its marks.
fn loose_boundary(text: &str, limit: usize) -> usize {
    let mut end = limit;
    let mut after = text[limit..].chars().next().unwrap_or(' ');
    for c in text[..limit].chars().rev() {
        if !joins(after) && c != '\u{200d}' {
            break;
        }
        after = c;
        end -= c.len_utf8();
    }
    if end == 0 { limit } else { end }
}

/// Whether a character belongs to the one before it.
fn joins(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5c7}'
        | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}'
        | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{981}'..='\u{983}'
        | '\u{9bc}'..='\u{9cd}' | '\u{b82}' | '\u{bbe}'..='\u{bcd}'
        | '\u{e31}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{eb1}'..='\u{ebc}'
        | '\u{102b}'..='\u{103e}' | '\u{17b4}'..='\u{17d3}'
        | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{200d}'
        | '\u{20d0}'..='\u{20ff}' | '\u{3099}' | '\u{309a}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{fe20}'..='\u{fe2f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{1f1e6}'..='\u{1f1ff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sentences_end_at_the_marks_of_any_script() {
        let check = |text: &str, expected: &[&str]| assert_eq!(split(text), expected, "{text}");
        check("One. Two! Three?", &["One.", "Two!", "Three?"]);
        check(
            "Version 1.2 of e.g. Dr. No is out. Next",
            &["Version 1.2 of e.g. Dr. No is out.", "Next"],
        );
        check(
            "He said \"Stop.\" Then he left.",
            &["He said \"Stop.\"", "Then he left."],
        );
        check(
            "see www.example.org. it goes on",
            &["see www.example.org. it goes on"],
        );
        check(
            "3. Open the box. Close it.",
            &["3. Open the box.", "Close it."],
        );
        check(
            "第一句。第二句！“第三句？”完",
            &["第一句。", "第二句！", "“第三句？”", "完"],
        );
        check(
            "これは一つ。あれは二つ。",
            &["これは一つ。", "あれは二つ。"],
        );
        check(
            "هل هذا سؤال؟ نعم. هذا جواب",
            &["هل هذا سؤال؟", "نعم.", "هذا جواب"],
        );
        check("यह एक है। वह दो है।", &["यह एक है।", "वह दो है।"]);
        check("one . two ; three .", &["one .", "two ; three ."]);
        check("", &[]);
        check("...", &["..."]);
    }

    #[test]
    fn long_sentences_are_split_at_spaces() {
        let thai = "ข้อความภาษาไทยยาวมาก ".repeat(40);
        let parts = split(thai.trim());
        assert!(parts.len() > 2);
        assert!(parts.iter().all(|part| part.ends_with('ก')));
    }

    #[test]
    fn a_cut_breaks_no_word_and_no_character() {
        let check = |text: &str, most, expected: &str| assert_eq!(cut(text, most), expected);
        check("short", 10, "short");
        check("one two three", 9, "one two…");
        check("数据库的备份", 4, "数据库…");
        check("abcdefghij", 5, "abcd…");
        check("的👩\u{200d}💻👩\u{200d}💻", 4, "的…");
        check("กำกำกำ", 3, "กำ…");
    }

    proptest! {
        #[test]
        fn splitting_loses_nothing_but_spaces(text in "[a-zA-Z。.!? ,ก้我\u{301}]{0,500}") {
            let joined: String = split(&text).concat();
            let bare = |text: &str| text.replace(char::is_whitespace, "");
            prop_assert_eq!(bare(&joined), bare(&text));
        }

        #[test]
        fn a_cut_fits(text in any::<String>(), most in 2usize..30) {
            let cut = cut(&text, most);
            prop_assert!(cut.chars().count() <= most);
        }
    }
}
