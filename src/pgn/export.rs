//! Tags and moves as text, for games of whatever source.

use crate::notation::{Outcome, terminator};

/// Longest line of movetext; the specification asks for fewer than 80 columns.
const LINE: usize = 79;

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

/// Tags and movetext; the comment stands behind the last move.
pub(crate) fn export<'a>(
    tags: &Tags,
    outcome: Outcome,
    moves: impl Iterator<Item = (&'a str, Option<u8>)>,
    comment: Option<&str>,
) -> String {
    let mut text = String::new();
    for (name, value) in tags.iter() {
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

/// A text that may stand in a comment: a brace would end it, a percent sign at the start of a line is an escape.
pub(super) fn comment(text: &str) -> String {
    text.replace(['{', '}', '%'], "")
}

/// A tag's value with quotes and backslashes escaped, on one line.
pub(super) fn escape(value: &str) -> String {
    let value = value.replace(|c: char| c.is_control(), " ");
    value.replace('\\', "\\\\").replace('"', "\\\"")
}
