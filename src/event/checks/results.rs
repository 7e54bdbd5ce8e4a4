//! The checks of results: sheets, report file and final position against each other.

use crate::notation::{Outcome, terminator};

use super::super::ledger::Ledger;
use super::super::matching::reverse_outcome;
use super::super::{Pairing, PairingKind};
use super::{CheckCode, ReportFinding, Subject, moves};

/// R1 to R5 for the games of a pairing. All results are compared in the colours of the pairing.
pub(super) fn check_results(
    ledger: &Ledger,
    pairing: usize,
    records: &[usize],
    report: &mut ReportFinding,
) {
    let p = &ledger.event.pairings[pairing];
    let outcomes = sheet_outcomes(ledger, records);
    if outcomes.len() > 1 {
        report(
            CheckCode::R4,
            format!("the sheets have the results {}", join_outcomes(&outcomes)),
            Subject {
                other: records.get(1).copied(),
                ..last_position(ledger, records[0])
            },
        );
    }
    if p.outcome != Outcome::Unknown {
        let first = last_position(ledger, records[0]);
        check_against_report_file(p.outcome, &outcomes, first, report);
    }
    let result = match p.outcome {
        Outcome::Unknown => outcomes.first().copied().unwrap_or(Outcome::Unknown),
        known => known,
    };
    for &record in records {
        check_end_of_game(ledger, p, record, result, report);
    }
}

/// The different results on the sheets of some games, in the colours of the pairing.
fn sheet_outcomes(ledger: &Ledger, records: &[usize]) -> Vec<Outcome> {
    let mut outcomes: Vec<Outcome> = Vec::new();
    for &record in records {
        for outcome in ledger.results_of(record) {
            let outcome = in_pairing_colours(ledger, record, outcome);
            if !outcomes.contains(&outcome) {
                outcomes.push(outcome);
            }
        }
    }
    outcomes
}

/// A result of a game's sheet in the colours of its pairing.
fn in_pairing_colours(ledger: &Ledger, record: usize, outcome: Outcome) -> Outcome {
    if ledger.is_reversed(record) {
        reverse_outcome(outcome)
    } else {
        outcome
    }
}

/// R1 and R3: the results on the sheets differ from the one in the report file, or are missing.
fn check_against_report_file(
    file_outcome: Outcome,
    sheet_outcomes: &[Outcome],
    subject: Subject,
    report: &mut ReportFinding,
) {
    let file_result = terminator(file_outcome);
    let different = sheet_outcomes.iter().copied();
    let different: Vec<Outcome> = different.filter(|&o| o != file_outcome).collect();
    if sheet_outcomes.is_empty() {
        report(
            CheckCode::R3,
            format!("the result {file_result} is from the report file"),
            subject,
        );
    } else if !different.is_empty() {
        report(
            CheckCode::R1,
            format!(
                "{} on the sheet, {file_result} in the report file, which is written",
                join_outcomes(&different)
            ),
            subject,
        );
    }
}

/// R2 and R5: the final position contradicts the result, or a game coded as played has less than
/// one move of each player.
fn check_end_of_game(
    ledger: &Ledger,
    p: &Pairing,
    record: usize,
    result: Outcome,
    report: &mut ReportFinding,
) {
    let game = &ledger.records[record];
    if let Some((end, on_board)) = moves::end_on_board(game) {
        let on_board = in_pairing_colours(ledger, record, on_board);
        if result != Outcome::Unknown && result != on_board {
            let (on_board, result) = (terminator(on_board), terminator(result));
            report(
                CheckCode::R2,
                format!("{end} on the board is {on_board}, but the result is {result}"),
                last_position(ledger, record),
            );
        }
    }
    if p.kind == PairingKind::Played && game.complete && game.plies.len() < 2 {
        report(
            CheckCode::R5,
            format!(
                "coded as played, with {} moves on {}",
                game.plies.len(),
                game.name()
            ),
            last_position(ledger, record),
        );
    }
}

/// The last ply of a game.
fn last_position(ledger: &Ledger, record: usize) -> Subject {
    match ledger.records[record].plies.len() {
        0 => Subject::game(record),
        plies => Subject::ply(record, plies - 1),
    }
}

fn join_outcomes(outcomes: &[Outcome]) -> String {
    let texts: Vec<&str> = outcomes.iter().map(|&o| terminator(o)).collect();
    texts.join(" and ")
}
