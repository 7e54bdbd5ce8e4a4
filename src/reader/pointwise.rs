//! Two layers that see each place of a picture by itself, with a GELU between them.

use std::iter;
use std::ops::Range;

use super::lanes::{CHANNELS, WIDE, WideLanes, for_vectors, groups, in_blocks, products, store};

/// A layer, as it is stored.
#[derive(Clone, Copy)]
pub(super) struct Layer<'a> {
    /// By [`CHANNELS`] that come out, then by channel that comes in.
    pub(super) kernels: &'a [[f32; CHANNELS]],
    pub(super) biases: &'a [f32],
}

/// The kernels of [`Layer`], from a matrix, channels out x in.
pub(super) fn kernels(matrix: &[f32], inputs: usize) -> Vec<f32> {
    in_blocks::<CHANNELS>(matrix, inputs)
}

/// What comes out behind both, channels x places, of `values`, channels x places.
pub(super) fn pair(values: &[f32], places: usize, [first, second]: [Layer; 2]) -> Vec<f32> {
    let mut made = vec![0.0; second.biases.len() * places];
    for group in groups(places.div_ceil(WIDE)) {
        let first_vector = group.start;
        let seen = Group::of(values, places, group);
        let behind = seen.through(first, gelu).through(second, |sum| sum);
        let rows = behind.values.chunks_exact(behind.vectors);
        for (to, from) in iter::zip(made.chunks_exact_mut(places), rows) {
            for (to, &from) in iter::zip(to[first_vector * WIDE..].chunks_mut(WIDE), from) {
                store(from, to);
            }
        }
    }
    made
}

/// What some vectors of places have, a group of them: channels x vectors.
struct Group {
    vectors: usize,
    values: Vec<[f32; WIDE]>,
}

impl Group {
    fn of(values: &[f32], places: usize, vectors: Range<usize>) -> Self {
        let range = vectors.start * WIDE..(vectors.end * WIDE).min(places);
        let vectors = vectors.len();
        let mut taken = vec![[0.0; WIDE]; values.len() / places * vectors];
        let rows = taken.chunks_exact_mut(vectors);
        for (to, from) in iter::zip(rows, values.chunks_exact(places)) {
            to.as_flattened_mut()[..range.len()].copy_from_slice(&from[range.clone()]);
        }
        Self {
            vectors,
            values: taken,
        }
    }

    /// What a layer makes of them, and `then` of that.
    fn through(&self, layer: Layer, then: impl Fn(WideLanes) -> WideLanes + Copy) -> Self {
        let Self { vectors, values } = self;
        let mut made = vec![[0.0; WIDE]; layer.biases.len() * vectors];
        let inputs = layer.kernels.len() * CHANNELS / layer.biases.len();
        let biases = layer.biases.chunks_exact(CHANNELS);
        let blocks = iter::zip(layer.kernels.chunks_exact(inputs), biases);
        let made_of = made.chunks_exact_mut(CHANNELS * vectors);
        for ((kernels, biases), made) in blocks.zip(made_of) {
            for_vectors!(vectors, of_block(values, kernels, biases, then, made));
        }
        Self {
            vectors: *vectors,
            values: made,
        }
    }
}

/// What some kernels make of N vectors.
fn of_block<const K: usize, const N: usize>(
    values: &[[f32; WIDE]],
    kernels: &[[f32; CHANNELS]],
    biases: &[f32],
    then: impl Fn(WideLanes) -> WideLanes,
    made: &mut [[f32; WIDE]],
) {
    for (part, made) in made.chunks_exact_mut(K * N).enumerate() {
        let sums = products::<WideLanes, WIDE, K, N>(values, N, kernels, part * K);
        let rows = iter::zip(made.chunks_exact_mut(N), &biases[part * K..]);
        for ((made, &bias), sums) in rows.zip(sums) {
            for (to, sum) in iter::zip(made, sums) {
                *to = then(sum + WideLanes::splat(bias)).to_array();
            }
        }
    }
}

/// The value times its chance of being larger than a normally distributed one, by formula 7.1.28 of Abramowitz and Stegun (within 3e-7).
#[inline(always)]
fn gelu(x: WideLanes) -> WideLanes {
    let size = x.abs();
    let z = size * std::f32::consts::FRAC_1_SQRT_2;
    let coefficients = [
        2.765_672e-4,
        1.520_143e-4,
        9.270_527e-3,
        4.228_201e-2,
        7.052_308e-2,
        1.0,
    ];
    let mut root = WideLanes::splat(4.306_38e-5);
    for coefficient in coefficients {
        root = root.mul_add(z, WideLanes::splat(coefficient));
    }
    let power = root * root;
    let power = power * power;
    let power = power * power;
    let tail = WideLanes::ONE / (power * power);
    (x + size * (WideLanes::ONE - tail)) * 0.5
}
