//! The game of a sheet, of its pages and copies.

use super::Sheet;
use crate::decode::{self, Decoder, FixedMove, Game, SheetReadings, Unread, UnreadReason};
use crate::grid::CellId;
use crate::ink::CellState;
use crate::reader::Reading;

/// A game with the sheets that it was read from.
#[derive(Debug, Clone)]
pub struct ScannedGame {
    /// The sheets of the game, copy by copy, page by page; their order is that of the sheet indices in [`Game`].
    pub sheets: Vec<Sheet>,
    /// Indices of the sheets that continue the one before them.
    pub continued: Vec<usize>,
    /// The moves.
    pub game: Game,
    /// Plies, from 1, that a person has settled.
    pub settled: Vec<u16>,
    /// Further files that show the same picture as a sheet, which tells nothing new, and the index of that sheet.
    pub same: Vec<(Sheet, usize)>,
    /// The games that stand below it on the same sheets, from the top; the words outside the table belong to the first.
    pub below: Vec<ScannedGame>,
}

/// Share of the written cells that a game from the initial position must use, each as far as it is sure of it, where
/// the printed numbers say that the page before is missing: they may have been misread.
const FOLLOWED: f32 = 0.5;

/// The game that copies of it record, each a sheet or the pages that continue each other, with the moves in it that a
/// person has settled. The posteriors of the sheets are over `alphabet`. Where no copy has a first page, and the moves
/// cannot be followed from the initial position either, the game has no moves: its beginning is not known.
pub fn decode(
    decoder: &Decoder,
    alphabet: &[char],
    copies: Vec<Vec<Sheet>>,
    held: &[FixedMove],
) -> ScannedGame {
    let headless = copies
        .iter()
        .all(|pages| pages.first().is_some_and(|p| p.continues_from().is_some()));
    let pages: Vec<usize> = copies.iter().map(Vec::len).collect();
    let mut sheets: Vec<Sheet> = copies.into_iter().flatten().collect();
    let lengths: Vec<usize> = sheets.iter().map(|sheet| sheet.cells.len()).collect();
    let mut cells = sheets
        .iter_mut()
        .map(|sheet| std::mem::take(&mut sheet.cells));
    let read: Vec<SheetReadings> = pages
        .iter()
        .map(|&n| SheetReadings {
            alphabet: alphabet.to_vec(),
            readings: cells.by_ref().take(n).flatten().collect(),
        })
        .collect();
    drop(cells);
    let mut games = decoder.games(&read, held);
    if headless && !is_followed(&games[0], &read) {
        games = vec![decode::unread(&read, &games[0].languages)];
    }
    let mut cells = read.into_iter().flat_map(|copy| copy.readings);
    for (sheet, length) in sheets.iter_mut().zip(lengths) {
        sheet.cells = cells.by_ref().take(length).collect();
        for reading in &mut sheet.cells {
            // By far the largest part, and nobody needs them any more.
            reading.posteriors = None;
        }
    }
    let firsts = firsts_of(&pages);
    let scanned = |game: Game, sheets: Vec<Sheet>| {
        let mut scanned = ScannedGame {
            continued: (0..sheets.len()).filter(|i| !firsts.contains(i)).collect(),
            sheets,
            game,
            settled: Vec::new(),
            same: Vec::new(),
            below: Vec::new(),
        };
        scanned.tell_pages_apart(&pages, &firsts);
        scanned
    };
    let wordless = |sheet: &Sheet| Sheet {
        words: Vec::new(),
        ..sheet.clone()
    };
    let below = games.split_off(1).into_iter();
    let below = below.map(|game| scanned(game, sheets.iter().map(wordless).collect()));
    let below = below.collect();
    ScannedGame {
        settled: held.iter().map(|held| held.ply).collect(),
        below,
        ..scanned(games.remove(0), sheets)
    }
}

/// Whether a game is made of most of what is written, and surely so.
fn is_followed(game: &Game, read: &[SheetReadings]) -> bool {
    let written = read.iter().flat_map(|copy| &copy.readings);
    let written = written.filter(|r| r.state != CellState::Blank).count();
    game.sure_cells() >= FOLLOWED * written as f32
}

/// The index of each copy's first page.
fn firsts_of(pages: &[usize]) -> Vec<usize> {
    let mut next = 0;
    let first = |&n: &usize| {
        let first = next;
        next += n;
        first
    };
    pages.iter().map(first).collect()
}

impl ScannedGame {
    /// Turns the copies that the decoder tells apart into their pages: the rows of a copy have each its own number.
    fn tell_pages_apart(&mut self, pages: &[usize], firsts: &[usize]) {
        let sheets = &self.sheets;
        let page = |copy: usize, cell: CellId| {
            let pages = firsts[copy]..firsts[copy] + pages[copy];
            let mut holding =
                pages.filter(|&i| sheets[i].cells.iter().any(|reading| reading.id == cell));
            holding.next().unwrap_or(firsts[copy])
        };
        let game = &mut self.game;
        let cells = game.plies.iter_mut().flat_map(|ply| &mut ply.cells);
        for (sheet, cell) in cells {
            *sheet = page(*sheet, *cell);
        }
        for unread in &mut game.unread {
            unread.sheet = page(unread.sheet, unread.cell);
        }
        let languages = pages.iter().zip(&game.languages);
        game.languages = languages
            .flat_map(|(&n, language)| std::iter::repeat_n(language.clone(), n))
            .collect();
    }

    /// The number that the sheets begin with, where the page before them is missing.
    pub fn headless(&self) -> Option<u32> {
        let first = self.sheets.first()?.continues_from()?;
        self.game.plies.is_empty().then_some(first)
    }

    /// What was read in a cell of a sheet.
    pub fn reading(&self, sheet: usize, cell: CellId) -> Option<&Reading> {
        self.sheets
            .get(sheet)?
            .cells
            .iter()
            .find(|reading| reading.id == cell)
    }

    /// The first cell whose writing could not be followed, where the record breaks off before its end.
    pub fn break_off(&self) -> Option<&Unread> {
        if self.game.complete {
            return None;
        }
        let last_used = |sheet: usize| {
            let used = self.game.plies.iter().flat_map(|ply| &ply.cells);
            used.filter(|cell| cell.0 == sheet).map(|cell| cell.1).max()
        };
        let behind = self.game.unread.iter().filter(|unread| {
            unread.reason != UnreadReason::AfterTheEnd
                && Some(unread.cell) > last_used(unread.sheet)
        });
        behind.min_by_key(|unread| (unread.sheet, unread.cell))
    }

    /// Moves that a person should look at.
    pub fn asks(&self) -> usize {
        self.game.plies.iter().filter(|ply| ply.review).count()
    }
}
