use super::*;
use proptest::prelude::*;

fn head(text: &str, lines: usize, bytes: usize) -> (&str, Option<CutBy>, usize, usize) {
    let head = truncate_head(text, Limits { lines, bytes });
    (head.content, head.cut_by, head.lines, head.total_lines)
}

#[test]
fn heads_are_whole_lines() {
    use CutBy::{Bytes, Lines};
    assert_eq!(head("", 1, 1), ("", None, 0, 0));
    assert_eq!(head("a\nb\n", 2, 4), ("a\nb\n", None, 2, 2));
    assert_eq!(head("a\nb\nc", 2, 99), ("a\nb", Some(Lines), 2, 3));
    assert_eq!(head("aa\nbb\ncc", 9, 6), ("aa\nbb", Some(Bytes), 2, 3));
    assert_eq!(head("aa\nbb\n", 9, 5), ("aa\nbb", Some(Lines), 2, 2));
    assert_eq!(head("long\nb", 9, 3), ("", Some(Bytes), 0, 2));
    assert_eq!(head("\n\n\n", 2, 99), ("\n", Some(Lines), 2, 3));
    assert_eq!(head("\n\n\n", 1, 99), ("", Some(Lines), 1, 3));
    assert_eq!(head("a\r\nb\r\n", 9, 5), ("a\r\nb\r", Some(Lines), 2, 2));
    assert_eq!(head("a\u{2028}b", 1, 99), ("a\u{2028}b", None, 1, 1));
    assert_eq!(head("漢\n字", 9, 4), ("漢", Some(Bytes), 1, 2));
}

fn position(line: usize, byte: usize) -> Position {
    Position { line, byte }
}

#[test]
fn pages_follow_each_other() {
    let check = |text, from, lines, bytes, content, next| {
        let page = read_page(text, from, Limits { lines, bytes });
        assert_eq!(
            (page.content, page.next),
            (content, next),
            "{text:?} {from:?}"
        );
    };
    check(
        "a\nb\nc\n",
        position(1, 0),
        2,
        99,
        "a\nb",
        Some(position(3, 0)),
    );
    check("a\nb\nc\n", position(3, 0), 2, 99, "c\n", None);
    check("a\nb\nc\n", position(4, 0), 2, 99, "", None);
    check("a\nb\nc\n", position(9, 5), 2, 99, "", None);
    check("a", position(0, 0), 2, 99, "a", None);
    check(
        "abcdef\ng",
        position(1, 0),
        9,
        4,
        "abcd",
        Some(position(1, 4)),
    );
    check("abcdef\ng", position(1, 4), 9, 4, "ef\ng", None);
    check(
        "abcdef\ng",
        position(1, 4),
        1,
        4,
        "ef",
        Some(position(2, 0)),
    );
    check("漢字\n", position(1, 0), 9, 4, "漢", Some(position(1, 3)));
    check("漢字\n", position(1, 4), 9, 4, "字\n", None);
    check("漢字", position(1, 0), 9, 0, "漢", Some(position(1, 3)));
    check("aa\n", position(1, 0), 1, 2, "aa\n", None);
    check("\n\n", position(1, 0), 1, 9, "", Some(position(2, 0)));
}

#[test]
fn lines_are_selected_with_their_ends() {
    let check =
        |first, last, expected| assert_eq!(select_lines("a\nb\r\nc\n", first, last), expected);
    check(1, 1, "a\n");
    check(2, 3, "b\r\nc\n");
    check(0, 2, "a\nb\r\n");
    check(2, usize::MAX, "b\r\nc\n");
    check(3, 2, "");
    check(4, 9, "");
    check(0, 0, "");
}

proptest! {
    #[test]
    fn heads_fit_and_end_at_a_line(text in "[a漢\r\n]{0,30}", lines in 1usize..6, bytes in 0usize..20) {
        let head = truncate_head(&text, Limits { lines, bytes });
        prop_assert!(text.starts_with(head.content) && head.content.len() <= bytes);
        prop_assert!(head.lines <= lines && head.lines <= head.total_lines);
        let rest = &text[head.content.len()..];
        prop_assert!(head.lines == 0 || rest.is_empty() || rest.starts_with('\n'));
        prop_assert_eq!(head.cut_by.is_none(), rest.is_empty());
    }

    #[test]
    fn pages_put_together_are_the_text(text in "([a漢\n]|[a漢]{9}){0,20}", lines in 1usize..4, bytes in 0usize..12) {
        let mut whole = String::new();
        let mut next = Some(Position::START);
        while let Some(from) = next {
            if from > Position::START && from.byte == 0 {
                whole.push('\n');
            }
            let page = read_page(&text, from, Limits { lines, bytes });
            prop_assert_eq!(page.start, from);
            prop_assert!(page.next.is_none_or(|next| next > from));
            whole.push_str(page.content);
            next = page.next;
        }
        prop_assert_eq!(whole, text);
    }

    #[test]
    fn any_place_is_safe(text in any::<String>(), line in 0usize..5, byte in 0usize..20, bytes in 0usize..9) {
        let page = read_page(&text, Position { line, byte }, Limits { lines: 2, bytes });
        prop_assert!(text.contains(page.content));
        prop_assert!(text.contains(select_lines(&text, line, byte)));
    }
}
