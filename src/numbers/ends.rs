//! Where a block ends by its printed numbers: rows that the table lost at its ends, and lines below it that are none.

use rayon::prelude::*;

use crate::geometry::{Point, Quad};
use crate::grid::{Block, NumberColumn, Row};
use crate::page::Page;

use super::network::Digits;
use super::strip;

/// Log-probability from which a row beyond a block's end has the number that would follow.
const READ: f32 = -1.0;
/// What a row's number may lack in nats before it speaks against the row.
const DOUBT: f32 = 2.0;
/// Nats that must speak against the last rows together for them to be left out; a single row cannot have them.
const NONE: f32 = 7.0;
/// Rows that may be laid beyond an end.
const MOST_BEYOND: usize = 3;
/// Most rows of a block.
const MOST_ROWS: usize = 40;

/// The block with the rows that its numbers tell of, and the number of its first one. `first` is that of the rows as they are,
/// `after` the last number before the block and `before` the first one behind it, as far as these are known.
pub fn settled(
    page: &Page,
    mut block: Block,
    mut first: i32,
    column: NumberColumn,
    (after, before): (i32, Option<i32>),
) -> (i32, Block) {
    let says = |row: &Row, number: i32| {
        Digits::read(&strip::cut(page, row, column)).map_or(0.0, |digits| digits.says(number))
    };
    let numbers: Vec<i32> = (first..).take(block.rows.len()).collect();
    let against: Vec<f32> = block
        .rows
        .par_iter()
        .zip(numbers)
        .map(|(row, number)| -says(row, number) - DOUBT)
        .collect();
    let mut sum = 0.0;
    let mut best = (NONE, block.rows.len());
    for (i, nats) in against.iter().enumerate().rev() {
        sum += nats;
        if sum > best.0 {
            best = (sum, i);
        }
    }
    block.rows.truncate(best.1);
    for _ in 0..MOST_BEYOND {
        let next = first + block.rows.len() as i32;
        let free = before.is_none_or(|before| next < before) && block.rows.len() < MOST_ROWS;
        let row = beyond(block.rows.iter().rev()).filter(|row| free && says(row, next) >= READ);
        let Some(row) = row else { break };
        block.rows.push(row);
    }
    for _ in 0..MOST_BEYOND {
        let free = first - 1 > after && block.rows.len() < MOST_ROWS;
        let row = beyond(block.rows.iter()).filter(|row| free && says(row, first - 1) >= READ);
        let Some(row) = row else { break };
        block.rows.insert(0, row);
        first -= 1;
    }
    (first, block)
}

/// The row that would come before the first of these, as far from it as it is from the second.
fn beyond<'a>(mut rows: impl Iterator<Item = &'a Row>) -> Option<Row> {
    let (end, inner) = (rows.next()?, rows.next()?);
    let quad = |of: fn(&Row) -> &Quad| {
        let (end, inner) = (of(end), of(inner));
        [0, 1, 2, 3].map(|i| {
            Point::new(
                2.0 * end[i].x - inner[i].x,
                2.0 * end[i].y - inner[i].y,
            )
        })
    };
    Some(Row {
        number: end.number,
        white: quad(|row| &row.white),
        black: quad(|row| &row.black),
    })
}
