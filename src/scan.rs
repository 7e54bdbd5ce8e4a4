//! One sheet from its page to its game: all stages in a row.
//!
//! [`Scanner`] holds the models and the decoder. [`crate::batch`] calls it for every page of a run
//! and decides which sheets record one game.

mod game;
mod game_fields;
mod header_field;
mod header_reading;
mod header_words;
mod missing_part;
mod orientation;
mod parameters;
mod printed_table;
mod sheet;

use crate::capture_quality::{self, Advice};
use crate::cell::Cell;
use crate::decode::{self, Decoder};
use crate::grid::layout::FormLayout;
use crate::header::{HeaderView, WordBox};
use crate::page::{Page, PageError};
use crate::reader::{Model, ModelError};

use header_reading::read_header;
use header_words::HeaderWords;

pub use game::{PlyPosition, RecordSheets, ScannedGame};
pub use header_field::HeaderField;
pub use header_reading::HeaderReading;
pub use missing_part::read_table;
pub use orientation::{Table, find_layout};
pub use parameters::{Calibration, HeaderReadingParameters, OrientationParameters, Parameters};
pub use sheet::Sheet;

/// Why a sheet gave no game.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// The file or the page cannot be read.
    #[error(transparent)]
    Page(#[from] PageError),
    /// No table was found on the page.
    #[error("no move table found; {0}")]
    NoTable(Advice),
    /// There is writing in the table, but hardly any of it reads like a move.
    #[error("nothing in its table reads like a move; {0}")]
    Illegible(Advice),
    /// No cell of the table has ink.
    #[error("nothing is written in its table; if moves are, {0}")]
    NoWriting(Advice),
    /// The character model failed.
    #[error("the model cannot read its cells ({0}); take another one with --model")]
    Model(#[from] ModelError),
    /// A fault of sheetscan itself, with the message of the panic.
    #[error("sheetscan failed on this sheet ({0}); please report it with the picture")]
    Internal(String),
}

impl SheetError {
    /// Whether another run will find the same fault. One of sheetscan or of the model may be gone
    /// with another version or model.
    pub fn is_lasting(&self) -> bool {
        match self {
            Self::Internal(_) | Self::Model(_) => false,
            Self::Page(error) => error.is_lasting(),
            Self::NoTable(_) | Self::Illegible(_) | Self::NoWriting(_) => true,
        }
    }
}

/// Reads sheets and decodes games: the models and the decoder, loaded once for any number of
/// sheets.
pub struct Scanner {
    model: Box<dyn Model>,
    /// Reads the words outside the table.
    word_model: Option<Box<dyn Model>>,
    /// Whether sheets keep these words, or only what is read of them.
    keeps_words: bool,
    parameters: Parameters,
    options: decode::Options,
    decoder: Decoder,
}

impl Scanner {
    /// A scanner with a model of characters, and the options of the search for games. It reads
    /// pages with the default parameters.
    pub fn new(model: Box<dyn Model>, options: decode::Options) -> Self {
        Self {
            model,
            word_model: None,
            keeps_words: false,
            parameters: Parameters::default(),
            decoder: Decoder::new(options.clone()),
            options,
        }
    }

    /// The same scanner, which then reads the labelled fields of the header as well.
    #[must_use]
    pub fn with_header(self, model: Box<dyn Model>) -> Self {
        Self {
            word_model: Some(model),
            ..self
        }
    }

    /// The same scanner, which then reads the header as [`Self::with_header`] does and keeps all
    /// words outside the table, for an event whose players they are compared with.
    #[must_use]
    pub fn with_words(self, model: Box<dyn Model>) -> Self {
        Self {
            keeps_words: true,
            ..self.with_header(model)
        }
    }

    /// The same scanner, which then reads pages with other parameters. A cache must not hold what
    /// was read with different ones ([`crate::cache::Cache::open`]).
    #[must_use]
    pub fn with_parameters(self, parameters: Parameters) -> Self {
        Self { parameters, ..self }
    }

    /// The options of the search for games.
    pub fn options(&self) -> &decode::Options {
        &self.options
    }

    /// The characters that the model of characters knows.
    pub fn alphabet(&self) -> &[char] {
        self.model.alphabet()
    }

    /// Finds the table of a page, or fits a layout to the page, and reads its cells
    /// ([`read_table`]).
    ///
    /// # Errors
    /// Those of [`read_table`].
    pub fn read_table(
        &self,
        page: &Page,
        layout: Option<&FormLayout>,
    ) -> Result<Table, SheetError> {
        read_table(page, self.model.as_ref(), layout, &self.parameters)
    }

    /// The layout of the table that is found on a page; none where no table is found.
    pub fn find_layout(&self, page: &Page) -> Option<FormLayout> {
        find_layout(page, self.model.as_ref(), &self.parameters)
    }

    /// What stands on a page: what its table says, and the words outside the table where the
    /// scanner has a model of words.
    ///
    /// # Errors
    /// [`SheetError::NoWriting`] where no cell has ink, [`SheetError::Illegible`] where hardly
    /// anything reads like a move, [`SheetError::Model`] where the model of words fails.
    pub fn read(&self, page: &Page, table: Table) -> Result<Sheet, SheetError> {
        let cells = &table.cells;
        if !cells.iter().any(|cell| cell.state.has_ink()) {
            return Err(SheetError::NoWriting(self.assess(page, cells)));
        }
        let mut sheet = Sheet {
            path: page.path.clone(),
            page: page.number,
            sha256: page.sha256.clone(),
            width: page.luma.width(),
            height: page.luma.height(),
            cells: table.readings,
            cut_short: page.missing.is_some(),
            code: table.code,
            words: Vec::new(),
            header: Vec::new(),
        };
        let inked = sheet.inked_cells();
        let min_moves = self.parameters.min_move_like_share * inked as f32;
        let has_few_moves = inked >= self.parameters.min_cells_to_refuse
            && (sheet.move_like_cells() as f32) < min_moves;
        if has_few_moves || !sheet.has_sure_move(self.parameters.min_sure_move_confidence) {
            return Err(SheetError::Illegible(self.assess(page, cells)));
        }
        if let Some(model) = &self.word_model {
            let view = HeaderView::new(page, &table.grid, &self.parameters.header);
            let Some(view) = view else { return Ok(sheet) };
            let header = &self.parameters.header_reading;
            let is_heading = |word: &WordBox| header.is_above_columns(word);
            let mut words = HeaderWords::find(model.as_ref(), view, is_heading);
            sheet.header = read_header(&mut words, &table.grid, &self.parameters)?;
            if self.keeps_words {
                words.read_all(&self.parameters.fields)?;
                sheet.words = words.into_readings();
            }
        }
        Ok(sheet)
    }

    /// What is wrong with the picture of a page.
    fn assess(&self, page: &Page, cells: &[Cell]) -> Advice {
        capture_quality::assess(page, cells, &self.parameters.capture_quality)
    }

    /// The game that some copies record, each copy a list of its pages
    /// ([`RecordSheets::decode`]).
    pub fn decode(&self, copies: Vec<Vec<Sheet>>) -> ScannedGame {
        let sheets = RecordSheets::new(copies, self.model.alphabet());
        sheets.decode(&self.decoder, &[]).0
    }

    /// The decoder of this scanner.
    pub fn decoder(&self) -> &Decoder {
        &self.decoder
    }
}

#[cfg(test)]
pub(crate) mod tests;
