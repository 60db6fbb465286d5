//! Times as sessions spell them.

/// Reads an ISO 8601 time as milliseconds since the epoch: `2025-10-29T10:36:07.123Z`.
///
/// The time of day, its seconds, their fraction and the zone may be absent; without a zone the
/// time is in UTC. Digits beyond the milliseconds are cut off. Anything else is `None`.
///
/// ```
/// use epitome_core::time::iso_milliseconds;
/// assert_eq!(iso_milliseconds("1970-01-01T02:00:01+02:00"), Some(1000));
/// ```
pub fn iso_milliseconds(text: &str) -> Option<i64> {
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let mut parts = date.split('-');
    let year = number(parts.next()?, 4)?;
    let month = number(parts.next()?, 2)?;
    let day = number(parts.next()?, 2)?;
    let real = parts.next().is_none() && (1..=12).contains(&month) && (1..=31).contains(&day);
    let of_day = time.map_or(Some(0), time_of_day)?;
    real.then(|| days_since_epoch(year, month, day) * 86_400_000 + of_day)
}

/// Milliseconds since midnight in UTC; below zero or above a day where the zone says so.
fn time_of_day(text: &str) -> Option<i64> {
    let (clock, offset) = match text.find(['Z', '+', '-']) {
        Some(at) => (&text[..at], zone_minutes(&text[at..])?),
        None => (text, 0),
    };
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let mut parts = clock.split(':');
    let hour = number(parts.next()?, 2)?;
    let minute = number(parts.next()?, 2)?;
    let second = parts.next().map_or(Some(0), |second| number(second, 2))?;
    let real = parts.next().is_none() && hour <= 24 && minute < 60 && second <= 60;
    let milliseconds = milliseconds_of(fraction)?;
    real.then(|| ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds)
}

fn milliseconds_of(fraction: &str) -> Option<i64> {
    let digits = fraction.get(..3).unwrap_or(fraction);
    let scale = 10i64.pow(3u32.saturating_sub(digits.len() as u32));
    let all_digits = fraction.bytes().all(|b| b.is_ascii_digit());
    all_digits
        .then(|| digits.parse::<i64>().ok())?
        .map(|n| n * scale)
}

/// Minutes east of UTC: `Z`, `+05:30`, `-0800`.
fn zone_minutes(zone: &str) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let (sign, rest) = zone.split_at_checked(1)?;
    let (hours, minutes) = match rest.split_once(':') {
        Some(parts) => parts,
        None => rest.split_at_checked(2)?,
    };
    let minutes = number(hours, 2)? * 60 + number(minutes, 2)?;
    Some(if sign == "-" { -minutes } else { minutes })
}

/// A number of exactly this many ASCII digits.
fn number(text: &str, digits: usize) -> Option<i64> {
    let right = text.len() == digits && text.bytes().all(|b| b.is_ascii_digit());
    right.then(|| text.parse().ok())?
}

/// Days from the epoch to a date. The year starts in March here, so that the leap day is its last.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + day_of_year - 719_468
}

/// Spells milliseconds since the epoch as an ISO 8601 time in UTC.
///
/// ```
/// use epitome_core::time::iso_text;
/// assert_eq!(iso_text(1_761_734_167_123), "2025-10-29T10:36:07.123Z");
/// ```
pub fn iso_text(milliseconds: i64) -> String {
    let (days, rest) = (
        milliseconds.div_euclid(86_400_000),
        milliseconds.rem_euclid(86_400_000),
    );
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 {
        march_month + 3
    } else {
        march_month - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
    let (second, fraction) = (rest / 1000 % 60, rest % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn iso_times_are_read() {
        let check = |text, expected| assert_eq!(iso_milliseconds(text), expected, "{text}");
        check("1970-01-01T00:00:00.000Z", Some(0));
        check("2024-02-29T12:00:00.5Z", Some(1_709_208_000_500));
        check("2025-10-29T10:36:07.123456Z", Some(1_761_734_167_123));
        check("2025-10-29T10:36:07Z", Some(1_761_734_167_000));
        check("2025-10-29T10:36:07", Some(1_761_734_167_000));
        check("2025-10-29T10:36Z", Some(1_761_734_160_000));
        check("2025-10-29T12:06:07+01:30", Some(1_761_734_167_000));
        check("2025-10-29T02:36:07-0800", Some(1_761_734_167_000));
        check("2000-03-01", Some(951_868_800_000));
        check("1969-12-31T23:59:59.999Z", Some(-1));
        for bad in [
            "",
            "T",
            "2025",
            "2025-13-01",
            "2025-1-1",
            "2025-10-29T",
            "2025-10-29T1:2Z",
        ] {
            check(bad, None);
        }
        for bad in [
            "2025-10-29T10:36:07+",
            "2025-10-29T10:36:07.xZ",
            "2025-10-29TéZ",
            "x-y-z",
        ] {
            check(bad, None);
        }
    }

    proptest! {
        #[test]
        fn never_panics(text in any::<String>(), near in "[0-9:TZ.+é-]{0,30}") {
            let _ = (iso_milliseconds(&text), iso_milliseconds(&near));
        }
    }

    proptest! {
        #[test]
        fn texts_read_back(milliseconds in -62_000_000_000_000i64..253_000_000_000_000) {
            let text = iso_text(milliseconds);
            prop_assert_eq!(iso_milliseconds(&text), Some(milliseconds));
        }
    }
}
