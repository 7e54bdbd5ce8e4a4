//! One thing that a person has read on a sheet, as it is written on the command line and in files.

use shakmaty::san::{San, SanPlus};

use crate::decode::{Answer, CellContent, FixedMove};
use crate::grid::{CellId, Side};
use crate::notation::parse_terminator;
use crate::scan::{HeaderField, Sheet};

use super::SheetId;

/// Something that a person has read on a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// A name of the sheet ([`SheetId::has_name`]).
    pub sheet: String,
    /// What was read. The sheet of an answer has the index 0.
    pub content: FixContent,
    /// `SHEET:KEY=VALUE`, with the value as it was written.
    text: String,
}

/// What a person has read on a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FixContent {
    /// Something of the game.
    Answer(Answer),
    /// A field of the header.
    Tag(HeaderField, String),
    /// The sheet records the game of the sheet with this name, as a copy or as a page, whatever
    /// other sheets are like it; without a name it records a game of its own.
    CopyOf(Option<String>),
}

/// Why a text is no [`Fix`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FixError {
    /// The parts are not divided as they should be.
    #[error("not of the form SHEET:PLY=SAN, as in a.jpg:23=Nf3")]
    Form,
    /// The ply is 0 or too large.
    #[error("the ply is a number from 1: White's first move is 1, Black's 2")]
    Ply,
    /// The key is none of those that exist.
    #[error(
        "\"{KEYS}\" are known: a ply, a cell by its row and column, a move left out before a cell, \
         and names of fields"
    )]
    Key,
    /// The move is not SAN.
    #[error("the move is not SAN with English letters, as in Nf3, exd5, O-O")]
    San,
    /// The cell is not a row and a column.
    #[error("the cell is not a row and w or b, as in 11w or 24b")]
    Cell,
    /// The result is none.
    #[error("the result is not 1-0, 0-1, 1/2-1/2 or *")]
    Result,
    /// No sheet is named.
    #[error("copy_of names the other sheet, or is - for none")]
    CopyOf,
}

/// Examples of the keys, for messages.
const KEYS: &str = "23, 11w, +22b, end, settled, copy_of, white, black, round, board, date, \
                    result";

impl Fix {
    /// A fix from the name of a sheet, and what is written of it: the key, and its value.
    ///
    /// | key | value |
    /// |---|---|
    /// | `23`, a ply | a move in SAN with English letters |
    /// | `11w` or `12b`, a cell | a move; `-` for no move; `?` where the person cannot read it |
    /// | `+22b` | the moves that were left out before that cell, with spaces between them |
    /// | `end` | the cell before which the game ends, as `24b` |
    /// | `settled` | all moves of the game, with spaces between them |
    /// | `copy_of` | the name of a sheet that records the same game; `-` for none |
    /// | `white`, `black`, `round`, `board`, `date`, `result` | what stands in the header |
    ///
    /// # Errors
    /// [`FixError`], but [`FixError::Form`].
    pub fn new(sheet: &str, key: &str, value: &str) -> Result<Self, FixError> {
        let (key, value) = (key.trim(), value.trim());
        Ok(Self {
            sheet: sheet.to_owned(),
            content: parse_content(key, value)?,
            text: format!("{sheet}:{key}={value}"),
        })
    }

    /// A fix that says this of a sheet.
    pub fn of_sheet(sheet: &str, content: FixContent) -> Self {
        let (key, value) = key_and_value(&content);
        Self {
            sheet: sheet.to_owned(),
            content,
            text: format!("{sheet}:{key}={value}"),
        }
    }

    /// Its key and its value as they stand in a file.
    pub fn key_and_value(&self) -> (String, String) {
        key_and_value(&self.content)
    }

    /// Whether its name means one of these sheets.
    pub(super) fn names_any(&self, sheets: &[SheetId]) -> bool {
        sheets.iter().any(|sheet| sheet.has_name(&self.sheet))
    }

    /// The name of the sheet that its own one is said to be a copy of.
    pub(super) fn copy_of(&self) -> Option<&str> {
        match &self.content {
            FixContent::CopyOf(name) => name.as_deref(),
            _ => None,
        }
    }

    /// Where it belongs in the order of a game: a ply, about.
    pub(crate) fn order(&self) -> u32 {
        match &self.content {
            FixContent::Answer(Answer::Ply(fixed)) => fixed.ply.into(),
            FixContent::Answer(Answer::Cell { cell, .. }) => {
                let black = u32::from(cell.side == Side::Black);
                (2 * cell.number + black).saturating_sub(1)
            }
            FixContent::Answer(Answer::Game(_)) | FixContent::Tag(..) | FixContent::CopyOf(_) => {
                u32::MAX
            }
        }
    }

    /// Its content with the index of its sheet among those of a game; none where that sheet does
    /// not have the cell.
    pub(crate) fn locate(&self, sheets: &[Sheet]) -> Option<FixContent> {
        let FixContent::Answer(Answer::Cell { cell, content, .. }) = &self.content else {
            return Some(self.content.clone());
        };
        let has_cell = |sheet: &Sheet| sheet.cells.iter().any(|reading| reading.id == *cell);
        let is_named = |sheet: &Sheet| SheetId::new(sheet).has_name(&self.sheet);
        let sheet = sheets.iter().position(|s| is_named(s) && has_cell(s))?;
        Some(FixContent::Answer(Answer::Cell {
            sheet,
            cell: *cell,
            content: content.clone(),
        }))
    }
}

impl std::fmt::Display for Fix {
    /// Writes `SHEET:KEY=VALUE`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::str::FromStr for Fix {
    type Err = FixError;

    /// Reads `SHEET:KEY=VALUE`. The last colon counts, since paths may contain some.
    fn from_str(text: &str) -> Result<Self, FixError> {
        let (sheet, rest) = text.rsplit_once(':').ok_or(FixError::Form)?;
        let (key, value) = rest.split_once('=').ok_or(FixError::Form)?;
        Self::new(sheet, key, value)
    }
}

fn parse_content(key: &str, value: &str) -> Result<FixContent, FixError> {
    let of_cell = |cell: CellId, content: CellContent| {
        FixContent::Answer(Answer::Cell {
            sheet: 0,
            cell,
            content,
        })
    };
    if let Some(field) = HeaderField::from_name(key) {
        let is_result = field == HeaderField::Result;
        if is_result && parse_terminator(value).is_none() {
            return Err(FixError::Result);
        }
        return Ok(FixContent::Tag(field, value.to_owned()));
    }
    if key.bytes().all(|byte| byte.is_ascii_digit()) {
        let ply = key.parse::<u16>().ok().filter(|&ply| ply > 0);
        let ply = ply.ok_or(FixError::Ply)?;
        let san = parse_san(value)?;
        return Ok(FixContent::Answer(Answer::Ply(FixedMove { ply, san })));
    }
    if let Some(cell) = key.strip_prefix('+') {
        let cell = parse_cell(cell).ok_or(FixError::Cell)?;
        return Ok(of_cell(cell, CellContent::LeftOut(parse_sans(value)?)));
    }
    match key {
        "copy_of" => match value {
            "" => Err(FixError::CopyOf),
            "-" => Ok(FixContent::CopyOf(None)),
            name => Ok(FixContent::CopyOf(Some(name.to_owned()))),
        },
        "end" => {
            let cell = parse_cell(value).ok_or(FixError::Cell)?;
            Ok(of_cell(cell, CellContent::End))
        }
        "settled" => {
            let moves = parse_sans(value)?;
            Ok(FixContent::Answer(Answer::Game(moves)))
        }
        _ => {
            let cell = parse_cell(key).ok_or(FixError::Key)?;
            let content = match value {
                "-" => CellContent::NoMove,
                "?" => CellContent::Illegible,
                san => CellContent::Move(parse_san(san)?),
            };
            Ok(of_cell(cell, content))
        }
    }
}

fn parse_san(text: &str) -> Result<San, FixError> {
    let parsed: SanPlus = text.parse().map_err(|_| FixError::San)?;
    Ok(parsed.san)
}

/// Moves with spaces between them, at least one.
fn parse_sans(text: &str) -> Result<Vec<San>, FixError> {
    let sans: Vec<San> = text
        .split_whitespace()
        .map(parse_san)
        .collect::<Result<_, _>>()?;
    if sans.is_empty() {
        return Err(FixError::San);
    }
    Ok(sans)
}

/// A cell written as its row and column, as in `11w`.
pub fn parse_cell(text: &str) -> Option<CellId> {
    let (number, side) = match text.strip_suffix('w') {
        Some(number) => (number, Side::White),
        None => (text.strip_suffix('b')?, Side::Black),
    };
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    let number = number.parse().ok().filter(|_| is_number)?;
    Some(CellId { number, side })
}

/// A cell as its row and column, as in `11w`.
pub fn format_cell(cell: CellId) -> String {
    let side = match cell.side {
        Side::White => 'w',
        Side::Black => 'b',
    };
    format!("{}{side}", cell.number)
}

fn format_sans(sans: &[San]) -> String {
    let sans: Vec<String> = sans.iter().map(San::to_string).collect();
    sans.join(" ")
}

fn key_and_value(content: &FixContent) -> (String, String) {
    match content {
        FixContent::Tag(field, text) => (field.name().to_owned(), text.clone()),
        FixContent::CopyOf(name) => {
            let name = name.as_deref().unwrap_or("-");
            ("copy_of".to_owned(), name.to_owned())
        }
        FixContent::Answer(Answer::Ply(fixed)) => (fixed.ply.to_string(), fixed.san.to_string()),
        FixContent::Answer(Answer::Game(moves)) => ("settled".to_owned(), format_sans(moves)),
        FixContent::Answer(Answer::Cell { cell, content, .. }) => {
            let cell = format_cell(*cell);
            match content {
                CellContent::Move(san) => (cell, san.to_string()),
                CellContent::NoMove => (cell, "-".to_owned()),
                CellContent::Illegible => (cell, "?".to_owned()),
                CellContent::LeftOut(sans) => (format!("+{cell}"), format_sans(sans)),
                CellContent::End => ("end".to_owned(), cell),
            }
        }
    }
}
