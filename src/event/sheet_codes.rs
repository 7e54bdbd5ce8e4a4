//! What the codes of printed sheets say of their games.

use crate::form::{EventHash, FormCode};

use super::ledger::Ledger;
use super::parameters::MatchingParameters;
use super::{Event, Pairing};

/// What a code says of a pairing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CodeVerdict {
    /// The sheet was printed for any game, or the code does not say for which one.
    Silent,
    /// The sheet was printed for this pairing.
    Same,
    /// The sheet was printed for another pairing of the event.
    OtherPairing,
    /// The sheet was printed for another event.
    OtherEvent,
}

impl CodeVerdict {
    /// Its score in nats.
    pub fn nats(self, parameters: &MatchingParameters) -> f64 {
        match self {
            Self::Silent => 0.0,
            Self::Same => parameters.same_code_nats,
            Self::OtherPairing => parameters.other_code_nats,
            Self::OtherEvent => parameters.other_event_code_nats,
        }
    }
}

/// The hash of an event that the codes of its sheets have.
pub(super) fn event_hash(event: &Event) -> EventHash {
    EventHash::new(&event.name, &event.city, event.start)
}

/// What a code says of a pairing, or of a bye where there is none. `hash` is that of the event.
pub(super) fn judge_code(
    event: &Event,
    hash: EventHash,
    code: &FormCode,
    pairing: Option<&Pairing>,
) -> CodeVerdict {
    let Some((own, round)) = code.event.zip(code.round) else {
        return CodeVerdict::Silent;
    };
    if own != hash {
        return CodeVerdict::OtherEvent;
    }
    let Some(pairing) = pairing else {
        return CodeVerdict::OtherPairing;
    };
    let is_white = code
        .white
        .map(|rank| event.players[pairing.white].rank == rank);
    let is_board = || code.board.zip(pairing.board).map(|(a, b)| a == b);
    match is_white.or_else(is_board) {
        _ if round != pairing.round => CodeVerdict::OtherPairing,
        Some(true) => CodeVerdict::Same,
        Some(false) => CodeVerdict::OtherPairing,
        None => CodeVerdict::Silent,
    }
}

/// Why the codes of a game's sheets keep it from every pairing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CodeConflict {
    /// A sheet was printed for another event.
    OtherEvent {
        /// Index of the sheet in its game.
        sheet: usize,
    },
    /// A sheet was printed for another round than the one that is looked at.
    OtherRound {
        /// Index of the sheet in its game.
        sheet: usize,
    },
    /// The moves of two sheets are those of one game, and they were printed for two.
    TwoGames {
        /// Indices of the two sheets in their game.
        sheets: [usize; 2],
    },
    /// A sheet was printed for a pairing that the event does not have.
    NoSuchPairing {
        /// Index of the sheet in its game.
        sheet: usize,
    },
}

/// Looks for what keeps a game from every pairing, where its sheets have codes.
pub(super) fn find_conflict(ledger: &Ledger, record: usize) -> Option<CodeConflict> {
    let hash = event_hash(&ledger.event);
    let headers = ledger.headers[record].iter().enumerate();
    let codes = headers.filter_map(|(sheet, header)| Some((sheet, header.code?)));
    let codes: Vec<(usize, FormCode)> = codes.collect();
    let is_of = |code: &FormCode| code.event.is_none_or(|event| event == hash);
    if let Some(&(sheet, _)) = codes.iter().find(|(_, code)| !is_of(code)) {
        return Some(CodeConflict::OtherEvent { sheet });
    }
    for (i, (first, code)) in codes.iter().enumerate() {
        let differs = |other: &&(usize, FormCode)| code.is_of_same_game(&other.1) == Some(false);
        if let Some((second, _)) = codes[i..].iter().find(differs) {
            return Some(CodeConflict::TwoGames {
                sheets: [*first, *second],
            });
        }
    }
    for (sheet, code) in codes {
        let Some(round) = code.round else {
            continue;
        };
        if ledger.scope.round.is_some_and(|scope| scope != round) {
            return Some(CodeConflict::OtherRound { sheet });
        }
        let mut pairings = ledger.pairings().map(|(_, pairing)| pairing);
        let is_printed_for =
            |pairing| judge_code(&ledger.event, hash, &code, Some(pairing)) == CodeVerdict::Same;
        if !pairings.any(is_printed_for) {
            return Some(CodeConflict::NoSuchPairing { sheet });
        }
    }
    None
}

/// A code in words, as far as it says something: `round 4, board 12`, or `round 4, White 31` where
/// the report file has no boards.
pub(super) fn describe_code(code: &FormCode) -> String {
    let round = code.round.map(|round| format!("round {round}"));
    let game = match (code.board, code.white) {
        (Some(board), _) => Some(format!("board {board}")),
        (None, Some(white)) => Some(format!("White {white} of the starting list")),
        (None, None) => None,
    };
    let parts: Vec<String> = [round, game].into_iter().flatten().collect();
    parts.join(", ")
}
