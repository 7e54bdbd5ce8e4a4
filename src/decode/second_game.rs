//! Games that stand one below the other on the same sheet, or side by side on one picture.
//!
//! Where a record cannot be followed any more, a new game may begin. Such a game is known by a row
//! from which on the cells are followed from the initial position, as no game that goes on ever is.
//! Of six pictures made of two HCS pages each, all six gave both games; no page of HCS dev, EPFL or
//! `data/sheets` gave a second one. Where it is the first game once more, the picture shows both
//! players' copies.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use crate::copies::{Similarity, TextFingerprint};
use crate::grid::{CellId, Side};

use super::Decoder;
use super::agreement::Agreement;
use super::answer::{Answer, Instructions};
use super::game::{Game, Unread, UnreadReason};
use super::readings::{SheetReadings, is_writing};

/// Confidence from which a move is taken to belong to the game that was found first.
const MIN_FOLLOWED_CONFIDENCE: f32 = 0.5;
/// Largest number of rows that are tried as the beginning of a game.
const MAX_TRIED_ROWS: usize = 8;
/// Number of cells by which a beginning is tried.
const TRIED_CELLS: usize = 10;
/// Smallest number of written cells of a game, for each copy.
const MIN_GAME_CELLS: usize = 8;
/// Smallest share of the written cells that the moves of a second game use, each cell counting the
/// confidence of its move. Chosen by eye.
const MIN_FOLLOWED_SHARE: f32 = 0.85;
/// Number of cells, for each copy and counted so, that two games must use beyond what one game that
/// goes on to the end uses. Chosen by eye.
const MIN_GAIN_CELLS: f32 = 2.0;

/// How the games of a record stand on its copies.
#[derive(Debug, Clone)]
pub(super) enum Arrangement {
    /// The copies hold one game.
    One,
    /// Further games begin at these cells of the copies.
    OneBelowTheOther(Vec<usize>),
    /// The copies hold the same game twice, once more from these cells on.
    SideBySide(Vec<usize>),
}

impl Decoder {
    /// The games that stand one below the other on the copies, from the top; nearly always one.
    /// Never none. The cells of the others are unread in the first.
    pub(super) fn find_games(&self, copies: &[SheetReadings]) -> (Vec<Game>, Arrangement) {
        let game = self.decode(copies);
        let starts = copies.iter().enumerate().map(|(sheet, copy)| {
            let followed = game
                .plies
                .iter()
                .filter(|ply| ply.confidence >= MIN_FOLLOWED_CONFIDENCE)
                .flat_map(|ply| &ply.cells)
                .filter(|&&(of, _)| of == sheet)
                .map(|&(_, cell)| cell);
            self.find_beginning(copy, &followed.collect())
        });
        let starts: Option<Vec<usize>> = starts.collect();
        let Some(starts) = starts.filter(|starts| !starts.is_empty()) else {
            return (vec![game], Arrangement::One);
        };
        let (above, below) = split_copies(copies, &starts);
        let (further, _) = self.find_games(&below);
        if !are_followed(&further, &below) {
            return (vec![game], Arrangement::One);
        }
        let first = self.decode(&above);
        if let [second] = &further[..]
            && let Some(game) = self.join_tables(&above, &below, [&first, second])
        {
            return (vec![game], Arrangement::SideBySide(starts));
        }
        let together = first.sure_cells() + further.iter().map(Game::sure_cells).sum::<f32>();
        if together < game.sure_cells() + MIN_GAIN_CELLS * copies.len() as f32 {
            return (vec![game], Arrangement::One);
        }
        let first = with_unread_below(first, &below);
        let games = [first].into_iter().chain(further).collect();
        (games, Arrangement::OneBelowTheOther(starts))
    }

    /// The first game of copies with this arrangement, by a search that is told some answers.
    pub(super) fn first_game(
        &self,
        copies: &[SheetReadings],
        arrangement: &Arrangement,
        instructions: Instructions,
    ) -> Game {
        match arrangement {
            Arrangement::One => self.decode_with(copies, instructions),
            Arrangement::OneBelowTheOther(starts) => {
                let (above, below) = split_copies(copies, starts);
                with_unread_below(self.decode_with(&above, instructions), &below)
            }
            Arrangement::SideBySide(starts) => {
                let (above, below) = split_copies(copies, starts);
                self.decode_tables(&above, &below, instructions)
            }
        }
    }

    /// The game of two tables on one picture, where both record the same one: each table is a copy.
    /// `games` are those of the tables by themselves.
    fn join_tables(
        &self,
        above: &[SheetReadings],
        below: &[SheetReadings],
        games: [&Game; 2],
    ) -> Option<Game> {
        let parameters = &self.options.copies;
        let joint = LazyCell::new(|| self.decode_tables(above, below, Instructions::default()));
        let agree = || {
            let agreement = Agreement::new(games[0], games[1], self.prior, parameters);
            agreement.is_some_and(|agreement| agreement.is_of_one_game(parameters))
        };
        let tables = [above, below].map(|copies| TextFingerprint::new(&copies[0].readings));
        let is_one_game = match tables[0].compare(&tables[1], parameters) {
            Similarity::None => false,
            Similarity::Beginning | Similarity::Few => agree(),
            Similarity::Likely => joint.weight >= games[0].weight + games[1].weight,
            Similarity::Sure => true,
        };
        is_one_game.then(|| LazyCell::force(&joint).clone())
    }

    /// The game that two tables on one picture record, each table a copy.
    fn decode_tables(
        &self,
        above: &[SheetReadings],
        below: &[SheetReadings],
        instructions: Instructions,
    ) -> Game {
        // Each sheet holds two of the copies.
        let sheets = above.len();
        let stands_below = |sheet: usize, cell: CellId| {
            let copy: Option<&SheetReadings> = below.get(sheet);
            copy.is_some_and(|copy| copy.readings.iter().any(|reading| reading.id == cell))
        };
        let answers: Vec<Answer> = instructions
            .answers
            .iter()
            .map(|answer| match answer.clone() {
                Answer::Cell {
                    sheet,
                    cell,
                    content,
                } if stands_below(sheet, cell) => Answer::Cell {
                    sheet: sheet + sheets,
                    cell,
                    content,
                },
                other => other,
            })
            .collect();
        let instructions = Instructions {
            answers: &answers,
            ..instructions
        };
        let mut game = self.decode_with(&[above, below].concat(), instructions);
        let cells = game.plies.iter_mut().flat_map(|ply| &mut ply.cells);
        cells.for_each(|(sheet, _)| *sheet %= sheets);
        game.unread
            .iter_mut()
            .for_each(|unread| unread.sheet %= sheets);
        game.languages.truncate(sheets);
        game
    }

    /// Index of the cell from which on a copy is followed from the initial position. It is below
    /// the first row, in a row in which the game before was not `followed` throughout and that by
    /// its ranks may hold the first move of a side. Each such row is tried without wider searches,
    /// which changed no game of HCS dev, EPFL, `data/sheets` and `data/fresh`.
    fn find_beginning(&self, copy: &SheetReadings, followed: &BTreeSet<CellId>) -> Option<usize> {
        let readings = &copy.readings;
        let mut rows = (1..readings.len().saturating_sub(1))
            .filter(|&i| {
                let (white, black) = (&readings[i], &readings[i + 1]);
                white.id.side == Side::White
                    && is_writing(white)
                    && [white, black].iter().any(|r| !followed.contains(&r.id))
                    && (white.text.contains(['3', '4']) || black.text.contains(['5', '6']))
            })
            .take(MAX_TRIED_ROWS);
        let instructions = Instructions {
            without_retries: true,
            ..Instructions::default()
        };
        rows.find(|&i| {
            let beginning = copy.with(&readings[i..readings.len().min(i + TRIED_CELLS)]);
            let beginning = std::slice::from_ref(&beginning);
            are_followed(&[self.decode_with(beginning, instructions)], beginning)
        })
    }
}

/// The copies above some cells, and from these on.
fn split_copies(
    copies: &[SheetReadings],
    starts: &[usize],
) -> (Vec<SheetReadings>, Vec<SheetReadings>) {
    let copies = copies.iter().zip(starts);
    let halves = copies.map(|(copy, &start)| {
        let (above, below) = copy.readings.split_at(start);
        (copy.with(above), copy.with(below))
    });
    halves.unzip()
}

/// A game with the writing of the games below it, which is unread in it.
fn with_unread_below(mut game: Game, below: &[SheetReadings]) -> Game {
    for (sheet, copy) in below.iter().enumerate() {
        let written = copy.readings.iter().filter(|reading| is_writing(reading));
        game.unread.extend(written.map(|reading| Unread {
            sheet,
            cell: reading.id,
            reason: UnreadReason::SecondGame,
        }));
    }
    game
}

/// Whether there is enough writing for a game on each copy, and the games use nearly all of it.
fn are_followed(games: &[Game], copies: &[SheetReadings]) -> bool {
    let readings = copies.iter().flat_map(|copy| &copy.readings);
    let written = readings.filter(|reading| is_writing(reading)).count();
    let sure: f32 = games.iter().map(Game::sure_cells).sum();
    written >= MIN_GAME_CELLS * copies.len() && sure >= MIN_FOLLOWED_SHARE * written as f32
}
