//! The spellings of pawn moves.

use shakmaty::Role;

use super::list::SpellingList;
use super::{
    ANY_COORDINATE_TEXT, CAPTURE_MARKS, CaptureMark, FALSE_CAPTURE_MARK, LONG,
    MISSING_TARGET_COORDINATE, NAMES_CAPTURED, PAWN_LETTER, SquareTexts, WRONG_COORDINATE,
    captured_letters, pawn_letters,
};
use crate::notation::habits::NotationStyles;
use crate::notation::language::Language;
use crate::notation::shape::MoveShape;

/// Cost in nats of a pawn capture written as its target square, e5 for dxe5; high, so that a legal
/// e5 is read as e5.
const BARE_TARGET: f32 = 5.5;

/// Adds the spellings of a pawn's move, with every way to write what it promotes to.
pub(super) fn add_pawn_move(list: &mut SpellingList, shape: &MoveShape, language: &Language) {
    let squares = SquareTexts::new(shape);
    for (promotion, cost) in promotions(shape, language) {
        let mut stems = list.new_for_same_move();
        if shape.captured.is_some() {
            add_pawn_capture(&mut stems, shape, &squares, language);
        } else {
            add_quiet_pawn_move(&mut stems, &squares, language);
        }
        for stem in stems.spellings {
            list.add_with_ending(stem, cost, &promotion);
        }
    }
}

/// The ways to write a promotion behind a move, each with its cost in nats; an empty one where the
/// move is none.
fn promotions(shape: &MoveShape, language: &Language) -> Vec<(String, f32)> {
    let Some(role) = shape.promotion else {
        return vec![(String::new(), 0.0)];
    };
    // Where nothing is written, the pawn most often became a queen.
    let unwritten = if role == Role::Queen { 2.5 } else { 7.0 };
    let mut promotions = vec![(String::new(), unwritten)];
    for letter in language.forms(role) {
        promotions.extend([
            (format!("={letter}"), 0.7),
            (letter.to_owned(), 1.0),
            (format!("({letter})"), 2.5),
            (format!("/{letter}"), 3.0),
        ]);
    }
    promotions
}

fn add_quiet_pawn_move(list: &mut SpellingList, squares: &SquareTexts, language: &Language) {
    let SquareTexts {
        from,
        to,
        to_file,
        to_rank,
        ..
    } = squares;
    let plain = NotationStyles::NONE;
    list.add_in_both_cases(0.0, plain, &[], to);
    if to_file == "e" {
        list.add(2.0, plain, &["é", to_rank]);
    }
    for dash in ["", "-"] {
        list.add(0.0, LONG, &[from, dash, to]);
    }
    for letter in pawn_letters(language) {
        list.add(0.0, PAWN_LETTER, &[letter, to]);
        list.add(1.0, PAWN_LETTER, &[letter, from, "-", to]);
        list.add(2.0, PAWN_LETTER, &[letter, from, to]);
    }
    list.add(FALSE_CAPTURE_MARK, plain, &["x", to]);
    list.add(7.0, plain, &[ANY_COORDINATE_TEXT, to]);
    list.add(MISSING_TARGET_COORDINATE + 0.5, plain, &[to_rank]);
    list.add(MISSING_TARGET_COORDINATE + 1.0, plain, &[to_file]);
}

fn add_pawn_capture(
    list: &mut SpellingList,
    shape: &MoveShape,
    squares: &SquareTexts,
    language: &Language,
) {
    let SquareTexts {
        from_file,
        to,
        to_file,
        ..
    } = squares;
    for mark in CAPTURE_MARKS {
        add_pawn_capture_with_mark(list, squares, language, mark);
    }
    list.add(BARE_TARGET, NotationStyles::NONE, &[to]);
    let Some(captured) = shape.captured else {
        return;
    };
    for captured in captured_letters(captured, language) {
        for pawn in pawn_letters(language) {
            list.add(0.0, NAMES_CAPTURED, &[pawn, "x", captured]);
            list.add(2.0, NAMES_CAPTURED, &[pawn, "x", captured, to]);
        }
        list.add(1.0, NAMES_CAPTURED, &[from_file, "x", captured]);
        list.add(1.5, NAMES_CAPTURED, &[from_file, "x", captured, to]);
        list.add(2.0, NAMES_CAPTURED, &[from_file, "x", captured, to_file]);
    }
}

fn add_pawn_capture_with_mark(
    list: &mut SpellingList,
    squares: &SquareTexts,
    language: &Language,
    (mark, cost, style): CaptureMark,
) {
    let SquareTexts {
        from,
        from_file,
        to,
        to_file,
        to_rank,
        ..
    } = squares;
    list.add_in_both_cases(cost, style, &[], &format!("{from_file}{mark}{to}"));
    list.add(cost, style.union(LONG), &[from, mark, to]);
    let short = if mark.is_empty() { 1.0 } else { 3.0 };
    list.add(cost + short, style, &[from_file, mark, to_file]);
    list.add(
        cost + WRONG_COORDINATE,
        style,
        &[ANY_COORDINATE_TEXT, mark, to],
    );
    let partial = cost + MISSING_TARGET_COORDINATE;
    list.add(partial, style, &[from_file, mark, to_rank]);
    list.add(partial + 1.0, style, &[from, mark, to_file]);
    if from_file == "e" {
        list.add(cost + 3.0, style, &["é", mark, to]);
    }
    if to_file == "e" {
        list.add(cost + 3.0, style, &[from_file, mark, "é", to_rank]);
    }
    if !mark.is_empty() {
        list.add(cost + 4.5, style, &[mark, to]);
        list.add(partial + 1.0, style, &[from_file, mark]);
    }
    for letter in pawn_letters(language) {
        let styles = style.union(PAWN_LETTER);
        list.add(cost + 0.5, styles, &[letter, mark, to]);
        list.add(cost + 1.5, styles, &[letter, from, mark, to]);
    }
}
