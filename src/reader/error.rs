//! Why a model cannot be used.

use std::sync::Arc;

/// Why a model cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The file cannot be read.
    #[error("the model file cannot be read: {0}")]
    File(#[from] std::io::Error),
    /// The second stage could not be loaded; every sheet that needs it is told the same.
    #[error("the second stage: {0}")]
    SecondStage(Arc<ModelError>),
    /// Not an ONNX model that tract runs.
    #[error("not a usable ONNX model: {0}")]
    Onnx(String),
    /// The model does not say which characters its classes are.
    #[error("the model has no `alphabet` in its metadata, or one that does not fit its output")]
    Alphabet,
    /// The patch is not of the size that the model takes.
    #[error("a patch of {0} x {1} pixels does not fit the model")]
    PatchSize(u32, u32),
}
