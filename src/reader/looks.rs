//! The posteriors of a sheet's cells, those that leave doubts from more than one look.
//!
//! A cell that the model is not sure of at a glance is looked at by its more careful means. Players write across the lines, above or
//! below them, and a whole sheet in the same way: what leaves doubts then is looked at higher up and lower down too, and the
//! height counts at which it is clearest, and the sheet's other doubtful cells with it.

use rayon::prelude::*;

use crate::cell::{Cell, CellState, REACH};

use super::{Model, ModelError, Posteriors};

/// Best paths less likely than this, e^-0.1, are looked at carefully.
const GLANCED: f32 = -0.1;
/// Best paths less likely than this, e^-0.3, are looked at again at other heights.
const SURE: f32 = -0.3;
/// Rows by which a doubtful patch is taken lower down.
const HEIGHTS: [i32; 3] = [0, -(REACH as i32), REACH as i32];
/// Nats that a row off the line must be worth.
const OFF_THE_LINE: f32 = 0.1;
/// Weight of what the sheet's doubtful cells have on average at a height, beside the cell's own.
const SHEET: f32 = 3.0;
/// Best paths less likely than this say nothing more about a sheet's height.
const NOT_READ: f32 = -3.0;

/// Log-posteriors of the cells, in their order; none for those that are blank by their ink.
///
/// # Errors
/// [`ModelError`] of the first cell on which the model fails.
pub(super) fn posteriors(
    model: &dyn Model,
    cells: &[Cell],
) -> Result<Vec<Option<Posteriors>>, ModelError> {
    let first = |cell: &Cell| match cell.state {
        CellState::Blank => Ok(None),
        CellState::Written | CellState::StruckOut => {
            let patch = cell.patch(0);
            let glance = model.log_posteriors(&patch)?;
            if glance.best_path() >= GLANCED {
                return Ok(Some(glance));
            }
            model.careful_log_posteriors(&patch).map(Some)
        }
    };
    let mut read: Vec<Option<Posteriors>> =
        cells.par_iter().map(first).collect::<Result<_, _>>()?;
    let doubtful: Vec<usize> = (0..cells.len())
        .filter(|&i| read[i].as_ref().is_some_and(is_doubtful))
        .collect();
    let at_heights = |&i: &usize| {
        let further = HEIGHTS[1..].iter();
        let further = further.map(|&rows| model.careful_log_posteriors(&cells[i].patch(rows)));
        read[i].clone().map(Ok).into_iter().chain(further).collect()
    };
    let at_heights: Vec<Vec<Posteriors>> = doubtful
        .par_iter()
        .map(at_heights)
        .collect::<Result<_, _>>()?;
    let sheet: Vec<f32> = (0..HEIGHTS.len())
        .map(|height| {
            let paths = at_heights.iter().map(|looks| looks[height].best_path());
            let paths = paths.map(|path| path.max(NOT_READ));
            paths.sum::<f32>() / at_heights.len() as f32
        })
        .collect();
    let clearest = |mut looks: Vec<Posteriors>| -> Posteriors {
        let clear = |height: usize| {
            let off = HEIGHTS[height].unsigned_abs() as f32;
            looks[height].best_path() + SHEET * sheet[height] - OFF_THE_LINE * off
        };
        let height = (1..HEIGHTS.len()).fold(0, |a, b| if clear(b) > clear(a) { b } else { a });
        looks.swap_remove(height)
    };
    for (i, looks) in doubtful.into_iter().zip(at_heights) {
        read[i] = Some(clearest(looks));
    }
    Ok(read)
}

fn is_doubtful(posteriors: &Posteriors) -> bool {
    posteriors.best_path() < SURE
}
