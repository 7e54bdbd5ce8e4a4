//! Learns the habits of a copy's writer from the best path of a search that did not know them.

use shakmaty::{Chess, Move, Position};

use crate::notation::{
    ANY_COORDINATE, ANY_LETTER, Habits, Language, MOVE_SUFFIXES, MoveShape, NotationStyle,
    Spelling, StyleCounts, possible_styles, spellings,
};
use crate::reader::Reading;

use super::lattice::{Path, Step};
use super::record::Record;
use super::writer::Writer;

/// The writer of one of the copies, by the moves of a path that its cells spell out.
pub(super) fn learn_writer(
    path: &Path,
    record: &Record,
    copies: &[&[Reading]],
    copy: usize,
    language: &'static Language,
) -> Writer {
    let mut counts = StyleCounts::default();
    let mut position = Chess::default();
    for edge in &path.edges {
        let Step::Move { m, slot, .. } = edge.step else {
            continue;
        };
        let cells = slot.map_or(&[][..], |slot| &record.slots[slot].cells);
        for cell in cells.iter().filter(|cell| cell.copy == copy) {
            let text = &copies[copy][cell.index].text;
            count_styles(&mut counts, &position, m, text, language);
        }
        position.play_unchecked(m);
    }
    Writer {
        language,
        habits: Habits::from_counts(&counts),
    }
}

/// StyleCounts in which of the possible styles a text writes a move, where it is a spelling of it.
fn count_styles(
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
    let spellings = spellings(&shape, language, &Habits::default());
    let Some(spelling) = find_spelling(text, &spellings) else {
        return;
    };
    let possible = possible_styles(&shape);
    for (way, count) in NotationStyle::ALL.into_iter().zip(counts) {
        if possible.has(way) {
            count[usize::from(spelling.styles.has(way))] += 1;
        }
    }
}

/// The cheapest spelling that a text consists of, but for a suffix such as `+` behind it.
fn find_spelling<'s>(text: &str, spellings: &'s [Spelling]) -> Option<&'s Spelling> {
    let matches = |s: &&Spelling| {
        let suffix = text.strip_prefix(s.text.as_str());
        !s.text.contains([ANY_COORDINATE, ANY_LETTER])
            && suffix.is_some_and(|suffix| MOVE_SUFFIXES.iter().any(|d| d.text == suffix))
    };
    let by_cost = |a: &&Spelling, b: &&Spelling| a.cost.total_cmp(&b.cost);
    spellings.iter().filter(matches).min_by(by_cost)
}
