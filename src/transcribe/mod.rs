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
mod game_header;
mod interpreter;
mod languages;
mod move_sequence;
mod numeric;
mod passages;
mod record_end;
mod records;
mod search;
mod token_style;
mod token_text;
mod tokens;
mod transcript;
mod typed_record;
mod words;

use crate::notation::{Language, WordForm};
use crate::text::NotText;

pub use error::{TranscribeError, TranscriptFault};
pub use transcript::{Transcript, TypedPly};

use languages::{LanguageChoice, choose_language, plausible_languages};
use passages::{Passage, blank_mail_marks, split_passages};
use transcript::to_transcripts;
use words::TypedWord;

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
        return Err(NotText.into());
    }
    let texts = split_passages(&blank_mail_marks(text));
    let passages: Vec<Passage> = texts.iter().map(Passage::new).collect();
    let languages = match language {
        Some(language) => vec![language],
        None => plausible_languages(passages.iter().flat_map(|passage| &passage.words)),
    };
    let LanguageChoice {
        language,
        records,
        rival,
    } = choose_language(&passages, &languages);
    let games = passages.iter().zip(&records);
    let games: Vec<Transcript> = games
        .flat_map(|(p, records)| to_transcripts(p, records))
        .collect();
    if games.iter().all(|game| game.plies.is_empty()) {
        let words = passages.iter().flat_map(|passage| &passage.words);
        return Err(no_move_error(words, games));
    }
    Ok(Transcription {
        language,
        rival,
        games,
    })
}

/// The error for a text whose games have no moves.
fn no_move_error<'a>(
    mut words: impl Iterator<Item = &'a TypedWord<'a>>,
    games: Vec<Transcript>,
) -> TranscribeError {
    let descriptive = words.find(|word| word.form == WordForm::Descriptive);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Outcome;

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
