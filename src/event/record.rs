//! Games as `scan --json` writes them, read back: what matching, checks and writers work on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::grid::CellId;
use crate::notation::{Outcome, terminator};

/// A game with its evidence, schema 1 of the JSON lines.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Record {
    schema: u32,
    /// The sheets that it was read from.
    pub sheets: Vec<SheetFacts>,
    #[serde(default)]
    tags: BTreeMap<String, String>,
    /// Whether the record could be followed to its end.
    pub complete: bool,
    /// The moves, from the first.
    pub plies: Vec<PlyFacts>,
    /// Where it breaks off, in words.
    #[serde(default)]
    pub break_off: Option<String>,
    /// What was read, in full ([`crate::evidence`]); by far the largest part, to be taken out where
    /// it is not needed.
    #[serde(default)]
    pub evidence: Option<String>,
}

/// A sheet.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct SheetFacts {
    /// The file as it was given.
    pub path: String,
    /// Page in it, from 1.
    pub page: u32,
    /// SHA-256 of the file, in lower-case hexadecimal.
    pub sha256: String,
    /// What was read outside its table ([`crate::evidence::unpack_words`]).
    #[serde(default)]
    pub words: Option<String>,
    /// Index of the sheet that it continues, as page 2 does page 1.
    #[serde(default)]
    pub continues: Option<usize>,
    /// Index of the sheet whose picture it shows once more.
    #[serde(default)]
    pub same_as: Option<usize>,
}

/// A move.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PlyFacts {
    /// SAN with `+` and `#`.
    pub san: String,
    /// Probability that it was played.
    pub confidence: f64,
    /// Whether a person should look.
    pub review: bool,
    /// Whether a person has read it.
    #[serde(default)]
    pub settled: bool,
    /// Other moves, best first.
    #[serde(default)]
    pub alternatives: Vec<Candidate>,
    /// The cells that it was read from.
    #[serde(default)]
    pub cells: Vec<CellFacts>,
}

/// A move that may have been played.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Candidate {
    /// SAN.
    pub san: String,
    /// Its probability.
    pub confidence: f64,
}

/// A cell.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CellFacts {
    /// Index of its sheet.
    pub sheet: usize,
    /// Row and column on the sheet.
    #[serde(flatten)]
    pub cell: CellId,
    /// The reader's best string.
    pub read: String,
    /// Its probability.
    pub read_confidence: f64,
    /// Corners in pixels, clockwise from top left.
    #[serde(rename = "box")]
    pub corners: [[f64; 2]; 4],
}

/// Why a line is no game.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Not the JSON that `scan --json` writes.
    #[error("no game as scan --json writes it: {0}")]
    Form(#[from] serde_json::Error),
    /// Of another version of sheetscan.
    #[error("schema {0} is not known to this version of sheetscan, which knows 1")]
    Schema(u32),
}

impl Record {
    /// Reads one line.
    ///
    /// # Errors
    /// [`RecordError`] where it is no game of schema 1.
    pub fn parse(line: &str) -> Result<Self, RecordError> {
        let record: Self = serde_json::from_str(line)?;
        match record.schema {
            1 => Ok(record),
            other => Err(RecordError::Schema(other)),
        }
    }

    /// The result that the sheet or the board says.
    pub fn outcome(&self) -> Outcome {
        let result = self.tags.get("Result").map(String::as_str);
        let known = [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw];
        let found = known
            .into_iter()
            .find(|&outcome| result == Some(terminator(outcome)));
        found.unwrap_or(Outcome::Unknown)
    }

    /// The names of the sheets, for people.
    pub fn name(&self) -> String {
        let name = |sheet: &SheetFacts| match sheet.page {
            1 => sheet.path.clone(),
            page => format!("{}, page {page}", sheet.path),
        };
        let names: Vec<String> = self.sheets.iter().map(name).collect();
        names.join(" + ")
    }
}
