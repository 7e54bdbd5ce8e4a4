//! What a review is run with, and how its files are written.

use std::path::PathBuf;
use std::sync::Arc;

use crate::batch::{self, BatchGame, Fix, Grouping, Input, SheetNames};
use crate::cache::Cache;
use crate::event::games::GameFormat;
use crate::event::{Event, Header, MatchingParameters, Scope};
use crate::fields;
use crate::grid::layout::FormLayout;
use crate::scan::Scanner;
use crate::schema::SheetRecord;

/// What a review is run with.
pub struct ReviewOptions {
    /// Reads the sheets and decodes the games.
    pub scanner: Scanner,
    /// Stores what is read on every page.
    pub cache: Cache,
    /// The layout of all sheets, where their tables are not to be found.
    pub layout: Option<FormLayout>,
    /// Number of sheets that are worked on at a time.
    pub jobs: usize,
    /// Which sheets are put together.
    pub grouping: Grouping,
    /// What the command line says a person has read.
    pub fixes: Vec<Fix>,
    /// Finds the files to read, which may be more once pictures came in.
    pub find_inputs: Arc<FindInputs>,
    /// The folder that takes pictures from the page and from phones, if the run takes any.
    pub inbox: Option<PathBuf>,
    /// How the names of files end that are found in that folder.
    pub picture_endings: &'static [&'static str],
    /// Whether the page may let phones send pictures.
    pub takes_phones: bool,
    /// The tuned numbers.
    pub parameters: batch::Parameters,
    /// What the run is called on the page.
    pub name: String,
    /// The file that the games are written to, as the page shows it.
    pub output: String,
    /// The version of the program, as the page shows it.
    pub version: String,
    /// Writes the files of the run.
    pub export: Box<ExportFiles>,
    /// The event that the games belong to, if one is given.
    pub event: Option<ReviewEvent>,
}

/// The event that the games of a review belong to.
pub struct ReviewEvent {
    /// The event, as its files describe it.
    pub event: Event,
    /// The part of it that is looked at.
    pub scope: Scope,
    /// The tuned numbers of matching.
    pub parameters: MatchingParameters,
    /// The tuned numbers of finding the fields of a header.
    pub fields: fields::Parameters,
    /// How the games are written.
    pub format: GameFormat,
    /// Finds the headers that a person has typed.
    pub find_typed: Box<FindTypedHeaders>,
}

/// The header that a person has typed of a sheet; empty where there is none.
pub type TypedHeaderOf = dyn Fn(&SheetRecord) -> Header + Send + Sync;

/// Finds the sheets of typed headers among the files of a run, or tells why it cannot.
pub type FindTypedHeaders = dyn Fn(&SheetNames) -> Result<Box<TypedHeaderOf>, String> + Send + Sync;

/// Finds the files to read, or tells why there are none.
pub type FindInputs = dyn Fn() -> Result<Vec<Input>, String> + Send + Sync;

/// Writes the games of a run with the numbers of its pages: those looked at, and those without a
/// game. Gives the files, or why they cannot be written.
pub type ExportFiles =
    dyn Fn(Vec<BatchGame>, (usize, usize)) -> Result<ExportedFiles, String> + Send + Sync;

/// The files that an export has written.
#[derive(Debug, Clone)]
pub struct ExportedFiles {
    /// The path of each, and what it is.
    pub files: Vec<(String, &'static str)>,
    /// Number of games.
    pub games: usize,
    /// Number of moves.
    pub moves: usize,
    /// The exit status that `scan` would end with.
    pub status: u8,
}
