//! The printed move numbers: what the rows of a table are called.
//!
//! No single number is believed. The numbers of a block rise by one a row, so that some rows of it say together which
//! is the first, even where each is read with doubt; where they do not say it clearly, rows are counted as before.

mod ends;
mod network;
mod strip;

use rayon::prelude::*;

use crate::grid::{Block, Grid, NumberColumn, Row};
use crate::ink;
use crate::page::Page;

use network::Digits;

/// First numbers of a block that are thought of: a row or two above the first may have been taken for one.
const FIRST: std::ops::RangeInclusive<i32> = -1..=121;
/// Nats by which the first number must be likelier than any other.
const CLEAR: f32 = 10.0;
/// Nats that a row's number may lack before it speaks against it.
const DOUBT: f32 = 2.0;
/// Rows by which blocks may run into each other: a heading or a line below the table was taken for one.
const OVERLAP: i32 = 3;
/// Mean log-probability of a block's numbers from which they are legible, and below which there are none.
const LEGIBLE: f32 = -1.0;
/// See [`LEGIBLE`].
const UNNUMBERED: f32 = -4.0;
/// Rows that may be lost above a block.
const LOST: i32 = 10;

/// Where the numbers of a block may stand.
const COLUMNS: [NumberColumn; 3] = [
    NumberColumn::Left,
    NumberColumn::Right,
    NumberColumn::Between,
];

/// A table, and how clear its printed numbers are.
pub struct Named {
    /// The table with its rows called by the printed numbers and its blocks in their order.
    pub grid: Grid,
    /// Nats by which the numbers are likelier than any others, over all blocks; 0 where they are not clear.
    pub clear: f32,
}

/// The table by its printed numbers, as far as these are clear and agree with each other: a row too many above or below a block
/// is left out, one that was lost there is laid. Otherwise the table as it is.
pub fn named(page: &Page, grid: Grid) -> Named {
    let found = printed(page, &grid).and_then(|(clear, column, firsts)| {
        let grid = arranged(page, &grid, column, &firsts)?;
        Some(Named { grid, clear })
    });
    found.unwrap_or(Named { grid, clear: 0.0 })
}

/// What the rows of a block say of its first number.
struct First {
    number: i32,
    /// Nats by which it is likelier than any other.
    margin: f32,
    clear: bool,
}

/// How clear the numbers are in nats, where they stand, and the first one of each block as far as it is clear; None where no
/// block's is. What the rulings say is looked at first: a column of times may have been taken for that of the numbers.
fn printed(page: &Page, grid: &Grid) -> Option<(f32, NumberColumn, Vec<Option<i32>>)> {
    let told = grid.blocks.first()?.number_column;
    let mut columns = COLUMNS.to_vec();
    columns.sort_by_key(|&column| column != told);
    let mut best: Option<(f32, NumberColumn, Vec<Option<i32>>)> = None;
    for column in columns {
        // Beside a block without numbers stand those of its neighbour.
        let read = grid.blocks.iter().map(|block| first(page, block, column));
        let Some(mut read) = read.collect::<Option<Vec<First>>>() else {
            continue;
        };
        follow(&mut read, grid.blocks.iter().map(|block| block.rows.len()));
        let clear = read.iter().filter(|first| first.clear);
        let sum: f32 = clear.map(|first| first.margin).sum();
        if sum > best.as_ref().map_or(0.0, |b| b.0) {
            let number = |first: &First| first.clear.then_some(first.number);
            best = Some((sum, column, read.iter().map(number).collect()));
        }
        if read.iter().all(|first| first.clear) {
            break;
        }
    }
    best
}

/// The likeliest first number of a block; None where it rather has no numbers. Of the rows the run counts that speaks for
/// it most: below the table there are lines too, and a shadow or a hand may hide some.
fn first(page: &Page, block: &Block, column: NumberColumn) -> Option<First> {
    let read: Vec<Digits> = block
        .rows
        .par_iter()
        .map(|row| Digits::read(&strip::cut(page, row, column)))
        .collect::<Option<_>>()?;
    let score = |first: i32| {
        let mut sum = 0.0f32;
        let runs = read.iter().zip(first..).map(|(digits, number)| {
            sum = sum.max(0.0) + digits.says(number) + DOUBT;
            sum
        });
        runs.fold(0.0, f32::max)
    };
    let mut scores: Vec<(f32, i32)> = FIRST.map(|first| (score(first), first)).collect();
    scores.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let (best, number) = *scores.first()?;
    let margin = best - scores.get(1)?.0;
    (best > 0.0).then_some(First {
        number,
        margin,
        clear: margin >= CLEAR,
    })
}

/// A doubted first number that goes on from a clear one, so many rows behind it, is clear.
fn follow(firsts: &mut [First], rows: impl Iterator<Item = usize>) {
    let mut next = None;
    for (first, rows) in firsts.iter_mut().zip(rows) {
        first.clear |= next == Some(first.number);
        next = first.clear.then_some(first.number + rows as i32);
    }
}

/// The table with these first numbers; None where they contradict each other.
fn arranged(
    page: &Page,
    grid: &Grid,
    column: NumberColumn,
    firsts: &[Option<i32>],
) -> Option<Grid> {
    let (grid, firsts) = &believed(page, grid, column, firsts);
    let mut blocks: Vec<(i32, Block)> = Vec::with_capacity(grid.blocks.len());
    let rows = |i: usize| grid.blocks[i].rows.len() as i32;
    for i in 0..grid.blocks.len() {
        // A block whose numbers are not clear goes on from the one before it, or leads to the one behind it.
        let first = match (firsts[i], blocks.last()) {
            (Some(first), _) => first,
            (None, Some((before, block))) => before + block.rows.len() as i32,
            (None, None) => {
                let known = firsts.iter().position(Option::is_some)?;
                let first = firsts[known]? - (0..known).map(rows).sum::<i32>();
                // A row lost at its foot is no row lost at its head.
                if first > LOST { first } else { 1 }
            }
        };
        blocks.push((first, grid.blocks[i].clone()));
    }
    if firsts.iter().all(Option::is_some) && !blocks.is_sorted_by_key(|b| b.0) {
        blocks.sort_by_key(|b| b.0);
        // Blocks out of their order are believed where each goes on from another: `01` may be read as 61.
        let next = |pair: &[(i32, Block)]| pair[0].0 + pair[0].1.rows.len() as i32 - pair[1].0;
        let on = |pair: &[(i32, Block)]| next(pair).abs() <= OVERLAP;
        blocks.windows(2).all(on).then_some(())?;
    }
    for (first, block) in &mut blocks {
        let above = (1 - *first).clamp(0, block.rows.len() as i32);
        block.rows.drain(..above as usize);
        *first += above;
    }
    for i in (0..blocks.len()).filter(|&i| firsts[i].is_some()) {
        let last = |b: &(i32, Block)| b.0 + b.1.rows.len() as i32 - 1;
        let after = i.checked_sub(1).map_or(0, |i| last(&blocks[i]));
        let before = blocks.get(i + 1).map(|b| b.0);
        let (first, block) = blocks[i].clone();
        let told = before.filter(|_| firsts[i + 1].is_some());
        let block = ends::ended(page, block, first, column, told);
        blocks[i] = ends::completed(page, block, first, column, (after, before));
    }
    for (i, first) in firsts.iter().enumerate().skip(1) {
        let (before, after) = blocks.split_at_mut(i);
        let (before, after) = (before.last_mut()?, after.first_mut()?);
        let over = before.0 + before.1.rows.len() as i32 - after.0;
        if over > 0 {
            (first.is_some() && over <= OVERLAP).then_some(())?;
            part(page, before, after, over as usize, column)?;
        }
    }
    for (first, block) in &mut blocks {
        for (row, number) in block.rows.iter_mut().zip(*first..) {
            row.number = u32::try_from(number).ok()?;
        }
    }
    Some(Grid {
        blocks: blocks.into_iter().map(|b| b.1).collect(),
        ..grid.clone()
    })
}

/// The table without an empty block that has no numbers where all others are numbered legibly, and the first numbers of those.
fn believed(
    page: &Page,
    grid: &Grid,
    column: NumberColumn,
    firsts: &[Option<i32>],
) -> (Grid, Vec<Option<i32>>) {
    let says = |block: &Block, first: i32| {
        let numbered = block.rows.iter().zip(first..=Digits::LAST);
        let said = numbered.map(|(row, number)| {
            let digits = Digits::read(&strip::cut(page, row, column));
            digits.map_or(0.0, |digits| digits.says(number))
        });
        let said: Vec<f32> = said.collect();
        said.iter().sum::<f32>() / said.len().max(1) as f32
    };
    let blank = |block: &Block| {
        let rows = block.rows.iter().map(|row| [row.white, row.black]);
        ink::are_mostly_blank(&page.luma, rows)
    };
    let numbered = grid.blocks.iter().zip(firsts);
    let legible = || {
        let mut known = numbered.clone();
        known.all(|(block, first)| first.is_none_or(|first| says(block, first) >= LEGIBLE))
    };
    let mut next = 1;
    let kept = numbered.clone().filter(|(block, first)| {
        let stranger =
            first.is_none() && says(block, next) < UNNUMBERED && blank(block) && legible();
        next = first.unwrap_or(next) + block.rows.len() as i32;
        !stranger
    });
    let (blocks, firsts) = kept.map(|(block, first)| (block.clone(), *first)).unzip();
    (
        Grid {
            blocks,
            ..grid.clone()
        },
        firsts,
    )
}

/// Leaves out the rows by which a block runs into the next one, at its end or at the other's beginning; None where
/// nothing would be left.
fn part(
    page: &Page,
    before: &mut (i32, Block),
    after: &mut (i32, Block),
    over: usize,
    column: NumberColumn,
) -> Option<()> {
    let (a, b) = (before.1.rows.len(), after.1.rows.len());
    if over >= a || over >= b {
        return None;
    }
    let numbered = |rows: &[Row]| -> f32 {
        let of_row = |(row, number)| {
            let digits = Digits::read(&strip::cut(page, row, column));
            digits.map_or(0.0, |digits| digits.says(number) - digits.empty())
        };
        rows.iter().zip(after.0..).map(of_row).sum()
    };
    if numbered(&before.1.rows[a - over..]) < numbered(&after.1.rows[..over]) {
        before.1.rows.truncate(a - over);
    } else {
        after.1.rows.drain(..over);
        after.0 += over as i32;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use image::GrayImage;

    use super::*;
    use crate::geometry::Point;

    /// Two blocks of ten rows side by side, counted from 1, with these printed first numbers; the first number of each
    /// block afterwards, from the left.
    fn told(firsts: [i32; 2]) -> Option<Vec<u32>> {
        let row = |left: f64, number: u32| {
            let top = 20.0 * f64::from(number);
            let quad = |left: f64| {
                let corners = [(left, top), (left + 50.0, top)];
                let lower = [(left + 50.0, top + 20.0), (left, top + 20.0)];
                [corners[0], corners[1], lower[0], lower[1]].map(|(x, y)| Point::new(x, y))
            };
            Row {
                number,
                white: quad(left),
                black: quad(left + 50.0),
            }
        };
        let block = |left: f64| Block {
            rows: (1..=10).map(|n| row(left, n)).collect(),
            number_column: NumberColumn::Left,
        };
        let grid = Grid {
            blocks: vec![block(100.0), block(300.0)],
            ..Grid::default()
        };
        let page = Page::new("a.png".into(), 1, String::new(), GrayImage::new(500, 300));
        let found = arranged(&page, &grid, NumberColumn::Left, &firsts.map(Some))?;
        let mut blocks = found.blocks;
        blocks.sort_by(|a, b| a.rows[0].white[0].x.total_cmp(&b.rows[0].white[0].x));
        Some(blocks.iter().map(|block| block.rows[0].number).collect())
    }

    #[test]
    fn a_doubted_number_is_clear_where_it_goes_on_from_the_block_before() {
        let clear = |numbers: [i32; 3]| {
            let mut firsts = numbers.map(|number| First {
                number,
                margin: 0.0,
                clear: number == 1,
            });
            follow(&mut firsts, [10, 10, 10].into_iter());
            firsts.map(|first| first.clear)
        };
        assert_eq!(clear([1, 11, 21]), [true, true, true]);
        assert_eq!(clear([1, 12, 22]), [true, false, false]);
        assert_eq!(clear([31, 41, 51]), [false, false, false]);
    }

    #[test]
    fn blocks_out_of_their_order_are_believed_where_each_follows_on_another() {
        assert_eq!(told([11, 1]), Some(vec![11, 1]));
        assert_eq!(told([1, 31]), Some(vec![1, 31]));
        // `01` read as 61, left of 11.
        assert_eq!(told([61, 11]), None);
    }
}
