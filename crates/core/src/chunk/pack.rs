//! Packs pieces into chunks.

use super::blocks::{Block, Blocks};
use super::pieces::{self, Piece};
use super::{Chunk, ChunkOptions};

pub(super) fn pack(text: &str, blocks: Blocks<'_>, options: &ChunkOptions) -> Vec<Chunk> {
    let mut packer = Packer {
        text,
        options: *options,
        chunks: Vec::new(),
        trail: Vec::new(),
        joined: String::new(),
        open: None,
    };
    for Block { range, heading } in blocks {
        if let Some(heading) = &heading {
            packer.start_section();
            packer.trail.retain(|(level, _)| *level < heading.level);
            packer.trail.push((heading.level, heading.title.clone()));
            packer.joined = join(&packer.trail);
        }
        for piece in pieces::cut(text, range, options) {
            packer.add(piece, heading.is_some());
        }
    }
    packer.close();
    packer.chunks
}

struct Packer<'a> {
    text: &'a str,
    options: ChunkOptions,
    chunks: Vec<Chunk>,
    trail: Vec<(usize, String)>,
    joined: String,
    open: Option<Open>,
}

/// The chunk that is being filled.
struct Open {
    piece: Piece,
    /// Trail of its first text; `None` while it holds headings only.
    trail: Option<String>,
    /// Where the headings start that no text follows yet.
    headings: Option<usize>,
}

impl Packer<'_> {
    /// Below this a chunk is too short to stand alone while there is more.
    fn shortest(&self) -> usize {
        self.options.target / 3
    }

    /// A section starts a chunk unless the one before is short.
    fn start_section(&mut self) {
        let shortest = self.shortest();
        let full = |open: &Open| open.trail.is_some() && open.piece.chars >= shortest;
        if self.open.as_ref().is_some_and(full) {
            self.close();
        }
    }

    fn add(&mut self, piece: Piece, is_heading: bool) {
        if let Some(open) = &self.open {
            let whole = chars_between(self.text, &open.piece, &piece);
            let fits = whole <= self.options.target
                || (open.piece.chars < self.shortest() && whole <= self.options.most);
            if fits {
                self.extend(&piece, whole, is_heading);
                return;
            }
            if self.hand_over_headings(&piece) {
                return;
            }
            self.close();
        }
        self.open = Some(Open {
            headings: is_heading.then_some(piece.range.start),
            trail: (!is_heading).then(|| self.joined.clone()),
            piece,
        });
    }

    fn extend(&mut self, piece: &Piece, whole: usize, is_heading: bool) {
        let Some(open) = &mut self.open else { return };
        if is_heading {
            open.headings.get_or_insert(piece.range.start);
        } else {
            open.headings = None;
            open.trail.get_or_insert_with(|| self.joined.clone());
        }
        open.piece.range.end = piece.range.end;
        open.piece.chars = whole;
    }

    /// Headings at the end of a full chunk go with the text below them, if both fit.
    fn hand_over_headings(&mut self, piece: &Piece) -> bool {
        let Some(open) = self.open.as_mut().filter(|open| open.trail.is_some()) else {
            return false;
        };
        let Some(start) = open.headings else {
            return false;
        };
        let headings = Piece::of(self.text, start..open.piece.range.end);
        let whole = chars_between(self.text, &headings, piece);
        if whole > self.options.most {
            return false;
        }
        open.piece.range.end = self.text[..start].trim_end().len();
        self.close();
        self.open = Some(Open {
            piece: Piece {
                range: start..piece.range.end,
                chars: whole,
            },
            trail: Some(self.joined.clone()),
            headings: None,
        });
        true
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.chunks.push(Chunk {
                range: open.piece.range,
                trail: open.trail.unwrap_or_else(|| self.joined.clone()),
            });
        }
    }
}

/// Characters of two pieces and of what stands between them.
fn chars_between(text: &str, first: &Piece, second: &Piece) -> usize {
    let gap = text[first.range.end..second.range.start].chars().count();
    first.chars + gap + second.chars
}

fn join(trail: &[(usize, String)]) -> String {
    let titles = trail.iter().map(|(_, title)| title.as_str());
    let titles: Vec<&str> = titles.filter(|title| !title.is_empty()).collect();
    titles.join(" > ")
}
