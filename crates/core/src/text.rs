//! Lengths, white space and cuts as the condense format counts them.
//!
//! Lengths are in UTF-16 units. White space is the set of the reference system, which differs from
//! [`char::is_whitespace`]: it takes U+FEFF and leaves U+0085.

/// Counts the UTF-16 units of a text.
pub fn utf16_len(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    // One unit for each character, one more for each that needs four bytes in UTF-8. Counted in
    // bytes over short chunks, so that the loop runs on vectors.
    text.as_bytes()
        .chunks(255)
        .map(|chunk| {
            let starts: u8 = chunk.iter().map(|&b| u8::from(b & 0xC0 != 0x80)).sum();
            let wide: u8 = chunk.iter().map(|&b| u8::from(b >= 0xF0)).sum();
            usize::from(starts) + usize::from(wide)
        })
        .sum()
}

/// Splits a text after at most `units` UTF-16 units, never inside a character.
///
/// A character of two units that straddles the cut goes to the tail.
///
/// ```
/// use epitome_core::text::split_at_utf16;
/// assert_eq!(split_at_utf16("a😀b", 2), ("a", "😀b"));
/// assert_eq!(split_at_utf16("a😀b", 3), ("a😀", "b"));
/// ```
pub fn split_at_utf16(text: &str, units: usize) -> (&str, &str) {
    if text.len() <= units {
        return (text, "");
    }
    if text.as_bytes()[..units].is_ascii() {
        return text.split_at(units);
    }
    let mut used = 0;
    for (at, character) in text.char_indices() {
        used += character.len_utf16();
        if used > units {
            return text.split_at(at);
        }
    }
    (text, "")
}

/// Cuts a text to at most `bytes` bytes, at a character boundary.
pub fn cut_bytes(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// Whether a character is white space of the condense format.
pub fn is_white_space(character: char) -> bool {
    matches!(
        character,
        '\t'..='\r'
            | ' '
            | '\u{A0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200A}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202F}'
            | '\u{205F}'
            | '\u{3000}'
            | '\u{FEFF}'
    )
}

/// Removes white space at both ends.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_white_space)
}

/// Removes white space at the start.
pub fn trim_start(text: &str) -> &str {
    text.trim_start_matches(is_white_space)
}

/// Whether a summary is too large to replace what it summarizes, both in UTF-16 units.
///
/// Equal sizes are accepted, condense specification 3.7.
pub fn is_oversized(summary_units: usize, raw_units: usize) -> bool {
    summary_units > raw_units
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn length_counts_utf16_units() {
        let long = "é".repeat(1000) + &"👩\u{200d}💻".repeat(300);
        for text in ["", "abc", "漢字", "😀", "👩\u{200d}💻", "e\u{301}", &long] {
            assert_eq!(utf16_len(text), text.encode_utf16().count(), "{text}");
        }
    }

    #[test]
    fn split_keeps_characters_whole() {
        let check = |text, units, head| assert_eq!(split_at_utf16(text, units).0, head);
        check("abc", 0, "");
        check("abc", 2, "ab");
        check("abc", 9, "abc");
        check("漢字", 1, "漢");
        check("x😀y", 1, "x");
        check("x😀y", 2, "x");
        check("x😀y", 3, "x😀");
        check("x😀y", 4, "x😀y");
    }

    #[test]
    fn white_space_is_the_reference_set() {
        for yes in [
            '\u{B}', '\u{C}', '\u{A0}', '\u{2028}', '\u{FEFF}', '\u{3000}',
        ] {
            assert!(is_white_space(yes), "{yes:?}");
        }
        for no in [
            '\u{85}', '\u{180E}', '\u{200B}', '\u{1C}', '\u{1F}', '\0', 'a',
        ] {
            assert!(!is_white_space(no), "{no:?}");
        }
        assert_eq!(trim("\u{FEFF} a\u{85}\r\n"), "a\u{85}");
        assert_eq!(trim_start(" \ta "), "a ");
    }

    #[test]
    fn equal_size_is_not_oversized() {
        assert!(!is_oversized(10, 10)); // 480
        assert!(is_oversized(11, 10)); // 480
    }

    proptest! {
        #[test]
        fn split_is_the_longest_head_that_fits(text in any::<String>(), units in 0usize..40) {
            let (head, tail) = split_at_utf16(&text, units);
            prop_assert_eq!(format!("{head}{tail}"), text.clone());
            prop_assert!(utf16_len(head) <= units);
            if let Some(next) = tail.chars().next() {
                prop_assert!(utf16_len(head) + next.len_utf16() > units);
            }
        }

        #[test]
        fn length_agrees_with_the_encoding(text in any::<String>()) {
            prop_assert_eq!(utf16_len(&text), text.encode_utf16().count());
        }

        #[test]
        fn cut_fits_and_is_a_prefix(text in any::<String>(), bytes in 0usize..40) {
            let head = cut_bytes(&text, bytes);
            prop_assert!(head.len() <= bytes && text.starts_with(head));
        }
    }
}
