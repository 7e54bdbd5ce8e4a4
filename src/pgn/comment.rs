//! The comments that sheetscan writes into a game: where the record breaks off, and which moves are
//! in doubt.

use crate::grid::{CellId, Side};
use crate::scan::ScannedGame;

/// Largest length, in characters, of what a comment repeats of the rest of a sheet.
const MAX_REST_CHARS: usize = 600;

/// The comment on a scanned game that lacks its beginning or could not be followed to its end. What
/// stands on the sheet behind the last move is repeated as it was read.
pub(crate) fn break_off_comment(scanned: &ScannedGame) -> Option<String> {
    if let Some(number) = scanned.missing_page_before() {
        return Some(format!(
            "sheetscan: the sheet begins at move {number}, the page before it is missing"
        ));
    }
    let Some((_, cell)) = scanned.break_off() else {
        let is_cut = !scanned.game.complete;
        return is_cut.then(|| "sheetscan: not readable beyond this move".to_owned());
    };
    let CellId { number, side } = cell;
    let side = match side {
        Side::White => "White",
        Side::Black => "Black",
    };
    let mut comment = format!("sheetscan: not readable from move {number} {side} on");
    let rest = rest_as_read(scanned);
    if !rest.is_empty() {
        comment += "; the sheet goes on: ";
        comment += &rest;
    }
    Some(comment)
}

/// A comment on the cut of a game, followed by what the record has behind it, of at most
/// [`MAX_REST_CHARS`].
pub(super) fn comment_with_rest(cut: &str, goes_on: &str, rest: &str) -> String {
    let mut comment = cut.to_owned();
    if rest.is_empty() {
        return comment;
    }
    comment += &format!("; {goes_on}:");
    let mut chars = 0;
    for word in rest.split_whitespace() {
        chars += word.chars().count() + 1;
        if chars > MAX_REST_CHARS {
            return comment + " and so on";
        }
        comment.push(' ');
        comment += word;
    }
    comment
}

/// What stands on the sheet behind the last move as it was read, row by row: `18. Rh2 Ce5 19...
/// Dh4`. A cell in which nothing can be read is `?`.
fn rest_as_read(scanned: &ScannedGame) -> String {
    let mut rest = String::new();
    let mut row = None;
    for (sheet, cell) in scanned.rest_of_sheet() {
        let read = scanned
            .reading(sheet, cell)
            .map_or("", |reading| &reading.text);
        let read = sanitize_comment(read);
        let read = if read.is_empty() { "?" } else { &read };
        let number = cell.number;
        let words = match cell.side {
            Side::White => format!("{number}. {read}"),
            Side::Black if row == Some((sheet, number)) => read.to_owned(),
            Side::Black => format!("{number}... {read}"),
        };
        row = Some((sheet, number));
        if rest.chars().count() + words.chars().count() >= MAX_REST_CHARS {
            return rest + " and so on";
        }
        if !rest.is_empty() {
            rest.push(' ');
        }
        rest += &words;
    }
    rest
}

/// The comment on a move that a person should look at: its probability, what its cell reads, and
/// the other moves that it may be. Probabilities are rounded to the four decimals of the JSON and
/// then to two, so that games written from the JSON have the same comments.
pub(super) fn doubt_comment<'a>(
    probability: f64,
    read: Option<&str>,
    others: impl Iterator<Item = (&'a str, f64)>,
) -> String {
    let two_decimals = |p: f64| format!("{:.2}", (p * 1e4).round() / 1e4);
    let read = match read.map(sanitize_comment) {
        Some(read) if !read.is_empty() => format!("the cell reads \"{read}\""),
        Some(_) => "the cell cannot be read".to_owned(),
        None => "no cell has it".to_owned(),
    };
    let mut comment = format!("sheetscan: {}, {read}", two_decimals(probability));
    for (at, (san, probability)) in others.enumerate() {
        let separator = if at == 0 { "; or" } else { "," };
        comment += &format!("{separator} {san} {}", two_decimals(probability));
    }
    comment
}

/// A text without the characters that a comment must not have: a brace would end it, a percent sign
/// at the start of a line would hide the line, and a line break or another control character is a
/// space.
pub(super) fn sanitize_comment(text: &str) -> String {
    let text = text.replace(['{', '}', '%'], "");
    text.replace(|c: char| c.is_control(), " ")
}
