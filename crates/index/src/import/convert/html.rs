//! HTML pages, kept as Markdown.

use encoding_rs::Encoding;
use epitome_core::chunk::Markup;
use htmd::HtmlToMarkdown;

use super::super::decode::decode;
use super::super::{Notice, SkipReason};
use super::{Converted, Converter};

/// Pages whose elements are nested deeper are stripped of their tags instead: readers of HTML walk
/// it by recursion.
const DEEPEST: usize = 400;

/// HTML.
pub(super) struct Html;

impl Converter for Html {
    fn kind(&self) -> &'static str {
        "html"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["html", "htm", "xhtml"]
    }

    fn convert(&self, bytes: Vec<u8>) -> Result<Converted, SkipReason> {
        let declared = declared_encoding(&bytes);
        let mut decoded = decode(bytes, declared)?;
        let title = title(&decoded.text);
        let text = if depth(&decoded.text) > DEEPEST {
            decoded.notices.push(Notice::StructureDropped);
            without_tags(&decoded.text)
        } else {
            HtmlToMarkdown::builder()
                .skip_tags(vec![
                    "head", "script", "style", "noscript", "template", "svg", "iframe",
                ])
                .build()
                .convert(&decoded.text)
                .map_err(|error| SkipReason::Damaged(error.to_string()))?
        };
        Ok(Converted {
            text,
            markup: Markup::Markdown,
            title,
            date: None,
            notices: decoded.notices,
        })
    }
}

/// The encoding in a `charset=` near the start.
fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    const SIGN: &[u8] = b"charset=";
    let head = &bytes[..bytes.len().min(1024)];
    let at = head
        .windows(SIGN.len())
        .position(|window| window.eq_ignore_ascii_case(SIGN))?;
    let label = head[at + SIGN.len()..].trim_ascii_start();
    let label = label
        .strip_prefix(b"\"")
        .or(label.strip_prefix(b"'"))
        .unwrap_or(label);
    let ends = |byte: &u8| matches!(byte, b'"' | b'\'' | b';' | b'>' | b'/' | b' ');
    let end = label.iter().position(ends).unwrap_or(label.len());
    Encoding::for_label(&label[..end])
}

/// The text of the `title` element.
fn title(html: &str) -> Option<String> {
    let tag = Tags { html, at: 0 }.find(|tag| tag.is("title"))?;
    let rest = &html[tag.end..];
    let content = &rest[..rest.find('<')?];
    let text = htmd::convert(content).ok()?;
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Upper bound of how deep elements are nested. Elements that need no end tag are not counted.
fn depth(html: &str) -> usize {
    const OPEN_ENDED: [&str; 29] = [
        "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "optgroup",
        "rt", "rp", "br", "hr", "img", "input", "meta", "link", "area", "base", "col", "embed",
        "source", "track", "wbr", "param", "colgroup",
    ];
    let (mut now, mut deepest) = (0_usize, 0);
    for tag in (Tags { html, at: 0 }) {
        if OPEN_ENDED.iter().any(|name| tag.is(name)) || tag.closes_itself {
            continue;
        }
        if tag.is_end {
            now = now.saturating_sub(1);
        } else {
            now += 1;
            deepest = deepest.max(now);
        }
    }
    deepest
}

/// The text between tags, a line for each stretch; scripts and styles are left out.
fn without_tags(html: &str) -> String {
    let (mut text, mut from, mut hidden) = (String::new(), 0, false);
    for tag in (Tags { html, at: 0 }) {
        if !hidden {
            push_line(&mut text, &html[from..tag.start]);
        }
        if tag.is("script") || tag.is("style") {
            hidden = !tag.is_end;
        }
        from = tag.end;
    }
    if !hidden {
        push_line(&mut text, &html[from..]);
    }
    text
}

fn push_line(text: &mut String, stretch: &str) {
    let stretch = stretch.trim();
    if !stretch.is_empty() {
        text.push_str(stretch);
        text.push('\n');
    }
}

/// A tag in a page.
struct Tag<'a> {
    name: &'a str,
    is_end: bool,
    closes_itself: bool,
    start: usize,
    end: usize,
}

impl Tag<'_> {
    fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

/// Iterates over what looks like tags.
struct Tags<'a> {
    html: &'a str,
    at: usize,
}

impl<'a> Iterator for Tags<'a> {
    type Item = Tag<'a>;

    fn next(&mut self) -> Option<Tag<'a>> {
        loop {
            let start = self.at + self.html[self.at..].find('<')?;
            let inner = &self.html[start + 1..];
            let is_end = inner.starts_with('/');
            let name = &inner[usize::from(is_end)..];
            let length = name
                .find(|c: char| !c.is_ascii_alphanumeric())
                .unwrap_or(name.len());
            if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
                self.at = start + 1;
                continue;
            }
            let end = start + 2 + inner.find('>')?;
            self.at = end;
            return Some(Tag {
                name: &name[..length],
                is_end,
                closes_itself: self.html[..end].ends_with("/>"),
                start,
                end,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convert(html: &str) -> Converted {
        Html.convert(html.as_bytes().to_vec()).unwrap()
    }

    #[test]
    fn pages_become_markdown() {
        let check = |html: &str, expected: &str| assert_eq!(convert(html).text, expected, "{html}");
        check(
            "<h1>Ship</h1><p>Oak &amp; <b>iron</b>.</p>",
            "# Ship\n\nOak & **iron**.",
        );
        check("<script>no()</script><style>p{}</style><p>yes</p>", "yes");
        check("<head><title>T</title></head><body>b</body>", "b");
        check("</document>text", "text");
        check("a < b", "a < b");
        check("", "");
    }

    #[test]
    fn titles_and_encodings_come_from_the_page() {
        let title = |html: &str| convert(html).title;
        assert_eq!(
            title("<TITLE>\n A &amp;\n B </TITLE>").as_deref(),
            Some("A & B")
        );
        assert_eq!(title("<title></title>"), None);
        assert_eq!(title("<title>open"), None);
        let page = b"<meta charset=\"iso-8859-2\"><p>\xA3\xF3d\xBC</p>".to_vec();
        assert_eq!(Html.convert(page).unwrap().text, "Łódź");
    }

    #[test]
    fn deep_nesting_costs_the_structure_only() {
        let deep = format!(
            "{}deep<script>no</script>{}",
            "<div>".repeat(50_000),
            "</div>".repeat(50_000)
        );
        let converted = convert(&deep);
        assert_eq!(converted.text, "deep\n");
        assert_eq!(converted.notices, [Notice::StructureDropped]);
        let open = "<p>text ".repeat(5000);
        assert_eq!(convert(&open).notices, []);
        let most = format!("{}deep", "<blockquote>".repeat(DEEPEST));
        assert!(convert(&most).text.contains("deep"));
    }
}
