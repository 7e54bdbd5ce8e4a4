//! A hidden layer of 16-bit integers of which few of many inputs are 1: the sum of some rows of a
//! matrix. The loops have fixed lengths, so that the compiler makes vectors of them.

use std::iter;

use crate::Level;
use crate::level::dispatch;

/// Number of partial sums of [`weigh`]: so many products are added side by side, always the same,
/// so that the result does not depend on the level.
pub const PARTIAL_SUMS: usize = 8;

/// The sum of `start` and of the `rows` with these indices. Sums beyond the range of `i16` stay at
/// its end.
///
/// # Panics
/// Where there is no row with an index.
#[must_use]
pub fn add<const UNIT_COUNT: usize>(
    level: Level,
    start: &[i16; UNIT_COUNT],
    rows: &[[i16; UNIT_COUNT]],
    indices: &[usize],
) -> [i16; UNIT_COUNT] {
    dispatch!(level, simd => add_rows(start, rows, indices))
}

/// The sum of those of the values above 0, each with its weight. Their number is a multiple of
/// [`PARTIAL_SUMS`], or else the call does not compile.
#[must_use]
pub fn weigh<const UNIT_COUNT: usize>(
    level: Level,
    values: &[i16; UNIT_COUNT],
    weights: &[f32; UNIT_COUNT],
) -> f32 {
    dispatch!(level, simd => weigh_values(values, weights))
}

#[inline(always)]
fn add_rows<const UNIT_COUNT: usize>(
    start: &[i16; UNIT_COUNT],
    rows: &[[i16; UNIT_COUNT]],
    indices: &[usize],
) -> [i16; UNIT_COUNT] {
    let mut sum = *start;
    for &index in indices {
        for (sum, value) in iter::zip(&mut sum, &rows[index]) {
            *sum = sum.saturating_add(*value);
        }
    }
    sum
}

#[inline(always)]
fn weigh_values<const UNIT_COUNT: usize>(
    values: &[i16; UNIT_COUNT],
    weights: &[f32; UNIT_COUNT],
) -> f32 {
    const {
        assert!(UNIT_COUNT.is_multiple_of(PARTIAL_SUMS));
    }
    let mut sums = [0.0; PARTIAL_SUMS];
    let (values, _) = values.as_chunks::<PARTIAL_SUMS>();
    let (weights, _) = weights.as_chunks::<PARTIAL_SUMS>();
    for (values, weights) in iter::zip(values, weights) {
        for i in 0..PARTIAL_SUMS {
            sums[i] += f32::from(values[i].max(0)) * weights[i];
        }
    }
    sums.iter().sum()
}
