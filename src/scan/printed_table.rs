//! The table of a sheet that sheetscan has printed.

use crate::form::FormCode;
use crate::grid::Grid;
use crate::grid::layout::FormLayout;
use crate::page::Page;

use super::Parameters;

/// What the marks and the code of a page tell.
#[derive(Default)]
pub(super) struct PrintedTable {
    /// What the code says; none on other pages.
    pub code: Option<FormCode>,
    /// The table where the marks say; none where the network sees none there, or where the caller
    /// gives a layout.
    pub grid: Option<Grid>,
}

/// Looks for the marks of a printed sheet, and lays its table unless a layout is given.
#[cfg(feature = "forms")]
pub(super) fn find(
    page: &Page,
    layout: Option<&FormLayout>,
    parameters: &Parameters,
) -> PrintedTable {
    let Some(sheet) = crate::marks::find_printed_sheet(page, &parameters.marks) else {
        return PrintedTable::default();
    };
    let code = sheet.code;
    let lay = || crate::grid::fit_printed_form(page, &code.form, &sheet.marks, &parameters.grid);
    PrintedTable {
        code: Some(code),
        grid: if layout.is_none() { lay() } else { None },
    }
}

/// Without the feature `forms`, no page is taken for a printed sheet.
#[cfg(not(feature = "forms"))]
pub(super) fn find(_: &Page, _: Option<&FormLayout>, _: &Parameters) -> PrintedTable {
    PrintedTable::default()
}
