//! Values that a processor computes together, and the innermost loop of every layer that the reader does itself.

/// As many as fit a register of the processor that this is built for.
#[cfg(target_feature = "avx512f")]
pub(super) type Lanes = wide::f32x16;
/// As many as fit a register of the processor that this is built for.
#[cfg(not(target_feature = "avx512f"))]
pub(super) type Lanes = wide::f32x8;

pub(super) const LANES: usize = size_of::<Lanes>() / size_of::<f32>();
/// Channels that come out together.
pub(super) const CHANNELS: usize = 8;
/// As many times [`LANES`] places go through a kernel together.
pub(super) const VECTORS: usize = 3;

/// Runs a generic function for so many vectors, at most [`VECTORS`], and as many channels at once as leave their sums in registers.
macro_rules! for_vectors {
    ($vectors:expr, $run:ident($($argument:expr),* $(,)?)) => {
        match $vectors {
            1 => $run::<CHANNELS, 1>($($argument),*),
            2 => $run::<{ CHANNELS / 2 }, 2>($($argument),*),
            _ => $run::<{ CHANNELS / 2 }, VECTORS>($($argument),*),
        }
    };
}
pub(super) use for_vectors;

/// Sums over channels, `stride` vectors one after the other, of N vectors of each with K of its weights.
#[inline(always)]
pub(super) fn products<const K: usize, const N: usize>(
    values: &[[f32; LANES]],
    stride: usize,
    weights: &[[f32; CHANNELS]],
    first: usize,
) -> [[Lanes; N]; K] {
    let mut sums = [[Lanes::ZERO; N]; K];
    let mut at = 0;
    for weights in weights {
        let weights: &[f32; K] = weights[first..].first_chunk().expect("K weights");
        let values: &[[f32; LANES]; N] = values[at..].first_chunk().expect("N vectors");
        let values = values.map(Lanes::new);
        for k in 0..K {
            let weight = Lanes::splat(weights[k]);
            for n in 0..N {
                sums[k][n] = values[n].mul_add(weight, sums[k][n]);
            }
        }
        at += stride;
    }
    sums
}

/// Writes values there, but none behind the end.
#[inline(always)]
pub(super) fn store(values: Lanes, to: &mut [f32]) {
    match to.first_chunk_mut() {
        Some(to) => *to = values.to_array(),
        None => to.copy_from_slice(&values.to_array()[..to.len()]),
    }
}
