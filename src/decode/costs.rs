//! What the search pays for everything that is not a move read as written.

use serde::{Deserialize, Serialize};

/// Costs in nats, and the weight of the prior. The defaults were chosen on readings of the HCS dev pages and EPFL sheets.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Costs {
    /// Weight of the log-prior against the log-probability of the reading.
    pub prior: f32,
    /// Share of the prior that is spread evenly over the legal moves: what is plainly written is believed, however
    /// odd the move.
    pub uniform_mix: f32,
    /// A move is played whose cell says something else.
    pub garbage: f32,
    /// A cell with ink is no move of the game.
    pub skip: f32,
    /// A struck-out cell is no move of the game.
    pub skip_struck: f32,
    /// A blank cell before the last written one is no move of the game.
    pub skip_blank: f32,
    /// A move is played whose cell was left blank, or holds nothing that can be read.
    pub blank: f32,
    /// A move was left out, and the next stands in its cell.
    pub missing: f32,
    /// Another one right after it: players leave out whole rows.
    pub missing_next: f32,
    /// From some row on the players' columns are swapped.
    pub swap: f32,
    /// A move stands in one copy, and another copy that goes on has no cell for it.
    pub absent: f32,
    /// Each written cell from which on the record is given up.
    pub unread: f32,
    /// Giving up the record before its last cell.
    pub cut: f32,
    /// A written cell after the game is over.
    pub after_end: f32,
    /// Share of a character's probability that goes to others of its kind.
    pub confusion: f32,
    /// Share that goes to each of the characters it is often confused with.
    pub lookalike: f32,
    /// Least probability of a character in a frame.
    pub floor: f32,
    /// Divides log-weights before shares are computed.
    pub temperature: f32,
}

impl Default for Costs {
    fn default() -> Self {
        Self {
            prior: 0.65,
            uniform_mix: 0.02,
            garbage: 11.0,
            skip: 11.5,
            skip_struck: 2.0,
            skip_blank: 9.0,
            blank: 5.0,
            missing: 10.5,
            missing_next: 5.0,
            swap: 6.0,
            absent: 2.0,
            unread: 6.0,
            cut: 5.0,
            after_end: 5.0,
            confusion: 0.04,
            lookalike: 0.02,
            floor: 1e-5,
            temperature: 2.0,
        }
    }
}
