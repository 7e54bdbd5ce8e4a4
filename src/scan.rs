//! Sheets from their pages to their games, and the facts about them that the writers need.

mod game;

use std::path::PathBuf;

use crate::capture_quality::{self, Advice};
use crate::cell::{self, Cell};
use crate::decode::{self, Decoder, FixedMove};
use crate::fields;
use crate::grid::layout::FormLayout;
use crate::grid::{self, Grid};
use crate::header;
use crate::ink::CellState;
use crate::notation::reads_like_a_move;
use crate::numbers::{self, NumberedGrid};
use crate::page::{Page, PageError};
use crate::reader::{self, Model, ModelError, Reading, WordReading};

use serde::{Deserialize, Serialize};

pub use game::{ScannedGame, decode};

/// Why a sheet gave no game.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// The file or the page.
    #[error(transparent)]
    Page(#[from] PageError),
    /// No table on it.
    #[error("no move table found; {0}")]
    NoTable(Advice),
    /// A table that nobody has written moves into, or none can be read.
    #[error("nothing in its table reads like a move; {0}")]
    Illegible(Advice),
    /// A table without ink.
    #[error("nothing is written in its table; if moves are, {0}")]
    NoWriting(Advice),
    /// The character model.
    #[error("the model cannot read its cells ({0}); take another one with --model")]
    Model(#[from] ModelError),
    /// A fault of ours.
    #[error("sheetscan failed on this sheet ({0}); please report it with the picture")]
    Fault(String),
}

/// A page that was read: where it comes from and what stands in its cells. Kept on disk without the former
/// ([`crate::shard_payload`]).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    /// The file as it was given.
    #[serde(skip)]
    pub path: PathBuf,
    /// Number of the page in its file, from 1.
    #[serde(skip)]
    pub page: u32,
    /// SHA-256 of the file, in lower-case hexadecimal.
    #[serde(skip)]
    pub sha256: String,
    /// What was read, row by row, White before Black; the posteriors are dropped once the game is found.
    pub cells: Vec<Reading>,
    /// The words outside the table; none where they were not asked for.
    pub words: Vec<WordReading>,
}

/// A first page has at least so many rows, less one: a sheet that begins with a lower number has lost its upper rows.
const FEWEST_ROWS: u32 = 10;

impl Sheet {
    /// The number of the first row where the sheet continues another one: its printed numbers begin behind the rows that
    /// every first page has.
    pub fn continues_from(&self) -> Option<u32> {
        let first = self.cells.first()?.id.number;
        (first > FEWEST_ROWS).then_some(first)
    }

    /// Number of cells with writing, and of those among them that read like moves; of cells that read the same the first few
    /// only, since a pattern repeats itself and a game hardly does.
    pub fn legible(&self) -> (usize, usize) {
        let written = self.cells.iter().filter(|r| r.state != CellState::Blank);
        let mut texts: Vec<&str> = written.map(|r| r.text.as_str()).collect();
        texts.sort_unstable();
        let alike = texts.chunk_by(|a, b| a == b);
        let moves = alike.filter(|alike| reads_like_a_move(alike[0]));
        let moves = moves.map(|alike| alike.len().min(REPEATED)).sum();
        (texts.len(), moves)
    }
}

/// A sheet with at least so many written cells holds no game if a smaller share of them than this reads like moves.
const ENOUGH: usize = 8;
/// See [`ENOUGH`].
const MOVES: f32 = 0.15;
/// Cells that may read the same in a game.
const REPEATED: usize = 4;
/// What the other way round must have by the share of this one, and beyond it: some cells of any hand look like moves on
/// their heads.
const CLEARER: f32 = 2.0;
/// See [`CLEARER`].
const CLEAR: f32 = 0.05;
/// Cells by whose writing it is told whether a page lies upside down.
const ASKED: usize = 16;
/// Share of moves among them from which a page is not looked at from the other side.
const LEGIBLE: f32 = 0.3;
/// The same where the printed numbers are not clear: upside down `9`, `b` and `O-O` are read too.
const UNNUMBERED: f32 = 0.6;

/// Finds the table of a page and calls its rows by the printed numbers, or finds the place of a layout on it, and cuts
/// its cells. Where hardly any of them reads like a move, or not most of them and the printed numbers are not clear, the page
/// is turned upside down, and that way round is taken where clearly more of them do, or more of them and the numbers are
/// clear there, unless the numbers stand upright as it was.
///
/// # Errors
/// [`SheetError::NoTable`] where there is none, [`SheetError::Model`] where the model fails.
pub fn cells(
    page: &Page,
    model: &dyn Model,
    layout: Option<&FormLayout>,
) -> Result<(Grid, Vec<Cell>), SheetError> {
    let cut = |named: NumberedGrid| (cell::cut_cells(page, &named.grid), named);
    let found = |grid: Grid| numbers::number_rows(page, grid, &numbers::Parameters::default());
    let placed = |grid: Grid| NumberedGrid {
        grid,
        margin_nats: 0.0,
    };
    let upright = match layout {
        Some(layout) => Some(placed(grid::fit_layout(page, layout))),
        None => grid::detect(page).ok().map(found),
    };
    let upside_down = || match layout {
        Some(layout) => Some(placed(grid::fit_layout_upside_down(page, layout))),
        None => grid::detect_upside_down(page).ok().map(found),
    };
    let upright = upright.map(cut);
    let (legible, clear) = match &upright {
        Some((cells, named)) => (legible(model, cells)?, named.margin_nats),
        None => (0.0, 0.0),
    };
    let numbered = clear > 0.0;
    if legible < if numbered { LEGIBLE } else { UNNUMBERED }
        && let Some((cells, turned)) = upside_down().map(cut)
        && turned.margin_nats >= clear
    {
        let numbers_tell = !numbered && turned.margin_nats > 0.0;
        let least = if numbers_tell {
            legible
        } else {
            CLEARER * legible + CLEAR
        };
        if self::legible(model, &cells)? > least {
            return Ok((turned.grid, cells));
        }
    }
    let (cells, named) =
        upright.ok_or_else(|| SheetError::NoTable(capture_quality::assess(page, &[])))?;
    Ok((named.grid, cells))
}

/// Share of the fullest cells that read like moves, each as far as its reading is sure; 0 where none has writing.
fn legible(model: &dyn Model, cells: &[Cell]) -> Result<f32, ModelError> {
    let mut written: Vec<&Cell> = cells
        .iter()
        .filter(|c| c.state == CellState::Written)
        .collect();
    written.sort_by(|a, b| b.ink.total_cmp(&a.ink).then(a.id.cmp(&b.id)));
    // The very fullest are corrections.
    let from = written.len().saturating_sub(ASKED) / 4;
    let asked: Vec<Cell> = written
        .into_iter()
        .skip(from)
        .take(ASKED)
        .cloned()
        .collect();
    if asked.is_empty() {
        return Ok(0.0);
    }
    let read = reader::read(model, &asked)?;
    let moves = read
        .iter()
        .filter(|r| reads_like_a_move(&r.text));
    Ok(moves.map(|r| r.confidence).sum::<f32>() / read.len() as f32)
}

/// Reads cells and finds games: the model and the decoder, loaded once for any number of sheets.
pub struct Scanner {
    model: Box<dyn Model>,
    /// Reads the words outside the table.
    words: Option<Box<dyn Model>>,
    decoder: Decoder,
}

impl Scanner {
    /// A scanner with a model; the options say how games are searched for.
    pub fn new(model: Box<dyn Model>, options: decode::Options) -> Self {
        Self {
            model,
            words: None,
            decoder: Decoder::new(options),
        }
    }

    /// The same that also reads the words outside the table, with a model of words.
    #[must_use]
    pub fn with_words(self, model: Box<dyn Model>) -> Self {
        Self {
            words: Some(model),
            ..self
        }
    }

    /// Finds the table of a page, or the place of a layout on it, and cuts its cells ([`cells`]).
    ///
    /// # Errors
    /// Those of [`cells`].
    pub fn cells(
        &self,
        page: &Page,
        layout: Option<&FormLayout>,
    ) -> Result<(Grid, Vec<Cell>), SheetError> {
        cells(page, self.model.as_ref(), layout)
    }

    /// Reads the cells of a page, and the words outside its table where the scanner has a model for them.
    ///
    /// # Errors
    /// [`SheetError::NoWriting`] where no cell has ink, [`SheetError::Illegible`] where nothing reads like a move,
    /// [`SheetError::Model`] where the model fails.
    pub fn read(&self, page: &Page, grid: &Grid, cells: &[Cell]) -> Result<Sheet, SheetError> {
        if cells.iter().all(|cell| cell.state == CellState::Blank) {
            return Err(SheetError::NoWriting(capture_quality::assess(page, cells)));
        }
        let mut sheet = Sheet {
            path: page.path.clone(),
            page: page.number,
            sha256: page.sha256.clone(),
            cells: reader::read(self.model.as_ref(), cells)?,
            words: Vec::new(),
        };
        let (written, moves) = sheet.legible();
        if written >= ENOUGH && (moves as f32) < MOVES * written as f32 {
            return Err(SheetError::Illegible(capture_quality::assess(page, cells)));
        }
        if let Some(model) = &self.words {
            let parameters = header::Parameters::default();
            let crops = header::find_words(page, grid, &parameters);
            sheet.words = reader::read_words(model.as_ref(), &crops)?;
            let lines = fields::locate_lines(&sheet.words, &fields::Parameters::default());
            let crops = header::find_words_on_lines(page, grid, &lines, &parameters);
            sheet
                .words
                .extend(reader::read_words(model.as_ref(), &crops)?);
        }
        Ok(sheet)
    }

    /// The characters that the model knows.
    pub fn alphabet(&self) -> &[char] {
        self.model.alphabet()
    }

    /// The game that copies of it record ([`decode()`]).
    pub fn decode(&self, copies: Vec<Vec<Sheet>>, held: &[FixedMove]) -> ScannedGame {
        decode(&self.decoder, self.model.alphabet(), copies, held)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use image::GrayImage;

    use super::*;
    use crate::cell::TALL_HEIGHT;
    use crate::decode::Game;
    use crate::notation::Outcome;
    use crate::geometry::Point;
    use crate::grid::{CellId, Side};
    use crate::patch::PATCH_WIDTH;
    use crate::reader::Posteriors;

    pub(crate) fn cell(number: u32, side: Side) -> CellId {
        CellId { number, side }
    }

    pub(crate) fn reading(id: CellId, text: &str) -> Reading {
        let quad =
            [(1.26, 2.0), (11.26, 2.0), (11.26, 7.0), (1.26, 7.0)].map(|(x, y)| Point::new(x, y));
        let state = CellState::Written;
        Reading {
            id,
            quad,
            state,
            text: text.to_owned(),
            confidence: 0.95,
            posteriors: None,
        }
    }

    /// A sheet and a complete game without moves.
    pub(crate) fn scanned() -> ScannedGame {
        let sheet = Sheet {
            path: "a/b.jpg".into(),
            page: 2,
            sha256: "00ff".to_owned(),
            cells: Vec::new(),
            words: Vec::new(),
        };
        let game = Game {
            plies: Vec::new(),
            complete: true,
            languages: Vec::new(),
            outcome: Outcome::Unknown,
            unread: Vec::new(),
            runners_up: Vec::new(),
            weight: 0.0,
        };
        ScannedGame {
            sheets: vec![sheet],
            continued: Vec::new(),
            game,
            settled: Vec::new(),
            same: Vec::new(),
            below: Vec::new(),
        }
    }

    /// A model without a network: sure that every cell says `e`.
    struct Fixed;

    impl Model for Fixed {
        fn alphabet(&self) -> &[char] {
            &['e', '4']
        }

        fn log_posteriors(&self, patches: &[GrayImage]) -> Result<Vec<Posteriors>, ModelError> {
            let sure = Posteriors {
                frames: 1,
                classes: 3,
                log: vec![-9.2, -0.0002, -9.2],
            };
            Ok(vec![sure; patches.len()])
        }
    }

    #[test]
    fn a_table_without_ink_gives_no_game() {
        let page = Page::new("a.jpg".into(), 1, String::new(), GrayImage::new(8, 8));
        let mut cells = vec![Cell {
            id: cell(1, Side::White),
            quad: [Point::new(0.0, 0.0); 4],
            tall: GrayImage::new(PATCH_WIDTH, TALL_HEIGHT),
            ink: 0.0,
            state: CellState::Blank,
        }];
        let grid = Grid {
            blocks: Vec::new(),
            header: None,
            result: None,
        };
        let scanner = Scanner::new(Box::new(Fixed), decode::Options::default());
        assert!(matches!(
            scanner.read(&page, &grid, &cells),
            Err(SheetError::NoWriting(_))
        ));
        cells[0].state = CellState::Written;
        let sheet = scanner.read(&page, &grid, &cells).unwrap();
        assert_eq!(
            scanner.decode(vec![vec![sheet]], &[]).sheets[0].cells[0].text,
            "e"
        );
    }
}
