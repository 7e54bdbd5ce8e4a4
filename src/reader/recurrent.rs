//! A recurrent layer in one direction: long short-term memory (Hochreiter and Schmidhuber 1997; Gers et al. 2000), of several patches
//! a step at a time.

use super::lanes::{CHANNELS, WIDE, WideLanes, in_blocks, products};

/// Places that weights are multiplied with at once, and the most patches of a step.
pub(super) const PLACES: usize = 6;
/// Vectors of weights that are kept at hand for them.
const VECTORS: usize = 2;
/// Outputs of a gate are a multiple of this.
const OUTPUTS: usize = VECTORS * WIDE;
/// Input, output, forget and cell gate.
pub(super) const GATES: usize = 4;

/// A layer in one direction, its weights as [`weights`] makes them, by input and by what came out before; and its biases.
#[derive(Clone, Copy)]
pub(super) struct Layer<'a> {
    pub(super) of_inputs: &'a [[f32; WIDE]],
    pub(super) of_state: &'a [[f32; WIDE]],
    pub(super) biases: &'a [f32],
}

/// The weights of [`Layer`], from a matrix, gates' outputs x inputs: by [`OUTPUTS`], then by input.
pub(super) fn weights(matrix: &[f32], inputs: usize) -> Vec<f32> {
    in_blocks::<OUTPUTS>(matrix, inputs)
}

/// What came out last, and what is remembered, patches x outputs.
pub(super) struct State {
    pub(super) said: Vec<f32>,
    pub(super) cells: Vec<f32>,
}

impl Layer<'_> {
    /// Goes through `seen`, steps x patches x inputs, from its end where `backwards`, and hands over what each step says, patches x outputs.
    pub(super) fn run(
        self,
        seen: &[f32],
        steps: usize,
        backwards: bool,
        state: &mut State,
        mut says: impl FnMut(usize, &[f32]),
    ) {
        let outputs = self.biases.len() / GATES;
        let patches = state.said.len() / outputs;
        let of_inputs = self.of_all_inputs(seen, steps * patches);
        let vectors = self.biases.len() / WIDE;
        let through = if patches == 1 {
            multiplied::<1>
        } else {
            multiplied::<PLACES>
        };
        let mut said = vec![[0.0; CHANNELS]; outputs];
        let mut sums = vec![[0.0; WIDE]; PLACES * vectors];
        for at in 0..steps {
            let step = if backwards { steps - 1 - at } else { at };
            for (patch, of_patch) in state.said.chunks_exact(outputs).enumerate() {
                for (said, &value) in said.iter_mut().zip(of_patch) {
                    said[patch] = value;
                }
            }
            sums[..patches * vectors]
                .copy_from_slice(&of_inputs[step * patches * vectors..][..patches * vectors]);
            let blocks = self.of_state.chunks_exact(VECTORS * outputs);
            for (block, weights) in blocks.enumerate() {
                through(weights, &said, &mut sums[block * VECTORS..], vectors);
            }
            let of_patches = sums
                .chunks_exact(vectors)
                .zip(state.cells.chunks_exact_mut(outputs));
            for ((sums, cells), said) in of_patches.zip(state.said.chunks_exact_mut(outputs)) {
                remember(sums, cells.as_chunks_mut().0, said.as_chunks_mut().0);
            }
            says(step, &state.said);
        }
    }

    /// What the inputs add to the gates, biases with it: by place, of which some more than there are.
    fn of_all_inputs(self, seen: &[f32], places: usize) -> Vec<[f32; WIDE]> {
        let inputs = seen.len() / places;
        let groups = places.div_ceil(PLACES);
        let mut by_input = vec![[0.0; CHANNELS]; groups * inputs];
        for (place, seen) in seen.chunks_exact(inputs).enumerate() {
            let group = &mut by_input[place / PLACES * inputs..];
            for (values, &value) in group.iter_mut().zip(seen) {
                values[place % PLACES] = value;
            }
        }
        let biases: &[[f32; WIDE]] = self.biases.as_chunks().0;
        let mut sums = biases.repeat(groups * PLACES);
        let vectors = biases.len();
        for (block, weights) in self.of_inputs.chunks_exact(VECTORS * inputs).enumerate() {
            let groups = sums.chunks_exact_mut(PLACES * vectors);
            for (sums, seen) in groups.zip(by_input.chunks_exact(inputs)) {
                multiplied::<PLACES>(weights, seen, &mut sums[block * VECTORS..], vectors);
            }
        }
        sums
    }
}

/// Adds what [`OUTPUTS`] have of K places to their sums, which are so many vectors apart.
fn multiplied<const K: usize>(
    weights: &[[f32; WIDE]],
    seen: &[[f32; CHANNELS]],
    sums: &mut [[f32; WIDE]],
    vectors: usize,
) {
    let more = products::<WideLanes, WIDE, K, VECTORS>(weights, VECTORS, seen, 0);
    for (k, more) in more.into_iter().enumerate() {
        for (n, more) in more.into_iter().enumerate() {
            let sum = &mut sums[k * vectors + n];
            *sum = (WideLanes::new(*sum) + more).to_array();
        }
    }
}

/// A step of a patch behind the sums of its gates.
fn remember(sums: &[[f32; WIDE]], cells: &mut [[f32; WIDE]], said: &mut [[f32; WIDE]]) {
    let vectors = cells.len();
    for (at, (cell, said)) in cells.iter_mut().zip(said).enumerate() {
        let [input, output, forget, new] =
            std::array::from_fn(|gate| WideLanes::new(sums[gate * vectors + at]));
        let kept = WideLanes::new(*cell) * sigmoid(forget) + sigmoid(input) * tanh(new);
        *cell = kept.to_array();
        *said = (sigmoid(output) * tanh(kept)).to_array();
    }
}

#[inline(always)]
fn sigmoid(x: WideLanes) -> WideLanes {
    WideLanes::ONE / (WideLanes::ONE + (-x).exp())
}

#[inline(always)]
fn tanh(x: WideLanes) -> WideLanes {
    sigmoid(x + x) * 2.0 - WideLanes::ONE
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const INPUTS: usize = 5;

    /// What a made layer says of sequences, patch by patch, steps x outputs.
    fn said(patches: &[Vec<[f32; INPUTS]>], backwards: bool) -> Vec<Vec<f32>> {
        let number = |i: usize| (i * 7919 % 2003) as f32 / 1001.0 - 1.0;
        let matrix = |columns: usize| -> Vec<f32> {
            weights(
                &(0..GATES * WIDE * columns).map(number).collect::<Vec<_>>(),
                columns,
            )
        };
        let (of_inputs, of_state) = (matrix(INPUTS), matrix(WIDE));
        let biases: Vec<f32> = (0..GATES * WIDE).map(number).collect();
        let layer = Layer {
            of_inputs: of_inputs.as_chunks().0,
            of_state: of_state.as_chunks().0,
            biases: &biases,
        };
        let steps = patches[0].len();
        let steps_of = (0..steps).flat_map(|step| patches.iter().flat_map(move |p| p[step]));
        let seen: Vec<f32> = steps_of.collect();
        let nothing = vec![0.0; patches.len() * WIDE];
        let mut state = State {
            said: nothing.clone(),
            cells: nothing,
        };
        let mut said = vec![vec![0.0; steps * WIDE]; patches.len()];
        layer.run(&seen, steps, backwards, &mut state, |step, of_step| {
            for (said, of_patch) in said.iter_mut().zip(of_step.chunks_exact(WIDE)) {
                said[step * WIDE..][..WIDE].copy_from_slice(of_patch);
            }
        });
        said
    }

    fn close(a: &[f32], b: &[f32]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5)
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            rng_seed: proptest::test_runner::RngSeed::Fixed(7),
            failure_persistence: None,
            ..ProptestConfig::with_cases(64)
        })]

        #[test]
        fn a_patch_says_the_same_alone_and_the_other_way_round(
            mut patches in (1..9usize).prop_flat_map(|steps| {
                let patch = prop::collection::vec(prop::array::uniform5(-30f32..30.0), steps);
                prop::collection::vec(patch, 1..=PLACES)
            }),
        ) {
            let together = said(&patches, false);
            for (patch, together) in patches.iter().zip(&together) {
                prop_assert!(close(&said(std::slice::from_ref(patch), false)[0], together));
            }
            for patch in &mut patches {
                patch.reverse();
            }
            for (back, together) in said(&patches, true).iter().zip(&together) {
                let turned: Vec<f32> = back.chunks_exact(WIDE).rev().flatten().copied().collect();
                prop_assert!(close(&turned, together));
            }
        }
    }
}
