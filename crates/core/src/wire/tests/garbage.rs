//! Whatever stands in a file, reading it never panics, and what is found lies inside the file.

use proptest::prelude::*;
use serde_json::json;

use super::*;

/// Pieces of lines, so that broken structures are hit often.
fn piece() -> impl Strategy<Value = String> {
    let fixed = |text: &str| Just(text.to_owned());
    prop_oneof![
        "\\PC{0,6}",
        Just(json!({"type": "session", "id": "s", "version": 3}).to_string()),
        fixed(
            r#"{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","message":{"content":"x"}}"#
        ),
        fixed(
            r#"{"type":"assistant","uuid":"b","parentUuid":"b","message":{"id":"m","content":[{"type":"tool_use","id":"x"},{"type":"thinking"}]}}"#
        ),
        fixed(
            r#"{"type":"user","uuid":"c","parentUuid":"b","toolUseResult":[],"message":{"content":[{"type":"tool_result","tool_use_id":"x","content":7}]}}"#
        ),
        fixed(r#"{"type":"last-prompt","leafUuid":"b","explicit":true}"#),
        fixed(r#"{"type":"system","subtype":"compact_boundary","uuid":"d","parentUuid":"c"}"#),
        fixed(
            r#"{"type":"message","id":"1","parentId":"1","message":{"role":"assistant","content":[{"type":"toolCall","id":"x"}]}}"#
        ),
        fixed(
            r#"{"type":"message","id":"2","parentId":"1","message":{"role":"toolResult","toolCallId":"x","content":["\ud800"]}}"#
        ),
        fixed(
            r#"{"type":"compaction","id":"3","parentId":"2","firstKeptEntryIndex":-1,"retainedTail":[{},{"role":7}]}"#
        ),
        fixed(r#"{"type":7,"id":[],"message":{"role":{},"content":{}}}"#),
        fixed("\n"),
        fixed("\r\n"),
        fixed("\u{feff}"),
        fixed("{\"a\":"),
    ]
}

fn inside(source: &[u8]) -> Result<(), TestCaseError> {
    let Ok(transcript) = read(source) else {
        return Ok(());
    };
    let results = transcript.calls.iter().flat_map(|call| &call.results);
    let spans = results
        .flat_map(|result| [result.content.clone(), result.details.clone()])
        .flatten()
        .chain(
            transcript
                .calls
                .iter()
                .filter_map(|call| call.input.clone()),
        )
        .chain(transcript.session_ids);
    for span in spans {
        let raw = source
            .get(span.clone())
            .and_then(|raw| std::str::from_utf8(raw).ok());
        prop_assert!(
            raw.is_some_and(|raw| serde_json::from_str::<serde::de::IgnoredAny>(raw).is_ok())
        );
    }
    let messages = transcript.context.iter().chain(&transcript.history);
    for &call in messages.flat_map(|message| &message.calls) {
        prop_assert!(call < transcript.calls.len());
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_a_panic(source in any::<Vec<u8>>()) {
        inside(&source)?;
    }

    #[test]
    fn broken_sessions_are_read_without_a_panic(
        pieces in prop::collection::vec((piece(), any::<bool>()), 0..12),
        cut in any::<prop::sample::Index>(),
    ) {
        let lines = pieces.iter().map(|(piece, ends)| format!("{piece}{}", if *ends { "\n" } else { "" }));
        let source = lines.collect::<String>().into_bytes();
        inside(&source)?;
        inside(&source[..cut.index(source.len() + 1)])?;
    }

    #[test]
    fn sessions_of_both_formats_are_read_without_a_panic(
        pieces in prop::collection::vec(piece(), 0..12),
        order in any::<prop::sample::Index>(),
    ) {
        for header in [piece_of_pi(), piece_of_claude_code()] {
            let mut lines = pieces.clone();
            lines.rotate_left(order.index(pieces.len().max(1)).min(pieces.len()));
            lines.insert(0, header);
            inside(lines.join("\n").as_bytes())?;
        }
    }
}

fn piece_of_pi() -> String {
    json!({"type": "session", "id": "s", "version": 3}).to_string()
}

fn piece_of_claude_code() -> String {
    json!({"type": "user", "uuid": "z", "parentUuid": "q", "message": {"content": "x"}}).to_string()
}

#[test]
fn deep_nesting_is_no_recursion() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let line = format!(
        r#"{{"type":"assistant","uuid":"b","sessionId":"s","message":{{"content":[{{"type":"tool_use","id":"x","name":"t","input":{deep}}}]}}}}"#
    );
    assert_eq!(view(&line), "a:(x#1=-) | ");
}
