//! The spellings of moves by pieces other than pawns.

use shakmaty::Role;

use super::list::SpellingList;
use super::{
    ANY_COORDINATE_TEXT, ANY_LETTER, COLON, CaptureMark, FIGURINE, LONG, LOWERCASE_PIECE,
    MISSING_TARGET_COORDINATE, NAMES_CAPTURED, SquareTexts, WRONG_COORDINATE, capture_marks,
    captured_letters,
};
use crate::notation::habits::NotationStyles;
use crate::notation::language::{Language, figurines};
use crate::notation::shape::{Disambiguation, MoveShape};

/// Cost in nats of a disambiguation that is not needed: Nef3 or N1f3 with no other knight that goes
/// there.
const NEEDLESS_COORDINATE: f32 = 4.5;
/// Cost in nats of a missing disambiguation: Nd2 for Nbd2. 31 of 207 HCS pages have an illegal move
/// for this reason.
const MISSING_COORDINATE: f32 = 2.0;
/// Cost in nats of a piece letter that is another one or missing.
const WRONG_LETTER: f32 = 8.0;

/// The marks of a capture in front of the letter of the captured piece.
const MARKS_BEFORE_CAPTURED: [CaptureMark; 4] = [
    ("x", 0.0, NotationStyles::NONE),
    (":", 0.0, COLON),
    ("X", 4.0, NotationStyles::NONE),
    ("", 3.0, NotationStyles::NONE),
];

/// Adds the spellings of a move by a piece that is not a pawn.
pub(super) fn add_piece_move(
    list: &mut SpellingList,
    shape: &MoveShape,
    role: Role,
    language: &Language,
) {
    let squares = SquareTexts::new(shape);
    let disambiguations = disambiguations(shape, &squares);
    for (letter, letter_cost, letter_style) in piece_letters(role, language) {
        for &(mark, mark_cost, mark_style) in capture_marks(shape) {
            let front = PieceFront {
                letter: &letter,
                letter_cost,
                letter_style,
                mark,
                mark_cost,
                mark_style,
            };
            add_with_letter(list, shape, &squares, &disambiguations, &front);
        }
    }
    add_with_wrong_letter(list, shape, &squares, &disambiguations);
    if let Some(captured) = shape.captured {
        add_piece_takes_piece(list, shape, &squares, language, captured);
    }
}

/// What stands for the departure square of a move in short notation, and its cost in nats.
fn disambiguations<'a>(shape: &MoveShape, squares: &'a SquareTexts) -> [(&'a str, f32); 4] {
    let costs = match shape.disambiguation {
        Disambiguation::None => [
            0.0,
            NEEDLESS_COORDINATE,
            NEEDLESS_COORDINATE + 1.0,
            WRONG_COORDINATE + 1.5,
        ],
        Disambiguation::File => [MISSING_COORDINATE, 0.2, 3.5, WRONG_COORDINATE],
        Disambiguation::Rank => [MISSING_COORDINATE, 3.0, 0.4, WRONG_COORDINATE],
        Disambiguation::Both => [MISSING_COORDINATE + 0.5, 2.0, 2.0, WRONG_COORDINATE],
    };
    let [none, by_file, by_rank, wrong] = costs;
    [
        ("", none),
        (&squares.from_file, by_file),
        (&squares.from_rank, by_rank),
        (ANY_COORDINATE_TEXT, wrong),
    ]
}

/// The ways to write a piece itself, each with its cost in nats and its style.
fn piece_letters(role: Role, language: &Language) -> Vec<(String, f32, NotationStyles)> {
    let mut letters = Vec::new();
    for letter in language.forms(role) {
        letters.push((letter.to_owned(), 0.0, NotationStyles::NONE));
        let lowercase = letter.to_lowercase();
        if lowercase != letter {
            // A lower-case letter that is also a file is more often that of a pawn.
            let is_file = lowercase.starts_with(|c| ('a'..='h').contains(&c));
            letters.push((lowercase, if is_file { 1.5 } else { 0.0 }, LOWERCASE_PIECE));
        }
    }
    let misread = language.misreadings(role);
    letters.extend(misread.map(|(letter, cost)| (letter.to_owned(), cost, NotationStyles::NONE)));
    letters.extend(figurines(role).map(|c| (c.to_string(), 0.0, FIGURINE)));
    letters
}

/// One way to write the piece of a move, and one mark of a capture.
struct PieceFront<'a> {
    letter: &'a str,
    letter_cost: f32,
    letter_style: NotationStyles,
    mark: &'a str,
    mark_cost: f32,
    mark_style: NotationStyles,
}

/// Adds the spellings in which the letter and the mark of a capture are these: short, long, and
/// with a part of the target square missing.
fn add_with_letter(
    list: &mut SpellingList,
    shape: &MoveShape,
    squares: &SquareTexts,
    disambiguations: &[(&str, f32); 4],
    front: &PieceFront,
) {
    let &PieceFront {
        letter,
        letter_cost,
        letter_style,
        mark,
        mark_cost,
        mark_style,
    } = front;
    let SquareTexts { from, to, .. } = squares;
    let is_plain = letter_style == NotationStyles::NONE;
    let styles = letter_style.union(mark_style);
    for &(coordinate, cost) in disambiguations {
        if is_plain || cost < 1.0 {
            let cost = letter_cost + mark_cost + cost;
            list.add_in_both_cases(cost, styles, &[letter, coordinate, mark], to);
        }
    }
    // Where SAN needs file and rank, the long form is no habit.
    let (long_cost, long_style) = match shape.disambiguation {
        Disambiguation::Both => (0.7, NotationStyles::NONE),
        _ => (0.0, LONG),
    };
    let dashes = if shape.captured.is_none() && mark.is_empty() {
        ["", "-"]
    } else {
        ["", ""]
    };
    for dash in dashes {
        let long = [letter, from, mark, dash, to];
        let cost = letter_cost + mark_cost + long_cost;
        list.add(cost, styles.union(long_style), &long);
        if is_plain {
            list.add(mark_cost + 2.0, styles.union(LONG), &long[1..]);
        }
    }
    if is_plain {
        add_with_partial_target(list, squares, front, styles);
    }
}

/// Adds the spellings in which the file or the rank of the target square is missing.
fn add_with_partial_target(
    list: &mut SpellingList,
    squares: &SquareTexts,
    front: &PieceFront,
    styles: NotationStyles,
) {
    let &PieceFront { letter, mark, .. } = front;
    let base = front.mark_cost + MISSING_TARGET_COORDINATE;
    list.add(base, styles, &[letter, mark, &squares.to_rank]);
    list.add(base + 0.5, styles, &[letter, mark, &squares.to_file]);
    for (coordinate, cost) in [(&squares.from_file, 0.0), (&squares.from_rank, 1.0)] {
        let parts = [letter, coordinate, mark, &squares.to_file];
        list.add(base + 0.5 + cost, styles, &parts);
    }
}

/// Adds the spellings in which the letter of the piece is wrong or missing.
fn add_with_wrong_letter(
    list: &mut SpellingList,
    shape: &MoveShape,
    squares: &SquareTexts,
    disambiguations: &[(&str, f32); 4],
) {
    let any_letter = &ANY_LETTER.to_string();
    let cheap_marks = || {
        let marks = capture_marks(shape).iter();
        marks.filter(|(_, cost, style)| *cost < 1.0 && *style != COLON)
    };
    for &(coordinate, cost) in disambiguations.iter().filter(|(_, cost)| *cost < 3.0) {
        for letter in [any_letter, ""] {
            for &(mark, mark_cost, style) in cheap_marks() {
                let parts = [letter, coordinate, mark, &squares.to];
                list.add(WRONG_LETTER + mark_cost + cost, style, &parts);
            }
        }
    }
}

/// Adds the spellings that name the captured piece.
fn add_piece_takes_piece(
    list: &mut SpellingList,
    shape: &MoveShape,
    squares: &SquareTexts,
    language: &Language,
    captured: Role,
) {
    let SquareTexts { from_file, to, .. } = squares;
    for (mark, cost, style) in MARKS_BEFORE_CAPTURED {
        let styles = NAMES_CAPTURED.union(style);
        for letter in language.forms(shape.role) {
            for captured in captured_letters(captured, language) {
                list.add(cost, styles, &[letter, mark, captured]);
                list.add(1.0 + cost, styles, &[letter, mark, captured, to]);
                list.add(2.5 + cost, styles, &[letter, from_file, mark, captured]);
            }
        }
    }
}
