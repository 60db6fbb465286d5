//! When to try again, and after how long. Pure: the time comes in as a value.

use std::time::{Duration, SystemTime};

use super::Patience;

/// Whether a status means that the same request may succeed later.
pub(super) fn is_temporary(status: u16) -> bool {
    match status {
        408 | 425 | 429 => true,
        // Not implemented, and a version of HTTP that the server will not speak tomorrow either.
        501 | 505 => false,
        status => status >= 500,
    }
}

/// What a `Retry-After` asks for: seconds, or a date, which lies zero ahead when it is past.
pub(super) fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or(Duration::ZERO))
}

/// The pause after this many failed attempts; `None` where it is time to give up.
pub(super) fn next_pause(
    patience: &Patience,
    failed: u32,
    asked: Option<Duration>,
    passed: Duration,
) -> Option<Duration> {
    if failed >= patience.attempts {
        return None;
    }
    let doublings = failed.saturating_sub(1).min(16);
    let usual = patience
        .first_pause
        .saturating_mul(1 << doublings)
        .min(patience.longest_pause);
    let pause = asked.unwrap_or(usual);
    let is_bearable =
        pause <= patience.longest_pause && passed.saturating_add(pause) < patience.total;
    is_bearable.then_some(pause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_states_are_known() {
        let check = |status, expected| assert_eq!(is_temporary(status), expected, "{status}");
        check(400, false);
        check(401, false);
        check(404, false);
        check(408, true);
        check(413, false);
        check(429, true);
        check(500, true);
        check(501, false);
        check(503, true);
        check(529, true);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        let check = |value: &str, expected: Option<u64>| {
            assert_eq!(
                retry_after(value, now),
                expected.map(Duration::from_secs),
                "{value}"
            );
        };
        check("7", Some(7));
        check(" 0 ", Some(0));
        check("Sun, 06 Nov 1994 08:49:47 GMT", Some(10));
        check("Sun, 06 Nov 1994 08:49:07 GMT", Some(0));
        check("-3", None);
        check("1.5", None);
        check("soon", None);
        check("", None);
    }

    #[test]
    fn pauses_double_up_to_a_limit() {
        let patience = Patience {
            connect: Duration::ZERO,
            answer: Duration::ZERO,
            total: Duration::from_secs(100),
            attempts: 5,
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(5),
        };
        let check = |failed, asked: Option<u64>, passed, expected: Option<u64>| {
            assert_eq!(
                next_pause(
                    &patience,
                    failed,
                    asked.map(Duration::from_secs),
                    Duration::from_secs(passed)
                ),
                expected.map(Duration::from_secs),
                "{failed} {asked:?} {passed}"
            );
        };
        check(1, None, 0, Some(1));
        check(2, None, 0, Some(2));
        check(3, None, 0, Some(4));
        check(4, None, 0, Some(5));
        check(5, None, 0, None);
        check(1, Some(3), 0, Some(3));
        check(1, Some(0), 0, Some(0));
        check(1, Some(6), 0, None);
        check(1, None, 99, None);
        check(1, Some(u64::MAX), u64::MAX, None);
    }
}
