//! 3x3 convolutions of each channel by itself.

use std::iter;

use fearless_simd::{SimdBase, SimdFloat};

use crate::Level;
use crate::level::{Registers, dispatch};
use crate::tile::store_up_to_end;

/// The depthwise convolution of a picture `[channels, height, width]`, padded by one zero on each
/// side, at every `stride`-th row and every column. `kernels` is `[channels, 3, 3]`, `biases`
/// `[channels]`, the result `[channels, ceil(height / stride), width]`.
///
/// # Panics
/// Where the slices are shorter than these shapes.
#[must_use]
pub fn convolve(
    level: Level,
    picture: &[f32],
    size: [usize; 3],
    stride: usize,
    kernels: &[f32],
    biases: &[f32],
) -> Vec<f32> {
    dispatch!(level, simd => convolve_with(simd, picture, size, stride, kernels, biases))
}

#[inline(always)]
fn convolve_with<S: Registers>(
    simd: S,
    picture: &[f32],
    [channels, height, width]: [usize; 3],
    stride: usize,
    kernels: &[f32],
    biases: &[f32],
) -> Vec<f32> {
    let lanes = S::Row::LEN;
    let rows = height.div_ceil(stride);
    let padded_width = width.next_multiple_of(lanes) + lanes;
    let mut padded = vec![0.0; (height + 2) * padded_width];
    let mut outputs = vec![0.0; channels * rows * width];
    let channels = iter::zip(
        picture.chunks_exact(height * width),
        outputs.chunks_exact_mut(rows * width),
    );
    let weights = iter::zip(kernels.as_chunks::<9>().0, biases);
    for ((input, output), (kernel, &bias)) in channels.zip(weights) {
        let inner = padded[padded_width..].chunks_exact_mut(padded_width);
        for (to, row) in inner.zip(input.chunks_exact(width)) {
            to[1..=width].copy_from_slice(row);
        }
        let mut taps = [S::Row::splat(simd, 0.0); 9];
        for (tap, &weight) in iter::zip(&mut taps, kernel) {
            *tap = S::Row::splat(simd, weight);
        }
        for (y, output) in output.chunks_exact_mut(width).enumerate() {
            let mut rows = padded[y * stride * padded_width..].chunks_exact(padded_width);
            let rows: [&[f32]; 3] = std::array::from_fn(|_| rows.next().expect("three rows"));
            for (at, output) in iter::zip((0..).step_by(lanes), output.chunks_mut(lanes)) {
                let mut sum = S::Row::splat(simd, bias);
                for (row, taps) in iter::zip(rows, taps.as_chunks::<3>().0) {
                    let window = &row[at..][..lanes + 2];
                    for (x, &tap) in taps.iter().enumerate() {
                        let values = S::Row::from_slice(simd, &window[x..x + lanes]);
                        sum = values.mul_add(tap, sum);
                    }
                }
                store_up_to_end(sum, output);
            }
        }
    }
    outputs
}
