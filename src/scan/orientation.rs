//! The table of a page, found upright or upside down, and its cells.

use crate::capture_quality;
use crate::cell::{self, Cell};
use crate::grid::layout::FormLayout;
use crate::grid::{self, Grid};
use crate::guard;
use crate::ink::CellState;
use crate::notation::reads_like_a_move;
use crate::numbers::{self, NumberedGrid};
use crate::page::Page;
use crate::reader::{self, Model, ModelError};

use super::{OrientationParameters, Parameters, SheetError};

/// Finds the table of a page and numbers its rows by the printed numbers, or fits a given layout to
/// the page, and cuts the cells.
///
/// A page of which few sampled cells read like moves is tried upside down as well. It is turned if
/// clearly more cells read like moves that way, or if simply more do and only that way has legible
/// printed numbers; never if the numbers are clearer upright.
///
/// # Errors
/// [`SheetError::NoTable`] where no table is found, [`SheetError::Model`] where the model fails.
pub fn cells(
    page: &Page,
    model: &dyn Model,
    layout: Option<&FormLayout>,
    parameters: &Parameters,
) -> Result<(Grid, Vec<Cell>), SheetError> {
    let orientation = &parameters.orientation;
    let cut = |direction| cut_cells(page, layout, direction, parameters);
    let upright = cut(Direction::Upright);
    let (legible, margin_nats) = match &upright {
        Some((cells, grid)) => (legible_share(model, cells, orientation)?, grid.margin_nats),
        None => (0.0, 0.0),
    };
    let numbered = margin_nats > 0.0;
    let min_legible = if numbered {
        orientation.min_legible_share_numbered
    } else {
        orientation.min_legible_share_unnumbered
    };
    if legible < min_legible
        && let Some((cells, turned)) = cut(Direction::UpsideDown)
        && turned.margin_nats >= margin_nats
    {
        let only_turned_is_numbered = !numbered && turned.margin_nats > 0.0;
        let bound = if only_turned_is_numbered {
            legible
        } else {
            orientation.min_turn_ratio * legible + orientation.min_turn_margin
        };
        if legible_share(model, &cells, orientation)? > bound {
            return Ok((turned.grid, cells));
        }
    }
    let (cells, numbered) = upright.ok_or_else(|| {
        let advice = capture_quality::assess(page, &[], &parameters.capture_quality);
        SheetError::NoTable(advice)
    })?;
    Ok((numbered.grid, cells))
}

/// The layout of the table that is found on a page; none where no table is found.
pub fn find_layout(page: &Page, model: &dyn Model, parameters: &Parameters) -> Option<FormLayout> {
    let cells = guard::catch(|| cells(page, model, None, parameters));
    let (grid, _) = cells.ok()?.ok()?;
    FormLayout::of(&grid, page.luma.dimensions())
}

/// Which way up a page is taken to lie.
#[derive(Clone, Copy)]
enum Direction {
    Upright,
    UpsideDown,
}

/// The table in one direction with its cells; none where no table is found.
fn cut_cells(
    page: &Page,
    layout: Option<&FormLayout>,
    direction: Direction,
    parameters: &Parameters,
) -> Option<(Vec<Cell>, NumberedGrid)> {
    let grid = match (layout, direction) {
        (Some(layout), Direction::Upright) => {
            unnumbered(grid::fit_layout(page, layout, &parameters.grid))
        }
        (Some(layout), Direction::UpsideDown) => {
            unnumbered(grid::fit_layout_upside_down(page, layout, &parameters.grid))
        }
        (None, Direction::Upright) => {
            let grid = grid::detect(page, &parameters.grid).ok()?;
            numbers::number_rows(page, grid, &parameters.numbers)
        }
        (None, Direction::UpsideDown) => {
            let grid = grid::detect_upside_down(page, &parameters.grid).ok()?;
            numbers::number_rows(page, grid, &parameters.numbers)
        }
    };
    Some((cell::cut_cells(page, &grid.grid), grid))
}

/// A grid whose printed numbers are not looked at, since its layout numbers the rows.
fn unnumbered(grid: Grid) -> NumberedGrid {
    NumberedGrid {
        grid,
        margin_nats: 0.0,
    }
}

/// Share of the sampled cells that read like moves, each weighted by the confidence of its reading;
/// 0 where no cell has writing. The sample are the cells with most ink, without the very fullest,
/// which are often corrections.
fn legible_share(
    model: &dyn Model,
    cells: &[Cell],
    parameters: &OrientationParameters,
) -> Result<f32, ModelError> {
    let mut written: Vec<&Cell> = cells
        .iter()
        .filter(|c| c.state == CellState::Written)
        .collect();
    written.sort_by(|a, b| b.ink.total_cmp(&a.ink).then(a.id.cmp(&b.id)));
    let sampled = parameters.sampled_cells;
    let skipped = written.len().saturating_sub(sampled) / 4;
    let sample: Vec<Cell> = written
        .into_iter()
        .skip(skipped)
        .take(sampled)
        .cloned()
        .collect();
    if sample.is_empty() {
        return Ok(0.0);
    }
    let readings = reader::read(model, &sample)?;
    let legible = readings.iter().filter(|r| reads_like_a_move(&r.text));
    Ok(legible.map(|r| r.confidence).sum::<f32>() / readings.len() as f32)
}
