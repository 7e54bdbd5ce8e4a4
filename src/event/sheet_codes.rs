//! What the codes of printed sheets say of their games.

use crate::form::{EventHash, FormCode};

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
