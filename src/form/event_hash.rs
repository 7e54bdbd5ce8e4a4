//! What tells an event from others without naming it.

use std::fmt;

use deunicode::deunicode;
use sha2::{Digest, Sha256};

use crate::date::Date;

/// Bits of a hash. Among a thousand events, two are alike once in two million times.
pub(super) const HASH_BITS: u32 = 40;

/// A hash of an event. It is the same for every report file of the event, whichever round that was
/// written after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventHash(u64);

impl EventHash {
    /// The hash of an event by its name and first day. Of the name only letters and digits count,
    /// without case and accents. The city stands in for a name that is missing, and counts for
    /// nothing otherwise, because programs fill it in late or with a web address.
    pub fn new(name: &str, city: &str, start: Option<Date>) -> Self {
        let name = [name, city].map(normalize);
        let name = name.iter().find(|name| !name.is_empty());
        let start = start.map(|date| date.to_string()).unwrap_or_default();
        let text = format!("{}\n{start}", name.map_or("", String::as_str));
        let hash = Sha256::digest(text.as_bytes());
        let hash = hash.iter().take(HASH_BITS as usize / 8);
        Self(hash.fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    /// The hash with these bits; none where there are more than a hash has.
    pub(super) fn from_bits(bits: u64) -> Option<Self> {
        (bits >> HASH_BITS == 0).then_some(Self(bits))
    }

    /// The bits, of which the lowest 40 may be set.
    pub(super) fn bits(self) -> u64 {
        self.0
    }
}

impl fmt::Display for EventHash {
    /// Ten hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:010x}", self.0)
    }
}

/// The letters and digits of a text, without case and accents.
fn normalize(text: &str) -> String {
    let latin = deunicode(text).to_lowercase();
    latin.chars().filter(char::is_ascii_alphanumeric).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_does_not_change_the_hash_and_another_year_does() {
        let day = |year| Date::from_ymd(year, 5, 1);
        let hash = EventHash::new("Open de São Paulo", "São Paulo", day(2026));
        assert_eq!(hash, EventHash::new(" OPEN DE SAO PAULO ", "", day(2026)));
        assert_ne!(hash, EventHash::new("Open de São Paulo", "", day(2027)));
        assert_ne!(hash, EventHash::new("Open de Santos", "", day(2026)));
    }

    #[test]
    fn the_city_stands_in_for_a_missing_name() {
        let hash = |name, city| EventHash::new(name, city, None);
        assert_ne!(hash("", "Porto"), hash("", "Braga"));
        assert_eq!(hash("", "Porto"), hash(" - ", "Porto"));
    }

    /// Sheets that are printed already carry these bits.
    #[test]
    fn the_hash_stays_as_it_is_from_one_version_to_the_next() {
        let hash = EventHash::new("Club Open", "", Date::from_ymd(2026, 11, 29));
        // printf 'clubopen\n2026.11.29' | sha256sum | cut -c 1-10
        assert_eq!(hash.to_string(), "40575fc04a");
    }
}
