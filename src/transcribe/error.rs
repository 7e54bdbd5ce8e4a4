//! Why a text gives no game, or not all of one, each with what to do about it.

use crate::text::NotText;

/// Why a record is not followed to its end, or contradicts itself. The message names the line; the
/// caller puts the name of the file before it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TranscriptFault {
    /// A word is not a legal move.
    #[error(
        "line {line}: \"{word}\" is no legal move for {place}, and the game is cut before it; \
         correct it, or a move \
         before it"
    )]
    Illegal {
        /// The line of the word, from 1.
        line: usize,
        /// The word as it is written.
        word: String,
        /// The player and the number of the move.
        place: String,
    },
    /// A word means several legal moves, and nothing after it says which.
    #[error(
        "line {line}: \"{word}\" for {place} may be {moves}, and the game is cut before it; \
         write which man moves"
    )]
    Ambiguous {
        /// The line of the word, from 1.
        line: usize,
        /// The word as it is written.
        word: String,
        /// Two of the moves, in SAN.
        moves: String,
        /// The player and the number of the move.
        place: String,
    },
    /// A word is a move in descriptive notation.
    #[error(
        "line {line}: \"{word}\" is descriptive notation, which sheetscan does not read; write \
         it as algebraic"
    )]
    Descriptive {
        /// The line of the word, from 1.
        line: usize,
        /// The word as it is written.
        word: String,
    },
    /// A game begins from a position, or is played by rules, that sheetscan cannot follow.
    #[error("line {line}: the game {text}; it is left out")]
    Start {
        /// The line of the first tag, from 1.
        line: usize,
        /// What is so with the game.
        text: String,
    },
    /// A tag cannot be read, or contradicts the moves.
    #[error("line {line}: {text}")]
    Tag {
        /// The line of the tag, from 1.
        line: usize,
        /// What is wrong and what was done.
        text: String,
    },
    /// There are tags without moves and without a result.
    #[error("line {line}: no moves are found behind the tags of this game; it is left out")]
    NoMoves {
        /// The line of the first tag, from 1.
        line: usize,
    },
    /// A move has not the number that it must have, so that moves are missing.
    #[error(
        "line {line}: the number {number} stands where {place} should be, and the game is cut \
         before it; add the moves that are missing, or the tag FEN, or correct the number"
    )]
    Number {
        /// The line of the number, from 1.
        line: usize,
        /// The number as it is written.
        number: u32,
        /// The player and the number of the move.
        place: String,
    },
    /// A move follows behind an end of the game.
    #[error(
        "line {line}: \"{word}\" follows as {place} behind an end of the game, and the game is cut \
         before it; take the end away, or what follows"
    )]
    BehindEnd {
        /// The line of the move, from 1.
        line: usize,
        /// The word as it is written.
        word: String,
        /// The player and the number of the move.
        place: String,
    },
    /// Several results stand at the end.
    #[error("line {line}: several results stand at the end of the game; write the right one alone")]
    Results {
        /// The line of the last move, from 1.
        line: usize,
    },
    /// The written result is not that of the final position; that of the position is kept.
    #[error(
        "line {line}: the game ends {board} on the board, but {text} in the text; look at its end"
    )]
    Result {
        /// The line of the last move, from 1.
        line: usize,
        /// The PGN token of the written result.
        text: &'static str,
        /// The PGN token of the result on the board.
        board: &'static str,
    },
}

/// Why a text gives no game at all. The caller puts the name of the file before the message.
#[derive(Debug, thiserror::Error)]
pub enum TranscribeError {
    /// The text is empty or blank.
    #[error("the text is empty; give a file with moves, as in `1. e4 e5`")]
    Empty,
    /// There are zero bytes in it, which no text has.
    #[error(transparent)]
    NotText(#[from] NotText),
    /// There are only moves in descriptive notation.
    #[error(
        "line {line}: \"{word}\" is descriptive notation, which sheetscan does not read; write \
         the moves in algebraic \
         notation, as in `1. e4 e5`"
    )]
    Descriptive {
        /// The line of the first such word, from 1.
        line: usize,
        /// The word as it is written.
        word: String,
    },
    /// The first move of the first record cannot be played.
    #[error(transparent)]
    FirstMove(TranscriptFault),
    /// There is no record that begins at move 1.
    #[error(
        "no game is found; a game begins at move 1, as in `1. e4 e5`, and its language can be \
         given with --lang"
    )]
    NoGame,
}
