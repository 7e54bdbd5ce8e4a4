//! The spellings of a legal move, each with what it costs.
//!
//! A cost is the negative natural logarithm of how often players write so, in nats. Costs are
//! rounded to halves of a nat, since what the reader's evidence says for one spelling against
//! another is a multiple of that. The rates behind them are those of 13,810 HCS cells, of which 2.4
//! % do not have the shape of SAN; the forms are those of the Laws of Chess and of the guides of
//! the federations.

mod list;
mod pawn;
mod piece;

use shakmaty::{CastlingSide, Role, Square};
use smol_str::SmolStr;

use super::habits::{Habits, NotationStyle, NotationStyles};
use super::language::Language;
use super::shape::MoveShape;

use list::SpellingList;
use pawn::add_pawn_move;
use piece::add_piece_move;

/// In the text of a [`Spelling`], stands for any one file or rank, where the writer named a wrong
/// one.
pub const ANY_COORDINATE: char = '\u{1}';

/// [`ANY_COORDINATE`] as a text.
const ANY_COORDINATE_TEXT: &str = "\u{1}";

/// In the text of a [`Spelling`], stands for any one letter, where the letter of the piece is a
/// blot, that of another piece, or unknown.
pub const ANY_LETTER: char = '\u{2}';

/// A text for a move, and what it costs to write the move so.
#[derive(Debug, Clone, PartialEq)]
pub struct Spelling {
    /// The text, without suffixes such as `+` and `!`.
    pub text: SmolStr,
    /// The cost in nats, that of the writer's habits included.
    pub cost: f32,
    /// The styles of notation that the text uses.
    pub styles: NotationStyles,
}

/// Cost in nats of a wrong disambiguation: N1d2 for Nbd2, or Ncd2 with no knight on the c-file.
const WRONG_COORDINATE: f32 = 7.0;
/// Cost in nats of a mark of a capture where nothing is captured.
const FALSE_CAPTURE_MARK: f32 = 5.5;
/// Cost in nats of a coordinate of the target square that is missing: N4, Nf.
const MISSING_TARGET_COORDINATE: f32 = 6.0;
// Sets of one style each.

const LONG: NotationStyles = NotationStyles::NONE.and(NotationStyle::LongAlgebraic);
const LOWERCASE_PIECE: NotationStyles = NotationStyles::NONE.and(NotationStyle::LowercasePiece);
const UPPERCASE_FILE: NotationStyles = NotationStyles::NONE.and(NotationStyle::UppercaseFile);
const FIGURINE: NotationStyles = NotationStyles::NONE.and(NotationStyle::Figurine);
const PAWN_LETTER: NotationStyles = NotationStyles::NONE.and(NotationStyle::PawnLetter);
const NO_CAPTURE_MARK: NotationStyles = NotationStyles::NONE.and(NotationStyle::NoCaptureMark);
const COLON: NotationStyles = NotationStyles::NONE.and(NotationStyle::ColonCapture);
const NAMES_CAPTURED: NotationStyles = NotationStyles::NONE.and(NotationStyle::NamesCaptured);

/// A mark of a capture, its cost in nats for every writer, and the styles that it is.
type CaptureMark = (&'static str, f32, NotationStyles);

/// The marks of a capture inside a move that captures.
const CAPTURE_MARKS: [CaptureMark; 5] = [
    ("x", 0.1, NotationStyles::NONE),
    ("", 0.0, NO_CAPTURE_MARK),
    (":", 0.0, COLON),
    ("X", 4.5, NotationStyles::NONE),
    ("-", 6.5, NotationStyles::NONE),
];

/// The marks of a capture inside a move that captures nothing.
const FALSE_CAPTURE_MARKS: [CaptureMark; 3] = [
    ("", 0.0, NotationStyles::NONE),
    ("x", FALSE_CAPTURE_MARK, NotationStyles::NONE),
    (":", FALSE_CAPTURE_MARK + 2.0, NotationStyles::NONE),
];

/// All spellings of a move in a language by a writer of these habits, without suffixes. No text
/// occurs twice; the cheaper spelling is kept.
pub fn spellings(shape: &MoveShape, language: &Language, habits: &Habits) -> Vec<Spelling> {
    let mut list = SpellingList::new(habits, habits.plain_cost(possible_styles(shape)));
    match (shape.castling, shape.role) {
        (Some(side), _) => add_castling(&mut list, shape, side, language),
        (None, Role::Pawn) => add_pawn_move(&mut list, shape, language),
        (None, role) => add_piece_move(&mut list, shape, role, language),
    }
    list.finish()
}

/// The styles in which a move of this shape can be written at all.
pub fn possible_styles(shape: &MoveShape) -> NotationStyles {
    let mut styles = match (shape.castling, shape.role) {
        (Some(_), _) => return NotationStyles::NONE,
        (None, Role::Pawn) => PAWN_LETTER,
        (None, _) => LOWERCASE_PIECE.union(FIGURINE),
    };
    styles = styles.union(LONG).union(UPPERCASE_FILE);
    if shape.captured.is_some() {
        styles = styles
            .union(NO_CAPTURE_MARK)
            .union(COLON)
            .union(NAMES_CAPTURED);
    }
    styles
}

/// The squares of a move as texts.
struct SquareTexts {
    from: String,
    from_file: String,
    from_rank: String,
    to: String,
    to_file: String,
    to_rank: String,
}

impl SquareTexts {
    fn new(shape: &MoveShape) -> Self {
        let file = |square: Square| square.file().char().to_string();
        let rank = |square: Square| square.rank().char().to_string();
        Self {
            from: shape.from.to_string(),
            from_file: file(shape.from),
            from_rank: rank(shape.from),
            to: shape.to.to_string(),
            to_file: file(shape.to),
            to_rank: rank(shape.to),
        }
    }
}

/// The letters of a pawn: `P`, unless that is another piece of the language as in Dutch, and the
/// language's own.
fn pawn_letters(language: &Language) -> Vec<&'static str> {
    let mut letters = Vec::new();
    if Role::ALL[1..]
        .iter()
        .all(|&role| language.letters(role) != "P")
    {
        letters.push("P");
    }
    letters.extend(language.forms(Role::Pawn).filter(|&own| own != "P"));
    letters
}

fn capture_marks(shape: &MoveShape) -> &'static [CaptureMark] {
    if shape.captured.is_some() {
        &CAPTURE_MARKS
    } else {
        &FALSE_CAPTURE_MARKS
    }
}

fn captured_letters(captured: Role, language: &Language) -> Vec<&'static str> {
    if captured == Role::Pawn {
        pawn_letters(language)
    } else {
        language.forms(captured).collect()
    }
}

fn add_castling(
    list: &mut SpellingList,
    shape: &MoveShape,
    side: CastlingSide,
    language: &Language,
) {
    let (signs, wrong_signs) = match side {
        CastlingSide::KingSide => (2, 3),
        CastlingSide::QueenSide => (3, 2),
    };
    let plain = NotationStyles::NONE;
    for (sign, cost) in [("O", 0.1), ("0", 1.5), ("o", 2.5)] {
        list.add(cost, plain, &[&vec![sign; signs].join("-")]);
        list.add(cost + 2.5, plain, &[&sign.repeat(signs)]);
        // One sign too many or too few.
        list.add(cost + 5.5, plain, &[&vec![sign; wrong_signs].join("-")]);
    }
    let SquareTexts { from, to, .. } = &SquareTexts::new(shape);
    for king in language.forms(Role::King) {
        list.add(5.0, plain, &[king, to]);
        for dash in ["", "-"] {
            list.add(6.0, plain, &[king, from, dash, to]);
        }
    }
    for dash in ["", "-"] {
        list.add(6.5, plain, &[from, dash, to]);
    }
}
