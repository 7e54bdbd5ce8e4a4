//! 3x3 convolutions with fewer multiplications: minimal filtering (Winograd, Arithmetic Complexity of
//! Computations, 1980; Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2016).
//!
//! F(4, 3) makes four outputs of a filter of three taps from six inputs with 6 multiplications
//! instead of 12, F(3, 3) three outputs from five inputs with 5 instead of 9. Nested along both axes,
//! both save. The picture is cut into tiles that overlap by two inputs, the inputs of each tile are
//! transformed into as many points, each point is multiplied by a matrix of its own from the input
//! channels to the output channels, and the points of a tile are transformed into its outputs.

use std::iter;
use std::ops::{Add, Mul, Sub};

use fearless_simd::SimdBase;

use crate::Level;
use crate::level::{Registers, dispatch};
use crate::tile::{PANEL_ROWS, gemm_tile, split_vectors, store_up_to_end, with_tile_rows};

/// Inputs and points of a tile along a row, by F(4, 3).
const TILE_WIDTH: usize = 6;
/// Outputs of a tile along a row.
const TILE_OUTPUTS: usize = TILE_WIDTH - 2;

/// What is done down the rows; along them it is always F(4, 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowTransform {
    /// F(4, 3): six inputs, four outputs.
    F4x3,
    /// F(3, 3): five inputs, three outputs.
    F3x3,
    /// The plain sum of three rows, at every other row.
    Stride2,
}

impl RowTransform {
    /// The one that takes the fewest multiplications for a picture of so many rows. `stride` is that
    /// down the rows, 1 or 2.
    #[must_use]
    pub fn choose(height: usize, stride: usize) -> Self {
        match stride {
            1 if height.div_ceil(3) * 5 < height.div_ceil(4) * 6 => Self::F3x3,
            1 => Self::F4x3,
            _ => Self::Stride2,
        }
    }

    /// The matrix `[points, 3]` that transforms the three taps of a filter into its points.
    fn filter_matrix(self) -> &'static [[f32; 3]] {
        match self {
            Self::F4x3 => &[
                [1.0 / 4.0, 0.0, 0.0],
                [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
                [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
                [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
                [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
                [0.0, 0.0, 1.0],
            ],
            Self::F3x3 => &[
                [1.0 / 2.0, 0.0, 0.0],
                [-1.0 / 2.0, -1.0 / 2.0, -1.0 / 2.0],
                [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
                [1.0 / 6.0, 1.0 / 3.0, 2.0 / 3.0],
                [0.0, 0.0, 1.0],
            ],
            Self::Stride2 => &[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        }
    }

    /// Packs a kernel `[C_out, C_in, 3, 3]`, as `[C_out / 8][points along][points down][C_in][8]`.
    /// `C_out` is a multiple of [`PANEL_ROWS`].
    #[must_use]
    pub fn pack(self, kernel: &[f32], inputs: usize) -> Vec<f32> {
        let (down, along) = (self.filter_matrix(), Self::F4x3.filter_matrix());
        let mut packed = Vec::with_capacity(kernel.len() / 9 * along.len() * down.len());
        for panel in kernel.chunks_exact(PANEL_ROWS * inputs * 9) {
            for along in along {
                for down in down {
                    for channel in 0..inputs {
                        let filters = panel[channel * 9..].chunks(inputs * 9);
                        packed.extend(filters.map(|filter| transform_filter(filter, down, along)));
                    }
                }
            }
        }
        packed
    }

    /// The convolution of a picture `[C_in, height, width]`, padded by one zero on each side, whose
    /// result is `[C_out, rows, width]`; rows are as many as those of the picture, or half as many,
    /// rounded up. `packed` comes from [`Self::pack`], `biases` is `[C_out]`.
    ///
    /// # Panics
    /// Where the slices are shorter than these shapes.
    #[must_use]
    pub fn convolve(
        self,
        level: Level,
        picture: &[f32],
        size: [usize; 3],
        packed: &[f32],
        biases: &[f32],
    ) -> Vec<f32> {
        dispatch!(level, simd => match self {
            Self::F4x3 => Tiles::transform::<_, 6>(simd, picture, size)
                .convolve::<_, 6, 4>(simd, packed, biases),
            Self::F3x3 => Tiles::transform::<_, 5>(simd, picture, size)
                .convolve::<_, 5, 3>(simd, packed, biases),
            Self::Stride2 => Tiles::stack_rows(simd, picture, size)
                .convolve::<_, 1, 1>(simd, packed, biases),
        })
    }
}

/// The weight of a filter `[3, 3]` at one point.
fn transform_filter(filter: &[f32], down: &[f32; 3], along: &[f32; 3]) -> f32 {
    let row = |(taps, down): (&[f32], &f32)| -> f32 {
        let products = iter::zip(taps, along).map(|(tap, along)| tap * along);
        down * products.sum::<f32>()
    };
    iter::zip(filter[..9].chunks(3), down).map(row).sum()
}

/// The points of the tiles of a picture.
struct Tiles {
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
    fn transform<S: Registers, const DOWN: usize>(
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
    fn stack_rows<S: Registers>(
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
    fn convolve<S: Registers, const DOWN: usize, const OUTPUTS: usize>(
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
        for vectors in split_vectors::<S>(self.stride / lanes) {
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

/// Most lanes of [`Registers::Row`].
const MAX_LANES: usize = 8;

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

/// The points along each row of a channel, with a row of zeros above it and below.
struct RowPoints {
    /// `[rows][TILE_WIDTH][stride]`.
    points: Vec<f32>,
    /// Tiles of a row, filled up to whole vectors.
    stride: usize,
    /// A row of the picture, after one zero and before some.
    padded: Vec<f32>,
}

impl RowPoints {
    fn zeroed<S: Registers>(rows: usize, tiles: usize) -> Self {
        let stride = tiles.next_multiple_of(S::Row::LEN);
        Self {
            points: vec![0.0; rows * TILE_WIDTH * stride],
            stride,
            // The last inputs of a vector of tiles belong to the next.
            padded: vec![0.0; (stride + S::Row::LEN) * TILE_OUTPUTS],
        }
    }

    #[inline(always)]
    fn fill<S: Registers>(&mut self, simd: S, picture: &[f32], width: usize) {
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
    fn get<S: Registers>(&self, simd: S, row: usize, point: usize, at: usize) -> S::Row {
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

/// The points of six inputs by F(4, 3), of five by F(3, 3).
#[inline(always)]
fn transform_inputs<V, const INPUTS: usize>(d: [V; INPUTS]) -> [V; INPUTS]
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
fn transform_tile<S: Registers, const DOWN: usize, const OUTPUTS: usize>(
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
