//! The tuned numbers by which sheets of a batch are put together.

use serde::{Deserialize, Serialize};

/// How pages are joined, when the form of one sheet is trusted for another, and when games are
/// given before all is read. How copies are found is set by [`crate::copies::Parameters`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// Largest number of rows at the end of a page that may be empty although the next page
    /// continues it. Chosen by eye.
    pub max_empty_last_rows: u32,
    /// How many sheets are tried as the page before another one, the nearest first. It bounds the
    /// time. Chosen by eye.
    pub max_tried_pages: usize,
    /// By how many nats a page must be explained better by a farther page before it than by the
    /// nearest one: a pile is rarely out of order. Chosen by eye.
    pub min_farther_page_nats: f32,
    /// A page from which at least this many moves are read behind the nearest page is tried with no
    /// other one: so many legal moves fit no other game. Chosen by eye.
    pub min_sure_page_moves: usize,
    /// A page continues another one if moves are read from at least this share of the cells that
    /// are written on it before the end of the game. Chosen by eye.
    pub min_continued_share: f32,
    /// Number of sheets whose tables must have the same rows before their form is trusted against
    /// another table: two sheets may both be wrong.
    pub min_form_sheets: usize,
    /// How many forms are tried on a doubtful sheet, those of most sheets first. Chosen by eye.
    pub max_tried_forms: usize,
    /// A table is not doubted if at least this share of its inked cells reads like moves. Chosen by
    /// eye.
    pub min_move_like_share: f64,
    /// Smallest mean confidence of the readings of a table that is laid where none was found. Of
    /// what is no writing, some texts read like moves too, but with little confidence. Chosen by
    /// eye.
    pub min_mean_confidence: f32,
    /// By how much the mean confidence of the readings of a table that is laid may be smaller than
    /// that of the table that was found. Rows cut in two lost 0.2 on a page of the samples. Chosen
    /// by eye.
    pub max_confidence_loss: f32,
    /// Number of inputs after which the games of those read so far are given to whoever does not
    /// wait for the rest. A photograph takes a second or two, and the first two are often the
    /// copies of one game.
    pub first_early_inputs: usize,
    /// How many times as many inputs must be read before the games of those read so far are given
    /// again, at least 2. Each time the last picture leaves cores idle, and so does the last game:
    /// with 2, 60 pictures took 17 % longer than in one go. With 4, the next games are there before
    /// a person has looked at the last ones.
    pub early_growth: usize,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            max_empty_last_rows: 2,
            max_tried_pages: 4,
            min_farther_page_nats: 3.0,
            min_sure_page_moves: 12,
            min_continued_share: 0.6,
            min_form_sheets: 3,
            max_tried_forms: 2,
            min_move_like_share: 0.6,
            min_mean_confidence: 0.4,
            max_confidence_loss: 0.1,
            first_early_inputs: 2,
            early_growth: 4,
        }
    }
}
