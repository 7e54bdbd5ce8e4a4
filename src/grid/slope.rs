//! The bend of a table by the slope of the edges of its rows and columns: it can be told before the
//! edges are, so that no edge is taken for its neighbour where paper curls.

use super::equations::{add, add_ridge, eliminate};
use super::parameters::SurfaceParameters;
use super::segmentation::{Channel, Segmentation};
use super::surface::{Surface, SurfacePoint, second_legendre, third_legendre};
use crate::geometry::Point;

/// Number of terms of a displacement.
const TERMS: usize = 9;
/// Rounds of Gauss and Newton.
const ROUNDS: usize = 3;
/// Number of places along the edges and across them at which slopes are measured.
const PLACE_COUNTS: (usize, usize) = (48, 160);
/// Number of places each way at which the surface is fitted to the displacements.
const POINT_COUNT: usize = 12;
/// Mean square of the differences of a map that shows hardly anything, which keeps its noise from
/// bending a surface.
const MIN_SQUARE: f64 = 0.002;
/// Half the distance in pixels of a map between the places of which a slope is the difference.
const HALF_STEP_PX: f64 = 1.0;

/// Which edges are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edges {
    /// Edges of rows.
    Rows,
    /// Outlines of columns.
    Columns,
}

impl Edges {
    /// u and v of a place along and across the edges.
    fn place(self, along: f64, across: f64) -> (f64, f64) {
        match self {
            Self::Rows => (along, across),
            Self::Columns => (across, along),
        }
    }

    /// Probability of such an edge.
    fn probability(self, maps: &Segmentation, p: Point) -> f64 {
        let channel = match self {
            Self::Rows => Channel::Row,
            Self::Columns => Channel::Column,
        };
        f64::from(maps.at(channel, p))
    }
}

/// The surface bent so that the edges of rows or columns run along it, from one along which they
/// nearly run.
///
/// Where edges of the map R run along t = t0 + d(s, t0), s along them and t across, R does not
/// change along them: R_s + R_t d_s = 0. The displacement d is a polynomial, its coefficients have
/// the least squares of these sums, as those of an optical flow have (Lucas and Kanade 1981).
pub fn follow_slopes(
    surface: &Surface,
    edges: Edges,
    maps: &Segmentation,
    parameters: &SurfaceParameters,
) -> Option<Surface> {
    let mut surface = surface.clone();
    for _ in 0..ROUNDS {
        let weights = fit_displacement(&surface, edges, maps, parameters);
        let share = |i: usize| (i as f64 + 0.5) / POINT_COUNT as f64;
        let places = (0..POINT_COUNT * POINT_COUNT)
            .map(|i| (share(i % POINT_COUNT), share(i / POINT_COUNT)));
        let points = places.map(|(along, across)| {
            let terms = displacement_terms(along, across);
            let displacement: f64 = terms.iter().zip(weights).map(|(term, w)| term * w).sum();
            let (u, v) = edges.place(along, across);
            let moved = edges.place(along, across + displacement);
            SurfacePoint {
                u,
                v,
                pixel: surface.at(moved.0, moved.1),
                weight: 1.0,
            }
        });
        surface = Surface::fit(&points.collect::<Vec<_>>(), true, parameters)?;
    }
    Some(surface)
}

/// Coefficients of the displacement of edges on a surface.
fn fit_displacement(
    surface: &Surface,
    edges: Edges,
    maps: &Segmentation,
    parameters: &SurfaceParameters,
) -> [f64; TERMS] {
    let at = |along: f64, across: f64| {
        let (u, v) = edges.place(along, across);
        surface.at(u, v)
    };
    let length_px = at(0.0, 0.5).distance(at(1.0, 0.5)).max(1.0);
    let depth_px = at(0.5, 0.0).distance(at(0.5, 1.0)).max(1.0);
    let (ds, dt) = (HALF_STEP_PX / length_px, HALF_STEP_PX / depth_px);
    let edge = |s: f64, t: f64| edges.probability(maps, at(s, t));
    let mut normal = [[0.0; TERMS + 1]; TERMS];
    let mut sum = 0.0;
    for i in 0..PLACE_COUNTS.0 * PLACE_COUNTS.1 {
        let s = ((i % PLACE_COUNTS.0) as f64 + 0.5) / PLACE_COUNTS.0 as f64;
        let t = ((i / PLACE_COUNTS.0) as f64 + 0.5) / PLACE_COUNTS.1 as f64;
        // Both differences in probability for each pixel.
        let along = (edge(s + ds, t) - edge(s - ds, t)) / (2.0 * HALF_STEP_PX);
        let across = (edge(s, t + dt) - edge(s, t - dt)) / (2.0 * HALF_STEP_PX);
        let slopes = displacement_slopes(s, t).map(|slope| slope * across * depth_px / length_px);
        add(&mut normal, slopes, -along, 1.0);
        sum += across * across;
    }
    let ridge =
        parameters.slope_ridge * (sum + MIN_SQUARE * (PLACE_COUNTS.0 * PLACE_COUNTS.1) as f64);
    add_ridge(&mut normal, ridge);
    eliminate(normal)
}

/// The terms of a displacement at a place: those that change along the edges.
fn displacement_terms(s: f64, t: f64) -> [f64; TERMS] {
    let (a, b) = (2.0 * s - 1.0, 2.0 * t - 1.0);
    let (p, q, r) = (second_legendre(a), second_legendre(b), third_legendre(a));
    [a, a * b, p, p * b, q * a, r, p * q, r * b, r * q]
}

/// By how much each term changes along the edges.
fn displacement_slopes(s: f64, t: f64) -> [f64; TERMS] {
    let (a, b) = (2.0 * s - 1.0, 2.0 * t - 1.0);
    let q = second_legendre(b);
    let (p, r) = (3.0 * a, (15.0 * a * a - 3.0) / 2.0);
    [1.0, b, p, p * b, q, r, p * q, r * b, r * q].map(|slope| 2.0 * slope)
}

#[cfg(test)]
mod tests {
    use super::super::drawn_table::DrawnTable;
    use super::*;
    use crate::geometry::Homography;

    #[test]
    fn rows_that_rise_by_a_parabola_are_followed() {
        let drop = |x: f64, _: f64| 6.0 * ((x - 100.0) / 80.0).powi(2);
        let table = DrawnTable {
            drop,
            ..DrawnTable::default()
        };
        let parameters = SurfaceParameters::default();
        let surface = follow_slopes(&table.surface(), Edges::Rows, &table.maps(), &parameters);
        let surface = surface.expect("a surface");
        for v in [0.1, 0.5, 0.9] {
            let middle = surface.at(0.5, v);
            for u in [0.02, 0.2, 0.4, 0.6, 0.8, 0.98] {
                let p = surface.at(u, v);
                let off = p.y - drop(p.x, p.y) - middle.y;
                assert!(off.abs() < 0.5, "{off} at {u}, {v}");
            }
        }
    }

    #[test]
    fn a_leaning_frame_is_set_upright_along_the_columns() {
        let table = DrawnTable::default();
        let [tl, tr, br, bl] = table.corners();
        let lean = |p: Point| Point::new(p.x + 4.0, p.y);
        let frame = Homography::onto(&[lean(tl), lean(tr), br, bl]).expect("a parallelogram");
        let (flat, parameters) = (Surface::flat(frame), SurfaceParameters::default());
        let surface = follow_slopes(&flat, Edges::Columns, &table.maps(), &parameters);
        let surface = surface.expect("a surface");
        for u in [0.05, 0.3, 0.7, 0.95] {
            let off = surface.at(u, 0.05).x - surface.at(u, 0.95).x;
            assert!(off.abs() < 0.3, "{off} at {u}");
        }
    }
}
