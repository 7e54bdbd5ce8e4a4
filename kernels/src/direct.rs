//! Convolutions from all channels to all, with any kernel size and stride, tap by tap.
//!
//! The columns of the padded picture are sorted by their remainder modulo the stride, so that the
//! values that one tap takes from a row lie one after another. No `im2col` matrix is made.

use std::iter;

use fearless_simd::SimdBase;

use crate::Level;
use crate::level::{Registers, dispatch};
use crate::tile::{
    PANEL_ROWS, gemm_tile, pack_panels, split_vectors, store_up_to_end, with_tile_rows,
};

/// The size of a kernel, its stride, and the zeros before and after the picture: each down the rows
/// and along them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    /// Rows and columns of the kernel.
    pub kernel: [usize; 2],
    /// How far the kernel steps.
    pub stride: [usize; 2],
    /// Zeros above the picture and left of it.
    pub before: [usize; 2],
    /// Zeros below the picture and right of it.
    pub after: [usize; 2],
}

/// Packs a kernel `[C_out, C_in, height, width]`, as `[C_out / 8][C_in * height * width][8]`.
/// `C_out` is a multiple of [`PANEL_ROWS`], `taps` is `C_in * height * width`.
#[must_use]
pub fn pack(kernel: &[f32], taps: usize) -> Vec<f32> {
    pack_panels::<PANEL_ROWS>(kernel, taps)
}

impl Window {
    /// The convolution of a picture `[C_in, height, width]`, whose result is `[C_out, rows,
    /// columns]`, by [`Self::output_size`]. `packed` comes from [`pack`], `biases` is `[C_out]`.
    ///
    /// # Panics
    /// Where the padded picture is smaller than the kernel, or the slices are shorter than these
    /// shapes.
    #[must_use]
    pub fn convolve(
        &self,
        level: Level,
        picture: &[f32],
        size: [usize; 3],
        packed: &[f32],
        biases: &[f32],
    ) -> Vec<f32> {
        dispatch!(level, simd => self.convolve_with(simd, picture, size, packed, biases))
    }

    /// Rows and columns of the result for a picture of so many rows and columns.
    #[must_use]
    pub fn output_size(&self, size: [usize; 2]) -> [usize; 2] {
        std::array::from_fn(|axis| {
            let padded = self.before[axis] + size[axis] + self.after[axis];
            (padded - self.kernel[axis]) / self.stride[axis] + 1
        })
    }

    #[inline(always)]
    fn convolve_with<S: Registers>(
        &self,
        simd: S,
        picture: &[f32],
        [inputs, height, width]: [usize; 3],
        packed: &[f32],
        biases: &[f32],
    ) -> Vec<f32> {
        let lanes = S::Row::LEN;
        let [rows, columns] = self.output_size([height, width]);
        let plane = rows * columns;
        let padded = PaddedPicture::new(self, lanes, picture, [inputs, height, width], columns);
        let panel_length = inputs * self.kernel[0] * self.kernel[1] * PANEL_ROWS;
        let mut outputs = vec![0.0; biases.len() * plane];
        for row in 0..rows {
            for vectors in split_vectors(columns.div_ceil(lanes), S::MAX_VECTORS) {
                let start = vectors.start * lanes;
                let values = &padded.values[row * self.stride[0] * padded.row_length + start..];
                let panels = iter::zip(
                    packed.chunks_exact(panel_length),
                    biases.chunks_exact(PANEL_ROWS),
                );
                let outputs = outputs.chunks_exact_mut(PANEL_ROWS * plane);
                for ((panel, biases), outputs) in panels.zip(outputs) {
                    let place = OutputPlace {
                        plane,
                        first: row * columns + start,
                        end: (row + 1) * columns,
                    };
                    with_tile_rows!(
                        vectors.len(),
                        convolve_row::<S>(
                            simd,
                            values,
                            &padded.taps,
                            panel,
                            biases,
                            outputs,
                            place
                        )
                    );
                }
            }
        }
        outputs
    }
}

/// A picture with zeros around it, the columns of each row sorted by their remainder modulo the
/// stride.
struct PaddedPicture {
    values: Vec<f32>,
    row_length: usize,
    /// Where the values of each tap begin, by input channel, row and column of the kernel, for the
    /// first output of a picture.
    taps: Vec<usize>,
}

impl PaddedPicture {
    fn new(
        window: &Window,
        lanes: usize,
        picture: &[f32],
        [inputs, height, width]: [usize; 3],
        columns: usize,
    ) -> Self {
        let [kernel_rows, kernel_columns] = window.kernel;
        let stride = window.stride[1];
        // A vector of outputs may begin before the last column and end behind it.
        let phase_length =
            columns.next_multiple_of(lanes) + kernel_columns.div_ceil(stride) + lanes;
        let row_length = phase_length * stride;
        let rows = window.before[0] + height + window.after[0];
        let mut values = vec![0.0; inputs * rows * row_length];
        let channels = values.chunks_exact_mut(rows * row_length);
        for (to, picture) in channels.zip(picture.chunks_exact(height * width)) {
            let to = to.chunks_exact_mut(row_length).skip(window.before[0]);
            for (to, from) in to.zip(picture.chunks_exact(width)) {
                for (phase, to) in to.chunks_exact_mut(phase_length).enumerate() {
                    // The first column of the picture that belongs to this phase.
                    let first = (stride + phase - window.before[1] % stride) % stride;
                    let to = &mut to[(first + window.before[1]) / stride..];
                    for (to, &from) in to.iter_mut().zip(from.iter().skip(first).step_by(stride)) {
                        *to = from;
                    }
                }
            }
        }
        let mut taps = Vec::with_capacity(inputs * kernel_rows * kernel_columns);
        for channel in 0..inputs {
            for y in 0..kernel_rows {
                let row = (channel * rows + y) * row_length;
                for x in 0..kernel_columns {
                    taps.push(row + x % stride * phase_length + x / stride);
                }
            }
        }
        Self {
            values,
            row_length,
            taps,
        }
    }
}

/// Where the outputs of a tile go in `[PANEL_ROWS, plane]`: in each plane from `first` to at most
/// `end`, the end of its row.
#[derive(Clone, Copy)]
struct OutputPlace {
    plane: usize,
    first: usize,
    end: usize,
}

/// `VECTORS` vectors of a row of the output channels of one panel.
#[inline(always)]
fn convolve_row<S: Registers, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    values: &[f32],
    taps: &[usize],
    panel: &[f32],
    biases: &[f32],
    outputs: &mut [f32],
    place: OutputPlace,
) {
    let tiles = iter::zip(
        outputs.chunks_exact_mut(ROWS * place.plane),
        biases.chunks_exact(ROWS),
    );
    for (tile, (outputs, biases)) in tiles.enumerate() {
        let sums: [[S::Row; VECTORS]; ROWS] =
            gemm_tile(simd, panel, tile * ROWS, values, taps.iter().copied());
        let rows = iter::zip(outputs.chunks_exact_mut(place.plane), biases);
        for ((outputs, &bias), sums) in rows.zip(&sums) {
            let outputs = &mut outputs[place.first..place.end];
            for (output, sum) in iter::zip(outputs.chunks_mut(S::Row::LEN), sums) {
                store_up_to_end(*sum + bias, output);
            }
        }
    }
}
