//! Which game is which pairing: one assignment over the whole batch.
//!
//! The score of a game and a pairing is the logarithm of odds (nats): what the headers and the result say for it, the
//! sum of log-likelihood ratios, and how likely it was before. A game without evidence has a score below 0 wherever
//! there is more than a handful of pairings, and stays by itself.

use crate::decode::Outcome;

use super::assignment::{self, Assigned};
use super::header::{Header, Scores};
use super::{Event, Kind, Pairing};

/// Nats that a match needs against the sheet belonging to no pairing at all: twenty to one.
const ENOUGH: f64 = 3.0;
/// Nats of these that the sheets themselves must bring: no game is placed only because a place is left.
const OWN: f64 = 1.0;
/// Nats that a match needs against the best assignment without it.
const MARGIN: f64 = 3.0;
/// ln of the odds that a sheet of the batch is of this event: one stray in a hundred.
const OF_THE_EVENT: f64 = 4.6;
/// Sheets of games under one move, of forfeits and of byes are rarer than of games played, by so many nats.
const SHORT: f64 = -1.5;
const FORFEIT: f64 = -4.0;
const BYE: f64 = -5.0;
/// The players sat the other way round, or the file or a writer has it wrong.
const REVERSED: f64 = -4.0;
/// Two sheets of one game whose moves were not found alike.
const UNLIKE_COPY: f64 = -4.0;
/// The result that was found with the moves is the pairing's, or another: right in 95 of 100, of three.
const SAME_RESULT: f64 = 1.05;
const OTHER_RESULT: f64 = -2.6;

/// A game of the batch, as far as the matching needs it.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The header of each of its sheets.
    pub headers: Vec<Header>,
    /// The result that was found with the moves.
    pub outcome: Outcome,
}

/// What a game can be matched with, by index in the event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A pairing.
    Pairing(usize),
    /// A round in which a player had no opponent.
    Bye(usize),
}

/// The place of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Match {
    /// Where it belongs.
    pub place: Place,
    /// The sheet has the colours the other way round.
    pub reversed: bool,
    /// Nats for this place against none.
    pub score: f64,
    /// Nats that the best assignment without this match is behind.
    pub margin: f64,
}

/// Why a game has no place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unmatched {
    /// Nothing speaks for any pairing strongly enough.
    NoScore,
    /// Others are nearly as likely as the best one.
    NoMargin(Place),
    /// The pairing that it is of has its sheets already.
    Taken(Place),
}

/// What came of a game.
pub type Verdict = Result<Match, Unmatched>;

/// Finds the place of every game, in the order of the games. Only pairings of `round` count where it is given.
pub fn assign(event: &Event, entries: &[Entry], round: Option<u32>) -> Vec<Verdict> {
    let places = places(event, round);
    let expected = places.iter().filter(|place| place.1 == 0.0).count().max(1);
    let prior = OF_THE_EVENT - (expected as f64).ln();
    let score_all = |entry: &Entry| -> Vec<Scored> {
        let scores = places
            .iter()
            .map(|&(place, rarity)| score(event, entry, place, prior + rarity));
        scores.collect()
    };
    let scored: Vec<Vec<Scored>> = entries.iter().map(score_all).collect();
    let rows: Vec<Vec<(usize, f64)>> = entries
        .iter()
        .zip(&scored)
        .map(|(e, s)| columns(e, s))
        .collect();
    let assigned = assignment::assign(&rows);
    let accepted = |(i, assigned): (usize, &Option<Assigned>)| {
        let Assigned { column, margin } = (*assigned)?;
        let place = assignment::place(column);
        let score = rows[i].iter().find(|c| c.0 == column)?.1;
        let reversed = scored[i][place].reversed;
        let enough = score >= ENOUGH && scored[i][place].own >= OWN;
        let enough = enough && !names_others(event, &entries[i], places[place].0);
        (enough && margin >= MARGIN).then_some((place, score, margin, reversed))
    };
    let accepted: Vec<_> = assigned.iter().enumerate().map(accepted).collect();
    let best = |row: &Vec<Scored>| {
        let best = (0..row.len()).max_by(|&a, &b| row[a].score.total_cmp(&row[b].score));
        best.filter(|&k| row[k].score >= ENOUGH && row[k].own >= OWN)
    };
    let best: Vec<Option<usize>> = scored.iter().map(best).collect();
    let verdict = |i: usize| {
        let Some((k, score, margin, reversed)) = accepted[i] else {
            let k = best[i].ok_or(Unmatched::NoScore)?;
            let wanted = (0..entries.len()).filter(|&j| best[j] == Some(k));
            let crowded = wanted.map(|j| entries[j].headers.len()).sum::<usize>() > 2;
            let why = if crowded {
                Unmatched::Taken
            } else {
                Unmatched::NoMargin
            };
            return Err(why(places[k].0));
        };
        let ahead = |j: &usize| {
            accepted[*j].is_some_and(|other| other.0 == k && (other.1, i) > (score, *j))
        };
        match (0..entries.len()).find(|j| *j != i && ahead(j)) {
            Some(j) if !side_by_side(&entries[i], &entries[j]) => {
                Err(Unmatched::Taken(places[k].0))
            }
            _ => Ok(Match {
                place: places[k].0,
                reversed,
                score,
                margin,
            }),
        }
    };
    (0..entries.len()).map(verdict).collect()
}

/// Whether two games may be the copies of one: a sheet each, of different players as far as is known.
fn side_by_side(a: &Entry, b: &Entry) -> bool {
    let [a, b] = [a, b].map(|entry| match &entry.headers[..] {
        [only] => Some(only.writer),
        _ => None,
    });
    a.zip(b).is_some_and(|(a, b)| a.is_none() || a != b)
}

/// What a game may be matched with, and by how many nats it is rarer than a game that was played.
fn places(event: &Event, round: Option<u32>) -> Vec<(Place, f64)> {
    let rarity = |kind| match kind {
        Kind::Played | Kind::Open => 0.0,
        Kind::Short => SHORT,
        Kind::Forfeit => FORFEIT,
    };
    let counts = |r: u32| round.is_none_or(|round| round == r);
    let pairings = event
        .pairings
        .iter()
        .enumerate()
        .filter(|(_, p)| counts(p.round));
    let byes = event
        .byes
        .iter()
        .enumerate()
        .filter(|(_, b)| counts(b.round));
    pairings
        .map(|(i, p)| (Place::Pairing(i), rarity(p.kind)))
        .chain(byes.map(|(i, _)| (Place::Bye(i), BYE)))
        .collect()
}

/// Whether a sheet of a game names somebody beyond doubt who is not of the pairing: then it is no copy of this game,
/// whatever its moves are like.
fn names_others(event: &Event, entry: &Entry, place: Place) -> bool {
    let Place::Pairing(i) = place else {
        return false;
    };
    let players = [event.pairings[i].white, event.pairings[i].black];
    let fields = entry.headers.iter().flat_map(|h| [&h.white, &h.black]);
    let named = fields.flatten().filter_map(Scores::sure);
    entry.headers.len() > 1 && named.into_iter().any(|player| !players.contains(player))
}

/// A game at a place.
struct Scored {
    score: f64,
    /// What the sheets say, without how likely the place was before.
    own: f64,
    reversed: bool,
}

/// The columns that a game may have: the first of every place, and the second with a single sheet.
fn columns(entry: &Entry, scored: &[Scored]) -> Vec<(usize, f64)> {
    let mut columns = Vec::new();
    for (k, s) in scored.iter().enumerate() {
        let [first, second] = assignment::columns(k);
        columns.push((first, s.score));
        if entry.headers.len() == 1 {
            columns.push((second, s.score + UNLIKE_COPY));
        }
    }
    columns.retain(|&(_, score)| score > 0.0);
    columns
}

/// The score of a game at a place, in the colours that suit it better.
fn score(event: &Event, entry: &Entry, place: Place, prior: f64) -> Scored {
    match place {
        Place::Bye(i) => {
            let bye = &event.byes[i];
            let name = |header: &Header| {
                let fields = [&header.white, &header.black].into_iter().flatten();
                let scores = fields.map(|field| field.of(&bye.player));
                scores.reduce(f64::max).unwrap_or(0.0)
            };
            let round = |header: &Header| header.round.as_ref().map_or(0.0, |r| r.of(&bye.round));
            let headers = entry
                .headers
                .iter()
                .map(|header| name(header) + round(header));
            let own = headers.sum::<f64>();
            Scored {
                score: prior + own,
                own,
                reversed: false,
            }
        }
        Place::Pairing(i) => {
            let as_paired = evidence(&event.pairings[i], entry, false);
            let reversed = if entry.headers.iter().any(Header::has_names) {
                REVERSED + evidence(&event.pairings[i], entry, true)
            } else {
                f64::NEG_INFINITY
            };
            let own = as_paired.max(reversed);
            Scored {
                score: prior + own,
                own,
                reversed: reversed > as_paired,
            }
        }
    }
}

/// What the sheets say for a pairing.
fn evidence(pairing: &Pairing, entry: &Entry, reversed: bool) -> f64 {
    let (white, black, outcome) = if reversed {
        (pairing.black, pairing.white, flipped(pairing.outcome))
    } else {
        (pairing.white, pairing.black, pairing.outcome)
    };
    let known = outcome != Outcome::Unknown;
    let of_header = |header: &Header| {
        let names = header.white.as_ref().map_or(0.0, |s| s.of(&white))
            + header.black.as_ref().map_or(0.0, |s| s.of(&black));
        let round = header.round.as_ref().map_or(0.0, |s| s.of(&pairing.round));
        let board = header.board.as_ref().zip(pairing.board);
        let date = header.date.as_ref().filter(|_| pairing.date.is_whole());
        let result = header.result.as_ref().filter(|_| known);
        names
            + round
            + board.map_or(0.0, |(s, board)| s.of(&board))
            + date.map_or(0.0, |s| s.of(&pairing.date))
            + result.map_or(0.0, |s| s.of(&outcome))
    };
    let headers: f64 = entry.headers.iter().map(of_header).sum();
    // The result in the header and the one found with the moves are mostly the same ink.
    let told = entry.headers.iter().any(|header| header.result.is_some());
    let moves = match entry.outcome {
        Outcome::Unknown => 0.0,
        _ if told || !known => 0.0,
        found if found == outcome => SAME_RESULT,
        _ => OTHER_RESULT,
    };
    headers + moves
}

/// A result in the other player's eyes.
pub(super) fn flipped(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::WhiteWins => Outcome::BlackWins,
        Outcome::BlackWins => Outcome::WhiteWins,
        other => other,
    }
}
