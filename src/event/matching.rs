//! Which game belongs to which pairing: one assignment over all games of a run.
//!
//! The score of a game at a pairing is a log-odds in nats: the prior of the pairing, plus the sum
//! of the log-likelihood ratios of what the headers and the result say. A game without evidence
//! scores less than `MatchingParameters::min_score_nats` at every pairing as soon as there are more
//! than a few, and is left without one.

mod ranking;
mod scoring;

use rayon::prelude::*;

use crate::notation::Outcome;

use super::assignment::{self, AssignedColumn};
use super::header::{Header, Scores};
use super::parameters::MatchingParameters;
use super::{Event, Pairing, PairingKind};

pub use ranking::{RankedSlot, rank_slots};
pub(super) use scoring::reverse_outcome;
use scoring::{SlotScore, score_slots};

/// What the matching needs to know of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct GameHeaders {
    /// The header of each of its sheets.
    pub headers: Vec<Header>,
    /// The result that was read with the moves.
    pub outcome: Outcome,
}

/// What a game can be matched with, by index in the event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventSlot {
    /// Index of a pairing.
    Pairing(usize),
    /// Index of a bye: a round in which a player had no opponent.
    Bye(usize),
}

/// A game matched with a pairing or a bye.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Match {
    /// The pairing or bye.
    pub slot: EventSlot,
    /// Whether the sheet has the colours the other way round.
    pub reversed: bool,
    /// Log-odds (nats) of this slot against none.
    pub score: f64,
    /// What the best assignment without this match loses, in nats.
    pub margin: f64,
}

/// Why a game is matched with nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unmatched {
    /// No slot scores high enough.
    LowScore,
    /// Another assignment is nearly as likely as the one with this slot.
    Ambiguous(EventSlot),
    /// The slot that fits best has its sheets already.
    SlotFull(EventSlot),
}

/// The match of a game, or why there is none.
pub type MatchResult = Result<Match, Unmatched>;

/// Matches every game, in the order of the games. If a round is given, only its slots count.
pub fn match_games(
    event: &Event,
    games: &[GameHeaders],
    round: Option<u32>,
    parameters: &MatchingParameters,
) -> Vec<MatchResult> {
    let slots = list_slots(event, round, parameters);
    let score_all = |game: &GameHeaders| score_slots(event, game, &slots, parameters);
    let scores: Vec<Vec<SlotScore>> = games.par_iter().map(score_all).collect();
    let accepted = accept_slots(event, games, &slots, &scores, parameters);
    let best_slots: Vec<Option<usize>> = scores
        .iter()
        .map(|scores| best_slot(scores, parameters))
        .collect();
    let match_result = |i: usize| match accepted[i] {
        Some(own) if slot_is_full(games, &accepted, i, &own) => {
            Err(Unmatched::SlotFull(slots[own.slot].slot))
        }
        Some(own) => Ok(Match {
            slot: slots[own.slot].slot,
            reversed: own.reversed,
            score: own.score,
            margin: own.margin,
        }),
        None => Err(reason_for_no_match(games, &slots, &best_slots, i)),
    };
    (0..games.len()).map(match_result).collect()
}

/// Solves the assignment of all games, and gives each game its slot where score, evidence and
/// margin are high enough and no sheet of the game names somebody else.
fn accept_slots(
    event: &Event,
    games: &[GameHeaders],
    slots: &[CandidateSlot],
    scores: &[Vec<SlotScore>],
    parameters: &MatchingParameters,
) -> Vec<Option<AcceptedSlot>> {
    let rows: Vec<Vec<(usize, f64)>> = games
        .iter()
        .zip(scores)
        .map(|(game, scores)| list_columns(game, scores, parameters))
        .collect();
    let columns = assignment::solve_assignment(&rows);
    let accept = |i: usize| {
        let AssignedColumn { column, margin } = columns[i]?;
        let slot = assignment::pair_of_column(column);
        let score = rows[i].iter().find(|edge| edge.0 == column)?.1;
        let is_accepted = score >= parameters.min_score_nats
            && scores[i][slot].evidence >= parameters.min_evidence_nats
            && margin >= parameters.min_margin_nats
            && !names_other_player(event, &games[i], slots[slot].slot, parameters);
        is_accepted.then_some(AcceptedSlot {
            slot,
            score,
            margin,
            reversed: scores[i][slot].reversed,
        })
    };
    (0..games.len()).map(accept).collect()
}

/// Why game `i`, which the assignment gives no slot, has none.
fn reason_for_no_match(
    games: &[GameHeaders],
    slots: &[CandidateSlot],
    best_slots: &[Option<usize>],
    i: usize,
) -> Unmatched {
    let Some(slot) = best_slots[i] else {
        return Unmatched::LowScore;
    };
    let rivals = (0..games.len()).filter(|&j| best_slots[j] == Some(slot));
    let sheets: usize = rivals.map(|j| games[j].headers.len()).sum();
    if sheets > 2 {
        Unmatched::SlotFull(slots[slot].slot)
    } else {
        Unmatched::Ambiguous(slots[slot].slot)
    }
}

/// A slot that a game may be matched with.
struct CandidateSlot {
    slot: EventSlot,
    /// Its prior in nats, relative to that of a played game.
    relative_prior: f64,
    /// Whether the event has a game there that was played, or is still to come.
    is_played: bool,
}

/// The slot that the assignment gives a game, where score and margin are high enough.
#[derive(Clone, Copy)]
struct AcceptedSlot {
    /// Index among the slots that count.
    slot: usize,
    /// Log-odds in nats.
    score: f64,
    /// Margin in nats.
    margin: f64,
    reversed: bool,
}

/// Index of the slot that suits a game best by itself, where its score is high enough.
fn best_slot(scores: &[SlotScore], parameters: &MatchingParameters) -> Option<usize> {
    let best = (0..scores.len()).max_by(|&a, &b| scores[a].score.total_cmp(&scores[b].score))?;
    let accepted = scores[best].score >= parameters.min_score_nats
        && scores[best].evidence >= parameters.min_evidence_nats;
    accepted.then_some(best)
}

/// Whether another game with a higher score, or with an equal one and an earlier place in the
/// input, has the slot of game `i`, and the two cannot both be copies of its game.
fn slot_is_full(
    games: &[GameHeaders],
    accepted: &[Option<AcceptedSlot>],
    i: usize,
    own: &AcceptedSlot,
) -> bool {
    let is_ahead = |j: &usize| {
        accepted[*j]
            .is_some_and(|other| other.slot == own.slot && (other.score, i) > (own.score, *j))
    };
    let ahead = (0..games.len()).find(|j| *j != i && is_ahead(j));
    ahead.is_some_and(|j| !can_be_copies(&games[i], &games[j]))
}

/// Whether two games may be the two copies of one: a single sheet each, of different players as far
/// as the writers are known.
fn can_be_copies(a: &GameHeaders, b: &GameHeaders) -> bool {
    let [a, b] = [a, b].map(|game| match &game.headers[..] {
        [only] => Some(only.writer),
        _ => None,
    });
    a.zip(b).is_some_and(|(a, b)| a.is_none() || a != b)
}

/// The slots that a game may be matched with.
fn list_slots(
    event: &Event,
    round: Option<u32>,
    parameters: &MatchingParameters,
) -> Vec<CandidateSlot> {
    let pairing_slot = |(i, pairing): (usize, &Pairing)| {
        let (relative_prior, is_played) = match pairing.kind {
            PairingKind::Played | PairingKind::Pending => (0.0, true),
            PairingKind::UnderOneMove => (parameters.under_one_move_nats, false),
            PairingKind::Forfeit => (parameters.forfeit_nats, false),
        };
        CandidateSlot {
            slot: EventSlot::Pairing(i),
            relative_prior,
            is_played,
        }
    };
    let bye_slot = |i| CandidateSlot {
        slot: EventSlot::Bye(i),
        relative_prior: parameters.bye_nats,
        is_played: false,
    };
    let counts = |r: u32| round.is_none_or(|round| round == r);
    let pairings = event.pairings.iter().enumerate();
    let pairings = pairings.filter(|(_, pairing)| counts(pairing.round));
    let byes = event.byes.iter().enumerate();
    let byes = byes.filter(|(_, bye)| counts(bye.round));
    pairings
        .map(pairing_slot)
        .chain(byes.map(|(i, _)| bye_slot(i)))
        .collect()
}

/// Whether a game of several sheets names a player with certainty who is not of the pairing. Such a
/// game does not belong there, even if its moves made it a copy.
fn names_other_player(
    event: &Event,
    game: &GameHeaders,
    slot: EventSlot,
    parameters: &MatchingParameters,
) -> bool {
    let EventSlot::Pairing(i) = slot else {
        return false;
    };
    let players = [event.pairings[i].white, event.pairings[i].black];
    let fields = game.headers.iter().flat_map(|h| [&h.white, &h.black]);
    let certain = |scores| Scores::certain(scores, parameters.min_field_lead_nats);
    let mut certain_players = fields.flatten().filter_map(certain);
    game.headers.len() > 1 && certain_players.any(|player| !players.contains(player))
}

/// The columns that a game may have in the assignment: the first of every slot, and the second too
/// if the game has a single sheet.
fn list_columns(
    game: &GameHeaders,
    scores: &[SlotScore],
    parameters: &MatchingParameters,
) -> Vec<(usize, f64)> {
    let mut columns = Vec::new();
    for (slot, s) in scores.iter().enumerate() {
        let [first, second] = assignment::columns_of_pair(slot);
        columns.push((first, s.score));
        if game.headers.len() == 1 {
            columns.push((second, s.score + parameters.separate_copy_nats));
        }
    }
    columns.retain(|&(_, score)| score > 0.0);
    columns
}
