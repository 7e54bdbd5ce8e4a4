//! Counts of moves in common opening positions: aggregates over many games, from which no game can be told.

use std::collections::BTreeMap;

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, Position};

/// Openings are counted up to this ply; later positions recur too rarely to count.
pub const BOOK_PLIES: u32 = 20;

/// Weight of the log-linear model against the counts, in games. With n games seen in a position the counts get
/// n / (n + 12); of 4, 8, 12, 20 and 40 this was best on held-out club games.
const MODEL_GAMES: f32 = 12.0;

/// Names a position in the book: 32 bits of its Zobrist hash.
pub fn book_key(position: &Chess) -> u32 {
    let Zobrist64(hash) = position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal);
    (hash >> 32) as u32
}

/// Names a move in the book: from, to and promotion in 16 bits.
pub fn book_move(m: Move) -> u16 {
    let from = m.from().map_or(0, u16::from);
    from | u16::from(m.to()) << 6 | m.promotion().map_or(0, |r| r as u16) << 12
}

/// Counts by position and move.
#[derive(Debug)]
pub struct Book {
    moves: BTreeMap<u32, Vec<(u16, f32)>>,
}

impl Book {
    /// The counts shipped with the program: records of key (u32), move (u16) and count (u16), little-endian.
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

    /// Blends the counts into the model's log-probabilities: Dirichlet smoothing with the model as base measure.
    pub fn blend(&self, position: &Chess, moves: &[Move], log_probabilities: &mut [f32]) {
        let Some(seen) = self.moves.get(&book_key(position)) else {
            return;
        };
        let count_of = |m: Move| {
            seen.iter()
                .find(|(id, _)| *id == book_move(m))
                .map_or(0.0, |(_, n)| *n)
        };
        let total: f32 = moves.iter().map(|&m| count_of(m)).sum();
        for (&m, lp) in moves.iter().zip(log_probabilities) {
            *lp = ((count_of(m) + MODEL_GAMES * lp.exp()) / (total + MODEL_GAMES)).ln();
        }
    }
}
