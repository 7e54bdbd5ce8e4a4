//! The event with its games entered: what every writer and check looks into.

use crate::decode::Outcome;

use super::header::Header;
use super::matching::{self, Entry, Match, Place, Verdict, flipped};
use super::record::Record;
use super::{Event, Pairing};

/// What is asked of an event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// The sheets are of this round alone.
    pub round: Option<u32>,
    /// Indices of the players with a title result, whose games are all needed.
    pub norm_players: Vec<usize>,
}

/// An event and the games of a batch, each at its pairing.
#[derive(Debug, Clone)]
pub struct Ledger {
    /// The event.
    pub event: Event,
    /// The games in the order in which they were read.
    pub records: Vec<Record>,
    /// What the header of each sheet of each game says.
    pub headers: Vec<Vec<Header>>,
    /// Where each game belongs.
    pub verdicts: Vec<Verdict>,
    pub(super) scope: Scope,
}

impl Ledger {
    /// Matches games with pairings. Every game comes with the headers of its sheets, in their order.
    pub fn enter(event: Event, games: Vec<(Record, Vec<Header>)>, scope: Scope) -> Self {
        let (records, headers): (Vec<Record>, Vec<Vec<Header>>) = games.into_iter().unzip();
        let entry = |(record, headers): (&Record, &Vec<Header>)| {
            let mut headers = headers.clone();
            headers.resize(record.sheets.len().max(1), Header::default());
            Entry {
                headers,
                outcome: record.outcome(),
            }
        };
        let entries: Vec<Entry> = records.iter().zip(&headers).map(entry).collect();
        let verdicts = matching::assign(&event, &entries, scope.round);
        Self {
            event,
            records,
            headers,
            verdicts,
            scope,
        }
    }

    /// The pairings that sheets were looked for: of the round in question, or all.
    pub(super) fn pairings(&self) -> impl Iterator<Item = (usize, &Pairing)> {
        let round = self.scope.round;
        let pairings = self.event.pairings.iter().enumerate();
        pairings.filter(move |(_, p)| round.is_none_or(|round| p.round == round))
    }

    /// The match of a game with a pairing.
    pub(super) fn pairing_of(&self, record: usize) -> Option<(usize, &Match)> {
        let found = self.verdicts[record].as_ref().ok()?;
        match found.place {
            Place::Pairing(i) => Some((i, found)),
            Place::Bye(_) => None,
        }
    }

    /// The games of a pairing, the one that was followed furthest first.
    pub(super) fn records_of(&self, pairing: usize) -> Vec<usize> {
        let all = 0..self.records.len();
        let here = all.filter(|&i| self.pairing_of(i).is_some_and(|(p, _)| p == pairing));
        let mut here: Vec<usize> = here.collect();
        let furthest = |&i: &usize| (self.records[i].complete, self.records[i].plies.len());
        here.sort_by_key(|i| std::cmp::Reverse(furthest(i)));
        here
    }

    /// The results that the sheets of a game say beyond doubt, in the colours of the sheets: one a sheet from the
    /// headers, or else the one that was found with the moves.
    pub(super) fn results_of(&self, record: usize) -> Vec<Outcome> {
        let headers = self.headers[record].iter();
        let told = headers.filter_map(|header| header.result.as_ref()?.sure().copied());
        let mut told: Vec<Outcome> = told.collect();
        if told.is_empty() {
            told.push(self.records[record].outcome());
        }
        told.retain(|&outcome| outcome != Outcome::Unknown);
        told
    }

    /// The result of the pairing in the colours of a game's sheets.
    pub(super) fn paired_result(&self, pairing: usize, reversed: bool) -> Outcome {
        let outcome = self.event.pairings[pairing].outcome;
        if reversed { flipped(outcome) } else { outcome }
    }

    /// A pairing in words: `round 3, board 7: Milov, Leonid - Kunin, Vitaly`.
    pub(super) fn told(&self, pairing: usize) -> String {
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
