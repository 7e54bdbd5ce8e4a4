//! Values that a processor computes together, and the innermost loop of every layer that the reader does itself.

use std::ops::Range;

use wide::{f32x8, f32x16};

/// As many as suit rows of a patch, which are not much longer.
pub(super) type Lanes = f32x8;
/// As many as fit a register of the processor that this is built for.
#[cfg(target_feature = "avx512f")]
pub(super) type WideLanes = f32x16;
/// As many as fit a register of the processor that this is built for.
#[cfg(not(target_feature = "avx512f"))]
pub(super) type WideLanes = f32x8;

pub(super) const LANES: usize = size_of::<Lanes>() / size_of::<f32>();
pub(super) const WIDE: usize = size_of::<WideLanes>() / size_of::<f32>();
/// Channels that come out together.
pub(super) const CHANNELS: usize = 8;
/// As many vectors of places go through a kernel together, as its registers hold with their sums.
#[cfg(target_feature = "avx512f")]
pub(super) const VECTORS: usize = 4;
/// As many vectors of places go through a kernel together, as its registers hold with their sums.
#[cfg(not(target_feature = "avx512f"))]
pub(super) const VECTORS: usize = 3;
/// Channels at once for two and for three of them.
pub(super) const FOR_FEW: usize = if VECTORS == 4 { CHANNELS } else { CHANNELS / 2 };

/// Values that are computed together.
pub(super) trait Vector<const COUNT: usize>: Copy {
    fn of(values: [f32; COUNT]) -> Self;
    fn times_and(self, factor: Self, more: Self) -> Self;
}

macro_rules! vector {
    ($($type:ident of $count:literal),*) => {$(
        impl Vector<$count> for $type {
            #[inline(always)]
            fn of(values: [f32; $count]) -> Self {
                Self::new(values)
            }

            #[inline(always)]
            fn times_and(self, factor: Self, more: Self) -> Self {
                self.mul_add(factor, more)
            }
        }
    )*};
}
vector!(f32x8 of 8, f32x16 of 16);

/// Runs a generic function for so many vectors, at most [`VECTORS`], and as many channels at once as leave their sums in registers.
macro_rules! for_vectors {
    ($vectors:expr, $run:ident($($argument:expr),* $(,)?)) => {
        match $vectors {
            1 => $run::<CHANNELS, 1>($($argument),*),
            2 => $run::<{ $crate::reader::lanes::FOR_FEW }, 2>($($argument),*),
            3 => $run::<{ $crate::reader::lanes::FOR_FEW }, 3>($($argument),*),
            _ => $run::<{ CHANNELS / 2 }, { $crate::reader::lanes::VECTORS }>($($argument),*),
        }
    };
}
pub(super) use for_vectors;

/// Sums over channels, `stride` vectors one after the other, of N vectors of each with K of its weights.
#[inline(always)]
pub(super) fn products<V: Vector<COUNT>, const COUNT: usize, const K: usize, const N: usize>(
    values: &[[f32; COUNT]],
    stride: usize,
    weights: &[[f32; CHANNELS]],
    first: usize,
) -> [[V; N]; K] {
    let mut sums = [[V::of([0.0; COUNT]); N]; K];
    let mut at = 0;
    for weights in weights {
        let weights: &[f32; K] = weights[first..].first_chunk().expect("K weights");
        let values: &[[f32; COUNT]; N] = values[at..].first_chunk().expect("N vectors");
        let values = values.map(V::of);
        for k in 0..K {
            let weight = V::of([weights[k]; COUNT]);
            for n in 0..N {
                sums[k][n] = values[n].times_and(weight, sums[k][n]);
            }
        }
        at += stride;
    }
    sums
}

/// So many vectors in as few groups of at most [`VECTORS`] as there can be, of about one size.
pub(super) fn groups(vectors: usize) -> impl Iterator<Item = Range<usize>> {
    let groups = vectors.div_ceil(VECTORS);
    (0..groups).map(move |group| vectors * group / groups..vectors * (group + 1) / groups)
}

/// A matrix, outputs x inputs, by so many outputs, then by input, and which of these outputs.
pub(super) fn in_blocks<const OUTPUTS: usize>(matrix: &[f32], inputs: usize) -> Vec<f32> {
    let blocks = matrix.chunks_exact(OUTPUTS * inputs);
    let by_input = |block| (0..inputs).map(move |i| (block, i));
    let of_input = |(block, i): (&[f32], usize)| -> [f32; OUTPUTS] {
        std::array::from_fn(|o| block[o * inputs + i])
    };
    blocks.flat_map(by_input).flat_map(of_input).collect()
}

/// Writes values there, but none behind the end.
#[inline(always)]
pub(super) fn store<const COUNT: usize>(values: [f32; COUNT], to: &mut [f32]) {
    match to.first_chunk_mut() {
        Some(to) => *to = values,
        None => to.copy_from_slice(&values[..to.len()]),
    }
}
