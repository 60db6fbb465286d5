//! Classes of bytes, and the pairs of them that make a run of bytes more than a plain word.

pub(super) const LOWER: u8 = 1;
pub(super) const UPPER: u8 = 2;
pub(super) const DIGIT: u8 = 4;
pub(super) const UNDERSCORE: u8 = 8;
/// `/`, `.` and the like: a run with one is a path or several words.
pub(super) const SEPARATOR: u8 = 16;

/// Letters and digits.
const WORD: u8 = LOWER | UPPER | DIGIT;

/// Bytes that are looked at together.
pub(super) const BLOCK: usize = 64;

/// Class by byte, 0 for what ends a run.
const TABLE: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = compute(byte as u8);
        byte += 1;
    }
    table
};

/// The class of a byte, computed without a branch, so that whole blocks are computed at once.
const fn compute(byte: u8) -> u8 {
    let lower = (byte.wrapping_sub(b'a') < 26) as u8 * LOWER;
    let upper = (byte.wrapping_sub(b'A') < 26) as u8 * UPPER;
    let digit = (byte.wrapping_sub(b'0') < 10) as u8 * DIGIT;
    let underscore = (byte == b'_') as u8 * UNDERSCORE;
    // `-`, `.` and `/` stand in a row.
    let separator =
        (byte.wrapping_sub(b'-') < 3) as u8 | (byte == b'@') as u8 | (byte == b'~') as u8;
    lower | upper | digit | underscore | (separator * SEPARATOR)
}

/// The class of a byte, 0 for what ends a run.
pub(super) fn of(byte: u8) -> u8 {
    TABLE[usize::from(byte)]
}

/// The classes of all bytes of a run together.
pub(super) fn all_of(run: &str) -> u8 {
    run.bytes().fold(0, |seen, byte| seen | of(byte))
}

/// One bit for every byte of a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bits {
    /// Bytes that make more than a plain word together with the byte before them.
    pub(super) marks: u64,
    /// Bytes that stand in a run.
    pub(super) in_run: u64,
}

/// Tells the bits of a block of at most [`BLOCK`] bytes that `before` stands in front of.
pub(super) fn bits(before: u8, block: &[u8]) -> Bits {
    let mut classes = [0; BLOCK + 1];
    classes[0] = of(before);
    if let Some(block) = block.first_chunk::<BLOCK>() {
        for (class, byte) in classes[1..].iter_mut().zip(block) {
            *class = compute(*byte);
        }
    } else {
        for (class, byte) in classes[1..].iter_mut().zip(block) {
            *class = of(*byte);
        }
    }
    let mut marked = [0; BLOCK];
    let mut in_run = [0; BLOCK];
    for at in 0..BLOCK {
        marked[at] = mark(classes[at], classes[at + 1]);
        in_run[at] = u8::from(classes[at + 1] != 0);
    }
    Bits {
        marks: gather(&marked),
        in_run: gather(&in_run),
    }
}

/// The lowest bits of all bytes.
fn gather(bytes: &[u8; BLOCK]) -> u64 {
    let (octets, _) = bytes.as_chunks::<8>();
    octets.iter().rev().fold(0, |bits, octet| {
        // The multiplication gathers the lowest bits of eight bytes in the highest byte.
        let gathered = u64::from_le_bytes(*octet).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits << 8 | gathered
    })
}

/// 1 when a class behind another one makes a run more than a word, else 0.
fn mark(before: u8, class: u8) -> u8 {
    let pair = |one: u8, two: u8| u8::from(before & one != 0) & u8::from(class & two != 0);
    pair(WORD, UNDERSCORE)
        | pair(SEPARATOR, WORD)
        | pair(LOWER, UPPER | DIGIT)
        | pair(DIGIT, LOWER | DIGIT)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn marks_stand_where_words_are_not_plain() {
        let check = |text: &str, expected: &[usize]| {
            let marks = bits(b' ', text.as_bytes()).marks;
            let positions: Vec<usize> = (0..64).filter(|at| marks >> at & 1 == 1).collect();
            assert_eq!(positions, expected, "{text}");
        };
        check("plain Words, and OTHER 7", &[]);
        check("parse_all", &[5]);
        check("parseAll", &[5]);
        check("a/b.c", &[2, 4]);
        check("x86 a1b2", &[1, 2, 5, 6, 7]);
    }

    proptest! {
        #[test]
        fn blocks_are_marked_as_their_pairs_are(before: u8, block in proptest::collection::vec(any::<u8>(), 1..=BLOCK)) {
            let bits = bits(before, &block);
            let mut before = before;
            for (at, byte) in block.iter().enumerate() {
                prop_assert_eq!(bits.marks >> at & 1, u64::from(mark(of(before), of(*byte))));
                prop_assert_eq!(bits.in_run >> at & 1 == 1, of(*byte) != 0);
                before = *byte;
            }
        }
    }
}
