//! Writes games as PGN in export format (Portable Game Notation specification, section 3.2).
//!
//! ```
//! use sheetscan::pgn::export_transcript;
//! use sheetscan::transcribe::transcribe;
//!
//! let transcription = transcribe("1. f3 e5 2. g4 Dh4++", None)?;
//! let pgn = export_transcript(&transcription.games[0]);
//! assert!(pgn.starts_with("[Event \"?\"]\n"));
//! assert!(pgn.ends_with("\n1. f3 e5 2. g4 Qh4# 0-1\n\n"));
//! # Ok::<(), sheetscan::transcribe::TranscribeError>(())
//! ```

mod export;

use crate::decode::Game;
use crate::grid::Side;
use crate::notation::glyph;
use crate::scan::ScannedGame;
use crate::transcribe::Transcript;

pub use export::Tags;
pub(crate) use export::export_game;
use export::sanitize_comment;

/// Smallest confidence of a cell's reading at which its `!` or `?` is written as a glyph, so that a
/// stray stroke does not annotate a game. Chosen by eye.
const MIN_GLYPH_CONFIDENCE: f32 = 0.9;

/// A scanned game in export format, with the empty line that ends it. Where the game could not be
/// followed to its end, a comment says so.
pub fn export_scanned(scanned: &ScannedGame) -> String {
    let moves = scanned.game.plies.iter().map(|ply| {
        let mut cells = ply.cells.iter();
        let reading = cells.find_map(|&(sheet, cell)| scanned.reading(sheet, cell));
        let glyph = reading.and_then(|r| confident_glyph(&r.text, r.confidence));
        (ply.san.as_str(), glyph)
    });
    let outcome = scanned.game.outcome;
    export_game(
        &Tags::with_result(outcome),
        outcome,
        moves,
        break_off_comment(scanned).as_deref(),
    )
}

/// A typed game in export format, with the empty line that ends it. A fault of its record is in a
/// comment.
pub fn export_transcript(typed: &Transcript) -> String {
    let moves = typed.plies.iter().map(|ply| (ply.san.as_str(), ply.glyph));
    let comment = typed
        .fault
        .as_ref()
        .map(|fault| sanitize_comment(&format!("sheetscan: {fault}")));
    let tags = Tags::with_result(typed.outcome);
    export_game(&tags, typed.outcome, moves, comment.as_deref())
}

/// The comment on a scanned game that lacks its beginning or could not be followed to its end.
pub(crate) fn break_off_comment(scanned: &ScannedGame) -> Option<String> {
    let Game { complete, .. } = scanned.game;
    if let Some(number) = scanned.missing_page_before() {
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
    let text = scanned
        .reading(unread.sheet, unread.cell)
        .map(|reading| reading.text.as_str());
    Some(match text {
        Some(text) if !text.is_empty() => {
            let text = sanitize_comment(text);
            format!("sheetscan: not readable from {cell} on (cell reads \"{text}\")")
        }
        _ => format!("sheetscan: not readable from {cell} on"),
    })
}

/// The numeric annotation glyph of a cell's text, if the text is read with at least
/// [`MIN_GLYPH_CONFIDENCE`]. The confidence is rounded to the four decimals of the JSON, so that
/// games written from the JSON have the same glyphs.
pub(crate) fn confident_glyph(text: &str, confidence: f32) -> Option<u8> {
    ((confidence * 1e4).round() >= MIN_GLYPH_CONFIDENCE * 1e4)
        .then(|| glyph(text))
        .flatten()
}

#[cfg(test)]
mod tests;
