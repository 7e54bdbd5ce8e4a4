//! A ruled table drawn by formulas: what a network that is never wrong would show of it.

use super::NumberColumn;
use super::layout::{BlockLayout, FormLayout};
use super::segmentation::{Channel, Segmentation};
use super::surface::Surface;
use crate::geometry::{Homography, Point, Quad};

/// Width and height of the maps.
pub const SIZE: (usize, usize) = (200, 250);
/// Distance in pixels from its middle at which an edge ends; it is half as wide at half its height.
const EDGE_REACH_PX: f64 = 1.5;

/// A table whose columns are upright. Lengths are pixels of a map.
pub struct DrawnTable {
    /// The left border of White, the one between the columns and the right one of Black, by block.
    pub blocks: Vec<[f64; 3]>,
    /// Where the first row begins.
    pub top: f64,
    /// Height of a row.
    pub pitch: f64,
    /// Number of rows.
    pub rows: usize,
    /// By how much the rows lie lower at a pixel x and y.
    pub drop: fn(f64, f64) -> f64,
}

impl Default for DrawnTable {
    /// Two level blocks of 20 rows, from (20, 30) to (180, 220).
    fn default() -> Self {
        Self {
            blocks: vec![[20.0, 55.5, 91.0], [109.0, 144.5, 180.0]],
            top: 30.0,
            pitch: 9.5,
            rows: 20,
            drop: |_, _| 0.0,
        }
    }
}

impl DrawnTable {
    /// Corners of all blocks, where rows do not drop.
    pub fn corners(&self) -> Quad {
        let (left, right) = (self.blocks[0][0], self.blocks[self.blocks.len() - 1][2]);
        let bottom = self.top + self.pitch * self.rows as f64;
        [
            (left, self.top),
            (right, self.top),
            (right, bottom),
            (left, bottom),
        ]
        .map(|(x, y)| Point::new(x, y))
    }

    /// The flat surface with the corners.
    pub fn surface(&self) -> Surface {
        Surface::flat(Homography::onto(&self.corners()).expect("a rectangle"))
    }

    /// The layout of the table, where rows do not drop.
    pub fn layout(&self) -> FormLayout {
        let [tl, tr, ..] = self.corners();
        let blocks = self.blocks.iter().map(|&[left, middle, right]| {
            let border = (middle - left) / (right - left);
            BlockLayout {
                first: 1,
                across: [left, right].map(|x| (x - tl.x) / (tr.x - tl.x)),
                down: [0.0, 1.0],
                white: [0.0, border],
                black: [border, 1.0],
                number_column: NumberColumn::Absent,
                edges: (0..=self.rows)
                    .map(|i| i as f64 / self.rows as f64)
                    .collect(),
            }
        });
        FormLayout {
            picture: [SIZE.0 as f64, SIZE.1 as f64],
            corners: self.corners(),
            blocks: blocks.collect(),
        }
    }

    /// The maps of the table.
    pub fn maps(&self) -> Segmentation {
        Segmentation::drawn(SIZE, |channel, x, y| self.probability(channel, x, y))
    }

    /// Probability of a channel at a pixel.
    pub fn probability(&self, channel: Channel, x: f64, y: f64) -> f32 {
        let down = y - (self.drop)(x, y) - self.top;
        let is_row = covered(down, [0.0, self.pitch * self.rows as f64]);
        let edge = |distance: f64| (1.0 - distance.abs() / EDGE_REACH_PX).max(0.0);
        let of_block = |&[left, middle, right]: &[f64; 3]| match channel {
            Channel::White => covered(x, [left, middle]) * is_row,
            Channel::Black => covered(x, [middle, right]) * is_row,
            Channel::Row => {
                let nearest = (down / self.pitch).round().clamp(0.0, self.rows as f64);
                edge(down - nearest * self.pitch) * covered(x, [left, right])
            }
            Channel::Column => {
                let borders = [left, middle, right].map(|border| edge(x - border));
                borders.into_iter().fold(0.0, f64::max) * is_row
            }
            _ => 0.0,
        };
        self.blocks.iter().map(of_block).fold(0.0, f64::max) as f32
    }
}

/// The share of a pixel that an interval covers.
pub fn covered(pixel: f64, [from, to]: [f64; 2]) -> f64 {
    (0.5 + (pixel - from).min(to - pixel)).clamp(0.0, 1.0)
}
