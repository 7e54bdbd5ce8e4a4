//! Convolutions from all channels to all, of any kernel and step, by what the kernel's taps see of each row.

use std::iter;

use super::lanes::{CHANNELS, LANES, Lanes, for_vectors, groups, store};

/// Size of a kernel, how far it steps, and the values of nothing before and behind a picture: by axis, down and along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Steps {
    pub(super) kernel: [usize; 2],
    pub(super) stride: [usize; 2],
    pub(super) before: [usize; 2],
    pub(super) behind: [usize; 2],
}

impl Steps {
    /// Rows or columns that come of so many, of which there are no fewer than the kernel has.
    fn size(&self, axis: usize, size: usize) -> usize {
        let padded = self.before[axis] + size + self.behind[axis];
        (padded - self.kernel[axis]) / self.stride[axis] + 1
    }

    /// The convolution of a picture, channels x height x width, its biases added.
    pub(super) fn convolution(
        &self,
        picture: &[f32],
        [inputs, height, width]: [usize; 3],
        kernels: &[[f32; CHANNELS]],
        biases: &[f32],
    ) -> Vec<f32> {
        let [down, along] = [self.size(0, height), self.size(1, width)];
        let seen = Padded::of(self, picture, [inputs, height, width], along);
        let mut made = vec![0.0; biases.len() * down * along];
        let vectors = along.div_ceil(LANES);
        let of_block = kernels.len() * CHANNELS / biases.len();
        for row in 0..down {
            for group in groups(vectors) {
                let channels = made.chunks_exact_mut(CHANNELS * down * along);
                let weights = iter::zip(
                    kernels.chunks_exact(of_block),
                    biases.chunks_exact(CHANNELS),
                );
                for (made, (kernels, biases)) in channels.zip(weights) {
                    let made = made.chunks_exact_mut(down * along);
                    let made =
                        made.map(|made| &mut made[row * along..][..along][group.start * LANES..]);
                    let from = (row * self.stride[0], group.start * LANES);
                    for_vectors!(group.len(), of_row(&seen, from, kernels, biases, made));
                }
            }
        }
        made
    }
}

/// A picture with nothing around it, its columns sorted by which of them a kernel's taps see.
struct Padded {
    values: Vec<f32>,
    /// Where a tap's values begin, after those of the first, by channel and tap; and how long a row is.
    taps: Vec<usize>,
    row: usize,
}

impl Padded {
    fn of(
        steps: &Steps,
        picture: &[f32],
        [inputs, height, width]: [usize; 3],
        along: usize,
    ) -> Self {
        let stride = steps.stride[1];
        let phase = along.next_multiple_of(LANES) + steps.kernel[1].div_ceil(stride) + LANES;
        let (row, rows) = (phase * stride, steps.before[0] + height + steps.behind[0]);
        let mut values = vec![0.0; inputs * rows * row];
        let channels = values.chunks_exact_mut(rows * row);
        for (to, picture) in channels.zip(picture.chunks_exact(height * width)) {
            let to = to.chunks_exact_mut(row).skip(steps.before[0]);
            for (to, from) in to.zip(picture.chunks_exact(width)) {
                for first in 0..stride {
                    let column = (stride + first - steps.before[1] % stride) % stride;
                    let at = (column + steps.before[1]) / stride;
                    let of_phase = &mut to[first * phase + at..(first + 1) * phase];
                    let from = from.iter().skip(column).step_by(stride);
                    for (to, &from) in of_phase.iter_mut().zip(from) {
                        *to = from;
                    }
                }
            }
        }
        let taps = (0..inputs).flat_map(|c| {
            let [down, along] = steps.kernel;
            (0..down).flat_map(move |y| {
                let above = (c * rows + y) * row;
                (0..along).map(move |x| above + x % stride * phase + x / stride)
            })
        });
        Self {
            taps: taps.collect(),
            values,
            row,
        }
    }
}

/// What the kernels of [`CHANNELS`] make of N vectors, from that row and place on.
fn of_row<'a, const K: usize, const N: usize>(
    seen: &Padded,
    (row, first): (usize, usize),
    kernels: &[[f32; CHANNELS]],
    biases: &[f32],
    mut made: impl Iterator<Item = &'a mut [f32]>,
) {
    let values = &seen.values[row * seen.row + first..];
    for part in (0..CHANNELS).step_by(K) {
        let mut sums = [[Lanes::ZERO; N]; K];
        for (weights, &tap) in iter::zip(kernels, &seen.taps) {
            let weights: &[f32; K] = weights[part..].first_chunk().expect("K weights");
            let values = &values[tap..tap + N * LANES];
            let values: &[[f32; LANES]; N] = values.as_chunks().0.first_chunk().expect("N vectors");
            let values = values.map(Lanes::new);
            for k in 0..K {
                let weight = Lanes::splat(weights[k]);
                for n in 0..N {
                    sums[k][n] = values[n].mul_add(weight, sums[k][n]);
                }
            }
        }
        for ((sums, &bias), made) in iter::zip(sums, &biases[part..]).zip(&mut made) {
            for (sum, to) in iter::zip(sums, made.chunks_mut(LANES)) {
                store((sum + Lanes::splat(bias)).to_array(), to);
            }
        }
    }
}
