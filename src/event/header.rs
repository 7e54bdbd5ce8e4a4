//! What the header of a sheet says, as scores of every candidate.

use crate::decode::Outcome;
use crate::grid::Side;

use super::dates::Date;

/// Nats by which a candidate must lead all others before a field is said to hold it: twenty to one.
const SURE: f64 = 3.0;

/// Log-likelihood ratios (nats) of the candidates of a field: ln p(ink | the field says this) - ln p(ink | it says
/// something that is no candidate).
///
/// For a reader of handwriting: the CTC log-probability of the candidate, the best over its spellings
/// ([`super::spellings`]), less that of the reader's own best string and what a free string costs beyond it. 0 is no
/// evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores<T> {
    listed: Vec<(T, f64)>,
    rest: f64,
}

impl<T: PartialEq> Scores<T> {
    /// Scores of some candidates, and one that all others have.
    pub fn new(listed: Vec<(T, f64)>, rest: f64) -> Self {
        Self { listed, rest }
    }

    /// The score of a candidate.
    pub fn of(&self, candidate: &T) -> f64 {
        let found = self.listed.iter().find(|(listed, _)| listed == candidate);
        found.map_or(self.rest, |&(_, score)| score)
    }

    /// The candidate that the field holds beyond doubt: twenty times likelier than any other, and than none of them.
    pub fn sure(&self) -> Option<&T> {
        let best = self.listed.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let others = self.listed.iter().filter(|other| other.0 != best.0);
        let next = others
            .map(|&(_, score)| score)
            .fold(self.rest.max(0.0), f64::max);
        (best.1 >= next + SURE).then_some(&best.0)
    }
}

/// What the header of one sheet says. A field that is empty, or that nobody has read, is none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Header {
    /// Whose copy it is, where that is known.
    pub writer: Option<Side>,
    /// Who has White, by the index of the player in the event.
    pub white: Option<Scores<usize>>,
    /// Who has Black.
    pub black: Option<Scores<usize>>,
    /// The round.
    pub round: Option<Scores<u32>>,
    /// The number of the board.
    pub board: Option<Scores<u32>>,
    /// The day.
    pub date: Option<Scores<Date>>,
    /// The result that is written in the header or marked in its boxes, in the colours of the sheet.
    pub result: Option<Scores<Outcome>>,
}

impl Header {
    /// Whether a name was read.
    pub(super) fn has_names(&self) -> bool {
        self.white.is_some() || self.black.is_some()
    }
}
