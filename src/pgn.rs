//! Games as PGN in export format (Portable Game Notation specification, section 3.2).

mod export;

use crate::decode::Game;
use crate::grid::Side;
use crate::notation::glyph;
use crate::scan::ScannedGame;
use crate::transcribe::Transcript;

pub use export::Tags;
use export::comment;
pub(crate) use export::export;

/// Confidence a cell's reading needs before its `!` or `?` is believed: a stray stroke must not annotate a game.
const GLYPH_CONFIDENCE: f32 = 0.9;

/// A scanned game in export format, with the empty line that ends it.
pub fn write(scanned: &ScannedGame) -> String {
    let moves = scanned.game.plies.iter().map(|ply| {
        let mut written = ply.cells.iter();
        let reading = written.find_map(|&(sheet, cell)| scanned.reading(sheet, cell));
        let glyph = reading.and_then(|r| sure_glyph(&r.text, r.confidence));
        (ply.san.as_str(), glyph)
    });
    let outcome = scanned.game.outcome;
    export(
        &Tags::unknown(outcome),
        outcome,
        moves,
        break_off(scanned).as_deref(),
    )
}

/// A typed game in export format, with the empty line that ends it.
pub fn write_transcript(typed: &Transcript) -> String {
    let moves = typed.plies.iter().map(|ply| (ply.san.as_str(), ply.glyph));
    let comment = typed
        .fault
        .as_ref()
        .map(|fault| comment(&format!("sheetscan: {fault}")));
    let tags = Tags::unknown(typed.outcome);
    export(&tags, typed.outcome, moves, comment.as_deref())
}

/// What to tell the reader of a game that could not be followed to its end.
pub(crate) fn break_off(scanned: &ScannedGame) -> Option<String> {
    let Game { complete, .. } = scanned.game;
    if let Some(number) = scanned.headless() {
        return Some(format!(
            "sheetscan: the sheet begins at move {number}, the page before it is missing"
        ));
    }
    let Some(unread) = scanned.break_off() else {
        return (!complete).then(|| "sheetscan: not readable beyond this move".to_owned());
    };
    let side = match unread.cell.side {
        Side::White => "White",
        Side::Black => "Black",
    };
    let cell = format!("move {} {side}", unread.cell.number);
    let read = scanned
        .reading(unread.sheet, unread.cell)
        .map(|reading| reading.text.as_str());
    Some(match read {
        Some(text) if !text.is_empty() => {
            let text = comment(text);
            format!("sheetscan: not readable from {cell} on (cell reads \"{text}\")")
        }
        _ => format!("sheetscan: not readable from {cell} on"),
    })
}

/// The numeric annotation glyph of a cell's text that is read with some confidence, taken in the four decimals that the
/// JSON has, so that games written from it are the same.
pub(crate) fn sure_glyph(text: &str, confidence: f32) -> Option<u8> {
    ((confidence * 1e4).round() >= GLYPH_CONFIDENCE * 1e4)
        .then(|| glyph(text))
        .flatten()
}

#[cfg(test)]
mod tests;
