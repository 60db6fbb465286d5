//! Segmentation of scripts that put no spaces between words, for indexes that split at spaces.

use std::borrow::Cow;
use std::ops::RangeInclusive;

/// Han, Kana, Hangul and Bopomofo.
const IDEOGRAPHIC: [RangeInclusive<char>; 14] = [
    '\u{1100}'..='\u{11ff}',
    '\u{2e80}'..='\u{2fdf}',
    '\u{3005}'..='\u{3007}',
    '\u{3021}'..='\u{3029}',
    '\u{3031}'..='\u{3035}',
    '\u{3038}'..='\u{303c}',
    '\u{3041}'..='\u{30fa}',
    '\u{30fc}'..='\u{31bf}',
    '\u{31f0}'..='\u{31ff}',
    '\u{3400}'..='\u{4dbf}',
    '\u{4e00}'..='\u{9fff}',
    '\u{a960}'..='\u{a97f}',
    '\u{ac00}'..='\u{faff}',
    '\u{20000}'..='\u{3ffff}',
];

/// Scripts that are neither Latin nor ideographic, from Greek on.
const OTHER: [RangeInclusive<char>; 11] = [
    '\u{370}'..='\u{10ff}',
    '\u{1200}'..='\u{1cff}',
    '\u{1f00}'..='\u{1fff}',
    '\u{2c00}'..='\u{2c5f}',
    '\u{2c80}'..='\u{2dff}',
    '\u{a4d0}'..='\u{a6ff}',
    '\u{a800}'..='\u{a95f}',
    '\u{a980}'..='\u{abff}',
    '\u{fb1d}'..='\u{fdff}',
    '\u{fe70}'..='\u{fefe}',
    '\u{10000}'..='\u{1efff}',
];

/// Whether a character belongs to a script that [`bigrams`] segments.
pub fn is_ideographic(character: char) -> bool {
    // Private use lies between Hangul and the compatibility ideographs.
    character >= '\u{1100}'
        && !('\u{d7fc}'..='\u{f8ff}').contains(&character)
        && IDEOGRAPHIC.iter().any(|range| range.contains(&character))
}

/// Whether a character belongs to a script that is neither Latin nor segmented by [`bigrams`].
pub fn is_other_script(character: char) -> bool {
    // Digits and letters of mathematics are Latin in disguise, and emoji are no script.
    character >= '\u{370}'
        && !('\u{1d000}'..='\u{1dfff}').contains(&character)
        && OTHER.iter().any(|range| range.contains(&character))
}

/// Cuts the Han, Kana and Hangul runs of a text into overlapping pairs, parted by spaces.
///
/// A run of one character is that character; other text is left out.
///
/// ```
/// use epitome_core::bigram::bigrams;
///
/// assert_eq!(bigrams("重跑gen-itgc后 数据库"), "重跑 后 数据 据库");
/// ```
pub fn bigrams(text: &str) -> String {
    let mut pairs = String::new();
    for run in runs(text, is_ideographic) {
        let starts = run.char_indices().map(|(start, _)| start);
        let ends = run.char_indices().skip(2).map(|(end, _)| end);
        let mut pair = |range| {
            if !pairs.is_empty() {
                pairs.push(' ');
            }
            pairs.push_str(range);
        };
        // The last pair ends with the run; a lone character is its own pair.
        for (start, end) in starts.zip(ends.chain([run.len()])) {
            pair(&run[start..end]);
        }
    }
    pairs
}

/// Replaces each Han, Kana and Hangul run by a space, so that words glued to one stand alone.
///
/// ```
/// use epitome_core::bigram::without_ideographs;
///
/// assert_eq!(without_ideographs("重跑gen-itgc后"), " gen-itgc ");
/// ```
pub fn without_ideographs(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(is_ideographic) {
        return text.into();
    }
    let mut kept = String::with_capacity(text.len());
    let mut inside = false;
    for character in text.chars() {
        let is_ideographic = is_ideographic(character);
        if !is_ideographic {
            kept.push(character);
        } else if !inside {
            kept.push(' ');
        }
        inside = is_ideographic;
    }
    kept.into()
}

/// Keeps the runs of a text that are neither Latin nor segmented by [`bigrams`], parted by spaces.
///
/// ```
/// use epitome_core::bigram::other_scripts;
///
/// assert_eq!(other_scripts("Отчёт 7 of ภาษาไทย"), "Отчёт ภาษาไทย");
/// ```
pub fn other_scripts(text: &str) -> String {
    let mut kept = String::new();
    for run in runs(text, is_other_script) {
        if !kept.is_empty() {
            kept.push(' ');
        }
        kept.push_str(run);
    }
    kept
}

/// The longest stretches of wanted characters.
fn runs(text: &str, wanted: fn(char) -> bool) -> impl Iterator<Item = &str> {
    // Latin text, most of all text, is skipped without decoding a character.
    let text = if text.is_ascii() { "" } else { text };
    text.split(move |character| !wanted(character))
        .filter(|run| !run.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ideographic_runs_become_pairs() {
        let check = |text: &str, expected: &str| assert_eq!(bigrams(text), expected, "{text}");
        check("", "");
        check("plain words, naïve café 🙂", "");
        check("数", "数");
        check("数据", "数据");
        check("数据库", "数据 据库");
        check("止损。设备", "止损 设备");
        check("サンドボックス", "サン ンド ドボ ボッ ック クス");
        check("데이터 베이스", "데이 이터 베이 이스");
        check("a数b据", "数 据");
        check("𠀀𠀁𠀂", "𠀀𠀁 𠀁𠀂");
        check("\u{e000}\u{f8ff}", "");
    }

    #[test]
    fn other_scripts_are_kept() {
        let check =
            |text: &str, expected: &str| assert_eq!(other_scripts(text), expected, "{text}");
        check("", "");
        check("plain words, naïve café, Ǆ, 𝐛𝐨𝐥𝐝 🙂 — “x” ①", "");
        check("数据 サンド 데이터", "");
        check("рост и падение", "рост и падение");
        check("Ώρα: 12 هذا نص", "Ώρα هذا نص");
        check("การค้นหาข้อมูล (search)", "การค้นหาข้อมูล");
    }

    #[test]
    fn words_come_off_ideographs() {
        let check = |text: &str, expected: &str| assert_eq!(without_ideographs(text), expected);
        check("", "");
        check("naïve café", "naïve café");
        check("数据库", " ");
        check("用Rust写 a数b", " Rust  a b");
    }

    proptest! {
        #[test]
        fn pairs_are_pieces_of_the_text(text in "[数据库ア한ขก é]{0,30}") {
            for pair in bigrams(&text).split_whitespace() {
                prop_assert!(text.contains(pair));
                prop_assert!(pair.chars().count() <= 2);
                prop_assert!(pair.chars().all(is_ideographic));
            }
            for run in other_scripts(&text).split_whitespace() {
                prop_assert!(text.contains(run));
                prop_assert!(run.chars().all(is_other_script));
            }
        }

        #[test]
        fn any_text_is_cut(text in any::<String>()) {
            let wanted = text.chars().filter(|c| is_ideographic(*c)).count();
            let pairs = bigrams(&text);
            prop_assert!(pairs.chars().filter(|c| *c != ' ').count() <= wanted * 2);
            prop_assert_eq!(pairs.is_empty(), wanted == 0);
            prop_assert!(!without_ideographs(&text).contains(is_ideographic));
            prop_assert!(text.chars().all(|c| !(is_ideographic(c) && is_other_script(c))));
        }
    }
}
