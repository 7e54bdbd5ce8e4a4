//! The head of the report: counts, the coverage by round, and the findings of the checks.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::super::checks::Finding;
use super::super::coverage::{self, CoverageStatus};
use super::super::games::GamePgn;
use super::super::ledger::Ledger;
use super::board;
use crate::notation::terminator;

/// The values of the template `head.html`.
#[derive(Serialize)]
pub(super) struct Summary {
    title: String,
    place: String,
    /// SVG path of the dark squares.
    dark: String,
    /// SVG definitions of the pieces.
    pieces: &'static str,
    /// Number of games.
    games: usize,
    /// Number of moves to look at.
    doubts: usize,
    rounds: Vec<RoundSummary>,
    findings: Vec<FindingRow>,
}

/// How many pairings of a round have each status, and the pairings.
#[derive(Serialize, Default)]
struct RoundSummary {
    number: u32,
    ok: usize,
    review: usize,
    missing: usize,
    not_expected: usize,
    /// Whether at least one pairing has a board number.
    boards: bool,
    pairings: Vec<PairingRow>,
}

#[derive(Serialize)]
struct PairingRow {
    /// Board number, or the position in the round if there is none.
    number: String,
    white: String,
    black: String,
    result: &'static str,
    status: &'static str,
    /// CSS class of the status.
    class: &'static str,
}

#[derive(Serialize)]
struct FindingRow {
    level: String,
    code: String,
    place: String,
    text: String,
}

/// The summary of an event; the most serious findings come first.
pub(super) fn summarize(ledger: &Ledger, findings: &[Finding], games: &[GamePgn]) -> Summary {
    let event = &ledger.event;
    let plies = games.iter().flat_map(|g| &ledger.records[g.record].plies);
    let mut by_level: Vec<&Finding> = findings.iter().collect();
    by_level.sort_by_key(|finding| Reverse(finding.code.level()));
    let finding_row = |finding: &Finding| FindingRow {
        level: finding.code.level().letter().to_string(),
        code: finding.code.to_string(),
        place: finding.place.clone(),
        text: finding.text.clone(),
    };
    Summary {
        title: if event.name.is_empty() {
            "Games".to_owned()
        } else {
            event.name.clone()
        },
        place: format!("{} {}", event.city, event.federation)
            .trim()
            .to_owned(),
        dark: board::dark_squares_path(),
        pieces: board::PIECES_SVG,
        games: games.len(),
        doubts: plies.filter(|ply| ply.review).count(),
        rounds: summarize_rounds(ledger, findings),
        findings: by_level.into_iter().map(finding_row).collect(),
    }
}

fn summarize_rounds(ledger: &Ledger, findings: &[Finding]) -> Vec<RoundSummary> {
    let event = &ledger.event;
    let mut rounds: BTreeMap<u32, RoundSummary> = BTreeMap::new();
    for (i, status) in coverage::pairing_statuses(ledger, findings) {
        let p = &event.pairings[i];
        let round = rounds.entry(p.round).or_default();
        round.number = p.round;
        let (count, class) = match status {
            CoverageStatus::Ok => (&mut round.ok, "ok"),
            CoverageStatus::Review => (&mut round.review, "review"),
            CoverageStatus::Missing => (&mut round.missing, "missing"),
            CoverageStatus::NotExpected => (&mut round.not_expected, "none"),
        };
        *count += 1;
        round.boards |= p.board.is_some();
        let position = round.pairings.len() + 1;
        round.pairings.push(PairingRow {
            number: p.board.map_or(position.to_string(), |b| b.to_string()),
            white: event.players[p.white].name.clone(),
            black: event.players[p.black].name.clone(),
            result: terminator(p.outcome),
            status: status.name(),
            class,
        });
    }
    rounds.into_values().collect()
}
