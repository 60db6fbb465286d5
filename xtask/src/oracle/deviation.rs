//! Where we answer otherwise than the reference system on purpose.

use serde_json::Value;

use super::calls::{call_of, protection_of};
use super::same;

/// One deliberate difference.
struct Deviation {
    function: &'static str,
    reason: &'static str,
    /// Whether nothing but this deviation tells our answer from the wanted one, given the
    /// arguments, our answer and the wanted one.
    explains: fn(&Value, &Value, &Value) -> bool,
}

const DEVIATIONS: [Deviation; 2] = [
    // Condense specification 0.3: the reference prints numbers anew and loses what their spelling
    // says, digits of large integers among it.
    Deviation {
        function: "serializeBatchForSummarizer",
        reason: "numbers in arguments stand as in the source (condense 0.3)",
        explains: |_, found, expected| differ_in_number_spelling(found, expected),
    },
    // Condense specification 1.1 and 2.4: the reference captures the arguments that a call keeps
    // under `args`, but does not look there for a protected path.
    Deviation {
        function: "captureUnindexedBatchesFromSession",
        reason: "a path in `args` protects its call too (condense 1.1, 2.4)",
        explains: |args, found, expected| same(found, &without_protected(args, expected)),
    },
];

/// Why our answer differs on purpose; `None` where it is just wrong.
pub(super) fn reason(
    function: &str,
    args: &Value,
    found: &Value,
    expected: &Value,
) -> Option<&'static str> {
    DEVIATIONS
        .iter()
        .filter(|deviation| deviation.function == function)
        .find(|deviation| (deviation.explains)(args, found, expected))
        .map(|deviation| deviation.reason)
}

fn differ_in_number_spelling(found: &Value, expected: &Value) -> bool {
    let (Some(found), Some(expected)) = (found.as_str(), expected.as_str()) else {
        return false;
    };
    let found = found.split('\n');
    let expected = expected.split('\n');
    found.clone().count() == expected.clone().count()
        && found.zip(expected).all(|(found, expected)| {
            found == expected || number_of(found).is_some_and(|n| number_of(expected) == Some(n))
        })
}

/// What stands before the number of a line of pretty JSON, and the number.
fn number_of(line: &str) -> Option<(&str, f64)> {
    let value = line.strip_suffix(',').unwrap_or(line);
    let start = value.rfind(' ')? + 1;
    Some((&value[..start], value[start..].parse().ok()?))
}

/// The wanted batches without the calls that a path under any name protects.
fn without_protected(args: &Value, expected: &Value) -> Value {
    let protection = protection_of(&args["protection"]);
    let mut batches = expected.as_array().cloned().unwrap_or_default();
    for batch in &mut batches {
        if let Some(calls) = batch["toolCalls"].as_array_mut() {
            calls.retain(|call| {
                let call = call_of(call);
                !protection.protects(&call.tool, &call.args)
            });
        }
    }
    batches.retain(|batch| {
        batch["toolCalls"]
            .as_array()
            .is_some_and(|calls| !calls.is_empty())
    });
    batches.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_number_spelling_is_excused() {
        let check = |found: &str, expected: &str, same| {
            let (found, expected) = (json!(found), json!(expected));
            assert_eq!(
                differ_in_number_spelling(&found, &expected),
                same,
                "{found}"
            );
        };
        check(
            "{\n  \"a\": 1.0,\n  \"b\": 1e-6\n}",
            "{\n  \"a\": 1,\n  \"b\": 0.000001\n}",
            true,
        );
        check("  \"a\": 1.0", "  \"b\": 1", false);
        check("  \"a\": 1.0", "  \"a\": 2", false);
        check("a", "b", false);
        check("a\nb", "a", false);
    }

    #[test]
    fn other_functions_have_no_excuse() {
        assert_eq!(
            reason("globMatch", &json!({}), &json!(true), &json!(false)),
            None
        );
    }
}
