//! Refs of a summary: how they are made, written under the summary and read back.

use serde_json::Value;

use crate::call::{CapturedCall, SummaryRef};
use crate::id::ShortRef;
use crate::occurrence::timestamp_of;

/// Makes the refs of some calls in order, the first of them `first`. Also returns the ref after
/// the last.
pub fn build_refs(first: ShortRef, calls: &[CapturedCall]) -> (Vec<SummaryRef>, ShortRef) {
    let mut next = first;
    let refs = calls.iter().map(|call| {
        let short = next;
        next = next.next();
        SummaryRef::new(short, call)
    });
    (refs.collect(), next)
}

/// Formats the lines under a summary that name its refs, condense specification 6.3.
pub fn format_footer(refs: &[SummaryRef]) -> String {
    let names: Vec<String> = refs.iter().map(|r| format!("`{}`", r.short)).collect();
    format!(
        "\n\n---\n**Summarized tool refs**: {}\nUse `context_tree_query` with these refs to \
         retrieve the original full outputs.",
        names.join(", ")
    )
}

/// Reads the refs from the details of a stored summary, condense specification 1.7.
///
/// Takes any value; what is no ref is left out. Details of old logs only list ids, which then are
/// their own refs.
pub fn normalize_refs(details: &Value) -> Vec<SummaryRef> {
    if let Some(refs) = details.get("toolCallRefs").and_then(Value::as_array) {
        return refs.iter().filter_map(ref_of).collect();
    }
    let ids = details.get("toolCallIds").and_then(Value::as_array);
    ids.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(|id| SummaryRef {
            short: id.to_owned(),
            call_id: id.to_owned(),
            timestamp: None,
        })
        .collect()
}

fn ref_of(value: &Value) -> Option<SummaryRef> {
    Some(SummaryRef {
        short: value.get("shortId")?.as_str()?.to_owned(),
        call_id: value.get("toolCallId")?.as_str()?.to_owned(),
        timestamp: timestamp_of(value.get("resultTimestamp")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call(id: &str, timestamp: Option<i64>) -> CapturedCall {
        CapturedCall {
            id: id.to_owned(),
            timestamp,
            ..CapturedCall::default()
        }
    }

    fn summary_ref(short: &str, call_id: &str, timestamp: Option<i64>) -> SummaryRef {
        SummaryRef {
            short: short.to_owned(),
            call_id: call_id.to_owned(),
            timestamp,
        }
    }

    #[test]
    fn refs_are_numbered_in_order() {
        let first = "t5".parse().unwrap();
        let (refs, next) = build_refs(first, &[call("a", Some(10)), call("b", None)]);
        let expected = [
            summary_ref("t5", "a", Some(10)),
            summary_ref("t6", "b", None),
        ];
        assert_eq!(refs, expected); // 470, 471
        assert_eq!(next.number(), 7); // 470
    }

    #[test]
    fn footer_shows_the_same_refs_as_the_body() {
        let (refs, _) = build_refs(ShortRef::FIRST, &[call("a", None), call("b", None)]);
        let short: Vec<&str> = refs.iter().map(|r| r.short.as_str()).collect();
        let text = "- [[1:read]] a\n- [[2:bash]] b";
        let body = crate::label::substitute_labels(text, &short, &["read", "bash"]).text;
        assert_eq!(
            body + &format_footer(&refs),
            "- `t1` a\n- `t2` b\n\n---\n**Summarized tool refs**: `t1`, `t2`\nUse \
             `context_tree_query` with these refs to retrieve the original full outputs."
        ); // 469
    }

    #[test]
    fn details_are_read_leniently() {
        let check =
            |details, expected: &[SummaryRef]| assert_eq!(normalize_refs(&details), expected);
        let item =
            |timestamp| json!({"shortId": "t1", "toolCallId": "a", "resultTimestamp": timestamp});
        check(
            json!({"toolCallRefs": [item(json!(5))]}),
            &[summary_ref("t1", "a", Some(5))],
        ); // 472
        check(
            json!({"toolCallRefs": [item(json!("5"))]}),
            &[summary_ref("t1", "a", None)],
        ); // 473
        check(
            json!({"toolCallRefs": [item(json!(null))]}),
            &[summary_ref("t1", "a", None)],
        ); // 473
        check(
            json!({"toolCallIds": ["a", 3, null]}),
            &[summary_ref("a", "a", None)],
        ); // 474
        check(
            json!({"toolCallRefs": null, "toolCallIds": ["a"]}),
            &[summary_ref("a", "a", None)],
        ); // 474
        check(json!({"toolCallRefs": [], "toolCallIds": ["a"]}), &[]);
        check(
            json!({"toolCallRefs": [null, 7, {"shortId": "t1"}, {"shortId": 3, "toolCallId": "x"}]}),
            &[],
        );
        check(json!({"toolCallRefs": "no"}), &[]);
        check(json!({}), &[]);
        check(json!([1]), &[]);
        check(json!("x"), &[]);
        check(json!(null), &[]);
    }
}
