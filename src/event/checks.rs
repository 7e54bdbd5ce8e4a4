//! The checks: what the report file, the sheets and the games say of each other.

mod moves;

use std::fmt;

use crate::decode::Outcome;
use crate::pgn::terminator;

use super::faults::{Code, Level};
use super::games::Written;
use super::header::Header;
use super::ledger::Ledger;
use super::matching::{Match, Place, Unmatched, flipped};
use super::read_back;
use super::{Kind, Pairing};

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which check.
    pub code: Code,
    /// Where: file, line and column, or the pairing, or the sheet.
    pub place: String,
    /// What, and where there is something to do, what to do.
    pub text: String,
    /// The pairing that it is about.
    pub pairing: Option<usize>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = self.code.level().letter();
        write!(f, "{level} {} {}: {}", self.code, self.place, self.text)
    }
}

/// All the checks: of the files, of each pairing in the order of the event, of the games without one, of the PGN.
pub fn run(ledger: &Ledger, written: &[Written]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = ledger
        .event
        .faults
        .iter()
        .map(|fault| Finding {
            code: fault.code,
            place: format!("{}:{}:{}", fault.source_name, fault.line, fault.column),
            text: fault.text.clone(),
            pairing: None,
        })
        .collect();
    for (pairing, _) in ledger.pairings() {
        let place = ledger.told(pairing);
        let mut about = |code, text: String| {
            findings.push(Finding {
                code,
                place: place.clone(),
                text,
                pairing: Some(pairing),
            });
        };
        of_pairing(ledger, pairing, &mut about);
    }
    for (record, verdict) in ledger.verdicts.iter().enumerate() {
        findings.extend(without_pairing(ledger, record, verdict.as_ref()));
    }
    for game in written {
        let record = &ledger.records[game.record];
        if let Some(fault) = read_back::fault(&game.text, record) {
            findings.push(Finding {
                code: Code::P1,
                place: record.name(),
                text: format!("the PGN does not read back: {fault}; please report it"),
                pairing: ledger.pairing_of(game.record).map(|(pairing, _)| pairing),
            });
        }
    }
    findings
}

/// The worst level of what was found.
pub fn worst(findings: &[Finding]) -> Option<Level> {
    findings.iter().map(|finding| finding.code.level()).max()
}

/// The findings as CSV: level, code, where, what.
pub fn csv(findings: &[Finding]) -> String {
    let lines = findings.iter().map(|finding| {
        super::csv::line([
            finding.code.level().letter().to_string(),
            finding.code.to_string(),
            finding.place.clone(),
            finding.text.clone(),
        ])
    });
    "level,code,where,what\n".to_owned() + &lines.collect::<String>()
}

/// Where findings about one pairing go.
type About<'a> = dyn FnMut(Code, String) + 'a;

fn of_pairing(ledger: &Ledger, pairing: usize, about: &mut About) {
    let p = &ledger.event.pairings[pairing];
    let records = ledger.records_of(pairing);
    let Some(&first) = records.first() else {
        return missing(ledger, p, about);
    };
    two_for_one_side(ledger, &records, about);
    for &record in &records {
        let Some((_, found)) = ledger.pairing_of(record) else {
            continue;
        };
        headers(ledger, p, record, found, about);
    }
    results(ledger, pairing, &records, about);
    let needed = norm_player(ledger, p);
    let whole = ledger.records[first].complete;
    if let (Some(player), false) = (needed, whole) {
        about(
            Code::C2,
            format!("{player} has a title result, and the game is not fully read"),
        );
    }
    for &record in &records {
        moves::within(&ledger.records[record], about);
    }
    if let [a, b] = records[..] {
        moves::between(&ledger.records[a], &ledger.records[b], about);
    }
}

fn missing(ledger: &Ledger, p: &Pairing, about: &mut About) {
    if p.kind != Kind::Played {
        return;
    }
    about(Code::C1, "no sheet".to_owned());
    if let Some(player) = norm_player(ledger, p) {
        about(
            Code::C2,
            format!("{player} has a title result, and the game is missing"),
        );
    }
}

/// The name of a player with a title result.
fn norm_player<'a>(ledger: &'a Ledger, p: &Pairing) -> Option<&'a str> {
    let both = [p.white, p.black].into_iter();
    let mut needed = both.filter(|player| ledger.scope.norm_players.contains(player));
    needed
        .next()
        .map(|player| ledger.event.players[player].name.as_str())
}

fn two_for_one_side(ledger: &Ledger, records: &[usize], about: &mut About) {
    let sheets: usize = records
        .iter()
        .flat_map(|&i| &ledger.records[i].sheets)
        .filter(|sheet| sheet.same_as.is_none() && sheet.continues.is_none())
        .count();
    let first_pages = records.iter().flat_map(|&i| {
        let sheets = ledger.records[i].sheets.iter().zip(&ledger.headers[i]);
        sheets.filter(|(sheet, _)| sheet.continues.is_none())
    });
    let writers: Vec<_> = first_pages
        .filter_map(|(_, header)| header.writer)
        .collect();
    let same_writer = writers
        .iter()
        .enumerate()
        .any(|(i, writer)| writers[..i].contains(writer));
    if sheets > 2 || same_writer {
        let names: Vec<String> = records.iter().map(|&i| ledger.records[i].name()).collect();
        about(
            Code::M2,
            format!("two sheets for one side: {}", names.join(" + ")),
        );
    }
}

/// What the headers of a game's sheets say against its pairing.
fn headers(ledger: &Ledger, p: &Pairing, record: usize, found: &Match, about: &mut About) {
    let name = ledger.records[record].name();
    if found.reversed {
        about(
            Code::M3,
            format!("{name} has the colours the other way round; the PGN follows the sheet"),
        );
    }
    if p.kind == Kind::Forfeit {
        about(
            Code::M4,
            format!("{name} is the sheet of a game that counts as not played"),
        );
    }
    for header in &ledger.headers[record] {
        let told = contradictions(p, header);
        if !told.is_empty() {
            about(Code::M5, format!("{name} has {}", told.join(" and ")));
        }
    }
}

fn contradictions(p: &Pairing, header: &Header) -> Vec<String> {
    let mut told = Vec::new();
    if let Some(round) = header
        .round
        .as_ref()
        .and_then(|s| s.sure())
        .filter(|round| **round != p.round)
    {
        told.push(format!("round {round} instead of {}", p.round));
    }
    let date = header.date.as_ref().and_then(|s| s.sure());
    if let Some(date) = date.filter(|date| p.date.is_whole() && **date != p.date) {
        told.push(format!("the date {date} instead of {}", p.date));
    }
    let board = header.board.as_ref().and_then(|s| s.sure());
    if let Some((board, paired)) = board
        .zip(p.board)
        .filter(|(board, paired)| *board != paired)
    {
        told.push(format!("board {board} instead of {paired}"));
    }
    told
}

fn results(ledger: &Ledger, pairing: usize, records: &[usize], about: &mut About) {
    // All in the colours of the pairing.
    let reversed = |record: usize| ledger.pairing_of(record).is_some_and(|(_, m)| m.reversed);
    let turned = |record: usize, outcome| {
        if reversed(record) {
            flipped(outcome)
        } else {
            outcome
        }
    };
    let mut told: Vec<Outcome> = Vec::new();
    for &record in records {
        for outcome in ledger.results_of(record) {
            let outcome = turned(record, outcome);
            if !told.contains(&outcome) {
                told.push(outcome);
            }
        }
    }
    let p = &ledger.event.pairings[pairing];
    let list = |outcomes: &[Outcome]| {
        let texts: Vec<&str> = outcomes
            .iter()
            .map(|&outcome| terminator(outcome))
            .collect();
        texts.join(" and ")
    };
    if told.len() > 1 {
        about(
            Code::R4,
            format!("the sheets have the results {}", list(&told)),
        );
    }
    if p.outcome != Outcome::Unknown {
        let here = terminator(p.outcome);
        let others: Vec<Outcome> = told
            .iter()
            .copied()
            .filter(|&outcome| outcome != p.outcome)
            .collect();
        if told.is_empty() {
            about(
                Code::R3,
                format!("the result {here} is from the report file"),
            );
        } else if !others.is_empty() {
            about(
                Code::R1,
                format!(
                    "{} on the sheet, {here} in the report file, which is written",
                    list(&others)
                ),
            );
        }
    }
    for &record in records {
        let game = &ledger.records[record];
        let result = match p.outcome {
            Outcome::Unknown => told.first().copied().unwrap_or(Outcome::Unknown),
            known => known,
        };
        let end = moves::end_on_the_board(game).map(|(what, board)| (what, turned(record, board)));
        if let Some((what, board)) =
            end.filter(|&(_, board)| result != Outcome::Unknown && result != board)
        {
            let (board, result) = (terminator(board), terminator(result));
            about(
                Code::R2,
                format!("{what} on the board is {board}, but the result is {result}"),
            );
        }
        if p.kind == Kind::Played && game.complete && game.plies.len() < 2 {
            about(
                Code::R5,
                format!(
                    "coded as played, with {} moves on {}",
                    game.plies.len(),
                    game.name()
                ),
            );
        }
    }
}

/// What is to be said of a game that belongs to no pairing.
fn without_pairing(
    ledger: &Ledger,
    record: usize,
    verdict: Result<&Match, &Unmatched>,
) -> Vec<Finding> {
    let game = &ledger.records[record];
    let told = |place: Place| match place {
        Place::Pairing(i) => (ledger.told(i), Some(i)),
        Place::Bye(i) => {
            let bye = &ledger.event.byes[i];
            let name = &ledger.event.players[bye.player].name;
            (format!("round {}: {name}", bye.round), None)
        }
    };
    let (code, text, pairing) = match verdict {
        Ok(found) => match found.place {
            Place::Pairing(_) => return Vec::new(),
            place => {
                let text = format!(
                    "{}, who has no opponent there; look at the sheet",
                    told(place).0
                );
                (Code::M4, text, None)
            }
        },
        Err(Unmatched::Taken(place)) => {
            let (text, pairing) = told(*place);
            (
                Code::M2,
                format!("{text} has its sheets already; this one stays by itself"),
                pairing,
            )
        }
        Err(Unmatched::NoMargin(place)) => {
            let text = format!(
                "{} is likeliest, but others nearly as much; the game stays by itself",
                told(*place).0
            );
            (Code::M1, text, None)
        }
        Err(Unmatched::NoScore) => {
            let text = "what is known of it fits no pairing well enough; the game stays by itself"
                .to_owned();
            (Code::M1, text, None)
        }
    };
    let mut findings = Vec::new();
    let mut about = |code, text| {
        findings.push(Finding {
            code,
            place: game.name(),
            text,
            pairing,
        });
    };
    about(code, text);
    moves::within(game, &mut about);
    findings
}
