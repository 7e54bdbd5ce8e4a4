//! The rounds of a report file: what each player's line says of a round, and the pairings that two
//! lines make up together.

use std::collections::HashMap;

use crate::notation::Outcome;

use super::codes::{CheckCode, FileFault};
use super::fixed_width::FixedWidthLine;
use super::{Bye, Event, Pairing, PairingKind};

/// What one player's line says of the rounds.
pub(super) struct PlayerRounds {
    /// Line in the file, from 1.
    pub(super) line: usize,
    /// The rounds in their order.
    pub(super) rounds: Vec<RoundField>,
}

/// What a player's line says of one round.
#[derive(Clone, Copy)]
pub(super) struct RoundField {
    /// First column of the field.
    column: usize,
    /// Starting rank of the opponent; `None` if there is no opponent.
    opponent: Option<u32>,
    /// `w`, `b`, or a space for neither.
    colour: char,
    /// Result character in capitals; a space if there is none.
    result: char,
}

impl RoundField {
    /// A round of which the line says nothing.
    pub(super) fn blank(column: usize) -> Self {
        Self {
            column,
            opponent: None,
            colour: ' ',
            result: ' ',
        }
    }

    /// Reads opponent (4 characters), colour and result, which stand in the first, sixth and eighth
    /// column of the field. The error is the column of what is wrong, and a description.
    pub(super) fn parse(line: &FixedWidthLine, column: usize) -> Result<Self, (usize, String)> {
        let text = line.field(column, column + 3);
        let opponent = match text.as_str() {
            "" => 0,
            _ => text
                .parse::<u32>()
                .map_err(|_| (column, format!("\"{text}\" is no opponent")))?,
        };
        for gap in [column + 4, column + 6, column + 8, column + 9] {
            let c = line.char_at(gap);
            if c != ' ' {
                return Err((gap, format!("\"{c}\" where a blank should be")));
            }
        }
        let colour = match line.char_at(column + 5).to_ascii_lowercase() {
            '-' | ' ' => ' ',
            c @ ('w' | 'b') => c,
            // German programs write s for schwarz, which is black.
            's' => 'b',
            c => return Err((column + 5, format!("\"{c}\" is no colour"))),
        };
        let result = line.char_at(column + 7).to_ascii_uppercase();
        if !"10=+-WDLHFUZ ".contains(result) {
            return Err((column + 7, format!("\"{result}\" is no result")));
        }
        if opponent > 0 && "HFUZ".contains(result) {
            let text = format!("\"{result}\" is for a round without an opponent");
            return Err((column + 7, text));
        }
        Ok(Self {
            column,
            opponent: (opponent > 0).then_some(opponent),
            colour,
            result,
        })
    }
}

/// Adds to an event the pairings and byes of its players' lines, and a T2 fault for every two lines
/// that disagree.
///
/// `lines` has one entry a player, and `ranks` the index of each player by starting rank.
pub(super) fn build_pairings(
    event: &mut Event,
    source: &str,
    lines: &[PlayerRounds],
    ranks: &HashMap<u32, usize>,
) {
    let round_count = lines.iter().map(|line| line.rounds.len()).max();
    let mut builder = PairingBuilder {
        event,
        source,
        lines,
        ranks,
    };
    for round in 0..round_count.unwrap_or(0) {
        for (player, line) in lines.iter().enumerate() {
            if let Some(&field) = line.rounds.get(round) {
                builder.add_round(round, player, field);
            }
        }
    }
}

/// The event that is built from the players' lines.
struct PairingBuilder<'a> {
    event: &'a mut Event,
    source: &'a str,
    lines: &'a [PlayerRounds],
    ranks: &'a HashMap<u32, usize>,
}

impl PairingBuilder<'_> {
    /// Adds what a player's line says of a round, which here counts from 0. A pairing is added
    /// once, from the line that stands first in the file.
    fn add_round(&mut self, round: usize, player: usize, own: RoundField) {
        let number = round as u32 + 1;
        let Some(opponent_rank) = own.opponent else {
            if own.result != ' ' {
                self.event.byes.push(Bye {
                    round: number,
                    player,
                    code: own.result,
                });
            }
            return;
        };
        let rank = self.event.players[player].rank;
        let opponent = self.ranks.get(&opponent_rank).copied();
        let Some(opponent) = opponent.filter(|&opponent| opponent != player) else {
            return self.add_fault(
                player,
                own,
                format!(
                    "round {number}: {rank} meets {opponent_rank}, who is no other player of the \
                     file"
                ),
            );
        };
        let other = self.lines[opponent].rounds.get(round).copied();
        let Some(other) = other.filter(|field| field.opponent == Some(rank)) else {
            return self.add_fault(
                player,
                own,
                format!(
                    "round {number}: {rank} meets {opponent_rank}, but {opponent_rank} does not \
                     meet {rank}"
                ),
            );
        };
        if player < opponent {
            self.add_pairing(number, (player, own), (opponent, other));
        }
    }

    /// Adds the pairing of two players whose lines name each other. The first one's line stands
    /// further up in the file.
    fn add_pairing(
        &mut self,
        round: u32,
        (player, own): (usize, RoundField),
        (opponent, other): (usize, RoundField),
    ) {
        let rank = self.event.players[player].rank;
        let opponent_rank = self.event.players[opponent].rank;
        let see = format!("(see {}:{})", self.lines[opponent].line, other.column);
        if own.colour != ' ' && own.colour == other.colour {
            self.add_fault(
                player,
                own,
                format!(
                    "round {round}: {rank} and {opponent_rank} both have the colour {} {see}",
                    own.colour
                ),
            );
        }
        let has_black = own.colour == 'b' || own.colour == ' ' && other.colour == 'w';
        let (white, black, results) = if has_black {
            (opponent, player, (other.result, own.result))
        } else {
            (player, opponent, (own.result, other.result))
        };
        let combined = combine_results(results);
        if combined.is_none() {
            self.add_fault(
                player,
                own,
                format!(
                    "round {round}: {rank} has the result \"{}\" against {opponent_rank}, who has \
                     \"{}\" {see}",
                    own.result, other.result
                ),
            );
        }
        let (kind, outcome) =
            combined.unwrap_or_else(|| (kind_of_contradiction(results), Outcome::Unknown));
        self.event.pairings.push(Pairing {
            round,
            board: None,
            date: self.event.round_date(round),
            white,
            black,
            kind,
            outcome,
        });
    }

    /// Adds a T2 fault at a round of a player's line.
    fn add_fault(&mut self, player: usize, field: RoundField, text: String) {
        self.event.faults.push(FileFault {
            code: CheckCode::T2,
            source_name: self.source.to_owned(),
            line: self.lines[player].line,
            column: field.column,
            text,
        });
    }
}

/// What White's and Black's result characters mean together; `None` where they are not the two
/// sides of one game.
fn combine_results(results: (char, char)) -> Option<(PairingKind, Outcome)> {
    Some(match results {
        ('1', '0') => (PairingKind::Played, Outcome::WhiteWins),
        ('0', '1') => (PairingKind::Played, Outcome::BlackWins),
        ('=', '=') => (PairingKind::Played, Outcome::Draw),
        ('W', 'L') => (PairingKind::UnderOneMove, Outcome::WhiteWins),
        ('L', 'W') => (PairingKind::UnderOneMove, Outcome::BlackWins),
        ('D', 'D') => (PairingKind::UnderOneMove, Outcome::Draw),
        ('+', '-') => (PairingKind::Forfeit, Outcome::WhiteWins),
        ('-', '+') => (PairingKind::Forfeit, Outcome::BlackWins),
        ('-', '-') => (PairingKind::Forfeit, Outcome::Unknown),
        (' ', ' ') => (PairingKind::Pending, Outcome::Unknown),
        _ => return None,
    })
}

/// The kind of a pairing whose two results contradict each other: a sheet is expected if either of
/// them says that the game was played.
fn kind_of_contradiction((white, black): (char, char)) -> PairingKind {
    let either_in = |set: &str| set.contains(white) || set.contains(black);
    if either_in("10=") {
        PairingKind::Played
    } else if either_in("WDL") {
        PairingKind::UnderOneMove
    } else {
        PairingKind::Forfeit
    }
}
