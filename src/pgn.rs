//! Games as PGN in export format (Portable Game Notation specification, section 3.2).

use crate::decode::{Game, Outcome};
use crate::grid::Side;
use crate::scan::ScannedGame;
use crate::transcribe::Transcript;

/// Longest line of movetext; the specification asks for fewer than 80 columns.
const LINE: usize = 79;

/// Confidence a cell's reading needs before its `!` or `?` is believed: a stray stroke must not annotate a game.
const GLYPH_CONFIDENCE: f32 = 0.9;

/// The tags of a game: the Seven Tag Roster in its order, then others in ASCII order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// Tags of which nothing is known but the result.
    pub fn unknown(outcome: Outcome) -> Self {
        let roster = [
            ("Event", "?"),
            ("Site", "?"),
            ("Date", "????.??.??"),
            ("Round", "?"),
            ("White", "?"),
            ("Black", "?"),
            ("Result", terminator(outcome)),
        ];
        Self(
            roster
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .to_vec(),
        )
    }

    /// Sets a tag; a new one takes its place behind the roster.
    pub fn set(&mut self, name: &str, value: &str) {
        let place = match self.0.iter().position(|(known, _)| known == name) {
            Some(place) => {
                self.0.remove(place);
                place
            }
            None => 7 + self.0[7..].partition_point(|(known, _)| known.as_str() < name),
        };
        self.0.insert(place, (name.to_owned(), value.to_owned()));
    }

    /// Names and values in the order of export.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// The token that ends a game and the value of its Result tag.
pub fn terminator(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::WhiteWins => "1-0",
        Outcome::BlackWins => "0-1",
        Outcome::Draw => "1/2-1/2",
        Outcome::Unknown => "*",
    }
}

/// A scanned game in export format, with the empty line that ends it.
pub fn write(scanned: &ScannedGame) -> String {
    let moves = scanned.game.plies.iter().map(|ply| {
        let mut written = ply.cells.iter();
        let reading = written.find_map(|&(sheet, cell)| scanned.reading(sheet, cell));
        let sure = reading.filter(|r| r.confidence >= GLYPH_CONFIDENCE);
        (ply.san.as_str(), sure.and_then(|r| glyph(&r.text)))
    });
    export(scanned.game.outcome, moves, break_off(scanned).as_deref())
}

/// A typed game in export format, with the empty line that ends it.
pub fn write_transcript(typed: &Transcript) -> String {
    let moves = typed.plies.iter().map(|ply| (ply.san.as_str(), ply.glyph));
    let comment = typed
        .fault
        .as_ref()
        .map(|fault| comment(&format!("sheetscan: {fault}")));
    export(typed.outcome, moves, comment.as_deref())
}

/// Tags and movetext; the comment stands behind the last move.
fn export<'a>(
    outcome: Outcome,
    moves: impl Iterator<Item = (&'a str, Option<u8>)>,
    comment: Option<&str>,
) -> String {
    let mut text = String::new();
    for (name, value) in Tags::unknown(outcome).iter() {
        text += &format!("[{name} \"{}\"]\n", escape(value));
    }
    text.push('\n');
    let mut column = 0;
    for token in movetext(outcome, moves, comment) {
        let width = token.chars().count();
        if column > 0 && column + 1 + width > LINE {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += &token;
        column += width;
    }
    text += "\n\n";
    text
}

/// Move numbers, moves, glyphs, the comment where a record breaks off, the result.
fn movetext<'a>(
    outcome: Outcome,
    moves: impl Iterator<Item = (&'a str, Option<u8>)>,
    comment: Option<&str>,
) -> Vec<String> {
    let mut tokens = Vec::new();
    for (i, (san, glyph)) in moves.enumerate() {
        if i % 2 == 0 {
            tokens.push(format!("{}.", i / 2 + 1));
        }
        tokens.push(san.to_owned());
        tokens.extend(glyph.map(|glyph| format!("${glyph}")));
    }
    if let Some(comment) = comment {
        tokens.push("{".to_owned());
        tokens.extend(comment.split_whitespace().map(str::to_owned));
        tokens.push("}".to_owned());
    }
    tokens.push(terminator(outcome).to_owned());
    tokens
}

/// What to tell the reader of a game that could not be followed to its end.
fn break_off(scanned: &ScannedGame) -> Option<String> {
    let Game { complete, .. } = scanned.game;
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

/// A text that may stand in a comment: a brace would end it, a percent sign at the start of a line is an escape.
fn comment(text: &str) -> String {
    text.replace(['{', '}', '%'], "")
}

/// The numeric annotation glyph for an annotation at the end of a written move.
pub(crate) fn glyph(text: &str) -> Option<u8> {
    const GLYPHS: [(&str, u8); 7] = [
        ("!!", 3),
        ("??", 4),
        ("!?", 5),
        ("?!", 6),
        ("!", 1),
        ("?", 2),
        ("□", 7),
    ];
    GLYPHS
        .iter()
        .find(|(suffix, _)| text.trim_end().ends_with(suffix))
        .map(|&(_, nag)| nag)
}

/// A tag's value with quotes and backslashes escaped, on one line.
fn escape(value: &str) -> String {
    let value = value.replace(|c: char| c.is_control(), " ");
    value.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests;
