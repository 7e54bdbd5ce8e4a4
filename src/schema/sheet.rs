//! A sheet that a game was read from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Corners, TableCellRecord};
use crate::form::FormCode;
use crate::grid::Side;
use crate::packed;
use crate::reader::WordReading;
use crate::scan::HeaderField;

/// A page of a file, on which the game was recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SheetRecord {
    /// The file as it was given.
    pub path: String,
    /// Number of the page in its file, from 1.
    #[schemars(range(min = 1))]
    pub page: u32,
    /// SHA-256 of the file, in lower-case hexadecimal.
    pub sha256: String,
    /// Width in pixels of the upright page, in which boxes are given; left out in lines of earlier
    /// versions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub width: u32,
    /// Its height in pixels.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub height: u32,
    /// Language of the writer's piece letters, ISO 639-1; `en+tr` where two are mixed, `MDTOK`
    /// where these letters were given.
    pub language: Option<String>,
    /// Whose copy it is, where that is known.
    pub copy_of: Option<Side>,
    /// What the code of a sheet says that sheetscan has printed; left out for all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<SheetCodeRecord>,
    /// Index in `sheets` of the sheet that it continues, as page 2 does page 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub continues: Option<usize>,
    /// With `--shard` or `--trf`: the words outside the table, from which the event reads the
    /// header. Base64 of a form that only the same version of sheetscan reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<PackedWords>,
    /// Index in `sheets` of the sheet whose picture it shows once more. Such a sheet is no evidence
    /// of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<usize>,
    /// What the labelled fields of its header say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub header: Vec<HeaderFieldRecord>,
    /// All cells of its table, row by row, White before Black.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<TableCellRecord>,
}

/// What the code of a printed sheet says. It is trusted for nothing but the game's place in the
/// event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SheetCodeRecord {
    /// The text of the code.
    pub text: String,
    /// The round; null on blank sheets.
    pub round: Option<u32>,
    /// The board; null where the pairing program gave none.
    pub board: Option<u32>,
    /// The page of the record, from 1.
    #[schemars(range(min = 1))]
    pub page: u8,
    /// Which of several copies of the page, from 1.
    #[schemars(range(min = 1))]
    pub copy: u8,
}

impl SheetCodeRecord {
    /// The code itself; none where the text is none.
    pub fn form_code(&self) -> Option<FormCode> {
        FormCode::parse(&self.text).ok()
    }
}

impl From<&FormCode> for SheetCodeRecord {
    fn from(code: &FormCode) -> Self {
        Self {
            text: code.to_text(),
            round: code.round,
            board: code.board,
            page: code.page,
            copy: code.copy,
        }
    }
}

/// What was read in a field of a sheet's header.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HeaderFieldRecord {
    /// The field.
    pub field: HeaderField,
    /// What it says, in the form of its PGN tag; empty where nothing in it can be read.
    pub text: String,
    /// Calibrated probability that it says so.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: f64,
    /// Where it stands: corners in pixels of the upright page, clockwise from top left.
    #[serde(rename = "box")]
    pub corners: Corners,
}

fn is_zero(pixels: &u32) -> bool {
    *pixels == 0
}

impl SheetRecord {
    /// Its name for messages: the path, and the page if it is not the first.
    pub fn name(&self) -> String {
        match self.page {
            1 => self.path.clone(),
            page => format!("{}, page {page}", self.path),
        }
    }
}

/// The words outside a sheet's table, packed. Base64 of a form that only the same version of
/// sheetscan reads.
// Packed words take a fraction of the memory, and `merge` holds those of all sheets of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct PackedWords(String);

impl PackedWords {
    /// Packs words; there is nothing to pack where there are none.
    pub fn pack(words: &[WordReading]) -> Option<Self> {
        (!words.is_empty()).then(|| Self(packed::pack(&words)))
    }

    /// Unpacks the words, bit for bit; `None` if the text is damaged or comes from another version.
    pub fn unpack(&self) -> Option<Vec<WordReading>> {
        packed::unpack(&self.0).ok()
    }
}
