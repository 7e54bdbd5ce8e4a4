//! The tuned numbers of all stages, as one value that can be written as TOML or JSON.

use serde::{Deserialize, Serialize};

use crate::{batch, copies, decode, event, scan};

/// The tuned numbers of all stages, a field for each place that takes some. The values are those of
/// the program unless a field is set; unknown names are refused.
///
/// ```
/// use sheetscan::Parameters;
///
/// let parameters: Parameters = toml::from_str("[decode]\nskip = 10.0\n")?;
/// assert_eq!(parameters.decode.skip, 10.0);
/// assert_eq!(parameters.copies, Parameters::default().copies);
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// How one page is read, for [`scan::Scanner::with_parameters`].
    pub scan: scan::Parameters,
    /// Costs and extent of the search for the game, for [`decode::Options::costs`].
    pub decode: decode::Costs,
    /// How copies are found and aligned, for [`decode::Options::copies`].
    pub copies: copies::Parameters,
    /// How the sheets of a run are put together, for [`batch::BatchOptions::parameters`].
    pub batch: batch::Parameters,
    /// How games are matched with pairings, for [`event::Ledger::match_games`].
    pub event: event::MatchingParameters,
}

impl Parameters {
    /// The options of the search with these parameters; all else is the default.
    pub fn decode_options(&self) -> decode::Options {
        decode::Options {
            costs: self.decode,
            copies: self.copies,
            ..decode::Options::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_come_back_from_toml() {
        let table = toml::Table::try_from(Parameters::default()).unwrap();
        assert_eq!(table["decode"]["beam"]["width"], toml::Value::Integer(96));
        assert_eq!(table.try_into(), Ok(Parameters::default()));
    }

    #[test]
    fn an_unknown_name_is_refused_by_name() {
        for (text, name) in [
            ("[decode]\nskipp = 1.0", "skipp"),
            ("[scan.numbers]\nmin_margin = 1.0", "min_margin"),
            ("[ink]\n", "ink"),
        ] {
            let error = toml::from_str::<Parameters>(text).unwrap_err().to_string();
            assert!(
                error.contains(&format!("unknown field `{name}`")),
                "{error}"
            );
        }
    }
}
