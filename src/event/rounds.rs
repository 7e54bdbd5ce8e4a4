//! The rounds of a report file: what each player's line says, and the pairings on which two lines agree.

use std::collections::HashMap;

use crate::decode::Outcome;

use super::faults::{Code, Fault};
use super::text::Columns;
use super::{Bye, Event, Kind, Pairing};

/// What one line of the file says of the rounds.
pub(super) struct Entry {
    /// Line, from 1.
    pub(super) line: usize,
    /// Round by round.
    pub(super) slots: Vec<Slot>,
}

/// One round of one player.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    /// Where it begins.
    column: usize,
    /// Start rank of the opponent; none for none.
    opponent: Option<u32>,
    /// `w`, `b`, or a blank for neither.
    colour: char,
    /// A blank for nothing.
    result: char,
}

impl Slot {
    /// A round of which the line says nothing.
    pub(super) fn blank(column: usize) -> Self {
        Self {
            column,
            opponent: None,
            colour: ' ',
            result: ' ',
        }
    }

    /// Reads opponent, colour and result; else the column of what is wrong, and what it is.
    pub(super) fn read(line: &Columns, column: usize) -> Result<Self, (usize, String)> {
        let text = line.field(column, column + 3);
        let opponent = match text.as_str() {
            "" => 0,
            _ => text
                .parse::<u32>()
                .map_err(|_| (column, format!("\"{text}\" is no opponent")))?,
        };
        for gap in [column + 4, column + 6, column + 8, column + 9] {
            let c = line.at(gap);
            if c != ' ' {
                return Err((gap, format!("\"{c}\" where a blank should be")));
            }
        }
        let colour = match line.at(column + 5).to_ascii_lowercase() {
            '-' | ' ' => ' ',
            c @ ('w' | 'b') => c,
            // German programs say schwarz.
            's' => 'b',
            c => return Err((column + 5, format!("\"{c}\" is no colour"))),
        };
        let result = line.at(column + 7).to_ascii_uppercase();
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

/// Finds the pairings and byes, and where two lines disagree.
pub(super) fn pair(
    event: &mut Event,
    source: &str,
    entries: &[Entry],
    ranks: &HashMap<u32, usize>,
) {
    let rounds = entries
        .iter()
        .map(|entry| entry.slots.len())
        .max()
        .unwrap_or(0);
    for round in 0..rounds {
        let slot = |i: usize| entries[i].slots.get(round).copied();
        for (i, entry) in entries.iter().enumerate() {
            let Some(mine) = slot(i) else { continue };
            let number = round as u32 + 1;
            let mut disagree = |text: String| {
                event.faults.push(Fault {
                    code: Code::T2,
                    source_name: source.to_owned(),
                    line: entry.line,
                    column: mine.column,
                    text,
                });
            };
            let Some(rank) = mine.opponent else {
                if mine.result != ' ' {
                    event.byes.push(Bye {
                        round: number,
                        player: i,
                        code: mine.result,
                    });
                }
                continue;
            };
            let me = event.players[i].rank;
            let Some(&j) = ranks.get(&rank).filter(|&&j| j != i) else {
                disagree(format!(
                    "round {number}: {me} meets {rank}, who is no other player of the file"
                ));
                continue;
            };
            let theirs = slot(j).filter(|slot| slot.opponent == Some(me));
            let Some(theirs) = theirs else {
                disagree(format!(
                    "round {number}: {me} meets {rank}, but {rank} does not meet {me}"
                ));
                continue;
            };
            if j < i {
                continue;
            }
            let (line, column) = (entries[j].line, theirs.column);
            if mine.colour != ' ' && mine.colour == theirs.colour {
                disagree(format!(
                    "round {number}: {me} and {rank} both have the colour {} (see {line}:{column})",
                    mine.colour
                ));
            }
            let swapped = mine.colour == 'b' || mine.colour == ' ' && theirs.colour == 'w';
            let (white, black) = if swapped { (j, i) } else { (i, j) };
            let of = |player| {
                if player == i {
                    mine.result
                } else {
                    theirs.result
                }
            };
            let (results, joint) = ((of(white), of(black)), joint(of(white), of(black)));
            if joint.is_none() {
                disagree(format!(
                    "round {number}: {me} has the result \"{}\" against {rank}, who has \"{}\" (see {line}:{column})",
                    mine.result, theirs.result
                ));
            }
            let (kind, outcome) = joint.unwrap_or_else(|| (kind(results), Outcome::Unknown));
            event.pairings.push(Pairing {
                round: number,
                board: None,
                date: event.date_of(number),
                white,
                black,
                kind,
                outcome,
            });
        }
    }
}

/// What White's and Black's result mean together; none where they are not two sides of one game.
fn joint(white: char, black: char) -> Option<(Kind, Outcome)> {
    Some(match (white, black) {
        ('1', '0') => (Kind::Played, Outcome::WhiteWins),
        ('0', '1') => (Kind::Played, Outcome::BlackWins),
        ('=', '=') => (Kind::Played, Outcome::Draw),
        ('W', 'L') => (Kind::Short, Outcome::WhiteWins),
        ('L', 'W') => (Kind::Short, Outcome::BlackWins),
        ('D', 'D') => (Kind::Short, Outcome::Draw),
        ('+', '-') => (Kind::Forfeit, Outcome::WhiteWins),
        ('-', '+') => (Kind::Forfeit, Outcome::BlackWins),
        ('-', '-') => (Kind::Forfeit, Outcome::Unknown),
        (' ', ' ') => (Kind::Open, Outcome::Unknown),
        _ => return None,
    })
}

/// The kind of a pairing whose two results disagree: a sheet is expected where either says that it was played.
fn kind((white, black): (char, char)) -> Kind {
    let either = |set: &str| set.contains(white) || set.contains(black);
    if either("10=") {
        Kind::Played
    } else if either("WDL") {
        Kind::Short
    } else {
        Kind::Forfeit
    }
}
