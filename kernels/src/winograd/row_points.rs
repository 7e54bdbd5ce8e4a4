//! The first half of the input transform: along the rows.

use std::iter;

use fearless_simd::SimdBase;

use super::transforms::transform_inputs;
use super::{TILE_OUTPUTS, TILE_WIDTH};
use crate::level::Registers;

/// The points along each row of a channel, with a row of zeros above it and below.
pub(super) struct RowPoints {
    /// `[rows][TILE_WIDTH][stride]`.
    points: Vec<f32>,
    /// Tiles of a row, filled up to whole vectors.
    pub(super) stride: usize,
    /// A row of the picture, after one zero and before some.
    padded: Vec<f32>,
}

impl RowPoints {
    pub(super) fn zeroed<S: Registers>(rows: usize, tiles: usize) -> Self {
        let stride = tiles.next_multiple_of(S::Row::LEN);
        Self {
            points: vec![0.0; rows * TILE_WIDTH * stride],
            stride,
            // The last inputs of a vector of tiles belong to the next.
            padded: vec![0.0; (stride + S::Row::LEN) * TILE_OUTPUTS],
        }
    }

    #[inline(always)]
    pub(super) fn fill<S: Registers>(&mut self, simd: S, picture: &[f32], width: usize) {
        let lanes = S::Row::LEN;
        let points = self
            .points
            .chunks_exact_mut(TILE_WIDTH * self.stride)
            .skip(1);
        for (points, row) in points.zip(picture.chunks_exact(width)) {
            self.padded[1..=width].copy_from_slice(row);
            let mut next = sort_by_remainder(simd, &self.padded);
            for at in (0..self.stride).step_by(lanes) {
                let [a, b, c, d] = next;
                next = sort_by_remainder(simd, &self.padded[(at + lanes) * TILE_OUTPUTS..]);
                let inputs = [a, b, c, d, a.slide::<1>(next[0]), b.slide::<1>(next[1])];
                for (b, point) in transform_inputs(inputs).iter().enumerate() {
                    point.store_slice(&mut points[b * self.stride + at..][..lanes]);
                }
            }
        }
    }

    /// A point of a row, for a vector of tiles from tile `at` on.
    #[inline(always)]
    pub(super) fn get<S: Registers>(&self, simd: S, row: usize, point: usize, at: usize) -> S::Row {
        let from = (row * TILE_WIDTH + point) * self.stride + at;
        S::Row::from_slice(simd, &self.points[from..][..S::Row::LEN])
    }
}

/// The first values of a slice: every fourth from each of the first four on.
#[inline(always)]
fn sort_by_remainder<S: Registers>(simd: S, values: &[f32]) -> [S::Row; TILE_OUTPUTS] {
    let lanes = S::Row::LEN;
    let values = &values[..TILE_OUTPUTS * lanes];
    let mut vectors = [S::Row::splat(simd, 0.0); TILE_OUTPUTS];
    for (vector, values) in iter::zip(&mut vectors, values.chunks_exact(lanes)) {
        *vector = S::Row::from_slice(simd, values);
    }
    let (even_low, odd_low) = vectors[0].deinterleave(vectors[1]);
    let (even_high, odd_high) = vectors[2].deinterleave(vectors[3]);
    let (first, third) = even_low.deinterleave(even_high);
    let (second, fourth) = odd_low.deinterleave(odd_high);
    [first, second, third, fourth]
}
