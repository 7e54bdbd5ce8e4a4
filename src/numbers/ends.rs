//! Rows at the ends of a block: those that were missed and those that are none, by the numbers
//! printed beside them.

use std::cell::OnceCell;

use super::NumberReader;
use super::block::NumberedBlock;
use crate::geometry::Quad;
use crate::grid::{MAX_ROWS, NumberColumn, Row};
use crate::ink;

/// Adds the rows beyond both ends of a block whose numbers can be read. `last_before` is the last
/// number before the block, and `first_behind` the first number behind it, if there is a block.
pub fn extend_numbered_rows(
    reader: &NumberReader,
    NumberedBlock { first, block }: &mut NumberedBlock,
    column: NumberColumn,
    (last_before, first_behind): (i32, Option<i32>),
) {
    let parameters = reader.parameters;
    let is_read =
        |row: &Row, number: i32| reader.log_prob(row, column, number) >= parameters.min_read_nats;
    for _ in 0..parameters.max_added_rows {
        let next = *first + block.rows.len() as i32;
        let free = first_behind.is_none_or(|behind| next < behind) && block.rows.len() < MAX_ROWS;
        let row = extrapolate_row(block.rows.iter().rev());
        let Some(row) = row.filter(|row| free && is_read(row, next)) else {
            break;
        };
        block.rows.push(row);
    }
    for _ in 0..parameters.max_added_rows {
        let free = *first - 1 > last_before && block.rows.len() < MAX_ROWS;
        let row = extrapolate_row(block.rows.iter());
        let Some(row) = row.filter(|row| free && is_read(row, *first - 1)) else {
            break;
        };
        block.rows.insert(0, row);
        *first -= 1;
    }
}

/// Drops the blank rows without printed numbers at the end of a block: the block is shorter than
/// its neighbour, or a line below the table was taken for a row.
///
/// Rows below `first_behind`, the first number of the next block where it is certain, stay. So do
/// all rows of a block of which many numbers are too faint to be seen. Where nearly all of the
/// other numbers are read, it is enough that "no number" is clearly likelier than the number; else
/// "no number" must be likely by itself.
pub fn trim_unnumbered_rows(
    reader: &NumberReader,
    NumberedBlock { first, block }: &mut NumberedBlock,
    column: NumberColumn,
    first_behind: Option<i32>,
) {
    let first = *first;
    let parameters = reader.parameters;
    let all = block.rows.len();
    let known = vec![OnceCell::new(); all];
    // Log-probabilities that no number stands beside row i, and that its number does.
    let read = |i: usize| {
        *known[i].get_or_init(|| {
            let posterior = reader.read(&block.rows[i], column);
            posterior.map_or((0.0, 0.0), |p| {
                (p.log_prob_of_none(), p.log_prob(first + i as i32))
            })
        })
    };
    let is_read = |i: &usize| read(*i).1 >= parameters.min_read_nats;
    let kept = (0..all).rfind(is_read).map_or(0, |last| last + 1);
    let kept = kept.max(first_behind.map_or(0, |behind| (behind - first).max(0) as usize));
    if kept == 0 || kept >= all {
        return;
    }
    let is_rather_bare = |i: usize| {
        let (none, number) = read(i);
        none - number >= parameters.min_bare_margin_nats
    };
    let is_bare = |i: &usize| read(*i).0 >= parameters.min_bare_nats && is_rather_bare(*i);
    let is_blank = |row: &Row| ink::are_blank(&reader.page.luma, [row.white, row.black]);
    let are_few = |count: usize| count * parameters.rows_per_exception <= kept;
    let most_are_read = are_few((0..kept).filter(|i| !is_read(i)).count());
    let most_are_seen = are_few((0..kept).filter(is_bare).count());
    let is_none = |i: usize| {
        (most_are_read && is_rather_bare(i) || most_are_seen && is_bare(&i))
            && is_blank(&block.rows[i])
    };
    let last = (kept..all).rfind(|&i| !is_none(i));
    block.rows.truncate(last.map_or(kept, |last| last + 1));
}

/// The row that would stand before the first of these rows, as far from it as it is from the
/// second; None where there are not two rows.
fn extrapolate_row<'a>(mut rows: impl Iterator<Item = &'a Row>) -> Option<Row> {
    let (end, inner) = (rows.next()?, rows.next()?);
    let quad = |of: fn(&Row) -> &Quad| {
        let (end, inner) = (of(end), of(inner));
        [0, 1, 2, 3].map(|i| inner[i].towards(end[i], 2.0))
    };
    Some(Row {
        number: end.number,
        white: quad(|row| &row.white),
        black: quad(|row| &row.black),
    })
}
