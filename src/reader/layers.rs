//! The layers that tract is not left to do by itself, since they are most of a look and take less time so: convolutions, and pairs of
//! pointwise ones with a GELU between them.

use tract_onnx::prelude::*;
use tract_onnx::tract_core::internal::*;
use tract_onnx::tract_core::ops::cnn::{Conv, KernelFormat, PaddingSpec, PoolSpec};
use tract_onnx::tract_core::ops::einsum::EinSum;
use tract_onnx::tract_core::ops::nn::DataFormat;
use tract_onnx::tract_hir::internal::DimLike;

use super::dense::Steps;
use super::depthwise;
use super::lanes::CHANNELS;
use super::pointwise::{self, Layer};
use super::winograd::Down;

/// The model with such layers of one picture done by what is in this crate, where they are as it wants them.
///
/// # Errors
/// Those of tract.
pub(super) fn faster(mut model: TypedModel) -> TractResult<TypedModel> {
    for id in model.eval_order()? {
        let node = model.node(id);
        let own = match of_convolution(&model, node)? {
            Some(layer) => Some((node.inputs[0], layer)),
            None => of_pair(&model, node)?,
        };
        if let Some((input, layer)) = own {
            let patch = TypedModelPatch::replace_single_op(&model, node, &[input], layer)?;
            patch.apply(&mut model)?;
        }
    }
    model.into_compact()
}

/// What a convolution does.
fn of_convolution(model: &TypedModel, node: &TypedNode) -> TractResult<Option<Own>> {
    let Some(conv) = node.op_as::<Conv>() else {
        return Ok(None);
    };
    let pool = &conv.pool_spec;
    let fits = conv.kernel_fmt == KernelFormat::OIHW
        && matches!(pool.data_format, DataFormat::NCHW | DataFormat::CHW)
        && pool.kernel_shape.len() == 2
        && pool.dilations()[..] == [1, 1];
    let facts = model.node_input_facts(node.id)?;
    let ([picture, kernel, biases], true) = (&facts[..], fits) else {
        return Ok(None);
    };
    let (Some(height), Some(kernel), Some(biases)) =
        (height(picture), known(kernel), known(biases))
    else {
        return Ok(None);
    };
    let [before, behind] = match &pool.padding {
        PaddingSpec::Explicit(before, behind) => [[before[0], before[1]], [behind[0], behind[1]]],
        PaddingSpec::Valid => [[0, 0]; 2],
        _ => return Ok(None),
    };
    let steps = Steps {
        kernel: [pool.kernel_shape[0], pool.kernel_shape[1]],
        stride: [pool.stride(0), pool.stride(1)],
        before,
        behind,
    };
    let (outputs, inputs) = (pool.output_channels, pool.input_channels);
    let three = steps.kernel == [3, 3] && [before, behind] == [[1, 1]; 2];
    let along_rows = three && steps.stride[0] <= 2 && steps.stride[1] == 1;
    let (does, kernels) = if conv.group == inputs && outputs == inputs && along_rows {
        let [stride, _] = steps.stride;
        (Does::Depthwise { stride }, kernel)
    } else if conv.group != 1 || !outputs.is_multiple_of(CHANNELS) {
        return Ok(None);
    } else if along_rows && inputs >= CHANNELS {
        let down = Down::rows(height, steps.stride[0]);
        (Does::Filter(down), down.kernels(&kernel, inputs))
    } else {
        let inputs = kernel.len() / outputs;
        (Does::Dense(steps), pointwise::kernels(&kernel, inputs))
    };
    let biases: Vec<f32> = biases.into_iter().cycle().take(outputs).collect();
    Ok(Some(Own::new(
        does,
        Some(pool.clone()),
        &[&kernels, &biases],
    )))
}

/// What two pointwise layers do with a GELU between them of which the second ends with this node, and to what.
fn of_pair(model: &TypedModel, node: &TypedNode) -> TractResult<Option<(OutletId, Own)>> {
    let Some((gelu, [kernels, biases])) = pointwise(model, node)? else {
        return Ok(None);
    };
    let gelu = model.node(gelu.node);
    if gelu.op.name() != "GeluExact" {
        return Ok(None);
    }
    let first = pointwise(model, model.node(gelu.inputs[0].node))?;
    Ok(first.map(|(input, first)| {
        let weights = [&first[0], &first[1], &kernels, &biases].map(|values| &values[..]);
        (input, Own::new(Does::Pair, None, &weights))
    }))
}

/// The kernels and biases of the pointwise layer that ends with this node, and what it sees.
fn pointwise(
    model: &TypedModel,
    node: &TypedNode,
) -> TractResult<Option<(OutletId, [Vec<f32>; 2])>> {
    let ("Add", [sums, biases]) = (&*node.op.name(), &node.inputs[..]) else {
        return Ok(None);
    };
    let sums = model.node(sums.node);
    let of_places = |op: &EinSum| op.q_params.is_none() && op.axes.to_string() == "IHW,OI->OHW";
    if !sums.op_as::<EinSum>().is_some_and(of_places) {
        return Ok(None);
    }
    let facts = model.node_input_facts(sums.id)?;
    let (Some(matrix), Some(biases)) = (known(facts[1]), known(model.outlet_fact(*biases)?)) else {
        return Ok(None);
    };
    let inputs = matrix.len() / biases.len();
    let in_blocks = inputs * biases.len() == matrix.len() && biases.len().is_multiple_of(CHANNELS);
    let seen = facts[0].datum_type == f32::datum_type() && facts[0].shape[0] == inputs.to_dim();
    let kernels = || pointwise::kernels(&matrix, inputs);
    Ok((in_blocks && seen).then(|| (sums.inputs[0], [kernels(), biases])))
}

/// Rows of a picture, channels x height x width or one of these, of ordinary numbers.
fn height(picture: &TypedFact) -> Option<usize> {
    let height = match &picture.shape[..] {
        [_, height, _] => height,
        [one, _, height, _] if one.is_one() => height,
        _ => return None,
    };
    let ordinary = picture.datum_type == f32::datum_type();
    height.to_usize().ok().filter(|_| ordinary)
}

/// The values of a constant of ordinary numbers.
pub(super) fn known(fact: &TypedFact) -> Option<Vec<f32>> {
    Some(in_order(fact.konst.as_ref()?).ok()?.to_vec())
}

/// The values of a tensor of ordinary numbers.
pub(super) fn in_order(values: &Tensor) -> TractResult<&[f32]> {
    let values = values.to_plain_array_view::<f32>()?;
    values.to_slice().context("values in order")
}

/// What a layer of this crate does to a picture.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Does {
    Filter(Down),
    Dense(Steps),
    Depthwise { stride: usize },
    Pair,
}

/// A layer of this crate, from a picture to another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Own {
    does: Does,
    /// Of a convolution.
    pool: Option<PoolSpec>,
    /// Kernels and biases by turns.
    weights: TVec<Arc<Tensor>>,
}

impl Own {
    fn new(does: Does, pool: Option<PoolSpec>, weights: &[&[f32]]) -> Self {
        let weights = weights.iter().map(|values| tensor1(values).into());
        Self {
            does,
            pool,
            weights: weights.collect(),
        }
    }

    /// The shape of what comes of a picture of that shape.
    fn shape<D: DimLike>(&self, picture: &[D]) -> TractResult<TVec<D>> {
        if let Some(pool) = &self.pool {
            return Ok(pool.output_shape(picture)?.shape);
        }
        let mut shape: TVec<D> = picture.into();
        let rank = shape.len();
        shape[rank - 3] = self.weights[self.weights.len() - 1].len().into();
        Ok(shape)
    }
}

impl Op for Own {
    fn name(&self) -> StaticName {
        "Own".into()
    }

    fn info(&self) -> TractResult<Vec<String>> {
        Ok(vec![format!("{:?}", self.does)])
    }

    op_as_typed_op!();
}

impl EvalOp for Own {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let shape = inputs[0].shape();
        let &[.., channels, height, width] = shape else {
            bail!("a picture of shape {shape:?}");
        };
        let values = in_order(&inputs[0])?;
        let size = [channels, height, width];
        let weights = self.weights.iter().map(|values| in_order(values));
        let weights: TVec<&[f32]> = weights.collect::<TractResult<_>>()?;
        let made = match (&self.does, &weights[..]) {
            (Does::Filter(down), [kernels, biases]) => {
                down.convolution(values, size, kernels.as_chunks().0, biases)
            }
            (Does::Dense(steps), [kernels, biases]) => {
                steps.convolution(values, size, kernels.as_chunks().0, biases)
            }
            (Does::Depthwise { stride }, [kernels, biases]) => {
                depthwise::convolution(values, size, *stride, kernels.as_chunks().0, biases)
            }
            (Does::Pair, [first, first_biases, second, second_biases]) => {
                let layers = [(first, first_biases), (second, second_biases)];
                let layers = layers.map(|(kernels, biases)| Layer {
                    kernels: kernels.as_chunks().0,
                    biases,
                });
                pointwise::pair(values, height * width, layers)
            }
            _ => bail!("{} weights", weights.len()),
        };
        let shape = self.shape(shape)?;
        let made = tract_ndarray::ArrayD::from_shape_vec(&shape[..], made)?;
        Ok(tvec![made.into_tensor().into()])
    }
}

impl TypedOp for Own {
    as_op!();

    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        let shape = self.shape(&inputs[0].shape)?;
        Ok(tvec![f32::fact(shape)])
    }
}

#[cfg(test)]
mod tests {
    use super::super::sequences;
    use super::*;
    use crate::onnx;
    use proptest::prelude::*;

    /// Numbers between -1 and 1 that repeat late.
    fn numbers(count: usize) -> Vec<f32> {
        let number = |i: usize| (i * 7919 % 2003) as f32 / 1001.0 - 1.0;
        (0..count).map(number).collect()
    }

    /// How far what two models make of a picture is apart.
    fn apart(models: [TypedModel; 2], shape: &[usize]) -> TractResult<f32> {
        let picture = Tensor::from_shape(shape, &numbers(shape.iter().product()))?;
        let made = |model: TypedModel| -> TractResult<Tensor> {
            let plan = model.into_optimized()?.into_runnable()?;
            let made = plan.run(tvec![picture.clone().into()])?.remove(0);
            Ok(made.into_tensor())
        };
        let [own, tract] = models.map(made);
        let (own, tract) = (own?, tract?);
        assert_eq!(own.shape(), tract.shape());
        let own = own.to_plain_array_view::<f32>()?;
        let tract = tract.to_plain_array_view::<f32>()?;
        let apart = own.iter().zip(tract.iter()).map(|(a, b)| (a - b).abs());
        Ok(apart.fold(0.0, f32::max))
    }

    /// Operators of a model that have that name.
    fn count(model: &TypedModel, name: &str) -> usize {
        let named = |node: &&TypedNode| node.op.name() == name;
        model.nodes().iter().filter(named).count()
    }

    fn convolution(
        [inputs, outputs, group]: [usize; 3],
        kernel: [usize; 2],
        stride: [usize; 2],
        before: [usize; 2],
        shape: [usize; 4],
    ) -> TractResult<TypedModel> {
        let mut model = TypedModel::default();
        let picture = model.add_source("picture", f32::fact(shape))?;
        let size = [outputs, inputs / group, kernel[0], kernel[1]];
        let weights = Tensor::from_shape(&size, &numbers(size.iter().product()))?;
        let weights = model.add_const("kernel", weights)?;
        let biases = model.add_const("biases", tensor1(&numbers(outputs)))?;
        let pool_spec = PoolSpec {
            data_format: DataFormat::NCHW,
            kernel_shape: TVec::from_slice(&kernel),
            padding: PaddingSpec::Explicit(TVec::from_slice(&before), tvec![1, 1]),
            dilations: None,
            strides: Some(TVec::from_slice(&stride)),
            input_channels: inputs,
            output_channels: outputs,
        };
        let conv = Conv {
            pool_spec,
            kernel_fmt: KernelFormat::OIHW,
            group,
            q_params: None,
        };
        let made = model.wire_node("convolution", conv, &[picture, weights, biases])?;
        model.select_output_outlets(&made)?;
        Ok(model)
    }

    fn same_as_tract(tract: TypedModel, shape: &[usize]) -> Result<(), TestCaseError> {
        let own = faster(tract.clone()).unwrap();
        prop_assert_eq!(count(&own, "Own"), 1);
        let apart = apart([own, tract], shape).unwrap();
        prop_assert!(apart < 1e-4, "{} apart", apart);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            rng_seed: proptest::test_runner::RngSeed::Fixed(5),
            failure_persistence: None,
            ..ProptestConfig::with_cases(48)
        })]

        #[test]
        fn convolutions_of_any_size_are_those_of_tract(
            inputs in 8..20usize,
            blocks in 1..4usize,
            depthwise: bool,
            stride in 1..3usize,
            height in 1..15usize,
            width in 1..80usize,
        ) {
            let channels = if depthwise {
                [inputs, inputs, inputs]
            } else {
                [inputs, blocks * CHANNELS, 1]
            };
            let shape = [1, inputs, height, width];
            let model = convolution(channels, [3, 3], [stride, 1], [1, 1], shape);
            same_as_tract(model.unwrap(), &shape)?;
        }

        #[test]
        fn so_are_those_of_any_kernel_and_step(
            inputs in 1..12usize,
            blocks in 1..3usize,
            kernel in prop::array::uniform2(1..4usize),
            stride in prop::array::uniform2(1..4usize),
            before in prop::array::uniform2(0..3usize),
            height in 3..15usize,
            width in 3..80usize,
        ) {
            let shape = [1, inputs, height, width];
            let channels = [inputs, blocks * CHANNELS, 1];
            let model = convolution(channels, kernel, stride, before, shape);
            same_as_tract(model.unwrap(), &shape)?;
        }
    }

    #[test]
    fn what_ships_reads_the_same_by_tract_alone() {
        for (bytes, convolutions) in [
            (&include_bytes!("../../models/reader.onnx")[..], 8),
            (include_bytes!("../../models/second_stage.onnx"), 30),
        ] {
            for width in [64, 104, 192] {
                let shape = [1, 1, 48, width];
                let planned = |model: TractResult<InferenceModel>| {
                    let model = model?.with_input_fact(0, f32::fact(shape).into())?;
                    model.into_typed()?.into_decluttered()
                };
                let own = faster(planned(sequences::parsed(bytes)).unwrap()).unwrap();
                assert_eq!(count(&own, "Own"), convolutions);
                assert_eq!(count(&own, "BothWays"), 2);
                let tract = planned(onnx::parse(bytes)).unwrap();
                let apart = apart([own, tract], &shape).unwrap();
                assert!(apart < 1e-4, "{apart} apart at {width}");
            }
        }
    }
}
