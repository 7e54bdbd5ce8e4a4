//! How a game ended, and the texts that end a record.

use shakmaty::{Color, KnownOutcome};

/// How a game ended, as far as the sheet or the board says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// 1-0
    WhiteWins,
    /// 0-1
    BlackWins,
    /// 1/2-1/2
    Draw,
    /// *
    Unknown,
}

impl Outcome {
    /// The outcome by the board, else by an end mark, given with the player in whose column it
    /// stands.
    pub(crate) fn decide(board: Option<KnownOutcome>, mark: Option<(EndMark, Color)>) -> Self {
        match (board, mark) {
            (Some(KnownOutcome::Decisive { winner }), _) => Self::win(winner),
            (Some(KnownOutcome::Draw), _) | (None, Some((EndMark::Draw, _))) => Self::Draw,
            (None, Some((EndMark::WhiteWins, _))) => Self::WhiteWins,
            (None, Some((EndMark::BlackWins, _))) => Self::BlackWins,
            (None, Some((EndMark::LoserHere, loser))) => Self::win(loser.other()),
            (None, Some((EndMark::Over, _)) | None) => Self::Unknown,
        }
    }

    /// The mark that says it; none where it is unknown.
    pub(crate) fn mark(self) -> Option<EndMark> {
        match self {
            Self::WhiteWins => Some(EndMark::WhiteWins),
            Self::BlackWins => Some(EndMark::BlackWins),
            Self::Draw => Some(EndMark::Draw),
            Self::Unknown => None,
        }
    }

    /// The win of a player.
    pub fn win(winner: Color) -> Self {
        match winner {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }
}

/// The token that ends the movetext of a PGN game, which is also the value of its Result tag.
pub fn terminator(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::WhiteWins => "1-0",
        Outcome::BlackWins => "0-1",
        Outcome::Draw => "1/2-1/2",
        Outcome::Unknown => "*",
    }
}

/// The outcome of a token that ends the movetext of a PGN game.
pub fn parse_terminator(text: &str) -> Option<Outcome> {
    let mut outcomes = [
        Outcome::WhiteWins,
        Outcome::BlackWins,
        Outcome::Draw,
        Outcome::Unknown,
    ]
    .into_iter();
    outcomes.find(|&outcome| terminator(outcome) == text)
}

/// What a text in a cell says of the end of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndMark {
    /// White won: `1-0`.
    WhiteWins,
    /// Black won: `0-1`.
    BlackWins,
    /// The game was drawn: `½`, `remis`, `draw`.
    Draw,
    /// The player in whose column it stands resigned or lost on time: `abb.`, `resigns`, `Zeit`.
    LoserHere,
    /// The game is over, and the text does not say with which result: `mate`, `---`.
    Over,
}

/// Texts that end a record, each with what it says and its cost in nats in a cell after the last
/// move.
///
/// Few sheets have such a text, and it is unlike any move but castling; the costs are high enough
/// that castling is not taken for `0-1`.
pub const END_MARKS: &[(&str, EndMark, f32)] = &[
    ("1-0", EndMark::WhiteWins, 3.0),
    ("1:0", EndMark::WhiteWins, 4.0),
    ("1-O", EndMark::WhiteWins, 4.0),
    ("10", EndMark::WhiteWins, 5.0),
    ("0-1", EndMark::BlackWins, 3.0),
    ("0:1", EndMark::BlackWins, 4.0),
    ("O-1", EndMark::BlackWins, 4.0),
    ("01", EndMark::BlackWins, 5.0),
    ("½", EndMark::Draw, 3.0),
    ("½-½", EndMark::Draw, 3.0),
    ("½½", EndMark::Draw, 4.0),
    ("1/2", EndMark::Draw, 3.0),
    ("1/2-1/2", EndMark::Draw, 3.0),
    ("=", EndMark::Draw, 4.5),
    ("draw", EndMark::Draw, 4.0),
    ("Draw", EndMark::Draw, 4.0),
    ("DRAW", EndMark::Draw, 4.5),
    ("remis", EndMark::Draw, 4.5),
    ("Remis", EndMark::Draw, 4.5),
    ("patta", EndMark::Draw, 4.5),
    ("Patta", EndMark::Draw, 4.5),
    ("tablas", EndMark::Draw, 4.5),
    ("empate", EndMark::Draw, 4.5),
    ("nulle", EndMark::Draw, 4.5),
    ("abb.", EndMark::LoserHere, 4.0),
    ("abb", EndMark::LoserHere, 4.5),
    ("Abb.", EndMark::LoserHere, 4.5),
    ("abbandona", EndMark::LoserHere, 4.5),
    ("ab.", EndMark::LoserHere, 4.5),
    ("abd.", EndMark::LoserHere, 4.5),
    ("Abd.", EndMark::LoserHere, 4.5),
    ("abandona", EndMark::LoserHere, 4.5),
    ("Abandona", EndMark::LoserHere, 4.5),
    ("abandon", EndMark::LoserHere, 4.5),
    ("resigns", EndMark::LoserHere, 4.0),
    ("Resigns", EndMark::LoserHere, 4.0),
    ("resign", EndMark::LoserHere, 4.5),
    ("Resign", EndMark::LoserHere, 4.5),
    ("res", EndMark::LoserHere, 5.0),
    ("aufg.", EndMark::LoserHere, 4.5),
    ("gibtauf", EndMark::LoserHere, 5.0),
    ("tempo", EndMark::LoserHere, 4.5),
    ("Tempo", EndMark::LoserHere, 4.5),
    ("time", EndMark::LoserHere, 4.5),
    ("Time", EndMark::LoserHere, 4.5),
    ("Zeit", EndMark::LoserHere, 5.0),
    ("mate", EndMark::Over, 4.0),
    ("Mate", EndMark::Over, 4.0),
    ("MATE", EndMark::Over, 4.5),
    ("mat", EndMark::Over, 4.5),
    ("matt", EndMark::Over, 4.5),
    ("checkmate", EndMark::Over, 4.5),
    ("Checkmate", EndMark::Over, 4.5),
    ("#", EndMark::Over, 5.0),
    ("---", EndMark::Over, 4.0),
    ("--", EndMark::Over, 4.5),
];
