//! Points, quadrilaterals and homographies on a page.
//!
//! ```
//! use sheetscan::geometry::{Homography, Point};
//!
//! // A cell that the camera saw at a slant, clockwise from its top left corner.
//! let quad = [(10.0, 20.0), (110.0, 30.0), (100.0, 95.0), (5.0, 80.0)];
//! let map = Homography::onto(&quad.map(|(x, y)| Point::new(x, y))).expect("a convex quad");
//! let corner = map.at(1.0, 0.0);
//! assert!(corner.distance(Point::new(110.0, 30.0)) < 1e-9);
//! ```

use serde::{Deserialize, Serialize};
use sheetscan_kernels::warp::ProjectiveRow;

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

    /// Pixels to another point.
    pub fn distance(self, other: Self) -> f64 {
        (other.x - self.x).hypot(other.y - self.y)
    }

    /// The point at a share of the way to another one. It lies beyond one of the two where the
    /// share is below 0 or above 1.
    pub fn towards(self, other: Self, share: f64) -> Self {
        Self {
            x: self.x + share * (other.x - self.x),
            y: self.y + share * (other.y - self.y),
        }
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

/// The perspective map from the unit square onto a quadrilateral.
#[derive(Debug, Clone, Copy)]
pub struct Homography {
    /// The 3 x 3 matrix, row by row.
    rows: [[f64; 3]; 3],
}

/// A [`Homography`] restricted to the points of one height v, in single precision: exact to a
/// thousandth of a pixel, and fast where many points of a row are mapped.
#[derive(Debug, Clone, Copy)]
pub struct HomographyRow {
    /// Derivative by u of the homogeneous coordinates x, y and w.
    slope: [f32; 3],
    /// The homogeneous coordinates at u = 0.
    start: [f32; 3],
}

impl Homography {
    /// The map that takes (0,0), (1,0), (1,1), (0,1) to the quad's corners; None where the quad is
    /// not convex or three of its corners lie on a line.
    pub fn onto(quad: &Quad) -> Option<Self> {
        // Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989, section 2.2.3.
        let [p, q, r, s] = *quad;
        let turn =
            |a: Point, b: Point, c: Point| (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
        let turns = [turn(p, q, r), turn(q, r, s), turn(r, s, p), turn(s, p, q)];
        if !(turns.iter().all(|&t| t > 0.0) || turns.iter().all(|&t| t < 0.0)) {
            return None;
        }
        let (sx, sy) = (p.x - q.x + r.x - s.x, p.y - q.y + r.y - s.y);
        let (dx1, dx2) = (q.x - r.x, s.x - r.x);
        let (dy1, dy2) = (q.y - r.y, s.y - r.y);
        let det = dx1 * dy2 - dx2 * dy1;
        let g = (sx * dy2 - dx2 * sy) / det;
        let h = (dx1 * sy - sx * dy1) / det;
        let rows = [
            [q.x - p.x + g * q.x, s.x - p.x + h * s.x, p.x],
            [q.y - p.y + g * q.y, s.y - p.y + h * s.y, p.y],
            [g, h, 1.0],
        ];
        rows.iter()
            .flatten()
            .all(|v| v.is_finite())
            .then_some(Self { rows })
    }

    /// Image in pixels of the point (u, v). The unit square spans 0 to 1; points outside it
    /// continue in the same perspective.
    #[inline]
    pub fn at(&self, u: f64, v: f64) -> Point {
        let [x, y, w] = self.rows.map(|r| r[0] * u + r[1] * v + r[2]);
        Point::new(x / w, y / w)
    }

    /// The map from pixels back onto the unit square; None where the matrix is singular.
    pub fn inverse(&self) -> Option<Self> {
        let m = &self.rows;
        // The adjugate is the inverse times the determinant, a factor that cancels in homogeneous
        // coordinates.
        let minor = |i: usize, j: usize| {
            let (a, b, c, d) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
            m[a][c] * m[b][d] - m[a][d] * m[b][c]
        };
        let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|j| minor(j, i)));
        let determinant: f64 = (0..3).map(|j| m[0][j] * rows[j][0]).sum();
        (determinant.is_finite() && determinant != 0.0).then_some(Self { rows })
    }

    /// The map of the points at height v.
    pub fn row(&self, v: f64) -> HomographyRow {
        HomographyRow {
            slope: self.rows.map(|r| r[0] as f32),
            start: self.rows.map(|r| (r[1] * v + r[2]) as f32),
        }
    }
}

/// Whether a quadrilateral is convex and its corners run clockwise, with y downwards.
pub(crate) fn is_convex(quad: &Quad) -> bool {
    (0..4).all(|i| {
        let [a, b, c] = [0, 1, 2].map(|next| quad[(i + next) % 4]);
        (b.x - a.x) * (c.y - b.y) > (b.y - a.y) * (c.x - b.x)
    })
}

/// Area of a quad in square pixels.
pub fn area(quad: &Quad) -> f64 {
    let twice: f64 = (0..4)
        .map(|i| {
            let (a, b) = (quad[i], quad[(i + 1) % 4]);
            a.x * b.y - b.x * a.y
        })
        .sum();
    twice.abs() / 2.0
}

impl HomographyRow {
    /// Image in pixels of the point at u.
    pub fn at(&self, u: f32) -> (f32, f32) {
        let [x, y, w] = [0, 1, 2].map(|i| self.slope[i] * u + self.start[i]);
        let depth = w.recip();
        (x * depth, y * depth)
    }

    /// The same map for many points at once.
    pub fn coefficients(&self) -> ProjectiveRow {
        ProjectiveRow {
            slope: self.slope,
            start: self.start,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folded_quadrilateral_is_not_convex() {
        let quad = |corners: [(f64, f64); 4]| corners.map(|(x, y)| Point::new(x, y));
        let cell = [(0.0, 0.0), (9.0, 1.0), (8.0, 5.0), (0.0, 4.0)];
        assert!(is_convex(&quad(cell)));
        let [a, b, c, d] = cell;
        assert!(!is_convex(&quad([a, b, d, c])));
        assert!(!is_convex(&quad([d, c, b, a])));
        assert!(!is_convex(&quad([a, b, (1.0, 1.0), d])));
    }

    #[test]
    fn a_homography_takes_the_unit_square_to_the_corners() {
        let quad = [(10.0, 20.0), (110.0, 30.0), (100.0, 95.0), (5.0, 80.0)]
            .map(|(x, y)| Point::new(x, y));
        let map = Homography::onto(&quad).expect("a convex quad");
        for (corner, (u, v)) in quad
            .iter()
            .zip([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
        {
            let p = map.at(u, v);
            assert!(
                (p.x - corner.x).abs() < 1e-9 && (p.y - corner.y).abs() < 1e-9,
                "{p:?} for {corner:?}"
            );
        }
    }

    #[test]
    fn flat_and_crossed_quads_have_no_homography() {
        let flat = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)].map(|(x, y)| Point::new(x, y));
        let crossed =
            [(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)].map(|(x, y)| Point::new(x, y));
        assert!(Homography::onto(&flat).is_none());
        assert!(Homography::onto(&crossed).is_none());
    }
}
