//! How club players move: log P(move | position), from a log-linear model and counts of common openings.
//!
//! Weights are fitted by `models/train/fit_prior.py` on games that it splits by game; the features are computed here
//! both for fitting (`examples/prior_features.rs`) and for use, so the two cannot differ.

mod book;
mod features;

use shakmaty::{Chess, Color, Move, Position, Square};

pub use book::{BOOK_PLIES, book_key, book_move};
pub use features::{COUNT, Scene};

use book::Book;

/// The moves that led to a position, as far as the prior looks back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Context {
    /// From and to of the opponent's last move.
    pub enemy: Option<(Square, Square)>,
    /// Whether that move captured.
    pub enemy_captured: bool,
    /// From and to of the mover's own last move.
    pub own: Option<(Square, Square)>,
}

impl Context {
    /// The context after one more move.
    pub fn after(self, m: Move) -> Self {
        Self {
            enemy: m.from().map(|from| (from, m.to())),
            enemy_captured: m.is_capture(),
            own: self.enemy,
        }
    }
}

/// The fitted model.
#[derive(Debug)]
pub struct Prior {
    weights: Vec<f32>,
    book: Book,
}

impl Prior {
    /// The model that is shipped with the program.
    pub fn embedded() -> Self {
        let mut weights: Vec<f32> = include_str!("weights.txt")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .flat_map(str::split_whitespace)
            .map(|w| w.parse::<i32>().map_or(0.0, |w| w as f32 / 100.0))
            .collect();
        weights.resize(COUNT, 0.0);
        Self {
            weights,
            book: Book::embedded(),
        }
    }

    /// Natural log-probabilities of the legal moves, in their order; they sum to one in probability.
    pub fn log_probabilities(
        &self,
        position: &Chess,
        moves: &[Move],
        context: Context,
    ) -> Vec<f32> {
        let scene = Scene::new(position, context);
        let mut indices = Vec::with_capacity(32);
        let mut scores: Vec<f32> = moves
            .iter()
            .map(|&m| {
                indices.clear();
                scene.features(m, &mut indices);
                indices.iter().map(|&i| self.weights[usize::from(i)]).sum()
            })
            .collect();
        let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let total = scores.iter().map(|s| (s - top).exp()).sum::<f32>().ln() + top;
        for score in &mut scores {
            *score -= total;
        }
        if ply(position) < BOOK_PLIES {
            self.book.blend(position, moves, &mut scores);
        }
        scores
    }
}

/// Plies played before a position, by its own counter.
fn ply(position: &Chess) -> u32 {
    (position.fullmoves().get() - 1) * 2 + u32::from(position.turn() == Color::Black)
}
