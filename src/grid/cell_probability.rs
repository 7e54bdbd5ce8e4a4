//! How surely places of a table lie in cells.

use super::surface::Surface;
use crate::geometry::Point;

/// Number of places across and down a cell that tell whether it is one.
const PROBES: (usize, usize) = (7, 5);
/// Width of the border of a cell where it is not looked at, as a share of its width and height.
const BORDER_SHARE: f64 = 0.1;
/// Heights in a row at which a line down the rows is looked up, as shares of the row's height.
const ROW_HEIGHT_SHARES: [f64; 3] = [0.3, 0.5, 0.7];
/// Probabilities are taken for at least this and at most one less it before their log-odds.
pub const MIN_PROBABILITY: f32 = 0.02;

/// Pixels of places in the cell of a row between two borders.
pub fn places_in_cell(
    surface: &Surface,
    rows: usize,
    [left, right]: [f64; 2],
    row: i32,
) -> [Point; PROBES.0 * PROBES.1] {
    let (across, down) = PROBES;
    let share = |i: usize, n: usize| {
        BORDER_SHARE + (1.0 - 2.0 * BORDER_SHARE) * (i as f64 + 0.5) / n as f64
    };
    std::array::from_fn(|i| {
        let u = left + (right - left) * share(i % across, across);
        let v = (f64::from(row) + share(i / across, down)) / rows as f64;
        surface.at(u, v)
    })
}

/// Mean of a function over some places.
pub fn mean_over(places: &[Point], of: impl Fn(Point) -> f32) -> f32 {
    places.iter().map(|&p| of(p)).sum::<f32>() / places.len() as f32
}

/// Pixels of some heights in a row, on the line down the rows at u.
pub fn places_in_row(surface: &Surface, rows: usize, u: f64, row: i32) -> [Point; 3] {
    ROW_HEIGHT_SHARES.map(|share| surface.at(u, (f64::from(row) + share) / rows as f64))
}

/// Log-odds of a probability in nats, neither of which is taken for certain.
pub fn log_odds(probability: f32) -> f32 {
    let p = probability.clamp(MIN_PROBABILITY, 1.0 - MIN_PROBABILITY);
    (p / (1.0 - p)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Homography;

    #[test]
    fn nothing_is_certain() {
        assert!((log_odds(0.5)).abs() < 1e-6);
        assert_eq!(log_odds(1.0), log_odds(0.999));
        assert!((log_odds(1.0) + log_odds(0.0)).abs() < 1e-4);
    }

    #[test]
    fn the_mean_of_a_cell_is_taken_inside_it() {
        let corners = [(0.0, 0.0), (100.0, 0.0), (100.0, 50.0), (0.0, 50.0)];
        let map = Homography::onto(&corners.map(|(x, y)| Point::new(x, y))).expect("convex");
        let is_inside = |p: Point| {
            let inside = (20.0..40.0).contains(&p.x) && (10.0..20.0).contains(&p.y);
            f32::from(u8::from(inside))
        };
        let surface = Surface::flat(map);
        let mean = |row| mean_over(&places_in_cell(&surface, 5, [0.2, 0.4], row), is_inside);
        assert_eq!(mean(1), 1.0);
        assert_eq!(mean(2), 0.0);
    }
}
