//! From terms to expressions of the full-text engine. Any text is a valid term.

/// One OR of quoted terms; `None` when nothing is left to ask.
pub(super) fn any_of<'a>(terms: impl IntoIterator<Item = &'a String>) -> Option<String> {
    let quoted = terms.into_iter().filter_map(|term| quote(term));
    let joined = quoted.collect::<Vec<_>>().join(" OR ");
    (!joined.is_empty()).then_some(joined)
}

/// A term as a string of the engine's query language. The engine ends a query at NUL.
fn quote(term: &str) -> Option<String> {
    let term = term.replace('\0', " ");
    (!term.trim().is_empty()).then(|| format!("\"{}\"", term.replace('"', "\"\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_quoted() {
        let check = |terms: &[&str], expected: Option<&str>| {
            let terms: Vec<_> = terms.iter().map(ToString::to_string).collect();
            assert_eq!(any_of(&terms).as_deref(), expected);
        };
        check(&[], None);
        check(&["", " ", "\0"], None);
        check(&["plain"], Some(r#""plain""#));
        check(&[r#"say "no""#], Some(r#""say ""no""""#));
        check(&["a\0b"], Some(r#""a b""#));
        check(
            &["NEAR", "", "title : x*"],
            Some(r#""NEAR" OR "title : x*""#),
        );
    }
}
