//! The tuned numbers of this stage.

use serde::{Deserialize, Serialize};

/// The tuned numbers of [`number_rows`](super::number_rows). No source is recorded for the values:
/// they were chosen on the development pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// Smallest first number of a block that is considered. It lies below 1, since a line or two
    /// above the first row may have been taken for rows.
    pub min_first_number: i32,
    /// Largest first number of a block that is considered.
    pub max_first_number: i32,
    /// Nats by which a first number must be likelier than the second best to be certain.
    pub min_margin_nats: f32,
    /// Nats added to the log-probability of each row's number, so that a row speaks against a first
    /// number only where its log-probability is below minus this value.
    pub row_bonus_nats: f32,
    /// Rows by which a block's numbers may run into those of the next block: a heading or a line
    /// below the table was taken for a row.
    pub max_overlap_rows: i32,
    /// A block at the left whose own numbers are not certain starts at 1, unless the blocks behind
    /// it leave more than this number for its first row: a smaller difference comes from rows that
    /// were missed at its foot.
    pub max_missed_rows: i32,
    /// Mean log-probability of a block's numbers, in nats a row, from which they are legible.
    pub min_legible_nats: f32,
    /// Mean log-probability of a block's numbers, in nats a row, below which it has no numbers.
    pub max_unnumbered_nats: f32,
    /// Log-probability in nats from which a row at a block's end has the number that is expected
    /// there.
    pub min_read_nats: f32,
    /// Log-probability in nats from which a row has no number. Small print that is not read seldom
    /// looks like bare paper.
    pub min_bare_nats: f32,
    /// Nats by which "no number" must be likelier than the expected number.
    pub min_bare_margin_nats: f32,
    /// One in so many of a block's rows may lack a legible number before rows at its end are no
    /// longer dropped for lacking one.
    pub rows_per_exception: usize,
    /// Largest number of rows that are added beyond each end of a block.
    pub max_added_rows: usize,
    /// Smallest log-probability, in nats, that a digit is given. The network errs too, where
    /// writing runs over the print, and more often in one of two digits than in both.
    pub digit_floor_nats: f32,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            min_first_number: -1,
            max_first_number: 121,
            min_margin_nats: 10.0,
            row_bonus_nats: 2.0,
            max_overlap_rows: 3,
            max_missed_rows: 10,
            min_legible_nats: -1.0,
            max_unnumbered_nats: -4.0,
            min_read_nats: -1.0,
            min_bare_nats: -0.5,
            min_bare_margin_nats: 4.0,
            rows_per_exception: 8,
            max_added_rows: 12,
            digit_floor_nats: -3.0,
        }
    }
}
