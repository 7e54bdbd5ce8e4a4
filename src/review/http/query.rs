//! The query of an address.

use std::str::FromStr;

use crate::review::backend::Refusal;

/// Names and values, with `%XX` and `+` resolved.
#[derive(Debug)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Reads a query; every name may be there once.
    ///
    /// # Errors
    /// 400 if it is no UTF-8, has a false `%XX` or a name twice.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for part in text.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let (Some(name), Some(value)) = (decode(name), decode(value)) else {
                return Err(malformed("the query of the address is malformed"));
            };
            if pairs.iter().any(|(known, _)| *known == name) {
                return Err(malformed("the query of the address has a name twice"));
            }
            pairs.push((name, value));
        }
        Ok(Self(pairs))
    }

    /// The value of a name.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// The value of a name as a number.
    ///
    /// # Errors
    /// 400 if it is none.
    pub fn number<T: FromStr>(&self, name: &str) -> Result<Option<T>, Refusal> {
        let parse = |text: &str| text.parse().map_err(|_| malformed("a number is expected"));
        self.text(name).map(parse).transpose()
    }
}

pub(super) fn malformed(error: &str) -> Refusal {
    Refusal::new(
        400,
        error,
        "load the page anew; if it happens again, report it",
    )
}

fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                let (high, low) = (digit()?, digit()?);
                u8::try_from(16 * high + low).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_are_decoded() {
        let query = Query::parse("name=IMG%20b+%C3%BC.jpg&w=1600&empty").expect("a query");
        assert_eq!(query.text("name"), Some("IMG b \u{fc}.jpg"));
        assert_eq!(query.number::<u32>("w").expect("a number"), Some(1600));
        assert_eq!(query.text("empty"), Some(""));
        assert_eq!(query.text("x"), None);
    }

    #[test]
    fn what_is_malformed_is_refused() {
        for text in [
            "a=%",
            "a=%4",
            "a=%zz",
            "a=%+1",
            "a=%ff",
            "a=1&a=2",
            "a=1&%61=2",
        ] {
            assert_eq!(Query::parse(text).expect_err(text).status, 400, "{text}");
        }
        let query = Query::parse("w=-1&x=1e3").expect("a query");
        assert!(query.number::<u32>("w").is_err());
        assert!(query.number::<u32>("x").is_err());
    }
}
