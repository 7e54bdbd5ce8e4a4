//! A move of a game.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::CellRecord;
use crate::decode::ReviewReason;

/// One move of one side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlyRecord {
    /// Number of the ply: White's first move is 1, Black's first is 2.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub ply: usize,
    /// The move in SAN, English letters, with `+` and `#`.
    pub san: String,
    /// The move in UCI; castling is the king's step over two squares.
    #[serde(default)]
    pub uci: String,
    /// Probability that this move was played, to four decimals.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: f64,
    /// Whether a person should look at it.
    pub review: bool,
    /// Why; left out where nobody need look at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<ReviewReason>,
    /// Whether a person has read it (`--fix`); left out where not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub settled: bool,
    /// Whether a person has looked at its cell and could not read it either; left out where not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub seen: bool,
    /// Other moves that may have been played, likeliest first.
    #[serde(default)]
    pub alternatives: Vec<Alternative>,
    /// The cells that the move was read from, at most one a sheet. It is empty for a move that the
    /// players left out.
    #[serde(default)]
    pub cells: Vec<CellRecord>,
}

/// Another move for the same ply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Alternative {
    /// The move in SAN.
    pub san: String,
    /// Probability that it was played, to four decimals.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: f64,
}
