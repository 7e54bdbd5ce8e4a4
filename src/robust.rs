//! Statistics that outliers hardly move.

use std::cmp::Ordering;

/// The median by an order, of an even count the upper one of the two in the middle; None of
/// nothing.
pub(crate) fn median<T: Copy>(
    values: impl IntoIterator<Item = T>,
    order: impl FnMut(&T, &T) -> Ordering,
) -> Option<T> {
    let mut values: Vec<T> = values.into_iter().collect();
    let half = values.len() / 2;
    (!values.is_empty()).then(|| *values.select_nth_unstable_by(half, order).1)
}

/// Slope dy/dx of the line through points after Theil and Sen: the median of the slopes of all
/// pairs that lie at least `min_distance` apart in x. None where no pair does.
pub(crate) fn theil_sen_slope(points: &[(f64, f64)], min_distance: f64) -> Option<f64> {
    let pairs = points
        .iter()
        .enumerate()
        .flat_map(|(i, a)| points[i + 1..].iter().map(move |b| (b.0 - a.0, b.1 - a.1)));
    let apart = pairs.filter(|(dx, _)| dx.abs() >= min_distance);
    median(apart.map(|(dx, dy)| dy / dx), f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_point_off_the_line_does_not_move_its_slope() {
        let mut points: Vec<(f64, f64)> =
            (0..9).map(|i| (f64::from(i), f64::from(2 * i))).collect();
        points[4].1 = 100.0;
        assert_eq!(theil_sen_slope(&points, 0.5), Some(2.0));
        assert_eq!(theil_sen_slope(&points, 9.0), None);
    }

    #[test]
    fn the_median_of_an_even_count_is_the_upper_one_of_the_middle() {
        assert_eq!(median([4, 1, 3, 2], i32::cmp), Some(3));
        assert_eq!(median([], i32::cmp), None);
    }
}
