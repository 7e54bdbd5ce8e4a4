//! M1 and M5 for sheets whose codes keep their game from every pairing.

use crate::schema::SheetRecord;

use super::super::ledger::Ledger;
use super::super::sheet_codes::{CodeConflict, describe_code, find_conflict};
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
