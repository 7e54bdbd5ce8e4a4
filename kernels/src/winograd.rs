//! 3x3 convolutions with fewer multiplications: minimal filtering (Winograd, Arithmetic Complexity
//! of Computations, 1980; Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2016).
//!
//! F(4, 3) makes four outputs of a filter of three taps from six inputs with 6 multiplications
//! instead of 12, F(3, 3) three outputs from five inputs with 5 instead of 9. Nested along both
//! axes, both save. The picture is cut into tiles that overlap by two inputs, the inputs of each
//! tile are transformed into as many points, each point is multiplied by a matrix of its own from
//! the input channels to the output channels, and the points of a tile are transformed into its
//! outputs.

mod row_points;
mod tiles;
mod transforms;

use std::iter;

use crate::Level;
use crate::level::dispatch;
use crate::tile::PANEL_ROWS;
use tiles::Tiles;

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
    /// The one that takes the fewest multiplications for a picture of so many rows. `stride` is
    /// that down the rows, 1 or 2.
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
