//! What model families do with a history that changed.
//!
//! The one place that decides by model name. Source: wire specification 1.0, from the provider's
//! page on preserved thinking.

/// What a model does with thinking whose prefix changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ThinkingRule {
    /// Thinking stays valid when earlier messages change.
    Free,
    /// Each thinking block is tied to everything before it; after a change it is rejected.
    BoundToPrefix,
}

/// First version of each Claude family that ties thinking to its prefix.
const BOUND_SINCE: [(&str, (u32, u32)); 5] = [
    ("fable", (5, 1)),
    ("mythos", (5, 1)),
    ("opus", (5, 5)),
    ("sonnet", (5, 5)),
    ("haiku", (5, 5)),
];

/// The thinking rule of a model, by the name that sessions give it.
///
/// Names may carry a provider in front and a date or variant behind. Claude families that are not
/// in the table are newer than it, so their thinking counts as bound.
///
/// ```
/// use epitome_core::capability::{ThinkingRule, thinking_rule};
/// assert_eq!(thinking_rule("claude-opus-4-5-20251101"), ThinkingRule::Free);
/// assert_eq!(thinking_rule("claude-opus-5-5"), ThinkingRule::BoundToPrefix);
/// ```
pub fn thinking_rule(model: &str) -> ThinkingRule {
    let lower = model.to_ascii_lowercase();
    let Some((_, name)) = lower.split_once("claude-") else {
        return ThinkingRule::Free;
    };
    let parts: Vec<&str> = name.split(['-', '.', '@', ':', '/']).collect();
    let family = parts
        .iter()
        .find(|part| part.starts_with(|c: char| c.is_ascii_alphabetic()));
    let mut numbers = parts
        .iter()
        .filter_map(|part| part.parse().ok())
        .filter(|n| *n < 1000);
    let version: (u32, u32) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    let since = BOUND_SINCE.iter().find(|(known, _)| Some(known) == family);
    let bound = match since {
        Some((_, since)) => version >= *since,
        None => family.is_some_and(|family| *family != "instant") && version.0 >= 5,
    };
    if bound {
        ThinkingRule::BoundToPrefix
    } else {
        ThinkingRule::Free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_and_versions() {
        use ThinkingRule::{BoundToPrefix, Free};
        let check = |model: &str, rule| assert_eq!(thinking_rule(model), rule, "{model}");
        check("claude-opus-4-5-20251101", Free);
        check("claude-sonnet-4-20250514", Free);
        check("claude-3-7-sonnet-20250219", Free);
        check("claude-3-sonnet-20240229", Free);
        check("anthropic/claude-opus-4.8", Free);
        check("claude-opus-5", Free);
        check("claude-opus-5-20260301", Free);
        check("claude-opus-5-5", BoundToPrefix);
        check("claude-opus-5-5-20260901", BoundToPrefix);
        check(
            "us.anthropic.claude-sonnet-5-5-20260901-v1:0",
            BoundToPrefix,
        );
        check("claude-haiku-5.5", BoundToPrefix);
        check("claude-fable-5-1", BoundToPrefix);
        check("claude-fable-5", Free);
        check("claude-mythos-5.2", BoundToPrefix);
        check("claude-opus-6", BoundToPrefix);
        check("claude-saga-6-1", BoundToPrefix);
        check("gpt-5.6", Free);
        check("grok-4.3", Free);
        check("<synthetic>", Free);
    }
}
