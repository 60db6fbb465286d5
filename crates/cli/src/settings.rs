//! Settings of the document tools: the environment over the usual values; flags go over both.

use epitome_retriever::tools::ToolSettings;

use crate::failure::{Failure, Result};

/// Documents that a question starts from, at least 1; usually 5.
const SUGGESTED_DOCS: &str = "EPITOME_SUGGESTED_DOCS";

/// Characters of a document's text that stand in for a summary that is missing; usually 400.
const SUGGESTION_PREVIEW_CHARS: &str = "EPITOME_SUGGESTION_PREVIEW_CHARS";

/// The settings of this process.
pub(crate) fn tool_settings() -> Result<ToolSettings> {
    read(|name| std::env::var(name).ok())
}

fn read(variable: impl Fn(&str) -> Option<String>) -> Result<ToolSettings> {
    let number = |name: &str, least: usize, usual: usize| match variable(name) {
        // Empty means unset.
        Some(text) if !text.trim().is_empty() => text
            .trim()
            .parse()
            .ok()
            .filter(|number| *number >= least)
            .ok_or_else(|| {
                Failure::usage(
                    format!("use {name}={text}"),
                    format!("It must be a whole number from {least} on; unset it for {usual}."),
                )
            }),
        _ => Ok(usual),
    };
    let usual = ToolSettings::USUAL;
    Ok(ToolSettings {
        suggested_docs: number(SUGGESTED_DOCS, 1, usual.suggested_docs)?,
        suggestion_preview_chars: number(
            SUGGESTION_PREVIEW_CHARS,
            0,
            usual.suggestion_preview_chars,
        )?,
        ..usual
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_numbers_within_their_bounds() {
        let check =
            |docs: Option<&str>, preview: Option<&str>, expected: Option<(usize, usize)>| {
                let settings = read(|name| {
                    let text = if name == SUGGESTED_DOCS {
                        docs
                    } else {
                        preview
                    };
                    text.map(str::to_owned)
                });
                let found = settings
                    .ok()
                    .map(|found| (found.suggested_docs, found.suggestion_preview_chars));
                assert_eq!(found, expected, "{docs:?} {preview:?}");
            };
        check(None, None, Some((5, 400)));
        check(Some("3"), Some("0"), Some((3, 0)));
        check(Some(""), Some(" 120 "), Some((5, 120)));
        check(Some("0"), None, None);
        check(Some("many"), None, None);
        check(None, Some("-1"), None);
    }
}
