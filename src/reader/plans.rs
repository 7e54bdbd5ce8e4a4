//! An ONNX character model as tract runs it, with the layers that take most of the time done by `layers` and `sequences`; nothing else
//! of the reader knows tract.
//!
//! The convolutions see each patch by itself. The recurrent layers behind them take several patches of a width at once: a step for
//! several costs little more than for one, where convolutions for several are slower than one after another.

use std::iter;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use tract_onnx::prelude::*;
use tract_onnx::tract_core::internal::{bail, format_err};
use tract_onnx::tract_hir::infer::Factoid;
use tract_onnx::tract_hir::internal::DimLike;
use tract_onnx::tract_hir::ops::source::Source;

use super::layers::faster;
use super::preprocess::INPUT_WIDTHS;
use super::sequences::parsed;
use super::{ModelError, Posteriors};
use crate::patch::{PATCH_HEIGHT, PATCH_WIDTH};

/// The node behind which the frames go through recurrent layers, as `squeeze` of models/train/model.py is exported. A model that cannot
/// be taken apart there sees each patch by itself from end to end.
const FRAMES: &str = "/squeeze/squeeze.1/Relu";
/// Patches of a width that go through the recurrent layers at once; more gain nothing.
const TOGETHER: usize = 6;
/// As many that are left over go together too, filled up: one after another they take longer.
const ENOUGH: usize = 4;

/// A model as it runs on patches of each of [`INPUT_WIDTHS`].
pub(super) struct OnnxSession {
    /// Whether it takes patches of any of them, or only whole ones.
    pub(super) any_width: bool,
    /// The characters of its classes from 1 on, where it says so.
    pub(super) alphabet: Option<String>,
    /// From a patch to its frames, or to its log-posteriors where there is nothing behind them.
    convolutions: Part,
    /// From frames to log-posteriors, of one patch and of [`TOGETHER`].
    recurrent: Option<[Part; 2]>,
}

impl OnnxSession {
    /// The model in the bytes of an ONNX file.
    ///
    /// # Errors
    /// [`ModelError::Onnx`] where it is none, or one that tract does not run.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        Self::parsed(bytes).map_err(said)
    }

    fn parsed(bytes: &[u8]) -> TractResult<Self> {
        let model = parsed(bytes)?;
        let alphabet = model.properties.get("onnx.metadata_props.alphabet");
        let alphabet = alphabet.and_then(|t| t.to_plain_array_view::<String>().ok());
        let alphabet = alphabet.and_then(|a| a.first().cloned());
        let fixed = model.input_fact(0)?.shape.dim(3);
        let fixed = fixed.and_then(|width| width.concretize()?.to_usize().ok());
        let any_width = fixed.is_none();
        let (convolutions, recurrent) = match taken_apart(&model, any_width) {
            Ok((convolutions, recurrent)) => (convolutions, Some(recurrent)),
            Err(_) => (Part::of_patches(model, any_width)?, None),
        };
        Ok(Self {
            any_width,
            alphabet,
            convolutions,
            recurrent,
        })
    }

    /// Log-posteriors of normalised patches, each 48 rows of one of [`INPUT_WIDTHS`]. Which of them go together depends on their order and
    /// widths alone.
    ///
    /// # Errors
    /// [`ModelError::Onnx`] where the model fails on them.
    pub(super) fn run(&self, patches: &[Vec<f32>]) -> Result<Vec<Posteriors>, ModelError> {
        self.read(patches).map_err(said)
    }

    fn read(&self, patches: &[Vec<f32>]) -> TractResult<Vec<Posteriors>> {
        let high = PATCH_HEIGHT as usize;
        let width = |i: usize| patches[i].len() / high;
        let convolved = (0..patches.len()).into_par_iter().map(|i| {
            let patch = Tensor::from_shape(&[1, 1, high, width(i)], &patches[i])?;
            self.convolutions.run(width(i), width(i), patch)
        });
        let frames: Vec<Tensor> = convolved.collect::<TractResult<_>>()?;
        let Some([one, several]) = &self.recurrent else {
            let read = frames.iter().map(|log| posteriors(log, 1));
            return Ok(read.collect::<TractResult<Vec<_>>>()?.concat());
        };
        let mut order: Vec<usize> = (0..patches.len()).collect();
        order.sort_by_key(|&i| width(i));
        let of_width = order.chunk_by(|&a, &b| width(a) == width(b));
        let together = of_width.flat_map(|cells| {
            let over = cells.len() % TOGETHER;
            let alone = if over < ENOUGH { over } else { 0 };
            let (together, alone) = cells.split_at(cells.len() - alone);
            together.chunks(TOGETHER).chain(alone.chunks(1))
        });
        let read = |cells: &[usize]| -> TractResult<Vec<(usize, Posteriors)>> {
            let last = cells[cells.len() - 1];
            let (part, count) = match cells.len() {
                1 => (one, 1),
                _ => (several, TOGETHER),
            };
            let filled = cells.iter().copied().chain(iter::repeat(last)).take(count);
            let inputs: Vec<&Tensor> = filled.map(|i| &frames[i]).collect();
            let input = Tensor::stack_tensors(0, &inputs)?;
            let log = part.run(width(cells[0]), input.shape()[1], input)?;
            let read = posteriors(&log, count)?;
            Ok(cells.iter().copied().zip(read).collect())
        };
        let together: Vec<&[usize]> = together.collect();
        let read = together.into_par_iter().map(read);
        let mut read = read.collect::<TractResult<Vec<_>>>()?.concat();
        read.sort_by_key(|&(i, _)| i);
        Ok(read.into_iter().map(|(_, posteriors)| posteriors).collect())
    }
}

/// What a model does to a patch up to its frames, and what it does to the frames of one and of [`TOGETHER`] patches; an error where it
/// has no such node or cannot do so.
fn taken_apart(model: &InferenceModel, any_width: bool) -> TractResult<(Part, [Part; 2])> {
    let frames = model.node_by_name(FRAMES)?.id;
    let convolutions = model.clone().with_outputs_by_name([FRAMES])?;
    let convolutions = Part::of_patches(convolutions, any_width)?;
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
        Part::of(recurrent, shape, count)
    };
    let recurrent = [recurrent(1)?, recurrent(TOGETHER)?];
    Ok((convolutions, recurrent))
}

/// Some layers of a model, and how they run on patches of each of [`INPUT_WIDTHS`]; planned when first needed.
struct Part {
    model: TypedModel,
    /// Columns of the input.
    columns: Symbol,
    by_width: [OnceLock<Result<Arc<TypedRunnableModel>, String>>; INPUT_WIDTHS.len()],
}

impl Part {
    /// Those from a patch on, whole or of any width.
    fn of_patches(model: InferenceModel, any_width: bool) -> TractResult<Self> {
        let width = model.symbols.new_with_prefix("width");
        let columns = if any_width {
            width.clone().into()
        } else {
            i64::from(PATCH_WIDTH).to_dim()
        };
        let rows = i64::from(PATCH_HEIGHT).to_dim();
        Self::of(model, [1.to_dim(), 1.to_dim(), rows, columns], width)
    }

    fn of<const N: usize>(
        model: InferenceModel,
        shape: [TDim; N],
        columns: Symbol,
    ) -> TractResult<Self> {
        let model = model.with_input_fact(0, f32::fact(shape).into())?;
        Ok(Self {
            model: faster(model.into_typed()?.into_decluttered()?)?,
            columns,
            by_width: Default::default(),
        })
    }

    /// Its output for an input of so many columns, of patches of a width.
    fn run(&self, width: usize, columns: usize, input: Tensor) -> TractResult<Tensor> {
        let known = INPUT_WIDTHS.iter().position(|&w| w == width);
        let known = known.ok_or_else(|| format_err!("a patch of {width} columns"))?;
        let plan = self.by_width[known].get_or_init(|| {
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

/// The log-posteriors of so many patches, from an output that has them one after another.
fn posteriors(log: &Tensor, patches: usize) -> TractResult<Vec<Posteriors>> {
    let view = log.to_plain_array_view::<f32>()?;
    let [count, frames, classes] = *view.shape() else {
        bail!("output of shape {:?}", view.shape());
    };
    if count != patches {
        bail!("output of shape {:?} for {patches} patches", view.shape());
    }
    let of_patch = view.outer_iter().map(|log| Posteriors {
        frames,
        classes,
        log: log.iter().copied().collect(),
    });
    Ok(of_patch.collect())
}

fn said(e: TractError) -> ModelError {
    ModelError::Onnx(e.root_cause().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ships_reads_several_patches_together() {
        for model in [
            &include_bytes!("../../models/reader.onnx")[..],
            include_bytes!("../../models/second_stage.onnx"),
            include_bytes!("../../models/words.onnx"),
        ] {
            assert!(OnnxSession::from_bytes(model).unwrap().recurrent.is_some());
        }
    }
}
