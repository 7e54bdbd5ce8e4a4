//! Games that stand one below the other on the same sheet.
//!
//! Where the record cannot be followed any more, it may be a new game that begins: a row from which on the cells are
//! surely followed from the initial position is one, as a game that goes on never is.

use std::collections::BTreeSet;

use crate::grid::{CellId, Side};
use crate::reader::Reading;

use super::record::is_writing;
use super::{Decoder, FixedMove, Game, SheetReadings, Unread, UnreadReason};

/// A move at least so sure belongs to the game that was found first.
const SURE: f32 = 0.5;
/// Rows that are tried as the beginning of a game.
const TRIED: usize = 8;
/// Cells by which a beginning is tried.
const PROBE: usize = 10;
/// Written cells that a game has at least.
const FEWEST: usize = 8;
/// Share of the written cells that the moves of a new game must use, each as far as it is sure.
const FOLLOWED: f32 = 0.85;
/// By how many cells a copy, each as far as its move is sure, two games must use more than one that goes on to the end.
const MORE: f32 = 2.0;

impl Decoder {
    /// The games that stand one below the other on the copies, nearly always one ([`Self::decode_with`]); what a person has
    /// settled belongs to the first, and the cells of the others are unread in it. Never empty; the first is the uppermost.
    pub fn games(&self, copies: &[SheetReadings], held: &[FixedMove]) -> Vec<Game> {
        let game = self.decode_with(copies, held);
        let starts = copies.iter().enumerate().map(|(sheet, copy)| {
            let sure = game.plies.iter().filter(|ply| ply.confidence >= SURE);
            let cells = sure.flat_map(|ply| &ply.cells);
            let followed = cells.filter(|&&(of, _)| of == sheet).map(|&(_, cell)| cell);
            self.beginning(copy, &followed.collect())
        });
        let starts: Option<Vec<usize>> = starts.collect();
        let Some(starts) = starts.filter(|starts| !starts.is_empty()) else {
            return vec![game];
        };
        let (above, below): (Vec<_>, Vec<_>) = copies
            .iter()
            .zip(starts)
            .map(|(copy, start)| {
                let (above, below) = copy.readings.split_at(start);
                (copy.with(above), copy.with(below))
            })
            .unzip();
        let below_it = self.games(&below, &[]);
        if !are_followed(&below_it, &below) {
            return vec![game];
        }
        let mut first = self.decode_with(&above, held);
        let two = first.sure_cells() + below_it.iter().map(Game::sure_cells).sum::<f32>();
        if two < game.sure_cells() + MORE * copies.len() as f32 {
            return vec![game];
        }
        for (sheet, copy) in below.iter().enumerate() {
            let written = copy.readings.iter().filter(|reading| is_writing(reading));
            first.unread.extend(written.map(|reading| Unread {
                sheet,
                cell: reading.id,
                reason: UnreadReason::SecondGame,
            }));
        }
        [first].into_iter().chain(below_it).collect()
    }

    /// The index of the cell from which on a copy is followed from the initial position: below its first row, in one
    /// that the game before was not `followed` in, and that may hold the first move of a side by its rank.
    fn beginning(&self, copy: &SheetReadings, followed: &BTreeSet<CellId>) -> Option<usize> {
        let readings = &copy.readings;
        let rows = (1..readings.len().saturating_sub(1)).filter(|&i| {
            let (white, black) = (&readings[i], &readings[i + 1]);
            white.id.side == Side::White
                && is_writing(white)
                && [white, black].iter().any(|r| !followed.contains(&r.id))
                && (white.text.contains(['3', '4']) || black.text.contains(['5', '6']))
        });
        rows.take(TRIED).find(|&i| {
            let probe = copy.with(&readings[i..readings.len().min(i + PROBE)]);
            let probe = std::slice::from_ref(&probe);
            are_followed(&[self.decode(probe)], probe)
        })
    }
}

impl SheetReadings {
    /// Some of its readings.
    fn with(&self, readings: &[Reading]) -> Self {
        Self {
            alphabet: self.alphabet.clone(),
            readings: readings.to_vec(),
        }
    }
}

/// Whether games are made of nearly all of what is written, enough of it, and surely so.
fn are_followed(games: &[Game], copies: &[SheetReadings]) -> bool {
    let written = copies.iter().flat_map(|copy| &copy.readings);
    let written = written.filter(|reading| is_writing(reading)).count();
    let sure: f32 = games.iter().map(Game::sure_cells).sum();
    written >= FEWEST * copies.len() && sure >= FOLLOWED * written as f32
}
