//! One direction of a recurrent layer, long short-term memory (Hochreiter and Schmidhuber 1997;
//! with the forget gate of Gers et al. 2000), for a batch of sequences of the same length.

use std::iter;

use fearless_simd::{Simd, SimdBase};

use crate::Level;
use crate::activation::{sigmoid, tanh};
use crate::level::dispatch;
use crate::tile::{PANEL_ROWS, gemm_tile, pack_panels};

/// The most sequences of a batch. All levels keep the sums of two vectors for each of six places in
/// registers.
pub const MAX_BATCH: usize = 6;
/// Vectors of gate outputs in a tile.
const TILE_VECTORS: usize = 2;
/// Gate outputs that are packed together: those of a tile of the widest level.
const PANEL_OUTPUTS: usize = 32;
/// The hidden size is a multiple of this, the lanes of the widest level.
pub const HIDDEN_MULTIPLE: usize = 16;
/// The input, output, forget and cell gate, in this order, as ONNX has them.
pub const GATES: usize = 4;

/// The weights of a layer in one direction.
#[derive(Clone, Copy, Debug)]
pub struct Layer<'a> {
    /// Weights of the inputs, `[4 * hidden, inputs]`, as [`pack`] orders them.
    pub input_weights: &'a [f32],
    /// Weights of the hidden state, `[4 * hidden, hidden]`, as [`pack`] orders them.
    pub hidden_weights: &'a [f32],
    /// Biases, `[4 * hidden]`.
    pub biases: &'a [f32],
}

/// Packs a matrix `[4 * hidden, depth]` for [`Layer`], as `[4 * hidden / 32][depth][32]`.
#[must_use]
pub fn pack(matrix: &[f32], depth: usize) -> Vec<f32> {
    pack_panels::<PANEL_OUTPUTS>(matrix, depth)
}

/// The state of a layer between two steps.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The last output, `[batch, hidden]`.
    pub hidden: Vec<f32>,
    /// The memory cells, `[batch, hidden]`.
    pub cell: Vec<f32>,
}

impl Layer<'_> {
    /// Goes through `inputs`, `[steps, batch, inputs]`, from the end if `reversed`. After each
    /// step, `on_step` gets its index and the hidden state, `[batch, hidden]`. `state` is the state
    /// before the first step, and becomes that after the last.
    ///
    /// # Panics
    /// Where the batch is larger than [`MAX_BATCH`], or the sizes do not fit each other.
    pub fn run(
        &self,
        level: Level,
        inputs: &[f32],
        steps: usize,
        reversed: bool,
        state: &mut State,
        on_step: &mut dyn FnMut(usize, &[f32]),
    ) {
        dispatch!(level, simd => self.run_with(simd, inputs, steps, reversed, state, on_step));
    }

    #[inline(always)]
    fn run_with<S: Simd>(
        &self,
        simd: S,
        inputs: &[f32],
        steps: usize,
        reversed: bool,
        state: &mut State,
        on_step: &mut dyn FnMut(usize, &[f32]),
    ) {
        let gates = self.biases.len();
        let hidden = gates / GATES;
        let batch = state.hidden.len() / hidden;
        assert!(batch <= MAX_BATCH, "a batch of {batch} sequences");
        let from_inputs = self.add_inputs(simd, inputs, steps * batch);
        let mut transposed = vec![[0.0; PANEL_ROWS]; hidden];
        let mut sums = vec![0.0; MAX_BATCH * gates];
        for step in 0..steps {
            let step = if reversed { steps - 1 - step } else { step };
            for (sequence, values) in state.hidden.chunks_exact(hidden).enumerate() {
                for (column, &value) in iter::zip(&mut transposed, values) {
                    column[sequence] = value;
                }
            }
            let from_inputs = &from_inputs[step * batch * gates..][..batch * gates];
            sums[..batch * gates].copy_from_slice(from_inputs);
            let panels = self.hidden_weights.chunks_exact(hidden * PANEL_OUTPUTS);
            for (weights, first) in panels.zip((0..).step_by(PANEL_OUTPUTS)) {
                let (hidden, sums) = (transposed.as_flattened(), &mut sums[first..]);
                if batch == 1 {
                    add_products::<S, 1>(simd, weights, hidden, sums, gates);
                } else {
                    add_products::<S, MAX_BATCH>(simd, weights, hidden, sums, gates);
                }
            }
            let sequences = iter::zip(
                state.hidden.chunks_exact_mut(hidden),
                state.cell.chunks_exact_mut(hidden),
            );
            for (sums, (hidden, cell)) in sums.chunks_exact(gates).zip(sequences) {
                lstm_cell(simd, sums, cell, hidden);
            }
            on_step(step, &state.hidden);
        }
    }

    /// What the inputs of all places add to the gates, and the biases: `[places, 4 * hidden]`, with
    /// places behind them that fill up the last tile.
    #[inline(always)]
    fn add_inputs<S: Simd>(&self, simd: S, inputs: &[f32], places: usize) -> Vec<f32> {
        let depth = inputs.len() / places;
        let gates = self.biases.len();
        let groups = places.div_ceil(MAX_BATCH);
        let mut transposed = vec![[0.0; PANEL_ROWS]; groups * depth];
        for (place, values) in inputs.chunks_exact(depth).enumerate() {
            let group = &mut transposed[place / MAX_BATCH * depth..];
            for (column, &value) in iter::zip(group, values) {
                column[place % MAX_BATCH] = value;
            }
        }
        let mut sums = self.biases.repeat(groups * MAX_BATCH);
        // All places go through a panel while it is in the cache.
        let panels = self.input_weights.chunks_exact(depth * PANEL_OUTPUTS);
        for (weights, first) in panels.zip((0..).step_by(PANEL_OUTPUTS)) {
            let groups = sums.chunks_exact_mut(MAX_BATCH * gates);
            for (sums, inputs) in groups.zip(transposed.chunks_exact(depth)) {
                let (inputs, sums) = (inputs.as_flattened(), &mut sums[first..]);
                add_products::<S, MAX_BATCH>(simd, weights, inputs, sums, gates);
            }
        }
        sums
    }
}

/// Adds the products of a panel of weights, `[depth][PANEL_OUTPUTS]`, and of `PLACES` places,
/// `[depth][PANEL_ROWS]`, to the sums of each place, of which those of the panel come first and
/// which are so many gates apart.
#[inline(always)]
fn add_products<S: Simd, const PLACES: usize>(
    simd: S,
    weights: &[f32],
    places: &[f32],
    sums: &mut [f32],
    gates: usize,
) {
    let lanes = S::f32s::LEN;
    for first in (0..PANEL_OUTPUTS).step_by(TILE_VECTORS * lanes) {
        let offsets = (0..).map(|input| input * PANEL_OUTPUTS);
        let products: [[S::f32s; TILE_VECTORS]; PLACES] =
            gemm_tile(simd, places, 0, &weights[first..], offsets);
        for (sums, products) in iter::zip(sums.chunks_mut(gates), &products) {
            let sums = &mut sums[first..][..TILE_VECTORS * lanes];
            for (sum, product) in iter::zip(sums.chunks_exact_mut(lanes), products) {
                (S::f32s::from_slice(simd, sum) + *product).store_slice(sum);
            }
        }
    }
}

/// One step of one sequence, from the sums of its gates, `[GATES, hidden]`.
#[inline(always)]
fn lstm_cell<S: Simd>(simd: S, sums: &[f32], cell: &mut [f32], hidden: &mut [f32]) {
    let lanes = S::f32s::LEN;
    let size = cell.len();
    let states = iter::zip(cell.chunks_exact_mut(lanes), hidden.chunks_exact_mut(lanes));
    for (at, (cell, hidden)) in iter::zip((0..).step_by(lanes), states) {
        let input = S::f32s::from_slice(simd, &sums[at..][..lanes]);
        let output = S::f32s::from_slice(simd, &sums[size + at..][..lanes]);
        let forget = S::f32s::from_slice(simd, &sums[2 * size + at..][..lanes]);
        let candidate = S::f32s::from_slice(simd, &sums[3 * size + at..][..lanes]);
        let kept = S::f32s::from_slice(simd, cell) * sigmoid(simd, forget);
        let new = kept + sigmoid(simd, input) * tanh(simd, candidate);
        new.store_slice(cell);
        (sigmoid(simd, output) * tanh(simd, new)).store_slice(hidden);
    }
}
