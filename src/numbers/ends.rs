//! Rows that a table lost at the ends of a block or has too many there, by the numbers printed beside them.

use crate::grid::{Block, MOST_ROWS, NumberColumn, Row, beyond};
use crate::ink;
use crate::page::Page;

use super::network::Digits;
use super::strip;

/// Log-probability from which a row beyond a block's end has the number that would follow.
const READ: f32 = -1.0;
/// Log-probability from which no number stands beside a row: small print that is not read seldom looks like bare paper.
const BARE: f32 = -0.5;
/// Nats by which that must be likelier than the row's number.
const BARER: f32 = 4.0;
/// Of so many rows one may have a number that is not seen, where others are left out for having none, or not read.
const FAINT: usize = 8;
/// Rows that may be laid beyond an end.
const MOST_BEYOND: usize = 12;

/// The block with the rows beyond its ends whose numbers can be read, and the number of its first one. `first` is that of the
/// rows as they are, `after` the last number before the block and `before` the first one behind it, as far as these are known.
pub fn completed(
    page: &Page,
    mut block: Block,
    mut first: i32,
    column: NumberColumn,
    (after, before): (i32, Option<i32>),
) -> (i32, Block) {
    let says = |row: &Row, number: i32| {
        let digits = Digits::read(&strip::cut(page, row, column));
        digits.map_or(0.0, |digits| digits.says(number))
    };
    for _ in 0..MOST_BEYOND {
        let next = first + block.rows.len() as i32;
        let free =
            before.is_none_or(|before| next < before) && (block.rows.len() as i32) < MOST_ROWS;
        let row = beyond(block.rows.iter().rev()).filter(|row| free && says(row, next) >= READ);
        let Some(row) = row else { break };
        block.rows.push(row);
    }
    for _ in 0..MOST_BEYOND {
        let free = first - 1 > after && (block.rows.len() as i32) < MOST_ROWS;
        let row = beyond(block.rows.iter()).filter(|row| free && says(row, first - 1) >= READ);
        let Some(row) = row else { break };
        block.rows.insert(0, row);
        first -= 1;
    }
    (first, block)
}

/// The block without the empty rows behind the last one whose number is read, where no number stands beside any of them:
/// shorter than its neighbour, or followed by a line that ends the table's foot. Rows below `before`, the first number behind the
/// block, are there, and faint print that is not seen beside its other rows either tells nothing; where these are read, it need
/// not look like bare paper either.
pub fn ended(
    page: &Page,
    mut block: Block,
    first: i32,
    column: NumberColumn,
    before: Option<i32>,
) -> Block {
    let look = |i: usize| {
        let digits = Digits::read(&strip::cut(page, &block.rows[i], column));
        digits.map_or((0.0, 0.0), |digits| {
            (digits.empty(), digits.says(first + i as i32))
        })
    };
    let read = |i: &usize| look(*i).1 >= READ;
    let all = block.rows.len();
    let kept = (0..all).rfind(read).map_or(0, |last| last + 1);
    let kept = kept.max(before.map_or(0, |before| (before - first).max(0) as usize));
    if kept == 0 || kept >= all {
        return block;
    }
    let barer = |i: usize| look(i).0 - look(i).1 >= BARER;
    let bare = |i: &usize| look(*i).0 >= BARE && barer(*i);
    let blank = |row: &Row| ink::are_blank(&page.luma, [row.white, row.black]);
    let few = |count: usize| count * FAINT <= kept;
    let legible = few((0..kept).filter(|i| !read(i)).count());
    let seen = few((0..kept).filter(bare).count());
    let none = |i: usize| (legible && barer(i) || seen && bare(&i)) && blank(&block.rows[i]);
    if (kept..all).all(none) {
        block.rows.truncate(kept);
    }
    block
}
