//! What stands behind a move, and what stands in a cell instead of one.

/// Something written behind a move, and what it costs there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decoration {
    /// The text.
    pub text: &'static str,
    /// Nats behind a move that gives no check and takes nothing.
    pub quiet: f32,
    /// Nats behind a move that gives check or mate: the board says which, never the sign (`++` is double check or mate).
    pub check: f32,
    /// Nats behind a capture, where that is less.
    pub capture: f32,
    /// Nats behind a capture in passing, where that is less.
    pub en_passant: f32,
}

const fn sign(text: &'static str, quiet: f32, check: f32) -> Decoration {
    Decoration {
        text,
        quiet,
        check,
        capture: f32::INFINITY,
        en_passant: f32::INFINITY,
    }
}

impl Decoration {
    const fn capture(self, cost: f32) -> Self {
        Self {
            capture: cost,
            ..self
        }
    }

    const fn en_passant(self, cost: f32) -> Self {
        Self {
            en_passant: cost,
            ..self
        }
    }

    /// Nats behind a move of this kind.
    pub fn cost(&self, check: bool, capture: bool, en_passant: bool) -> f32 {
        let mut cost = if check { self.check } else { self.quiet };
        if capture {
            cost = cost.min(self.capture);
        }
        if en_passant {
            cost = cost.min(self.en_passant);
        }
        cost
    }
}

/// What players write behind a move. The first is nothing: a third of all checks carry no sign.
pub const DECORATIONS: &[Decoration] = &[
    sign("", 0.0, 0.9),
    sign("+", 6.0, 0.6),
    sign("++", 7.0, 3.5),
    sign("#", 7.0, 2.5),
    sign("ch", 7.5, 4.5),
    sign("ch'", 8.0, 5.5),
    sign("t", 7.0, 5.0),
    sign("+!", 8.0, 5.5),
    sign("!", 5.0, 5.0),
    sign("?", 5.0, 5.0),
    sign("!!", 6.0, 6.0),
    sign("??", 6.0, 6.0),
    sign("!?", 6.0, 6.0),
    sign("?!", 6.0, 6.0),
    sign("=", 6.5, 6.5),
    sign("(=)", 4.5, 4.5),
    sign(".", 4.5, 5.0),
    sign(",", 5.5, 6.0),
    sign("-", 6.0, 6.5),
    sign(":", 8.0, 8.0).capture(3.0),
    sign(":+", 9.0, 9.0).capture(4.0),
    sign("x", 7.0, 5.5).capture(5.0),
    sign("e.p.", 9.0, 9.0).en_passant(1.5),
    sign("ep", 9.0, 9.0).en_passant(1.5),
    sign("e.p", 9.0, 9.0).en_passant(2.5),
    sign("mate", 8.0, 4.0),
    sign("mat", 8.0, 4.5),
    sign("matt", 8.0, 5.0),
    sign("#1-0", 9.0, 5.5),
    sign("#0-1", 9.0, 5.5),
    sign("1-0", 6.5, 6.0),
    sign("0-1", 6.5, 6.0),
    sign("1/2", 7.0, 7.0),
    sign("½", 7.0, 7.0),
    sign("abb.", 7.0, 6.5),
    sign("abb", 7.5, 7.0),
    sign("abd.", 7.5, 7.0),
];

/// What a cell says of the game's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndMark {
    /// 1-0
    WhiteWins,
    /// 0-1
    BlackWins,
    /// A half, remis, draw.
    Draw,
    /// Resigned or lost on time: the one in whose column it stands.
    LoserHere,
    /// The end without a word on the result.
    Over,
}

/// Texts that end a record, and their cost in a cell after the last move. They stand in few sheets, and then they
/// are unlike any move; the cost keeps 0-1 from passing for castling.
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
