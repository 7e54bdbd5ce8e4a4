//! The grid of rounds and boards: a seat for each pairing and each bye.

use std::collections::BTreeMap;

use crate::event::matching::EventSlot;
use crate::event::{Ledger, PairingKind};

/// A place in the grid of rounds and boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seat {
    /// Round, from 1.
    pub round: u32,
    /// The board's number; where the event has none, the seat is numbered in the order of the
    /// event, behind the boards with numbers.
    pub board: u32,
    /// Whether the number is that of the event.
    pub is_numbered: bool,
    /// The pairing or bye.
    pub slot: EventSlot,
    /// What kind of a seat it is.
    pub kind: SeatKind,
}

/// Whether a game is expected at a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SeatKind {
    /// Two players met, or will.
    Game,
    /// Two players should have met.
    Forfeit,
    /// A player had no opponent.
    Bye,
}

impl SeatKind {
    /// Its name on the page.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Forfeit => "forfeit",
            Self::Bye => "bye",
        }
    }
}

/// The seats of an event as far as it is in scope, by round and board.
pub(super) fn list_seats(ledger: &Ledger) -> Vec<Seat> {
    let pairings = ledger.pairings().map(|(i, pairing)| {
        let kind = match pairing.kind {
            PairingKind::Forfeit => SeatKind::Forfeit,
            _ => SeatKind::Game,
        };
        (pairing.round, pairing.board, EventSlot::Pairing(i), kind)
    });
    let byes = ledger.byes();
    let byes = byes.map(|(i, bye)| (bye.round, None, EventSlot::Bye(i), SeatKind::Bye));
    let mut last: BTreeMap<u32, u32> = BTreeMap::new();
    for (_, pairing) in ledger.pairings() {
        let last = last.entry(pairing.round).or_default();
        *last = (*last).max(pairing.board.unwrap_or(0));
    }
    let seat = |(round, board, slot, kind): (u32, Option<u32>, EventSlot, SeatKind)| {
        let last = last.entry(round).or_default();
        let number = board.unwrap_or(*last + 1);
        *last = number.max(*last);
        Seat {
            round,
            board: number,
            is_numbered: board.is_some(),
            slot,
            kind,
        }
    };
    let mut seats: Vec<Seat> = pairings.chain(byes).map(seat).collect();
    seats.sort_by_key(|seat| (seat.round, seat.board));
    seats
}
