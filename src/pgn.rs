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

mod comment;
mod export;

use crate::notation::glyph;
use crate::scan::{HeaderField, ScannedGame};
use crate::transcribe::Transcript;

pub(crate) use comment::break_off_comment;
use comment::{comment_with_rest, doubt_comment};
use export::AnnotatedMove;
pub use export::Tags;
pub(crate) use export::{Movetext, export_game};

/// Smallest confidence of a cell's reading at which its `!` or `?` is written as a glyph, so that a
/// stray stroke does not annotate a game. Chosen by eye.
const MIN_GLYPH_CONFIDENCE: f32 = 0.9;

/// Which comments a game gets. Where its record breaks off, a comment says so in any case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Comments {
    /// No other one.
    #[default]
    BreakOffOnly,
    /// One on each move that a person should look at.
    Doubts,
}

/// A scanned game in export format, with the empty line that ends it. Where the game could not be
/// followed to its end, a comment says so.
pub fn export_scanned(scanned: &ScannedGame, comments: Comments) -> String {
    let moves = scanned.game.plies.iter().map(|ply| {
        let mut cells = ply.cells.iter();
        let reading = cells.find_map(|&(sheet, cell)| scanned.reading(sheet, cell));
        let read = reading.map(|reading| (reading.text.as_str(), reading.confidence));
        let others = ply.alternatives.iter();
        let others = others.map(|(san, p)| (san.as_str(), f64::from(*p)));
        let is_commented = ply.review && comments == Comments::Doubts;
        let doubt = is_commented.then(|| (ply.confidence.into(), others));
        annotate_scanned(&ply.san, read, doubt)
    });
    let outcome = scanned.game.outcome;
    let comment = break_off_comment(scanned);
    let movetext = Movetext {
        plies_before: 0,
        moves,
        comment: comment.as_deref(),
    };
    export_game(&scanned_tags(scanned), outcome, movetext)
}

/// The tags of a scanned game: the roster, with what a person has read in the header, or else what
/// the reader of words is sure of.
pub(crate) fn scanned_tags(scanned: &ScannedGame) -> Tags {
    let mut tags = Tags::with_result(scanned.game.outcome);
    for field in HeaderField::ALL {
        let text = scanned.field(field).unwrap_or_default();
        if field != HeaderField::Result && !text.is_empty() {
            tags.set(field.tag(), text);
        }
    }
    tags
}

/// A typed game in export format, with the empty line that ends it. It has the tags of its text. A
/// fault of its record is in a comment, with what the text has behind the cut.
pub fn export_transcript(typed: &Transcript) -> String {
    let moves = typed.plies.iter().map(|ply| AnnotatedMove {
        san: &ply.san,
        glyph: ply.glyph,
        comment: None,
    });
    let comment = typed.fault.as_ref().map(|fault| {
        let rest = typed.rest.as_deref().unwrap_or_default();
        comment_with_rest(&format!("sheetscan: {fault}"), "the text goes on", rest)
    });
    let mut tags = Tags::with_result(typed.outcome);
    for (name, value) in &typed.tags {
        tags.set(name, value);
    }
    let movetext = Movetext {
        plies_before: typed.plies_before,
        moves,
        comment: comment.as_deref(),
    };
    export_game(&tags, typed.outcome, movetext)
}

/// A scanned move with the glyph of what its first cell reads, which comes with the confidence of
/// the reading, and where it is in doubt with a comment on its probability and the other moves that
/// it may be with theirs.
pub(crate) fn annotate_scanned<'a>(
    san: &'a str,
    read: Option<(&str, f32)>,
    doubt: Option<(f64, impl Iterator<Item = (&'a str, f64)>)>,
) -> AnnotatedMove<'a> {
    let glyph = read.and_then(|(text, confidence)| confident_glyph(text, confidence));
    let comment = doubt.map(|(probability, others)| {
        let text = read.map(|(text, _)| text);
        doubt_comment(probability, text, others)
    });
    AnnotatedMove {
        san,
        glyph,
        comment,
    }
}

/// The numeric annotation glyph of a cell's text, if the text is read with at least
/// [`MIN_GLYPH_CONFIDENCE`]. The confidence is rounded to the four decimals of the JSON, so that
/// games written from the JSON have the same glyphs.
fn confident_glyph(text: &str, confidence: f32) -> Option<u8> {
    ((confidence * 1e4).round() >= MIN_GLYPH_CONFIDENCE * 1e4)
        .then(|| glyph(text))
        .flatten()
}

#[cfg(test)]
mod tests;
