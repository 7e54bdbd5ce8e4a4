//! 3x3 convolutions of a picture, one value of nothing around it, with fewer multiplications: minimal filtering (Winograd 1980; Lavin and
//! Gray 2016).
//!
//! Of six neighbouring values four sums of three each are made with 6 multiplications instead of 12, of five values three sums with 5
//! instead of 9; along both axes both save. The picture is cut into tiles that overlap by two values, each tile is turned into as many
//! points, every point goes from channel to channel by a kernel of its own, and the points of a tile are turned into its sums.

use std::iter;

use super::lanes::{CHANNELS, LANES, Lanes, VECTORS, for_vectors, groups, products, store};

/// Points of a tile along a row, and what it has more than its sums.
const ALONG: usize = 6;
const STEP: usize = ALONG - 2;

/// What is done down the rows; along them it is always six values for four sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Down {
    /// Six values, four sums.
    Four,
    /// Five values, three sums.
    Three,
    /// A sum of three at every other value.
    EveryOther,
}

impl Down {
    /// What takes fewest multiplications for so many rows, of which the kernel stands on every one or every other.
    pub(super) fn rows(height: usize, stride: usize) -> Self {
        match stride {
            1 if height.div_ceil(3) * 5 < height.div_ceil(4) * 6 => Self::Three,
            1 => Self::Four,
            _ => Self::EveryOther,
        }
    }

    /// What each point takes of a kernel's three values.
    fn taps(self) -> &'static [[f32; 3]] {
        match self {
            Self::Four => &[
                [1.0 / 4.0, 0.0, 0.0],
                [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
                [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
                [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
                [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
                [0.0, 0.0, 1.0],
            ],
            Self::Three => &[
                [1.0 / 2.0, 0.0, 0.0],
                [-1.0 / 2.0, -1.0 / 2.0, -1.0 / 2.0],
                [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
                [1.0 / 6.0, 1.0 / 3.0, 2.0 / 3.0],
                [0.0, 0.0, 1.0],
            ],
            Self::EveryOther => &[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        }
    }

    /// The kernels of the points, from `kernel`, channels out x so many in x 3 x 3: by [`CHANNELS`] that come out, point along, point
    /// down, channel that comes in, and which of those that come out.
    pub(super) fn kernels(self, kernel: &[f32], inputs: usize) -> Vec<f32> {
        let (down, along) = (self.taps(), Self::Four.taps());
        let mut kernels = Vec::with_capacity(kernel.len() / 9 * along.len() * down.len());
        for block in kernel.chunks_exact(CHANNELS * inputs * 9) {
            for along in along {
                for down in down {
                    for c in 0..inputs {
                        kernels.extend(block[c * 9..].chunks(inputs * 9).map(|kernel| {
                            let of_row = |(row, down): (&[f32], &f32)| -> f32 {
                                let values = iter::zip(row, along);
                                down * values.map(|(value, along)| value * along).sum::<f32>()
                            };
                            iter::zip(kernel[..9].chunks(3), down)
                                .map(of_row)
                                .sum::<f32>()
                        }));
                    }
                }
            }
        }
        kernels
    }

    /// The convolution of a picture, channels x height x width, with the kernel of which `kernels` were made, its biases added.
    pub(super) fn convolution(
        self,
        picture: &[f32],
        size: [usize; 3],
        kernels: &[[f32; CHANNELS]],
        biases: &[f32],
    ) -> Vec<f32> {
        match self {
            Self::Four => Tiles::of::<6>(picture, size).sums::<6, 4>(kernels, biases),
            Self::Three => Tiles::of::<5>(picture, size).sums::<5, 3>(kernels, biases),
            Self::EveryOther => Tiles::every_other(picture, size).sums::<1, 1>(kernels, biases),
        }
    }
}

/// The points of a picture's tiles.
struct Tiles {
    /// By point along and down, by channel, then tile by tile, row by row.
    points: Vec<[f32; LANES]>,
    /// Of a channel: tiles, [`LANES`] each.
    vectors: usize,
    channels: usize,
    /// Tiles in a row, and rows of them.
    along: usize,
    down: usize,
    /// Of what comes out.
    width: usize,
    height: usize,
}

impl Tiles {
    /// Those of DOWN rows each, of which DOWN - 2 begin before the next.
    fn of<const DOWN: usize>(picture: &[f32], [channels, height, width]: [usize; 3]) -> Self {
        let step = DOWN - 2;
        let mut tiles = Self::empty(DOWN, channels, height.div_ceil(step), width, height);
        let mut rows = Rows::new(tiles.down * step + 2, tiles.along);
        for (c, channel) in picture.chunks_exact(height * width).enumerate() {
            rows.fill(channel, width);
            for tile in 0..tiles.down {
                for b in 0..ALONG {
                    for at in 0..rows.vectors {
                        let mut values = [Lanes::ZERO; DOWN];
                        for (a, value) in values.iter_mut().enumerate() {
                            *value = rows.get(tile * step + a, b, at);
                        }
                        for (a, point) in points::<DOWN>(values).into_iter().enumerate() {
                            tiles.put(point, b * DOWN + a, c, tile, at);
                        }
                    }
                }
            }
        }
        tiles
    }

    /// Those of three rows each, which are not turned into points, every other row.
    fn every_other(picture: &[f32], [channels, height, width]: [usize; 3]) -> Self {
        let down = height.div_ceil(2);
        let mut tiles = Self::empty(1, 3 * channels, down, width, down);
        let mut rows = Rows::new(2 * down + 1, tiles.along);
        for (c, channel) in picture.chunks_exact(height * width).enumerate() {
            rows.fill(channel, width);
            for tile in 0..down {
                for b in 0..ALONG {
                    for at in 0..rows.vectors {
                        for a in 0..3 {
                            let value = rows.get(2 * tile + a, b, at);
                            tiles.put(value, b, a * channels + c, tile, at);
                        }
                    }
                }
            }
        }
        tiles
    }

    fn empty(points: usize, channels: usize, down: usize, width: usize, height: usize) -> Self {
        let along = width.div_ceil(STEP);
        let vectors = (along * down).div_ceil(LANES);
        let points = vec![[0.0; LANES]; points * ALONG * channels * vectors];
        Self {
            points,
            vectors,
            channels,
            along,
            down,
            width,
            height,
        }
    }

    #[inline(always)]
    fn put(&mut self, values: Lanes, point: usize, channel: usize, row: usize, at: usize) {
        let first = (point * self.channels + channel) * self.vectors;
        let to = self.points[first..first + self.vectors].as_flattened_mut();
        let to = &mut to[row * self.along + at * LANES..];
        store(values.to_array(), to);
    }

    /// The sums behind a kernel, by channel, row and column, of DOWN points down (1 where there are none).
    fn sums<const DOWN: usize, const SUMS: usize>(
        &self,
        kernel: &[[f32; CHANNELS]],
        bias: &[f32],
    ) -> Vec<f32> {
        let of_channel = self.height * self.width;
        let mut sums = vec![0.0; bias.len() * of_channel];
        let of_block = kernel.len() / (bias.len() / CHANNELS);
        let mut products = vec![[0.0; LANES]; DOWN * ALONG * CHANNELS * VECTORS];
        for group in groups(self.vectors) {
            let (first, vectors) = (group.start, group.len());
            let blocks = sums
                .chunks_exact_mut(CHANNELS * of_channel)
                .zip(kernel.chunks_exact(of_block));
            for ((sums, kernel), bias) in blocks.zip(bias.chunks_exact(CHANNELS)) {
                for_vectors!(vectors, through(self, first, kernel, &mut products));
                let channels = sums.chunks_exact_mut(of_channel).zip(bias);
                for (k, (sums, &bias)) in channels.enumerate() {
                    for v in 0..vectors {
                        let mut halfway = [[Lanes::ZERO; STEP]; DOWN];
                        for (a, halfway) in halfway.iter_mut().enumerate() {
                            let mut made = [Lanes::ZERO; ALONG];
                            for (b, made) in made.iter_mut().enumerate() {
                                let from = ((b * DOWN + a) * CHANNELS + k) * vectors + v;
                                *made = Lanes::new(products[from]);
                            }
                            *halfway = of_points::<ALONG, STEP>(made);
                        }
                        let mut made = [[[0.0; LANES]; STEP]; SUMS];
                        for b in 0..STEP {
                            let mut column = [Lanes::ZERO; DOWN];
                            for (point, along) in column.iter_mut().zip(&halfway) {
                                *point = along[b];
                            }
                            let column = of_points::<DOWN, SUMS>(column);
                            for (made, sum) in made.iter_mut().zip(column) {
                                made[b] = (sum + Lanes::splat(bias)).to_array();
                            }
                        }
                        self.place(&made, (first + v) * LANES, sums);
                    }
                }
            }
        }
        sums
    }

    /// Puts what comes of [`LANES`] tiles, from that one on, where it belongs.
    #[inline(always)]
    fn place<const SUMS: usize>(
        &self,
        made: &[[[f32; LANES]; STEP]; SUMS],
        first: usize,
        sums: &mut [f32],
    ) {
        let lanes = LANES.min(self.along * self.down - first);
        for (y, made) in made.iter().enumerate() {
            let mut in_order = [0.0; STEP * LANES];
            for (i, value) in in_order.iter_mut().enumerate() {
                *value = made[i % STEP][i / STEP];
            }
            let mut lane = 0;
            while lane < lanes {
                let (row, column) = ((first + lane) / self.along, (first + lane) % self.along);
                let tiles = (self.along - column).min(lanes - lane);
                let (top, left) = (row * SUMS + y, column * STEP);
                let right = (left + tiles * STEP).min(self.width);
                if top < self.height {
                    let from = &in_order[lane * STEP..][..right - left];
                    sums[top * self.width + left..][..right - left].copy_from_slice(from);
                }
                lane += tiles;
            }
        }
    }
}

/// What comes of all points of N vectors of tiles, from that one on, behind the kernels of [`CHANNELS`].
fn through<const K: usize, const N: usize>(
    tiles: &Tiles,
    first: usize,
    kernels: &[[f32; CHANNELS]],
    made: &mut [[f32; LANES]],
) {
    let points = tiles.points.chunks_exact(tiles.channels * tiles.vectors);
    let kernels = kernels.chunks_exact(tiles.channels);
    let made = made.chunks_exact_mut(CHANNELS * N);
    for ((values, kernels), made) in points.zip(kernels).zip(made) {
        for (part, made) in made.chunks_exact_mut(K * N).enumerate() {
            let sums =
                products::<Lanes, LANES, K, N>(&values[first..], tiles.vectors, kernels, part * K);
            for (to, sum) in iter::zip(made, sums.as_flattened()) {
                *to = sum.to_array();
            }
        }
    }
}

/// The points along each row of a picture, with a row of nothing above it and below.
struct Rows {
    points: Vec<[f32; LANES]>,
    vectors: usize,
    /// A row with a value of nothing before it and some behind it.
    padded: Vec<f32>,
    /// Every fourth value of it from each of the first four on.
    phases: [Vec<f32>; STEP],
}

impl Rows {
    fn new(count: usize, tiles: usize) -> Self {
        let vectors = tiles.div_ceil(LANES);
        let values = (vectors + 1) * LANES;
        Self {
            points: vec![[0.0; LANES]; count * ALONG * vectors],
            vectors,
            padded: vec![0.0; values * STEP],
            phases: std::array::from_fn(|_| vec![0.0; values]),
        }
    }

    fn fill(&mut self, picture: &[f32], width: usize) {
        for (y, row) in iter::zip(1.., picture.chunks_exact(width)) {
            self.padded[1..=width].copy_from_slice(row);
            for (i, values) in self.padded.as_chunks::<STEP>().0.iter().enumerate() {
                for (phase, &value) in iter::zip(&mut self.phases, values) {
                    phase[i] = value;
                }
            }
            for at in 0..self.vectors {
                let mut values = [Lanes::ZERO; ALONG];
                for (b, value) in values.iter_mut().enumerate() {
                    let phase = &self.phases[b % STEP][b / STEP + at * LANES..];
                    *value = Lanes::new(*phase.first_chunk().unwrap());
                }
                for (b, point) in points::<ALONG>(values).into_iter().enumerate() {
                    self.points[(y * ALONG + b) * self.vectors + at] = point.to_array();
                }
            }
        }
    }

    /// A point along a row of so many times [`LANES`] tiles.
    #[inline(always)]
    fn get(&self, row: usize, point: usize, at: usize) -> Lanes {
        Lanes::new(self.points[(row * ALONG + point) * self.vectors + at])
    }
}

/// The points of a tile's values along one axis.
#[inline(always)]
fn points<const VALUES: usize>(d: [Lanes; VALUES]) -> [Lanes; VALUES] {
    let mut v = d;
    match VALUES {
        6 => {
            v[0] = d[0] * 4.0 - d[2] * 5.0 + d[4];
            let (even, odd) = (d[4] - d[2] * 4.0, d[3] - d[1] * 4.0);
            v[1] = even + odd;
            v[2] = even - odd;
            let (even, odd) = (d[4] - d[2], (d[3] - d[1]) * 2.0);
            v[3] = even + odd;
            v[4] = even - odd;
            v[5] = d[1] * 4.0 - d[3] * 5.0 + d[5];
        }
        _ => {
            v[0] = (d[0] - d[2]) * 2.0 - d[1] + d[3];
            v[1] = d[3] - d[2] - d[1] * 2.0;
            v[2] = d[3] - d[2] * 3.0 + d[1] * 2.0;
            v[3] = d[3] - d[1];
            v[4] = (d[1] - d[3]) * 2.0 - d[2] + d[4];
        }
    }
    v
}

/// What comes of a tile's points along one axis.
#[inline(always)]
fn of_points<const POINTS: usize, const SUMS: usize>(m: [Lanes; POINTS]) -> [Lanes; SUMS] {
    let mut y = [m[0]; SUMS];
    match POINTS {
        6 => {
            let (sum, difference) = (m[1] + m[2], m[1] - m[2]);
            let (sum_2, difference_2) = (m[3] + m[4], m[3] - m[4]);
            y[0] = m[0] + sum + sum_2;
            y[1] = difference + difference_2 * 2.0;
            y[2] = sum + sum_2 * 4.0;
            y[3] = difference + difference_2 * 8.0 + m[5];
        }
        5 => {
            let (sum, difference) = (m[1] + m[2], m[1] - m[2]);
            y[0] = m[0] + sum + m[3];
            y[1] = difference + m[3] * 2.0;
            y[2] = sum + m[3] * 4.0 + m[4];
        }
        _ => {}
    }
    y
}
