//! Points, quadrilaterals and homographies on a page.

use serde::{Deserialize, Serialize};

/// A point in pixels of the upright page at full size, x to the right, y down.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(into = "[f64; 2]", from = "[f64; 2]")]
pub struct Point {
    /// Pixels from the left edge.
    pub x: f64,
    /// Pixels from the top edge.
    pub y: f64,
}

impl Point {
    /// A point from its two coordinates.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }
}

impl From<Point> for [f64; 2] {
    fn from(p: Point) -> Self {
        [p.x, p.y]
    }
}

impl From<[f64; 2]> for Point {
    fn from([x, y]: [f64; 2]) -> Self {
        Self { x, y }
    }
}

/// Four corners, clockwise from top left, in pixels of the upright page at full size.
pub type Quad = [Point; 4];
