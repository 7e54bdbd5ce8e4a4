//! The moves of a record, each with the word that it was read from.

use shakmaty::{Chess, Color, Move, Position};

use super::words::TypedWord;

/// A move read from a word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TypedMove {
    /// The move.
    pub m: Move,
    /// Index of the word.
    pub word: usize,
}

/// The moves of a record as far as it can be followed.
#[derive(Debug, Clone)]
pub(super) struct MoveSequence {
    /// The moves, from the first.
    pub steps: Vec<TypedMove>,
    /// The score in nats.
    pub score: f32,
    /// The number of the next move as the text counts.
    pub next: u32,
    /// The first ply that the text leaves open, with two moves that it can mean; the moves from
    /// there on are not certain.
    pub ambiguity: Option<(usize, [Move; 2])>,
}

impl MoveSequence {
    /// The moves before the first whose number jumps ahead, if those after it count on from there:
    /// moves are missing then. A number that is wrong alone is a slip.
    pub fn before_jump(mut self, words: &[TypedWord], first: &Chess) -> Self {
        let black_first = usize::from(first.turn() == Color::Black);
        let board =
            |ply: usize| i64::from(first.fullmoves().get()) + ((ply + black_first) / 2) as i64;
        let numbered = self.steps.iter().enumerate().filter_map(|(ply, step)| {
            let value = words[step.word].number.and_then(|number| number.value)?;
            Some((ply, i64::from(value) - board(ply)))
        });
        let ahead: Vec<(usize, i64)> = numbered.collect();
        let jump = ahead.windows(2).enumerate().find(|(i, pair)| {
            let after = ahead.get(i + 2).map(|(_, by)| *by);
            pair[1].1 > pair[0].1 && after.is_none_or(|by| by >= pair[1].1)
        });
        if let Some((_, &[(_, by), (ply, _)])) = jump {
            self.steps.truncate(ply);
            self.ambiguity = self.ambiguity.filter(|(at, _)| *at < ply);
            self.next = (board(ply) + by).max(0) as u32;
        }
        self
    }
}
