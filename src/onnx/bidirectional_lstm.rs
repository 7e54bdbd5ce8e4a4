//! The recurrent layers of a model, which are not left to tract either: it runs a dozen operators
//! for each step.

use sheetscan_kernels::Level;
use sheetscan_kernels::lstm::{self, GATES, HIDDEN_MULTIPLE, Layer, MAX_BATCH, State};
use tract_onnx::Onnx;
use tract_onnx::ops::rec::common::CommonRec;
use tract_onnx::ops::rec::lstm::LSTM;
use tract_onnx::prelude::*;
use tract_onnx::tract_core::internal::*;
use tract_onnx::tract_hir::infer::rules::{InferenceResult, Solver, TensorProxy};
use tract_onnx::tract_hir::ops::expandable::{Expansion, expand};
use tract_onnx::tract_hir::ops::{math, nn};

use super::fast_op::{constant_values, tensor_values};

/// Has tract parse LSTM layers for which there is a kernel as a [`BidirectionalLstm`].
pub(super) fn register(loader: &mut Onnx) {
    loader.op_register.insert("LSTM", |_, node| {
        let lstm = LSTM {
            f: Box::new(nn::sigmoid()),
            g: Box::new(math::tanh()),
            h: Box::new(math::tanh()),
        };
        let layer = CommonRec::from_node_and_options(node, 3, 0, Box::new(lstm))?;
        Ok((expand(UntypedLstm(layer)), vec![]))
    });
}

/// An LSTM layer as tract parses it, until the shape of its input is known.
#[derive(Clone, Debug)]
struct UntypedLstm(CommonRec);

impl Expansion for UntypedLstm {
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
        match self.convert(model, inputs)? {
            Some(op) => model.wire_node(prefix, op, &[inputs[0], inputs[4], inputs[5]]),
            None => self.0.wire(prefix, model, inputs),
        }
    }
}

impl UntypedLstm {
    /// The operator for this layer; None where no kernel can do it: it has to go in both
    /// directions, from given states, through a batch of at most [`MAX_BATCH`].
    fn convert(
        &self,
        model: &TypedModel,
        inputs: &[OutletId],
    ) -> TractResult<Option<BidirectionalLstm>> {
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
        let (Some(input_weights), Some(hidden_weights), Some(biases)) = (
            constant_values(facts[1]),
            constant_values(facts[2]),
            constant_values(facts[3]),
        ) else {
            return Ok(None);
        };
        let (Some(batch), Some(inputs), Some(directions), Some(hidden)) =
            (size(0, 1), size(0, 2), size(2, 0), size(2, 2))
        else {
            return Ok(None);
        };
        if directions != DIRECTIONS || batch > MAX_BATCH || !hidden.is_multiple_of(HIDDEN_MULTIPLE)
        {
            return Ok(None);
        }
        let mut weights = tvec![];
        for direction in 0..DIRECTIONS {
            // ONNX has a bias for the inputs and one for the hidden state, which are added anyway.
            let biases = half(&biases, direction);
            let (input_biases, hidden_biases) = biases.split_at(GATES * hidden);
            let biases = input_biases.iter().zip(hidden_biases);
            for values in [
                lstm::pack(half(&input_weights, direction), inputs),
                lstm::pack(half(&hidden_weights, direction), hidden),
                biases.map(|(a, b)| a + b).collect(),
            ] {
                weights.push(tensor1(&values).into());
            }
        }
        Ok(Some(BidirectionalLstm { weights }))
    }
}

/// Forwards and backwards.
const DIRECTIONS: usize = 2;

/// The values of one direction, whose axis is the outermost.
fn half(values: &[f32], direction: usize) -> &[f32] {
    let length = values.len() / DIRECTIONS;
    &values[direction * length..][..length]
}

/// An LSTM layer in both directions, with the shapes of ONNX. From a sequence, `[steps, batch,
/// inputs]`, and the hidden state and the cells before it, `[directions, batch, hidden]`, it makes
/// the hidden states of all steps, `[steps, directions, batch, hidden]`, and the hidden state and
/// the cells behind the last.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct BidirectionalLstm {
    /// For each direction the packed weights of the inputs and of the hidden state, and the biases.
    weights: TVec<Arc<Tensor>>,
}

impl Op for BidirectionalLstm {
    fn name(&self) -> StaticName {
        "BidirectionalLstm".into()
    }

    op_as_typed_op!();
}

impl EvalOp for BidirectionalLstm {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let [steps, batch, _] = inputs[0].shape()[..] else {
            bail!("a sequence of shape {:?}", inputs[0].shape());
        };
        let values = inputs.iter().map(|values| tensor_values(values));
        let values: TVec<&[f32]> = values.collect::<TractResult<_>>()?;
        let state_length = values[1].len() / DIRECTIONS;
        let mut outputs = vec![0.0; steps * DIRECTIONS * state_length];
        let (mut last_hidden, mut last_cells) = (vec![], vec![]);
        for (direction, weights) in self.weights.chunks_exact(3).enumerate() {
            let layer = Layer {
                input_weights: tensor_values(&weights[0])?,
                hidden_weights: tensor_values(&weights[1])?,
                biases: tensor_values(&weights[2])?,
            };
            let mut state = State {
                hidden: half(values[1], direction).to_vec(),
                cell: half(values[2], direction).to_vec(),
            };
            let is_reversed = direction == 1;
            let mut on_step = |step: usize, hidden: &[f32]| {
                let first = (step * DIRECTIONS + direction) * state_length;
                outputs[first..][..state_length].copy_from_slice(hidden);
            };
            let level = Level::current();
            layer.run(
                level,
                values[0],
                steps,
                is_reversed,
                &mut state,
                &mut on_step,
            );
            last_hidden.extend(state.hidden);
            last_cells.extend(state.cell);
        }
        let hidden = state_length / batch;
        Ok(tvec![
            Tensor::from_shape(&[steps, DIRECTIONS, batch, hidden], &outputs)?.into(),
            Tensor::from_shape(&[DIRECTIONS, batch, hidden], &last_hidden)?.into(),
            Tensor::from_shape(&[DIRECTIONS, batch, hidden], &last_cells)?.into(),
        ])
    }
}

impl TypedOp for BidirectionalLstm {
    as_op!();

    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        let state = f32::fact(inputs[1].shape.clone());
        let [directions, batch, hidden] = &inputs[1].shape[..] else {
            bail!("a state of shape {:?}", inputs[1].shape);
        };
        let steps = &inputs[0].shape[0];
        let outputs = f32::fact([steps, directions, batch, hidden].map(Clone::clone));
        Ok(tvec![outputs, state.clone(), state])
    }
}
