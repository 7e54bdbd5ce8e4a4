//! Runs an ONNX model of characters with tract; nothing else in the reader knows tract.
//!
//! The convolutions take one patch at a time. The recurrent layers behind them take several patches
//! of the same width at once: a step for several costs little more than for one, while convolutions
//! of several patches are slower than one after another.

use std::iter;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use tract_onnx::prelude::*;
use tract_onnx::tract_core::internal::{bail, format_err};
use tract_onnx::tract_hir::infer::Factoid;
use tract_onnx::tract_hir::internal::DimLike;
use tract_onnx::tract_hir::ops::source::Source;

use super::preprocess::INPUT_WIDTHS;
use super::{ModelError, Posteriors};
use crate::onnx::{self, replace_layers};
use crate::patch::{PATCH_HEIGHT, PATCH_WIDTH};

/// The node whose output are the frames that go through the recurrent layers, as `squeeze` in
/// models/train/model.py is exported. A model without it takes one patch at a time from end to end.
const FRAMES_NODE: &str = "/squeeze/squeeze.1/Relu";
/// Patches of the same width that go through the recurrent layers at once. More are not faster.
const BATCH_SIZE: usize = 6;
/// Smallest number of left-over patches that are filled up to a batch. Fewer are faster one by one.
const MIN_FILLED_BATCH: usize = 4;

/// A model as it runs on patches of each of [`INPUT_WIDTHS`].
pub(super) struct OnnxSession {
    /// Whether it takes patches of any of them, or only of the full width.
    pub(super) any_width: bool,
    /// The characters of its classes from 1 on, if the file names them.
    pub(super) alphabet: Option<String>,
    /// From a patch to its frames, or to its log-posteriors if `recurrent` is None.
    convolutions: Subgraph,
    /// From frames to log-posteriors, of one patch and of [`BATCH_SIZE`].
    recurrent: Option<[Subgraph; 2]>,
}

impl OnnxSession {
    /// Loads the model in the bytes of an ONNX file.
    ///
    /// # Errors
    /// [`ModelError::Onnx`] where it is none, or one that tract does not run.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        Self::load(bytes).map_err(model_error)
    }

    fn load(bytes: &[u8]) -> TractResult<Self> {
        let model = onnx::parse(bytes)?;
        let alphabet = model.properties.get("onnx.metadata_props.alphabet");
        let alphabet = alphabet.and_then(|t| t.to_plain_array_view::<String>().ok());
        let alphabet = alphabet.and_then(|a| a.first().cloned());
        let fixed_width = model.input_fact(0)?.shape.dim(3);
        let fixed_width = fixed_width.and_then(|width| width.concretize()?.to_usize().ok());
        let any_width = fixed_width.is_none();
        let (convolutions, recurrent) = match split_at_frames(&model, any_width) {
            Ok((convolutions, recurrent)) => (convolutions, Some(recurrent)),
            Err(_) => (Subgraph::from_patches(model, any_width)?, None),
        };
        Ok(Self {
            any_width,
            alphabet,
            convolutions,
            recurrent,
        })
    }

    /// Log-posteriors of normalised patches, each 48 rows of one of [`INPUT_WIDTHS`]. Which of them
    /// share a batch depends on their order and widths alone.
    ///
    /// # Errors
    /// [`ModelError::Onnx`] where the model fails on them.
    pub(super) fn run(&self, patches: &[Vec<f32>]) -> Result<Vec<Posteriors>, ModelError> {
        self.run_batches(patches).map_err(model_error)
    }

    fn run_batches(&self, patches: &[Vec<f32>]) -> TractResult<Vec<Posteriors>> {
        let height = PATCH_HEIGHT as usize;
        let width = |i: usize| patches[i].len() / height;
        let frames = (0..patches.len()).into_par_iter().map(|i| {
            let patch = Tensor::from_shape(&[1, 1, height, width(i)], &patches[i])?;
            self.convolutions.run(width(i), width(i), patch)
        });
        let frames: Vec<Tensor> = frames.collect::<TractResult<_>>()?;
        let Some([single, batched]) = &self.recurrent else {
            let posteriors = frames.iter().map(|log| split_posteriors(log, 1));
            return Ok(posteriors.collect::<TractResult<Vec<_>>>()?.concat());
        };
        let mut order: Vec<usize> = (0..patches.len()).collect();
        order.sort_by_key(|&i| width(i));
        let same_width = order.chunk_by(|&a, &b| width(a) == width(b));
        let batches = same_width.flat_map(|patches| {
            let left_over = patches.len() % BATCH_SIZE;
            let one_by_one = if left_over < MIN_FILLED_BATCH {
                left_over
            } else {
                0
            };
            let (batched, single) = patches.split_at(patches.len() - one_by_one);
            batched.chunks(BATCH_SIZE).chain(single.chunks(1))
        });
        let run_batch = |batch: &[usize]| -> TractResult<Vec<(usize, Posteriors)>> {
            let last = batch[batch.len() - 1];
            let (subgraph, count) = match batch.len() {
                1 => (single, 1),
                _ => (batched, BATCH_SIZE),
            };
            let filled = batch.iter().copied().chain(iter::repeat(last)).take(count);
            let inputs: Vec<&Tensor> = filled.map(|i| &frames[i]).collect();
            let input = Tensor::stack_tensors(0, &inputs)?;
            let log = subgraph.run(width(batch[0]), input.shape()[1], input)?;
            let posteriors = split_posteriors(&log, count)?;
            Ok(batch.iter().copied().zip(posteriors).collect())
        };
        let batches: Vec<&[usize]> = batches.collect();
        let posteriors = batches.into_par_iter().map(run_batch);
        let mut posteriors = posteriors.collect::<TractResult<Vec<_>>>()?.concat();
        posteriors.sort_by_key(|&(i, _)| i);
        Ok(posteriors.into_iter().map(|(_, p)| p).collect())
    }
}

/// Splits a model into what it does to a patch up to its frames, and what it does to the frames of
/// one and of [`BATCH_SIZE`] patches; an error where it has no such node or cannot do so.
fn split_at_frames(
    model: &InferenceModel,
    any_width: bool,
) -> TractResult<(Subgraph, [Subgraph; 2])> {
    let frames = model.node_by_name(FRAMES_NODE)?.id;
    let convolutions = model.clone().with_outputs_by_name([FRAMES_NODE])?;
    let convolutions = Subgraph::from_patches(convolutions, any_width)?;
    let channels = &convolutions.model.output_fact(0)?.shape[2];
    let recurrent = |patches: usize| {
        let mut recurrent = model.clone();
        let node = recurrent.node_mut(frames);
        node.op = Box::new(Source::new());
        node.inputs.clear();
        recurrent.set_input_outlets(&[frames.into()])?;
        recurrent.set_output_fact(0, Default::default())?;
        let count = model.symbols.new_with_prefix("frames");
        let shape = [patches.to_dim(), count.clone().into(), channels.clone()];
        Subgraph::new(recurrent, shape, count)
    };
    let recurrent = [recurrent(1)?, recurrent(BATCH_SIZE)?];
    Ok((convolutions, recurrent))
}

/// Some layers of a model, with a plan for patches of each of [`INPUT_WIDTHS`] that is made when it
/// is first needed.
struct Subgraph {
    model: TypedModel,
    /// The number of columns of the input.
    columns: Symbol,
    plans: [OnceLock<Result<Arc<TypedRunnableModel>, String>>; INPUT_WIDTHS.len()],
}

impl Subgraph {
    /// The layers whose input is a patch, of the full width or of any.
    fn from_patches(model: InferenceModel, any_width: bool) -> TractResult<Self> {
        let width = model.symbols.new_with_prefix("width");
        let columns = if any_width {
            width.clone().into()
        } else {
            i64::from(PATCH_WIDTH).to_dim()
        };
        let rows = i64::from(PATCH_HEIGHT).to_dim();
        Self::new(model, [1.to_dim(), 1.to_dim(), rows, columns], width)
    }

    fn new<const RANK: usize>(
        model: InferenceModel,
        input_shape: [TDim; RANK],
        columns: Symbol,
    ) -> TractResult<Self> {
        let model = model.with_input_fact(0, f32::fact(input_shape).into())?;
        Ok(Self {
            model: replace_layers(model.into_typed()?.into_decluttered()?)?,
            columns,
            plans: Default::default(),
        })
    }

    /// Its output for an input of so many columns, which belongs to patches of one width.
    fn run(&self, width: usize, columns: usize, input: Tensor) -> TractResult<Tensor> {
        let index = INPUT_WIDTHS.iter().position(|&w| w == width);
        let index = index.ok_or_else(|| format_err!("a patch of {width} columns"))?;
        let plan = self.plans[index].get_or_init(|| {
            let columns = [(self.columns.clone(), columns.to_dim())];
            let model = self.model.set_symbols(&columns.into());
            let plan = model.and_then(|m| m.into_optimized()?.into_runnable());
            plan.map_err(|e| e.root_cause().to_string())
        });
        let plan = plan.as_ref().map_err(|e| format_err!("{e}"))?;
        let output = plan.run(tvec!(input.into()))?.remove(0);
        Ok(output.into_tensor())
    }
}

/// The log-posteriors of so many patches, from an output `[patches, frames, classes]`.
fn split_posteriors(log: &Tensor, patches: usize) -> TractResult<Vec<Posteriors>> {
    let view = log.to_plain_array_view::<f32>()?;
    let [count, frames, classes] = *view.shape() else {
        bail!("output of shape {:?}", view.shape());
    };
    if count != patches {
        bail!("output of shape {:?} for {patches} patches", view.shape());
    }
    let posteriors = view.outer_iter().map(|log| Posteriors {
        frames,
        classes,
        log: log.iter().copied().collect(),
    });
    Ok(posteriors.collect())
}

fn model_error(error: TractError) -> ModelError {
    ModelError::Onnx(error.root_cause().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_models_that_ship_read_several_patches_together() {
        for model in [
            &include_bytes!("../../models/reader.onnx")[..],
            include_bytes!("../../models/second_stage.onnx"),
            include_bytes!("../../models/words.onnx"),
        ] {
            assert!(OnnxSession::from_bytes(model).unwrap().recurrent.is_some());
        }
    }
}
