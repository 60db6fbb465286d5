//! Converters: what makes a text with structure of the bytes of a file.

mod html;
mod text;

use epitome_core::chunk::Markup;

use super::{Notice, SkipReason};
use html::Html;
use text::{Source, Text};

/// Makes a text of files of one kind.
pub trait Converter: Send + Sync {
    /// Name of the kind, as documents carry it.
    fn kind(&self) -> &'static str;

    /// Extensions of the kind, in lower case, without a dot.
    fn extensions(&self) -> &'static [&'static str];

    /// Converts the bytes of a file. An error is the reason why the file is skipped.
    fn convert(&self, bytes: Vec<u8>) -> Result<Converted, SkipReason>;
}

/// What a converter makes of a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Converted {
    /// The text that is kept, searched and shown.
    pub text: String,
    /// How its structure is marked.
    pub markup: Markup,
    /// The title that the file names apart from its headings.
    pub title: Option<String>,
    /// The ISO date that the file names.
    pub date: Option<String>,
    /// What had to be changed on the way.
    pub notices: Vec<Notice>,
}

/// Files that a converter is still to be written for.
struct Unsupported {
    kind: &'static str,
    extensions: &'static [&'static str],
}

impl Converter for Unsupported {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.extensions
    }

    fn convert(&self, _: Vec<u8>) -> Result<Converted, SkipReason> {
        Err(SkipReason::NoConverter(self.kind))
    }
}

const PLAIN: Text = Text {
    kind: "text",
    markup: Markup::Plain,
    extensions: &["txt", "text", "log"],
};

const CONVERTERS: [&dyn Converter; 10] = [
    &Text {
        kind: "markdown",
        markup: Markup::Markdown,
        extensions: &["md", "markdown", "mdx", "mdown", "mkd", "qmd", "rmd"],
    },
    &PLAIN,
    &Text {
        kind: "restructuredtext",
        markup: Markup::ReStructuredText,
        extensions: &["rst", "rest"],
    },
    &Text {
        kind: "asciidoc",
        markup: Markup::AsciiDoc,
        extensions: &["adoc", "asciidoc"],
    },
    &Text {
        kind: "org",
        markup: Markup::Org,
        extensions: &["org"],
    },
    &Html,
    &Source,
    &Unsupported {
        kind: "pdf",
        extensions: &["pdf"],
    },
    &Unsupported {
        kind: "docx",
        extensions: &["docx"],
    },
    &Unsupported {
        kind: "epub",
        extensions: &["epub"],
    },
];

/// The converter for a file of this name. A file without a known extension is plain text, unless
/// its bytes say otherwise.
pub(super) fn converter_of(path: &str) -> &'static dyn Converter {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => extension.to_lowercase(),
        _ => {
            return if text::is_source_name(name) {
                &Source
            } else {
                &PLAIN
            };
        }
    };
    CONVERTERS
        .into_iter()
        .find(|converter| converter.extensions().contains(&extension.as_str()))
        .unwrap_or(&PLAIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_choose_the_converter() {
        let check = |path: &str, kind: &str| assert_eq!(converter_of(path).kind(), kind, "{path}");
        check("a.md", "markdown");
        check("deep/A.MD", "markdown");
        check("a.b.rst", "restructuredtext");
        check("a.adoc", "asciidoc");
        check("a.org", "org");
        check("a.htm", "html");
        check("a.rs", "code");
        check("a.toml", "code");
        check("Makefile", "code");
        check("LICENSE", "text");
        check("a.unknown", "text");
        check(".md", "text");
        check("a.md/b", "text");
        check("a.pdf", "pdf");
        check("a.docx", "docx");
        check("a.epub", "epub");
    }
}
