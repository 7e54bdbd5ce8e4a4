//! Which sheets record the same game, and how their cells lie side by side: by what is read, before any chess.
//!
//! Two copies hold the same moves in the same order but for slips, so their readings are aligned as strings are
//! (Needleman and Wunsch 1970), with a cell for a character. Rows skipped or doubled in one copy are gaps. One may be in
//! another language or notation than the other: `Pdxe5`, `de5` and `e4:Be5` have the square in common.

mod path;
mod written;

use rayon::prelude::*;

use self::path::{Pair, path};
use self::written::{Written, alike};
use crate::ink::CellState;
use crate::reader::Reading;

/// Cells by which one copy may lag behind the other: three rows skipped and as many doubled.
const BAND: usize = 12;
/// Gain a cell from which two sheets are of one game. Of the 14,878 pairs of 173 HCS pages, those of one game gain 0.21 and
/// more, all but one 0.35 and more, other pairs 0.14 and less.
const SAME_GAME: f32 = 0.17;
/// Gain a cell from which they are so beyond doubt: sheets that are hardly read have much in common with any other.
const SURELY: f32 = 0.35;
/// Mean likeness that the later half of the cells must keep, gaps counted as nothing: an opening may be common to
/// many games of a round.
const KEPT_UP: f32 = 0.4;
/// Sheets that differ by more cells than [`BAND`] are copies only where the shorter has at least this many: games
/// share their openings, and a player may stop writing when short of time.
const BEYOND_OPENINGS: usize = 40;
/// The same where the shorter is written to its last row: the form ended, not the game.
const BEYOND_THE_FORM: usize = 28;
/// Share of its cells that a sheet must have in common with another, a few cells up or down, to be compared at all: by their
/// texts, or by the squares that they name.
const IN_COMMON: f32 = 0.1;
const SQUARES_IN_COMMON: f32 = 0.4;

/// Signs that some players leave out; a line break is no part of a text.
const SIGNS: [char; 10] = ['+', '#', '=', '!', '?', '-', '.', ':', 'x', '\n'];

/// For each ply-like slot, the index of each copy's cell in it.
pub type Slots = Vec<Vec<Option<usize>>>;

/// What finding the copies of a sheet needs of it, in little memory: the texts of its cells with ink, without the
/// signs that some players leave out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gist {
    /// Each text with a line break behind it.
    lines: Box<str>,
    /// Whether the last row is written in.
    full: bool,
}

impl Gist {
    /// The gist of what was read on a sheet.
    pub fn of(sheet: &[Reading]) -> Self {
        let bare = |text: &str| text.replace(SIGNS, "") + "\n";
        let lines: String = written(sheet).map(|i| bare(&sheet[i].text)).collect();
        let last = sheet.last().map(|reading| reading.id.number);
        let in_last = |i: usize| Some(sheet[i].id.number) == last && !sheet[i].text.is_empty();
        Self {
            lines: lines.into(),
            full: written(sheet).any(in_last),
        }
    }

    /// The gist of a sheet and the one that continues it.
    #[must_use]
    pub fn and(&self, next: &Self) -> Self {
        Self {
            lines: [&*self.lines, &*next.lines].concat().into(),
            full: next.full,
        }
    }

    /// Whether what is written says that both are of one game.
    pub fn same_game(&self, other: &Self) -> bool {
        kinship(&self.moves(), &other.moves()) != Kinship::None
    }

    /// The cells in which something was read: that specks on two forms are no moves makes no game of them.
    fn moves(&self) -> Cells<'_> {
        let mut all = self.cells();
        all.cells.retain(|cell| !cell.text.is_empty());
        all
    }

    fn cells(&self) -> Cells<'_> {
        Cells {
            cells: self.lines.split_terminator('\n').map(Written::of).collect(),
            full: self.full,
        }
    }
}

/// What is compared of a sheet.
struct Cells<'a> {
    cells: Vec<Written<'a>>,
    full: bool,
}

/// What two sheets say of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kinship {
    None,
    Likely,
    Sure,
}

/// Groups sheets of the same game; each group and the groups themselves in the order of the sheets. Of two that are only likely
/// to be copies, `confirms` says whether they are.
pub fn group(sheets: &[&Gist], confirms: impl Fn(usize, usize) -> bool + Sync) -> Vec<Vec<usize>> {
    let cells: Vec<Cells> = sheets.iter().map(|sheet| sheet.moves()).collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for i in 0..cells.len() {
        let copies = |j: usize| match kinship(&cells[j], &cells[i]) {
            Kinship::None => false,
            Kinship::Likely => confirms(j, i),
            Kinship::Sure => true,
        };
        let home = groups
            .par_iter()
            .position_first(|group| group.iter().any(|&j| copies(j)));
        match home {
            Some(home) => groups[home].push(i),
            None => groups.push(vec![i]),
        }
    }
    groups
}

/// Lays the written cells of copies side by side. A single sheet keeps its blank cells, each cell a slot.
pub fn align(copies: &[&[Reading]]) -> Slots {
    if let [only] = copies {
        return (0..only.len()).map(|i| vec![Some(i)]).collect();
    }
    let gists: Vec<Gist> = copies.iter().map(|copy| Gist::of(copy)).collect();
    let mut slots: Slots = Vec::new();
    let mut heard: Vec<Vec<Written>> = Vec::new();
    for (n, copy) in copies.iter().enumerate() {
        let written: Vec<usize> = written(copy).collect();
        let cells = gists[n].cells().cells;
        let likeness = |a: usize, b: usize| {
            let known = heard[a].iter().map(|cell| alike(cell, &cells[b]));
            known.fold(0.0, f32::max)
        };
        let both = (heard.len(), cells.len());
        let path = path(both, BAND.max(both.0.abs_diff(both.1)), likeness).1;
        let (mut laid, mut said) = (Slots::new(), Vec::new());
        for (a, b) in path {
            let mut slot = a.map_or_else(|| vec![None; n], |a| slots[a].clone());
            let mut here = a.map_or_else(Vec::new, |a| heard[a].clone());
            slot.push(b.map(|b| written[b]));
            here.extend(b.map(|b| cells[b]));
            laid.push(slot);
            said.push(here);
        }
        (slots, heard) = (laid, said);
    }
    slots
}

/// Indices of the cells with ink.
fn written(sheet: &[Reading]) -> impl Iterator<Item = usize> + '_ {
    (0..sheet.len()).filter(|&i| sheet[i].state != CellState::Blank)
}

fn kinship(a: &Cells, b: &Cells) -> Kinship {
    let shorter = if a.cells.len() <= b.cells.len() { a } else { b };
    let enough = if shorter.full {
        BEYOND_THE_FORM
    } else {
        BEYOND_OPENINGS
    };
    let shorter = shorter.cells.len();
    let (a, b) = (&a.cells, &b.cells);
    if shorter == 0 || a.len().abs_diff(b.len()) > BAND && shorter < enough {
        return Kinship::None;
    }
    let share = |same: fn(&Written, &Written) -> bool| {
        let near = |i: usize| {
            let near = b.get(i.saturating_sub(2)..b.len().min(i + 3));
            near.is_some_and(|near| near.iter().any(|other| same(&a[i], other)))
        };
        (0..a.len()).filter(|&i| near(i)).count() as f32 / shorter as f32
    };
    let compared = share(|a, b| a.text == b.text) >= IN_COMMON
        || share(|a, b| a.same_square(b)) >= SQUARES_IN_COMMON;
    if !compared {
        return Kinship::None;
    }
    let likeness = |i: usize, j: usize| alike(&a[i], &b[j]);
    let (gain, pairs) = path((a.len(), b.len()), BAND, likeness);
    let both = pairs.iter().rposition(|p| p.0.is_some() && p.1.is_some());
    let later = &pairs[both.map_or(0, |last| last.div_ceil(2))..both.map_or(0, |last| last + 1)];
    let of_pair = |&(i, j): &Pair| i.zip(j).map_or(0.0, |(i, j)| likeness(i, j));
    let kept_up = later.iter().map(of_pair).sum::<f32>() >= KEPT_UP * later.len() as f32;
    let gain = gain / shorter as f32;
    if gain < SAME_GAME || !kept_up {
        Kinship::None
    } else if gain < SURELY {
        Kinship::Likely
    } else {
        Kinship::Sure
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::grid::Side;
    use crate::scan::tests::{cell, reading};

    fn sheet(texts: &str) -> Vec<Reading> {
        let side = |i: usize| {
            if i.is_multiple_of(2) {
                Side::White
            } else {
                Side::Black
            }
        };
        let one = |(i, text)| {
            let mut r = reading(cell(i as u32 / 2 + 1, side(i)), text);
            if text == "_" {
                (r.state, r.text) = (CellState::Blank, String::new());
            }
            r
        };
        texts.split(' ').enumerate().map(one).collect()
    }

    /// The slots as pairs of texts.
    fn side_by_side(a: &str, b: &str) -> Vec<String> {
        let (a, b) = (sheet(a), sheet(b));
        let text =
            |s: &[Reading], i: Option<usize>| i.map_or("-".to_owned(), |i| s[i].text.clone());
        let slots = align(&[&a, &b]);
        slots
            .iter()
            .map(|s| format!("{}/{}", text(&a, s[0]), text(&b, s[1])))
            .collect()
    }

    #[test]
    fn a_move_left_out_of_one_copy_is_a_gap() {
        assert_eq!(
            side_by_side("e4 e5 Nf3 Nc6 Bb5 a6", "e4 e5 Cf3 Bb5 a6"),
            ["e4/e4", "e5/e5", "Nf3/Cf3", "Nc6/-", "Bb5/Bb5", "a6/a6"]
        );
    }

    #[test]
    fn blank_cells_are_no_gap() {
        assert_eq!(
            side_by_side("e4 e5 _ _ Nf3 Nc6", "e4 e5 Nf3 Nc6"),
            ["e4/e4", "e5/e5", "Nf3/Nf3", "Nc6/Nc6"]
        );
    }

    #[test]
    fn copies_are_told_from_games_that_share_an_opening() {
        let opening = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 ";
        let one = opening.to_owned()
            + "Be3 e5 Nb3 Be6 f3 Be7 Qd2 O-O O-O-O Nbd7 g4 b5 g5 b4 Ne2 Ne8 f4 a5";
        let copy = opening.to_owned()
            + "Be3 e5 Nb3 Bc6 f3 Be7 Qd2 O-O 0-0-0 Nd7 94 b5 g5 h4 Ne2 Ne8 f4 a5";
        let other = opening.to_owned()
            + "Bg5 e6 f4 Qb6 Qd2 Qxb2 Rb1 Qa3 e5 h6 Bh4 dxe5 fxe5 Nfd7 Ne4 Qxa2 Rd1 Qd5";
        let sheets = [sheet(&one), sheet(&other), sheet(&copy)];
        let gists = sheets.map(|sheet| Gist::of(&sheet));
        let all: Vec<&Gist> = gists.iter().collect();
        assert_eq!(group(&all, |_, _| true), [vec![0, 2], vec![1]]);
    }

    #[test]
    fn of_sheets_that_are_hardly_read_the_games_decide() {
        let game = sheet(
            "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5 Nb3 Be6 f3 Be7 Qd2 O-O O-O-O Nbd7 g4 b5",
        );
        let hardly =
            sheet("ey c5 Nt3 db d4 cxdy Nx Nf6 NcJ ab Be3 eJ Nb3 Beb fJ Be7 Qd OD O-O-O Wb g4 bJ");
        let gists = [Gist::of(&game), Gist::of(&hardly)];
        let all: Vec<&Gist> = gists.iter().collect();
        let asked = AtomicUsize::new(0);
        let decide = |same: bool| {
            group(&all, |a, b| {
                assert_eq!((a, b), (0, 1));
                asked.fetch_add(1, Ordering::Relaxed);
                same
            })
        };
        assert_eq!(decide(true), [vec![0, 1]]);
        assert_eq!(decide(false), [vec![0], vec![1]]);
        assert_eq!(asked.into_inner(), 2);
    }

    #[test]
    fn a_form_that_was_too_short_for_the_game_is_a_copy() {
        let begun = "d4 e6 c4 d5 Nc3 Bb4 Nf3 Ne7 Qc2 dxc4 e3 b5 a4 c6 Qe4 Nd5 Bd2 Bxc3 bxc3 O-O Be2 f5 Qc2 Nd7 O-O Bb7 Rfb1 a6 Bxc4 Qc7";
        let whole = sheet(&format!(
            "{begun} Ba2 Nf6 Rb2 Ne4 Rab1 Rab8 c4 bxc4 Bxc4 Nxd2 Qxd2 Ba8 Rxb8 Rxb8"
        ));
        let (full, stopped) = (sheet(begun), sheet(&format!("{begun} _ _ _ _")));
        let gists = [whole, full, stopped].map(|sheet| Gist::of(&sheet));
        assert!(gists[0].same_game(&gists[1]));
        assert!(!gists[0].same_game(&gists[2]));
    }

    #[test]
    fn copies_may_be_in_different_notations() {
        let short =
            sheet("e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O Bg4 d4 exd4 Qxd4 Qxd4 Nxd4 c5 Nb3 f6");
        let long = sheet(
            "e2-e4 e7-e5 Cg1f3 Cb8c6 Bf1-b5 a7-a6 Bb5c6: d7c6: O-O Bc8g4 d2-d4 e5:d4 Dd1:d4 Dd8:d4 Cf3d4: c6-c5 Cd4b3 f7f6",
        );
        let other = sheet(
            "e2-e4 e7-e6 d2-d4 d7-d5 Cb1c3 Bf8b4 e4-e5 c7-c5 a2-a3 Bb4c3: b2c3: Cg8e7 Dd1g4 Dd8c7 Dg4g7: Th8g8 Dg7h7: c5d4:",
        );
        let gists = [short, other, long].map(|sheet| Gist::of(&sheet));
        let all: Vec<&Gist> = gists.iter().collect();
        assert_eq!(group(&all, |_, _| true), [vec![0, 2], vec![1]]);
    }

    #[test]
    fn specks_in_empty_rows_make_no_copies() {
        let game = "d4 Nf6 Bg5 e6 e4 h6 Bxf6 Qxf6 Nf3 d6 Bd3 Nd7 O-O g6 Re1 Bg7 e5 Qe7 Nc3 dxe5 dxe5 O-O Qe2 Nc5";
        let other = "e4 e5 Nc3 Nf6 a3 Nc6 Nf3 Bc5 Bb5 Nd4 Bd3 O-O O-O Re8 h3 c6 Re1 d5 b4 Nxf3 Qxf3 Bd4 g4 h5";
        let specked = |moves: &str| {
            let mut readings = sheet(&format!("{moves}{}", " ?".repeat(60)));
            for reading in &mut readings {
                if reading.text == "?" {
                    reading.text.clear();
                }
            }
            Gist::of(&readings)
        };
        assert!(!specked(game).same_game(&specked(other)));
        assert!(specked(game).same_game(&Gist::of(&sheet(game))));
    }

    #[test]
    fn sheets_without_writing_are_no_copies() {
        let (a, b) = (Gist::of(&sheet("_ _")), Gist::of(&sheet("_ _")));
        assert_eq!(group(&[&a, &b], |_, _| true), [vec![0], vec![1]]);
    }
}
