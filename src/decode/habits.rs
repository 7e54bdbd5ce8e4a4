//! Learns the letters and habits of a copy's writer from the best path of a search that did not
//! know them.

use shakmaty::{Chess, Move, Position, Role};

use crate::notation::{
    ANY_COORDINATE, ANY_LETTER, Habits, LANGUAGES, Language, MOVE_SUFFIXES, MoveShape,
    NotationStyle, Spelling, StyleCounts, possible_styles, spellings,
};
use crate::reader::Reading;

use super::path::{Path, Step};
use super::record::Record;
use super::writer::{SecondLanguage, Writer};

/// A move of a path, and what is read in the copy's cell for it.
pub(super) struct WrittenMove<'a> {
    shape: MoveShape,
    text: &'a str,
}

/// The moves of a path that stand in cells of one of the copies.
pub(super) fn moves_of_copy<'a>(
    path: &Path,
    record: &Record,
    copies: &[&'a [Reading]],
    copy: usize,
) -> Vec<WrittenMove<'a>> {
    let mut moves = Vec::new();
    let mut position = Chess::default();
    for edge in &path.edges {
        let Step::Move { m, .. } = edge.step else {
            continue;
        };
        let cells = edge
            .step
            .slot()
            .map_or(&[][..], |slot| &record.slots[slot].cells);
        for cell in cells.iter().filter(|cell| cell.copy == copy) {
            let text = copies[copy][cell.index].text.as_str();
            let shape = shape_of(&position, m);
            moves.extend(shape.map(|shape| WrittenMove { shape, text }));
        }
        position.play_unchecked(m);
    }
    moves
}

/// The shape of a legal move; none for any other.
fn shape_of(position: &Chess, m: Move) -> Option<MoveShape> {
    let moves = position.legal_moves();
    let at = moves.iter().position(|&legal| legal == m)?;
    Some(MoveShape::for_moves(position, &moves)[at])
}

/// Smallest number of pieces for which a writer has letters of a second language. By one letter
/// alone a language cannot be told from a letter that the reader misreads.
const MIN_SECOND_LETTERS: usize = 2;

/// The writer of some moves, who writes in a language. He mixes a second one with it if at least
/// two pieces have the letter of that one in at least `min_moves` moves each.
pub(super) fn learn_writer(
    moves: &[WrittenMove],
    language: &'static Language,
    min_moves: u16,
) -> Writer {
    let mut styles = StyleCounts::default();
    let mut letters = LetterCounts::default();
    for &WrittenMove { shape, text } in moves {
        let spellings = spellings(&shape, language, &Habits::default());
        if let Some(spelling) = find_spelling(text, &spellings) {
            count_styles(&mut styles, &shape, spelling);
            letters.first[shape.role as usize] += 1;
        } else {
            letters.count_second(shape.role, text, language, &spellings);
        }
    }
    Writer {
        language,
        second: letters.second_language(language, min_moves),
        habits: Habits::from_counts(&styles),
    }
}

/// Counts in which of the possible styles a spelling of a move is.
fn count_styles(counts: &mut StyleCounts, shape: &MoveShape, spelling: &Spelling) {
    let possible = possible_styles(shape);
    for (style, count) in NotationStyle::ALL.into_iter().zip(counts) {
        if possible.has(style) {
            count[usize::from(spelling.styles.has(style))] += 1;
        }
    }
}

/// Numbers of moves by piece or pawn.
type ByRole = [u16; Role::ALL.len() + 1];

/// How many moves have the letters of which language.
#[derive(Default)]
struct LetterCounts {
    /// Moves that the writer's first language spells, by piece.
    first: ByRole,
    /// Moves that only another letter for the piece spells, by the language that has this letter,
    /// in the order of [`LANGUAGES`], and by piece.
    second: [ByRole; LANGUAGES.len()],
}

impl LetterCounts {
    /// Counts a move that the first language does not spell for those languages with whose letter
    /// it would be spelt. Letters of the first language do not count, since they are more often
    /// misread: HCS page 070_0 has nine rooks whose R is read as B, the Lithuanian rook.
    /// `spellings` are those of the first language.
    fn count_second(&mut self, role: Role, text: &str, first: &Language, spellings: &[Spelling]) {
        for (counts, second) in self.second.iter_mut().zip(LANGUAGES) {
            let is_new = |form: &&str| Role::ALL.iter().all(|&r| first.letters(r) != *form);
            let mut forms = second.forms(role).filter(is_new);
            let rest = forms.find_map(|form| text.strip_prefix(form));
            let is_spelt = rest.is_some_and(|rest| {
                find_spelling(&format!("{}{rest}", first.letters(role)), spellings).is_some()
            });
            counts[role as usize] += u16::from(role != Role::Pawn && is_spelt);
        }
    }

    /// The language of which most moves have letters, if two pieces have them in `min_moves` moves
    /// each, and its share of the moves of pieces whose letters differ in the two, half a move
    /// added to either side.
    fn second_language(&self, first: &Language, min_moves: u16) -> Option<SecondLanguage> {
        let letters = |counts: &ByRole| counts.iter().filter(|&&moves| moves >= min_moves).count();
        let (counts, language) = (self.second.iter().zip(LANGUAGES))
            .filter(|(counts, _)| letters(counts) >= MIN_SECOND_LETTERS)
            .rev()
            .max_by_key(|(counts, _)| counts.iter().sum::<u16>())?;
        let of_second: u16 = counts.iter().sum();
        let of_first: u16 = Role::ALL
            .into_iter()
            .filter(|&role| first.letters(role) != language.letters(role))
            .map(|role| self.first[role as usize])
            .sum();
        let share = (f32::from(of_second) + 0.5) / (f32::from(of_second + of_first) + 1.0);
        Some(SecondLanguage { language, share })
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
