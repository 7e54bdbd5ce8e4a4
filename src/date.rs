//! Dates as pairing programs write them, of which parts may be unknown.

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
    /// In the form of the PGN tag: `2005.07.??`.
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
    /// A whole date; `None` if the calendar has no such day.
    pub fn from_ymd(year: u16, month: u8, day: u8) -> Option<Self> {
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

    /// Reads a date in the form of the TRF standard (`2005/07/28`) or in one of the forms that
    /// files have instead: `28. 07. 2005`, `24/09/2010`, `2020-05-29`, `May 29, 2020`. A
    /// time of the day behind it, as spreadsheets write it, is passed over. If it is
    /// uncertain which number is the day and which the month (`05/06/2010`), only the year is kept.
    pub fn parse(text: &str) -> Option<Self> {
        let is_time = |text: &str| text.contains(':') && text.chars().all(|c| !c.is_alphabetic());
        let text = match text.trim().split_once([' ', 'T']) {
            Some((date, time)) if is_time(time) => date,
            _ => text,
        };
        let parts = text.split(|c: char| !c.is_alphanumeric());
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        let [a, b, c] = parts[..] else { return None };
        if let Some(year) = parse_year(a) {
            return Self::from_ymd(year, parse_number(b)?, parse_number(c)?);
        }
        let year = parse_year(c)?;
        if let Some(month) = parse_month(a) {
            return Self::from_ymd(year, month, parse_number(b)?);
        }
        if let Some(month) = parse_month(b) {
            return Self::from_ymd(year, month, parse_number(a)?);
        }
        let (a, b) = (parse_number(a)?, parse_number(b)?);
        let day_first = Self::from_ymd(year, b, a);
        if text.contains('.') {
            return day_first;
        }
        match (day_first, Self::from_ymd(year, a, b)) {
            (Some(one), Some(other)) if one != other => Some(Self {
                year: Some(year),
                ..Self::default()
            }),
            (one, other) => one.or(other),
        }
    }

    /// Whether a text is a date in the form of the TRF standard, YYYY/MM/DD.
    pub fn is_standard(text: &str) -> bool {
        let shape = text
            .chars()
            .map(|c| if c.is_ascii_digit() { '9' } else { c });
        shape.eq("9999/99/99".chars()) && Self::parse(text).is_some_and(Self::is_whole)
    }

    /// Reads the date of a round, YY/MM/DD, in the years 2000 to 2099.
    pub fn parse_round(text: &str) -> Option<Self> {
        let [year, month, day] = split_round_date(text)?;
        Self::from_ymd(2000 + u16::from(year), month, day)
    }

    /// Reads the date of a round that is written with the day first, DD/MM/YY.
    pub fn parse_round_day_first(text: &str) -> Option<Self> {
        let [day, month, year] = split_round_date(text)?;
        Self::from_ymd(2000 + u16::from(year), month, day)
    }

    /// Reads the date of a PGN tag, in which parts may be `?`.
    pub fn parse_tag(text: &str) -> Self {
        let mut parts = text.split('.');
        let year = parts.next().and_then(parse_year);
        let mut part = |max| {
            let number = parts.next().and_then(parse_number);
            number.filter(|n| (1..=max).contains(n))
        };
        let month = year.and(part(12));
        let day = month.and(part(31));
        Self { year, month, day }
    }

    /// The parts that two dates have in common: the year, year and month, or all. Every date
    /// between them has these parts too.
    pub fn common_parts(self, other: Self) -> Self {
        let same = |known: bool| if known { self } else { Self::default() };
        let year = same(self.year == other.year).year;
        let month = year.and(same(self.month == other.month).month);
        let day = month.and(same(self.day == other.day).day);
        Self { year, month, day }
    }
}

/// Reads a year of four digits, from 1800 on.
fn parse_year(text: &str) -> Option<u16> {
    let is_number = text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit());
    is_number
        .then(|| text.parse().ok())
        .flatten()
        .filter(|&year| year >= 1800)
}

/// The three numbers of the date of a round, of two digits each.
fn split_round_date(text: &str) -> Option<[u8; 3]> {
    let two_digits = |part: &str| (part.len() == 2).then(|| parse_number(part)).flatten();
    let parts: Vec<u8> = text.split('/').map(two_digits).collect::<Option<_>>()?;
    parts.try_into().ok()
}

fn parse_number(text: &str) -> Option<u8> {
    let is_number = text.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// Reads a month from its English name or the first letters of it, at least three.
fn parse_month(text: &str) -> Option<u8> {
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
    let index = MONTHS
        .iter()
        .position(|month| text.len() >= 3 && month.starts_with(&text));
    index.map(|i| i as u8 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> String {
        Date::parse(text).map_or("none".to_owned(), |date| date.to_string())
    }

    #[test]
    fn the_forms_of_real_files_are_read() {
        assert_eq!(parse("2024/12/01"), "2024.12.01");
        assert_eq!(parse("28. 07. 2005"), "2005.07.28");
        assert_eq!(parse("05.06.2010"), "2010.06.05");
        assert_eq!(parse("24/09/2010"), "2010.09.24");
        assert_eq!(parse("May 29, 2020"), "2020.05.29");
        assert_eq!(parse("29 Sept 2020"), "2020.09.29");
        assert_eq!(parse("2020-05-29"), "2020.05.29");
    }

    #[test]
    fn parts_that_are_uncertain_are_unknown() {
        assert_eq!(parse("05/06/2010"), "2010.??.??");
        assert_eq!(parse("06/06/2010"), "2010.06.06");
        for none in ["", "30/02/2010", "2010", "tomorrow", "1/2/3", "99/99/2010"] {
            assert_eq!(parse(none), "none", "{none}");
        }
    }

    #[test]
    fn only_the_standard_form_is_standard() {
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
    fn dates_of_rounds_have_two_digits_a_part() {
        let day = Date::from_ymd(2024, 12, 6);
        assert_eq!(Date::parse_round("24/12/06"), day);
        for none in ["2024/12/06", "24/13/06", "24.12.06", ""] {
            assert_eq!(Date::parse_round(none), None, "{none}");
        }
    }

    #[test]
    fn common_parts_are_those_of_every_day_between() {
        let day = |d| Date::from_ymd(2005, 7, d).unwrap();
        assert_eq!(day(28).common_parts(day(31)).to_string(), "2005.07.??");
        assert_eq!(day(28).common_parts(day(28)).to_string(), "2005.07.28");
        let august = Date::from_ymd(2005, 8, 31).unwrap();
        assert_eq!(day(31).common_parts(august).to_string(), "2005.??.??");
        assert_eq!(Date::parse_tag("2024.12.??").to_string(), "2024.12.??");
        assert_eq!(Date::parse_tag("????.??.01").to_string(), "????.??.??");
    }
}
