//! A game is given its place in the event by hand.

use serde_json::Value;

use super::answer_request::AnswerRequest;
use super::backend::{AssignBody, GameId, Refusal};
use super::event_seats::SeatKind;
use super::matched_games::MatchedGames;
use super::run::Review;
use crate::scan::HeaderField;

/// The fields that say where a game belongs.
const PLACE_FIELDS: [HeaderField; 4] = [
    HeaderField::White,
    HeaderField::Black,
    HeaderField::Round,
    HeaderField::Board,
];

impl Review {
    /// Gives a game its place in the event, or takes back what a person has said of it. It is an
    /// answer as any other: on the disk when this returns, and one step of the undo.
    ///
    /// # Errors
    /// 404 where there is no such game or board, 409 without an event, 422 for a bye.
    pub(super) fn assign_game(&self, game: &GameId, body: &AssignBody) -> Result<Value, Refusal> {
        let (at, _answering) = self.begin_answering(game)?;
        let matched = self.state().matched.clone();
        let no_event = "this run has no event";
        let hint = "start `sheetscan review` with --trf";
        let matched = matched.ok_or_else(|| Refusal::new(409, no_event, hint))?;
        let (answers, what) = if body.clear {
            let answers = PLACE_FIELDS.map(|field| answer(field, "")).to_vec();
            (answers, "assignment taken back".to_owned())
        } else {
            place_answers(&matched, body)?
        };
        // A place is given as a whole, so that no other answer has to be seen first.
        self.take_answers(at, &answers, u64::MAX, Some(what))
    }
}

/// The answers that give a game its place, and what they do in words.
fn place_answers(
    matched: &MatchedGames,
    body: &AssignBody,
) -> Result<(Vec<AnswerRequest>, String), Refusal> {
    let (Some(round), Some(board)) = (body.round, body.board) else {
        return Err(Refusal::new(
            400,
            "round or board is missing",
            "reload the page",
        ));
    };
    let mut seats = matched.seats.iter();
    let seat = seats.find(|seat| (seat.round, seat.board) == (round, board));
    let missing = || format!("round {round} has no board {board}");
    let seat = seat.ok_or_else(|| Refusal::new(404, missing(), "reload the page"))?;
    let [mut white, mut black] = matched.names(seat.slot);
    if seat.kind == SeatKind::Bye {
        let error = format!("{white} has no opponent in round {round}");
        return Err(Refusal::new(422, error, "choose a board"));
    }
    if body.exchanged {
        (white, black) = (black, white);
    }
    let mut answers = vec![
        answer(HeaderField::White, white),
        answer(HeaderField::Black, black),
        answer(HeaderField::Round, &round.to_string()),
    ];
    if seat.is_numbered {
        answers.push(answer(HeaderField::Board, &board.to_string()));
    }
    Ok((answers, format!("assigned to round {round}, board {board}")))
}

fn answer(field: HeaderField, text: &str) -> AnswerRequest {
    AnswerRequest::Field {
        name: field.name().to_owned(),
        text: text.to_owned(),
    }
}
