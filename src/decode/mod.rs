//! From the readings of a sheet, or of several copies, to the game that was played.

mod assemble;
mod confidence;
mod costs;
mod ending;
mod evidence;
mod held;
mod language;
mod lattice;
mod position;
mod record;
mod rivals;
mod search;
mod smoothing;

use crate::copies;
use crate::grid::CellId;
use crate::notation::Language;
use crate::prior::Prior;
use crate::reader::Reading;

pub(crate) use assemble::outcome;
pub use confidence::Signs;
pub use costs::Costs;
pub use held::Held;

use evidence::Encoder;
use lattice::Lattice;
use position::{Lexicon, Positions};
use record::Record;
use search::Search;

/// Readings of one sheet, in the order of its cells, and the alphabet they are over.
#[derive(Debug, Clone)]
pub struct SheetReadings {
    /// Characters of the reader's classes from 1 on.
    pub alphabet: Vec<char>,
    /// Row by row, White before Black.
    pub readings: Vec<Reading>,
}

/// One move of a decoded game.
#[derive(Debug, Clone, PartialEq)]
pub struct Ply {
    /// SAN with `+` and `#`.
    pub san: String,
    /// UCI, castling as the king's two-square step.
    pub uci: String,
    /// Probability that this move was played.
    pub confidence: f32,
    /// What the confidence was computed from.
    pub signs: Signs,
    /// Whether a person should look.
    pub review: bool,
    /// Other moves for this ply (SAN, confidence), best first.
    pub alternatives: Vec<(String, f32)>,
    /// The cells taken as evidence: index of the sheet and its cell; empty for a supplied move.
    pub cells: Vec<(usize, CellId)>,
}

/// Why a cell's writing is not in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnreadReason {
    /// No legal move explains it.
    Illegal,
    /// The reader makes nothing of it.
    Illegible,
    /// Struck out.
    CrossedOut,
    /// Stands after the end of the game.
    AfterTheEnd,
}

/// A cell with ink that no ply uses.
#[derive(Debug, Clone, PartialEq)]
pub struct Unread {
    /// Index of the sheet.
    pub sheet: usize,
    /// The cell.
    pub cell: CellId,
    /// Why it was not used.
    pub reason: UnreadReason,
}

/// How a game ended, as far as the sheet says.
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

/// A decoded game.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// The moves, from the first.
    pub plies: Vec<Ply>,
    /// Whether the record could be followed to its end.
    pub complete: bool,
    /// ISO 639-1 code of the notation language of each sheet.
    pub languages: Vec<String>,
    /// Result as the sheet or the board says.
    pub outcome: Outcome,
    /// Cells with ink that are in no ply.
    pub unread: Vec<Unread>,
    /// The next likeliest games, best first, as far as they were asked for.
    pub runners_up: Vec<RunnerUp>,
}

/// A game that would have been put out, had the best one not been likelier.
#[derive(Debug, Clone, PartialEq)]
pub struct RunnerUp {
    /// Its moves in SAN with `+` and `#`.
    pub sans: Vec<String>,
    /// How many nats it is less likely than the best one.
    pub behind: f32,
}

impl Game {
    /// A game of which nothing is known.
    fn empty() -> Self {
        Self {
            plies: Vec::new(),
            complete: false,
            languages: Vec::new(),
            outcome: Outcome::Unknown,
            unread: Vec::new(),
            runners_up: Vec::new(),
        }
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
        }
    }
}

/// Cells by which languages are compared before the whole sheet is decoded.
const TASTE_CELLS: usize = 24;
/// States kept while comparing.
const TASTE_WIDTH: usize = 24;
/// A language that far behind the best after [`TASTE_CELLS`] cells, in nats, is out.
const TASTE_MARGIN: f32 = 8.0;

/// How far a state may lie behind the best one after the same cell, in nats: two unexplained cells and some moves.
const WINDOW: f32 = 12.0;
/// A sheet that could not be followed to its end is searched again this much wider: the early mistake that led
/// astray is found by keeping more of the games that once looked worse, and few sheets pay for it.
const RETRY_WIDTH: usize = 4;
/// And its window opened this much.
const RETRY_WINDOW: f32 = 3.0;

/// Unexplained cells from which a player may have mistaken the column.
const LOST: usize = 2;
/// Nats by which a game with the columns swapped must be the better one.
const SWAPPED: f32 = 6.0;

/// Rows from which the columns may be swapped where the game gets lost in this one: the first, or one about here.
fn rows_about(row: usize) -> impl Iterator<Item = usize> {
    std::iter::once(0).chain(row.saturating_sub(2).max(1)..=row + 1)
}

/// Decodes sheets: the prior and the options, loaded once.
#[derive(Debug)]
pub struct Decoder {
    prior: Prior,
    options: Options,
}

impl Decoder {
    /// A decoder with the embedded prior.
    pub fn new(options: Options) -> Self {
        Self {
            prior: Prior::embedded(),
            options,
        }
    }

    /// The game that all of the copies record, each in its writer's language. Same readings, same game; nothing
    /// written gives a game without moves. The copies are over the alphabet of the first.
    pub fn decode(&self, copies: &[SheetReadings]) -> Game {
        self.decode_with(copies, &[])
    }

    /// The same game once a person has settled some of its moves; they are in it wherever the board allows them at
    /// all, and no review is asked of them.
    pub fn decode_with(&self, copies: &[SheetReadings], held: &[Held]) -> Game {
        let Some(first) = copies.first() else {
            return Game::empty();
        };
        let costs = &self.options.costs;
        let encoder = Encoder::new(&first.alphabet);
        let mut positions = Positions::new(&self.prior, costs.evenness);
        let mut sheets: Vec<Record> = copies
            .iter()
            .map(|readings| Record::new(readings, &encoder, costs))
            .collect();
        let mut languages: Vec<Vec<&'static Language>> = sheets
            .iter_mut()
            .map(|sheet| self.languages(sheet, &mut positions, &encoder))
            .collect();
        if sheets.len() > 1 {
            // Another copy settles the moves: each one's likeliest language will do.
            languages.iter_mut().for_each(|l| l.truncate(1));
        }
        let readings: Vec<_> = copies.iter().map(|c| c.readings.as_slice()).collect();
        let mut record = match sheets.pop() {
            Some(only) if sheets.is_empty() => only,
            last => {
                sheets.extend(last);
                Record::join(sheets, &copies::align(&readings))
            }
        };
        let slots = record.slots.len();
        let mut chosen: Option<(Vec<&'static Language>, Lattice, f32)> = None;
        let several = languages[0].len();
        for k in 0..several {
            let languages: Vec<_> = languages.iter().map(|l| l[k]).collect();
            let mut search = |width, window| {
                let lexicons = &mut lexicons(&languages, &encoder);
                self.search(&mut record, &mut positions, lexicons, held, width, window)
                    .run(slots)
            };
            let mut lattice = search(self.options.width, WINDOW);
            if lattice.is_doubtful() {
                lattice = search(self.options.width * RETRY_WIDTH, WINDOW * RETRY_WINDOW);
            }
            let weight = weight(&lattice);
            if chosen.as_ref().is_none_or(|(_, _, best)| weight > *best) {
                chosen = Some((languages, lattice, weight));
            }
        }
        let Some((languages, mut lattice, weighed)) = chosen else {
            return Game::empty();
        };
        let lost = if copies.len() == 1 {
            lattice.unexplained(slots)
        } else {
            Vec::new()
        };
        if lost.len() >= LOST {
            let mut best = weighed + SWAPPED;
            let mut swapped = None;
            for row in rows_about(lost[0] / 2) {
                record.swap_columns(row);
                let lexicons = &mut lexicons(&languages, &encoder);
                let width = self.options.width;
                let other = self
                    .search(&mut record, &mut positions, lexicons, held, width, WINDOW)
                    .run(slots);
                record.swap_columns(row);
                if weight(&other) > best {
                    best = weight(&other);
                    swapped = Some(row);
                    lattice = other;
                }
            }
            if let Some(row) = swapped {
                record.swap_columns(row);
            }
        }
        let lexicons = &mut lexicons(&languages, &encoder);
        let literal = self
            .search(
                &mut record,
                &mut positions,
                lexicons,
                held,
                self.options.width,
                WINDOW,
            )
            .literal();
        let Some(line) = literal.or_else(|| lattice.best().map(|(line, _)| line)) else {
            return Game::empty();
        };
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

    /// The languages that a sheet may be written in, likeliest first; never none.
    fn languages(
        &self,
        sheet: &mut Record,
        positions: &mut Positions,
        encoder: &Encoder,
    ) -> Vec<&'static Language> {
        if let Some(language) = self.options.language {
            return vec![language];
        }
        let plausible = language::plausible(sheet, encoder);
        if plausible.len() == 1 {
            return plausible;
        }
        let cells = sheet.slots.len().min(TASTE_CELLS);
        let mut tasted: Vec<(&'static Language, f32)> = Vec::new();
        for language in plausible {
            let lexicons = &mut lexicons(&[language], encoder);
            let lattice = self
                .search(sheet, positions, lexicons, &[], TASTE_WIDTH, WINDOW)
                .run(cells);
            tasted.push((language, weight(&lattice)));
        }
        let best = tasted.iter().map(|t| t.1).fold(f32::NEG_INFINITY, f32::max);
        tasted.retain(|&(_, weight)| weight >= best - TASTE_MARGIN);
        tasted.sort_by(|a, b| b.1.total_cmp(&a.1));
        tasted.into_iter().map(|(language, _)| language).collect()
    }

    /// A search of a record in other languages than its last.
    fn search<'s, 'p, 'l>(
        &'s self,
        record: &'s mut Record,
        positions: &'s mut Positions<'p>,
        lexicons: &'s mut [Lexicon<'l>],
        held: &'s [Held],
        width: usize,
        window: f32,
    ) -> Search<'s, 'p, 'l> {
        record.forget_scores();
        Search {
            window: window * record.weight(),
            record,
            positions,
            lexicons,
            costs: &self.options.costs,
            held,
            width,
        }
    }
}

fn lexicons<'a>(languages: &[&'static Language], encoder: &'a Encoder) -> Vec<Lexicon<'a>> {
    languages.iter().map(|l| Lexicon::new(l, encoder)).collect()
}

fn weight(lattice: &Lattice) -> f32 {
    lattice
        .best()
        .map_or(f32::NEG_INFINITY, |(_, weight)| weight)
}
