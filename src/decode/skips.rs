//! Rows that are no rows of the game: left empty, or written a second time right below. Their cells
//! cost less to skip than others.

use crate::ink::CellState;

use super::costs::Costs;
use super::sheet_cell::SheetCell;

/// Largest number of rows that are written twice in one go.
const MAX_ROWS: usize = 6;

/// Misfit, in nats, of a cell that cannot be compared with another one.
const INCOMPARABLE_NATS: f32 = 11.0;

/// Lowers the cost of skipping the cells of rows left empty and of rows written twice.
pub(super) fn lower_skip_costs(cells: &mut [SheetCell], costs: &Costs) {
    lower_empty_rows(cells, costs);
    let count = cells.len();
    let misfit = |earlier, later| repeat_misfit(cells, earlier, later);
    let repeated = find_repeated_rows(count, misfit, costs);
    for (cell, nats) in cells.iter_mut().zip(repeated) {
        cell.skip_nats = cell.skip_nats.min(nats.unwrap_or(f32::INFINITY));
    }
}

/// Lowers the cost of skipping whole rows that are empty.
fn lower_empty_rows(cells: &mut [SheetCell], costs: &Costs) {
    let mut is_above_empty = false;
    for row in cells.chunks_mut(2) {
        let is_empty = row.iter().all(|cell| cell.state == CellState::Blank);
        if is_empty {
            let nats = if is_above_empty {
                costs.skip_blank_next
            } else {
                costs.skip_blank_row
            };
            row.iter_mut().for_each(|cell| cell.skip_nats = nats);
        }
        is_above_empty = is_empty;
    }
}

/// The cost, in nats, of skipping each of `cells` cells whose row repeats the one above, or some
/// rows as many above them; none for all others. Rows begin at even indices.
///
/// `misfit` tells how badly, in nats, the cell of its second index repeats that of its first one;
/// none where both are blank.
fn find_repeated_rows(
    cells: usize,
    mut misfit: impl FnMut(usize, usize) -> Option<f32>,
    costs: &Costs,
) -> Vec<Option<f32>> {
    let mut skip_nats: Vec<Option<f32>> = vec![None; cells];
    for rows in 1..=MAX_ROWS {
        let lag = 2 * rows;
        let skip = if rows == 2 {
            costs.skip_repeated_pair
        } else {
            costs.skip_repeated
        };
        let end = (cells + 1).saturating_sub(lag);
        for first in (lag..end).step_by(2) {
            let block = first..first + lag;
            let max_sum = costs.max_repeat_misfit * lag as f32;
            let Some(sum) = sum_misfits(block.clone(), lag, max_sum, &mut misfit) else {
                continue;
            };
            let nats = skip + sum / lag as f32;
            for known in &mut skip_nats[block] {
                *known = Some(known.map_or(nats, |known| known.min(nats)));
            }
        }
    }
    skip_nats
}

/// The sum of the misfits of some cells with those `lag` before them; none where it is more than
/// `max_sum` or all are blank.
fn sum_misfits(
    cells: std::ops::Range<usize>,
    lag: usize,
    max_sum: f32,
    misfit: &mut impl FnMut(usize, usize) -> Option<f32>,
) -> Option<f32> {
    let mut sum = None;
    for at in cells {
        if let Some(nats) = misfit(at - lag, at) {
            let so_far = sum.unwrap_or(0.0) + nats;
            if so_far > max_sum {
                return None;
            }
            sum = Some(so_far);
        }
    }
    sum
}

/// How badly, in nats, two cells hold the same text: the likelier of the text of either in the
/// other; none where both are blank. Ticks and strokes repeat themselves and are no rows written
/// twice, so that a cell that does not read like a move repeats no other.
fn repeat_misfit(cells: &mut [SheetCell], earlier: usize, later: usize) -> Option<f32> {
    let (above, from) = cells.split_at_mut(later);
    let (earlier, later) = (&mut above[earlier], &mut from[0]);
    if [&*earlier, &*later]
        .iter()
        .all(|cell| cell.state == CellState::Blank)
    {
        return None;
    }
    let misfit = earlier
        .log_move_text_of(later)
        .max(later.log_move_text_of(earlier));
    Some((-misfit).min(INCOMPARABLE_NATS))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which cells of a sheet with these texts repeat others. Texts that differ in one character
    /// have a misfit of 7 nats, as where the reader is sure of it, and all others the largest.
    fn repeated(texts: &str) -> Vec<usize> {
        let texts: Vec<&str> = texts.split(' ').collect();
        let misfit = |a: usize, b: usize| {
            let (a, b) = (texts[a], texts[b]);
            let differing = a.chars().zip(b.chars()).filter(|(a, b)| a != b).count();
            match (a, b) {
                ("-", "-") => None,
                _ if a == b => Some(0.0),
                _ if a.len() == b.len() && differing == 1 => Some(7.0),
                _ => Some(INCOMPARABLE_NATS),
            }
        };
        let skips = find_repeated_rows(texts.len(), misfit, &Costs::default());
        (0..texts.len()).filter(|&at| skips[at].is_some()).collect()
    }

    #[test]
    fn rows_that_repeat_as_many_above_them_are_found() {
        assert_eq!(repeated("e4 e5 Nf3 Nc6 Nf3 Nc6 Bb5 a6"), [4, 5]);
        let two_rows = "e4 e5 Nf3 Nc6 e4 e5 Nf3 Nc6 Bb5 a6";
        assert_eq!(repeated(two_rows), [4, 5, 6, 7]);
        assert_eq!(repeated("e4 e5 Nf3 Nc6 Nf3 d6 Bb5 a6"), [0; 0]);
        assert_eq!(repeated("e4 e5 - - - - Nf3 Nc6"), [0; 0]);
    }

    #[test]
    fn one_misread_character_in_a_row_does_not_hide_that_it_repeats_another() {
        assert_eq!(repeated("e4 e5 Nf3 Nc6 Nf3 Nc5 Bb5 a6"), [4, 5]);
        assert_eq!(repeated("e4 e5 Nf3 Nc6 Nc3 Nc5 Bb5 a6"), [0; 0]);
    }
}
