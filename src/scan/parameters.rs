//! The tuned numbers of the stages of one sheet, up to what is read on it.

use serde::{Deserialize, Serialize};

use crate::header::WordBox;
#[cfg(feature = "forms")]
use crate::marks;
use crate::{capture_quality, fields, grid, header, numbers};

/// The tuned numbers with which a page is read. Those of the search for its game are in
/// [`crate::decode::Options`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// How the marks and the code of a printed sheet are found.
    #[cfg(feature = "forms")]
    pub marks: marks::MarkParameters,
    /// How the move table is found.
    pub grid: grid::Parameters,
    /// How rows are numbered by the printed numbers.
    pub numbers: numbers::Parameters,
    /// Which way up a page lies.
    pub orientation: OrientationParameters,
    /// How the words outside the table are found.
    pub header: header::Parameters,
    /// How labels are recognised among these words.
    pub fields: fields::Parameters,
    /// How sure what stands in these fields is.
    pub header_reading: HeaderReadingParameters,
    /// From which bounds on a picture without a game is called bad.
    pub capture_quality: capture_quality::Parameters,
    /// A sheet with fewer inked cells than this is not refused for the share that reads like moves.
    pub min_cells_to_refuse: usize,
    /// A sheet is refused as illegible if a smaller share of its inked cells than this reads like
    /// moves.
    pub min_move_like_share: f32,
    /// A sheet is refused as illegible if no cell reads like a move with this confidence. Of 120
    /// pictures without a sheet four gave moves before, of which three have no such cell; every
    /// sheet of HCS dev has one.
    pub min_sure_move_confidence: f32,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            #[cfg(feature = "forms")]
            marks: marks::MarkParameters::default(),
            grid: grid::Parameters::default(),
            numbers: numbers::Parameters::default(),
            orientation: OrientationParameters::default(),
            header: header::Parameters::default(),
            fields: fields::Parameters::default(),
            header_reading: HeaderReadingParameters::default(),
            capture_quality: capture_quality::Parameters::default(),
            min_cells_to_refuse: 8,
            min_move_like_share: 0.15,
            min_sure_move_confidence: 0.2,
        }
    }
}

/// The tuned numbers by which a page is turned upside down.
///
/// It is turned if `legible(turned) > min_turn_ratio × legible(upright) + min_turn_margin`, where
/// `legible` is the share of the sampled cells that read like moves: some cells of any writer look
/// like moves upside down.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OrientationParameters {
    /// Number of cells that are read to decide which way up a page lies.
    pub sampled_cells: usize,
    /// A page whose printed numbers are legible is also tried upside down where its share of
    /// legible moves is below this.
    pub min_legible_share_numbered: f32,
    /// The same bound for a page without legible numbers. It is higher because `9`, `b` and `O-O`
    /// can be read upside down too: two of 600 made forms that lay upside down were taken for
    /// upright.
    pub min_legible_share_unnumbered: f32,
    /// The factor in the condition above. Chosen by eye.
    pub min_turn_ratio: f32,
    /// The additive part of the condition above, a share of the sampled cells. Chosen by eye.
    pub min_turn_margin: f32,
}

impl Default for OrientationParameters {
    fn default() -> Self {
        Self {
            sampled_cells: 16,
            min_legible_share_numbered: 0.3,
            min_legible_share_unnumbered: 0.6,
            min_turn_ratio: 2.0,
            min_turn_margin: 0.05,
        }
    }
}

/// The tuned numbers with which a header is read. Probabilities of the reader of words are
/// calibrated by p' = 1 / (1 + exp(-(offset + slope x ln p))), fitted by `eval/header_fields.py`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HeaderReadingParameters {
    /// Calibration of names.
    pub name: Calibration,
    /// Calibration of round and board numbers of one digit.
    pub digit: Calibration,
    /// Calibration of those of more digits, since the edge of a box is taken for a 1 before them.
    pub number: Calibration,
    /// Calibration of dates.
    pub date: Calibration,
    /// Calibration of results.
    pub result: Calibration,
    /// A number that is narrower than this share of its height is a stroke: the edge of a box, or a
    /// 1 that nobody can tell from one.
    pub min_number_aspect: f32,
    /// The words that a table prints above its columns end at most so many rows above it.
    pub max_heading_bottom_rows: f32,
    /// They begin at most so many rows above it.
    pub max_heading_top_rows: f32,
    /// A word of a line whose edges differ by less than so many rows from those of a word of the
    /// page is that word.
    pub max_same_word_rows: f32,
    /// Names end at most so many rows below the upper edge of the table.
    pub max_name_bottom_rows: f32,
}

/// How sure a reading is, given ln p of the reader of words.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// Log-odds in nats where ln p = 0.
    pub offset: f32,
    /// Log-odds for each nat of ln p.
    pub slope: f32,
}

impl Default for HeaderReadingParameters {
    fn default() -> Self {
        Self {
            name: Calibration {
                offset: 0.6,
                slope: 1.5,
            },
            // Steeper than the made events ask for (2.1): a digit is sure from a probability of
            // 0.67 on. They have no 1 with a flag, which the reader takes for a 9 with up to 0.54;
            // a 7 was taken for an 8 with 0.65.
            digit: Calibration {
                offset: 4.0,
                slope: 4.5,
            },
            number: Calibration {
                offset: 0.7,
                slope: 1.8,
            },
            date: Calibration {
                offset: 2.6,
                slope: 2.4,
            },
            result: Calibration {
                offset: 3.0,
                slope: 2.0,
            },
            min_number_aspect: 0.3,
            max_heading_bottom_rows: 0.33,
            max_heading_top_rows: 0.8,
            max_same_word_rows: 0.15,
            max_name_bottom_rows: 0.5,
        }
    }
}

impl HeaderReadingParameters {
    /// Whether a word stands where a table prints the words above its columns.
    pub(super) fn is_above_columns(&self, word: &WordBox) -> bool {
        word.top > -self.max_heading_top_rows
            && (-self.max_heading_bottom_rows..=0.0).contains(&word.bottom)
    }
}

impl Calibration {
    /// The probability for ln p.
    pub(super) fn confidence(&self, log_probability: f32) -> f32 {
        1.0 / (1.0 + (-(self.offset + self.slope * log_probability)).exp())
    }
}
