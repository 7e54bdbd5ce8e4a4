//! Bilinear samples of a grey picture along a row that is mapped by a homography.

use std::iter;

use fearless_simd::prelude::*;

use crate::Level;
use crate::level::{Registers, dispatch};

/// A homography along one row: at place u, the homogeneous coordinates x, y and w of the picture
/// are `slope * u + start`.
#[derive(Clone, Copy, Debug)]
pub struct ProjectiveRow {
    /// Derivatives by u.
    pub slope: [f32; 3],
    /// Coordinates at u = 0.
    pub start: [f32; 3],
}

/// Samples rows at the same places. All levels give the same samples bit by bit.
///
/// Each step goes through a whole row, so that only the pixels are fetched one by one.
#[derive(Clone, Debug)]
pub struct RowSampler {
    /// How many places there are. Behind them all arrays are filled up to whole vectors.
    count: usize,
    us: Vec<f32>,
    /// The pixel above and left of each sample.
    columns: Vec<i32>,
    rows: Vec<i32>,
    /// How far the sample is right of it and below it, in pixels.
    right: Vec<f32>,
    down: Vec<f32>,
    /// The four pixels around each sample, a byte each: from the lowest on above left, above right,
    /// below left, below right.
    pixels: Vec<u32>,
    samples: Vec<f32>,
}

/// Lanes of the widest level.
const MAX_LANES: usize = 16;

impl RowSampler {
    /// A sampler for these places.
    #[must_use]
    pub fn new(mut us: Vec<f32>) -> Self {
        let count = us.len();
        let padded = count.next_multiple_of(MAX_LANES);
        us.resize(padded, 0.0);
        Self {
            count,
            us,
            columns: vec![0; padded],
            rows: vec![0; padded],
            right: vec![0.0; padded],
            down: vec![0.0; padded],
            pixels: vec![0; padded],
            samples: vec![0.0; padded],
        }
    }

    /// Grey levels of a picture, `[height, width]`, along a row, one for each place. Pixel centres
    /// have whole coordinates. A sample is 0 where one of the four pixels around it is missing.
    pub fn sample(
        &mut self,
        level: Level,
        row: &ProjectiveRow,
        picture: &[u8],
        width: usize,
    ) -> &[f32] {
        dispatch!(level, simd => self.locate(simd, row));
        self.fetch_pixels(picture, width);
        dispatch!(level, simd => self.interpolate(simd));
        &self.samples[..self.count]
    }

    #[inline(always)]
    fn locate<S: Registers>(&mut self, simd: S, row: &ProjectiveRow) {
        let lanes = S::f32s::LEN;
        let columns = iter::zip(
            self.columns.chunks_exact_mut(lanes),
            self.right.chunks_exact_mut(lanes),
        );
        let rows = iter::zip(
            self.rows.chunks_exact_mut(lanes),
            self.down.chunks_exact_mut(lanes),
        );
        let places = self.us.chunks_exact(lanes);
        for ((us, (columns, right)), (rows, down)) in places.zip(columns).zip(rows) {
            let us = S::f32s::from_slice(simd, us);
            let x = us * row.slope[0] + row.start[0];
            let y = us * row.slope[1] + row.start[1];
            let w = us * row.slope[2] + row.start[2];
            let depth = S::f32s::splat(simd, 1.0) / w;
            let (x, y) = (x * depth, y * depth);
            let (column, line): (S::i32s, S::i32s) = (x.to_int(), y.to_int());
            column.store_slice(columns);
            line.store_slice(rows);
            (x - column.to_float::<S::f32s>()).store_slice(right);
            (y - line.to_float::<S::f32s>()).store_slice(down);
        }
    }

    fn fetch_pixels(&mut self, picture: &[u8], width: usize) {
        let places = iter::zip(&self.columns, &self.rows);
        for (pixels, (&column, &row)) in iter::zip(&mut self.pixels, places) {
            // A negative number becomes one that is larger than any picture.
            let from = (row as usize)
                .wrapping_mul(width)
                .wrapping_add(column as usize);
            let pair = |from: usize| Some(u16::from_le_bytes(*picture.get(from..)?.first_chunk()?));
            *pixels = match (pair(from), pair(from.wrapping_add(width))) {
                (Some(above), Some(below)) => u32::from(above) | u32::from(below) << 16,
                _ => 0,
            };
        }
    }

    #[inline(always)]
    fn interpolate<S: Registers>(&mut self, simd: S) {
        let lanes = S::f32s::LEN;
        let shares = iter::zip(
            self.right.chunks_exact(lanes),
            self.down.chunks_exact(lanes),
        );
        let pixels = self.pixels.chunks_exact(lanes).zip(shares);
        for (samples, (pixels, (right, down))) in
            iter::zip(self.samples.chunks_exact_mut(lanes), pixels)
        {
            let pixels = S::u32s::from_slice(simd, pixels);
            let right = S::f32s::from_slice(simd, right);
            let down = S::f32s::from_slice(simd, down);
            // The bytes are converted as signed numbers, for which all levels have an instruction.
            let byte = S::u32s::splat(simd, 0xff);
            let above_left = to_float::<S>(pixels & byte);
            let above_right = to_float::<S>((pixels >> 8) & byte);
            let below_left = to_float::<S>((pixels >> 16) & byte);
            let below_right = to_float::<S>(pixels >> 24);
            let above = above_left + right * (above_right - above_left);
            let below = below_left + right * (below_right - below_left);
            (above + down * (below - above)).store_slice(samples);
        }
    }
}

#[inline(always)]
fn to_float<S: Simd>(values: S::u32s) -> S::f32s {
    values.bitcast::<S::i32s>().to_float()
}
