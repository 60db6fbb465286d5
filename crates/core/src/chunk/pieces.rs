//! Cuts blocks that are too long: at sentences and lines, else at blanks, else at a character.

use std::ops::Range;

use super::ChunkOptions;

/// A part of a block that fits into a chunk, with its length in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) range: Range<usize>,
    pub(super) chars: usize,
}

impl Piece {
    pub(super) fn of(text: &str, range: Range<usize>) -> Self {
        let chars = text[range.clone()].chars().count();
        Self { range, chars }
    }
}

/// Cuts a range of a text into pieces of at most `most` characters. What is left out between them
/// is blank.
pub(super) fn cut(text: &str, range: Range<usize>, options: &ChunkOptions) -> Vec<Piece> {
    let whole = Piece::of(text, range.clone());
    if whole.chars <= options.most {
        return vec![whole];
    }
    let mut pieces = Vec::with_capacity(whole.chars / options.target.max(1) + 1);
    let mut start = range.start;
    while start < range.end {
        let end = start + length_of_piece(&text[start..range.end], options);
        if !text[..start].ends_with('\n') {
            // Blanks at a line start are indentation and stay; others only part words.
            start = end - text[start..end].trim_start().len();
        }
        let trimmed = text[start..end].trim_end();
        if !trimmed.is_empty() {
            pieces.push(Piece::of(text, start..start + trimmed.len()));
        }
        start = end;
    }
    pieces
}

/// Bytes of the first piece: up to the last sentence or line that ends within the target, else the
/// first one beyond it, else the last blank before the limit, else the limit.
fn length_of_piece(text: &str, options: &ChunkOptions) -> usize {
    let shortest = options.target / 3;
    let mut sentence: Option<usize> = None;
    let mut blank: Option<usize> = None;
    let mut characters = text.char_indices().enumerate().peekable();
    while let Some((count, (at, character))) = characters.next() {
        if count >= options.target && sentence.is_some() {
            break;
        }
        if count >= options.most.max(1) {
            return sentence.or(blank).unwrap_or(at);
        }
        let next = characters.peek().map(|&(_, (_, next))| next);
        let end = at + character.len_utf8();
        if count >= shortest {
            if ends_sentence(character, next) {
                sentence = Some(end);
            } else if character.is_whitespace() {
                blank = Some(end);
            }
        }
        if next.is_none() {
            return end;
        }
    }
    sentence.or(blank).unwrap_or(text.len())
}

/// Whether a line or sentence ends with this character.
fn ends_sentence(character: char, next: Option<char>) -> bool {
    match character {
        '\n' | '。' | '！' | '？' | '\u{2028}' | '\u{2029}' => true,
        '.' | '!' | '?' | '…' | '।' | '؟' | '۔' => next.is_none_or(char::is_whitespace),
        _ => false,
    }
}
