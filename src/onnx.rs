//! Loads ONNX networks with tract, and runs those that look at a grey picture of fixed size.
//! Layers for which there is a kernel in `sheetscan-kernels` are not left to tract.

mod bidirectional_lstm;
mod fast_op;
mod weights;

use std::io::Cursor;
use std::sync::Arc;

use tract_onnx::Onnx as Loader;
use tract_onnx::prelude::*;

pub(crate) use fast_op::replace_layers;

/// tract's reader of ONNX. It ignores the shapes that a file states for values inside the network,
/// since they may contradict the size of the input that it is given.
fn loader() -> Loader {
    tract_onnx::onnx().with_ignore_value_info(true)
}

/// Parses the bytes of an ONNX file. Weights that it stores in 8 or 16 bits become float32, and
/// LSTM layers for which there is a kernel run it.
///
/// # Errors
/// Those of tract.
pub(crate) fn parse(bytes: &[u8]) -> TractResult<InferenceModel> {
    let mut loader = loader();
    bidirectional_lstm::register(&mut loader);
    parse_with(&loader, bytes)
}

/// Parses the bytes of an ONNX file with the operators of a loader.
fn parse_with(loader: &Loader, bytes: &[u8]) -> TractResult<InferenceModel> {
    let mut file = loader.proto_model_for_read(&mut Cursor::new(bytes))?;
    if let Some(graph) = &mut file.graph {
        weights::convert_weights(loader, graph)?;
    }
    loader.model_for_proto_model(&file)
}

/// A network for pictures of one size, ready to run.
pub(crate) struct Onnx {
    plan: Arc<TypedRunnableModel>,
    /// Shape of the input: `[1, 1, H, W]`.
    shape: [usize; 4],
}

impl Onnx {
    /// Prepares the network in the bytes of an ONNX file for input of shape `[1, 1, H, W]`; None
    /// where it does not take such input.
    pub(crate) fn new(bytes: &[u8], (width, height): (u32, u32)) -> Option<Self> {
        let shape = [1, 1, height as usize, width as usize];
        let plan = || {
            let model = parse(bytes)?.with_input_fact(0, f32::fact(shape).into())?;
            let model = model.into_typed()?.into_decluttered()?;
            replace_layers(model)?.into_optimized()?.into_runnable()
        };
        let plan = plan().ok()?;
        Some(Self { plan, shape })
    }

    /// Runs the network on a picture, given row by row, and returns its first output row by row;
    /// None where it fails.
    pub(crate) fn run(&self, picture: &[f32]) -> Option<Vec<f32>> {
        self.run_all(picture)?.into_iter().next()
    }

    /// Runs the network as [`Self::run`] does, and returns all its outputs.
    pub(crate) fn run_all(&self, picture: &[f32]) -> Option<Vec<Vec<f32>>> {
        let input = Tensor::from_shape(&self.shape, picture).ok()?;
        let outputs = self.plan.run(tvec!(input.into())).ok()?;
        let values = outputs.iter().map(|output| {
            let values = output.to_plain_array_view::<f32>().ok()?;
            Some(values.iter().copied().collect())
        });
        values.collect()
    }
}
