//! The layout of a form: its blocks, rows and columns and where they lie in one picture of it, as a person can write it
//! down or mend it (a TOML file, which `sheetscan layout` writes), and [`fit`](super::fit) lays it on further pages.

mod found;
mod read;
mod write;

pub(super) use self::found::outline;
pub use self::read::{LayoutError, LayoutFault};

use super::{Block, NumberColumn, Row};
use crate::geometry::{Point, Quad};

/// A form's layout.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Width and height of the picture that it was taken from, in the unit of the corners: pixels, or 1 and 1 where these
    /// are shares.
    pub picture: [f64; 2],
    /// Corners of the area that the cells of all blocks fill, clockwise from the one that is top left as the table is read.
    pub corners: Quad,
    /// Blocks in playing order.
    pub blocks: Vec<BlockLayout>,
}

/// A block of rows in a [`Layout`]. Intervals are shares, from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockLayout {
    /// Number of the first row.
    pub first: u32,
    /// Left and right edge by the table's width.
    pub across: [f64; 2],
    /// Top and bottom edge by the table's height.
    pub down: [f64; 2],
    /// White's column by the block's width.
    pub white: [f64; 2],
    /// Black's column by the block's width.
    pub black: [f64; 2],
    /// Where the printed numbers stand.
    pub number_column: NumberColumn,
    /// Edges between the rows by the block's height, from 0 to 1: one more than rows.
    pub edges: Vec<f64>,
}

impl Layout {
    /// The corners on a page of so many pixels, if the table fills the same part of it.
    pub fn corners_on(&self, (width, height): (u32, u32)) -> Quad {
        let across = f64::from(width) / self.picture[0];
        let down = f64::from(height) / self.picture[1];
        self.corners.map(|p| Point::new(p.x * across, p.y * down))
    }

    /// The blocks, each place of the table (shares of its width and height) taken onto the page by `at`.
    pub fn blocks(&self, at: impl Fn(f64, f64) -> Point) -> Vec<Block> {
        let block = |block: &BlockLayout| Block {
            number_column: block.number_column,
            rows: (block.first..)
                .zip(block.edges.windows(2))
                .map(|(number, edges)| {
                    let [top, bottom] = [edges[0], edges[1]].map(|edge| block.height(edge));
                    let cell = |column: [f64; 2]| {
                        let [left, right] = column.map(|share| block.place(share));
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

    /// Most rows of a block.
    pub(super) fn most_rows(&self) -> usize {
        self.blocks.iter().map(BlockLayout::rows).max().unwrap_or(0)
    }
}

impl BlockLayout {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.edges.len().saturating_sub(1)
    }

    /// Place by the table's width of a share of the block's width.
    pub(super) fn place(&self, share: f64) -> f64 {
        self.across[0] + share * (self.across[1] - self.across[0])
    }

    /// Height by the table's height of a share of the block's height.
    pub(super) fn height(&self, share: f64) -> f64 {
        self.down[0] + share * (self.down[1] - self.down[0])
    }

    /// Edges of so many rows of equal height.
    fn equal(rows: usize) -> Vec<f64> {
        (0..=rows).map(|i| i as f64 / rows as f64).collect()
    }
}
