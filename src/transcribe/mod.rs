//! Typed notation to games: finds the records in a text of any kind and plays their moves.
//!
//! A word is the move of which it is a [spelling](crate::notation::spellings), as a cell of a
//! scoresheet is.
//!
//! ```
//! use sheetscan::transcribe::transcribe;
//!
//! let transcription = transcribe("1.d4 Cf6 2.c4 e6", None)?;
//! let plies = &transcription.games[0].plies;
//! let moves: Vec<&str> = plies.iter().map(|ply| ply.san.as_str()).collect();
//! assert_eq!(moves, ["d4", "Nf6", "c4", "e6"]);
//! assert_eq!(transcription.language.code, "pt");
//! # Ok::<(), sheetscan::transcribe::TranscribeError>(())
//! ```

mod error;
mod interpreter;
mod languages;
mod records;
mod search;
mod words;

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Position};

use crate::notation::{EndMark, Language, Outcome, WordForm, glyph, terminator};

pub use error::{TranscribeError, TranscriptFault};

use languages::{LanguageChoice, choose_language, plausible_languages};
use records::{RecordBreak, TypedRecord};
use words::{TypedWord, split_words};

/// One move of a typed game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedPly {
    /// The move in SAN with `+` and `#`.
    pub san: String,
    /// The numeric annotation glyph of the judgement behind it (PGN specification, section 10), for
    /// example 1 for `!`.
    pub glyph: Option<u8>,
}

/// A game found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// The line of its first move in the text, from 1.
    pub line: usize,
    /// The moves, from the first; none where not even the first can be played.
    pub plies: Vec<TypedPly>,
    /// The result by the final position, or else as it is written.
    pub outcome: Outcome,
    /// Why the record is not followed to its end, or contradicts itself; none for a whole game.
    pub fault: Option<TranscriptFault>,
}

/// The games of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcription {
    /// The language that the whole text is taken to be written in.
    pub language: &'static Language,
    /// Another language that fits the text equally well and gives other moves.
    pub rival: Option<&'static Language>,
    /// The games, in the order of the text.
    pub games: Vec<Transcript>,
}

impl Transcription {
    /// Whether every game was followed to its end, in a language without a rival.
    pub fn is_whole(&self) -> bool {
        self.rival.is_none() && self.games.iter().all(|game| game.fault.is_none())
    }
}

/// Finds the games in a text of typed notation. A game begins at move 1, and every move of it is
/// legal. If no language is given, it is the one in which the text gives most moves.
///
/// # Errors
/// [`TranscribeError::Empty`] and [`TranscribeError::NotText`] for such texts; where no game has a
/// move, [`TranscribeError::Descriptive`] if there is descriptive notation,
/// [`TranscribeError::FirstMove`] if there is a record, else [`TranscribeError::NoGame`].
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
    let words = split_words(text);
    let languages = match language {
        Some(language) => vec![language],
        None => plausible_languages(&words),
    };
    let LanguageChoice {
        language,
        records,
        rival,
    } = choose_language(&words, &languages);
    let games: Vec<Transcript> = records
        .iter()
        .map(|record| to_transcript(&words, record))
        .collect();
    if games.iter().all(|game| game.plies.is_empty()) {
        return Err(no_move_error(&words, games));
    }
    Ok(Transcription {
        language,
        rival,
        games,
    })
}

/// The error for a text whose games have no moves.
fn no_move_error(words: &[TypedWord], games: Vec<Transcript>) -> TranscribeError {
    let descriptive = words.iter().find(|word| word.form == WordForm::Descriptive);
    let fault = games.into_iter().find_map(|game| game.fault);
    match (descriptive, fault) {
        (Some(word), _) => TranscribeError::Descriptive {
            line: word.line,
            word: word.text.to_string(),
        },
        (None, Some(fault)) => TranscribeError::FirstMove(fault),
        (None, None) => TranscribeError::NoGame,
    }
}

/// The game of a record, up to where it is ambiguous or breaks off.
fn to_transcript(words: &[TypedWord], record: &TypedRecord) -> Transcript {
    let mut position = Chess::default();
    let certain = record.moves.ambiguity.map_or(usize::MAX, |(ply, _)| ply);
    let mut plies = Vec::new();
    for step in record.moves.steps.iter().take(certain) {
        plies.push(TypedPly {
            san: SanPlus::from_move_and_play_unchecked(&mut position, step.m).to_string(),
            glyph: glyph_of_move(&words[step.word..]),
        });
    }
    let ambiguous = ambiguity_fault(words, record, &position);
    let broken = record
        .broken
        .map(|broken| break_fault(words, broken, &position));
    let (outcome, contradiction) = if ambiguous.is_some() {
        (Outcome::Unknown, None)
    } else {
        decide_outcome(&position, &record.marks)
    };
    let last = record
        .moves
        .steps
        .last()
        .map_or(record.start, |step| step.word);
    let contradiction = contradiction.map(|written| TranscriptFault::Result {
        line: words[last].line,
        text: terminator(written),
        board: terminator(outcome),
    });
    Transcript {
        line: words[record.start].line,
        plies,
        outcome,
        fault: ambiguous.or(broken).or(contradiction),
    }
}

/// The fault of a record that is ambiguous from a position on.
fn ambiguity_fault(
    words: &[TypedWord],
    record: &TypedRecord,
    position: &Chess,
) -> Option<TranscriptFault> {
    let (ply, moves) = record.moves.ambiguity?;
    let word = &words[record.moves.steps[ply].word];
    let [one, other] = moves.map(|m| SanPlus::from_move(position.clone(), m).to_string());
    Some(TranscriptFault::Ambiguous {
        line: word.line,
        word: word.text.to_string(),
        moves: format!("{one} or {other}"),
        place: name_place(position),
    })
}

/// The fault of a record that breaks off in a position.
fn break_fault(words: &[TypedWord], broken: RecordBreak, position: &Chess) -> TranscriptFault {
    let (RecordBreak::Illegal(at) | RecordBreak::Missing(at)) = broken;
    let (line, word) = (words[at].line, words[at].text.to_string());
    match words[at].form {
        WordForm::Descriptive => TranscriptFault::Descriptive { line, word },
        _ => TranscriptFault::Illegal {
            line,
            word,
            place: name_place(position),
        },
    }
}

/// The player and the number of the next move, as in `White's move 2`.
fn name_place(position: &Chess) -> String {
    let player = match position.turn() {
        Color::White => "White",
        Color::Black => "Black",
    };
    format!("{player}'s move {}", position.fullmoves())
}

/// The glyph of a move, the first of some words, or of the suffixes that follow it.
fn glyph_of_move(words: &[TypedWord]) -> Option<u8> {
    let suffixes = words[1..]
        .iter()
        .take_while(|word| word.form == WordForm::Suffix);
    std::iter::once(&words[0])
        .chain(suffixes)
        .find_map(|word| glyph(word.text.trim_end_matches(['.', ':'])))
}

/// The result: by the board, else by the first written score, else by the first sign that a player
/// gave up. Also the written result, if the board contradicts it.
fn decide_outcome(position: &Chess, marks: &[EndMark]) -> (Outcome, Option<Outcome>) {
    let score = marks
        .iter()
        .find(|mark| !matches!(mark, EndMark::LoserHere | EndMark::Over));
    let mark = score.or_else(|| marks.iter().find(|mark| **mark == EndMark::LoserHere));
    let written = Outcome::decide(None, mark.map(|mark| (*mark, position.turn())));
    let board = Outcome::decide(position.outcome().known(), None);
    if board == Outcome::Unknown || board == written {
        (written, None)
    } else {
        (board, (written != Outcome::Unknown).then_some(written))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_game(text: &str) -> Transcript {
        let language = Language::from_code("en");
        let mut transcription = transcribe(text, language).expect("a game");
        transcription.games.remove(0)
    }

    #[test]
    fn the_result_on_the_board_overrules_the_written_one() {
        let mated = first_game("1. f3 e5 2. g4 Qh4# 1-0");
        assert_eq!(mated.outcome, Outcome::BlackWins);
        assert_eq!(
            mated.fault,
            Some(TranscriptFault::Result {
                line: 1,
                text: "1-0",
                board: "0-1"
            })
        );
        let agreed = first_game("1. f3 e5 2. g4 Qh4# 0-1");
        assert_eq!((agreed.outcome, agreed.fault), (Outcome::BlackWins, None));
    }

    #[test]
    fn a_player_who_gives_up_where_he_is_to_move_loses() {
        assert_eq!(
            first_game("1. e4 e5 2. Nf3 resigns").outcome,
            Outcome::WhiteWins
        );
        // The written score counts before the word.
        assert_eq!(
            first_game("1. e4 e5 2. Nf3 resigns 0-1").outcome,
            Outcome::BlackWins
        );
    }

    #[test]
    fn the_moves_end_before_a_move_that_is_ambiguous() {
        let game = first_game("1. Nf3 d5\n2. d3 e5\n3. Nd2");
        assert_eq!(game.plies.len(), 4);
        let Some(TranscriptFault::Ambiguous {
            line, word, place, ..
        }) = game.fault
        else {
            panic!("{:?}", game.fault)
        };
        assert_eq!(
            (line, word.as_str(), place.as_str()),
            (3, "Nd2", "White's move 3")
        );
    }

    #[test]
    fn a_judgement_may_stand_apart_from_its_move() {
        let glyphs: Vec<Option<u8>> = first_game("1. e4! e5 ?! 2. Nf3 Nc6?? 3. Bb5 +- a6")
            .plies
            .iter()
            .map(|ply| ply.glyph)
            .collect();
        assert_eq!(glyphs, [Some(1), Some(6), None, Some(4), None, None]);
    }
}
