//! The header of a sheet as scores: for each field, how well each candidate explains what is there.

use crate::form::FormCode;
use crate::grid::Side;
use crate::notation::Outcome;
use crate::schema::{SheetCodeRecord, SheetRecord};

use crate::date::Date;

/// Log-likelihood ratios (nats) of the candidates of a header field:
/// ln p(ink | the field says this) − ln p(ink | the field says something that is no candidate).
///
/// For handwriting, the score is the CTC log-probability of the candidate, the best over its
/// spellings ([`super::name_spellings`]), less the cost of a free string of the same length
/// ([`crate::reader::WordScorer`]). A score of 0 is no evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores<T> {
    candidates: Vec<(T, f64)>,
    other: f64,
}

impl<T: PartialEq> Scores<T> {
    /// Scores of some candidates, and the score that every other candidate has.
    pub fn new(candidates: Vec<(T, f64)>, other: f64) -> Self {
        Self { candidates, other }
    }

    /// One candidate with a score, and its opposite for every other.
    pub(super) fn of_one(candidate: T, score: f64) -> Self {
        Self::new(vec![(candidate, score)], -score)
    }

    /// The score of a candidate, in nats.
    pub fn score(&self, candidate: &T) -> f64 {
        let own = self.candidates.iter().find(|(known, _)| known == candidate);
        own.map_or(self.other, |&(_, score)| score)
    }

    /// The candidate that the field holds with certainty, if there is one: its score is at least
    /// `min_lead_nats` above that of every other candidate, and above 0.
    pub fn certain(&self, min_lead_nats: f64) -> Option<&T> {
        let best = self.candidates.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let others = self.candidates.iter().filter(|other| other.0 != best.0);
        let second = others
            .map(|&(_, score)| score)
            .fold(self.other.max(0.0), f64::max);
        (best.1 >= second + min_lead_nats).then_some(&best.0)
    }
}

impl Scores<usize> {
    /// The scores of the candidates with the indices below `count`.
    pub(super) fn by_index(&self, count: usize) -> Vec<f64> {
        let mut scores = vec![self.other; count];
        // The first score of a candidate counts.
        for &(index, score) in self.candidates.iter().rev() {
            if let Some(own) = scores.get_mut(index) {
                *own = score;
            }
        }
        scores
    }
}

/// What the header of one sheet says. A field that is empty, or that could not be read, is `None`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Header {
    /// The side of the player whose copy it is, where that is known.
    pub writer: Option<Side>,
    /// The code of a sheet that sheetscan has printed.
    pub code: Option<FormCode>,
    /// The player with White, by index in the event.
    pub white: Option<Scores<usize>>,
    /// The player with Black, by index in the event.
    pub black: Option<Scores<usize>>,
    /// The round.
    pub round: Option<Scores<u32>>,
    /// The board number.
    pub board: Option<Scores<u32>>,
    /// The date.
    pub date: Option<Scores<Date>>,
    /// The result, in the colours of the sheet.
    pub result: Option<Scores<Outcome>>,
}

impl Header {
    /// Whether at least one name was read.
    pub(super) fn has_names(&self) -> bool {
        self.white.is_some() || self.black.is_some()
    }
}

/// The headers of a game's sheets, in their order: the one that a person has typed of a sheet, or
/// of another name of the same picture, where there is one, and else the one that is read on it.
/// The code of a printed sheet counts as read.
pub fn headers_of_sheets(
    sheets: &[SheetRecord],
    typed: impl Fn(&SheetRecord) -> Header,
    read: impl Fn(&SheetRecord) -> Header,
) -> Vec<Header> {
    let header = |(i, sheet): (usize, &SheetRecord)| {
        if sheet.same_as.is_some() {
            // The same picture under another name is no further evidence.
            return Header::default();
        }
        let same_picture = sheets.iter().filter(|s| s.same_as == Some(i));
        let mut typed_headers = std::iter::once(sheet).chain(same_picture).map(&typed);
        let is_typed = |header: &Header| *header != Header::default();
        typed_headers.find(is_typed).unwrap_or_else(|| Header {
            writer: sheet.copy_of,
            code: sheet.code.as_ref().and_then(SheetCodeRecord::form_code),
            ..read(sheet)
        })
    };
    sheets.iter().enumerate().map(header).collect()
}
