//! Why a text gives no game, or not all of one, said with a remedy.

/// Why a record is not followed to its end. The text names the line; whoever prints it puts the file in front.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The word is no legal move.
    #[error(
        "line {line}: \"{word}\" is no legal move for {place}, and the game is cut before it; correct it, or a move \
         before it"
    )]
    Illegal {
        /// Line of the word, from 1.
        line: usize,
        /// As it is written.
        word: String,
        /// Side and number of the move.
        place: String,
    },
    /// The word means several legal moves, and nothing behind it says which.
    #[error(
        "line {line}: \"{word}\" for {place} may be {moves}, and the game is cut before it; write which man moves"
    )]
    Ambiguous {
        /// Line of the word, from 1.
        line: usize,
        /// As it is written.
        word: String,
        /// Two of the moves in SAN.
        moves: String,
        /// Side and number of the move.
        place: String,
    },
    /// The record goes on in descriptive notation.
    #[error(
        "line {line}: \"{word}\" is descriptive notation, which sheetscan does not read; write it as algebraic"
    )]
    Descriptive {
        /// Line of the word, from 1.
        line: usize,
        /// As it is written.
        word: String,
    },
    /// The written result is not what the board says; the board's is kept.
    #[error(
        "line {line}: the game ends {board} on the board, but {text} in the text; look at its end"
    )]
    Result {
        /// Line of the last move, from 1.
        line: usize,
        /// PGN terminator of the text's result.
        text: &'static str,
        /// PGN terminator of the board's result.
        board: &'static str,
    },
}

/// Why a text gives no game at all. Whoever prints it puts the name of the file in front.
#[derive(Debug, thiserror::Error)]
pub enum TranscribeError {
    /// The system does not let us read the file.
    #[error("cannot be read: {0}; check the path and its permissions")]
    Unreadable(#[from] std::io::Error),
    /// Nothing but blanks.
    #[error("the text is empty; give a file with moves, as in `1. e4 e5`")]
    Empty,
    /// Not UTF-8, or with bytes that no text has.
    #[error("not a text sheetscan can read; save it as plain text in UTF-8")]
    NotText,
    /// Longer than we are ready to hold, with the limit in MiB.
    #[error("the text is longer than {0} MiB; split it")]
    TooLong(u64),
    /// All there is is descriptive notation.
    #[error(
        "line {line}: \"{word}\" is descriptive notation, which sheetscan does not read; write the moves in algebraic \
         notation, as in `1. e4 e5`"
    )]
    Descriptive {
        /// Line of the first such word, from 1.
        line: usize,
        /// As it is written.
        word: String,
    },
    /// A record whose first move cannot be played.
    #[error(transparent)]
    Nothing(Fault),
    /// No record that begins at move 1.
    #[error(
        "no game is found; a game begins at move 1, as in `1. e4 e5`, and its language can be given with --lang"
    )]
    NoGame,
}
