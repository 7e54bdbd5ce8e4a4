//! The innermost loop of all layers but one: a tile of a matrix product that stays in registers.

use std::iter;
use std::ops::Range;

use fearless_simd::{Simd, SimdBase, SimdFloat};

/// Rows of the left matrix that are packed together, and rows of the largest tile. The output
/// channels of all convolutions are a multiple of it.
pub const PANEL_ROWS: usize = 8;

/// Packs a matrix `[rows, depth]` as `[rows / ROWS][depth][ROWS]`, so that a tile reads its weights
/// one after another.
pub(crate) fn pack_panels<const ROWS: usize>(matrix: &[f32], depth: usize) -> Vec<f32> {
    let mut packed = Vec::with_capacity(matrix.len());
    for panel in matrix.chunks_exact(ROWS * depth) {
        for column in 0..depth {
            packed.extend(panel[column..].iter().step_by(depth));
        }
    }
    packed
}

/// The product of `ROWS` rows of a packed panel, `[depth][PANEL_ROWS]`, from `first_row` on, and of
/// `VECTORS` vectors of columns. Row i of the columns begins at `offsets[i]`.
#[inline(always)]
pub(crate) fn gemm_tile<S, V, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    panel: &[f32],
    first_row: usize,
    columns: &[f32],
    offsets: impl Iterator<Item = usize>,
) -> [[V; VECTORS]; ROWS]
where
    S: Simd,
    V: SimdFloat<S, Element = f32>,
{
    let mut sums = [[V::splat(simd, 0.0); VECTORS]; ROWS];
    for (weights, offset) in iter::zip(panel.as_chunks::<PANEL_ROWS>().0, offsets) {
        let columns = &columns[offset..][..VECTORS * V::LEN];
        let mut values = [V::splat(simd, 0.0); VECTORS];
        for (value, column) in iter::zip(&mut values, columns.chunks_exact(V::LEN)) {
            *value = V::from_slice(simd, column);
        }
        for (sums, &weight) in iter::zip(&mut sums, &weights[first_row..][..ROWS]) {
            let weight = V::splat(simd, weight);
            for (sum, value) in iter::zip(sums, &values) {
                *sum = value.mul_add(weight, *sum);
            }
        }
    }
    sums
}

/// Calls a function that is generic over the level, the rows and the vectors of a tile, with as
/// many rows as leave a tile of so many vectors (at most [`Registers::MAX_VECTORS`]) in registers.
macro_rules! with_tile_rows {
    ($vectors:expr, $function:ident::<$simd:ident $(, $more:ident)*> $arguments:tt) => {
        match $vectors {
            1 => $function::<$simd, 8, 1 $(, $more)*> $arguments,
            2 if $simd::MAX_VECTORS == 4 => $function::<$simd, 8, 2 $(, $more)*> $arguments,
            2 => $function::<$simd, 4, 2 $(, $more)*> $arguments,
            3 if $simd::MAX_VECTORS == 4 => $function::<$simd, 8, 3 $(, $more)*> $arguments,
            4 if $simd::MAX_VECTORS == 4 => $function::<$simd, 4, 4 $(, $more)*> $arguments,
            vectors => unreachable!("a tile of {vectors} vectors"),
        }
    };
}
pub(crate) use with_tile_rows;

/// Splits so many vectors into as few groups of at most `largest` as there can be, of nearly the
/// same size.
pub(crate) fn split_vectors(vectors: usize, largest: usize) -> impl Iterator<Item = Range<usize>> {
    let groups = vectors.div_ceil(largest);
    (0..groups).map(move |group| vectors * group / groups..vectors * (group + 1) / groups)
}

/// Stores a vector, cut off where the slice ends.
#[inline(always)]
pub(crate) fn store_up_to_end<S: Simd, V: SimdBase<S, Element = f32>>(vector: V, to: &mut [f32]) {
    if let Some(to) = to.get_mut(..V::LEN) {
        vector.store_slice(to);
    } else {
        let length = to.len();
        to.copy_from_slice(&vector.as_slice()[..length]);
    }
}
