//! From the readings of a sheet, or of several copies, to the game that was played.

mod assemble;
mod confidence;
mod costs;
mod encoder;
mod end;
mod ending;
mod evidence;
mod fixed_move;
mod game;
mod growth;
mod hand;
mod language;
mod lattice;
mod lexicon;
mod position;
mod record;
mod rivals;
mod search;
mod second;
mod smoothing;

use std::sync::OnceLock;

use crate::copies;
use crate::notation::Language;
use crate::prior::Prior;
use crate::reader::Reading;

pub use confidence::ConfidenceFeatures;
pub use costs::Costs;
pub use fixed_move::FixedMove;
pub use game::{Game, Ply, RunnerUp, Unread, UnreadReason};

use hand::Hand;
use lattice::{Lattice, Line};
use lexicon::{Lexicons, Spellings};
use position::Positions;
use record::Record;
use search::{Beam, Search};

/// Readings of one sheet, in the order of its cells, and the alphabet they are over.
#[derive(Debug, Clone)]
pub struct SheetReadings {
    /// Characters of the reader's classes from 1 on.
    pub alphabet: Vec<char>,
    /// Row by row, White before Black.
    pub readings: Vec<Reading>,
}

/// What is put out of copies whose game nobody can know from the start: their writing, none of it read as a move.
pub(crate) fn unread(copies: &[SheetReadings], languages: &[String]) -> Game {
    let of_copy = |(sheet, copy): (usize, &SheetReadings)| {
        let written = copy.readings.iter().filter(|r| record::is_writing(r));
        let unread = written.map(|reading| Unread {
            sheet,
            cell: reading.id,
            reason: assemble::reason(reading),
        });
        unread.collect::<Vec<_>>()
    };
    Game {
        languages: languages.to_vec(),
        unread: copies.iter().enumerate().flat_map(of_copy).collect(),
        ..Game::empty()
    }
}

/// What the caller may choose.
#[derive(Debug, Clone)]
pub struct Options {
    /// The language of the sheet; none to find it.
    pub language: Option<&'static Language>,
    /// States kept after each cell.
    pub width: usize,
    /// Moves with less confidence than this are marked for review, unless `ask` says which.
    pub doubt: f32,
    /// Largest share of a game's moves that is marked for review, those first whose answer repairs most; moves that no
    /// cell speaks for are always marked. None to go by `doubt`.
    pub ask: Option<f32>,
    /// Number of other games put out beside the best.
    pub runners_up: usize,
    /// Costs of the search.
    pub costs: Costs,
    /// How copies are found and their cells aligned.
    pub copies: copies::Parameters,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            language: None,
            width: 96,
            doubt: 0.9,
            ask: None,
            runners_up: 0,
            costs: Costs::default(),
            copies: copies::Parameters::default(),
        }
    }
}

/// Cells by which languages are compared before the whole sheet is decoded.
const TASTE_CELLS: usize = 24;
/// States kept while comparing.
const TASTE_WIDTH: usize = 24;
/// A language that far behind the best after [`TASTE_CELLS`] cells, in nats, is out.
const TASTE_MARGIN: f32 = 8.0;

/// How far a state may lie behind the best one after the same cell, in nats: one unexplained cell or left-out
/// move, and some moves.
const WINDOW: f32 = 12.0;
/// A sheet that could not be followed to its end is searched again with a beam that keeps this many times as many
/// states, with the game found before for a guide. If that finds a better game, the early mistake can be repaired, and
/// the search goes on with [`RETRY_WIDTH`]; of 90 real sheets 52 are probed and three get another game.
const PROBE_WIDTH: usize = 3;
/// How many times as many states a retry keeps after each cell.
const RETRY_WIDTH: usize = 12;
/// Window of probe and retries in nats: a row whose two moves stand elsewhere, and some moves.
const RETRY_WINDOW: f32 = 26.0;
/// Most retries of one record, each guided by the game found last; the first that finds no better game is the last.
const MAX_RETRIES: usize = 6;

/// Decodes sheets: the prior and the options, loaded once.
#[derive(Debug)]
pub struct Decoder {
    prior: Prior,
    options: Options,
    /// Over the alphabet of the first game, which is nearly always that of all others.
    spellings: OnceLock<(Vec<char>, Spellings)>,
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

    /// The game that all of the copies record, each in its writer's language. Same readings, same game; nothing
    /// written gives a game without moves. The copies are over the alphabet of the first.
    pub fn decode(&self, copies: &[SheetReadings]) -> Game {
        self.decode_with(copies, &[])
    }

    /// The same game once a person has settled some of its moves; they are in it wherever the board allows them at
    /// all, and no review is asked of them.
    pub fn decode_with(&self, copies: &[SheetReadings], held: &[FixedMove]) -> Game {
        let Some(first) = copies.first() else {
            return Game::empty();
        };
        let costs = &self.options.costs;
        let known = || (first.alphabet.clone(), Spellings::new(&first.alphabet));
        let (alphabet, known) = self.spellings.get_or_init(known);
        let other;
        let spellings = if *alphabet == first.alphabet {
            known
        } else {
            other = Spellings::new(&first.alphabet);
            &other
        };
        let encoder = &spellings.encoder;
        let mut positions = Positions::new(&self.prior, costs.uniform_mix);
        let mut lexicons = Lexicons::new(spellings);
        let mut sheets: Vec<Record> = copies
            .iter()
            .map(|readings| Record::new(readings, encoder, costs))
            .collect();
        let mut languages: Vec<Vec<&'static Language>> = Vec::new();
        for record in &mut sheets {
            let plausible = match self.options.language {
                Some(language) => vec![language],
                None => language::plausible(record, encoder),
            };
            languages.push(taste(
                plausible,
                &mut Search {
                    record,
                    positions: &mut positions,
                    lexicons: &mut lexicons,
                    costs,
                    held: &[],
                },
            ));
        }
        if sheets.len() > 1 {
            // Another copy settles the moves: each one's likeliest language will do.
            languages.iter_mut().for_each(|l| l.truncate(1));
        }
        let readings: Vec<_> = copies.iter().map(|c| c.readings.as_slice()).collect();
        let mut record = match sheets.pop() {
            Some(only) if sheets.is_empty() => only,
            last => {
                sheets.extend(last);
                Record::join(sheets, &copies::align(&readings, &self.options.copies))
            }
        };
        let mut search = Search {
            record: &mut record,
            positions: &mut positions,
            lexicons: &mut lexicons,
            costs,
            held,
        };
        let mut likeliest: Option<(Vec<Hand>, Lattice, Line)> = None;
        for k in 0..languages[0].len() {
            let hands: Vec<_> = languages.iter().map(|l| Hand::usual(l[k])).collect();
            search.take(&hands);
            let (lattice, line) = self.search(&mut search);
            if likeliest
                .as_ref()
                .is_none_or(|(_, best, _)| lattice.weight > best.weight)
            {
                likeliest = Some((hands, lattice, line));
            }
        }
        let Some((mut hands, mut lattice, mut line)) = likeliest else {
            return Game::empty();
        };
        let known = hands.iter().enumerate();
        let known: Vec<Hand> = known
            .map(|(c, hand)| Hand::of(&line, search.record, &readings, c, hand.language))
            .collect();
        if known.iter().any(Hand::is_odd) {
            hands = known;
            search.take(&hands);
            (lattice, line) = self.search(&mut search);
        }
        search.take(&hands);
        (lattice, line) = self.retry(&mut search, lattice, line);
        let languages: Vec<_> = hands.iter().map(|hand| hand.language).collect();
        line = search.literal().unwrap_or(line);
        if held.is_empty() && line.is_by_chance(search.record) {
            line = Line::without_moves(search.record.slots.len());
        }
        assemble::game(
            &line,
            &lattice,
            &readings,
            &record,
            &languages,
            held,
            &self.options,
        )
    }

    /// The games that a record may hold, and the best of them.
    fn search(&self, search: &mut Search) -> (Lattice, Line) {
        let slots = search.record.slots.len();
        let beam = Beam {
            width: self.options.width,
            window: WINDOW,
        };
        let lattice = search.run(slots, beam, None);
        let line = lattice.best(slots);
        (lattice, line)
    }

    /// The same, searched again with wider beams where the best game is doubtful.
    fn retry(&self, search: &mut Search, lattice: Lattice, line: Line) -> (Lattice, Line) {
        let slots = search.record.slots.len();
        let (mut lattice, mut line) = (lattice, line);
        let widths = std::iter::once(PROBE_WIDTH).chain([RETRY_WIDTH; MAX_RETRIES]);
        for width in widths {
            if !line.is_doubtful() {
                break;
            }
            let beam = Beam {
                width: self.options.width * width,
                window: RETRY_WINDOW,
            };
            let other = search.run(slots, beam, Some(&lattice.guide(&line)));
            if other.weight <= lattice.weight {
                break;
            }
            line = other.best(slots);
            lattice = other;
        }
        (lattice, line)
    }
}

/// Those of some languages that the sheet may be written in by its first moves, likeliest first; never none.
fn taste(plausible: Vec<&'static Language>, search: &mut Search) -> Vec<&'static Language> {
    if plausible.len() == 1 {
        return plausible;
    }
    let cells = search.record.slots.len().min(TASTE_CELLS);
    let beam = Beam {
        width: TASTE_WIDTH,
        window: WINDOW,
    };
    let mut tasted: Vec<(&'static Language, f32)> = Vec::new();
    for language in plausible {
        search.take(&[Hand::usual(language)]);
        tasted.push((language, search.run(cells, beam, None).weight));
    }
    let best = tasted.iter().map(|t| t.1).fold(f32::NEG_INFINITY, f32::max);
    tasted.retain(|&(_, weight)| weight >= best - TASTE_MARGIN);
    tasted.sort_by(|a, b| b.1.total_cmp(&a.1));
    tasted.into_iter().map(|(language, _)| language).collect()
}
