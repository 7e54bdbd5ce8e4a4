//! A hidden layer of 16-bit integers of which few of many inputs are 1: the sum of some rows of a
//! matrix. The loops have fixed lengths, so that the compiler makes vectors of them.

use std::iter;

use crate::Level;
use crate::level::dispatch;

/// Number of partial sums of [`weigh`]: so many products are added side by side, always the same,
/// so that the result does not depend on the level.
const PARTIAL_SUMS: usize = 8;

/// The sum of `start` and of the `rows` with these indices. Sums beyond the range of `i16` stay at
/// its end.
///
/// # Panics
/// Where there is no row with an index.
#[must_use]
pub fn add<const UNITS: usize>(
    level: Level,
    start: &[i16; UNITS],
    rows: &[[i16; UNITS]],
    indices: &[usize],
) -> [i16; UNITS] {
    dispatch!(level, simd => add_rows(start, rows, indices))
}

/// The sum of those of the values above 0, each with its weight.
#[must_use]
pub fn weigh<const UNITS: usize>(
    level: Level,
    values: &[i16; UNITS],
    weights: &[f32; UNITS],
) -> f32 {
    dispatch!(level, simd => weigh_values(values, weights))
}

#[inline(always)]
fn add_rows<const UNITS: usize>(
    start: &[i16; UNITS],
    rows: &[[i16; UNITS]],
    indices: &[usize],
) -> [i16; UNITS] {
    let mut sum = *start;
    for &index in indices {
        for (sum, value) in iter::zip(&mut sum, &rows[index]) {
            *sum = sum.saturating_add(*value);
        }
    }
    sum
}

#[inline(always)]
fn weigh_values<const UNITS: usize>(values: &[i16; UNITS], weights: &[f32; UNITS]) -> f32 {
    let mut sums = [0.0; PARTIAL_SUMS];
    let values = values.as_chunks::<PARTIAL_SUMS>();
    let weights = weights.as_chunks::<PARTIAL_SUMS>();
    for (values, weights) in iter::zip(values.0, weights.0) {
        for i in 0..PARTIAL_SUMS {
            sums[i] += f32::from(values[i].max(0)) * weights[i];
        }
    }
    let rest = iter::zip(values.1, weights.1);
    let rest: f32 = rest
        .map(|(&value, weight)| f32::from(value.max(0)) * weight)
        .sum();
    sums.iter().sum::<f32>() + rest
}
