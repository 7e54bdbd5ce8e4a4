//! What a typed word means in a position: the legal moves of which it is a spelling.

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use shakmaty::{CastlingSide, Chess, Move, Position, Role};
use smol_str::SmolStr;

use crate::notation::{
    ANY_COORDINATE, ANY_LETTER, Habits, Language, MOVE_SUFFIXES, MoveShape, MoveSuffix, Spelling,
    Stem, figurines, is_capture_mark, is_file, is_rank, spellings, stems,
};

use super::numeric::NumericMove;

/// Largest cost in nats above the cheapest meaning of a word at which another meaning is kept.
///
/// The cost of a bare `e5` as the capture `dxe5` is 5.5 above that of the move `e5`, that of `bxc4`
/// as a bishop's capture 6.0 above that of a pawn's. The moves that a missing disambiguation leaves
/// open are within 0.5 of each other.
const MAX_COST_ABOVE_BEST: f32 = 3.0;

/// Largest number of move shapes whose spellings are kept; a game has some two thousand.
const MAX_CACHED_SHAPES: usize = 8192;

/// Largest number of words whose meanings as the first move are kept.
const MAX_CACHED_FIRST_MOVES: usize = 8192;

/// A legal move that a word can mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Meaning {
    /// The move.
    pub m: Move,
    /// The cost in nats of writing it as this word.
    pub cost: f32,
}

/// Interprets typed words as moves in one language.
#[derive(Debug)]
pub(super) struct MoveInterpreter {
    language: &'static Language,
    /// For each shape, the texts that say which move is meant, with their costs in nats.
    texts: HashMap<MoveShape, Rc<HashMap<SmolStr, f32>>>,
    first_moves: HashMap<String, Vec<Meaning>>,
}

impl MoveInterpreter {
    pub(super) fn new(language: &'static Language) -> Self {
        Self {
            language,
            texts: HashMap::new(),
            first_moves: HashMap::new(),
        }
    }

    /// What a word means as the first move of a game from the usual position.
    pub(super) fn interpret_first(&mut self, word: &str) -> Vec<Meaning> {
        if let Some(cached) = self.first_moves.get(word) {
            return cached.clone();
        }
        let meanings = self.interpret(&Chess::default(), word);
        if self.first_moves.len() == MAX_CACHED_FIRST_MOVES {
            self.first_moves.clear();
        }
        self.first_moves.insert(word.to_owned(), meanings.clone());
        meanings
    }

    /// What a word means in a position, in the order of the legal moves. A wrong disambiguation is
    /// accepted if the word has no other meaning and one move is left.
    pub(super) fn interpret(&mut self, position: &Chess, word: &str) -> Vec<Meaning> {
        let legal = position.legal_moves();
        if let Some(numeric) = NumericMove::parse(word) {
            let meant = legal.iter().filter(|m| numeric.means(m));
            return meant.map(|&m| Meaning { m, cost: 0.0 }).collect();
        }
        let stems = stems(word);
        let shapes = MoveShape::for_moves(position, &legal);
        let (mut meanings, mut misplaced) = (Vec::new(), Vec::new());
        for (&m, shape) in legal.iter().zip(&shapes) {
            let texts = self.texts(shape);
            let to_rank = shape.to.rank().char();
            let candidates = || {
                stems
                    .iter()
                    .filter(|stem| stem.text.contains(to_rank) || !stem.text.contains(is_rank))
            };
            let cost = |stem: &Stem| Some(texts.get(stem.text)? + suffix_cost(stem, shape));
            if let Some(cost) = candidates().filter_map(cost).min_by(f32::total_cmp) {
                meanings.push(Meaning { m, cost });
            } else if meanings.is_empty() {
                let cost = |stem: &Stem| {
                    Some(wrong_coordinate_cost(stem, &texts)? + suffix_cost(stem, shape))
                };
                let cost = candidates().filter_map(cost).min_by(f32::total_cmp);
                misplaced.extend(cost.map(|cost| Meaning { m, cost }));
            }
        }
        if meanings.is_empty() && misplaced.len() == 1 {
            return misplaced;
        }
        let best = meanings
            .iter()
            .map(|meaning| meaning.cost)
            .fold(f32::INFINITY, f32::min);
        meanings.retain(|meaning| meaning.cost <= best + MAX_COST_ABOVE_BEST);
        meanings
    }

    /// The texts that say which move of a shape is meant, with their costs in nats.
    fn texts(&mut self, shape: &MoveShape) -> Rc<HashMap<SmolStr, f32>> {
        if let Some(cached) = self.texts.get(shape) {
            return Rc::clone(cached);
        }
        if self.texts.len() == MAX_CACHED_SHAPES {
            self.texts.clear();
        }
        let texts = spellings(shape, self.language, &Habits::default())
            .into_iter()
            .filter(|spelling| is_complete(shape, self.language, spelling))
            .map(|spelling| (spelling.text, spelling.cost));
        let texts = Rc::new(texts.collect());
        self.texts.insert(*shape, Rc::clone(&texts));
        texts
    }
}

/// The cost in nats of a word's suffixes behind a move of this shape.
fn suffix_cost(stem: &Stem, shape: &MoveShape) -> f32 {
    let cost =
        |suffix: &MoveSuffix| suffix.cost(shape.check, shape.captured.is_some(), shape.en_passant);
    match stem.suffixes.as_slice() {
        [] => cost(&MOVE_SUFFIXES[0]),
        suffixes => suffixes.iter().map(|suffix| cost(suffix)).sum(),
    }
}

/// The cost in nats of a text in which a file or rank of the stem is a wrong disambiguation.
fn wrong_coordinate_cost(stem: &Stem, texts: &HashMap<SmolStr, f32>) -> Option<f32> {
    let coordinates = stem
        .text
        .char_indices()
        .filter(|(_, c)| is_file(*c) || is_rank(*c));
    let costs = coordinates.filter_map(|(i, c)| {
        let (before, after) = (&stem.text[..i], &stem.text[i + c.len_utf8()..]);
        let text = format!("{before}{ANY_COORDINATE}{after}");
        texts.get(text.as_str()).copied()
    });
    costs.min_by(f32::total_cmp)
}

/// Whether a spelling says which move is meant.
///
/// The spellings also have slips of the pen and mistakes of the reader: a wrong letter, half a
/// target square, castling with a sign too few. In a typed text these are not taken for the move.
fn is_complete(shape: &MoveShape, language: &Language, spelling: &Spelling) -> bool {
    let text = spelling.text.as_str();
    if text.contains(ANY_LETTER) {
        return false;
    }
    if let Some(side) = shape.castling {
        let signs = text.chars().filter(|c| "O0o".contains(*c)).count();
        let expected = match side {
            CastlingSide::KingSide => 2,
            CastlingSide::QueenSide => 3,
        };
        return signs == expected || text.contains(is_rank);
    }
    let target = shape.to.to_string();
    let names_target = |rest: &str| without_accents(rest).to_lowercase().contains(&target);
    if shape.role == Role::Pawn {
        if text.starts_with(ANY_COORDINATE) && shape.captured.is_none() {
            return false;
        }
        return names_target(text) || (!text.contains(is_rank) && names_both_files(text));
    }
    if text.starts_with(&shape.from.to_string()) {
        return names_target(&text[2..]);
    }
    let Some(rest) = strip_piece(text, shape.role, language) else {
        return false;
    };
    let names_captured = rest
        .chars()
        .next_back()
        .is_some_and(|c| !is_file(c) || c.is_uppercase());
    names_target(rest)
        || (!rest.contains(is_rank) && rest.contains(is_capture_mark) && names_captured)
}

fn without_accents(text: &str) -> Cow<'_, str> {
    if text.contains('é') {
        Cow::Owned(text.replace('é', "e"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether a pawn capture without ranks names two files or pieces: `ed`, `dxe` and `PxP` do, `ex`
/// does not.
fn names_both_files(text: &str) -> bool {
    text.chars().count() > 1 && !text.ends_with(is_capture_mark) && !text.ends_with(ANY_COORDINATE)
}

/// What stands behind the letter or figurine of a piece at the start of a text.
fn strip_piece<'a>(text: &'a str, role: Role, language: &Language) -> Option<&'a str> {
    let letters = language
        .forms(role)
        .flat_map(|letter| [letter.to_owned(), letter.to_lowercase()]);
    letters
        .chain(figurines(role).map(String::from))
        .find_map(|piece| text.strip_prefix(&piece))
}

#[cfg(test)]
mod tests {
    use shakmaty::san::San;

    use super::*;

    fn position(moves: &str) -> Chess {
        let mut position = Chess::default();
        for san in moves.split_whitespace() {
            let san: San = san.parse().expect("SAN");
            position.play_unchecked(san.to_move(&position).expect("a legal move"));
        }
        position
    }

    /// The SAN of the moves that a word means after some moves.
    fn meanings(moves: &str, language: &str, word: &str) -> Vec<String> {
        let position = position(moves);
        let language = Language::from_code(language).expect("a known code");
        MoveInterpreter::new(language)
            .interpret(&position, word)
            .into_iter()
            .map(|meaning| San::from_move(&position, meaning.m).to_string())
            .collect()
    }

    #[test]
    fn a_missing_disambiguation_leaves_both_moves_open() {
        assert_eq!(
            meanings("Nf3 d5 d3 e5", "pt", "Cd2").len(),
            2,
            "knights on b1 and f3"
        );
        assert_eq!(meanings("Nf3 d5 d3 e5", "pt", "Cbd2"), ["Nbd2"]);
    }

    #[test]
    fn a_wrong_disambiguation_is_accepted_where_one_move_is_left() {
        assert_eq!(meanings("", "pt", "Cef3"), ["Nf3"]);
        assert!(meanings("Nf3 d5 d3 e5", "pt", "Ced2").is_empty());
    }

    #[test]
    fn a_small_b_is_the_pawn_where_bishop_and_pawn_can_capture() {
        assert_eq!(meanings("b3 d5 e3 c6 c4 dxc4", "en", "bxc4"), ["bxc4"]);
        assert_eq!(meanings("b3 d5 e3 c6 c4 dxc4", "en", "Bxc4"), ["Bxc4"]);
    }

    #[test]
    fn a_pawn_capture_can_be_written_as_its_target_square() {
        assert_eq!(meanings("d4 e5", "en", "e5"), ["dxe5"]);
    }

    #[test]
    fn slips_of_the_pen_mean_nothing_in_a_typed_text() {
        for word in ["Nf", "N3", "Xf3", "O", "f"] {
            assert!(meanings("", "en", word).is_empty(), "{word}");
        }
    }

    #[test]
    fn suffixes_and_figurines_do_not_change_the_meaning() {
        for word in ["Nf3!?", "♞f3", "nf3", "Ng1-f3", "NF3+"] {
            assert_eq!(meanings("", "en", word), ["Nf3"], "{word}");
        }
    }
}
