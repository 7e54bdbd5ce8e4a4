//! Who wrote a copy: in which language, and with what habits. The habits are learned from the game that was found
//! without knowing them.

use shakmaty::{Chess, Move, Position};

use crate::notation::{
    ANY_COORDINATE, ANY_LETTER, Habits, Language, MOVE_SUFFIXES, MoveShape, NotationStyle,
    Spelling, StyleCounts, possible_styles, spellings,
};
use crate::reader::Reading;

use super::lattice::{Line, Step};
use super::record::Record;

/// The writer of a copy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hand {
    pub language: &'static Language,
    pub habits: Habits,
}

/// A hand that does something this much more easily than others, in nats, is read again as its own.
const ODD: f32 = 1.0;

impl Hand {
    /// One of which nothing but the language is known.
    pub(super) fn usual(language: &'static Language) -> Self {
        let habits = Habits::default();
        Self { language, habits }
    }

    /// The writer of one of the copies, by the moves of a game that its cells spell out.
    pub(super) fn of(
        line: &Line,
        record: &Record,
        copies: &[&[Reading]],
        copy: usize,
        language: &'static Language,
    ) -> Self {
        let mut counts = StyleCounts::default();
        let mut position = Chess::default();
        for edge in &line.edges {
            let Step::Move { m, cell, .. } = edge.step else {
                continue;
            };
            let cells = cell.map_or(&[][..], |slot| &record.slots[slot].cells);
            for &(_, at) in cells.iter().filter(|cell| cell.0 == copy) {
                count(&mut counts, &position, m, &copies[copy][at].text, language);
            }
            position.play_unchecked(m);
        }
        let habits = Habits::from_counts(&counts);
        Self { language, habits }
    }

    /// Whether it writes as few do.
    pub(super) fn is_odd(&self) -> bool {
        self.habits.max_discount() >= ODD
    }
}

/// Counts the ways in which a text writes a move, where it does.
fn count(
    counts: &mut StyleCounts,
    position: &Chess,
    m: Move,
    text: &str,
    language: &'static Language,
) {
    let moves = position.legal_moves();
    let Some(at) = moves.iter().position(|&legal| legal == m) else {
        return;
    };
    let shape = MoveShape::for_moves(position, &moves)[at];
    let known = spellings(&shape, language, &Habits::default());
    let Some(written) = written(text, &known) else {
        return;
    };
    let possible = possible_styles(&shape);
    for (way, count) in NotationStyle::ALL.into_iter().zip(counts) {
        if possible.has(way) {
            count[usize::from(written.styles.has(way))] += 1;
        }
    }
}

/// The spelling that a text is, whatever stands behind it.
fn written<'s>(text: &str, spellings: &'s [Spelling]) -> Option<&'s Spelling> {
    let whole = |s: &&Spelling| {
        let behind = text.strip_prefix(s.text.as_str());
        !s.text.contains([ANY_COORDINATE, ANY_LETTER])
            && behind.is_some_and(|rest| MOVE_SUFFIXES.iter().any(|d| d.text == rest))
    };
    let cheapest = |a: &&Spelling, b: &&Spelling| a.cost.total_cmp(&b.cost);
    spellings.iter().filter(whole).min_by(cheapest)
}
