//! A record found in a text: its moves, and how it ends.

use shakmaty::{Chess, Position};

use crate::notation::EndMark;

use super::move_sequence::MoveSequence;

/// Why a record is not followed to its end, with the index of the word in question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordBreak {
    /// The word is no legal move.
    Illegal(usize),
    /// The word stands where the next move should be, and the record goes on after it.
    Missing(usize),
    /// The number of the word is not that of the next move.
    Number(usize),
    /// The word is the next move, and stands behind an end of the game.
    BehindEnd(usize),
}

impl RecordBreak {
    /// The index of the word in question.
    pub fn word(self) -> usize {
        let (Self::Illegal(at) | Self::Missing(at) | Self::Number(at) | Self::BehindEnd(at)) = self;
        at
    }
}

/// A record found in a text.
#[derive(Debug, Clone)]
pub(super) struct TypedRecord {
    /// Index of the first word.
    pub start: usize,
    /// Index of the word before which it must have ended.
    pub end: usize,
    /// The position that it begins from.
    pub first: Chess,
    /// The moves; none where not even the first can be played.
    pub moves: MoveSequence,
    /// Why the record is not followed to its end.
    pub broken: Option<RecordBreak>,
    /// The end marks after the last move.
    pub marks: Vec<EndMark>,
}

impl TypedRecord {
    /// A record whose first word cannot be played in a position.
    pub fn unplayable(start: usize, first: &Chess) -> Self {
        Self {
            start,
            end: start,
            first: first.clone(),
            moves: MoveSequence {
                steps: Vec::new(),
                score: 0.0,
                next: 1,
                ambiguity: None,
            },
            broken: Some(RecordBreak::Illegal(start)),
            marks: Vec::new(),
        }
    }

    /// The position after its moves.
    pub fn replay(&self) -> Chess {
        let mut position = self.first.clone();
        for step in &self.moves.steps {
            position.play_unchecked(step.m);
        }
        position
    }

    /// Index of the word of the last move.
    pub fn last(&self) -> usize {
        self.moves.steps.last().map_or(self.start, |step| step.word)
    }
}

/// The end mark that is written onto a move, as in `Dxf2#0-1`.
pub(super) fn attached_mark(text: &str) -> Option<EndMark> {
    const MARKS: [(&str, EndMark); 5] = [
        ("1-0", EndMark::WhiteWins),
        ("0-1", EndMark::BlackWins),
        ("½", EndMark::Draw),
        ("1/2", EndMark::Draw),
        ("abb.", EndMark::LoserHere),
    ];
    MARKS
        .iter()
        .find(|(mark, _)| text.ends_with(mark))
        .map(|(_, mark)| *mark)
}
