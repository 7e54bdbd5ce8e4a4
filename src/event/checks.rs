//! The checks: where the report file, the sheets and the games contradict each other, and what is
//! missing.

mod moves;
mod printed_sheets;
mod results;

use std::fmt;

use super::codes::{CheckCode, Level};
use super::games::GamePgn;
use super::header::Header;
use super::ledger::Ledger;
use super::matching::{EventSlot, Match, MatchResult, Unmatched};
use super::read_back;
use super::sheet_codes::{CodeVerdict, describe_code, judge_code};
use super::{Pairing, PairingKind};
use crate::schema::SheetRecord;

/// Something that a check has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The check.
    pub code: CheckCode,
    /// File, line and column, or the pairing, or the sheet.
    pub place: String,
    /// What was found and, where there is something to do, what to do.
    pub text: String,
    /// Index of the pairing that it is about.
    pub pairing: Option<usize>,
    /// The game that it is about, and where in it.
    pub subject: Subject,
}

/// What of the games a finding is about, as far as it is about one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Subject {
    /// Index of the game in the ledger.
    pub record: Option<usize>,
    /// Index of the game that it is compared with.
    pub other: Option<usize>,
    /// The ply, from 1; that of the end of a game that breaks off is the one that is missing.
    pub ply: Option<usize>,
    /// Index of the sheet in the game.
    pub sheet: Option<usize>,
}

impl Subject {
    /// A whole game.
    pub(super) fn game(record: usize) -> Self {
        Self {
            record: Some(record),
            ..Self::default()
        }
    }

    /// A ply of a game, counted from 0.
    pub(super) fn ply(record: usize, index: usize) -> Self {
        Self {
            ply: Some(index + 1),
            ..Self::game(record)
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = self.code.level().letter();
        write!(f, "{level} {} {}: {}", self.code, self.place, self.text)
    }
}

/// Runs all checks: on the files, on each pairing in the order of the event, on the games without a
/// pairing, and on the PGN.
pub fn run_checks(ledger: &Ledger, games: &[GamePgn]) -> Vec<Finding> {
    let file_faults = ledger.event.faults.iter().map(|fault| Finding {
        code: fault.code,
        place: format!("{}:{}:{}", fault.source_name, fault.line, fault.column),
        text: fault.text.clone(),
        pairing: None,
        subject: Subject::default(),
    });
    let mut findings: Vec<Finding> = file_faults.collect();
    for (pairing, _) in ledger.pairings() {
        let place = ledger.describe_pairing(pairing);
        let mut report = |code, text: String, subject| {
            findings.push(Finding {
                code,
                place: place.clone(),
                text,
                pairing: Some(pairing),
                subject,
            });
        };
        check_pairing(ledger, pairing, &mut report);
    }
    for (record, game_match) in ledger.matches.iter().enumerate() {
        findings.extend(check_unpaired_game(ledger, record, game_match));
    }
    for game in games {
        let record = &ledger.records[game.record];
        if let Some(difference) = read_back::find_difference(&game.text, record) {
            findings.push(Finding {
                code: CheckCode::P1,
                place: record.name(),
                text: format!("the PGN does not read back: {difference}; please report it"),
                pairing: ledger.pairing_of(game.record).map(|(pairing, _)| pairing),
                subject: Subject::game(game.record),
            });
        }
    }
    findings
}

/// The most serious level among findings; `None` if there are none.
pub fn max_level(findings: &[Finding]) -> Option<Level> {
    findings.iter().map(|finding| finding.code.level()).max()
}

/// Formats findings as CSV with the columns level, code, where, what.
pub fn format_csv(findings: &[Finding]) -> String {
    let lines = findings.iter().map(|finding| {
        super::csv::format_line([
            finding.code.level().letter().to_string(),
            finding.code.to_string(),
            finding.place.clone(),
            finding.text.clone(),
        ])
    });
    "level,code,where,what\n".to_owned() + &lines.collect::<String>()
}

/// A function that takes findings about one pairing or one game: code, text, and what it is about.
type ReportFinding<'a> = dyn FnMut(CheckCode, String, Subject) + 'a;

/// Runs all checks on one pairing and its games.
fn check_pairing(ledger: &Ledger, pairing: usize, report: &mut ReportFinding) {
    let p = &ledger.event.pairings[pairing];
    let records = ledger.records_of(pairing);
    let Some(&first) = records.first() else {
        return check_missing_game(ledger, p, report);
    };
    check_sheet_count(ledger, &records, report);
    for &record in &records {
        if let Some((_, game_match)) = ledger.pairing_of(record) {
            check_headers(ledger, p, record, game_match, report);
        }
    }
    results::check_results(ledger, pairing, &records, report);
    if let Some(player) = norm_player(ledger, p)
        && !ledger.records[first].complete
    {
        report(
            CheckCode::C2,
            format!("{player} has a title result, and the game is not fully read"),
            Subject::ply(first, ledger.records[first].plies.len()),
        );
    }
    for &record in &records {
        moves::check_moves(ledger, record, report);
    }
    if let [a, b] = records[..] {
        moves::check_same_moves(ledger, a, b, report);
    }
}

/// C1 and C2: a game that was played has no sheet.
fn check_missing_game(ledger: &Ledger, p: &Pairing, report: &mut ReportFinding) {
    if p.kind != PairingKind::Played {
        return;
    }
    report(CheckCode::C1, "no sheet".to_owned(), Subject::default());
    if let Some(player) = norm_player(ledger, p) {
        report(
            CheckCode::C2,
            format!("{player} has a title result, and the game is missing"),
            Subject::default(),
        );
    }
}

/// The name of a player of the pairing who has a title result.
fn norm_player<'a>(ledger: &'a Ledger, p: &Pairing) -> Option<&'a str> {
    let mut players = [p.white, p.black].into_iter();
    let player = players.find(|player| ledger.scope.norm_players.contains(player))?;
    Some(ledger.event.players[player].name.as_str())
}

/// M2: the games of a pairing have more than two sheets, or two of the same writer. Further pages
/// and pictures that were given twice are no sheets of their own, nor are carbon copies.
fn check_sheet_count(ledger: &Ledger, records: &[usize], report: &mut ReportFinding) {
    let is_carbon_copy =
        |sheet: &SheetRecord| sheet.code.as_ref().is_some_and(|code| code.copy > 1);
    let sheets: usize = records
        .iter()
        .flat_map(|&i| &ledger.records[i].sheets)
        .filter(|sheet| sheet.same_as.is_none() && sheet.continues.is_none())
        .filter(|sheet| !is_carbon_copy(sheet))
        .count();
    let first_pages = records.iter().flat_map(|&i| {
        let sheets = ledger.records[i].sheets.iter().zip(&ledger.headers[i]);
        sheets.filter(|(sheet, _)| sheet.continues.is_none() && !is_carbon_copy(sheet))
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
        report(
            CheckCode::M2,
            format!("two sheets for one side: {}", names.join(" + ")),
            Subject {
                other: records.get(1).copied(),
                ..Subject::game(records[0])
            },
        );
    }
}

/// M3, M4 and M5: the headers of a game's sheets contradict its pairing.
fn check_headers(
    ledger: &Ledger,
    p: &Pairing,
    record: usize,
    game_match: &Match,
    report: &mut ReportFinding,
) {
    let name = ledger.records[record].name();
    if game_match.reversed {
        report(
            CheckCode::M3,
            format!("{name} has the colours the other way round; the PGN follows the sheet"),
            Subject::game(record),
        );
    }
    if p.kind == PairingKind::Forfeit {
        report(
            CheckCode::M4,
            format!("{name} is the sheet of a game that counts as not played"),
            Subject::game(record),
        );
    }
    for (sheet, header) in ledger.headers[record].iter().enumerate() {
        let contradictions = list_contradictions(ledger, p, header);
        if !contradictions.is_empty() {
            report(
                CheckCode::M5,
                format!("{name} has {}", contradictions.join(" and ")),
                Subject {
                    sheet: Some(sheet),
                    ..Subject::game(record)
                },
            );
        }
    }
}

/// The round, date and board that a header gives with certainty and that differ from the pairing's.
fn list_contradictions(ledger: &Ledger, p: &Pairing, header: &Header) -> Vec<String> {
    let mut contradictions = Vec::new();
    let round = ledger.certain(&header.round);
    if let Some(round) = round.filter(|round| **round != p.round) {
        contradictions.push(format!("round {round} instead of {}", p.round));
    }
    let date = ledger.certain(&header.date);
    if let Some(date) = date.filter(|date| p.date.is_whole() && **date != p.date) {
        contradictions.push(format!("the date {date} instead of {}", p.date));
    }
    let board = ledger.certain(&header.board).zip(p.board);
    if let Some((board, paired)) = board.filter(|(board, paired)| *board != paired) {
        contradictions.push(format!("board {board} instead of {paired}"));
    }
    contradictions.extend(header.code.and_then(|code| {
        let hash = ledger.event.hash();
        let verdict = judge_code(&ledger.event, hash, &code, Some(p));
        let is_other_board = code.board.zip(p.board).is_some_and(|(a, b)| a != b);
        match verdict {
            CodeVerdict::OtherEvent => Some("the code of another event".to_owned()),
            CodeVerdict::OtherPairing => Some(format!("the code of {}", describe_code(&code))),
            CodeVerdict::Same if is_other_board => {
                Some(format!("the code of {}", describe_code(&code)))
            }
            CodeVerdict::Same | CodeVerdict::Silent => None,
        }
    }));
    contradictions
}

/// M1, M2 and M4 for a game without a pairing, and the checks of its moves.
fn check_unpaired_game(ledger: &Ledger, record: usize, game_match: &MatchResult) -> Vec<Finding> {
    let Some((code, text, pairing)) = describe_unpaired(ledger, game_match) else {
        return Vec::new();
    };
    // What is printed on a sheet says more than the scores of what was read.
    let conflict = game_match
        .is_err()
        .then(|| printed_sheets::describe_conflict(ledger, record))
        .flatten();
    let (code, text, pairing) = conflict.unwrap_or((code, text, pairing));
    let place = ledger.records[record].name();
    let mut findings = Vec::new();
    let mut report = |code, text, subject| {
        findings.push(Finding {
            code,
            place: place.clone(),
            text,
            pairing,
            subject,
        });
    };
    if ledger.has_event() {
        let first = pairing.and_then(|pairing| ledger.records_of(pairing).first().copied());
        let subject = Subject {
            other: first,
            ..Subject::game(record)
        };
        report(code, text, subject);
    }
    moves::check_moves(ledger, record, &mut report);
    findings
}

/// Why a game has no pairing: code, text and the pairing that it is about. `None` for a game with a
/// pairing.
fn describe_unpaired(
    ledger: &Ledger,
    game_match: &MatchResult,
) -> Option<(CheckCode, String, Option<usize>)> {
    let describe_slot = |slot: EventSlot| match slot {
        EventSlot::Pairing(i) => (ledger.describe_pairing(i), Some(i)),
        EventSlot::Bye(i) => {
            let bye = &ledger.event.byes[i];
            let name = &ledger.event.players[bye.player].name;
            (format!("round {}: {name}", bye.round), None)
        }
    };
    match *game_match {
        Ok(Match {
            slot: EventSlot::Pairing(_),
            ..
        }) => None,
        Ok(Match { slot, .. }) => {
            let (slot, _) = describe_slot(slot);
            let text = format!("{slot}, who has no opponent there; look at the sheet");
            Some((CheckCode::M4, text, None))
        }
        Err(Unmatched::SlotFull(slot)) => {
            let (slot, pairing) = describe_slot(slot);
            let text = format!("{slot} has its sheets already; this one stays by itself");
            Some((CheckCode::M2, text, pairing))
        }
        Err(Unmatched::Ambiguous(slot)) => {
            let (slot, _) = describe_slot(slot);
            let text =
                format!("{slot} is likeliest, but others nearly as much; the game stays by itself");
            Some((CheckCode::M1, text, None))
        }
        Err(Unmatched::LowScore) => {
            let text = "what is known of it fits no pairing well enough; the game stays by itself";
            Some((CheckCode::M1, text.to_owned(), None))
        }
    }
}
