//! Stubs: what stands in place of a result that left the model's view.
//!
//! Shape: decisions, section 3. A stub says that the original is kept, how much was left out and
//! how to get it, then carries the bullets of its own call.

use std::fmt::Write as _;

use crate::id::{FullRef, ShortRef};
use crate::json;
use crate::transcript::ResultContent;

/// The way back to an original that exists where the session will be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Channel {
    /// The `epitome recover` command.
    Command,
    /// The recovery tool, under the name that the host shows.
    Tool {
        /// That name.
        name: String,
    },
}

/// Name of the recovery tool.
pub const RECOVERY_TOOL: &str = "context_tree_query";

/// Name under which Claude Code shows the recovery tool of the server `epitome`.
pub const CLAUDE_CODE_RECOVERY_TOOL: &str = "mcp__epitome__context_tree_query";

/// How a stub opens. A summary that quoted it would send its reader to another original.
pub const OPENING: &str = "[Summarized, ref `";

/// How stubs of other programs open; a result that opens so is never condensed again.
const FOREIGN_STUBS: [&str; 3] = [
    "<persisted-output>",
    "[Old tool result content cleared]",
    "[Summarized in pruner summary, ref `",
];

/// What a stub states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StubFacts<'a> {
    /// Where the original is.
    pub full_ref: &'a FullRef,
    /// Lines of the text left out.
    pub lines: u64,
    /// UTF-8 bytes of the text left out.
    pub bytes: u64,
    /// Media types of the images left out.
    pub images: &'a [String],
    /// Bullets of the call, one a line.
    pub bullets: &'a str,
    /// The way back.
    pub channel: &'a Channel,
}

/// Renders a stub.
pub fn render(facts: &StubFacts<'_>) -> String {
    let FullRef { short, .. } = facts.full_ref;
    let mut stub = format!(
        "{OPENING}{short}`. Original kept: {}, {}",
        counted(facts.lines, "line"),
        counted(facts.bytes, "byte"),
    );
    if !facts.images.is_empty() {
        let count = facts.images.len() as u64;
        // Writing to a String cannot fail.
        let _ = write!(
            stub,
            ", {} ({})",
            counted(count, "image"),
            facts.images.join(", ")
        );
    }
    stub.push_str(" left out. ");
    match facts.channel {
        Channel::Command => {
            let _ = write!(stub, "Get it: epitome recover {}]", facts.full_ref);
        }
        Channel::Tool { name } => {
            let _ = write!(
                stub,
                "Get it: {name} with toolCallIds [\"{}\"]]",
                facts.full_ref
            );
        }
    }
    for line in facts.bullets.lines() {
        let line = without_ref(line, *short);
        if !matches!(line.trim(), "" | "-" | "*") {
            stub.push('\n');
            stub.push_str(&line);
        }
    }
    stub
}

/// The first line of the stub names the ref already.
fn without_ref(line: &str, short: ShortRef) -> String {
    let named = format!("`{short}`");
    match line.split_once(&named) {
        Some((before, after)) if after.is_empty() || after.starts_with(' ') => {
            format!("{before}{}", after.strip_prefix(' ').unwrap_or(after))
        }
        _ => line.to_owned(),
    }
}

fn counted(count: u64, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

/// The ref that an in-place stub of ours names; `None` for any other text.
pub fn parse(text: &str) -> Option<FullRef> {
    let rest = text.strip_prefix(OPENING)?;
    let (short, rest) = rest.split_once("`. Original kept: ")?;
    let short: ShortRef = short.parse().ok()?;
    let head = rest.lines().next()?;
    let (_, channel) = head.split_once(" left out. Get it: ")?;
    let end = channel.rfind(&format!("/{short}"))?;
    let conversation = channel.get(end.checked_sub(8)?..end)?.parse().ok()?;
    Some(FullRef {
        conversation,
        short,
    })
}

/// Whether the text is a stub that another program put there.
pub fn is_foreign(text: &str) -> bool {
    FOREIGN_STUBS
        .iter()
        .any(|opening| text.trim_start().starts_with(opening))
}

/// Raw JSON of a result content that holds the stub, in the shape of the content that it replaces.
///
/// A `cache_control` of the replaced blocks survives on the new one.
pub fn encode(stub: &str, replaced: &ResultContent<'_>) -> String {
    let text = json::encode_string(stub);
    match (replaced.blocks, replaced.cache_control) {
        (false, _) => text,
        (true, None) => format!(r#"[{{"type":"text","text":{text}}}]"#),
        (true, Some(control)) => {
            format!(r#"[{{"type":"text","text":{text},"cache_control":{control}}}]"#)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::decode_content;

    fn stub(channel: &Channel, images: &[String], bullets: &str) -> String {
        let full_ref: FullRef = "3fa9c2d1/t12".parse().unwrap();
        render(&StubFacts {
            full_ref: &full_ref,
            lines: 3214,
            bytes: 1,
            images,
            bullets,
            channel,
        })
    }

    #[test]
    fn a_stub_says_what_is_left_out_and_how_to_get_it() {
        // F46.
        assert_eq!(
            stub(&Channel::Command, &[], "- `t12` src/a.rs\n\n- fn a()\n"),
            "[Summarized, ref `t12`. Original kept: 3214 lines, 1 byte left out. \
             Get it: epitome recover 3fa9c2d1/t12]\n- src/a.rs\n- fn a()"
        );
        let tool = Channel::Tool {
            name: CLAUDE_CODE_RECOVERY_TOOL.to_owned(),
        };
        assert_eq!(
            stub(&tool, &["image/png".to_owned()], ""),
            "[Summarized, ref `t12`. Original kept: 3214 lines, 1 byte, 1 image (image/png) left \
             out. Get it: mcp__epitome__context_tree_query with toolCallIds [\"3fa9c2d1/t12\"]]"
        );
    }

    #[test]
    fn stubs_are_recognised() {
        let tool = Channel::Tool {
            name: RECOVERY_TOOL.to_owned(),
        };
        for channel in [Channel::Command, tool] {
            let text = stub(&channel, &[], "- x/t12 aaaaaaaa/t12");
            assert_eq!(
                parse(&text).map(|full| full.to_string()).as_deref(),
                Some("3fa9c2d1/t12")
            );
        }
        for other in [
            "",
            "[Summarized, ref `t1`",
            "[Summarized, ref `t1`. Original kept: é left out. Get it: /t1",
        ] {
            assert_eq!(parse(other), None, "{other}");
        }
        assert!(is_foreign("<persisted-output>\nOutput too large"));
        assert!(!is_foreign("a <persisted-output>"));
    }

    #[test]
    fn the_shape_and_the_cache_marker_survive() {
        // F22, F24.
        let check = |content: &str, expected: &str| {
            assert_eq!(encode("s\n", &decode_content(Some(content))), expected);
        };
        check(r#""long""#, r#""s\n""#);
        check(
            r#"[{"type":"text","text":"x"}]"#,
            r#"[{"type":"text","text":"s\n"}]"#,
        );
        check(
            r#"[{"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"1h"}}]"#,
            r#"[{"type":"text","text":"s\n","cache_control":{"type":"ephemeral","ttl":"1h"}}]"#,
        );
    }
}
