//! Time inside a session: a fixed start that only moves when a step takes time.

/// 24 November 2025, 09:12:07.412 UTC, in milliseconds since 1970.
const START: u64 = 1_763_975_527_412;
const MILLISECONDS_PER_DAY: u64 = 86_400_000;

/// The session's own clock.
#[derive(Debug)]
pub(crate) struct Clock(u64);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(START)
    }

    pub(crate) fn advance(&mut self, milliseconds: u64) {
        self.0 += milliseconds;
    }

    /// Milliseconds since 1970.
    pub(crate) fn epoch(&self) -> u64 {
        self.0
    }

    /// `2025-11-24T09:12:07.412Z`.
    pub(crate) fn iso(&self) -> String {
        let (year, month, day) = civil(self.0 / MILLISECONDS_PER_DAY);
        let rest = self.0 % MILLISECONDS_PER_DAY;
        let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60);
        format!(
            "{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z",
            rest % 1000
        )
    }
}

/// Year, month and day of a number of days since 1970, in the Gregorian calendar.
fn civil(days: u64) -> (u64, u64, u64) {
    // Counting from 1 March puts the leap day last; 719468 days lie between 1 March of year 0 and 1970.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        let check = |days, expected| assert_eq!(civil(days), expected);
        check(0, (1970, 1, 1));
        check(59, (1970, 3, 1));
        check(11_016, (2000, 2, 29));
        check(20_416, (2025, 11, 24));
        assert_eq!(Clock::start().iso(), "2025-11-24T09:12:07.412Z");
    }
}
