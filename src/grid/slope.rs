//! The bend of a table along its rows, by the slope of their edges: it can be told before the edges
//! are, so that no line through the rows is taken for its neighbour where paper curls.

use super::equations::{add, eliminate};
use super::parameters::SurfaceParameters;
use super::segmentation::{Channel, Segmentation};
use super::surface::{Surface, SurfacePoint};

/// Number of terms of the displacement of rows.
const TERMS: usize = 9;
/// Rounds of Gauss and Newton.
const ROUNDS: usize = 3;
/// Number of places across the table and down it at which slopes are measured.
const PLACES: (usize, usize) = (48, 160);
/// Number of places each way at which the surface is fitted to the displacements.
const POINTS: usize = 12;
/// Half the distance in pixels of a map between the places of which a slope is the difference.
const HALF_STEP_PX: f64 = 1.0;

/// The surface bent so that the edges of rows run along it, from one that is nearly level.
///
/// Where the edges of the map R run along v = v0 + d(u, v0), R does not change along them:
/// R_u + R_v d_u = 0. The displacement d is a polynomial, its coefficients have the least squares of
/// these sums, as those of an optical flow have (Lucas and Kanade 1981).
pub fn follow_slopes(
    surface: &Surface,
    maps: &Segmentation,
    parameters: &SurfaceParameters,
) -> Option<Surface> {
    let mut surface = surface.clone();
    for _ in 0..ROUNDS {
        let weights = fit_displacement(&surface, maps, parameters);
        let share = |i: usize| (i as f64 + 0.5) / POINTS as f64;
        let places = (0..POINTS * POINTS).map(|i| (share(i % POINTS), share(i / POINTS)));
        let points = places.map(|(u, v)| {
            let terms = displacement_terms(u, v);
            let displacement: f64 = terms.iter().zip(weights).map(|(term, w)| term * w).sum();
            SurfacePoint {
                u,
                v,
                pixel: surface.at(u, v + displacement),
                weight: 1.0,
            }
        });
        surface = Surface::fit(&points.collect::<Vec<_>>(), true, parameters)?;
    }
    Some(surface)
}

/// Coefficients of the displacement of rows on a surface.
fn fit_displacement(
    surface: &Surface,
    maps: &Segmentation,
    parameters: &SurfaceParameters,
) -> [f64; TERMS] {
    let size = |a: (f64, f64), b: (f64, f64)| surface.at(a.0, a.1).distance(surface.at(b.0, b.1));
    let width_px = size((0.0, 0.5), (1.0, 0.5)).max(1.0);
    let height_px = size((0.5, 0.0), (0.5, 1.0)).max(1.0);
    let (du, dv) = (HALF_STEP_PX / width_px, HALF_STEP_PX / height_px);
    let edge = |u: f64, v: f64| f64::from(maps.at(Channel::Row, surface.at(u, v)));
    let mut normal = [[0.0; TERMS + 1]; TERMS];
    let mut sum = 0.0;
    for i in 0..PLACES.0 * PLACES.1 {
        let u = ((i % PLACES.0) as f64 + 0.5) / PLACES.0 as f64;
        let v = ((i / PLACES.0) as f64 + 0.5) / PLACES.1 as f64;
        // Both differences in probability for each pixel.
        let across = (edge(u + du, v) - edge(u - du, v)) / (2.0 * HALF_STEP_PX);
        let down = (edge(u, v + dv) - edge(u, v - dv)) / (2.0 * HALF_STEP_PX);
        let slopes = displacement_slopes(u, v).map(|slope| slope * down * height_px / width_px);
        add(&mut normal, slopes, -across, 1.0);
        sum += down * down;
    }
    for (i, row) in normal.iter_mut().enumerate() {
        row[i] += parameters.slope_ridge * sum;
    }
    eliminate(normal)
}

/// The terms of a displacement at a place: those of a bend that change along a row.
fn displacement_terms(u: f64, v: f64) -> [f64; TERMS] {
    let (a, b) = (2.0 * u - 1.0, 2.0 * v - 1.0);
    let (p, q) = ((3.0 * a * a - 1.0) / 2.0, (3.0 * b * b - 1.0) / 2.0);
    let r = (5.0 * a * a - 3.0) * a / 2.0;
    [a, a * b, p, p * b, q * a, r, p * q, r * b, r * q]
}

/// By how much each term changes with u.
fn displacement_slopes(u: f64, v: f64) -> [f64; TERMS] {
    let (a, b) = (2.0 * u - 1.0, 2.0 * v - 1.0);
    let q = (3.0 * b * b - 1.0) / 2.0;
    let (p, r) = (3.0 * a, (15.0 * a * a - 3.0) / 2.0);
    [1.0, b, p, p * b, q, r, p * q, r * b, r * q].map(|slope| 2.0 * slope)
}
