//! The layers that are not left to tract, since they take most of the time and are faster in
//! `sheetscan-kernels`: convolutions, and pairs of pointwise ones with a GELU between them.

use sheetscan_kernels::direct::{self, Window};
use sheetscan_kernels::pointwise::{self, Layer};
use sheetscan_kernels::winograd::RowTransform;
use sheetscan_kernels::{Level, PANEL_ROWS, depthwise};
use tract_onnx::prelude::*;
use tract_onnx::tract_core::internal::*;
use tract_onnx::tract_core::ops::cnn::{Conv, KernelFormat, PaddingSpec, PoolSpec};
use tract_onnx::tract_core::ops::einsum::EinSum;
use tract_onnx::tract_core::ops::nn::DataFormat;
use tract_onnx::tract_hir::internal::DimLike;

/// Replaces the layers of a model for which there is a kernel.
///
/// # Errors
/// Those of tract.
pub(crate) fn replace_layers(mut model: TypedModel) -> TractResult<TypedModel> {
    for id in model.eval_order()? {
        let node = model.node(id);
        let fast = match convert_convolution(&model, node)? {
            Some(op) => Some((node.inputs[0], op)),
            None => convert_feed_forward(&model, node)?,
        };
        if let Some((input, op)) = fast {
            let patch = TypedModelPatch::replace_single_op(&model, node, &[input], op)?;
            patch.apply(&mut model)?;
        }
    }
    model.into_compact()
}

/// The operator for a convolution; None where the node is none, or no kernel can do it.
fn convert_convolution(model: &TypedModel, node: &TypedNode) -> TractResult<Option<FastOp>> {
    let Some(conv) = node.op_as::<Conv>() else {
        return Ok(None);
    };
    let pool = &conv.pool_spec;
    let is_plain = conv.kernel_fmt == KernelFormat::OIHW
        && matches!(pool.data_format, DataFormat::NCHW | DataFormat::CHW)
        && pool.kernel_shape.len() == 2
        && pool.dilations()[..] == [1, 1];
    let facts = model.node_input_facts(node.id)?;
    let ([picture, kernel, biases], true) = (&facts[..], is_plain) else {
        return Ok(None);
    };
    let (Some(height), Some(kernel), Some(biases)) = (
        picture_height(picture),
        constant_values(kernel),
        constant_values(biases),
    ) else {
        return Ok(None);
    };
    let [before, after] = match &pool.padding {
        PaddingSpec::Explicit(before, after) => [[before[0], before[1]], [after[0], after[1]]],
        PaddingSpec::Valid => [[0, 0]; 2],
        _ => return Ok(None),
    };
    let window = Window {
        kernel: [pool.kernel_shape[0], pool.kernel_shape[1]],
        stride: [pool.stride(0), pool.stride(1)],
        before,
        after,
    };
    let (outputs, inputs) = (pool.output_channels, pool.input_channels);
    let is_padded_3x3 = window.kernel == [3, 3] && [before, after] == [[1, 1]; 2];
    let takes_all_columns = is_padded_3x3 && window.stride[0] <= 2 && window.stride[1] == 1;
    let (kernel, packed) = if conv.group == inputs && outputs == inputs && takes_all_columns {
        let [stride, _] = window.stride;
        (Kernel::Depthwise { stride }, kernel)
    } else if conv.group != 1 || !outputs.is_multiple_of(PANEL_ROWS) {
        return Ok(None);
    } else if takes_all_columns && inputs >= PANEL_ROWS {
        let transform = RowTransform::choose(height, window.stride[0]);
        (Kernel::Winograd(transform), transform.pack(&kernel, inputs))
    } else {
        let taps = kernel.len() / outputs;
        (Kernel::Direct(window), direct::pack(&kernel, taps))
    };
    let biases: Vec<f32> = biases.into_iter().cycle().take(outputs).collect();
    Ok(Some(FastOp::new(
        kernel,
        Some(pool.clone()),
        &[&packed, &biases],
    )))
}

/// The operator for two pointwise layers with a GELU between them, of which the second ends with
/// this node, and the input of the first; None where the node ends no such pair.
fn convert_feed_forward(
    model: &TypedModel,
    node: &TypedNode,
) -> TractResult<Option<(OutletId, FastOp)>> {
    let Some((gelu, [packed, biases])) = match_pointwise(model, node)? else {
        return Ok(None);
    };
    let gelu = model.node(gelu.node);
    if gelu.op.name() != "GeluExact" {
        return Ok(None);
    }
    let first = match_pointwise(model, model.node(gelu.inputs[0].node))?;
    Ok(first.map(|(input, first)| {
        let weights = [&first[0], &first[1], &packed, &biases].map(|values| &values[..]);
        (input, FastOp::new(Kernel::FeedForward, None, &weights))
    }))
}

/// The input, packed weights and biases of the pointwise layer that ends with this node.
fn match_pointwise(
    model: &TypedModel,
    node: &TypedNode,
) -> TractResult<Option<(OutletId, [Vec<f32>; 2])>> {
    let ("Add", [products, biases]) = (&*node.op.name(), &node.inputs[..]) else {
        return Ok(None);
    };
    let products = model.node(products.node);
    let is_pointwise = |op: &EinSum| op.q_params.is_none() && op.axes.to_string() == "IHW,OI->OHW";
    if !products.op_as::<EinSum>().is_some_and(is_pointwise) {
        return Ok(None);
    }
    let facts = model.node_input_facts(products.id)?;
    let biases = constant_values(model.outlet_fact(*biases)?);
    let (Some(matrix), Some(biases)) = (constant_values(facts[1]), biases) else {
        return Ok(None);
    };
    let inputs = matrix.len() / biases.len();
    let fits_panels =
        inputs * biases.len() == matrix.len() && biases.len().is_multiple_of(PANEL_ROWS);
    let fits_input =
        facts[0].datum_type == f32::datum_type() && facts[0].shape[0] == inputs.to_dim();
    let packed = || pointwise::pack(&matrix, inputs);
    Ok((fits_panels && fits_input).then(|| (products.inputs[0], [packed(), biases])))
}

/// The height of a picture of `f32`, `[channels, height, width]` or one of these.
fn picture_height(picture: &TypedFact) -> Option<usize> {
    let height = match &picture.shape[..] {
        [_, height, _] => height,
        [one, _, height, _] if one.is_one() => height,
        _ => return None,
    };
    let is_f32 = picture.datum_type == f32::datum_type();
    height.to_usize().ok().filter(|_| is_f32)
}

/// The values of a constant of `f32`; None where it is not known, or of another type.
pub(super) fn constant_values(fact: &TypedFact) -> Option<Vec<f32>> {
    Some(tensor_values(fact.konst.as_ref()?).ok()?.to_vec())
}

/// The values of a tensor of `f32`, the last axis innermost.
pub(super) fn tensor_values(tensor: &Tensor) -> TractResult<&[f32]> {
    let view = tensor.to_plain_array_view::<f32>()?;
    view.to_slice().context("values in order")
}

/// Which kernel an operator runs, and how.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kernel {
    Winograd(RowTransform),
    Direct(Window),
    Depthwise { stride: usize },
    FeedForward,
}

/// An operator of a model that runs a kernel, from a picture to another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct FastOp {
    kernel: Kernel,
    /// The shape of a convolution.
    pool: Option<PoolSpec>,
    /// The packed weights of each layer, followed by its biases.
    weights: TVec<Arc<Tensor>>,
}

impl FastOp {
    fn new(kernel: Kernel, pool: Option<PoolSpec>, weights: &[&[f32]]) -> Self {
        let weights = weights.iter().map(|values| tensor1(values).into());
        Self {
            kernel,
            pool,
            weights: weights.collect(),
        }
    }

    /// The shape of the output for a picture of this shape.
    fn output_shape<D: DimLike>(&self, picture: &[D]) -> TractResult<TVec<D>> {
        if let Some(pool) = &self.pool {
            return Ok(pool.output_shape(picture)?.shape);
        }
        let mut shape: TVec<D> = picture.into();
        let rank = shape.len();
        shape[rank - 3] = self.weights[self.weights.len() - 1].len().into();
        Ok(shape)
    }
}

impl Op for FastOp {
    fn name(&self) -> StaticName {
        "FastOp".into()
    }

    fn info(&self) -> TractResult<Vec<String>> {
        Ok(vec![format!("{:?}", self.kernel)])
    }

    op_as_typed_op!();
}

impl EvalOp for FastOp {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let shape = inputs[0].shape();
        let &[.., channels, height, width] = shape else {
            bail!("a picture of shape {shape:?}");
        };
        let picture = tensor_values(&inputs[0])?;
        let size = [channels, height, width];
        let weights = self.weights.iter().map(|values| tensor_values(values));
        let weights: TVec<&[f32]> = weights.collect::<TractResult<_>>()?;
        let level = Level::current();
        let outputs = match (&self.kernel, &weights[..]) {
            (Kernel::Winograd(transform), [packed, biases]) => {
                transform.convolve(level, picture, size, packed, biases)
            }
            (Kernel::Direct(window), [packed, biases]) => {
                window.convolve(level, picture, size, packed, biases)
            }
            (Kernel::Depthwise { stride }, [kernels, biases]) => {
                depthwise::convolve(level, picture, size, *stride, kernels, biases)
            }
            (Kernel::FeedForward, [first, first_biases, second, second_biases]) => {
                let layers = [(first, first_biases), (second, second_biases)];
                let layers = layers.map(|(packed, biases)| Layer { packed, biases });
                pointwise::feed_forward(level, picture, height * width, layers)
            }
            _ => bail!("{} weights", weights.len()),
        };
        let shape = self.output_shape(shape)?;
        let outputs = tract_ndarray::ArrayD::from_shape_vec(&shape[..], outputs)?;
        Ok(tvec![outputs.into_tensor().into()])
    }
}

impl TypedOp for FastOp {
    as_op!();

    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        let shape = self.output_shape(&inputs[0].shape)?;
        Ok(tvec![f32::fact(shape)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::onnx;
    use proptest::prelude::*;

    /// Numbers between -1 and 1 that repeat late.
    fn numbers(count: usize) -> Vec<f32> {
        let number = |i: usize| (i * 7919 % 2003) as f32 / 1001.0 - 1.0;
        (0..count).map(number).collect()
    }

    /// The largest difference of the outputs of two models for the same picture.
    fn largest_difference(models: [TypedModel; 2], shape: &[usize]) -> TractResult<f32> {
        let picture = Tensor::from_shape(shape, &numbers(shape.iter().product()))?;
        let run = |model: TypedModel| -> TractResult<Tensor> {
            let plan = model.into_optimized()?.into_runnable()?;
            let output = plan.run(tvec![picture.clone().into()])?.remove(0);
            Ok(output.into_tensor())
        };
        let [fast, tract] = models.map(run);
        let (fast, tract) = (fast?, tract?);
        assert_eq!(fast.shape(), tract.shape());
        let fast = fast.to_plain_array_view::<f32>()?;
        let tract = tract.to_plain_array_view::<f32>()?;
        let differences = fast.iter().zip(tract.iter()).map(|(a, b)| (a - b).abs());
        Ok(differences.fold(0.0, f32::max))
    }

    /// The number of operators of a model with this name.
    fn count_ops(model: &TypedModel, name: &str) -> usize {
        let has_name = |node: &&TypedNode| node.op.name() == name;
        model.nodes().iter().filter(has_name).count()
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
        let outputs = model.wire_node("convolution", conv, &[picture, weights, biases])?;
        model.select_output_outlets(&outputs)?;
        Ok(model)
    }

    fn check_against_tract(tract: TypedModel, shape: &[usize]) -> Result<(), TestCaseError> {
        let fast = replace_layers(tract.clone()).unwrap();
        prop_assert_eq!(count_ops(&fast, "FastOp"), 1);
        let difference = largest_difference([fast, tract], shape).unwrap();
        prop_assert!(difference < 1e-4, "a difference of {}", difference);
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
                [inputs, blocks * PANEL_ROWS, 1]
            };
            let shape = [1, inputs, height, width];
            let model = convolution(channels, [3, 3], [stride, 1], [1, 1], shape);
            check_against_tract(model.unwrap(), &shape)?;
        }

        #[test]
        fn so_are_those_of_any_kernel_and_stride(
            inputs in 1..12usize,
            blocks in 1..3usize,
            kernel in prop::array::uniform2(1..4usize),
            stride in prop::array::uniform2(1..4usize),
            before in prop::array::uniform2(0..3usize),
            height in 3..15usize,
            width in 3..80usize,
        ) {
            let shape = [1, inputs, height, width];
            let channels = [inputs, blocks * PANEL_ROWS, 1];
            let model = convolution(channels, kernel, stride, before, shape);
            check_against_tract(model.unwrap(), &shape)?;
        }
    }

    #[test]
    fn the_models_that_ship_read_the_same_by_tract_alone() {
        for (bytes, convolutions) in [
            (&include_bytes!("../../models/reader.onnx")[..], 8),
            (include_bytes!("../../models/second_stage.onnx"), 30),
        ] {
            for width in [64, 104, 192] {
                let shape = [1, 1, 48, width];
                let plan = |model: TractResult<InferenceModel>| {
                    let model = model?.with_input_fact(0, f32::fact(shape).into())?;
                    model.into_typed()?.into_decluttered()
                };
                let fast = replace_layers(plan(onnx::parse(bytes)).unwrap()).unwrap();
                assert_eq!(count_ops(&fast, "FastOp"), convolutions);
                assert_eq!(count_ops(&fast, "BidirectionalLstm"), 2);
                let tract = plan(onnx::parse_with(&onnx::loader(), bytes)).unwrap();
                let difference = largest_difference([fast, tract], &shape).unwrap();
                assert!(difference < 1e-4, "a difference of {difference} at {width}");
            }
        }
    }
}
