//! Which sheets are pages of one record: a sheet whose printed numbers begin where those of another one end.

use sheetscan::copies::Gist;
use sheetscan::decode::UnreadReason;
use sheetscan::ink::CellState;
use sheetscan::scan::{ScannedGame, Sheet};

use super::groups::Known;

/// Rows at the end of a page that may be empty although the game goes on behind it.
const EMPTY_ROWS: u32 = 2;
/// Sheets that are tried as the page before another one, the nearest first.
const TRIED: usize = 4;
/// Share of the cells written on a page before the end of the game that moves must be read from.
const FOLLOWED: f32 = 0.6;

/// The rows of a sheet.
#[derive(Debug, Clone, Copy)]
pub struct Reach {
    /// The number that it begins with, where it continues another sheet.
    continues_from: Option<u32>,
    /// The number of its last row.
    last: u32,
    /// And of the last one with writing.
    written: u32,
}

impl Reach {
    /// Of a sheet.
    pub fn of(sheet: &Sheet) -> Self {
        let number = |written: bool| {
            let cells = sheet.cells.iter();
            let cells = cells.filter(|cell| !written || cell.state != CellState::Blank);
            cells.map(|cell| cell.id.number).max().unwrap_or(0)
        };
        Self {
            continues_from: sheet.continues_from(),
            last: number(false),
            written: number(true),
        }
    }

    /// Whether it continues another sheet.
    pub fn continues(&self) -> bool {
        self.continues_from.is_some()
    }

    /// Whether the numbers of the other sheet go on where these end, and the writing reaches so far.
    fn leads_to(&self, next: &Self) -> bool {
        let goes_on = next
            .continues_from
            .is_some_and(|first| first == self.last + 1);
        goes_on && self.written + EMPTY_ROWS >= self.last
    }
}

/// The sheets as copies of one page or more. A page is put to the nearest sheet before it that its numbers continue, no
/// other page continues, and that makes one record with it; of copies of that one, which will do as well, to the first.
pub fn joined(
    known: &[Known],
    sheets: &[usize],
    joins: impl Fn(&[usize]) -> bool,
) -> Vec<Vec<usize>> {
    let mut copies: Vec<Vec<usize>> = Vec::new();
    for &sheet in sheets {
        if known[sheet].reach.continues_from.is_none() {
            copies.push(vec![sheet]);
            continue;
        }
        let last = |copy: &Vec<usize>| copy.last().copied().unwrap_or(sheet);
        let leads = |copy: &Vec<usize>| known[last(copy)].reach.leads_to(&known[sheet].reach);
        let with = |copy: &Vec<usize>| [copy.as_slice(), &[sheet]].concat();
        let mut open: Vec<usize> = (0..copies.len()).filter(|&i| leads(&copies[i])).collect();
        open.sort_by_key(|&i| std::cmp::Reverse(last(&copies[i])));
        let nearest = open.iter().take(TRIED).copied();
        let mut home = nearest.clone().find(|&i| joins(&with(&copies[i])));
        if let Some(found) = home {
            let gist = gist(known, &copies[found]);
            let copy = |&i: &usize| gist.same_game(&self::gist(known, &copies[i]));
            let earlier = open.iter().rev().copied().filter(|&i| i != found);
            let earlier = earlier.filter(copy).find(|&i| joins(&with(&copies[i])));
            home = earlier
                .filter(|&i| last(&copies[i]) < last(&copies[found]))
                .or(home);
        }
        match home {
            Some(home) => copies[home].push(sheet),
            None => copies.push(vec![sheet]),
        }
    }
    copies
}

/// The gist of some pages.
pub fn gist(known: &[Known], pages: &[usize]) -> Gist {
    let mut gists = pages.iter().map(|&i| known[i].gist.clone());
    let first = gists.next().unwrap_or_else(|| Gist::of(&[]));
    gists.fold(first, |gist, next| gist.and(&next))
}

/// Whether the last page of a game goes on where the one before it ends: moves are read from most of what is written
/// there before the end.
pub fn goes_on(scanned: &ScannedGame) -> bool {
    let Some(last) = scanned.sheets.len().checked_sub(1) else {
        return false;
    };
    let plies = scanned.game.plies.iter();
    let read = plies.filter(|ply| ply.cells.iter().any(|cell| cell.0 == last));
    let read = read.count() as f32;
    let unread = scanned.game.unread.iter().filter(|unread| {
        let no_move = matches!(
            unread.reason,
            UnreadReason::AfterTheEnd | UnreadReason::CrossedOut | UnreadReason::SecondGame
        );
        unread.sheet == last && !no_move
    });
    read > 0.0 && read >= FOLLOWED * (read + unread.count() as f32)
}
