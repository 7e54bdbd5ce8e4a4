//! The embedded networks that look at a grey picture of one size.

use std::io::Cursor;
use std::sync::Arc;

use tract_onnx::prelude::*;

/// ONNX as tract reads it, for files that may say other shapes inside a model than an input of any size gives.
pub(crate) fn format() -> tract_onnx::Onnx {
    tract_onnx::onnx().with_ignore_value_info(true)
}

/// The model in the bytes of an ONNX file.
pub(crate) fn parsed(bytes: &[u8]) -> TractResult<InferenceModel> {
    format().model_for_read(&mut Cursor::new(bytes))
}

/// A network for pictures of so many pixels, ready to run.
pub(crate) struct Onnx {
    plan: Arc<TypedRunnableModel>,
    shape: [usize; 4],
}

impl Onnx {
    /// The network in the bytes of an ONNX file, for input 1 x 1 x height x width; None where it is no such one.
    pub(crate) fn new(bytes: &[u8], (width, height): (u32, u32)) -> Option<Self> {
        let shape = [1, 1, height as usize, width as usize];
        let plan = || {
            parsed(bytes)?
                .with_input_fact(0, f32::fact(shape).into())?
                .into_optimized()?
                .into_runnable()
        };
        let plan = plan().ok()?;
        Some(Self { plan, shape })
    }

    /// Its output for a picture, row by row; None where it fails.
    pub(crate) fn run(&self, picture: &[f32]) -> Option<Vec<f32>> {
        let input = Tensor::from_shape(&self.shape, picture).ok()?;
        let output = self.plan.run(tvec!(input.into())).ok()?;
        let values = output[0].to_plain_array_view::<f32>().ok()?;
        Some(values.iter().copied().collect())
    }
}
