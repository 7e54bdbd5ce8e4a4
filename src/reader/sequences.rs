//! The recurrent layers of a model, which tract is not left to do by itself either: it goes through them with a dozen operators a step.

use std::io::Cursor;

use tract_onnx::ops::rec::common::CommonRec;
use tract_onnx::ops::rec::lstm::LSTM;
use tract_onnx::prelude::*;
use tract_onnx::tract_core::internal::*;
use tract_onnx::tract_hir::infer::rules::{InferenceResult, Solver, TensorProxy};
use tract_onnx::tract_hir::ops::expandable::{Expansion, expand};
use tract_onnx::tract_hir::ops::{math, nn};

use super::lanes::WIDE;
use super::layers::{in_order, known};
use super::recurrent::{self, GATES, Layer, PLACES, State};
use crate::onnx;

/// The model in the bytes of an ONNX file, its LSTM layers done by what is in this crate where they are as it wants them.
///
/// # Errors
/// Those of tract.
pub(super) fn parsed(bytes: &[u8]) -> TractResult<InferenceModel> {
    let mut onnx = onnx::loader();
    onnx.op_register.insert("LSTM", |_, node| {
        let lstm = LSTM {
            f: Box::new(nn::sigmoid()),
            g: Box::new(math::tanh()),
            h: Box::new(math::tanh()),
        };
        let layer = CommonRec::from_node_and_options(node, 3, 0, Box::new(lstm))?;
        Ok((expand(AnyLstm(layer)), vec![]))
    });
    onnx.model_for_read(&mut Cursor::new(bytes))
}

/// The LSTM of ONNX as tract has it, until it is known what it sees.
#[derive(Clone, Debug)]
struct AnyLstm(CommonRec);

impl Expansion for AnyLstm {
    fn name(&self) -> StaticName {
        self.0.name()
    }

    fn nboutputs(&self) -> TractResult<usize> {
        self.0.nboutputs()
    }

    fn rules<'r, 'p: 'r, 's: 'r>(
        &'s self,
        solver: &mut Solver<'r>,
        inputs: &'p [TensorProxy],
        outputs: &'p [TensorProxy],
    ) -> InferenceResult {
        self.0.rules(solver, inputs, outputs)
    }

    fn wire(
        &self,
        prefix: &str,
        model: &mut TypedModel,
        inputs: &[OutletId],
    ) -> TractResult<TVec<OutletId>> {
        match self.both_ways(model, inputs)? {
            Some(own) => model.wire_node(prefix, own, &[inputs[0], inputs[4], inputs[5]]),
            None => self.0.wire(prefix, model, inputs),
        }
    }
}

impl AnyLstm {
    /// The layer where it goes both ways, from a state that is given, through several patches of a step or one.
    fn both_ways(&self, model: &TypedModel, inputs: &[OutletId]) -> TractResult<Option<BothWays>> {
        let slots = &self.0;
        let optional = [
            slots.optional_bias_input,
            slots.optional_sequence_lens_input,
            slots.optional_initial_h_input,
            slots.optional_initial_c_input,
            slots.optional_p_input,
            slots.optional_y_output,
            slots.optional_y_h_output,
            slots.optional_y_c_output,
        ];
        let wanted = [
            Some(3),
            None,
            Some(4),
            Some(5),
            None,
            Some(0),
            Some(1),
            Some(2),
        ];
        if slots.batch_first || optional != wanted {
            return Ok(None);
        }
        let facts: TVec<&TypedFact> = inputs
            .iter()
            .map(|&input| model.outlet_fact(input))
            .collect::<TractResult<_>>()?;
        let size = |input: usize, axis: usize| facts[input].shape[axis].to_usize().ok();
        let (Some(of_inputs), Some(of_state), Some(biases)) =
            (known(facts[1]), known(facts[2]), known(facts[3]))
        else {
            return Ok(None);
        };
        let (Some(patches), Some(inputs), Some(ways), Some(outputs)) =
            (size(0, 1), size(0, 2), size(2, 0), size(2, 2))
        else {
            return Ok(None);
        };
        if ways != WAYS || patches > PLACES || !outputs.is_multiple_of(WIDE) {
            return Ok(None);
        }
        let gates = GATES * outputs;
        let mut weights = tvec![];
        for way in 0..WAYS {
            let of_way = |values: &[f32]| {
                let length = values.len() / WAYS;
                way * length..(way + 1) * length
            };
            let (seen, said) = biases[of_way(&biases)].split_at(gates);
            let biases: Vec<f32> = seen.iter().zip(said).map(|(a, b)| a + b).collect();
            for values in [
                recurrent::weights(&of_inputs[of_way(&of_inputs)], inputs),
                recurrent::weights(&of_state[of_way(&of_state)], outputs),
                biases,
            ] {
                weights.push(tensor1(&values).into());
            }
        }
        Ok(Some(BothWays { weights }))
    }
}

/// Ways through a sequence.
const WAYS: usize = 2;

/// An LSTM layer forwards and backwards, as ONNX has it: of a sequence, steps x patches x inputs, and the states before it, ways x patches x
/// outputs, it makes what all steps say, steps x ways x patches x outputs, and the states behind it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct BothWays {
    /// Of each way the weights of the inputs, those of the state, and the biases.
    weights: TVec<Arc<Tensor>>,
}

impl Op for BothWays {
    fn name(&self) -> StaticName {
        "BothWays".into()
    }

    op_as_typed_op!();
}

impl EvalOp for BothWays {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let [steps, patches, _] = inputs[0].shape()[..] else {
            bail!("a sequence of shape {:?}", inputs[0].shape());
        };
        let given = inputs.iter().map(|values| in_order(values));
        let given: TVec<&[f32]> = given.collect::<TractResult<_>>()?;
        let of_way = given[1].len() / WAYS;
        let mut says = vec![0.0; steps * WAYS * of_way];
        let (mut said, mut cells) = (vec![], vec![]);
        for (way, weights) in self.weights.chunks_exact(3).enumerate() {
            let weights = weights.iter().map(|values| in_order(values));
            let weights: TVec<&[f32]> = weights.collect::<TractResult<_>>()?;
            let layer = Layer {
                of_inputs: weights[0].as_chunks().0,
                of_state: weights[1].as_chunks().0,
                biases: weights[2],
            };
            let before = |state: &[f32]| state[way * of_way..][..of_way].to_vec();
            let mut state = State {
                said: before(given[1]),
                cells: before(given[2]),
            };
            layer.run(given[0], steps, way == 1, &mut state, |step, values| {
                says[(step * WAYS + way) * of_way..][..of_way].copy_from_slice(values);
            });
            said.extend(state.said);
            cells.extend(state.cells);
        }
        let outputs = of_way / patches;
        Ok(tvec![
            Tensor::from_shape(&[steps, WAYS, patches, outputs], &says)?.into(),
            Tensor::from_shape(&[WAYS, patches, outputs], &said)?.into(),
            Tensor::from_shape(&[WAYS, patches, outputs], &cells)?.into(),
        ])
    }
}

impl TypedOp for BothWays {
    as_op!();

    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        let state = f32::fact(inputs[1].shape.clone());
        let [ways, patches, outputs] = &inputs[1].shape[..] else {
            bail!("a state of shape {:?}", inputs[1].shape);
        };
        let steps = &inputs[0].shape[0];
        let says = f32::fact([steps, ways, patches, outputs].map(Clone::clone));
        Ok(tvec![says, state.clone(), state])
    }
}
