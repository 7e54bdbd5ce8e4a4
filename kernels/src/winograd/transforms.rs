//! The transforms of a tile along one axis, for a vector of tiles at once.

use std::iter;
use std::ops::{Add, Mul, Sub};

use fearless_simd::SimdBase;

use super::{TILE_OUTPUTS, TILE_WIDTH};
use crate::level::Registers;

/// The points of six inputs by F(4, 3), of five by F(3, 3).
#[inline(always)]
pub(super) fn transform_inputs<V, const INPUTS: usize>(d: [V; INPUTS]) -> [V; INPUTS]
where
    V: Copy + Add<Output = V> + Sub<Output = V> + Mul<f32, Output = V>,
{
    let mut points = d;
    match INPUTS {
        6 => {
            points[0] = d[0] * 4.0 - d[2] * 5.0 + d[4];
            let (even, odd) = (d[4] - d[2] * 4.0, d[3] - d[1] * 4.0);
            points[1] = even + odd;
            points[2] = even - odd;
            let (even, odd) = (d[4] - d[2], (d[3] - d[1]) * 2.0);
            points[3] = even + odd;
            points[4] = even - odd;
            points[5] = d[1] * 4.0 - d[3] * 5.0 + d[5];
        }
        _ => {
            points[0] = (d[0] - d[2]) * 2.0 - d[1] + d[3];
            points[1] = d[3] - d[2] - d[1] * 2.0;
            points[2] = d[3] - d[2] * 3.0 + d[1] * 2.0;
            points[3] = d[3] - d[1];
            points[4] = (d[1] - d[3]) * 2.0 - d[2] + d[4];
        }
    }
    points
}

/// The outputs of a tile, from its points and the bias of its channel.
#[inline(always)]
pub(super) fn transform_tile<S: Registers, const DOWN: usize, const OUTPUTS: usize>(
    simd: S,
    points: &[[S::Row; TILE_WIDTH]; DOWN],
    bias: f32,
) -> [[S::Row; TILE_OUTPUTS]; OUTPUTS] {
    let zero = S::Row::splat(simd, 0.0);
    let mut along = [[zero; TILE_OUTPUTS]; DOWN];
    for (outputs, points) in iter::zip(&mut along, points) {
        *outputs = transform_points(*points);
    }
    let mut tile = [[zero; TILE_OUTPUTS]; OUTPUTS];
    for x in 0..TILE_OUTPUTS {
        let mut column = [zero; DOWN];
        for (point, along) in iter::zip(&mut column, &along) {
            *point = along[x];
        }
        let outputs: [S::Row; OUTPUTS] = transform_points(column);
        for (row, output) in iter::zip(&mut tile, &outputs) {
            row[x] = *output + bias;
        }
    }
    tile
}

/// The four outputs of six points by F(4, 3), the three of five by F(3, 3), or the point itself.
#[inline(always)]
fn transform_points<V, const POINTS: usize, const OUTPUTS: usize>(m: [V; POINTS]) -> [V; OUTPUTS]
where
    V: Copy + Add<Output = V> + Sub<Output = V> + Mul<f32, Output = V>,
{
    let mut outputs = [m[0]; OUTPUTS];
    match POINTS {
        6 => {
            let (sum, difference) = (m[1] + m[2], m[1] - m[2]);
            let (sum_2, difference_2) = (m[3] + m[4], m[3] - m[4]);
            outputs[0] = m[0] + sum + sum_2;
            outputs[1] = difference + difference_2 * 2.0;
            outputs[2] = sum + sum_2 * 4.0;
            outputs[3] = difference + difference_2 * 8.0 + m[5];
        }
        5 => {
            let (sum, difference) = (m[1] + m[2], m[1] - m[2]);
            outputs[0] = m[0] + sum + m[3];
            outputs[1] = difference + m[3] * 2.0;
            outputs[2] = sum + m[3] * 4.0 + m[4];
        }
        _ => {}
    }
    outputs
}
