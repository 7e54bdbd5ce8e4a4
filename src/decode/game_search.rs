//! The games of a record, searched for again with each further answer of a person.

use crate::notation::Language;

use super::Decoder;
use super::answer::{Answer, EarlierSearch, Effort, Instructions};
use super::answered::{AnsweredGames, Source, keep_to_answers};
use super::game::Game;
use super::readings::SheetReadings;
use super::second_game::Arrangement;

/// Largest number of searches whose games are kept. It bounds the memory; a game of 100 plies takes
/// about 50 kilobytes.
const MAX_KEPT_SEARCHES: usize = 64;

/// The games of one record that earlier searches found, each search with the answers that it was
/// told. Another answer costs a search only where a game contradicts it.
#[derive(Debug, Clone, Default)]
pub struct GameSearch {
    arrangement: Option<Arrangement>,
    /// The answers that a search was told, and its games; the search that was told none comes
    /// first.
    searches: Vec<(Vec<Answer>, Vec<Game>)>,
}

impl GameSearch {
    /// The games that stand one below the other on some copies, from the top; nearly always one.
    /// The answers are of the first game. It must be called with the same decoder and copies each
    /// time.
    ///
    /// The first game keeps to the answers wherever the rules allow it. Those that agree with the
    /// game of a search without answers change nothing but confidences.
    ///
    /// What quick searches find is not kept. The search without answers is never a quick one, and
    /// it decides which languages are written and whether cells hold more than their moves.
    pub fn games(
        &mut self,
        decoder: &Decoder,
        copies: &[SheetReadings],
        answers: &[Answer],
        effort: Effort,
    ) -> AnsweredGames {
        let is_quick = matches!(effort, Effort::Quick);
        keep_to_answers(answers, is_quick, |answers, source| {
            if source == Source::EarlierSearches {
                return self.earlier_games(answers).cloned();
            }
            let first = self.searches.first().map(|search| &search.1[0]);
            let found = first.map(|first| {
                let codes = first.languages.iter();
                let languages: Option<Vec<_>> = codes.map(|c| Language::of_sheet(c)).collect();
                let writers = first.writers.clone();
                (languages.unwrap_or_default(), writers, first.has_asides)
            });
            let earlier = found.as_ref();
            let earlier = earlier.map(|(languages, writers, has_asides)| EarlierSearch {
                languages,
                writers,
                has_asides: *has_asides,
            });
            let stop = match effort {
                Effort::Full(stop) => stop,
                Effort::Quick => None,
            };
            let instructions = Instructions {
                answers,
                stop,
                is_quick: is_quick && earlier.is_some(),
                earlier,
                without_retries: false,
            };
            Some(self.search(decoder, copies, instructions))
        })
    }

    /// Whether the games with these answers are known from earlier searches alone.
    pub fn knows(&self, answers: &[Answer]) -> bool {
        let mut is_known = true;
        keep_to_answers(answers, false, |told, _| {
            let known = self.earlier_games(told);
            is_known &= known.is_some();
            known.cloned()
        });
        is_known
    }

    /// The games that a search found which was told just these answers.
    fn earlier_games(&self, told: &[Answer]) -> Option<&Vec<Game>> {
        let mut searches = self.searches.iter();
        searches.find_map(|(answers, games)| (answers == told).then_some(games))
    }

    /// The games of a search that is told some answers.
    fn search(
        &mut self,
        decoder: &Decoder,
        copies: &[SheetReadings],
        instructions: Instructions,
    ) -> Vec<Game> {
        let told = instructions.answers;
        if let Some(known) = self.earlier_games(told) {
            return known.clone();
        }
        let games = match (&self.arrangement, self.searches.first()) {
            (Some(arrangement), Some((_, first))) => {
                let game = decoder.first_game(copies, arrangement, instructions);
                let below = first.iter().skip(1).cloned();
                [game].into_iter().chain(below).collect()
            }
            _ => {
                let (games, arrangement) = decoder.find_games(copies);
                self.arrangement = Some(arrangement);
                games
            }
        };
        if instructions.is_stopped() || instructions.is_quick {
            return games;
        }
        if self.searches.len() >= MAX_KEPT_SEARCHES {
            self.searches.remove(1);
        }
        self.searches.push((told.to_vec(), games.clone()));
        games
    }
}

impl Decoder {
    /// The games of [`GameSearch::games`] where there is no earlier search.
    pub fn games(&self, copies: &[SheetReadings], answers: &[Answer]) -> AnsweredGames {
        GameSearch::default().games(self, copies, answers, Effort::Full(None))
    }
}
