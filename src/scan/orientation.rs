//! The table of a page, found upright or upside down, and what its cells say.

use crate::capture_quality;
use crate::cell::{self, Cell};
use crate::form::FormCode;
use crate::grid::layout::FormLayout;
use crate::grid::{self, Grid};
use crate::guard;
use crate::ink::CellState;
use crate::notation::reads_like_a_move;
use crate::numbers::{self, NumberedGrid};
use crate::page::Page;
use crate::reader::{self, Model, ModelError, Reading};

use super::printed_table;
use super::{OrientationParameters, Parameters, SheetError};

/// The move table of a page.
#[derive(Debug)]
pub struct Table {
    /// Where its cells are.
    pub grid: Grid,
    /// The cells, row by row, White before Black.
    pub cells: Vec<Cell>,
    /// What they say, in the same order.
    pub readings: Vec<Reading>,
    /// The code of a sheet that sheetscan has printed.
    pub code: Option<FormCode>,
}

/// Finds the table of a page and numbers its rows by the printed numbers, or fits a given layout to
/// the page, and reads the cells. On a sheet that sheetscan has printed, the code tells the layout.
///
/// A page of which few sampled cells read like moves is tried upside down as well. It is turned if
/// clearly more cells read like moves that way, or if simply more do and only that way has legible
/// printed numbers; never if the numbers are clearer upright.
///
/// # Errors
/// [`SheetError::NoTable`] where no table is found, [`SheetError::Model`] where the model fails.
pub fn read_table(
    page: &Page,
    model: &dyn Model,
    layout: Option<&FormLayout>,
    parameters: &Parameters,
) -> Result<Table, SheetError> {
    let orientation = &parameters.orientation;
    let printed = printed_table::find(page, layout, parameters);
    let code = printed.code;
    if let Some(grid) = printed.grid {
        let cells = cell::cut_cells(page, &grid);
        let readings = reader::read(model, &cells)?;
        return Ok(Table {
            grid,
            cells,
            readings,
            code,
        });
    }
    let read = |direction| -> Result<Option<(Table, f32)>, ModelError> {
        let Some((cells, numbered)) = cut_cells(page, layout, direction, parameters) else {
            return Ok(None);
        };
        let readings = reader::read(model, &cells)?;
        let table = Table {
            grid: numbered.grid,
            cells,
            readings,
            code,
        };
        Ok(Some((table, numbered.margin_nats)))
    };
    let upright = read(Direction::Upright)?;
    let (legible, margin_nats) = match &upright {
        Some((table, margin_nats)) => (legible_share(table, orientation), *margin_nats),
        None => (0.0, 0.0),
    };
    let numbered = margin_nats > 0.0;
    let min_legible = if numbered {
        orientation.min_legible_share_numbered
    } else {
        orientation.min_legible_share_unnumbered
    };
    if legible < min_legible
        && let Some((turned, turned_margin_nats)) = read(Direction::UpsideDown)?
        && turned_margin_nats >= margin_nats
    {
        let only_turned_is_numbered = !numbered && turned_margin_nats > 0.0;
        let bound = if only_turned_is_numbered {
            legible
        } else {
            orientation.min_turn_ratio * legible + orientation.min_turn_margin
        };
        if legible_share(&turned, orientation) > bound {
            return Ok(turned);
        }
    }
    let (table, _) = upright.ok_or_else(|| {
        let advice = capture_quality::assess(page, &[], &parameters.capture_quality);
        SheetError::NoTable(advice)
    })?;
    Ok(table)
}

/// The layout of the table that is found on a page; none where no table is found.
pub fn find_layout(page: &Page, model: &dyn Model, parameters: &Parameters) -> Option<FormLayout> {
    let table = guard::catch(|| read_table(page, model, None, parameters));
    FormLayout::of(&table.ok()?.ok()?.grid, page.luma.dimensions())
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
fn legible_share(table: &Table, parameters: &OrientationParameters) -> f32 {
    let cells = table.cells.iter().zip(&table.readings);
    let mut written: Vec<(&Cell, &Reading)> = cells
        .filter(|(cell, _)| cell.state == CellState::Written)
        .collect();
    written.sort_by(|(a, _), (b, _)| b.ink.total_cmp(&a.ink).then(a.id.cmp(&b.id)));
    let skipped = written.len().saturating_sub(parameters.sampled_cells) / 4;
    let sample = written.iter().skip(skipped).take(parameters.sampled_cells);
    let sample: Vec<&Reading> = sample.map(|(_, reading)| *reading).collect();
    let legible = sample.iter().filter(|r| reads_like_a_move(&r.text));
    legible.map(|r| r.confidence).sum::<f32>() / sample.len().max(1) as f32
}
