//! Dates as pairing programs write them, known as far as they are certain.

use std::fmt;

/// A date of which some parts may be unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Date {
    /// Year, four digits.
    pub year: Option<u16>,
    /// Month, 1 to 12.
    pub month: Option<u8>,
    /// Day of the month, from 1.
    pub day: Option<u8>,
}

impl fmt::Display for Date {
    /// As a PGN tag has it: `2005.07.??`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.year {
            Some(year) => write!(f, "{year:04}")?,
            None => f.write_str("????")?,
        }
        for part in [self.month, self.day] {
            match part {
                Some(part) => write!(f, ".{part:02}")?,
                None => f.write_str(".??")?,
            }
        }
        Ok(())
    }
}

impl Date {
    /// A day; none where the calendar has no such day.
    pub fn day(year: u16, month: u8, day: u8) -> Option<Self> {
        let leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 => 28 + u8::from(leap),
            _ => return None,
        };
        (1..=days).contains(&day).then_some(Self {
            year: Some(year),
            month: Some(month),
            day: Some(day),
        })
    }

    /// Whether the day is known.
    pub fn is_whole(self) -> bool {
        self.day.is_some()
    }

    /// A date in the form of the standard (`2005/07/28`) or in one of those that are met instead: `28. 07. 2005`,
    /// `24/09/2010`, `2020-05-29`, `May 29, 2020`. Where day and month cannot be told apart (`05/06/2010`), the year
    /// alone is certain.
    pub fn parse(text: &str) -> Option<Self> {
        let parts = text.split(|c: char| !c.is_alphanumeric());
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        let [a, b, c] = parts[..] else { return None };
        if let Some(year) = year(a) {
            return Self::day(year, number(b)?, number(c)?);
        }
        let year = year(c)?;
        if let Some(month) = month(a) {
            return Self::day(year, month, number(b)?);
        }
        if let Some(month) = month(b) {
            return Self::day(year, month, number(a)?);
        }
        let (a, b) = (number(a)?, number(b)?);
        let day_first = Self::day(year, b, a);
        if text.contains('.') {
            return day_first;
        }
        match (day_first, Self::day(year, a, b)) {
            (Some(one), Some(other)) if one != other => Some(Self {
                year: Some(year),
                ..Self::default()
            }),
            (one, other) => one.or(other),
        }
    }

    /// Whether a text is a date in the standard's form, YYYY/MM/DD.
    pub fn is_standard(text: &str) -> bool {
        let shape = text
            .chars()
            .map(|c| if c.is_ascii_digit() { '9' } else { c });
        shape.eq("9999/99/99".chars()) && Self::parse(text).is_some_and(Self::is_whole)
    }

    /// The date of a round, YY/MM/DD; the century is the present one.
    pub fn parse_round(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split('/').collect();
        let [year, month, day] = parts[..] else {
            return None;
        };
        let two = |part: &str| (part.len() == 2).then(|| number(part)).flatten();
        Self::day(2000 + u16::from(two(year)?), two(month)?, two(day)?)
    }

    /// A date of a PGN tag, in which parts may be `?`.
    pub fn parse_tag(text: &str) -> Self {
        let mut parts = text.split('.');
        let year = parts.next().and_then(year);
        let mut part = |most| {
            parts
                .next()
                .and_then(number)
                .filter(|n| (1..=most).contains(n))
        };
        let month = year.and(part(12));
        let day = month.and(part(31));
        Self { year, month, day }
    }

    /// What two dates have in common: the year, the year and the month, or all. Whatever lies between them shares it.
    pub fn common(self, other: Self) -> Self {
        let same = |known: bool| if known { self } else { Self::default() };
        let year = same(self.year == other.year).year;
        let month = year.and(same(self.month == other.month).month);
        let day = month.and(same(self.day == other.day).day);
        Self { year, month, day }
    }
}

fn year(text: &str) -> Option<u16> {
    let plausible = text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit());
    plausible
        .then(|| text.parse().ok())
        .flatten()
        .filter(|&year| year >= 1800)
}

fn number(text: &str) -> Option<u8> {
    let plain = text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// A month by its English name or the beginning of it.
fn month(text: &str) -> Option<u8> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let text = text.to_lowercase();
    let found = MONTHS
        .iter()
        .position(|month| text.len() >= 3 && month.starts_with(&text));
    found.map(|i| i as u8 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        Date::parse(text).map_or("none".to_owned(), |date| date.to_string())
    }

    #[test]
    fn forms_that_are_met() {
        assert_eq!(read("2024/12/01"), "2024.12.01");
        assert_eq!(read("28. 07. 2005"), "2005.07.28");
        assert_eq!(read("05.06.2010"), "2010.06.05");
        assert_eq!(read("24/09/2010"), "2010.09.24");
        assert_eq!(read("May 29, 2020"), "2020.05.29");
        assert_eq!(read("29 Sept 2020"), "2020.09.29");
        assert_eq!(read("2020-05-29"), "2020.05.29");
    }

    #[test]
    fn what_is_not_certain_is_left_open() {
        assert_eq!(read("05/06/2010"), "2010.??.??");
        assert_eq!(read("06/06/2010"), "2010.06.06");
        for none in ["", "30/02/2010", "2010", "tomorrow", "1/2/3", "99/99/2010"] {
            assert_eq!(read(none), "none", "{none}");
        }
    }

    #[test]
    fn the_standard_is_strict() {
        assert!(Date::is_standard("2024/12/01"));
        for other in [
            "2024/12/1",
            "24/12/01",
            "2024.12.01",
            "2024/13/01",
            "2024/02/30",
        ] {
            assert!(!Date::is_standard(other), "{other}");
        }
    }

    #[test]
    fn rounds_have_two_digits_a_part() {
        let day = Date::day(2024, 12, 6);
        assert_eq!(Date::parse_round("24/12/06"), day);
        for none in ["2024/12/06", "24/13/06", "24.12.06", ""] {
            assert_eq!(Date::parse_round(none), None, "{none}");
        }
    }

    #[test]
    fn days_between_share_what_their_ends_share() {
        let day = |d| Date::day(2005, 7, d).unwrap();
        assert_eq!(day(28).common(day(31)).to_string(), "2005.07.??");
        assert_eq!(day(28).common(day(28)).to_string(), "2005.07.28");
        let august = Date::day(2005, 8, 31).unwrap();
        assert_eq!(day(31).common(august).to_string(), "2005.??.??");
        assert_eq!(Date::parse_tag("2024.12.??").to_string(), "2024.12.??");
        assert_eq!(Date::parse_tag("????.??.01").to_string(), "????.??.??");
    }
}
