//! Decodes the readings of one sheet, or of several copies of it, into the game that they record.
//!
//! A beam search (`search`) goes through the cells one by one. One state of the beam is a position
//! on the board after some cells, with what tells games apart (`lattice`). For every legal move the
//! CTC probability of the cell's writing under any spelling of the move (`cell_scorer`) is weighed
//! with the prior of the move; players' slips have costs ([`Costs`]). What survives is a lattice of
//! games: its best path is the game, its posteriors give the confidences. All weights are natural
//! logarithms, in nats.
//!
//! ```
//! use sheetscan::ink::CellState;
//! use sheetscan::decode::{Decoder, Options, SheetReadings};
//! use sheetscan::geometry::Point;
//! use sheetscan::grid::{CellId, Side};
//! use sheetscan::reader::{MixtureComponent, Posteriors, Reading};
//!
//! // Two cells over a tiny alphabet, one character a frame, each 90 % certain.
//! let alphabet = vec!['e', '4', '5'];
//! let reading = |side, text: &str| {
//!     let frame = |c| [' ', 'e', '4', '5'].map(|class| if class == c { 0.9f32 } else { 0.033 });
//!     let posteriors = Posteriors {
//!         frames: 2,
//!         classes: 4,
//!         log: text.chars().flat_map(frame).map(f32::ln).collect(),
//!     };
//!     Reading {
//!         id: CellId { number: 1, side },
//!         quad: [Point::new(0.0, 0.0); 4],
//!         state: CellState::Written,
//!         text: text.to_owned(),
//!         confidence: 0.8,
//!         mixture: MixtureComponent::alone(&posteriors),
//!     }
//! };
//! let readings = vec![reading(Side::White, "e4"), reading(Side::Black, "e5")];
//! let game = Decoder::new(Options::default()).decode(&[SheetReadings { alphabet, readings }]);
//! let sans: Vec<&str> = game.plies.iter().map(|ply| ply.san.as_str()).collect();
//! assert_eq!(sans, ["e4", "e5"]);
//! ```

mod agreement;
mod answer;
mod answered;
mod asides;
mod assembly;
mod beam;
mod candidates;
mod cell_scorer;
mod component_scorer;
mod confidence;
mod constraints;
mod costs;
mod ctc_trie;
mod edge_lists;
mod encoder;
mod end_mark;
mod frontier;
mod game;
mod game_search;
mod gap;
mod habits;
mod language;
mod lattice;
mod layer_room;
mod lexicon;
mod move_posteriors;
mod n_best;
mod options;
mod path;
mod positions;
mod proposal;
mod questions;
mod readings;
mod record;
mod search;
mod second_game;
mod sheet_cell;
mod skips;
mod smoothing;
mod termination;
mod writer;

use std::sync::OnceLock;

use crate::copies;
use crate::notation::Language;
use crate::prior::Prior;
use crate::reader::Reading;

pub use agreement::Agreement;
use answer::Instructions;
pub use answer::{Answer, CellContent, Effort, FixedMove};
pub use answered::AnsweredGames;
pub(crate) use assembly::game_without_moves;
pub use beam::BeamParameters;
pub use candidates::Candidate;
pub use confidence::ConfidenceFeatures;
pub use costs::Costs;
pub use game::{Game, Gap, Ply, ReviewReason, RunnerUp, Unread, UnreadReason};
pub use game_search::GameSearch;
pub use gap::GapParameters;
pub use options::Options;
pub use readings::SheetReadings;

use answered::{blank_answered_cells, cells_after_the_end};
use assembly::Assembly;
use constraints::Constraints;
use gap::{SlotInk, cut_before_gap};
use habits::{learn_writer, moves_of_copy};
use lattice::Lattice;
use lexicon::{Lexicons, SpellingCache};
use path::Path;
use positions::PositionCache;
use record::Record;
use search::Search;
use termination::is_by_chance;
use writer::Writer;

/// Decodes sheets. It holds what is the same for all games: the prior, the options, and the
/// spellings of common moves.
#[derive(Debug)]
pub struct Decoder {
    prior: &'static Prior,
    options: Options,
    /// Spellings over the alphabet of the first game, which is nearly always that of all others.
    spellings: OnceLock<(Vec<char>, SpellingCache)>,
}

/// What comes out of a search: the games that the record may hold, and the best of them.
struct SearchResult {
    lattice: Lattice,
    path: Path,
}

impl Decoder {
    /// A decoder with the embedded prior.
    pub fn new(options: Options) -> Self {
        Self {
            prior: Prior::embedded(),
            options,
            spellings: OnceLock::new(),
        }
    }

    /// The game that all of the copies record, each in its writer's language. The same readings
    /// always give the same game, and blank sheets a game without moves. All copies are over the
    /// alphabet of the first.
    pub fn decode(&self, copies: &[SheetReadings]) -> Game {
        self.decode_with(copies, Instructions::default())
    }

    /// The game of a search that is told what a person has read. It keeps to the answers wherever
    /// the rules allow it. The confidences are those of the search: [`Self::games`] marks what the
    /// person has read.
    fn decode_with(&self, copies: &[SheetReadings], instructions: Instructions) -> Game {
        let answers = instructions.answers;
        let parameters = &self.options.copies;
        let Some(corrected) = blank_answered_cells(copies, answers, parameters) else {
            return self.decode_spelt(copies, instructions);
        };
        let mut game = self.decode_spelt(&corrected, instructions);
        let behind = cells_after_the_end(copies, answers, parameters);
        game.unread.extend(behind);
        game
    }

    /// The game of some copies, with the spellings over their alphabet.
    fn decode_spelt(&self, copies: &[SheetReadings], instructions: Instructions) -> Game {
        let Some(first) = copies.first() else {
            return Game::empty();
        };
        let (alphabet, cached) = self
            .spellings
            .get_or_init(|| (first.alphabet.clone(), SpellingCache::new(&first.alphabet)));
        if *alphabet == first.alphabet {
            self.decode_to_the_end(copies, instructions, cached)
        } else {
            self.decode_to_the_end(copies, instructions, &SpellingCache::new(&first.alphabet))
        }
    }

    /// The game of some copies at some costs.
    fn decode_at_costs(
        &self,
        copies: &[SheetReadings],
        instructions: Instructions,
        spellings: &SpellingCache,
        costs: &Costs,
    ) -> Game {
        let readings: Vec<&[Reading]> = copies.iter().map(|c| c.readings.as_slice()).collect();
        let mut positions = PositionCache::new(self.prior, costs.uniform_mix);
        let mut lexicons = Lexicons::new(spellings);
        let mut sheets: Vec<Record> = copies
            .iter()
            .map(|readings| Record::new(readings, lexicons.encoder(), costs))
            .collect();
        let languages = self.languages_of(&mut sheets, instructions, &mut positions, &mut lexicons);
        let mut record = self.join(sheets, &readings);
        let constraints = Constraints::new(instructions.answers, &record, &readings);
        let mut search = Search {
            record: &mut record,
            positions: &mut positions,
            lexicons: &mut lexicons,
            costs,
            constraints: &constraints,
            instructions,
        };
        let known = instructions.earlier.map(|earlier| earlier.writers);
        let found = match known.filter(|writers| writers.len() == copies.len()) {
            Some(writers) => {
                search.set_writers(writers);
                Some((writers.to_vec(), self.search(&mut search)))
            }
            None => self.search_writers(&mut search, &languages, &readings),
        };
        let Some((writers, result)) = found else {
            return Game::empty();
        };
        search.set_writers(&writers);
        let result = if instructions.is_quick || instructions.without_retries {
            result
        } else {
            self.retry(&mut search, result)
        };
        let SearchResult { lattice, path } = result;
        let path = search.unambiguous_reading().unwrap_or(path);
        let posteriors = lattice.move_posteriors(&path, costs.temperature);
        let ink = |slot| SlotInk {
            is_blank: search.record.is_blank(slot),
            min_explained_fit: search.record.min_explained_fit(slot, costs),
        };
        let (mut path, gap) = cut_before_gap(path, &posteriors, ink, &costs.gap);
        if instructions.answers.is_empty() && is_by_chance(&path, search.record) {
            path = Path::without_moves(search.record.slots.len());
        }
        let assembly = Assembly {
            path: &path,
            gap,
            posteriors: &posteriors,
            lattice: &lattice,
            record: &record,
            copies: &readings,
            options: &self.options,
        };
        Game {
            has_asides: costs.asides,
            ..assembly.game(writers)
        }
    }

    /// The record of all sheets, their cells aligned where there are several.
    fn join(&self, mut sheets: Vec<Record>, readings: &[&[Reading]]) -> Record {
        match sheets.pop() {
            Some(only) if sheets.is_empty() => only,
            last => {
                sheets.extend(last);
                let aligned = copies::align(readings, &self.options.copies);
                Record::join(sheets, &aligned, &self.options.costs)
            }
        }
    }

    /// The writers of a record, and its search with their spellings: first all have usual habits in
    /// each of their possible languages, then the habits that their moves show.
    fn search_writers(
        &self,
        search: &mut Search,
        languages: &[Vec<&'static Language>],
        readings: &[&[Reading]],
    ) -> Option<(Vec<Writer>, SearchResult)> {
        let (writers, result) = self.search_languages(search, languages)?;
        match learn_unusual_writers(&writers, &result.path, search, readings) {
            Some(unusual) => {
                search.set_writers(&unusual);
                Some((unusual, self.search(search)))
            }
            None => Some((writers, result)),
        }
    }

    /// The best search of a whole record among its writers' possible languages, all with usual
    /// habits; of equals the first.
    fn search_languages(
        &self,
        search: &mut Search,
        languages: &[Vec<&'static Language>],
    ) -> Option<(Vec<Writer>, SearchResult)> {
        let mut best: Option<(Vec<Writer>, SearchResult)> = None;
        for k in 0..languages[0].len() {
            let writers: Vec<_> = languages.iter().map(|l| Writer::typical(l[k])).collect();
            search.set_writers(&writers);
            let result = self.search(search);
            if best
                .as_ref()
                .is_none_or(|(_, best)| result.lattice.weight > best.lattice.weight)
            {
                best = Some((writers, result));
            }
        }
        best
    }

    /// The games that a record may hold, and the best of them.
    fn search(&self, search: &mut Search) -> SearchResult {
        let slots = search.record.slots.len();
        let beam = &self.options.costs.beam;
        let beam = match search.instructions.is_quick {
            true => beam.quick(),
            false => beam.first(),
        };
        let lattice = search.run(slots, beam, None);
        let path = lattice.best(slots);
        SearchResult { lattice, path }
    }

    /// Searches again with wider beams while the best path is doubtful and a better one turns up;
    /// the path found before is the reference of each search. Only a successful probe leads to the
    /// widest beam. With the answers of a person, who will look again, the probe is the last one.
    fn retry(&self, search: &mut Search, mut result: SearchResult) -> SearchResult {
        let slots = search.record.slots.len();
        let beam = &self.options.costs.beam;
        let has_answers = !search.instructions.answers.is_empty();
        let widest = (!has_answers).then_some(beam.retry_width_factor);
        for factor in std::iter::once(beam.probe_width_factor).chain(widest) {
            if !result.path.is_doubtful() || search.instructions.is_stopped() {
                break;
            }
            let reference = result.lattice.reference(&result.path);
            let lattice = search.run(slots, beam.repeated(factor), Some(&reference));
            if lattice.weight <= result.lattice.weight {
                break;
            }
            let path = lattice.best(slots);
            result = SearchResult { lattice, path };
        }
        result
    }
}

/// The writers of the copies with the letters and habits that their moves on a path show, where any
/// of them is unusual.
fn learn_unusual_writers(
    writers: &[Writer],
    path: &Path,
    search: &Search,
    readings: &[&[Reading]],
) -> Option<Vec<Writer>> {
    let min_moves = search.costs.min_second_language_moves;
    let learned: Vec<Writer> = writers
        .iter()
        .enumerate()
        .map(|(copy, writer)| {
            let moves = moves_of_copy(path, search.record, readings, copy);
            learn_writer(&moves, writer.language, min_moves)
        })
        .collect();
    learned.iter().any(Writer::is_unusual).then_some(learned)
}
