//! What several tokens of a text mean together: results and moves that are written with blanks.

use crate::notation::{
    EndMark, WordForm, begins_end_phrase, is_file, is_rank, parse_end_phrase, parse_score,
};

use super::numeric::NumericMove;
use super::token_text::{normalize, split_leading_number, trim_punctuation};
use super::tokens::Token;

/// Smallest number of words of figures in a text whose moves are written in figures.
const MIN_NUMERIC_MOVES: usize = 4;

/// Largest number of tokens of a phrase that ends a game.
const MAX_PHRASE_TOKENS: usize = 4;

/// How the moves of a text are written.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TokenStyle {
    /// Whether they are four figures each.
    is_numeric: bool,
    /// Whether blanks stand between the two squares of a move.
    is_spaced: bool,
    /// Whether nothing but blanks stands there.
    is_bare: bool,
}

impl TokenStyle {
    /// Finds the style of a text.
    pub fn of(tokens: &[Token]) -> Self {
        let texts = || tokens.iter().map(without_number);
        let numeric = texts()
            .filter(|text| NumericMove::parse(text).is_some())
            .count();
        let mut style = Self::default();
        if numeric >= MIN_NUMERIC_MOVES {
            let moves = texts().filter(|text| WordForm::classify(text) == WordForm::Move);
            style.is_numeric = numeric > moves.count();
        }
        // A first move to White's own two ranks cannot be: it is the square that the man leaves.
        for (i, token) in tokens.iter().enumerate() {
            let is_first = split_leading_number(trim_punctuation(token.text))
                .is_some_and(|(number, _)| number == 1);
            if !is_first {
                continue;
            }
            // The number may be a token of its own, and a dash too.
            let is_number = |token: &&Token| without_number(token).is_empty();
            let mut next = tokens[i..].iter().skip_while(is_number);
            let from = next.next().map_or("", without_number);
            let mut next = next.map(|token| token.text);
            let (to, reply) = (next.next().unwrap_or(""), next.next().unwrap_or(""));
            let is_own_rank = |rank: char| rank <= '2';
            if !ends_with_square(from.trim_end_matches(is_dash)).is_some_and(is_own_rank) {
                continue;
            }
            let is_reply = |rank: char| rank >= '7';
            style.is_spaced |= from.ends_with(is_dash) || to.starts_with(is_dash);
            style.is_bare |=
                ends_with_square(to).is_some() && ends_with_square(reply).is_some_and(is_reply);
        }
        style.is_spaced |= style.is_bare;
        style
    }

    /// The form of a word.
    pub fn classify(self, word: &str) -> WordForm {
        if self.is_numeric && NumericMove::parse(word).is_some() {
            WordForm::Move
        } else {
            WordForm::classify(word)
        }
    }

    /// A move that the first tokens make up together, and their number. `first` is the first token
    /// without its move number.
    pub fn join_move(self, first: &str, tokens: &[Token]) -> Option<(String, usize)> {
        let depth = tokens.first()?.depth;
        let is_near = |token: &&Token| token.depth == depth;
        let next: Vec<&str> = tokens[1..]
            .iter()
            .take(4)
            .take_while(is_near)
            .map(|t| t.text)
            .collect();
        if let Some(castling) = join_castling(first, &next) {
            return Some(castling);
        }
        if !self.is_spaced || first.is_empty() {
            return None;
        }
        let joined = match next[..] {
            [mark, to, ..] if is_mark(mark) => Some((format!("{first}{mark}{to}"), 3)),
            [to, ..] if first.ends_with(is_dash) || to.starts_with(is_dash) => {
                Some((format!("{first}{to}"), 2))
            }
            [to, ..] if self.is_bare => Some((format!("{first}-{to}"), 2)),
            _ => None,
        };
        let (text, count) = joined?;
        let from = first.trim_end_matches(is_dash);
        let text = normalize(text.trim_end_matches(['.', ')'])).into_owned();
        let squares = text.matches(is_rank).count();
        let is_move = ends_with_square(from).is_some() && squares == 2;
        (is_move && WordForm::classify(&text) == WordForm::Move).then_some((text, count))
    }
}

/// Castling that is written with blanks, as `O - O`, and the number of its tokens.
fn join_castling(first: &str, next: &[&str]) -> Option<(String, usize)> {
    let is_sign = |text: &str| matches!(text, "O" | "o" | "0" | "О" | "о");
    let is_pair =
        |pair: &[&str]| matches!(pair, [dash, sign] if is_dash_word(dash) && is_sign(sign));
    if !is_sign(first) || !is_pair(next.get(..2)?) {
        return None;
    }
    Some(match next.get(2..4) {
        Some(pair) if is_pair(pair) => ("O-O-O".to_owned(), 5),
        _ => ("O-O".to_owned(), 3),
    })
}

/// An end mark that the first tokens make up together, as `1 - 0`, `0,5 : 0,5` and `White resigns`,
/// and their number.
pub(super) fn join_end_mark(tokens: &[Token]) -> Option<(EndMark, usize)> {
    fn text<'a>(token: &Token<'a>) -> &'a str {
        token.text.trim_end_matches(['.', '!'])
    }
    if let [white, dash, black, ..] = tokens
        && is_dash_word(dash.text)
        && let Some(result) = parse_score(&format!("{}-{}", white.text, text(black)))
    {
        return Some((result.mark()?, 3));
    }
    let first = tokens.first()?;
    if !begins_end_phrase(text(first)) {
        return None;
    }
    let on_line = tokens.iter().take(MAX_PHRASE_TOKENS);
    let on_line = on_line.take_while(|token| token.line == first.line);
    let words: Vec<&str> = on_line.map(text).collect();
    (1..=words.len()).rev().find_map(|count| {
        let mark = parse_end_phrase(&words[..count])?;
        // What goes on is more often a remark: `White wins a pawn`.
        let last = tokens[count - 1];
        let is_end = last.text.ends_with(['.', '!']);
        let goes_on = tokens.get(count).is_some_and(|next| {
            let is_mark = matches!(WordForm::classify(next.text), WordForm::End(_));
            next.line == last.line && !is_end && !is_mark
        });
        (!goes_on).then_some((mark, count))
    })
}

/// The text of a token without the move number before it.
fn without_number<'a>(token: &Token<'a>) -> &'a str {
    let text = trim_punctuation(token.text);
    split_leading_number(text).map_or(text, |(_, rest)| rest.trim_start_matches('.'))
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '–' | '—' | '−' | '‐' | '‑')
}

/// Whether a token is a dash or colon between two things.
fn is_dash_word(text: &str) -> bool {
    text == ":" || (text.chars().count() == 1 && text.starts_with(is_dash))
}

/// Whether a token is what stands between the squares of a move.
fn is_mark(text: &str) -> bool {
    is_dash_word(text) || matches!(text, "x" | "X" | "×" | "х")
}

/// The rank of the square that a word ends with.
fn ends_with_square(word: &str) -> Option<char> {
    let mut chars = word.trim_end_matches(['+', '#', '!', '?']).chars().rev();
    let rank = chars.next().filter(|c| is_rank(*c))?;
    chars.next().filter(|c| is_file(*c))?;
    Some(rank)
}
