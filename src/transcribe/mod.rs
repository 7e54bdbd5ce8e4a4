//! Typed notation to games: records found in running text, each move the one that the scan's spellings write so.

mod fault;
mod follow;
mod kind;
mod languages;
mod lexicon;
mod records;
mod words;

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Position};

use crate::decode::{self, Outcome};
use crate::grid::Side;
use crate::notation::{EndMark, Language};
use crate::pgn;

pub use fault::{Fault, TranscribeError};

use kind::Kind;
use records::{Broken, Found};
use words::Word;

/// Whether a word has the form of a move in some language, whatever the position: `Cxd5`, `e4`, `O-O`, not `9JN`.
pub fn reads_like_a_move(word: &str) -> bool {
    Kind::of(word) == Kind::Move
}

/// One move of a typed game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedPly {
    /// SAN with `+` and `#`.
    pub san: String,
    /// The numeric annotation glyph of what stands behind it (PGN specification, section 10), as 1 for `!`.
    pub glyph: Option<u8>,
}

/// A game found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// Line of its first move in the text, from 1.
    pub line: usize,
    /// The moves, from the first; none where not even that can be played.
    pub plies: Vec<TypedPly>,
    /// Result as the text or the board says.
    pub outcome: Outcome,
    /// Why the record is not followed to its end, or does not agree with itself; none for a game that is whole.
    pub fault: Option<Fault>,
}

/// What was made of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcription {
    /// The language that all of it is taken to be written in.
    pub language: &'static Language,
    /// Another language whose letters fit as well and give other moves.
    pub rival: Option<&'static Language>,
    /// The games, in the order of the text.
    pub games: Vec<Transcript>,
}

impl Transcription {
    /// Whether every game was followed to its end.
    pub fn is_whole(&self) -> bool {
        self.rival.is_none() && self.games.iter().all(|game| game.fault.is_none())
    }
}

/// Finds the games in a text of typed notation. The language of the letters is found where none is given: the one in
/// which the text tells most. A game begins at move 1, and every move of it is legal.
///
/// # Errors
/// [`TranscribeError::Empty`], [`TranscribeError::NotText`]; [`TranscribeError::Descriptive`] where descriptive
/// notation is all there is, [`TranscribeError::NoGame`] where there is no game.
pub fn transcribe(
    text: &str,
    language: Option<&'static Language>,
) -> Result<Transcription, TranscribeError> {
    if text
        .trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
        .is_empty()
    {
        return Err(TranscribeError::Empty);
    }
    if text.contains('\0') {
        return Err(TranscribeError::NotText);
    }
    let words = words::words(text);
    let languages = match language {
        Some(language) => vec![language],
        None => languages::plausible(&words),
    };
    let (language, found, rival) = languages::best(&words, &languages);
    let games: Vec<Transcript> = found
        .iter()
        .map(|record| transcript(&words, record))
        .collect();
    if games.iter().all(|game| game.plies.is_empty()) {
        let descriptive = words.iter().find(|word| word.kind == Kind::Descriptive);
        return Err(
            match (descriptive, games.into_iter().find_map(|game| game.fault)) {
                (Some(word), _) => TranscribeError::Descriptive {
                    line: word.line,
                    word: word.text.to_string(),
                },
                (None, Some(fault)) => TranscribeError::Nothing(fault),
                (None, None) => TranscribeError::NoGame,
            },
        );
    }
    Ok(Transcription {
        language,
        rival,
        games,
    })
}

fn transcript(words: &[Word], record: &Found) -> Transcript {
    let mut position = Chess::default();
    let sure = record.line.unsure.map_or(usize::MAX, |(ply, _)| ply);
    let mut plies = Vec::new();
    for step in record.line.steps.iter().take(sure) {
        plies.push(TypedPly {
            san: SanPlus::from_move_and_play_unchecked(&mut position, step.m).to_string(),
            glyph: glyph(&words[step.word..]),
        });
    }
    let unsure = record.line.unsure.map(|(ply, moves)| {
        let word = &words[record.line.steps[ply].word];
        let [one, other] = moves.map(|m| SanPlus::from_move(position.clone(), m).to_string());
        Fault::Ambiguous {
            line: word.line,
            word: word.text.to_string(),
            moves: format!("{one} or {other}"),
            place: place(&position),
        }
    });
    let broken = record.broken.map(|broken| {
        let (Broken::At(at) | Broken::Missing(at)) = broken;
        let (line, word) = (words[at].line, words[at].text.to_string());
        match words[at].kind {
            Kind::Descriptive => Fault::Descriptive { line, word },
            _ => Fault::Illegal {
                line,
                word,
                place: place(&position),
            },
        }
    });
    let (outcome, clash) = if unsure.is_some() {
        (Outcome::Unknown, None)
    } else {
        ending(&position, &record.marks)
    };
    let last = record
        .line
        .steps
        .last()
        .map_or(record.start, |step| step.word);
    let clash = clash.map(|text| Fault::Result {
        line: words[last].line,
        text: pgn::terminator(text),
        board: pgn::terminator(outcome),
    });
    Transcript {
        line: words[record.start].line,
        plies,
        outcome,
        fault: unsure.or(broken).or(clash),
    }
}

/// Number and side of the next move, as in `White's move 2`.
fn place(position: &Chess) -> String {
    let side = match position.turn() {
        Color::White => "White",
        Color::Black => "Black",
    };
    format!("{side}'s move {}", position.fullmoves())
}

/// The glyph of a move or of the signs that follow it.
fn glyph(words: &[Word]) -> Option<u8> {
    let behind = words[1..].iter().take_while(|word| word.kind == Kind::Sign);
    std::iter::once(&words[0])
        .chain(behind)
        .find_map(|word| pgn::glyph(word.text.trim_end_matches(['.', ':'])))
}

/// The result by the board, else by a written score, else by who gave up; and the written one where it is another.
fn ending(position: &Chess, marks: &[EndMark]) -> (Outcome, Option<Outcome>) {
    let loser = match position.turn() {
        Color::White => Side::White,
        Color::Black => Side::Black,
    };
    let score = marks
        .iter()
        .find(|mark| !matches!(mark, EndMark::LoserHere | EndMark::Over));
    let mark = score.or_else(|| marks.iter().find(|mark| **mark == EndMark::LoserHere));
    let written = decode::outcome(None, mark.map(|mark| (*mark, loser)));
    let board = decode::outcome(position.outcome().known(), None);
    if board == Outcome::Unknown || board == written {
        (written, None)
    } else {
        (board, (written != Outcome::Unknown).then_some(written))
    }
}
