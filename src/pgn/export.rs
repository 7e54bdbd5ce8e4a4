//! The export format of a game from any source: its tags, moves and comment as text.

use crate::notation::{Outcome, terminator};

use super::comment::sanitize_comment;

/// Largest length of a line of movetext in characters; the specification asks for fewer than 80.
const MAX_LINE_CHARS: usize = 79;

/// The tags of a game: the Seven Tag Roster in its order, then others in ASCII order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The Seven Tag Roster of a game of which only the result is known.
    pub fn with_result(outcome: Outcome) -> Self {
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

    /// Sets a tag. A new tag is inserted behind the roster, in ASCII order.
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

    /// The names and values of the tags, in the order of export.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// A move with what is written behind it.
pub(crate) struct AnnotatedMove<'a> {
    pub san: &'a str,
    /// Numeric annotation glyph.
    pub glyph: Option<u8>,
    pub comment: Option<String>,
}

/// The moves of a game and what is said of its end.
pub(crate) struct Movetext<'c, M> {
    /// The number of plies before the first move, in a game that begins from a position.
    pub plies_before: usize,
    pub moves: M,
    /// A comment after the last move.
    pub comment: Option<&'c str>,
}

/// A game in export format, with the empty line that ends it: its tags, its moves in SAN with their
/// glyphs and comments, a comment after the last move, and the result. Nothing in a comment can
/// end it.
pub(crate) fn export_game<'a>(
    tags: &Tags,
    outcome: Outcome,
    movetext: Movetext<impl Iterator<Item = AnnotatedMove<'a>>>,
) -> String {
    let mut text = String::new();
    for (name, value) in tags.iter() {
        text += &format!("[{name} \"{}\"]\n", escape_tag_value(value));
    }
    text.push('\n');
    let mut column = 0;
    for token in tokens(outcome, movetext) {
        let width = token.chars().count();
        if column > 0 && column + 1 + width > MAX_LINE_CHARS {
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

/// The tokens of the movetext: move numbers, moves, glyphs, comments word by word, the result. A
/// move of Black's that follows a comment has its number again.
fn tokens<'a>(
    outcome: Outcome,
    movetext: Movetext<impl Iterator<Item = AnnotatedMove<'a>>>,
) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut is_interrupted = true;
    for (ply, annotated) in (movetext.plies_before..).zip(movetext.moves) {
        let number = ply / 2 + 1;
        if ply % 2 == 0 {
            tokens.push(format!("{number}."));
        } else if is_interrupted {
            tokens.push(format!("{number}..."));
        }
        tokens.push(annotated.san.to_owned());
        tokens.extend(annotated.glyph.map(|glyph| format!("${glyph}")));
        is_interrupted = annotated.comment.is_some();
        push_comment(&mut tokens, annotated.comment.as_deref());
    }
    push_comment(&mut tokens, movetext.comment);
    tokens.push(terminator(outcome).to_owned());
    tokens
}

/// Adds the words of a comment between its braces.
fn push_comment(tokens: &mut Vec<String>, comment: Option<&str>) {
    if let Some(comment) = comment {
        tokens.push("{".to_owned());
        let comment = sanitize_comment(comment);
        tokens.extend(comment.split_whitespace().map(str::to_owned));
        tokens.push("}".to_owned());
    }
}

/// The value of a tag on one line, with quotes and backslashes escaped.
pub(super) fn escape_tag_value(value: &str) -> String {
    let value = value.replace(|c: char| c.is_control(), " ");
    value.replace('\\', "\\\\").replace('"', "\\\"")
}
