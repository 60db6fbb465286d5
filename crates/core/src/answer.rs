//! Layout of the recovery tool's answer, condense specification 9.

use std::fmt::Write as _;

use crate::pretty::pretty;
use crate::truncate::{Page, Position};

/// One block of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerBlock<'a> {
    /// Nothing is known under this ref.
    Unknown {
        /// The ref as the caller wrote it.
        input: &'a str,
    },
    /// A recovered call.
    Call(RecoveredCall<'a>),
}

/// A recovered call as an answer shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecoveredCall<'a> {
    /// What the block is headed with: the caller's ref, or the occurrence key where one ref names
    /// several calls.
    pub label: &'a str,
    /// How the occurrence is known.
    pub occurrence: AnswerOccurrence,
    /// Name of the tool.
    pub tool: &'a str,
    /// Arguments as raw JSON text.
    pub args: &'a str,
    /// Whether the result was flagged as an error.
    pub is_error: bool,
    /// Position of the turn in the conversation; `None` for a call that was stored later.
    pub turn: Option<usize>,
    /// The part of the result that is shown.
    pub body: Page<'a>,
}

/// How the occurrence of a recovered call is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnswerOccurrence {
    /// By the label alone.
    Labelled,
    /// Not at all: one of several calls of its id, and it has no time.
    Legacy,
}

/// Formats an answer: its blocks in order, parted by a rule. No block, no text.
pub fn format_answer(blocks: &[AnswerBlock<'_>]) -> String {
    let mut out = String::new();
    for block in blocks {
        if !out.is_empty() {
            out.push_str("\n\n---\n\n");
        }
        match block {
            AnswerBlock::Unknown { input } => {
                out.push_str("## toolRef: ");
                out.push_str(input);
                out.push_str("\n(not found in index — may not have been summarized yet)");
            }
            AnswerBlock::Call(call) => write_call(&mut out, call),
        }
    }
    out
}

fn write_call(out: &mut String, call: &RecoveredCall<'_>) {
    let occurrence = match call.occurrence {
        AnswerOccurrence::Labelled => "",
        AnswerOccurrence::Legacy => "Occurrence: legacy (no resultTimestamp)\n",
    };
    let status = if call.is_error { "ERROR" } else { "OK" };
    let turn = call.turn.map_or("-1".to_owned(), |turn| turn.to_string());
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "## toolRef: {}\n{occurrence}Tool: {}\nArgs: {}\nStatus: {status}\nTurn: {turn}\n\n{}",
        call.label,
        call.tool,
        pretty(call.args),
        call.body.content,
    );
    if let Some(notice) = page_notice(&call.body) {
        out.push('\n');
        out.push_str(&notice);
    }
}

/// Says what a page leaves out and where to go on; `None` for a page that is the whole text.
///
/// The head of a text has the wording of the reference system, then the place of the next page.
pub fn page_notice(page: &Page<'_>) -> Option<String> {
    let Position { line, byte } = page.start;
    let total = page.total_lines;
    let shown = match page.next {
        Some(next) if next.line == line => {
            format!("bytes {byte}-{} of line {line} of {total} shown", next.byte)
        }
        Some(next) if page.start == Position::START => {
            format!("{}/{total} lines shown", next.line - 1)
        }
        Some(next) => format!("lines {line}-{} of {total} shown", next.line - 1),
        None if page.start == Position::START => return None,
        None if line > total => format!("no line {line} of {total}"),
        None => {
            return Some(format!(
                "[End of output: lines {line}-{total} of {total} shown]"
            ));
        }
    };
    let go_on = match page.next {
        Some(Position { line, byte: 0 }) => format!("\n[Next: line {line}]"),
        Some(Position { line, byte }) => format!("\n[Next: line {line}, byte {byte}]"),
        None => String::new(),
    };
    Some(format!("[Output truncated: {shown}]{go_on}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truncate::{Limits, read_page};

    const LIMITS: Limits = Limits {
        lines: 2,
        bytes: 10,
    };

    fn call<'a>(label: &'a str, text: &'a str) -> RecoveredCall<'a> {
        RecoveredCall {
            label,
            occurrence: AnswerOccurrence::Labelled,
            tool: "read",
            args: r#"{"path":"a"}"#,
            is_error: false,
            turn: Some(3),
            body: read_page(text, Position::START, LIMITS),
        }
    }

    const HEADER: &str = "Tool: read\nArgs: {\n  \"path\": \"a\"\n}\nStatus: OK\nTurn: 3\n\n";

    #[test]
    fn blocks_stand_in_order() {
        let one = AnswerBlock::Call(call("t1", "A"));
        let unknown = AnswerBlock::Unknown { input: "t9" };
        let one_text = format!("## toolRef: t1\n{HEADER}A");
        assert_eq!(format_answer(&[]), ""); // 491
        assert_eq!(format_answer(std::slice::from_ref(&one)), one_text); // 378, 380
        assert_eq!(
            format_answer(&[one.clone(), unknown, one]),
            format!(
                "{one_text}\n\n---\n\n## toolRef: t9\n(not found in index — may not have been \
                 summarized yet)\n\n---\n\n{one_text}"
            )
        ); // 379, 491
    }

    #[test]
    fn two_refs_give_two_records() {
        let blocks = [
            AnswerBlock::Call(call("t1", "A")),
            AnswerBlock::Call(call("t2", "B")),
        ];
        assert_eq!(
            format_answer(&blocks),
            format!("## toolRef: t1\n{HEADER}A\n\n---\n\n## toolRef: t2\n{HEADER}B")
        ); // 382
    }

    #[test]
    fn several_occurrences_carry_their_own_labels() {
        let legacy = RecoveredCall {
            occurrence: AnswerOccurrence::Legacy,
            is_error: true,
            turn: None,
            args: "{}",
            ..call("bash_23", "old")
        };
        let blocks = [
            AnswerBlock::Call(legacy),
            AnswerBlock::Call(call("bash_23@1150", "new")),
        ];
        assert_eq!(
            format_answer(&blocks),
            format!(
                "## toolRef: bash_23\nOccurrence: legacy (no resultTimestamp)\nTool: read\n\
                 Args: {{}}\nStatus: ERROR\nTurn: -1\n\nold\n\n---\n\n\
                 ## toolRef: bash_23@1150\n{HEADER}new"
            )
        ); // 377, 381, 383, 384
    }

    #[test]
    fn pages_name_what_is_left_out() {
        let check = |text: &str, line, byte, expected: Option<&str>| {
            let page = read_page(text, Position { line, byte }, LIMITS);
            assert_eq!(page_notice(&page).as_deref(), expected, "{text:?}");
        };
        check("a\nb\n", 1, 0, None);
        check("", 1, 0, None);
        check(
            "a\nb\nc",
            1,
            0,
            Some("[Output truncated: 2/3 lines shown]\n[Next: line 3]"),
        );
        check(
            "a\nb\nc",
            3,
            0,
            Some("[End of output: lines 3-3 of 3 shown]"),
        );
        check("a\nb\nc", 7, 0, Some("[Output truncated: no line 7 of 3]"));
        check(
            "a\nb\nc\nd",
            2,
            0,
            Some("[Output truncated: lines 2-3 of 4 shown]\n[Next: line 4]"),
        );
        check(
            "abcdefghijklmn\nb",
            1,
            0,
            Some("[Output truncated: bytes 0-10 of line 1 of 2 shown]\n[Next: line 1, byte 10]"),
        );
    }
}
