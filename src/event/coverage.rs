//! Every pairing and whether its game is there.

use super::checks::Finding;
use super::faults::{Code, Level};
use super::ledger::Ledger;
use super::{Kind, Pairing};
use crate::pgn::terminator;

/// What came of a pairing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The game is there, and no check has a word to say but what is to know.
    Ok,
    /// The game is there, to be looked at.
    Review,
    /// A sheet is expected, and none is there.
    Missing,
    /// No sheet is there, and none is expected: a forfeit, a game under one move, one not played yet.
    NotExpected,
}

impl Status {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Review => "review",
            Self::Missing => "missing",
            Self::NotExpected => "not expected",
        }
    }
}

const HEAD: &str =
    "round,board,date,white_rank,white,black_rank,black,result,code,status,sheets,why\n";

/// The status of every pairing that sheets were looked for, by its index.
pub fn statuses(ledger: &Ledger, findings: &[Finding]) -> Vec<(usize, Status)> {
    let status = |(i, p): (usize, &Pairing)| {
        let there = !ledger.records_of(i).is_empty();
        let look = |f: &&Finding| f.code.level() > Level::Info || f.code == Code::G3;
        let status = match (there, p.kind) {
            (true, _) if about(findings, i).any(|f| look(&f)) => Status::Review,
            (true, _) => Status::Ok,
            (false, Kind::Played) => Status::Missing,
            (false, _) => Status::NotExpected,
        };
        (i, status)
    };
    ledger.pairings().map(status).collect()
}

/// The findings about a pairing.
fn about(findings: &[Finding], pairing: usize) -> impl Iterator<Item = &Finding> {
    findings.iter().filter(move |f| f.pairing == Some(pairing))
}

/// The coverage as CSV: one line a pairing, with its sheets and what the checks found.
pub fn csv(ledger: &Ledger, findings: &[Finding]) -> String {
    let mut text = HEAD.to_owned();
    for (i, status) in statuses(ledger, findings) {
        let p = &ledger.event.pairings[i];
        let player = |i: usize| &ledger.event.players[i];
        let sheets: Vec<String> = ledger
            .records_of(i)
            .into_iter()
            .map(|r| ledger.records[r].name())
            .collect();
        let why: Vec<String> = about(findings, i)
            .map(|f| format!("{} {}", f.code, f.text))
            .collect();
        let kind = match p.kind {
            Kind::Played => "played",
            Kind::Short => "under one move",
            Kind::Forfeit => "forfeit",
            Kind::Open => "no result yet",
        };
        text += &super::csv::line([
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
            why.join("; "),
        ]);
    }
    text
}
