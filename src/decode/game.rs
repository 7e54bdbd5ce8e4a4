//! What the decoder puts out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move, Position};

use crate::grid::CellId;
use crate::notation::Outcome;

use super::confidence::ConfidenceFeatures;
use super::writer::Writer;

/// One move of a decoded game.
#[derive(Debug, Clone, PartialEq)]
pub struct Ply {
    /// SAN with `+` and `#`.
    pub san: String,
    /// UCI; castling is the king's step of two squares.
    pub uci: String,
    /// Probability, 0 to 1, that this move was played.
    pub confidence: f32,
    /// What the confidence was computed from.
    pub features: ConfidenceFeatures,
    /// Whether a person should look at it.
    pub review: bool,
    /// Whether a person has read it.
    pub settled: bool,
    /// Whether a person has looked at its cell and could not read it either.
    pub seen: bool,
    /// Other moves for this ply as SAN, with their probabilities, best first.
    pub alternatives: Vec<(String, f32)>,
    /// The cells that the move stands in: index of the sheet, and its cell. Empty for a move that
    /// the players left out.
    pub cells: Vec<(usize, CellId)>,
}

/// Why a person should look at a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReviewReason {
    /// It is not probable enough.
    Low,
    /// No cell speaks for it: the players left it out.
    NoCell,
    /// The copies read differently.
    CopiesDiffer,
    /// Its cell reads like something else, or like nothing.
    CellUnread,
}

/// Why a cell's writing is not in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UnreadReason {
    /// The reader is sure of the text, and no legal move explains it.
    Illegal,
    /// The reader is not sure of the text.
    Illegible,
    /// It is struck out.
    CrossedOut,
    /// It stands after the end of the game.
    AfterTheEnd,
    /// It belongs to another game that begins further down.
    SecondGame,
    /// It stands behind a gap in the record, over which the game cannot be followed.
    BehindGap,
}

/// A cell with ink that no ply uses.
#[derive(Debug, Clone, PartialEq)]
pub struct Unread {
    /// Index of the sheet.
    pub sheet: usize,
    /// The cell.
    pub cell: CellId,
    /// Why it was not used.
    pub reason: UnreadReason,
}

/// A gap in the record: rows left empty, ticked or scribbled, over which nobody can follow the
/// game. The game ends before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// Index of the sheet, and its first cell of the gap.
    pub first: (usize, CellId),
    /// The first and the last cell of a stretch behind the gap that can be followed again from some
    /// position.
    pub resumed: Option<[(usize, CellId); 2]>,
}

/// A decoded game.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// The moves, from the first.
    pub plies: Vec<Ply>,
    /// Whether the record could be followed to its end.
    pub complete: bool,
    /// ISO 639-1 code of the notation language of each sheet; `en+tr` where the writer mixes two,
    /// and the letters themselves where a person has given them.
    pub languages: Vec<String>,
    /// The writer of each sheet.
    pub(crate) writers: Vec<Writer>,
    /// Whether cells were read as holding more than their moves, as clock times.
    pub has_asides: bool,
    /// The result by the board or by the sheet.
    pub outcome: Outcome,
    /// Cells with ink that are in no ply.
    pub unread: Vec<Unread>,
    /// The gap before which the game was cut, if it was.
    pub gap: Option<Gap>,
    /// The next likeliest games, best first, as many as were asked for.
    pub runners_up: Vec<RunnerUp>,
    /// How well the game explains what was read, in nats: log-likelihood of the readings, with the
    /// prior of the moves and the costs of what is written amiss.
    pub weight: f32,
}

/// A game that would have been put out, had the best one not been likelier.
#[derive(Debug, Clone, PartialEq)]
pub struct RunnerUp {
    /// Its moves in SAN with `+` and `#`.
    pub sans: Vec<String>,
    /// How many nats its weight is less than that of the best one.
    pub behind: f32,
}

impl Game {
    /// Expected number of cells whose move is right: each move counts its confidence once for each
    /// of its cells.
    pub(crate) fn sure_cells(&self) -> f32 {
        let plies = self.plies.iter();
        plies.map(|p| p.confidence * p.cells.len() as f32).sum()
    }

    /// The position before each ply, and its move.
    pub(crate) fn moves(&self) -> impl Iterator<Item = (Chess, Move)> {
        self.plies.iter().scan(Chess::default(), |position, ply| {
            let san = ply.san.parse::<SanPlus>().ok();
            let m = san.and_then(|parsed| parsed.san.to_move(position).ok());
            let m = m.expect("the moves of a game are legal");
            let before = position.clone();
            position.play_unchecked(m);
            Some((before, m))
        })
    }

    /// A game of which nothing is known.
    pub(super) fn empty() -> Self {
        Self {
            plies: Vec::new(),
            complete: false,
            languages: Vec::new(),
            writers: Vec::new(),
            has_asides: false,
            outcome: Outcome::Unknown,
            unread: Vec::new(),
            gap: None,
            runners_up: Vec::new(),
            weight: 0.0,
        }
    }
}
