//! The border of a column: pixel x as a polynomial of pixel y, fitted so that stray points hardly
//! count.

use super::equations::{add, eliminate};
use crate::robust::{median, theil_sen_slope};

/// Rounds of the fit by iteratively reweighted least squares.
const ROUNDS: usize = 4;
/// Smallest distance in pixels at which a point counts less.
const MIN_RESIDUAL_PX: f64 = 1.5;
/// A point that lies so many times as far off as usual does not count.
const OUTLIER_FACTOR: f64 = 3.0;

/// A parabola x = a + b t + c t^2 with t = (y - middle) / half.
#[derive(Debug, Clone, Copy)]
pub struct Parabola {
    coefficients: [f64; 3],
    middle: f64,
    half: f64,
}

impl Parabola {
    /// The parabola, or the line where `is_straight`, through points (y, x) but for stray ones: at
    /// first the line of Theil and Sen, then by Huber weights, and none for outliers.
    pub fn fit(points: &[(f64, f64)], is_straight: bool) -> Self {
        let low = points.iter().map(|p| p.0).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(|p| p.0).fold(f64::NEG_INFINITY, f64::max);
        let mut parabola = Self {
            coefficients: [0.0; 3],
            middle: (low + high) / 2.0,
            half: ((high - low) / 2.0).max(1.0),
        };
        let slope = theil_sen_slope(points, parabola.half).unwrap_or(0.0);
        let offsets = points
            .iter()
            .map(|&(y, x)| x - slope * (y - parabola.middle));
        let offset = median(offsets, f64::total_cmp).unwrap_or(0.0);
        parabola.coefficients = [offset, slope * parabola.half, 0.0];
        for _ in 0..ROUNDS {
            let residual = |&(y, x): &(f64, f64)| (x - parabola.at(y)).abs();
            let usual = median(points.iter().map(residual), f64::total_cmp).unwrap_or(0.0);
            let usual = (1.5 * usual).max(MIN_RESIDUAL_PX);
            let mut normal = [[0.0; 4]; 3];
            for point @ &(y, x) in points {
                let weight = huber_weight(residual(point), usual, OUTLIER_FACTOR);
                let t = (y - parabola.middle) / parabola.half;
                let square = if is_straight { 0.0 } else { t * t };
                add(&mut normal, [1.0, t, square], x, weight);
            }
            parabola.coefficients = eliminate(normal);
        }
        parabola
    }

    /// Pixel x at a pixel y.
    pub fn at(&self, y: f64) -> f64 {
        let t = (y - self.middle) / self.half;
        let [a, b, c] = self.coefficients;
        a + t * (b + t * c)
    }
}

/// Weight of a point by its residual (Huber 1964): 1 up to the usual one, then falling, 0
/// beyond `outlier_factor` times that.
pub fn huber_weight(residual: f64, usual: f64, outlier_factor: f64) -> f64 {
    if residual > outlier_factor * usual {
        0.0
    } else {
        (usual / residual.max(1e-9)).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_stray_points_does_not_move_the_border() {
        let points: Vec<(f64, f64)> = (0..60)
            .map(|y| {
                let y = f64::from(y);
                let stray = if y % 10.0 == 0.0 { 25.0 } else { 0.0 };
                (y, 10.0 + 0.1 * y + 0.002 * y * y + stray)
            })
            .collect();
        let border = Parabola::fit(&points, false);
        for y in [0.0, 30.0, 59.0] {
            assert!(
                (border.at(y) - (10.0 + 0.1 * y + 0.002 * y * y)).abs() < 0.5,
                "{y}"
            );
        }
    }
}
