//! Occurrence keys as text, `id@timestamp`: for display and for logs of the reference system.
//!
//! Inside epitome the identity of a call is [`CallKey`](crate::id::CallKey).

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use crate::call::{CapturedCall, SummaryRef};

/// A provider's id together with the time of the result, condense specification 1.6.
///
/// Every text is a key: one without a well-formed time is a bare id.
///
/// ```
/// use epitome_core::occurrence::OccurrenceKey;
/// let key: OccurrenceKey = "bash_23@1150".parse()?;
/// assert_eq!((key.id.as_str(), key.timestamp), ("bash_23", Some(1150)));
/// # Ok::<(), std::convert::Infallible>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OccurrenceKey {
    /// Id that the provider issued.
    pub id: String,
    /// Time of the result in milliseconds since the epoch, where known.
    pub timestamp: Option<i64>,
}

impl OccurrenceKey {
    /// Makes the key of a captured call.
    pub fn of_call(call: &CapturedCall) -> Self {
        Self {
            id: call.id.clone(),
            timestamp: call.timestamp,
        }
    }

    /// Makes the key of a ref.
    pub fn of_ref(summary_ref: &SummaryRef) -> Self {
        Self {
            id: summary_ref.call_id.clone(),
            timestamp: summary_ref.timestamp,
        }
    }
}

impl fmt::Display for OccurrenceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)?;
        match self.timestamp {
            Some(timestamp) => write!(f, "@{timestamp}"),
            None => Ok(()),
        }
    }
}

impl FromStr for OccurrenceKey {
    type Err = Infallible;

    /// Splits at the last `@` if something stands before it and only ASCII digits behind it.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        let timed = text
            .rsplit_once('@')
            .filter(|(id, digits)| !id.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
            .and_then(|(id, digits)| Some((id, digits.parse().ok()?)));
        Ok(match timed {
            Some((id, timestamp)) => Self {
                id: id.to_owned(),
                timestamp: Some(timestamp),
            },
            None => Self {
                id: text.to_owned(),
                timestamp: None,
            },
        })
    }
}

/// Reads a time in milliseconds from a JSON value: a number is a time, anything else is none.
///
/// A fraction is cut off.
pub fn timestamp_of(value: Option<&Value>) -> Option<i64> {
    let value = value?;
    value
        .as_i64()
        .or_else(|| value.as_f64().map(|number| number as i64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn key(id: &str, timestamp: Option<i64>) -> OccurrenceKey {
        OccurrenceKey {
            id: id.to_owned(),
            timestamp,
        }
    }

    #[test]
    fn formats_with_and_without_a_time() {
        assert_eq!(key("bash_23", Some(1150)).to_string(), "bash_23@1150"); // 282
        assert_eq!(key("bash_23", None).to_string(), "bash_23"); // 283
        assert_eq!(key("a", Some(-5)).to_string(), "a@-5");
    }

    #[test]
    fn parses_any_text() {
        let check = |text: &str, id, timestamp| assert_eq!(text.parse(), Ok(key(id, timestamp)));
        check("bash_23@1150", "bash_23", Some(1150)); // 284
        check("bash_23", "bash_23", None); // 285
        check("a@b", "a@b", None); // 286
        check("a@-5", "a@-5", None); // 286
        check("a@5", "a", Some(5)); // 287
        check("a@b@5", "a@b", Some(5)); // 287
        check("call@1150", "call", Some(1150)); // 288
        check("@5", "@5", None);
        check("a@", "a@", None);
        check("a@007", "a", Some(7));
        check("a@99999999999999999999", "a@99999999999999999999", None);
    }

    #[test]
    fn only_numbers_are_times() {
        assert_eq!(timestamp_of(Some(&json!(1150))), Some(1150)); // 289
        assert_eq!(timestamp_of(None), None); // 290
        assert_eq!(timestamp_of(Some(&json!("1150"))), None); // 291
        assert_eq!(timestamp_of(Some(&json!(null))), None); // 292
        // 293: JSON has no NaN, so a time is always a number that counts.
        assert_eq!(timestamp_of(Some(&json!(1e300))), Some(i64::MAX));
        assert_eq!(timestamp_of(Some(&json!(1150.9))), Some(1150));
    }

    proptest! {
        #[test]
        fn keys_with_a_time_round_trip(id in ".+", timestamp in 0i64..) {
            let key = key(&id, Some(timestamp));
            prop_assert_eq!(key.to_string().parse(), Ok(key)); // 284
        }
    }
}
