//! Numbers the rows of a table by the move numbers printed beside them.
//!
//! No single number is believed. The numbers of a block rise by one a row, so that all its rows
//! together tell the first number, even where each of them is read with doubt. Where they do not
//! tell it clearly, the rows keep the numbers that they were counted by.
//!
//! ```no_run
//! use sheetscan::{grid, numbers, page};
//!
//! let page = page::open("samples/01_apendice_e_pt.jpg".as_ref())?.next().expect("a page")?;
//! let grid = grid::detect(&page, &grid::Parameters::default())?;
//! let numbered = numbers::number_rows(&page, grid, &numbers::Parameters::default());
//! println!("first row: {}", numbered.grid.blocks[0].rows[0].number);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arrange;
mod block;
mod crop;
mod ends;
mod first;
mod network;
mod overlap;
mod parameters;

pub use self::parameters::Parameters;

use crate::grid::{Grid, NumberColumn, Row};
use crate::page::Page;

use self::network::NumberPosterior;

/// A table whose rows are numbered, and how certain its printed numbers are.
pub struct NumberedGrid {
    /// The table with its rows numbered by the print and its blocks in the order of the numbers.
    pub grid: Grid,
    /// Nats by which the printed numbers are likelier than the second best ones, summed over the
    /// blocks whose first number is certain; 0 where none is.
    pub margin_nats: f32,
}

/// Numbers the rows of a table by the print, as far as that is certain and free of contradiction.
/// Rows too many at an end of a block are left out, and rows that were missed there are added. A
/// table whose numbers tell nothing comes back as it was.
pub fn number_rows(page: &Page, grid: Grid, parameters: &Parameters) -> NumberedGrid {
    let reader = NumberReader { page, parameters };
    let numbered = first::locate_numbers(&reader, &grid).and_then(|located| {
        Some(NumberedGrid {
            grid: arrange::arrange_blocks(&reader, &grid, located.column, &located.firsts)?,
            margin_nats: located.margin_nats,
        })
    });
    numbered.unwrap_or(NumberedGrid {
        grid,
        margin_nats: 0.0,
    })
}

/// Reads the numbers printed beside the rows of one page.
struct NumberReader<'a> {
    page: &'a Page,
    parameters: &'a Parameters,
}

impl NumberReader<'_> {
    /// What the network reads beside a row where numbers stand in this column; None where it fails.
    fn read(&self, row: &Row, column: NumberColumn) -> Option<NumberPosterior> {
        let crop = crop::cut_number(self.page, row, column);
        NumberPosterior::read(&crop, self.parameters.digit_floor_nats)
    }

    /// Log-probability in nats that this number stands beside a row; 0 where the network fails.
    fn log_prob(&self, row: &Row, column: NumberColumn, number: i32) -> f32 {
        let posterior = self.read(row, column);
        posterior.map_or(0.0, |posterior| posterior.log_prob(number))
    }
}
