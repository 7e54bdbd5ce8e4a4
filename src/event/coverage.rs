//! The coverage: every pairing, and whether its game is there.

use super::checks::Finding;
use super::codes::{CheckCode, Level};
use super::ledger::Ledger;
use super::{Pairing, PairingKind};
use crate::notation::terminator;

/// Whether the game of a pairing is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoverageStatus {
    /// The game is there, and no check asks for a look at it.
    Ok,
    /// The game is there, and a person should look at it.
    Review,
    /// The game was played, and no sheet is there.
    Missing,
    /// No sheet is there and none is expected: a forfeit, a game under one move, or one that has no
    /// result yet.
    NotExpected,
}

impl CoverageStatus {
    /// The status in words, as in coverage.csv.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Review => "review",
            Self::Missing => "missing",
            Self::NotExpected => "not expected",
        }
    }
}

const CSV_HEADER: &str =
    "round,board,date,white_rank,white,black_rank,black,result,code,status,sheets,why\n";

/// The index and the status of every pairing in scope.
pub fn pairing_statuses(ledger: &Ledger, findings: &[Finding]) -> Vec<(usize, CoverageStatus)> {
    let needs_review = |f: &Finding| f.code.level() > Level::Info || f.code == CheckCode::G3;
    let status = |(i, p): (usize, &Pairing)| {
        let has_game = !ledger.records_of(i).is_empty();
        let status = match (has_game, p.kind) {
            (true, _) if findings_about(findings, i).any(needs_review) => CoverageStatus::Review,
            (true, _) => CoverageStatus::Ok,
            (false, PairingKind::Played) => CoverageStatus::Missing,
            (false, _) => CoverageStatus::NotExpected,
        };
        (i, status)
    };
    ledger.pairings().map(status).collect()
}

/// The findings about a pairing.
fn findings_about(findings: &[Finding], pairing: usize) -> impl Iterator<Item = &Finding> {
    findings.iter().filter(move |f| f.pairing == Some(pairing))
}

/// Formats the coverage as CSV: one line a pairing, with its sheets and what the checks found.
pub fn format_csv(ledger: &Ledger, findings: &[Finding]) -> String {
    let mut text = CSV_HEADER.to_owned();
    for (i, status) in pairing_statuses(ledger, findings) {
        let p = &ledger.event.pairings[i];
        let player = |i: usize| &ledger.event.players[i];
        let sheets: Vec<String> = ledger
            .records_of(i)
            .into_iter()
            .map(|r| ledger.records[r].name())
            .collect();
        let reasons: Vec<String> = findings_about(findings, i)
            .map(|f| format!("{} {}", f.code, f.text))
            .collect();
        let kind = match p.kind {
            PairingKind::Played => "played",
            PairingKind::UnderOneMove => "under one move",
            PairingKind::Forfeit => "forfeit",
            PairingKind::Pending => "no result yet",
        };
        text += &super::csv::format_line([
            p.round.to_string(),
            p.board.map_or_else(String::new, |board| board.to_string()),
            p.date.to_string(),
            player(p.white).rank.to_string(),
            player(p.white).name.clone(),
            player(p.black).rank.to_string(),
            player(p.black).name.clone(),
            terminator(p.outcome).to_owned(),
            kind.to_owned(),
            status.name().to_owned(),
            sheets.join(" + "),
            reasons.join("; "),
        ]);
    }
    text
}
