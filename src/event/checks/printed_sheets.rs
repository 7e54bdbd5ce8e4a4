//! M1 and M5 for sheets whose codes keep their game from every pairing.

use crate::form::FormCode;
use crate::schema::SheetRecord;

use super::super::ledger::Ledger;
use super::super::sheet_codes::{CodeVerdict, describe_code, judge_code};
use super::CheckCode;

/// M1 and M5: what the codes of a game's sheets say against every pairing.
pub(super) fn describe_conflict(
    ledger: &Ledger,
    record: usize,
) -> Option<(CheckCode, String, Option<usize>)> {
    let game = &ledger.records[record];
    let name = |sheet: usize| {
        game.sheets
            .get(sheet)
            .map_or_else(|| game.name(), SheetRecord::name)
    };
    let code = |sheet: usize| {
        let code = ledger.headers[record]
            .get(sheet)
            .and_then(|header| header.code);
        code.map_or_else(String::new, |code| describe_code(&code))
    };
    let (check, text) = match find_conflict(ledger, record)? {
        CodeConflict::OtherEvent { sheet } => (
            CheckCode::M1,
            format!(
                "{} has the code of another event; the game stays by itself",
                name(sheet)
            ),
        ),
        CodeConflict::OtherRound { sheet } => (
            CheckCode::M5,
            format!(
                "{} has the code of {}, and the sheets are of another round; the game stays by \
                 itself",
                name(sheet),
                code(sheet)
            ),
        ),
        CodeConflict::TwoGames { sheets: [a, b] } => (
            CheckCode::M5,
            format!(
                "{} has the code of {} and {} that of {}, but the same moves: somebody wrote on \
                 another board's sheet; the game stays by itself until you say whose it is",
                name(a),
                code(a),
                name(b),
                code(b)
            ),
        ),
        CodeConflict::NoSuchPairing { sheet } => (
            CheckCode::M1,
            format!(
                "{} has the code of {}, which no pairing has; the game stays by itself",
                name(sheet),
                code(sheet)
            ),
        ),
    };
    Some((check, text, None))
}

/// Why the codes of a game's sheets keep it from every pairing.
#[derive(Debug, Clone, PartialEq, Eq)]
enum CodeConflict {
    /// A sheet was printed for another event.
    OtherEvent {
        /// Index of the sheet in its game.
        sheet: usize,
    },
    /// A sheet was printed for another round than the one that is looked at.
    OtherRound {
        /// Index of the sheet in its game.
        sheet: usize,
    },
    /// The moves of two sheets are those of one game, and they were printed for two.
    TwoGames {
        /// Indices of the two sheets in their game.
        sheets: [usize; 2],
    },
    /// A sheet was printed for a pairing that the event does not have.
    NoSuchPairing {
        /// Index of the sheet in its game.
        sheet: usize,
    },
}

/// Looks for what keeps a game from every pairing, where its sheets have codes.
fn find_conflict(ledger: &Ledger, record: usize) -> Option<CodeConflict> {
    let hash = ledger.event.hash();
    let headers = ledger.headers[record].iter().enumerate();
    let codes = headers.filter_map(|(sheet, header)| Some((sheet, header.code?)));
    let codes: Vec<(usize, FormCode)> = codes.collect();
    let is_of = |code: &FormCode| code.event.is_none_or(|event| event == hash);
    if let Some(&(sheet, _)) = codes.iter().find(|(_, code)| !is_of(code)) {
        return Some(CodeConflict::OtherEvent { sheet });
    }
    for (i, (first, code)) in codes.iter().enumerate() {
        let differs = |other: &&(usize, FormCode)| code.is_of_same_game(&other.1) == Some(false);
        if let Some((second, _)) = codes[i..].iter().find(differs) {
            return Some(CodeConflict::TwoGames {
                sheets: [*first, *second],
            });
        }
    }
    for (sheet, code) in codes {
        let Some(round) = code.round else {
            continue;
        };
        if ledger.scope.round.is_some_and(|scope| scope != round) {
            return Some(CodeConflict::OtherRound { sheet });
        }
        let mut pairings = ledger.pairings().map(|(_, pairing)| pairing);
        let is_printed_for =
            |pairing| judge_code(&ledger.event, hash, &code, Some(pairing)) == CodeVerdict::Same;
        if !pairings.any(is_printed_for) {
            return Some(CodeConflict::NoSuchPairing { sheet });
        }
    }
    None
}
