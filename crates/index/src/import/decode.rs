//! Bytes of a file as text: byte-order marks, UTF-16, old encodings, padding.
//!
//! Nothing is lost silently: a file that no encoding explains is binary, and what had to be replaced
//! or taken off is said in a notice. Knowledge specification 3.2.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::{Notice, SkipReason};

/// A decoded file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decoded {
    pub(super) text: String,
    pub(super) notices: Vec<Notice>,
}

/// Decodes a file. `declared` is the encoding that the file itself names, for bytes that are no
/// UTF-8.
pub(super) fn decode(
    mut bytes: Vec<u8>,
    declared: Option<&'static Encoding>,
) -> Result<Decoded, SkipReason> {
    let mut notices = Vec::new();
    if let Some((encoding, mark)) = Encoding::for_bom(&bytes) {
        bytes.drain(..mark);
        if encoding != UTF_8 {
            return decode_with(encoding, &bytes);
        }
    } else if let Some(encoding) = utf16_without_mark(&bytes) {
        return decode_with(encoding, &bytes);
    }
    let padding = bytes.iter().rev().take_while(|&&byte| byte == 0).count();
    if padding > 0 {
        bytes.truncate(bytes.len() - padding);
        notices.push(Notice::PaddingRemoved(padding));
    }
    match String::from_utf8(bytes) {
        Ok(text) => {
            let sample = Sample::of(text.as_bytes());
            if sample.nuls * 20 > sample.bytes || sample.controls * 10 > sample.bytes {
                return Err(SkipReason::Binary);
            }
            Ok(without_nuls(text, notices))
        }
        Err(error) => {
            let bytes = error.into_bytes();
            let sample = Sample::of(&bytes);
            if sample.nuls > 0 || sample.controls * 50 > sample.bytes {
                return Err(SkipReason::Binary);
            }
            let mut decoded = decode_old(&bytes, declared)?;
            decoded.notices.append(&mut notices);
            Ok(decoded)
        }
    }
}

/// Counts of bytes that texts do not hold.
struct Sample {
    bytes: usize,
    nuls: usize,
    controls: usize,
}

impl Sample {
    fn of(bytes: &[u8]) -> Self {
        let mut sample = Self {
            bytes: bytes.len(),
            nuls: 0,
            controls: 0,
        };
        for byte in bytes {
            match byte {
                0 => sample.nuls += 1,
                0x01..=0x08 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F => sample.controls += 1,
                _ => {}
            }
        }
        sample
    }
}

/// A few NULs in a text become visible; stores and terminals stumble over them.
fn without_nuls(text: String, mut notices: Vec<Notice>) -> Decoded {
    let nuls = text.matches('\0').count();
    if nuls == 0 {
        return Decoded { text, notices };
    }
    notices.push(Notice::NulsReplaced(nuls));
    Decoded {
        text: text.replace('\0', "\u{FFFD}"),
        notices,
    }
}

/// UTF-16 that does not say so: all NULs on one side of its units, and every unit makes sense.
fn utf16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    if !bytes.contains(&0) {
        return None;
    }
    // Padding would put NULs on both sides of the units.
    let padding = bytes.iter().rev().take_while(|&&byte| byte == 0).count();
    let bytes = bytes.get(..(bytes.len() - padding).next_multiple_of(2))?;
    let nuls_at = |side: usize| {
        let side = bytes.iter().skip(side).step_by(2);
        side.filter(|&&byte| byte == 0).count()
    };
    let (even, odd) = (nuls_at(0), nuls_at(1));
    // Bytes that are UTF-8 too are a plain text with a NUL in it, unless NULs are common.
    let common_from = if std::str::from_utf8(bytes).is_ok() {
        (bytes.len() / 8).max(2)
    } else {
        1
    };
    if even.max(odd) < common_from {
        return None;
    }
    let encoding = if odd > even * 8 {
        UTF_16LE
    } else if even > odd * 8 {
        UTF_16BE
    } else {
        return None;
    };
    let (text, damaged) = encoding.decode_without_bom_handling(bytes);
    let plausible = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t' | '\u{C}' | '\0');
    let mut strange = 0;
    let mut common = 0;
    for character in text.chars() {
        strange += usize::from(!plausible(character) || is_private(character));
        common += usize::from(character.is_ascii_graphic() || character.is_whitespace());
    }
    (!damaged && strange == 0 && common > 0).then_some(encoding)
}

fn is_private(character: char) -> bool {
    matches!(character, '\u{E000}'..='\u{F8FF}' | '\u{FFF0}'..='\u{FFFF}' | '\u{F0000}'..)
}

fn decode_with(encoding: &'static Encoding, bytes: &[u8]) -> Result<Decoded, SkipReason> {
    let (text, damaged) = encoding.decode_without_bom_handling(bytes);
    let mut notices = vec![Notice::Decoded(encoding.name())];
    if damaged {
        // One odd byte at the end is a cut-off file; damage all over is no text.
        let replaced = text.chars().filter(|&c| c == '\u{FFFD}').count();
        if replaced > 1 && replaced * 20 > text.chars().count() {
            return Err(SkipReason::Binary);
        }
        notices.push(Notice::Damaged(replaced));
    }
    let text = text.into_owned();
    let content = text.trim_end_matches('\0').len();
    if content < text.len() {
        notices.push(Notice::PaddingRemoved(text.len() - content));
    }
    Ok(without_nuls(text[..content].to_owned(), notices))
}

/// Bytes that are no UTF-8 and hold no NUL.
fn decode_old(bytes: &[u8], declared: Option<&'static Encoding>) -> Result<Decoded, SkipReason> {
    if let Some(text) = mostly_utf8(bytes) {
        return Ok(text);
    }
    if let Some(encoding) = declared.filter(|&encoding| encoding != UTF_8) {
        return decode_with(encoding, bytes);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    let (text, damaged) = guess.decode_without_bom_handling(bytes);
    if !damaged {
        return Ok(Decoded {
            text: text.into_owned(),
            notices: vec![Notice::Decoded(guess.name())],
        });
    }
    decode_with(WINDOWS_1252, bytes)
}

/// UTF-8 with a few stray bytes: those are read as Windows-1252, which gives each byte a character.
/// An old encoding of the whole would garble every other character instead.
fn mostly_utf8(bytes: &[u8]) -> Option<Decoded> {
    let (mut text, mut stray, mut sound) = (String::with_capacity(bytes.len()), 0, 0);
    for part in bytes.utf8_chunks() {
        text.push_str(part.valid());
        sound += part.valid().chars().filter(|c| !c.is_ascii()).count();
        let (read, _) = WINDOWS_1252.decode_without_bom_handling(part.invalid());
        text.push_str(&read);
        stray += part.invalid().len();
    }
    (sound > stray * 4).then(|| Decoded {
        text,
        notices: vec![Notice::StrayBytes(stray)],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn utf16(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(order).collect()
    }

    #[test]
    fn texts_come_out_whole() {
        let check = |bytes: &[u8], expected: &str| {
            let decoded = decode(bytes.to_vec(), None).unwrap();
            assert_eq!(decoded.text, expected, "{bytes:?}");
        };
        let long = "Plain words, a line.\nAnd 漢字 too.\n";
        check(b"", "");
        check("é 漢 🙂\r\n".as_bytes(), "é 漢 🙂\r\n");
        check(b"\xEF\xBB\xBFtext", "text");
        check(
            &[b"\xFF\xFE".as_slice(), &utf16(long, u16::to_le_bytes)].concat(),
            long,
        );
        check(
            &[b"\xFE\xFF".as_slice(), &utf16(long, u16::to_be_bytes)].concat(),
            long,
        );
        check(&utf16(long, u16::to_le_bytes), long);
        check(&utf16(long, u16::to_be_bytes), long);
        check(&utf16("a,b\n1,2\n\0\0\0", u16::to_le_bytes), "a,b\n1,2\n");
        check(b"abc\0\0", "abc");
        check(
            b"abcdefgh \0 ijklmnopqrstuvwxyz, one NUL",
            "abcdefgh \u{FFFD} ijklmnopqrstuvwxyz, one NUL",
        );
        check(
            b"abcdefg \0 ijklmnopqrstuvwxyz, one NUL.",
            "abcdefg \u{FFFD} ijklmnopqrstuvwxyz, one NUL.",
        );
        check(
            &utf16("漢字だけの文章。\n二行目。", u16::to_le_bytes),
            "漢字だけの文章。\n二行目。",
        );
        check(
            b"export const end = \"\0\"; // a marker\n",
            "export const end = \"\u{FFFD}\"; // a marker\n",
        );
        check(
            b"The pages 10\x9720 are missing.",
            "The pages 10\u{2014}20 are missing.",
        );
        check(
            b"Mostly plain words with one f\xFCnf in them.",
            "Mostly plain words with one fünf in them.",
        );
        check(
            "Größe über fünf Äpfel"
                .as_bytes()
                .iter()
                .copied()
                .chain([0xFC])
                .collect::<Vec<_>>()
                .as_slice(),
            "Größe über fünf Äpfelü",
        );
        let (old, _, _) =
            encoding_rs::WINDOWS_1251.encode("Это обычный русский текст о кораблях и море.");
        check(&old, "Это обычный русский текст о кораблях и море.");
        let (old, _, _) =
            encoding_rs::SHIFT_JIS.encode("これは日本語の文章です。船について書いてあります。");
        check(&old, "これは日本語の文章です。船について書いてあります。");
    }

    #[test]
    fn what_is_no_text_is_binary() {
        let check = |bytes: &[u8]| {
            assert_eq!(
                decode(bytes.to_vec(), None),
                Err(SkipReason::Binary),
                "{bytes:?}"
            );
        };
        check(b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x01\0\xFF\xD8");
        check(b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01");
        check(b"\x01\x02\x03\x04text");
        check(&(0..=255).collect::<Vec<u8>>());
    }

    #[test]
    fn changes_are_said() {
        let notices = |bytes: &[u8]| decode(bytes.to_vec(), None).unwrap().notices;
        assert_eq!(notices("é".as_bytes()), []);
        assert_eq!(notices(b"abc\0\0"), [Notice::PaddingRemoved(2)]);
        assert_eq!(
            notices(b"text with a \0 in it, and more"),
            [Notice::NulsReplaced(1)]
        );
        assert_eq!(notices(b"f\xFCnf words"), [Notice::Decoded("windows-1252")]);
        assert_eq!(notices("ééééé\u{fc}".as_bytes()), []);
        assert_eq!(
            notices(b"\xFF\xFEa\0b\0c"),
            [Notice::Decoded("UTF-16LE"), Notice::Damaged(1)]
        );
    }

    #[test]
    fn a_declared_encoding_counts() {
        let (old, _, _) = encoding_rs::ISO_8859_2.encode("Łódź");
        let decoded = decode(old.into_owned(), Some(encoding_rs::ISO_8859_2)).unwrap();
        assert_eq!(decoded.text, "Łódź");
    }

    proptest! {
        #[test]
        fn never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(decoded) = decode(bytes, None) {
                prop_assert!(!decoded.text.contains('\0'));
            }
        }

        #[test]
        fn unicode_stays(text in "[^\\p{Cc}]{0,60}") {
            prop_assume!(!text.starts_with('\u{FEFF}'));
            let decoded = decode(text.clone().into_bytes(), None).unwrap();
            prop_assert_eq!(&decoded.text, &text);
            prop_assert_eq!(decoded.notices, []);
        }
    }
}
