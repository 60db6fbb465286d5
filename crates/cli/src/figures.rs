//! Figures as people read them.

/// A whole number in groups of three digits: `48,210`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count in thousands where it is large: `812`, `12.4k`.
pub(crate) fn thousands(number: u64) -> String {
    if number < 1000 {
        number.to_string()
    } else {
        format!("{:.1}k", number as f64 / 1000.0)
    }
}

/// A size in its own unit: `812 B`, `11.2 kB`, `1.21 MB`.
pub(crate) fn size(bytes: u64) -> String {
    in_unit(bytes, unit_of(bytes))
}

/// Two sizes in the unit of the larger one: `1.21 MB -> 0.34 MB`.
pub(crate) fn size_change(before: u64, after: u64) -> String {
    let unit = unit_of(before.max(after));
    format!("{} -> {}", in_unit(before, unit), in_unit(after, unit))
}

/// How much smaller or larger the second number is: `-75 %`; `None` where the first one is 0.
pub(crate) fn change(before: u64, after: u64) -> Option<String> {
    if before == 0 {
        return None;
    }
    let share = (after as f64 / before as f64 - 1.0) * 100.0;
    // Adding zero turns a negative zero into a plain one.
    Some(format!("{:.0} %", share.round() + 0.0))
}

/// A count with its noun: `1 call`, `4 calls`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    match (count, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "batch") => format!("{} batches", grouped(count)),
        _ => format!("{} {noun}s", grouped(count)),
    }
}

#[derive(Clone, Copy)]
enum Unit {
    Bytes,
    Kilobytes,
    Megabytes,
    Gigabytes,
}

fn unit_of(bytes: u64) -> Unit {
    match bytes {
        0..1_000 => Unit::Bytes,
        // What rounds to 1000.0 kB is a megabyte.
        1_000..999_950 => Unit::Kilobytes,
        999_950..999_995_000 => Unit::Megabytes,
        _ => Unit::Gigabytes,
    }
}

fn in_unit(bytes: u64, unit: Unit) -> String {
    let number = bytes as f64;
    match unit {
        Unit::Bytes => format!("{bytes} B"),
        Unit::Kilobytes => format!("{:.1} kB", number / 1e3),
        Unit::Megabytes => format!("{:.2} MB", number / 1e6),
        Unit::Gigabytes => format!("{:.2} GB", number / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_grouped() {
        let check = |number: u64, long: &str, short: &str, bytes: &str| {
            assert_eq!(grouped(number), long);
            assert_eq!(thousands(number), short);
            assert_eq!(size(number), bytes);
        };
        check(0, "0", "0", "0 B");
        check(999, "999", "999", "999 B");
        check(1_000, "1,000", "1.0k", "1.0 kB");
        check(12_431, "12,431", "12.4k", "12.4 kB");
        check(999_949, "999,949", "999.9k", "999.9 kB");
        check(999_950, "999,950", "1000.0k", "1.00 MB");
        check(1_210_000, "1,210,000", "1210.0k", "1.21 MB");
        check(5_000_000_000, "5,000,000,000", "5000000.0k", "5.00 GB");
    }

    #[test]
    fn changes_share_a_unit() {
        assert_eq!(size_change(1_210_000, 340_000), "1.21 MB -> 0.34 MB");
        assert_eq!(size_change(10, 12_000), "0.0 kB -> 12.0 kB");
        assert_eq!(change(48_210, 11_940).as_deref(), Some("-75 %"));
        assert_eq!(change(1000, 1000).as_deref(), Some("0 %"));
        assert_eq!(change(1000, 999).as_deref(), Some("0 %"));
        assert_eq!(change(10, 15).as_deref(), Some("50 %"));
        assert_eq!(change(0, 15), None);
    }

    #[test]
    fn nouns_follow_their_count() {
        assert_eq!(counted(1, "call"), "1 call");
        assert_eq!(counted(1_200, "call"), "1,200 calls");
        assert_eq!(counted(2, "batch"), "2 batches");
    }
}
