//! The event with its games matched: what every check and every output reads.

use crate::notation::Outcome;
use crate::schema::GameRecord;

use super::answers;
use super::header::{Header, Scores};
use super::matching::{
    self, EventSlot, GameHeaders, Match, MatchResult, RankedSlot, reverse_outcome,
};
use super::parameters::MatchingParameters;
use super::{Bye, Event, Pairing};

/// Which part of an event is looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// The only round that the sheets are from; all rounds if `None`.
    pub round: Option<u32>,
    /// Indices of the players with a title result, all of whose games are needed.
    pub norm_players: Vec<usize>,
}

/// An event, the games of a run, and the pairing of each game.
#[derive(Debug, Clone)]
pub struct Ledger {
    /// The event.
    pub event: Event,
    /// The games in the order in which they were read.
    pub records: Vec<GameRecord>,
    /// The headers of each game, one a sheet.
    pub headers: Vec<Vec<Header>>,
    /// The match of each game.
    pub matches: Vec<MatchResult>,
    pub(super) scope: Scope,
    pub(super) parameters: MatchingParameters,
}

impl Ledger {
    /// Matches games with pairings. Every game comes with the headers of its sheets, in their
    /// order.
    pub fn match_games(
        event: Event,
        games: Vec<(GameRecord, Vec<Header>)>,
        scope: Scope,
        parameters: &MatchingParameters,
    ) -> Self {
        let (records, mut headers): (Vec<GameRecord>, Vec<Vec<Header>>) = games.into_iter().unzip();
        for (record, headers) in records.iter().zip(&mut headers) {
            answers::apply_answers(&event, record, headers, &parameters.typed);
        }
        let inputs = records.iter().zip(&headers);
        let inputs: Vec<GameHeaders> = inputs.map(|(r, h)| game_headers(r, h)).collect();
        let matches = matching::match_games(&event, &inputs, scope.round, parameters);
        Self {
            event,
            records,
            headers,
            matches,
            scope,
            parameters: *parameters,
        }
    }

    /// Whether there is an event; a ledger without one has the games alone.
    pub fn has_event(&self) -> bool {
        !self.event.players.is_empty()
    }

    /// The slots that suit a game best by itself, at most `count`, likeliest first.
    pub fn rank_slots(&self, record: usize, count: usize) -> Vec<RankedSlot> {
        let game = game_headers(&self.records[record], &self.headers[record]);
        let Scope { round, .. } = self.scope;
        matching::rank_slots(&self.event, &game, round, &self.parameters, count)
    }

    /// The pairings in scope, each with its index in the event.
    pub fn pairings(&self) -> impl Iterator<Item = (usize, &Pairing)> {
        let round = self.scope.round;
        let pairings = self.event.pairings.iter().enumerate();
        pairings.filter(move |(_, p)| round.is_none_or(|round| p.round == round))
    }

    /// The byes in scope, each with its index in the event.
    pub fn byes(&self) -> impl Iterator<Item = (usize, &Bye)> {
        let round = self.scope.round;
        let byes = self.event.byes.iter().enumerate();
        byes.filter(move |(_, bye)| round.is_none_or(|round| bye.round == round))
    }

    /// The pairing that a game is matched with.
    pub fn pairing_of(&self, record: usize) -> Option<(usize, &Match)> {
        let game_match = self.matches[record].as_ref().ok()?;
        match game_match.slot {
            EventSlot::Pairing(i) => Some((i, game_match)),
            EventSlot::Bye(_) => None,
        }
    }

    /// Whether a game is matched with a pairing whose colours its sheet has the other way round.
    pub(super) fn is_reversed(&self, record: usize) -> bool {
        self.pairing_of(record)
            .is_some_and(|(_, game_match)| game_match.reversed)
    }

    /// The games of a pairing; complete games come first, then those with more moves.
    pub fn records_of(&self, pairing: usize) -> Vec<usize> {
        let all = 0..self.records.len();
        let own = all.filter(|&i| self.pairing_of(i).is_some_and(|(p, _)| p == pairing));
        let mut own: Vec<usize> = own.collect();
        let length = |&i: &usize| (self.records[i].complete, self.records[i].plies.len());
        own.sort_by_key(|i| std::cmp::Reverse(length(i)));
        own
    }

    /// The results that the sheets of a game give with certainty, in the colours of the sheets: one
    /// a sheet from the headers, or else the one that was read with the moves.
    pub(super) fn results_of(&self, record: usize) -> Vec<Outcome> {
        let headers = self.headers[record].iter();
        let certain = headers.filter_map(|header| self.certain(&header.result).copied());
        let mut outcomes: Vec<Outcome> = certain.collect();
        if outcomes.is_empty() {
            outcomes.push(self.records[record].outcome());
        }
        outcomes.retain(|&outcome| outcome != Outcome::Unknown);
        outcomes
    }

    /// The candidate that a header field holds with certainty.
    pub(super) fn certain<'a, T: PartialEq>(&self, field: &'a Option<Scores<T>>) -> Option<&'a T> {
        field.as_ref()?.certain(self.parameters.min_field_lead_nats)
    }

    /// The result of a pairing in the colours of a game's sheets.
    pub(super) fn pairing_outcome(&self, pairing: usize, reversed: bool) -> Outcome {
        let outcome = self.event.pairings[pairing].outcome;
        if reversed {
            reverse_outcome(outcome)
        } else {
            outcome
        }
    }

    /// A pairing in words: `round 3, board 7: Milov, Leonid - Kunin, Vitaly`.
    pub(super) fn describe_pairing(&self, pairing: usize) -> String {
        let p = &self.event.pairings[pairing];
        let board = p
            .board
            .map_or_else(String::new, |board| format!(", board {board}"));
        let name = |i: usize| self.event.players[i].name.as_str();
        format!(
            "round {}{board}: {} - {}",
            p.round,
            name(p.white),
            name(p.black)
        )
    }
}

/// What the matching needs to know of a game: a header a sheet, and one where it has no sheet.
fn game_headers(record: &GameRecord, headers: &[Header]) -> GameHeaders {
    let mut headers = headers.to_vec();
    headers.resize(record.sheets.len().max(1), Header::default());
    GameHeaders {
        headers,
        outcome: record.outcome(),
    }
}
