//! Pages whose file lost its end: they are read where the table is whole nevertheless.

use std::ops::Range;

use crate::cell::Cell;
use crate::grid::layout::FormLayout;
use crate::page::{Format, MissingPart, Page, PageError};
use crate::reader::Model;
use crate::robust::median;

use super::orientation::{self, Table};
use super::{Parameters, SheetError};

/// Rows of a table that fit between its last row and the missing part at least: in less space the
/// next row may have been lost.
const MIN_ROWS_BEFORE_MISSING_PART: f64 = 2.0;

/// Finds the table of a page and reads its cells, as `orientation::read_table` does, and refuses a
/// page that lost a part of its table.
///
/// # Errors
/// Those of `orientation::read_table`, and [`PageError::Broken`] where the table is not whole.
pub fn read_table(
    page: &Page,
    model: &dyn Model,
    layout: Option<&FormLayout>,
    parameters: &Parameters,
) -> Result<Table, SheetError> {
    let found = orientation::read_table(page, model, layout, parameters);
    let Some(missing) = page.missing.as_ref().filter(|part| !is_empty(part)) else {
        return found;
    };
    match found {
        Ok(table) if is_whole(&table.cells, missing) => Ok(table),
        Err(error @ SheetError::Model(_)) => Err(error),
        _ => Err(PageError::cut_short(Format::Jpeg).into()),
    }
}

/// Whether a table does not go on into the missing part of its page.
fn is_whole(cells: &[Cell], missing: &MissingPart) -> bool {
    let heights = cells.iter().map(|cell| cell.quad[0].distance(cell.quad[3]));
    let height = median(heights, f64::total_cmp).unwrap_or(0.0);
    let near = MIN_ROWS_BEFORE_MISSING_PART * height;
    let touches = |range: &Range<u32>, at: f64| {
        at > f64::from(range.start) - near && at < f64::from(range.end) + near
    };
    let mut corners = cells.iter().flat_map(|cell| cell.quad);
    !corners.any(|p| touches(&missing.x, p.x) && touches(&missing.y, p.y))
}

/// Whether only the mark behind the picture is missing.
fn is_empty(missing: &MissingPart) -> bool {
    missing.x.is_empty() || missing.y.is_empty()
}
