//! Inline labels: `[[N:tool]]` in what a summarizer wrote becomes `` `t12` `` on the bullet.
//!
//! A summarizer's text is data. Labels that name no call of the batch are removed, never passed
//! on, and [`substitute_labels`] tells what became of each, so that callers can attribute lines to
//! calls and report bad labels. Rules: condense specification 6.1, with three departures that
//! close its known gaps:
//! - a fence that never closes counts as outside, from its first line on;
//! - label-like tokens that are ill-formed (`[[ 1:read]]`, `[[1:]]`, `[[1:a]b]]`) are removed too;
//! - a carriage return at the end of a line belongs to the line end, not to the label before it.

mod neutralize;
mod token;

use crate::text::{is_white_space, trim, trim_start};

pub use neutralize::neutralize_labels;
pub use token::contains_label;
use token::{Token, find_token, token_at};

/// A summary after substitution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Substituted {
    /// The text, with as many lines as before.
    pub text: String,
    /// For each line of the text the call that it speaks of, as an index from 0.
    pub owners: Vec<Option<usize>>,
    /// Every label that stood outside fences, in order.
    pub labels: Vec<Label>,
}

/// A label that a summarizer wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label {
    /// Line that it stood on, from 0.
    pub line: usize,
    /// What became of it.
    pub fate: LabelFate,
}

/// What became of a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LabelFate {
    /// It opened its line and named this call, an index from 0: its ref stands there now.
    Substituted(usize),
    /// It opened its line with the number of this call but another tool's name: removed.
    Mismatched(usize),
    /// It opened its line with a number that no call has: removed.
    OutOfRange,
    /// It stood elsewhere on a line or was ill-formed: removed.
    Stray,
}

/// A summary cut into what it says of each call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segments {
    /// Lines of each call, without blank lines at the ends; empty where nothing was said.
    pub calls: Vec<String>,
    /// Lines of no call.
    pub rest: String,
}

impl Substituted {
    /// Cuts the text into the lines of each of `calls` calls and those of none.
    pub fn segments(&self, calls: usize) -> Segments {
        let mut segments = vec![String::new(); calls];
        let mut rest = String::new();
        for (line, owner) in self.text.split('\n').zip(&self.owners) {
            let segment = owner
                .and_then(|call| segments.get_mut(call))
                .unwrap_or(&mut rest);
            // Blank lines count only between others.
            if !segment.is_empty() || !trim(line).is_empty() {
                segment.push_str(line);
                segment.push('\n');
            }
        }
        for segment in segments.iter_mut().chain([&mut rest]) {
            segment.truncate(segment.trim_end_matches(is_white_space).len());
        }
        Segments {
            calls: segments,
            rest,
        }
    }
}

/// Turns labels into refs: label `N` into the N-th of `refs` if its name is the N-th of `tools`,
/// white space around it and case aside.
///
/// A label counts at the start of a line, after white space and a `-` or `*` bullet; a number out
/// of range, another name or another place removes it. Lines inside a fence of backticks stay as
/// they are. Nothing else of the text changes.
///
/// A substituted label opens the lines of its call; a removed one closes them; lines without a
/// label belong to the call that is open.
///
/// ```
/// use epitome_core::label::substitute_labels;
/// let done = substitute_labels("- [[1:read]] a.ts is empty", &["t7"], &["read"]);
/// assert_eq!(done.text, "- `t7` a.ts is empty");
/// assert_eq!(done.owners, [Some(0)]);
/// ```
pub fn substitute_labels(
    text: &str,
    refs: &[impl AsRef<str>],
    tools: &[impl AsRef<str>],
) -> Substituted {
    let last_fence = unclosed_fence(text);
    let mut done = Substituted {
        text: String::with_capacity(text.len()),
        owners: Vec::new(),
        labels: Vec::new(),
    };
    let mut fenced = false;
    let mut open = None;
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            done.text.push('\n');
        }
        let fence = is_fence(line) && Some(number) != last_fence;
        if fence {
            fenced = !fenced;
        }
        if fence || fenced {
            done.text.push_str(line);
            done.owners.push(open);
            continue;
        }
        let first_label = done.labels.len();
        substitute_line(line, number, refs, tools, &mut done);
        let fates = &done.labels[first_label..];
        let owner = match fates.first().map(|label| label.fate) {
            Some(LabelFate::Substituted(call)) => Some(call),
            Some(_) => None,
            None => open,
        };
        open = if fates.len() > 1 { None } else { owner };
        done.owners.push(owner);
    }
    done
}

/// Number of the fence line that no later one closes.
fn unclosed_fence(text: &str) -> Option<usize> {
    let fences = text
        .split('\n')
        .enumerate()
        .filter(|(_, line)| is_fence(line));
    let mut unclosed = None;
    for (number, _) in fences {
        unclosed = match unclosed {
            None => Some(number),
            Some(_) => None,
        };
    }
    unclosed
}

fn is_fence(line: &str) -> bool {
    trim_start(line).starts_with("```")
}

fn substitute_line(
    line: &str,
    number: usize,
    refs: &[impl AsRef<str>],
    tools: &[impl AsRef<str>],
    done: &mut Substituted,
) {
    let content = line.strip_suffix('\r').unwrap_or(line);
    let (prefix, mut rest) = content.split_at(prefix_len(content));
    done.text.push_str(prefix);
    if let Some(token) = token_at(rest).filter(|token| token.well_formed) {
        let fate = fate_of(&token, refs.len(), tools);
        if let LabelFate::Substituted(call) = fate {
            done.text.push('`');
            done.text.push_str(refs[call].as_ref());
            done.text.push_str("` ");
        }
        done.labels.push(Label { line: number, fate });
        rest = trim_start(&rest[token.len..]);
    }
    let strays = remove_strays(rest, &mut done.text);
    let stray = Label {
        line: number,
        fate: LabelFate::Stray,
    };
    done.labels.extend(std::iter::repeat_n(stray, strays));
    done.text.push_str(&line[content.len()..]);
}

/// Length of what may stand before a label: white space, then a bullet with white space after it.
fn prefix_len(line: &str) -> usize {
    let rest = trim_start(line);
    let indented = line.len() - rest.len();
    match rest.strip_prefix(['-', '*']) {
        Some(after) if after.starts_with(is_white_space) => line.len() - trim_start(after).len(),
        _ => indented,
    }
}

fn fate_of(token: &Token<'_>, refs: usize, tools: &[impl AsRef<str>]) -> LabelFate {
    let call = token.number.and_then(|number| number.checked_sub(1));
    match call.filter(|&call| call < refs && call < tools.len()) {
        None => LabelFate::OutOfRange,
        Some(call) if same_name(token.name, tools[call].as_ref()) => LabelFate::Substituted(call),
        Some(call) => LabelFate::Mismatched(call),
    }
}

fn same_name(left: &str, right: &str) -> bool {
    trim(left).to_lowercase() == trim(right).to_lowercase()
}

/// Appends the rest of a line without its labels and the white space after each. Returns how many
/// there were.
fn remove_strays(mut rest: &str, out: &mut String) -> usize {
    let mut removed = 0;
    let start = out.len();
    while let Some((at, token)) = find_token(rest) {
        out.push_str(&rest[..at]);
        rest = trim_start(&rest[at + token.len..]);
        removed += 1;
    }
    out.push_str(rest);
    // What stood around a removed label can form a new one, `[[1[[2:a]]:read]]`. It is broken, not
    // removed, so that one pass is enough.
    if removed > 0 && find_token(&out[start..]).is_some() {
        let broken = neutralize_labels(&out[start..]).into_owned();
        out.truncate(start);
        out.push_str(&broken);
    }
    removed
}

#[cfg(test)]
mod tests;
