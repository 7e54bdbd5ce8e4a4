//! Headers that a person has typed, in place of those read from the sheet.

use crate::decode::Outcome;

use super::dates::Date;
use super::header::{Header, Scores};
use super::{Event, names};

/// What a person has typed of one sheet's header; what is not known is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypedHeader {
    /// Name of the player with White, in any order, with or without the first name.
    pub white: String,
    /// Name of the player with Black.
    pub black: String,
    /// Round.
    pub round: Option<u32>,
    /// Number of the board.
    pub board: Option<u32>,
    /// The day.
    pub date: Option<Date>,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: Option<Outcome>,
}

/// Likeness from which a typed name is rather this player's than another's.
const ALIKE: f64 = 0.6;
/// Nats for the likeness from there to 1.
const NAME: f64 = 12.0;
/// The least that a name scores: persons mistake a player, or take one that the event does not have.
const STRANGER: f64 = -5.0;
/// Nats for a number or day as typed, and for another.
const SAME: f64 = 3.5;
const OTHER: f64 = -3.5;

impl Header {
    /// The scores of a typed header over the players of an event.
    pub fn typed(event: &Event, typed: &TypedHeader) -> Self {
        let player = |name: &str| {
            let score = |i: usize| {
                let likeness = names::likeness(name, &event.players[i].name);
                (i, (NAME * (likeness - ALIKE)).max(STRANGER))
            };
            let listed = (0..event.players.len()).map(score).collect();
            (!names::key(name).is_empty()).then(|| Scores::new(listed, STRANGER))
        };
        let only = |number: Option<u32>| number.map(|n| Scores::new(vec![(n, SAME)], OTHER));
        Self {
            writer: None,
            white: player(&typed.white),
            black: player(&typed.black),
            round: only(typed.round),
            board: only(typed.board),
            date: typed
                .date
                .map(|date| Scores::new(vec![(date, SAME)], OTHER)),
            result: typed
                .result
                .map(|result| Scores::new(vec![(result, SAME)], OTHER)),
        }
    }
}
