//! The layout of a form: its blocks, rows and columns, and where they lie in one picture of it.
//!
//! A layout is a TOML file that `sheetscan layout` writes and a person can correct;
//! [`fit_layout`](super::fit_layout) finds its place on other pages.
//!
//! ```
//! use sheetscan::grid::layout::FormLayout;
//!
//! let layout = FormLayout::parse(&FormLayout::template((1200, 1600)).to_toml())?;
//! assert_eq!(layout.blocks[0].rows(), 30);
//! # Ok::<(), sheetscan::grid::layout::LayoutError>(())
//! ```

mod found;
mod printed;
mod read;
mod write;

pub(super) use self::found::outline;
pub use self::read::{LayoutError, LayoutFault};

use super::{Block, NumberColumn, Row};
use crate::geometry::{Point, Quad};

/// A form's layout.
#[derive(Debug, Clone, PartialEq)]
pub struct FormLayout {
    /// Width and height of the picture that the layout was taken from, in the unit of the corners:
    /// pixels, or 1 and 1 where the corners are shares of the picture.
    pub picture: [f64; 2],
    /// Corners of the area that the cells of all blocks fill, clockwise from the one that is top
    /// left as the table is read.
    pub corners: Quad,
    /// Blocks in playing order.
    pub blocks: Vec<BlockLayout>,
}

/// A block of rows in a [`FormLayout`]. Intervals are shares from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockLayout {
    /// Number of the first row.
    pub first: u32,
    /// Left and right edge as shares of the table's width.
    pub across: [f64; 2],
    /// Top and bottom edge as shares of the table's height.
    pub down: [f64; 2],
    /// Left and right edge of White's column as shares of the block's width.
    pub white: [f64; 2],
    /// Left and right edge of Black's column as shares of the block's width.
    pub black: [f64; 2],
    /// Where the printed numbers stand.
    pub number_column: NumberColumn,
    /// The rows' edges as shares of the block's height, from 0 to 1: one more than there are rows.
    pub edges: Vec<f64>,
}

impl FormLayout {
    /// The blocks on a page. `at` maps a place on the table, given as shares of its width and
    /// height, to pixels of the page.
    pub fn blocks(&self, at: impl Fn(f64, f64) -> Point) -> Vec<Block> {
        let block = |block: &BlockLayout| Block {
            number_column: block.number_column,
            rows: (block.first..)
                .zip(block.edges.windows(2))
                .map(|(number, edges)| {
                    let [top, bottom] = [edges[0], edges[1]].map(|edge| block.table_y(edge));
                    let cell = |column: [f64; 2]| {
                        let [left, right] = column.map(|share| block.table_x(share));
                        [(left, top), (right, top), (right, bottom), (left, bottom)]
                            .map(|(u, v)| at(u, v))
                    };
                    Row {
                        number,
                        white: cell(block.white),
                        black: cell(block.black),
                    }
                })
                .collect(),
        };
        self.blocks.iter().map(block).collect()
    }

    /// Largest number of rows in a block.
    pub(super) fn max_rows(&self) -> usize {
        self.blocks.iter().map(BlockLayout::rows).max().unwrap_or(0)
    }
}

impl BlockLayout {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.edges.len().saturating_sub(1)
    }

    /// A share of the block's width as a share of the table's width.
    pub(super) fn table_x(&self, share: f64) -> f64 {
        self.across[0] + share * (self.across[1] - self.across[0])
    }

    /// A share of the block's height as a share of the table's height.
    pub(super) fn table_y(&self, share: f64) -> f64 {
        self.down[0] + share * (self.down[1] - self.down[0])
    }

    /// Edges of so many rows of equal height.
    fn equal_edges(rows: usize) -> Vec<f64> {
        (0..=rows).map(|i| i as f64 / rows as f64).collect()
    }
}
