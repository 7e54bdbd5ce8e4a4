//! Places of a game: where an answer belongs.

use std::fmt;
use std::str::FromStr;

use crate::batch::format_cell;
use crate::batch::parse_cell;
use crate::decode::Game;
use crate::grid::CellId;

/// Where an answer belongs. It is written `0-11w` for a cell, with the index of its sheet in the
/// game, and `ply-23` for a ply without a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A cell of a sheet of the game.
    Cell(usize, CellId),
    /// A ply, counted from 1.
    Ply(usize),
}

impl Place {
    /// The place of a ply of a game, counted from 0: its first cell, if it has one.
    pub fn of_ply(game: &Game, ply: usize) -> Self {
        let cell = game.plies.get(ply).and_then(|ply| ply.cells.first());
        cell.map_or(Self::Ply(ply + 1), |&(sheet, cell)| Self::Cell(sheet, cell))
    }

    /// The index of the ply whose move stands there, or would stand there: the one after the moves
    /// of the cells before it.
    pub fn ply(self, game: &Game) -> usize {
        let Self::Cell(sheet, cell) = self else {
            let Self::Ply(ply) = self else { return 0 };
            return ply.saturating_sub(1).min(game.plies.len());
        };
        let holds = |at: usize| game.plies[at].cells.contains(&(sheet, cell));
        let is_before = |at: usize| {
            let cells = game.plies[at].cells.iter();
            let mut own = cells.filter(|(of, _)| *of == sheet);
            own.any(|(_, known)| *known < cell)
        };
        let plies = 0..game.plies.len();
        let own = plies.clone().find(|&at| holds(at));
        own.unwrap_or_else(|| plies.rev().find(|&at| is_before(at)).map_or(0, |at| at + 1))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cell(sheet, cell) => write!(f, "{sheet}-{}", format_cell(*cell)),
            Self::Ply(ply) => write!(f, "ply-{ply}"),
        }
    }
}

/// A text is no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a place, as 0-11w or ply-23")]
pub struct PlaceError;

impl FromStr for Place {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Self, PlaceError> {
        if let Some(ply) = text.strip_prefix("ply-") {
            let ply = ply.parse().ok().filter(|&ply| ply > 0);
            return ply.map(Self::Ply).ok_or(PlaceError);
        }
        let (sheet, cell) = text.split_once('-').ok_or(PlaceError)?;
        let sheet = sheet.parse().map_err(|_| PlaceError)?;
        let cell = parse_cell(cell).ok_or(PlaceError)?;
        Ok(Self::Cell(sheet, cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back_from_their_texts() {
        for text in ["0-11w", "2-7b", "ply-23"] {
            let place: Place = text.parse().expect("a place");
            assert_eq!(place.to_string(), text);
        }
        for text in ["", "11w", "0-", "0-w", "ply-0", "ply-x", "-1-3w", "0-3x"] {
            assert_eq!(text.parse::<Place>(), Err(PlaceError), "{text}");
        }
    }
}
