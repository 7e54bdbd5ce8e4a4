//! A whole run over many sheets: reads their pages and decides which sheets are of one form, which
//! are pages of one record, and which are copies of one game.
//!
//! ```
//! use sheetscan::batch::{BatchOptions, Input, NoProgress};
//! use sheetscan::decode::Options;
//! use sheetscan::reader::Network;
//! use sheetscan::scan::Scanner;
//!
//! let scanner = Scanner::new(Box::new(Network::embedded()?), Options::default());
//! let inputs = ["samples/06_partita_1_it.jpg", "samples/07_partita_2_it.jpg"];
//! let inputs = inputs.map(|path| Input::File(path.into()));
//! let games = sheetscan::scan_batch(&inputs, &BatchOptions::new(&scanner), &mut NoProgress)?;
//!
//! let first_moves = games.iter().map(|game| {
//!     let plies = &game.result.as_ref().expect("both sheets are legible").game.plies;
//!     let sans: Vec<&str> = plies.iter().take(4).map(|ply| ply.san.as_str()).collect();
//!     sans.join(" ")
//! });
//! assert_eq!(first_moves.collect::<Vec<_>>(), ["d4 c5 d5 e5", "e4 e5 Nf3 Nc6"]);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod agreement;
mod decoded_copies;
mod error;
mod fix;
mod fixes;
mod form_consensus;
mod groups;
mod input;
mod page_reader;
mod pages;
mod parallel;
mod parameters;
mod progress;
mod read_batch;
mod regroup;
mod run;
mod sheet_id;
mod sheet_names;
mod summary;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use crate::cache::Cache;
use crate::grid::layout::FormLayout;
use crate::scan::{ScannedGame, Scanner, SheetError};

pub use error::BatchError;
pub use fix::{Fix, FixContent, FixError, format_cell, parse_cell};
#[cfg(feature = "review")]
pub(crate) use fixes::LocatedAnswers;
pub use fixes::{Fixes, add_fixes, decode_with_fixes};
pub use form_consensus::short_hash;
pub use groups::{SheetGroup, group_by_content, group_by_pairs};
pub use input::{Input, PageOutcome, process_pages};
pub use page_reader::Drawings;
pub use parallel::process_in_order;
pub use parameters::Parameters;
pub use progress::{BatchProgress, NoProgress, PageSummary};
pub use read_batch::{ReadBatch, TakeEarlyBatch};
pub use regroup::regroup;
pub use run::scan_batch_with;
pub use sheet_id::SheetId;
pub use sheet_names::{AmbiguousName, SheetNames};
pub use summary::{MoveNumberRange, SheetSummary, TableSummary};

/// How a batch is read and put together.
pub struct BatchOptions<'a> {
    /// Reads the sheets and decodes the games.
    pub scanner: &'a Scanner,
    /// Stores what is read on every page; without it a temporary file does, since memory holds only
    /// the sheets that are being worked on.
    pub cache: Option<&'a Cache>,
    /// The layout of all sheets, where their tables are not to be found.
    pub layout: Option<&'a FormLayout>,
    /// Number of sheets that are worked on at a time.
    pub jobs: usize,
    /// Which sheets are put together.
    pub grouping: Grouping,
    /// Moves that a person has read.
    pub fixes: Fixes,
    /// Where the tables that are found get drawn.
    pub drawings: Option<Drawings>,
    /// The tuned numbers.
    pub parameters: Parameters,
}

impl<'a> BatchOptions<'a> {
    /// Sheets are grouped by content, one job a processor core; nothing is fixed, drawn or cached.
    pub fn new(scanner: &'a Scanner) -> Self {
        Self {
            scanner,
            cache: None,
            layout: None,
            jobs: thread::available_parallelism().map_or(1, NonZeroUsize::get),
            grouping: Grouping::ByContent,
            fixes: Fixes::default(),
            drawings: None,
            parameters: Parameters::default(),
        }
    }
}

/// Which sheets of a batch make one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grouping {
    /// Those whose printed numbers and writing say so ([`group_by_content`]).
    ByContent,
    /// Those of the files of a pair, and no others ([`group_by_pairs`]).
    Pairs(Vec<(PathBuf, PathBuf)>),
    /// Every sheet by itself.
    Alone {
        /// Whether each game comes with the payload by which another run can group its sheet.
        with_payload: bool,
    },
}

/// The game of one sheet or of several.
#[derive(Debug)]
pub struct BatchGame {
    /// The names of the sheets for messages, with ` + ` between them.
    pub name: String,
    /// The game, or why there is none.
    pub result: Result<ScannedGame, SheetError>,
    /// The name of a sheet of another game that begins with the same moves, where it is not certain
    /// enough that both record one game.
    pub begins_like: Option<String>,
    /// Fixes that no game of these sheets can keep to.
    pub refused_fixes: Vec<Fix>,
    /// What was read, packed as text, where that was asked for ([`Grouping::Alone`]).
    pub payload: Option<String>,
}

/// Reads the pages of all inputs and gives their games, in the order of the inputs; a game that
/// several sheets record stands in the place of the first.
///
/// # Errors
/// [`BatchError`] where the run cannot go on. A sheet that cannot be read is reported to `progress`
/// and does not end the run.
pub fn scan_batch(
    inputs: &[Input],
    options: &BatchOptions,
    progress: &mut dyn BatchProgress,
) -> Result<Vec<BatchGame>, BatchError> {
    let mut games = Vec::new();
    scan_batch_with(inputs, options, progress, |game| {
        games.push(game);
        Ok::<_, BatchError>(())
    })?;
    Ok(games)
}

#[cfg(test)]
mod tests;
