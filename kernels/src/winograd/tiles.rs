//! The tiles of a picture, from its rows to the outputs of the convolution.

use std::iter;

use fearless_simd::SimdBase;

use super::row_points::RowPoints;
use super::transforms::{transform_inputs, transform_tile};
use super::{TILE_OUTPUTS, TILE_WIDTH};
use crate::level::Registers;
use crate::tile::{PANEL_ROWS, gemm_tile, split_vectors, store_up_to_end, with_tile_rows};

/// Most lanes of [`Registers::Row`].
const MAX_LANES: usize = 8;

/// The points of the tiles of a picture.
pub(super) struct Tiles {
    /// `[points along][points down][channels][stride]`.
    points: Vec<f32>,
    channels: usize,
    /// Tiles in a row, and rows of them.
    columns: usize,
    rows: usize,
    /// Values of a point and a channel: all tiles row by row, filled up to whole vectors.
    stride: usize,
    /// Size of the output.
    width: usize,
    height: usize,
}

impl Tiles {
    /// Tiles of `DOWN` rows, which overlap by two rows, transformed along both axes.
    #[inline(always)]
    pub(super) fn transform<S: Registers, const DOWN: usize>(
        simd: S,
        picture: &[f32],
        [channels, height, width]: [usize; 3],
    ) -> Self {
        let step = DOWN - 2;
        let rows = height.div_ceil(step);
        let mut tiles = Self::zeroed::<S>(DOWN, channels, rows, [height, width]);
        let mut along = RowPoints::zeroed::<S>(rows * step + 2, tiles.columns);
        for (channel, picture) in picture.chunks_exact(height * width).enumerate() {
            along.fill(simd, picture, width);
            for row in 0..rows {
                for b in 0..TILE_WIDTH {
                    for at in (0..along.stride).step_by(S::Row::LEN) {
                        let mut inputs = [S::Row::splat(simd, 0.0); DOWN];
                        for (a, input) in inputs.iter_mut().enumerate() {
                            *input = along.get(simd, row * step + a, b, at);
                        }
                        for (a, point) in transform_inputs(inputs).iter().enumerate() {
                            tiles.put::<S>(*point, b * DOWN + a, channel, row, at);
                        }
                    }
                }
            }
        }
        tiles
    }

    /// Tiles of three rows, one at every other row, which are transformed along the rows only: the
    /// three rows are channels of their own.
    #[inline(always)]
    pub(super) fn stack_rows<S: Registers>(
        simd: S,
        picture: &[f32],
        [channels, height, width]: [usize; 3],
    ) -> Self {
        let rows = height.div_ceil(2);
        let mut tiles = Self::zeroed::<S>(1, 3 * channels, rows, [rows, width]);
        let mut along = RowPoints::zeroed::<S>(2 * rows + 1, tiles.columns);
        for (channel, picture) in picture.chunks_exact(height * width).enumerate() {
            along.fill(simd, picture, width);
            for row in 0..rows {
                for b in 0..TILE_WIDTH {
                    for at in (0..along.stride).step_by(S::Row::LEN) {
                        for a in 0..3 {
                            let point = along.get(simd, 2 * row + a, b, at);
                            tiles.put::<S>(point, b, a * channels + channel, row, at);
                        }
                    }
                }
            }
        }
        tiles
    }

    fn zeroed<S: Registers>(
        points_down: usize,
        channels: usize,
        rows: usize,
        [height, width]: [usize; 2],
    ) -> Self {
        let columns = width.div_ceil(TILE_OUTPUTS);
        let stride = (columns * rows).next_multiple_of(S::Row::LEN);
        Self {
            points: vec![0.0; points_down * TILE_WIDTH * channels * stride],
            channels,
            columns,
            rows,
            stride,
            width,
            height,
        }
    }

    /// Stores a point of the tiles of a row from tile `at` on. What goes beyond the row is
    /// overwritten by the next one.
    #[inline(always)]
    fn put<S: Registers>(
        &mut self,
        values: S::Row,
        point: usize,
        channel: usize,
        row: usize,
        at: usize,
    ) {
        let first = (point * self.channels + channel) * self.stride;
        let to = &mut self.points[first..first + self.stride];
        store_up_to_end(values, &mut to[row * self.columns + at..]);
    }

    /// The outputs of kernels, from `DOWN` points down to `OUTPUTS` (1 and 1 where nothing is
    /// transformed down the rows).
    #[inline(always)]
    pub(super) fn convolve<S: Registers, const DOWN: usize, const OUTPUTS: usize>(
        &self,
        simd: S,
        packed: &[f32],
        biases: &[f32],
    ) -> Vec<f32> {
        let lanes = S::Row::LEN;
        let plane = self.height * self.width;
        let mut outputs = vec![0.0; biases.len() * plane];
        let mut products = vec![0.0; DOWN * TILE_WIDTH * PANEL_ROWS * S::MAX_VECTORS * lanes];
        let panel_length = packed.len() / (biases.len() / PANEL_ROWS);
        for vectors in split_vectors(self.stride / lanes, S::MAX_VECTORS) {
            let (first, length) = (vectors.start * lanes, vectors.len() * lanes);
            let panels = iter::zip(
                packed.chunks_exact(panel_length),
                biases.chunks_exact(PANEL_ROWS),
            );
            let outputs = outputs.chunks_exact_mut(PANEL_ROWS * plane);
            for ((panel, biases), outputs) in panels.zip(outputs) {
                self.multiply(simd, panel, first, vectors.len(), &mut products);
                let channels = iter::zip(outputs.chunks_exact_mut(plane), biases).enumerate();
                for (channel, (outputs, &bias)) in channels {
                    for at in (0..length).step_by(lanes) {
                        let mut points = [[S::Row::splat(simd, 0.0); TILE_WIDTH]; DOWN];
                        for (a, points) in points.iter_mut().enumerate() {
                            for (b, point) in points.iter_mut().enumerate() {
                                let from = ((b * DOWN + a) * PANEL_ROWS + channel) * length + at;
                                *point = S::Row::from_slice(simd, &products[from..][..lanes]);
                            }
                        }
                        let tile = transform_tile::<S, DOWN, OUTPUTS>(simd, &points, bias);
                        self.place::<S, OUTPUTS>(&tile, first + at, outputs);
                    }
                }
            }
        }
        outputs
    }

    /// Multiplies all points of some vectors of tiles by the matrices of a panel. The products are
    /// `[points][PANEL_ROWS][vectors * lanes]`.
    fn multiply<S: Registers>(
        &self,
        simd: S,
        panel: &[f32],
        first: usize,
        vectors: usize,
        products: &mut [f32],
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                with_tile_rows!(
                    vectors,
                    multiply_points::<S>(simd, self, panel, first, products)
                );
            },
        );
    }

    /// Stores the outputs of a vector of tiles, from tile `first` on, in the plane of a channel.
    #[inline(always)]
    fn place<S: Registers, const OUTPUTS: usize>(
        &self,
        tile: &[[S::Row; TILE_OUTPUTS]; OUTPUTS],
        first: usize,
        plane: &mut [f32],
    ) {
        let lanes = S::Row::LEN.min(self.columns * self.rows - first);
        for (y, &[a, b, c, d]) in tile.iter().enumerate() {
            // The outputs of each tile, one tile after another.
            let mut in_order = [0.0; TILE_OUTPUTS * MAX_LANES];
            let ((ac_low, ac_high), (bd_low, bd_high)) = (a.interleave(c), b.interleave(d));
            let (first_quarter, second_quarter) = ac_low.interleave(bd_low);
            let (third_quarter, last_quarter) = ac_high.interleave(bd_high);
            let quarters = [first_quarter, second_quarter, third_quarter, last_quarter];
            for (to, quarter) in iter::zip(in_order.chunks_exact_mut(S::Row::LEN), &quarters) {
                quarter.store_slice(to);
            }
            let mut lane = 0;
            while lane < lanes {
                let (row, column) = ((first + lane) / self.columns, (first + lane) % self.columns);
                let tiles = (self.columns - column).min(lanes - lane);
                let (top, left) = (row * OUTPUTS + y, column * TILE_OUTPUTS);
                let right = (left + tiles * TILE_OUTPUTS).min(self.width);
                if top < self.height {
                    let from = &in_order[lane * TILE_OUTPUTS..][..right - left];
                    plane[top * self.width + left..][..right - left].copy_from_slice(from);
                }
                lane += tiles;
            }
        }
    }
}

#[inline(always)]
fn multiply_points<S: Registers, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    tiles: &Tiles,
    panel: &[f32],
    first: usize,
    products: &mut [f32],
) {
    let row = VECTORS * S::Row::LEN;
    let points = iter::zip(
        tiles.points.chunks_exact(tiles.channels * tiles.stride),
        panel.chunks_exact(tiles.channels * PANEL_ROWS),
    );
    for ((values, panel), products) in points.zip(products.chunks_exact_mut(PANEL_ROWS * row)) {
        for (tile, products) in products.chunks_exact_mut(ROWS * row).enumerate() {
            let offsets = (0..).map(|channel| channel * tiles.stride);
            let sums: [[S::Row; VECTORS]; ROWS] =
                gemm_tile(simd, panel, tile * ROWS, &values[first..], offsets);
            for (products, sums) in iter::zip(products.chunks_exact_mut(row), &sums) {
                for (to, sum) in iter::zip(products.chunks_exact_mut(S::Row::LEN), sums) {
                    sum.store_slice(to);
                }
            }
        }
    }
}
