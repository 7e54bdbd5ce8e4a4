//! How often each move was played in common opening positions.
//!
//! The counts are sums over many games, so that no single game can be recovered from them.

use std::collections::BTreeMap;

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, Position};

/// Number of plies from the start for which moves are counted; later positions recur too rarely.
pub const MAX_BOOK_PLIES: u32 = 20;

/// Weight of the log-linear model against the counts, in games: where a position occurred in n
/// games, the counts weigh n / (n + 12). Of 4, 8, 12, 20 and 40 this was best on held-out club
/// games.
const MODEL_WEIGHT_GAMES: f32 = 12.0;

/// The key of a position in the book: the upper 32 bits of its Zobrist hash.
pub fn book_key(position: &Chess) -> u32 {
    let Zobrist64(hash) = position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal);
    (hash >> 32) as u32
}

/// The id of a move in the book: departure square (6 bits), target square (6 bits, the rook's in
/// castling) and promotion (4 bits), the first in the lowest bits.
pub fn book_move_id(m: Move) -> u16 {
    let from = m.from().map_or(0, u16::from);
    from | u16::from(m.to()) << 6 | m.promotion().map_or(0, |r| r as u16) << 12
}

/// The counts by position and move.
#[derive(Debug)]
pub struct Book {
    /// For each position, by its key: the ids of its moves with the number of games.
    moves: BTreeMap<u32, Vec<(u16, f32)>>,
}

impl Book {
    /// The counts that are built into the program: records of key (u32), move id (u16) and count
    /// (u16), little-endian.
    pub fn embedded() -> Self {
        let mut moves: BTreeMap<u32, Vec<(u16, f32)>> = BTreeMap::new();
        for record in include_bytes!("openings.bin").chunks_exact(8) {
            let key = u32::from_le_bytes([record[0], record[1], record[2], record[3]]);
            let m = u16::from_le_bytes([record[4], record[5]]);
            let count = u16::from_le_bytes([record[6], record[7]]);
            moves.entry(key).or_default().push((m, f32::from(count)));
        }
        Self { moves }
    }

    /// Blends the counts into the model's log-probabilities of all legal moves, by Dirichlet
    /// smoothing with the model as base measure:
    /// P = (count + 12 P_model) / (sum of the counts + 12).
    pub fn blend(&self, position: &Chess, moves: &[Move], log_probabilities: &mut [f32]) {
        let Some(counts) = self.moves.get(&book_key(position)) else {
            return;
        };
        let count_of = |m: Move| {
            counts
                .iter()
                .find(|(id, _)| *id == book_move_id(m))
                .map_or(0.0, |(_, n)| *n)
        };
        let total: f32 = moves.iter().map(|&m| count_of(m)).sum();
        for (&m, lp) in moves.iter().zip(log_probabilities) {
            *lp =
                ((count_of(m) + MODEL_WEIGHT_GAMES * lp.exp()) / (total + MODEL_WEIGHT_GAMES)).ln();
        }
    }
}
