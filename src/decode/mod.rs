//! From the readings of a sheet to the game that was played.

mod assemble;
mod confidence;
mod costs;
mod ending;
mod evidence;
mod language;
mod lattice;
mod position;
mod search;
mod sheet;
mod smoothing;

use crate::grid::CellId;
use crate::notation::Language;
use crate::prior::Prior;
use crate::reader::Reading;

pub use confidence::Signs;
pub use costs::Costs;

use evidence::Encoder;
use lattice::Lattice;
use position::{Lexicon, Positions};
use search::Search;
use sheet::Sheet;

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
    /// Moves with less confidence than this are marked for review.
    pub doubt: f32,
    /// Costs of the search.
    pub costs: Costs,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            language: None,
            width: 96,
            doubt: 0.7,
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
const WINDOW: f32 = 24.0;
/// A sheet that could not be followed to its end is searched again this much wider: the early mistake that led
/// astray is found by keeping more of the games that once looked worse, and few sheets pay for it.
const RETRY_WIDTH: usize = 4;
/// And its window opened this much.
const RETRY_WINDOW: f32 = 1.5;

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

    /// The game on one sheet. Same readings, same game; nothing written gives a game without moves.
    pub fn decode(&self, readings: &SheetReadings) -> Game {
        let costs = &self.options.costs;
        let encoder = Encoder::new(&readings.alphabet);
        let mut sheet = Sheet::new(readings, &encoder, costs);
        let mut positions = Positions::new(&self.prior, costs.evenness);
        let mut languages = match self.options.language {
            Some(language) => vec![(language, 0.0)],
            None => language::plausible(&sheet, &encoder),
        };
        let mut search = |language, cells, width, window| -> Lattice {
            sheet.forget_scores();
            let mut lexicon = Lexicon::new(language, &encoder);
            let (sheet, positions) = (&mut sheet, &mut positions);
            Search {
                sheet,
                positions,
                lexicon: &mut lexicon,
                costs,
                width,
                window,
            }
            .run(cells)
        };
        let written = sheet_cells(readings);
        let weight = |lattice: &Lattice| {
            lattice
                .best()
                .map_or(f32::NEG_INFINITY, |(_, weight)| weight)
        };
        if languages.len() > 1 {
            let taste = written.min(TASTE_CELLS);
            let tasted: Vec<f32> = languages
                .iter()
                .map(|(language, _)| weight(&search(language, taste, TASTE_WIDTH, WINDOW)))
                .collect();
            let best = tasted.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let mut keep = tasted.iter().map(|&w| w >= best - TASTE_MARGIN);
            languages.retain(|_| keep.next().unwrap_or(false));
        }
        let mut chosen: Option<(&'static Language, Lattice, f32)> = None;
        for (language, _) in languages {
            let mut lattice = search(language, written, self.options.width, WINDOW);
            if lattice.is_doubtful() {
                lattice = search(
                    language,
                    written,
                    self.options.width * RETRY_WIDTH,
                    WINDOW * RETRY_WINDOW,
                );
            }
            let weight = weight(&lattice);
            if chosen.as_ref().is_none_or(|(_, _, best)| weight > *best) {
                chosen = Some((language, lattice, weight));
            }
        }
        let Some((language, lattice, _)) = chosen else {
            return Game::empty();
        };
        sheet.forget_scores();
        let literal = Search {
            sheet: &mut sheet,
            positions: &mut positions,
            lexicon: &mut Lexicon::new(language, &encoder),
            costs,
            width: self.options.width,
            window: WINDOW,
        }
        .literal();
        let Some(line) = literal.or_else(|| lattice.best().map(|(line, _)| line)) else {
            return Game::empty();
        };
        assemble::game(
            &line,
            &lattice,
            readings,
            &sheet,
            language,
            costs,
            self.options.doubt,
        )
    }
}

/// Cells up to the last with ink.
fn sheet_cells(readings: &SheetReadings) -> usize {
    readings
        .readings
        .iter()
        .rposition(|r| r.state != crate::cell::CellState::Blank)
        .map_or(0, |i| i + 1)
}
