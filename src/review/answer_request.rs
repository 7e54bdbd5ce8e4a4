//! The answers that the page sends, as changes of the file of answers, and answers as it sends
//! them.

use serde::Deserialize;
use serde_json::{Value, json};
use shakmaty::san::{San, SanPlus};
use shakmaty::{Chess, Position};

use crate::batch::{Fix, FixContent, format_cell};
use crate::decode::{Answer, CellContent};
use crate::grid::CellId;
use crate::notation::{Language, localize_san, move_number};
use crate::scan::{HeaderField, PlyPosition, ScannedGame};

use super::answer_file::{AnswerFile, ValueChange};
use super::place::Place;

/// An answer as the page sends it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum AnswerRequest {
    /// The move of a place.
    Move {
        /// The place.
        at: String,
        /// The move, in English letters or in those of the sheet.
        san: String,
    },
    /// The cell holds no move of the game.
    None {
        /// The place.
        at: String,
    },
    /// The person cannot read the cell either.
    Seen {
        /// The place.
        at: String,
    },
    /// A move was left out before the move of a cell.
    LeftOut {
        /// The place of the cell.
        at: String,
        /// The move.
        san: String,
    },
    /// The game ended before a cell.
    End {
        /// The place.
        at: String,
    },
    /// All moves are right.
    Settled {
        /// The moves in SAN.
        moves: Vec<String>,
    },
    /// A field of the header.
    Field {
        /// Its name.
        name: String,
        /// What stands in it.
        text: String,
    },
    /// Takes back what was answered at a place.
    Clear {
        /// The place.
        at: String,
    },
}

/// Why an answer cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum AnswerError {
    /// The place is none of the game.
    #[error("{0} is no place of this game")]
    Place(String),
    /// The move is not legal in the position before the place.
    #[error("{san} is no legal move there")]
    Illegal {
        /// The move as it was sent.
        san: String,
        /// The legal moves that are written most like it.
        nearest: Vec<String>,
    },
    /// The place has no cell.
    #[error("this move stands in no cell, so there is nothing that could be no move or illegible")]
    NoCell,
    /// The field or its text is none.
    #[error("{0}")]
    Value(String),
}

/// Largest number of legal moves that are named in place of one that is not legal.
const MAX_NEAREST_MOVES: usize = 3;

/// What an answer needs to know of its game.
pub(super) struct AnswerContext<'a> {
    pub game: &'a ScannedGame,
    pub file: &'a AnswerFile,
    /// The table of each sheet of the game.
    pub tables: &'a [String],
}

impl AnswerContext<'_> {
    /// The changes that some answers make, as one step, and the first ply, counted from 0, that
    /// they are about.
    ///
    /// # Errors
    /// [`AnswerError`] of the first answer that cannot be taken.
    pub(super) fn changes(
        &self,
        answers: &[AnswerRequest],
    ) -> Result<(Vec<ValueChange>, usize), AnswerError> {
        let mut changes = Vec::new();
        let mut first = self.game.game.plies.len();
        for answer in answers {
            let ply = self.add_changes(answer, &mut changes)?;
            first = first.min(ply.unwrap_or(first));
        }
        let is_about_moves = |answer: &AnswerRequest| {
            !matches!(
                answer,
                AnswerRequest::Settled { .. } | AnswerRequest::Field { .. }
            )
        };
        if answers.iter().any(is_about_moves) {
            self.set(&self.tables[0], "settled", None, &mut changes);
        }
        Ok((changes, first))
    }

    /// Adds the changes of one answer, and gives its ply.
    fn add_changes(
        &self,
        answer: &AnswerRequest,
        changes: &mut Vec<ValueChange>,
    ) -> Result<Option<usize>, AnswerError> {
        let game = &self.game.game;
        match answer {
            AnswerRequest::Move { at, san } => {
                let place = self.place(at)?;
                let ply = place.ply(game);
                let san = self.legal_move(ply, san)?;
                self.forget_ply(ply, changes);
                match place {
                    Place::Cell(sheet, cell) => {
                        let key = format_cell(cell);
                        self.set(&self.tables[sheet], &key, Some(san), changes);
                    }
                    Place::Ply(_) => self.set_left_out(ply, san, changes),
                }
                Ok(Some(ply))
            }
            AnswerRequest::None { at } => self.set_cell(at, "-", changes),
            AnswerRequest::Seen { at } => self.set_cell(at, "?", changes),
            AnswerRequest::LeftOut { at, san } => {
                let (sheet, cell) = self.cell(at)?;
                let ply = Place::Cell(sheet, cell).ply(game);
                let key = format!("+{}", format_cell(cell));
                let before = self.file.value(&self.tables[sheet], &key);
                let sans = match before {
                    Some(before) => format!("{before} {san}"),
                    None => self.legal_move(ply, san)?,
                };
                self.set(&self.tables[sheet], &key, Some(sans), changes);
                Ok(Some(ply))
            }
            AnswerRequest::End { at } => {
                let (sheet, cell) = self.cell(at)?;
                self.set(&self.tables[sheet], "end", Some(format_cell(cell)), changes);
                Ok(Some(Place::Cell(sheet, cell).ply(game)))
            }
            AnswerRequest::Settled { moves } => {
                let value = moves.join(" ");
                self.check_value("settled", &value)?;
                self.set(&self.tables[0], "settled", Some(value), changes);
                Ok(None)
            }
            AnswerRequest::Field { name, text } => {
                HeaderField::from_name(name)
                    .ok_or_else(|| AnswerError::Value(format!("{name} is no field")))?;
                let text = text.trim();
                let value = (!text.is_empty()).then(|| text.to_owned());
                if let Some(value) = &value {
                    self.check_value(name, value)?;
                }
                self.set(&self.tables[0], name, value, changes);
                Ok(None)
            }
            AnswerRequest::Clear { at } => {
                let place = self.place(at)?;
                let ply = place.ply(game);
                self.forget_ply(ply, changes);
                if let Place::Cell(sheet, cell) = place {
                    let (table, key) = (&self.tables[sheet], format_cell(cell));
                    self.set(table, &key, None, changes);
                    self.set(table, &format!("+{key}"), None, changes);
                    if self.file.value(table, "end") == Some(&key) {
                        self.set(table, "end", None, changes);
                    }
                }
                Ok(Some(ply))
            }
        }
    }

    fn place(&self, at: &str) -> Result<Place, AnswerError> {
        let unknown = || AnswerError::Place(at.to_owned());
        let place: Place = at.parse().map_err(|_| unknown())?;
        let exists = match place {
            Place::Cell(sheet, cell) => self.game.reading(sheet, cell).is_some(),
            Place::Ply(ply) => ply <= self.game.game.plies.len() + 1,
        };
        exists.then_some(place).ok_or_else(unknown)
    }

    fn cell(&self, at: &str) -> Result<(usize, CellId), AnswerError> {
        match self.place(at)? {
            Place::Cell(sheet, cell) => Ok((sheet, cell)),
            Place::Ply(_) => Err(AnswerError::NoCell),
        }
    }

    /// Sets what stands in a cell, if it is no move.
    fn set_cell(
        &self,
        at: &str,
        value: &str,
        changes: &mut Vec<ValueChange>,
    ) -> Result<Option<usize>, AnswerError> {
        let (sheet, cell) = self.cell(at)?;
        let ply = Place::Cell(sheet, cell).ply(&self.game.game);
        self.forget_ply(ply, changes);
        let key = format_cell(cell);
        self.set(&self.tables[sheet], &key, Some(value.to_owned()), changes);
        Ok(Some(ply))
    }

    /// Sets the move of a ply without a cell: it was left out before the next move that has one.
    fn set_left_out(&self, ply: usize, san: String, changes: &mut Vec<ValueChange>) {
        let plies = &self.game.game.plies;
        let has_cell = |at: &usize| !plies[*at].cells.is_empty();
        let Some(behind) = (ply + 1..plies.len()).find(has_cell) else {
            let key = (ply + 1).to_string();
            self.set(&self.tables[0], &key, Some(san), changes);
            return;
        };
        let first = (0..ply).rev().find(has_cell).map_or(0, |at| at + 1);
        let sans = (first..behind).map(|at| match at == ply {
            true => san.clone(),
            false => plies[at].san.clone(),
        });
        let sans: Vec<String> = sans.collect();
        let (sheet, cell) = plies[behind].cells[0];
        let key = format!("+{}", format_cell(cell));
        self.set(&self.tables[sheet], &key, Some(sans.join(" ")), changes);
    }

    /// Takes back what an older file says of a ply by its number.
    fn forget_ply(&self, ply: usize, changes: &mut Vec<ValueChange>) {
        let key = (ply + 1).to_string();
        for table in self.tables {
            self.set(table, &key, None, changes);
        }
    }

    /// Adds a change, unless the value is that already.
    fn set(&self, table: &str, key: &str, new: Option<String>, changes: &mut Vec<ValueChange>) {
        changes.retain(|change| change.sheet != table || change.key != key);
        let old = self.file.value(table, key).map(str::to_owned);
        if old != new {
            changes.push(ValueChange {
                sheet: table.to_owned(),
                key: key.to_owned(),
                old,
                new,
            });
        }
    }

    fn check_value(&self, key: &str, value: &str) -> Result<(), AnswerError> {
        let fix = Fix::new("", key, value);
        fix.map(|_| ())
            .map_err(|error| AnswerError::Value(error.to_string()))
    }

    /// The SAN, as it stands in files, of a legal move before a ply that is written so in English
    /// letters or in those of the sheet.
    fn legal_move(&self, ply: usize, text: &str) -> Result<String, AnswerError> {
        let position = PlyPosition::after(&self.game.game, ply).position;
        let code = self.game.game.languages.first();
        let language = code.and_then(|code| Language::of_sheet(code));
        let spellings = legal_spellings(&position, language);
        let plain = |text: &str| text.replace(['+', '#', '=', 'x', ':', '-', ' '], "");
        let is_meant = |known: &str| known == text || plain(known) == plain(text);
        let by_san = |san: &San| san.to_move(&position).ok();
        if let Some(m) = text.parse::<SanPlus>().ok().and_then(|s| by_san(&s.san)) {
            return Ok(San::from_move(&position, m).to_string());
        }
        if let Some((san, _)) = spellings.iter().find(|s| is_meant(&s.0) || is_meant(&s.1)) {
            return Ok(san.clone());
        }
        let mut near: Vec<(usize, &String)> = spellings
            .iter()
            .map(|(san, spelling)| (strsim::levenshtein(spelling, text), san))
            .collect();
        near.sort();
        let nearest = near.into_iter().take(MAX_NEAREST_MOVES);
        Err(AnswerError::Illegal {
            san: text.to_owned(),
            nearest: nearest.map(|(_, san)| san.clone()).collect(),
        })
    }
}

/// The legal moves of a position in SAN, without suffix, and in the letters of a language.
fn legal_spellings(position: &Chess, language: Option<&'static Language>) -> Vec<(String, String)> {
    let moves = position.legal_moves();
    let spell = |m| {
        let san = San::from_move(position, m).to_string();
        let local = language.map_or_else(|| san.clone(), |l| localize_san(&san, l));
        (san, local)
    };
    moves.into_iter().map(spell).collect()
}

/// What a person did with some answers, for the line that says it was taken back.
pub(super) fn describe(answers: &[AnswerRequest], game: &ScannedGame) -> String {
    let number = |at: &str| match at.parse::<Place>() {
        Ok(place) => move_number(place.ply(&game.game)),
        Err(_) => at.to_owned(),
    };
    let [answer] = answers else {
        return format!("{} answers", answers.len());
    };
    match answer {
        AnswerRequest::Move { at, san } => format!("{} {san} held", number(at)),
        AnswerRequest::None { at } => format!("{} no move", number(at)),
        AnswerRequest::Seen { at } => format!("{} illegible", number(at)),
        AnswerRequest::LeftOut { at, san } => format!("{san} left out before {}", number(at)),
        AnswerRequest::End { at } => format!("the game ends before {}", number(at)),
        AnswerRequest::Settled { .. } => "settled".to_owned(),
        AnswerRequest::Field { name, text } => format!("{name}: {text}"),
        AnswerRequest::Clear { at } => format!("{} cleared", number(at)),
    }
}

/// An answer as the page sends it; none where it is about a cell that the sheets do not have.
pub(super) fn answer_value(fix: &Fix, scanned: Option<&ScannedGame>) -> Option<Value> {
    let texts = |sans: &[San]| sans.iter().map(San::to_string).collect::<Vec<_>>();
    let sheets = scanned.map_or(&[][..], |scanned| &scanned.sheets);
    let answer = match fix.locate(sheets)? {
        FixContent::Tag(field, text) => {
            return Some(json!({ "is": "field", "name": field.name(), "text": text }));
        }
        // It is about sheets, which the game shows.
        FixContent::CopyOf(_) => return None,
        FixContent::Answer(answer) => answer,
    };
    Some(match answer {
        Answer::Game(moves) => json!({ "is": "settled", "moves": texts(&moves) }),
        Answer::Ply(fixed) => {
            let ply = usize::from(fixed.ply).saturating_sub(1);
            let place = Place::of_ply(&scanned?.game, ply);
            json!({ "at": place.to_string(), "is": "move", "san": fixed.san.to_string() })
        }
        Answer::Cell {
            sheet,
            cell,
            content,
        } => {
            let at = Place::Cell(sheet, cell).to_string();
            match content {
                CellContent::Move(san) => json!({ "at": at, "is": "move", "san": san.to_string() }),
                CellContent::NoMove => json!({ "at": at, "is": "none" }),
                CellContent::Illegible => json!({ "at": at, "is": "seen" }),
                CellContent::LeftOut(moves) => {
                    json!({ "at": at, "is": "left-out", "san": texts(&moves).join(" ") })
                }
                CellContent::End => json!({ "at": at, "is": "end" }),
            }
        }
    })
}
