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

use super::SheetError;

/// Number of cells that are read to decide which way up a page lies.
const SAMPLED_CELLS: usize = 16;
/// A page whose printed numbers are legible is also tried upside down where its share of legible
/// moves is below this.
const MIN_LEGIBLE_SHARE_NUMBERED: f32 = 0.3;
/// The same bound for a page without legible numbers. It is higher because `9`, `b` and `O-O` can
/// be read upside down too: two of 600 made forms that lay upside down were taken for upright.
const MIN_LEGIBLE_SHARE_UNNUMBERED: f32 = 0.6;
/// The page is turned if `legible(turned) > MIN_TURN_RATIO × legible(upright) + MIN_TURN_MARGIN`,
/// since some cells of any writer look like moves upside down. Chosen by eye.
const MIN_TURN_RATIO: f32 = 2.0;
/// The additive part of the condition at [`MIN_TURN_RATIO`], a share of the sampled cells. Chosen
/// by eye.
const MIN_TURN_MARGIN: f32 = 0.05;

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
) -> Result<(Grid, Vec<Cell>), SheetError> {
    let upright = cut_cells(page, layout, Direction::Upright);
    let (legible, margin_nats) = match &upright {
        Some((cells, grid)) => (legible_share(model, cells)?, grid.margin_nats),
        None => (0.0, 0.0),
    };
    let numbered = margin_nats > 0.0;
    let min_legible = if numbered {
        MIN_LEGIBLE_SHARE_NUMBERED
    } else {
        MIN_LEGIBLE_SHARE_UNNUMBERED
    };
    if legible < min_legible
        && let Some((cells, turned)) = cut_cells(page, layout, Direction::UpsideDown)
        && turned.margin_nats >= margin_nats
    {
        let only_turned_is_numbered = !numbered && turned.margin_nats > 0.0;
        let bound = if only_turned_is_numbered {
            legible
        } else {
            MIN_TURN_RATIO * legible + MIN_TURN_MARGIN
        };
        if legible_share(model, &cells)? > bound {
            return Ok((turned.grid, cells));
        }
    }
    let (cells, numbered) =
        upright.ok_or_else(|| SheetError::NoTable(capture_quality::assess(page, &[])))?;
    Ok((numbered.grid, cells))
}

/// The layout of the table that is found on a page; none where no table is found.
pub fn find_layout(page: &Page, model: &dyn Model) -> Option<FormLayout> {
    let (grid, _) = guard::catch(|| cells(page, model, None)).ok()?.ok()?;
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
) -> Option<(Vec<Cell>, NumberedGrid)> {
    let grid = match (layout, direction) {
        (Some(layout), Direction::Upright) => unnumbered(grid::fit_layout(page, layout)),
        (Some(layout), Direction::UpsideDown) => {
            unnumbered(grid::fit_layout_upside_down(page, layout))
        }
        (None, Direction::Upright) => number_rows(page, grid::detect(page).ok()?),
        (None, Direction::UpsideDown) => number_rows(page, grid::detect_upside_down(page).ok()?),
    };
    Some((cell::cut_cells(page, &grid.grid), grid))
}

/// A grid whose rows have their printed numbers.
fn number_rows(page: &Page, grid: Grid) -> NumberedGrid {
    numbers::number_rows(page, grid, &numbers::Parameters::default())
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
fn legible_share(model: &dyn Model, cells: &[Cell]) -> Result<f32, ModelError> {
    let mut written: Vec<&Cell> = cells
        .iter()
        .filter(|c| c.state == CellState::Written)
        .collect();
    written.sort_by(|a, b| b.ink.total_cmp(&a.ink).then(a.id.cmp(&b.id)));
    let skipped = written.len().saturating_sub(SAMPLED_CELLS) / 4;
    let sample: Vec<Cell> = written
        .into_iter()
        .skip(skipped)
        .take(SAMPLED_CELLS)
        .cloned()
        .collect();
    if sample.is_empty() {
        return Ok(0.0);
    }
    let readings = reader::read(model, &sample)?;
    let legible = readings.iter().filter(|r| reads_like_a_move(&r.text));
    Ok(legible.map(|r| r.confidence).sum::<f32>() / readings.len() as f32)
}
