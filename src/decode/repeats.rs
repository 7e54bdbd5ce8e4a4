//! Rows that a player wrote a second time right below.

use crate::ink::CellState;

use super::costs::Costs;
use super::record::SheetCell;

/// Largest number of rows that are written twice in one go.
const MAX_ROWS: usize = 6;

/// Misfit, in nats, of a cell that cannot be compared with another one.
const INCOMPARABLE_NATS: f32 = 11.0;

/// Lowers the cost of skipping the cells of rows that repeat as many rows right above them.
/// `texts` are those of the cells as classes of the alphabet, where it has them; rows begin at even
/// indices.
pub(super) fn mark_repeated_rows(
    cells: &mut [SheetCell],
    texts: &[Option<Vec<u16>>],
    costs: &Costs,
) {
    for rows in 1..=MAX_ROWS {
        let lag = 2 * rows;
        let end = (cells.len() + 1).saturating_sub(lag);
        for first in (lag..end).step_by(2) {
            let block = first..first + lag;
            if cells[block.clone()]
                .iter()
                .all(|cell| !cell.state.has_ink())
            {
                continue;
            }
            let Some(misfit) = mean_misfit(cells, texts, first, lag, costs) else {
                continue;
            };
            let skip = if rows == 2 {
                costs.skip_repeated_pair
            } else {
                costs.skip_repeated
            };
            for cell in &mut cells[block] {
                cell.skip_nats = cell.skip_nats.min(skip + misfit);
            }
        }
    }
}

/// How badly, in nats, `lag` cells repeat those before them on average; none where it is more than
/// repeated rows have.
fn mean_misfit(
    cells: &mut [SheetCell],
    texts: &[Option<Vec<u16>>],
    first: usize,
    lag: usize,
    costs: &Costs,
) -> Option<f32> {
    let max_sum = costs.max_repeat_misfit * lag as f32;
    let mut sum = 0.0;
    for at in first..first + lag {
        sum += misfit(cells, texts, at - lag, at);
        if sum > max_sum {
            return None;
        }
    }
    Some(sum / lag as f32)
}

/// How badly, in nats, two cells hold the same text: the likelier of the text of either in the
/// other.
fn misfit(
    cells: &mut [SheetCell],
    texts: &[Option<Vec<u16>>],
    earlier: usize,
    later: usize,
) -> f32 {
    if [earlier, later]
        .iter()
        .all(|&at| cells[at].state == CellState::Blank)
    {
        return 0.0;
    }
    let (Some(a), Some(b)) = (&texts[earlier], &texts[later]) else {
        return INCOMPARABLE_NATS;
    };
    let log_prob = cells[later].log_text(a).max(cells[earlier].log_text(b));
    (-log_prob).min(INCOMPARABLE_NATS)
}
