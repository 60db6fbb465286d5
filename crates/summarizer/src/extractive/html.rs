//! Pages: title, headings and the first sentences, without scripts and styles.

use super::findings::Findings;

/// Most bytes of a page that are read.
const READ: usize = 256 * 1024;

/// Reads a page.
pub(super) fn read(text: &str, findings: &mut Findings<'_>) {
    let end = (0..=READ.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    let mut rest = &text[..end];
    let mut block = String::new();
    let mut titles = Vec::new();
    let mut paragraphs = Vec::new();
    let mut inside = "";
    while let Some(open) = rest.find('<') {
        block.push_str(&rest[..open]);
        rest = &rest[open + 1..];
        if let Some(after) = rest.strip_prefix("!--") {
            rest = after.find("-->").map_or("", |at| &after[at + 3..]);
            continue;
        }
        let close = rest.find('>').map_or(rest.len(), |at| at + 1);
        let tag = &rest[..close];
        rest = &rest[close..];
        let name = tag_name(tag);
        if matches!(name.as_str(), "script" | "style" | "svg" | "noscript") {
            rest = skip_element(rest, &name);
            continue;
        }
        if is_inline(name.trim_start_matches('/')) {
            continue;
        }
        let done = decode(&std::mem::take(&mut block));
        if done.chars().any(char::is_alphanumeric) {
            match inside {
                "title" => titles.insert(0, done),
                "h" => titles.push(done),
                _ if done.len() > 40 => paragraphs.push(done),
                _ => {}
            }
        }
        inside = match name.as_str() {
            "title" => "title",
            "h1" | "h2" | "h3" => "h",
            _ => "",
        };
        if titles.len() > 20 && paragraphs.len() > 3 {
            break;
        }
    }
    findings.state(format!("page of {} bytes", text.len()));
    for title in titles.into_iter().take(8) {
        findings.quote(title, 90);
    }
    for paragraph in paragraphs.into_iter().take(2) {
        findings.quote(paragraph, 140);
    }
}

/// The name in a tag, with its slash when it closes an element.
fn tag_name(tag: &str) -> String {
    let slash = usize::from(tag.starts_with('/'));
    let letters = tag[slash..]
        .bytes()
        .take_while(u8::is_ascii_alphanumeric)
        .count();
    tag[..slash + letters].to_ascii_lowercase()
}

/// What follows the end of an element whose content is no text.
fn skip_element<'a>(rest: &'a str, name: &str) -> &'a str {
    let close = format!("</{name}");
    let bytes = rest.as_bytes();
    let found = memchr::memmem::find_iter(bytes, b"</").find(|at| {
        bytes
            .get(*at..at + close.len())
            .is_some_and(|tag| tag.eq_ignore_ascii_case(close.as_bytes()))
    });
    let Some(at) = found else {
        return "";
    };
    rest[at..].find('>').map_or("", |end| &rest[at + end + 1..])
}

fn is_inline(name: &str) -> bool {
    matches!(
        name,
        "a" | "b"
            | "i"
            | "em"
            | "strong"
            | "code"
            | "span"
            | "small"
            | "br"
            | "u"
            | "sup"
            | "sub"
            | "mark"
            | "abbr"
    )
}

/// Replaces the named characters that text most often holds.
fn decode(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let named = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ];
    named
        .into_iter()
        .fold(text.to_owned(), |text, (name, sign)| {
            text.replace(name, sign)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_keep_title_headings_and_text() {
        let page = "<!doctype html><html><head><title>Guide &amp; notes</title><style>h1{}</style>\
            <SCRIPT>let x = '<h1>no</h1>';</SCRIPT></head><body><h1>Set <b>up</b></h1>\
            <p>This paragraph is long enough to be quoted as a first sentence.</p><!-- no --></body>";
        let mut findings = Findings::default();
        read(page, &mut findings);
        assert_eq!(
            findings.quotes,
            [
                "Guide & notes",
                "Set up",
                "This paragraph is long enough to be quoted as a first sentence."
            ]
        );
    }

    #[test]
    fn broken_pages_do_no_harm() {
        for page in [
            "<",
            "<html",
            "<script>",
            "<html><!--",
            "<é>",
            "</",
            "<html><p>ä</p",
        ] {
            read(page, &mut Findings::default());
        }
    }
}
