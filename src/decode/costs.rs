//! What the search pays for everything that is not a move read as written.

use serde::{Deserialize, Serialize};

use super::beam::BeamParameters;
use super::gap::GapParameters;

/// Weights, costs in nats and the extent of the search.
///
/// The defaults were chosen on readings of the HCS dev pages and the EPFL sheets, so measurements
/// on those two are not blind to them; a field names a further source where there is one.
/// `examples/decode_tags --costs '{"prior": 0.7}'` decodes a set of sheets with other values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Costs {
    /// Weight of the log-prior of a move against the log-probability of its reading, without unit.
    /// Of 0.45 to 0.65, 0.55 and 0.6 give most moves of HCS dev, EPFL and `data/sheets`
    /// (docs/experiments/2026-11-30-prior-network.md).
    pub prior: f32,
    /// Share of the prior's mass, 0 to 1, that is spread evenly over the legal moves, so that a
    /// plainly written move is believed however odd it is.
    pub uniform_mix: f32,
    /// Nats of a move whose cell says something else.
    pub garbage: f32,
    /// Nats of a written cell that is no move of the game. On HCS dev, cells say nothing of the
    /// game three times in 2,752 moves.
    pub skip: f32,
    /// Nats of a struck-out cell that is no move of the game.
    pub skip_struck: f32,
    /// Nats of a blank cell, above the last written one, that is no move of the game.
    pub skip_blank: f32,
    /// The same for each cell of a row that is empty throughout. It is what a move left out there
    /// costs, so that no moves are supplied where the game goes on without them.
    pub skip_blank_row: f32,
    /// The same for each cell of an empty row below another one: who leaves rows empty leaves
    /// several.
    pub skip_blank_next: f32,
    /// Nats, beyond the misfit of the two writings, of a cell that is no move of the game since its
    /// row repeats the one above, or some rows repeat as many above them.
    pub skip_repeated: f32,
    /// The same for two rows that repeat the two above: so does a position that is repeated, whose
    /// moves must cost less to play.
    pub skip_repeated_pair: f32,
    /// Largest misfit, in nats a cell, of rows that repeat others. Two writings that differ in a
    /// character of which the reader is sure have about 7.
    pub max_repeat_misfit: f32,
    /// Whether cells may hold other writing beside their moves: clock times, dashes, draw offers.
    /// The decoder tries it where a game cannot be read to its end otherwise.
    pub asides: bool,
    /// Nats of other writing before a move, and the same behind it.
    pub aside: f32,
    /// By how many nats a record must be explained better with asides than without. Chosen by eye;
    /// the sheet of `data/fresh` with clock times has 16.
    pub min_asides_gain: f32,
    /// By how many nats a move must fit its cell better with asides than without, so that an aside
    /// explains the cell. Chosen by eye.
    pub min_habit_gain: f32,
    /// Smallest number of moves whose cells asides explain that shows a habit of them. Simulated
    /// sheets with scribbled rows have at most 2. The sheet of `data/fresh` with a clock time in
    /// nearly every cell has 7 to 9, since the reader passes over most of the times.
    pub min_habit_moves: usize,
    /// How many more plies than without asides a game must have that is cut before a gap all the
    /// same. In simulated sheets with scribbled rows these games have up to 3 more, none of which
    /// was played; the sheet of `data/fresh` with a clock time in every cell has 63.
    pub min_added_plies_before_gap: usize,
    /// Nats of a move whose cell was left blank or holds nothing that can be read.
    pub blank: f32,
    /// Nats of a move that the player left out, the next one standing in its cell. On HCS dev,
    /// moves are left out eight times in 2,752.
    pub missing: f32,
    /// Nats of a second move left out right after it: players leave out whole rows.
    pub missing_next: f32,
    /// Nats of a game that changes, between two rows, which player's column is read first.
    pub swap: f32,
    /// Nats of a move that stands in the other player's column: of two ways to explain the same
    /// cells, the one that shifts fewer moves is taken.
    pub shifted_column: f32,
    /// Nats, for each copy, of a move that stands in another copy while this one goes on without a
    /// cell for it.
    pub absent: f32,
    /// Weight of each further copy relative to the first, 0 to 1. Copies are not independent: the
    /// players look at the same board and, now and then, at each other's sheet.
    pub copy_weight: f32,
    /// Nats of each written cell from which on the record is given up.
    pub unread: f32,
    /// Nats of giving up the record before its last cell.
    pub cut: f32,
    /// Nats of each of the first written cells after the end of the game: words and signatures.
    pub after_end: f32,
    /// Nats of a word that ends a game ("resigns") and is known by its beginning only.
    pub word_prefix: f32,
    /// Nats of an end mark that is the best string of its cell; a lower probability is raised to
    /// `e^-end_mark_read`.
    pub end_mark_read: f32,
    /// Smallest number of moves in which a writer has a letter of another language, for each of
    /// two pieces, if he is taken to mix that language with his own.
    pub min_second_language_moves: u16,
    /// Share of a character's probability, 0 to 1, that goes to the others of its kind: files,
    /// ranks, capitals.
    pub confusion: f32,
    /// Share of it, 0 to 1, that goes to each character that it is often confused with.
    pub lookalike: f32,
    /// Smallest probability of a character in a frame.
    pub floor: f32,
    /// Temperature of the moves' posteriors: log-weights are divided by it before they are summed.
    pub temperature: f32,
    /// Which moves without writing the game may hold.
    pub gap: GapParameters,
    /// How many games the search keeps and how far it looks.
    pub beam: BeamParameters,
}

impl Default for Costs {
    fn default() -> Self {
        Self {
            prior: 0.6,
            uniform_mix: 0.02,
            garbage: 11.0,
            skip: 11.5,
            skip_struck: 2.0,
            skip_blank: 9.0,
            skip_blank_row: 5.0,
            skip_blank_next: 1.5,
            skip_repeated: 3.0,
            skip_repeated_pair: 4.5,
            max_repeat_misfit: 4.0,
            asides: false,
            aside: 2.0,
            min_asides_gain: 10.0,
            min_habit_gain: 1.0,
            min_habit_moves: 4,
            min_added_plies_before_gap: 12,
            blank: 5.0,
            missing: 10.5,
            missing_next: 5.0,
            swap: 6.0,
            shifted_column: 0.02,
            absent: 2.0,
            copy_weight: 0.7,
            unread: 6.0,
            cut: 5.0,
            after_end: 5.0,
            word_prefix: 0.5,
            end_mark_read: 1.0,
            min_second_language_moves: 2,
            confusion: 0.04,
            lookalike: 0.02,
            floor: 1e-5,
            temperature: 2.0,
            gap: GapParameters::default(),
            beam: BeamParameters::default(),
        }
    }
}

impl Costs {
    /// Probability of other writing before a move.
    pub(super) fn aside_prob(&self) -> f64 {
        if self.asides {
            f64::from(-self.aside).exp()
        } else {
            0.0
        }
    }
}
