use super::*;
use proptest::prelude::*;

const REFS: [&str; 3] = ["t1", "t2", "t12"];
const TOOLS: [&str; 3] = ["read", "bash", "web.fetch"];

fn substitute(text: &str) -> Substituted {
    substitute_labels(text, &REFS, &TOOLS)
}

#[test]
fn labels_become_refs_or_go() {
    let check = |input: &str, expected: &str| {
        assert_eq!(substitute(input).text, expected, "{input:?}");
    };
    check("- [[1:read]] Read a.ts", "- `t1` Read a.ts"); // 448
    check("- [[2:bash]] ran", "- `t2` ran"); // 448
    check("* [[3:web.fetch]] got", "* `t12` got"); // 449
    check("- [[1:ReAd]] x", "- `t1` x"); // 450
    check("- [[1:bash]] x", "- x"); // 451
    check("- [[4:read]] x", "- x"); // 452
    check("- plain", "- plain"); // 453
    check("- [[1:read]] a\n- [[1:read]] b", "- `t1` a\n- `t1` b"); // 454
    check("argv[1] items[0] m[[0]]", "argv[1] items[0] m[[0]]"); // 455
    check("see [[1:read]] there", "see there"); // 456
    check("```\n- [[1:read]] x\n```", "```\n- [[1:read]] x\n```"); // 457
    check("- **[[1:read]]** x", "- **** x"); // 458
    check("1. [[1:read]] did x", "1. did x"); // 459
    check("> [[1:read]] did x", "> did x"); // 460
    check("```\na [[1:read]] b\n```", "```\na [[1:read]] b\n```"); // 461
    check("- [[0:read]] x", "- x"); // 463
    check("", ""); // 464
    check("- [[1:read]]    x", "- `t1` x"); // 465
    check("[[1:read]]", "`t1` "); // 466
    check("[[3:web.fetch]] x", "`t12` x"); // 467
    check("[[3:web]] x", "x"); // 468
    check("[[01:read]] x", "`t1` x"); // 486
    check("[[1:read]] a [[2:bash]] b", "`t1` a b"); // 487
    check("\u{a0}-\u{a0}[[1:read]]\u{a0}x", "\u{a0}-\u{a0}`t1` x"); // 488
    check(
        "```[[1:read]]\n[[1:read]]\n```",
        "```[[1:read]]\n[[1:read]]\n```",
    ); // 489
    check("``` a\n```\n[[1:read]]", "``` a\n```\n`t1` "); // 489
    check("-[[1:read]] x", "-x");
    check("+ [[1:read]] x", "+ x");
    check("[[1: read ]] x", "`t1` x");
    check("[[99999999999999999999999:read]] x", "x");
}

#[test]
fn a_ref_survives_joining_summaries() {
    let summary = substitute("- [[1:read]] a").text;
    assert!(format!("{summary}\n\n{summary}").contains("`t1`")); // 462
}

#[test]
fn gaps_of_the_reference_are_closed() {
    let check = |input: &str, expected: &str| {
        assert_eq!(substitute(input).text, expected, "{input:?}");
    };
    // Deviation from 6.1: a fence that never closes shields nothing.
    check("```\n- [[1:read]] x\nsee [[2:bash]]", "```\n- `t1` x\nsee ");
    check("```[[1:read]]", "```");
    check(
        "```\na\n```\n``` [[9:x]]\n[[1:read]] b",
        "```\na\n```\n``` \n`t1` b",
    );
    // A fence of tildes never shielded anything.
    check("~~~\n[[9:x]] a\n~~~", "~~~\na\n~~~");
    check("[[ 1:read]] x", "x");
    check("[[1 :read]] x", "x");
    check("[[1:]] x", "x");
    check("- [[1:a]b]] x", "- x");
    check("[[1:2], [3:4]]", "[[1:2], [3:4]]");
    check("[[1:read]]\r\nx\r", "`t1` \r\nx\r");
    check("a [[1:read]]\r\nb", "a \r\nb");
    check("[[1[[2:a]]:read]] x", "[\\[1:read]] x");
}

#[test]
fn every_label_is_reported() {
    use LabelFate::{Mismatched, OutOfRange, Stray, Substituted};
    let fates = |input: &str| -> Vec<(usize, LabelFate)> {
        let labels = substitute(input).labels;
        labels
            .iter()
            .map(|label| (label.line, label.fate))
            .collect()
    };
    assert_eq!(fates("a\n- [[2:bash]] b"), [(1, Substituted(1))]);
    assert_eq!(fates("- [[2:read]] b"), [(0, Mismatched(1))]);
    assert_eq!(
        fates("- [[7:read]] b\n[[0:read]]"),
        [(0, OutOfRange), (1, OutOfRange)]
    );
    assert_eq!(fates("x [[1:read]]"), [(0, Stray)]);
    assert_eq!(fates("[[ 1:read]]"), [(0, Stray)]);
    assert_eq!(
        fates("[[1:read]] [[1:read]]"),
        [(0, Substituted(0)), (0, Stray)]
    );
    assert_eq!(fates("```\n[[1:read]]\n```"), []);
}

#[test]
fn a_ref_without_a_tool_name_is_out_of_range() {
    let done = substitute_labels("[[2:bash]] x", &REFS, &["read"]);
    assert_eq!(done.labels[0].fate, LabelFate::OutOfRange);
}

#[test]
fn lines_belong_to_the_open_call() {
    let check = |input: &str, owners: &[Option<usize>]| {
        assert_eq!(substitute(input).owners, owners, "{input:?}");
    };
    check("", &[None]);
    check(
        "intro\n[[1:read]] a\n  more\n- [[2:bash]] b",
        &[None, Some(0), Some(0), Some(1)],
    );
    check("[[1:read]] a\n[[1:bash]] b\nc", &[Some(0), None, None]);
    check("[[1:read]] a\n[[9:read]] b\nc", &[Some(0), None, None]);
    check("[[1:read]] a\nb [[2:bash]] c\nd", &[Some(0), None, None]);
    check("[[1:read]] a [[2:bash]] b\nc", &[Some(0), None]);
    check("[[1:read]] a\n```\n[[2:bash]]\n```\nb", &[Some(0); 5]);
    check("[[1:read]] a\n\n[[1:read]] b", &[Some(0); 3]);
}

#[test]
fn segments_collect_lines_per_call() {
    let text =
        "Intro.\n\n- [[2:bash]] b\n  more\n\n- [[1:read]] a\n- [[9:x]] c\n\n- [[2:bash]] d\n";
    let segments = substitute(text).segments(3);
    assert_eq!(
        segments.calls,
        ["- `t1` a", "- `t2` b\n  more\n\n- `t2` d", ""]
    );
    assert_eq!(segments.rest, "Intro.\n\n- c");
}

#[test]
fn hostile_text_is_broken_visibly() {
    let check = |input: &str, expected: &str| {
        assert_eq!(neutralize_labels(input), expected, "{input:?}");
    };
    check("", "");
    check(
        "plain [1] [[a]] --- \n----\n-- -",
        "plain [1] [[a]] --- \n----\n-- -",
    );
    check("[[1:read]] x [[2:bash]]", "[\\[1:read]] x [\\[2:bash]]");
    check("[[[1:read]]]", "[[\\[1:read]]]");
    check("[[ 1 : read", "[\\[ 1 : read");
    check("a\n---\nb", "a\n\\---\nb");
    check("  --- \r\nb\n---", "  \\--- \r\nb\n\\---");
}

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("[[1:read]]".to_owned()),
        Just("[[".to_owned()),
        Just("]]".to_owned()),
        Just("1:".to_owned()),
        Just("```".to_owned()),
        Just("\n".to_owned()),
        Just("---".to_owned()),
        "[- \r\t*\\[\\]1:a\u{a0}]{0,3}",
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_label_leaks_outside_closed_fences(text in hostile()) {
        let done = substitute(&text);
        prop_assert_eq!(done.text.split('\n').count(), done.owners.len());
        prop_assert_eq!(done.text.split('\n').count(), text.split('\n').count());
        let last = unclosed_fence(&done.text);
        let mut fenced = false;
        for (number, line) in done.text.split('\n').enumerate() {
            let fence = is_fence(line) && Some(number) != last;
            fenced ^= fence;
            prop_assert!(fence || fenced || find_token(line).is_none(), "{line:?} of {text:?}");
        }
    }

    #[test]
    fn text_without_label_like_parts_is_unchanged(text in any::<String>()) {
        prop_assume!(!contains_label(&text));
        let done = substitute(&text);
        prop_assert_eq!(done.text, text);
    }

    #[test]
    fn neutral_text_has_no_label_and_no_delimiter(text in hostile()) {
        let neutral = neutralize_labels(&text);
        for line in neutral.split('\n') {
            prop_assert!(!contains_label(line), "{line:?}");
            prop_assert!(trim(line) != "---");
        }
        prop_assert!(!contains_label(&neutral));
        prop_assert_eq!(substitute(&neutral).labels, []);
    }
}
