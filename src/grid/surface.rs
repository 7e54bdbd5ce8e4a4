//! The surface of a table: where a place of the flat form lies in the picture.
//!
//! A place is (u, v), u from 0 to 1 across and v from 0 to 1 down the table. It goes to pixels by a
//! homography of (u + bend_u(u, v), v + bend_v(u, v)). The bends are polynomials of low order that
//! no homography has: paper that curls, and lenses.

use super::equations::{add, add_ridge, eliminate};
use super::parabola::huber_weight;
use super::parameters::SurfaceParameters;
use crate::geometry::{Homography, Point};
use crate::robust::median;

/// Number of terms of a bend.
const TERMS: usize = 9;
/// A point that lies so many times as far off as usual does not count.
const OUTLIER_FACTOR: f64 = 6.0;
/// Rounds of the fit by iteratively reweighted least squares.
const ROUNDS: usize = 6;

/// A place of the form whose place in the picture was measured.
#[derive(Debug, Clone, Copy)]
pub struct SurfacePoint {
    /// Place across the form.
    pub u: f64,
    /// Place down the form.
    pub v: f64,
    /// Place in the picture in pixels.
    pub pixel: Point,
    /// Weight in the fit.
    pub weight: f64,
}

/// Where the places of a form lie in a picture.
#[derive(Debug, Clone)]
pub struct Surface {
    homography: Homography,
    bend_u: [f64; TERMS],
    bend_v: [f64; TERMS],
}

impl Surface {
    /// A flat surface.
    pub fn flat(homography: Homography) -> Self {
        Self {
            homography,
            bend_u: [0.0; TERMS],
            bend_v: [0.0; TERMS],
        }
    }

    /// The pixel of a place.
    #[inline]
    pub fn at(&self, u: f64, v: f64) -> Point {
        let terms = bend_terms(u, v);
        let bend = |weights: &[f64; TERMS]| -> f64 {
            terms
                .iter()
                .zip(weights)
                .map(|(term, weight)| term * weight)
                .sum()
        };
        self.homography
            .at(u + bend(&self.bend_u), v + bend(&self.bend_v))
    }

    /// The surface nearest to some points, flat or bent, on which stray points hardly count. None
    /// where they determine none.
    pub fn fit(
        points: &[SurfacePoint],
        is_bent: bool,
        parameters: &SurfaceParameters,
    ) -> Option<Self> {
        let mut weighted = points.to_vec();
        let mut surface = None;
        for _ in 0..ROUNDS {
            let fitted = Self::fit_weighted(&weighted, is_bent, parameters)?;
            let residual = |p: &SurfacePoint| fitted.at(p.u, p.v).distance(p.pixel);
            let usual = 1.5 * median(points.iter().map(residual), f64::total_cmp)?;
            let usual = usual.max(parameters.min_residual_px);
            for (weighted, point) in weighted.iter_mut().zip(points) {
                weighted.weight =
                    point.weight * huber_weight(residual(point), usual, OUTLIER_FACTOR);
            }
            surface = Some(fitted);
        }
        surface
    }

    /// The surface nearest to points by least squares: the homography first, then what remains as a
    /// bend.
    fn fit_weighted(
        points: &[SurfacePoint],
        is_bent: bool,
        parameters: &SurfaceParameters,
    ) -> Option<Self> {
        let homography = fit_homography(points)?;
        let mut surface = Self::flat(homography);
        if !is_bent {
            return Some(surface);
        }
        let back = homography.inverse()?;
        let mut normals = [[[0.0; TERMS + 1]; TERMS]; 2];
        for point in points {
            let flat = back.at(point.pixel.x, point.pixel.y);
            let terms = bend_terms(point.u, point.v);
            add(&mut normals[0], terms, flat.x - point.u, point.weight);
            add(&mut normals[1], terms, flat.y - point.v, point.weight);
        }
        let ridge = parameters.bend_ridge * points.iter().map(|p| p.weight).sum::<f64>();
        for normal in &mut normals {
            add_ridge(normal, ridge);
        }
        [surface.bend_u, surface.bend_v] = normals.map(eliminate);
        Some(surface)
    }
}

/// The Legendre polynomial of second degree.
pub fn second_legendre(t: f64) -> f64 {
    (3.0 * t * t - 1.0) / 2.0
}

/// The Legendre polynomial of third degree.
pub fn third_legendre(t: f64) -> f64 {
    (5.0 * t * t - 3.0) * t / 2.0
}

/// The terms of a bend at a place: products of Legendre polynomials of second and third degree,
/// which over the whole table have no part in common with what a homography makes.
#[inline]
fn bend_terms(u: f64, v: f64) -> [f64; TERMS] {
    let (a, b) = (2.0 * u - 1.0, 2.0 * v - 1.0);
    let (p, q) = (second_legendre(a), second_legendre(b));
    let (r, s) = (third_legendre(a), third_legendre(b));
    [p, q, p * b, q * a, r, s, p * q, r * b, s * a]
}

/// The homography nearest to points: the direct linear transformation (Hartley and Zisserman,
/// Multiple View Geometry, algorithm 4.1, with the last element fixed at 1).
pub fn fit_homography(points: &[SurfacePoint]) -> Option<Homography> {
    let size = points
        .iter()
        .map(|p| p.pixel.x.abs().max(p.pixel.y.abs()))
        .fold(1.0, f64::max);
    let mut normal = [[0.0; 9]; 8];
    for point in points {
        let (u, v, weight) = (point.u, point.v, point.weight);
        let (x, y) = (point.pixel.x / size, point.pixel.y / size);
        for (terms, value) in [
            ([u, v, 1.0, 0.0, 0.0, 0.0, -u * x, -v * x], x),
            ([0.0, 0.0, 0.0, u, v, 1.0, -u * y, -v * y], y),
        ] {
            add(&mut normal, terms, value, weight);
        }
    }
    let h: [f64; 8] = eliminate(normal);
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(u, v)| {
        let depth = h[6] * u + h[7] * v + 1.0;
        let [x, y] = [0, 3].map(|i| size * (h[i] * u + h[i + 1] * v + h[i + 2]) / depth);
        Point::new(x, y)
    });
    Homography::onto(&corners)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of a page that curls: a homography of a bent square, one in `stray` far off.
    fn points(stray: usize) -> Vec<SurfacePoint> {
        let corners = [(20.0, 30.0), (210.0, 22.0), (230.0, 270.0), (8.0, 250.0)];
        let map = Homography::onto(&corners.map(|(x, y)| Point::new(x, y))).expect("convex");
        (0..300)
            .map(|i| {
                let (u, v) = (f64::from(i % 12) / 11.0, f64::from(i / 12) / 24.0);
                let mut pixel = map.at(u, v + 0.02 * (4.0 * u * (1.0 - u)));
                if (i as usize).is_multiple_of(stray) {
                    pixel.y += 9.0;
                }
                SurfacePoint {
                    u,
                    v,
                    pixel,
                    weight: 1.0,
                }
            })
            .collect()
    }

    #[test]
    fn bent_paper_is_followed_whatever_stray_points_say() {
        let parameters = SurfaceParameters::default();
        let surface = Surface::fit(&points(7), true, &parameters).expect("a surface");
        for p in points(usize::MAX).iter().skip(1) {
            let off = surface.at(p.u, p.v).distance(p.pixel);
            assert!(off < 0.5, "{off} pixels at {}, {}", p.u, p.v);
        }
    }

    #[test]
    fn points_on_a_line_have_no_surface() {
        let line: Vec<SurfacePoint> = points(9).into_iter().filter(|p| p.v == 0.0).collect();
        assert!(Surface::fit(&line, false, &SurfaceParameters::default()).is_none());
    }
}
