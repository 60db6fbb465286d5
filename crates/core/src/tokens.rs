//! Token estimate by character class, for reports and thresholds.
//!
//! The weights are fitted to a public tokenizer's counts on prose, code, JSON, HTML, Markdown and
//! Chinese; they are least sure for other scripts. One table step per byte.

/// Name of the estimate, as it stands beside every figure made with it.
pub const TOKEN_ESTIMATOR: &str = "character classes, weights 1";

/// Estimates the tokens of a text, rounded up. An empty text has none.
///
/// ```
/// assert_eq!(epitome_core::tokens::estimate_tokens(""), 0);
/// assert_eq!(epitome_core::tokens::estimate_tokens("parseFile returns"), 4);
/// ```
pub fn estimate_tokens(text: &str) -> u64 {
    let mut thousandths = 0u64;
    let mut state = 0usize;
    for &byte in text.as_bytes() {
        let entry = STEPS[state + CLASSES[usize::from(byte)] as usize];
        state = usize::from(entry.next);
        thousandths += u64::from(entry.cost);
    }
    thousandths.div_ceil(1000)
}

/// Classes of bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    Lower,
    Upper,
    Digit,
    Space,
    NewLine,
    Tab,
    Punctuation,
    /// First byte of a character of two bytes.
    Two,
    /// First byte of a character that is most likely Han.
    Han,
    /// First byte of another character of three bytes.
    Three,
    /// First byte of a character of four bytes.
    Four,
    /// Any other byte of a character.
    Inner,
}

const CLASS_COUNT: usize = 12;

/// What was read just before, as far as the next byte's cost depends on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    /// Lower-case letters of one word, this many.
    Lower(u8),
    /// Upper-case letters of one word, this many.
    Upper(u8),
    /// Digits of one group, this many.
    Digit(u8),
    OneSpace,
    Spaces,
    NewLine,
    Tab,
    Punctuation,
}

/// A word longer than this costs like two.
const LONGEST_WORD: u8 = 16;
/// Capitals come in shorter pieces.
const LONGEST_CAPITALS: u8 = 6;
const DIGIT_GROUP: u8 = 3;
const STATE_COUNT: usize = 6 + (LONGEST_WORD + LONGEST_CAPITALS + DIGIT_GROUP) as usize;

// Costs in thousandths of a token.
const WORD: u16 = 1110;
const DIGITS: u16 = 1200;
const SPACES: u16 = 1130;
const NEW_LINES: u16 = 230;
const TABS: u16 = 610;
const PUNCTUATION_RUN: u16 = 670;
const PUNCTUATION: u16 = 64;
const TWO_BYTES: u16 = 2400;
const HAN: u16 = 760;
const THREE_BYTES: u16 = 1450;
const FOUR_BYTES: u16 = 2400;

/// One step: the next state's row in the table, and what the byte costs.
#[derive(Clone, Copy)]
struct Step {
    next: u16,
    cost: u16,
}

static CLASSES: [Class; 256] = classes();
static STEPS: [Step; STATE_COUNT * CLASS_COUNT] = steps();

const fn classes() -> [Class; 256] {
    let mut classes = [Class::Punctuation; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' => Class::Lower,
            b'A'..=b'Z' => Class::Upper,
            b'0'..=b'9' => Class::Digit,
            b' ' => Class::Space,
            b'\n' | b'\r' => Class::NewLine,
            b'\t' => Class::Tab,
            0x80..=0xBF => Class::Inner,
            0xC0..=0xDF => Class::Two,
            0xE4..=0xE9 => Class::Han,
            0xE0..=0xEF => Class::Three,
            0xF0..=0xFF => Class::Four,
            _ => Class::Punctuation,
        };
        byte += 1;
    }
    classes
}

const fn steps() -> [Step; STATE_COUNT * CLASS_COUNT] {
    let mut table = [Step { next: 0, cost: 0 }; STATE_COUNT * CLASS_COUNT];
    let mut row = 0;
    while row < STATE_COUNT {
        let mut class = 0;
        while class < CLASS_COUNT {
            let (next, cost) = step(state_of_row(row), class);
            table[row * CLASS_COUNT + class] = Step {
                next: (row_of_state(next) * CLASS_COUNT) as u16,
                cost,
            };
            class += 1;
        }
        row += 1;
    }
    table
}

/// The state after a byte of a class, and the byte's cost.
const fn step(state: State, class: usize) -> (State, u16) {
    const LOWER: usize = Class::Lower as usize;
    const UPPER: usize = Class::Upper as usize;
    const DIGIT: usize = Class::Digit as usize;
    const SPACE: usize = Class::Space as usize;
    const NEW_LINE: usize = Class::NewLine as usize;
    const TAB: usize = Class::Tab as usize;
    const PUNCT: usize = Class::Punctuation as usize;
    const TWO: usize = Class::Two as usize;
    const HAN_LEAD: usize = Class::Han as usize;
    const THREE: usize = Class::Three as usize;
    const FOUR: usize = Class::Four as usize;
    match (class, state) {
        (LOWER, State::Lower(n)) if n < LONGEST_WORD => (State::Lower(n + 1), 0),
        // A capital and what follows are one word; after several capitals a new one begins.
        (LOWER, State::Upper(1)) => (State::Lower(2), 0),
        (LOWER, _) => (State::Lower(1), WORD),
        (UPPER, State::Upper(n)) if n < LONGEST_CAPITALS => (State::Upper(n + 1), 0),
        (UPPER, _) => (State::Upper(1), WORD),
        (DIGIT, State::Digit(n)) if n < DIGIT_GROUP => (State::Digit(n + 1), 0),
        (DIGIT, _) => (State::Digit(1), DIGITS),
        (SPACE, State::OneSpace) => (State::Spaces, SPACES),
        (SPACE, State::Spaces) => (State::Spaces, 0),
        (SPACE, _) => (State::OneSpace, 0),
        (NEW_LINE, State::NewLine) => (State::NewLine, 0),
        (NEW_LINE, _) => (State::NewLine, NEW_LINES),
        (TAB, State::Tab) => (State::Tab, 0),
        (TAB, _) => (State::Tab, TABS),
        (PUNCT, State::Punctuation) => (State::Punctuation, PUNCTUATION),
        (PUNCT, _) => (State::Punctuation, PUNCTUATION_RUN + PUNCTUATION),
        (TWO, _) => (State::Start, TWO_BYTES),
        (HAN_LEAD, _) => (State::Start, HAN),
        (THREE, _) => (State::Start, THREE_BYTES),
        (FOUR, _) => (State::Start, FOUR_BYTES),
        _ => (State::Start, 0),
    }
}

const FIRST_UPPER: usize = 6 + LONGEST_WORD as usize;
const FIRST_DIGIT: usize = FIRST_UPPER + LONGEST_CAPITALS as usize;

const fn row_of_state(state: State) -> usize {
    match state {
        State::Start => 0,
        State::OneSpace => 1,
        State::Spaces => 2,
        State::NewLine => 3,
        State::Tab => 4,
        State::Punctuation => 5,
        State::Lower(n) => 5 + n as usize,
        State::Upper(n) => FIRST_UPPER + n as usize - 1,
        State::Digit(n) => FIRST_DIGIT + n as usize - 1,
    }
}

const fn state_of_row(row: usize) -> State {
    match row {
        0 => State::Start,
        1 => State::OneSpace,
        2 => State::Spaces,
        3 => State::NewLine,
        4 => State::Tab,
        5 => State::Punctuation,
        _ if row < FIRST_UPPER => State::Lower((row - 5) as u8),
        _ if row < FIRST_DIGIT => State::Upper((row - FIRST_UPPER + 1) as u8),
        _ => State::Digit((row - FIRST_DIGIT + 1) as u8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn classes_cost_their_weight() {
        let check = |text: &str, thousandths: u64| {
            let repeated = format!("{text}\u{1}").repeat(1000);
            // The separator costs one punctuation run; the estimate of a thousand repetitions
            // shows the weights without rounding.
            assert_eq!(estimate_tokens(&repeated), thousandths + 734, "{text}");
        };
        check("word", 1110);
        check("two words", 2220);
        check("camelCaseName", 3330);
        check("HTTPServer", 2220);
        check("Name", 1110);
        check("123", 1200);
        check("1234", 2400);
        check("a  b", 2220 + 1130);
        check("a     b", 2220 + 1130);
        check("a\n\nb", 2220 + 230);
        check("a\t\tb", 2220 + 610);
        check("a: b", 2220 + 734);
        check("漢字", 1520);
        check("é", 2400);
        check("\u{e000}", 1450);
        check("😀", 2400);
        check(&"a".repeat(17), 2220);
    }

    #[test]
    fn rounds_up() {
        assert_eq!(estimate_tokens(""), 0);
        assert_eq!(estimate_tokens(" "), 0);
        assert_eq!(estimate_tokens("a"), 2);
    }

    #[test]
    fn rows_and_states_agree() {
        for row in 0..STATE_COUNT {
            assert_eq!(row_of_state(state_of_row(row)), row);
        }
    }

    proptest! {
        #[test]
        fn never_more_than_a_few_tokens_per_byte(text in any::<String>()) {
            prop_assert!(estimate_tokens(&text) <= 3 * text.len() as u64);
        }

        #[test]
        fn longer_texts_never_cost_less(text in any::<String>(), more in any::<String>()) {
            let both = format!("{text}{more}");
            prop_assert!(estimate_tokens(&both) >= estimate_tokens(&text));
        }
    }
}
