//! What a person has said of the header of a game, which outweighs all that its sheets say.
//!
//! The answers of `--fixes` and of `sheetscan review` are tags of the game, which says which of its
//! tags are answers.

use crate::date::Date;
use crate::scan::HeaderField;
use crate::schema::GameRecord;

use super::header::{Header, Scores};
use super::parameters::TypedHeaderParameters;
use super::typed::score_players;
use super::{Event, names};

/// Puts what a person has said into the header of the first sheet, in place of what any of the
/// sheets says of it.
pub(super) fn apply_answers(
    event: &Event,
    record: &GameRecord,
    headers: &mut Vec<Header>,
    parameters: &TypedHeaderParameters,
) {
    let answer = |field| answered(record, field);
    let player = |field| answer(field).and_then(|name| score_player(event, name, parameters));
    let (round, board) = round_and_board(answer(HeaderField::Round), answer(HeaderField::Board));
    let nats = parameters.answered_nats;
    let said = Header {
        white: player(HeaderField::White),
        black: player(HeaderField::Black),
        round: round.map(|round| Scores::of_one(round, nats)),
        board: board.map(|board| Scores::of_one(board, nats)),
        date: answered_date(record).map(|date| Scores::of_one(date, nats)),
        ..Header::default()
    };
    if said == Header::default() {
        return;
    }
    if headers.is_empty() {
        headers.push(Header::default());
    }
    for (i, header) in headers.iter_mut().enumerate() {
        // Somebody may have written on the sheet of another game.
        header.code = None;
        replace(&mut header.white, &said.white, i);
        replace(&mut header.black, &said.black, i);
        replace(&mut header.round, &said.round, i);
        replace(&mut header.board, &said.board, i);
        replace(&mut header.date, &said.date, i);
    }
}

/// What a person has said of a field; none where nobody did, or that it is unknown.
fn answered(record: &GameRecord, field: HeaderField) -> Option<&str> {
    let is_answered = record.answered.contains(&field);
    let known = record.tags.get(field.tag()).filter(|_| is_answered)?;
    let is_unknown = known.chars().all(|c| matches!(c, '?' | '.'));
    (!is_unknown).then_some(known)
}

/// The date that a person has said, if it is a whole one.
pub(super) fn answered_date(record: &GameRecord) -> Option<Date> {
    let date = Date::parse_tag(answered(record, HeaderField::Date)?);
    date.is_whole().then_some(date)
}

/// Round and board, of which the round may be written with its board, as `3.7`.
fn round_and_board(round: Option<&str>, board: Option<&str>) -> (Option<u32>, Option<u32>) {
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let (first, second) = match round.and_then(|round| round.split_once('.')) {
        Some((round, board)) => (number(round), number(board)),
        None => (round.and_then(number), None),
    };
    (first, board.and_then(number).or(second))
}

/// Puts what was said into the header of the first sheet, and takes the field out of the others.
fn replace<T: Clone>(field: &mut Option<Scores<T>>, said: &Option<Scores<T>>, sheet: usize) {
    if said.is_some() {
        *field = said.clone().filter(|_| sheet == 0);
    }
}

/// The scores of the players for a name that a person has given. Who writes it as the report file
/// does means that player; else it is as good as a typed header.
fn score_player(
    event: &Event,
    name: &str,
    parameters: &TypedHeaderParameters,
) -> Option<Scores<usize>> {
    let key = names::name_key(name);
    let is_meant = |i: &usize| names::name_key(&event.players[*i].name) == key;
    let meant = (0..event.players.len()).filter(is_meant);
    let nats = parameters.answered_nats;
    let meant: Vec<(usize, f64)> = meant.map(|player| (player, nats)).collect();
    if meant.is_empty() {
        return score_players(event, name, parameters);
    }
    Some(Scores::new(meant, -nats))
}
