//! How well a game suits each slot of the event.

use crate::notation::Outcome;

use super::super::sheet_codes::judge_code;
use super::{CandidateSlot, Event, EventSlot, GameHeaders, Header, MatchingParameters, Pairing};
use crate::event::header::Scores;
use crate::form::EventHash;

/// The score of a game at a slot.
pub(super) struct SlotScore {
    /// Log-odds in nats: prior plus evidence.
    pub score: f64,
    /// What the sheets say, in nats, without the prior.
    pub evidence: f64,
    pub reversed: bool,
}

/// A game with the scores of all players in the name fields of its headers.
struct GameScores<'a> {
    game: &'a GameHeaders,
    /// That of the event, as the codes of its sheets have it.
    event_hash: EventHash,
    headers: Vec<PlayerScores<'a>>,
}

/// The scores of all players in the two name fields of a header, by index in the event.
struct PlayerScores<'a> {
    header: &'a Header,
    white: Option<Vec<f64>>,
    black: Option<Vec<f64>>,
}

impl<'a> PlayerScores<'a> {
    fn new(header: &'a Header, players: usize) -> Self {
        let by_player = |field: &Option<Scores<usize>>| field.as_ref().map(|s| s.by_index(players));
        Self {
            header,
            white: by_player(&header.white),
            black: by_player(&header.black),
        }
    }
}

/// The scores of a game at all slots that count.
pub(super) fn score_slots(
    event: &Event,
    game: &GameHeaders,
    slots: &[CandidateSlot],
    parameters: &MatchingParameters,
) -> Vec<SlotScore> {
    let played = slots.iter().filter(|slot| slot.is_played).count().max(1);
    let prior = parameters.event_log_odds - (played as f64).ln();
    let players = event.players.len();
    let headers = game.headers.iter();
    let game = GameScores {
        game,
        event_hash: event.hash(),
        headers: headers.map(|h| PlayerScores::new(h, players)).collect(),
    };
    let scores = slots.iter().map(|candidate| {
        let prior = prior + candidate.relative_prior;
        score_slot(event, &game, candidate.slot, prior, parameters)
    });
    scores.collect()
}

/// The score of a game at a slot, in the colours that suit it better.
fn score_slot(
    event: &Event,
    game: &GameScores,
    slot: EventSlot,
    prior: f64,
    parameters: &MatchingParameters,
) -> SlotScore {
    match slot {
        EventSlot::Bye(i) => {
            let bye = &event.byes[i];
            let name = |header: &PlayerScores| {
                let fields = [&header.white, &header.black].into_iter().flatten();
                let scores = fields.map(|scores| scores[bye.player]);
                scores.reduce(f64::max).unwrap_or(0.0)
            };
            let round =
                |header: &Header| header.round.as_ref().map_or(0.0, |r| r.score(&bye.round));
            let scores = game
                .headers
                .iter()
                .map(|scores| name(scores) + round(scores.header));
            let evidence = scores.sum::<f64>() + score_codes(event, game, None, parameters);
            SlotScore {
                score: prior + evidence,
                evidence,
                reversed: false,
            }
        }
        EventSlot::Pairing(i) => {
            let pairing = &event.pairings[i];
            let as_paired = score_evidence(pairing, game, false, parameters);
            let reversed = if game.game.headers.iter().any(Header::has_names) {
                parameters.reversed_colours_nats + score_evidence(pairing, game, true, parameters)
            } else {
                f64::NEG_INFINITY
            };
            let codes = score_codes(event, game, Some(pairing), parameters);
            let evidence = as_paired.max(reversed) + codes;
            SlotScore {
                score: prior + evidence,
                evidence,
                reversed: reversed > as_paired,
            }
        }
    }
}

/// What the codes of a game's sheets say for a pairing, or for a bye, in nats.
fn score_codes(
    event: &Event,
    game: &GameScores,
    pairing: Option<&Pairing>,
    parameters: &MatchingParameters,
) -> f64 {
    let codes = game.game.headers.iter().filter_map(|header| header.code);
    let verdicts = codes.map(|code| judge_code(event, game.event_hash, &code, pairing));
    verdicts.map(|verdict| verdict.nats(parameters)).sum()
}

/// What the headers and the result of a game say for a pairing, in nats.
fn score_evidence(
    pairing: &Pairing,
    game: &GameScores,
    reversed: bool,
    parameters: &MatchingParameters,
) -> f64 {
    let (white, black, outcome) = if reversed {
        (
            pairing.black,
            pairing.white,
            reverse_outcome(pairing.outcome),
        )
    } else {
        (pairing.white, pairing.black, pairing.outcome)
    };
    let has_result = outcome != Outcome::Unknown;
    let header_score = |scores: &PlayerScores| {
        let header = scores.header;
        let names = scores.white.as_ref().map_or(0.0, |s| s[white])
            + scores.black.as_ref().map_or(0.0, |s| s[black]);
        let round = header.round.as_ref();
        let round = round.map_or(0.0, |s| s.score(&pairing.round));
        let board = header.board.as_ref().zip(pairing.board);
        let date = header.date.as_ref().filter(|_| pairing.date.is_whole());
        let result = header.result.as_ref().filter(|_| has_result);
        names
            + round
            + board.map_or(0.0, |(s, board)| s.score(&board))
            + date.map_or(0.0, |s| s.score(&pairing.date))
            + result.map_or(0.0, |s| s.score(&outcome))
    };
    let headers: f64 = game.headers.iter().map(header_score).sum();
    // The result in a header and the one read with the moves are mostly the same ink, so that only
    // one of them counts.
    let has_own = |scores: &PlayerScores| scores.header.result.is_some();
    let header_has_result = game.headers.iter().any(has_own);
    let moves = match game.game.outcome {
        Outcome::Unknown => 0.0,
        _ if header_has_result || !has_result => 0.0,
        result if result == outcome => parameters.same_result_nats,
        _ => parameters.other_result_nats,
    };
    headers + moves
}

/// The result with the colours exchanged.
pub(in crate::event) fn reverse_outcome(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::WhiteWins => Outcome::BlackWins,
        Outcome::BlackWins => Outcome::WhiteWins,
        other => other,
    }
}
