//! 3x3 convolutions of each channel by itself.

use std::iter;

use super::lanes::{LANES, Lanes, store};

/// The convolution of a picture, channels x height x width, one value of nothing around it, at every row or every other; by channel
/// nine values of a kernel and a bias.
pub(super) fn convolution(
    picture: &[f32],
    [channels, height, width]: [usize; 3],
    stride: usize,
    kernels: &[[f32; 9]],
    biases: &[f32],
) -> Vec<f32> {
    let rows = height.div_ceil(stride);
    let wide = width.next_multiple_of(LANES) + LANES;
    let mut padded = vec![0.0; (height + 2) * wide];
    let mut made = vec![0.0; channels * rows * width];
    let pictures = picture.chunks_exact(height * width);
    let outputs = made.chunks_exact_mut(rows * width);
    let weights = iter::zip(kernels, biases);
    for ((picture, made), (kernel, &bias)) in pictures.zip(outputs).zip(weights) {
        let inner = padded[wide..].chunks_exact_mut(wide);
        for (to, row) in inner.zip(picture.chunks_exact(width)) {
            to[1..=width].copy_from_slice(row);
        }
        let kernel = kernel.map(Lanes::splat);
        for (y, made) in made.chunks_exact_mut(width).enumerate() {
            let mut rows = padded[y * stride * wide..].chunks_exact(wide);
            let rows: [&[f32]; 3] = std::array::from_fn(|_| rows.next().expect("a row below"));
            for (at, made) in (0..).step_by(LANES).zip(made.chunks_mut(LANES)) {
                let mut sum = Lanes::splat(bias);
                for (row, kernel) in iter::zip(rows, kernel.as_chunks::<3>().0) {
                    let values: &[f32; LANES + 2] = row[at..].first_chunk().expect("a vector");
                    for (x, &weight) in kernel.iter().enumerate() {
                        let values = values[x..].first_chunk().expect("a vector");
                        sum = Lanes::new(*values).mul_add(weight, sum);
                    }
                }
                store(sum.to_array(), made);
            }
        }
    }
    made
}
