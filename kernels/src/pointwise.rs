//! Two layers that take each place of a picture by itself, with a GELU between them: the
//! feed-forward block of a transformer, or of a `ConvNeXt`.

use std::iter;
use std::ops::Range;

use fearless_simd::SimdBase;

use crate::Level;
use crate::activation::gelu;
use crate::level::{Registers, dispatch};
use crate::tile::{PANEL_ROWS, gemm_tile, pack_panels, split_vectors, with_tile_rows};

/// The weights of one layer.
#[derive(Clone, Copy, Debug)]
pub struct Layer<'a> {
    /// Weights as [`pack`] orders them.
    pub packed: &'a [f32],
    /// Biases, one for each output channel.
    pub biases: &'a [f32],
}

/// Vectors of places that go through both layers together. Each panel of weights is used for all of
/// them, and their values between the layers fit the cache.
const GROUP_VECTORS: usize = 4;

/// Packs a matrix `[C_out, C_in]` for [`Layer`], as `[C_out / 8][C_in][8]`. `C_out` is a multiple
/// of [`PANEL_ROWS`].
#[must_use]
pub fn pack(matrix: &[f32], inputs: usize) -> Vec<f32> {
    pack_panels::<PANEL_ROWS>(matrix, inputs)
}

/// What two layers with a GELU between them make of `values`, `[C_in, places]`: `[C_out, places]`.
///
/// # Panics
/// Where the sizes of the layers do not fit each other and the values.
#[must_use]
pub fn feed_forward(level: Level, values: &[f32], places: usize, layers: [Layer; 2]) -> Vec<f32> {
    dispatch!(level, simd => feed_forward_with(simd, values, places, layers))
}

#[inline(always)]
fn feed_forward_with<S: Registers>(
    simd: S,
    values: &[f32],
    places: usize,
    [first, second]: [Layer; 2],
) -> Vec<f32> {
    let mut outputs = vec![0.0; second.biases.len() * places];
    for vectors in split_vectors(places.div_ceil(S::f32s::LEN), GROUP_VECTORS) {
        let start = vectors.start * S::f32s::LEN;
        let group = PlaceGroup::take::<S>(values, places, vectors);
        let group = group.apply::<S, true>(simd, first);
        let group = group.apply::<S, false>(simd, second);
        let rows = group.values.chunks_exact(group.vectors * S::f32s::LEN);
        for (to, from) in iter::zip(outputs.chunks_exact_mut(places), rows) {
            let to = &mut to[start..];
            let count = to.len().min(from.len());
            to[..count].copy_from_slice(&from[..count]);
        }
    }
    outputs
}

/// The values of some vectors of places, which go through both layers while they are in the cache.
struct PlaceGroup {
    /// Vectors of a channel.
    vectors: usize,
    /// `[channels][vectors * lanes]`.
    values: Vec<f32>,
}

impl PlaceGroup {
    fn take<S: Registers>(values: &[f32], places: usize, vectors: Range<usize>) -> Self {
        let lanes = S::f32s::LEN;
        let range = vectors.start * lanes..(vectors.end * lanes).min(places);
        let row = vectors.len() * lanes;
        let mut taken = vec![0.0; values.len() / places * row];
        let rows = taken.chunks_exact_mut(row);
        for (to, from) in iter::zip(rows, values.chunks_exact(places)) {
            to[..range.len()].copy_from_slice(&from[range.clone()]);
        }
        Self {
            vectors: vectors.len(),
            values: taken,
        }
    }

    /// The output of a layer for them, with a GELU behind it or without.
    #[inline(always)]
    fn apply<S: Registers, const WITH_GELU: bool>(&self, simd: S, layer: Layer) -> Self {
        let row = self.vectors * S::f32s::LEN;
        let mut outputs = vec![0.0; layer.biases.len() * row];
        let depth = self.values.len() / row;
        let panels = iter::zip(
            layer.packed.chunks_exact(depth * PANEL_ROWS),
            layer.biases.chunks_exact(PANEL_ROWS),
        );
        for ((panel, biases), outputs) in panels.zip(outputs.chunks_exact_mut(PANEL_ROWS * row)) {
            for tile in split_vectors(self.vectors, S::MAX_VECTORS) {
                let start = tile.start * S::f32s::LEN;
                with_tile_rows!(
                    tile.len(),
                    apply_panel::<S, WITH_GELU>(simd, panel, biases, self, start, outputs)
                );
            }
        }
        Self {
            vectors: self.vectors,
            values: outputs,
        }
    }
}

/// The output channels of one panel, `[PANEL_ROWS][vectors * lanes]`, for `VECTORS` vectors of a
/// group from the place `start` on.
#[inline(always)]
fn apply_panel<S: Registers, const ROWS: usize, const VECTORS: usize, const WITH_GELU: bool>(
    simd: S,
    panel: &[f32],
    biases: &[f32],
    group: &PlaceGroup,
    start: usize,
    outputs: &mut [f32],
) {
    let lanes = S::f32s::LEN;
    let row = group.vectors * lanes;
    let tiles = iter::zip(
        outputs.chunks_exact_mut(ROWS * row),
        biases.chunks_exact(ROWS),
    );
    for (tile, (outputs, biases)) in tiles.enumerate() {
        let offsets = (0..).map(|channel| channel * row + start);
        let sums: [[S::f32s; VECTORS]; ROWS] =
            gemm_tile(simd, panel, tile * ROWS, &group.values, offsets);
        let rows = iter::zip(outputs.chunks_exact_mut(row), biases);
        for ((outputs, &bias), sums) in rows.zip(&sums) {
            let outputs = &mut outputs[start..][..VECTORS * lanes];
            for (output, sum) in iter::zip(outputs.chunks_exact_mut(lanes), sums) {
                let value = *sum + bias;
                let value = if WITH_GELU { gelu(simd, value) } else { value };
                value.store_slice(output);
            }
        }
    }
}
