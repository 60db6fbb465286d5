//! Files that are text already.

use epitome_core::chunk::Markup;
use epitome_core::front_matter::{self, FrontMatter};
use epitome_core::time::{iso_milliseconds, iso_text};

use super::super::SkipReason;
use super::super::decode::decode;
use super::{Converted, Converter};

/// Texts with a markup of their own.
pub(super) struct Text {
    pub(super) kind: &'static str,
    pub(super) markup: Markup,
    pub(super) extensions: &'static [&'static str],
}

impl Converter for Text {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    fn convert(&self, bytes: Vec<u8>) -> Result<Converted, SkipReason> {
        let decoded = decode(bytes, None)?;
        let block = match self.markup {
            Markup::Markdown => front_matter::read(&decoded.text),
            _ => None,
        };
        let title = block.as_ref().and_then(|block| block.get("title"));
        Ok(Converted {
            title: title.map(str::to_owned),
            date: block.as_ref().and_then(date_of),
            markup: self.markup,
            notices: decoded.notices,
            text: decoded.text,
        })
    }
}

/// Source code and configuration.
pub(super) struct Source;

impl Converter for Source {
    fn kind(&self) -> &'static str {
        "code"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[
            "awk",
            "bash",
            "bat",
            "bib",
            "c",
            "cc",
            "cfg",
            "clj",
            "cljs",
            "cmake",
            "conf",
            "cpp",
            "cs",
            "css",
            "csv",
            "cxx",
            "dart",
            "diff",
            "dockerfile",
            "el",
            "elm",
            "erl",
            "ex",
            "exs",
            "fish",
            "fs",
            "gd",
            "go",
            "gradle",
            "graphql",
            "groovy",
            "h",
            "hcl",
            "hpp",
            "hs",
            "ini",
            "ipynb",
            "java",
            "jl",
            "js",
            "json",
            "json5",
            "jsonc",
            "jsonl",
            "jsx",
            "kt",
            "kts",
            "less",
            "lisp",
            "lua",
            "m",
            "mjs",
            "mk",
            "ml",
            "mli",
            "mm",
            "nim",
            "nix",
            "patch",
            "php",
            "pl",
            "pm",
            "properties",
            "proto",
            "ps1",
            "py",
            "pyi",
            "r",
            "rb",
            "rs",
            "sass",
            "scala",
            "scm",
            "scss",
            "sh",
            "sol",
            "sql",
            "svelte",
            "swift",
            "tcl",
            "tex",
            "tf",
            "toml",
            "ts",
            "tsv",
            "tsx",
            "vb",
            "vim",
            "vue",
            "xml",
            "yaml",
            "yml",
            "zig",
            "zsh",
        ]
    }

    fn convert(&self, bytes: Vec<u8>) -> Result<Converted, SkipReason> {
        let decoded = decode(bytes, None)?;
        Ok(Converted {
            text: decoded.text,
            markup: Markup::Code,
            title: None,
            date: None,
            notices: decoded.notices,
        })
    }
}

/// Whether a file without an extension is source code by its name.
pub(super) fn is_source_name(name: &str) -> bool {
    [
        "makefile",
        "dockerfile",
        "rakefile",
        "gemfile",
        "justfile",
        "jenkinsfile",
        "procfile",
    ]
    .iter()
    .any(|known| name.eq_ignore_ascii_case(known))
}

/// The date that front matter names, in the order of how well the field says when the text is from.
fn date_of(block: &FrontMatter<'_>) -> Option<String> {
    ["date", "updated", "lastmod", "modified", "created"]
        .iter()
        .find_map(|name| iso_date(block.get(name)?))
}

/// The day at the start of a text, `2025-10-29` or with other signs between; `None` for days that
/// are in no calendar.
pub(super) fn iso_date(text: &str) -> Option<String> {
    let day: String = text
        .chars()
        .take(10)
        .map(|c| if matches!(c, '/' | '.') { '-' } else { c })
        .collect();
    let alone = text
        .chars()
        .nth(10)
        .is_none_or(|next| !next.is_alphanumeric() || next == 'T');
    let milliseconds = iso_milliseconds(&day).filter(|_| alone)?;
    iso_text(milliseconds).starts_with(&day).then_some(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_strictly() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(iso_date(text).as_deref(), expected, "{text}");
        };
        check("2025-10-29", Some("2025-10-29"));
        check("2025-10-29T10:00:00Z", Some("2025-10-29"));
        check("2025-10-29 10:00", Some("2025-10-29"));
        check("2025/10/29", Some("2025-10-29"));
        check("2025.10.29", Some("2025-10-29"));
        check("2025-02-30", None);
        check("2025-1-9", None);
        check("2025-10-291", None);
        check("29.10.2025", None);
        check("yesterday", None);
        check("漢字", None);
        check("", None);
    }
}
