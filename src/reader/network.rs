//! The ONNX character model, run by tract; the only file that knows tract.

use std::io::Cursor;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use image::GrayImage;
use tract_onnx::prelude::*;
use tract_onnx::tract_hir::infer::Factoid;
use tract_onnx::tract_hir::internal::DimLike;

use super::shown::{WIDTHS, columns, ink, shown};
use super::{Model, Posteriors};
use crate::cell::{PATCH_HEIGHT, PATCH_WIDTH};

/// The model that ships with the program; `models/README.md` is its card.
static EMBEDDED: &[u8] = include_bytes!("../../models/reader.onnx");
/// The model that looks again where that one is in doubt, of the same form: larger, slower and better.
static CAREFUL: &[u8] = include_bytes!("../../models/careful.onnx");
/// The model of words that ships with them, of the same form.
static WORDS: &[u8] = include_bytes!("../../models/words.onnx");

/// Why a model cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The file cannot be read.
    #[error("the model file cannot be read: {0}")]
    File(#[from] std::io::Error),
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

/// Pixels that a model is shown on either side of the writing at least.
const BESIDE: usize = 16;
/// The same for the careful model, whose channels are weighed by what they have in all of the patch.
const BESIDE_CAREFUL: usize = 24;

/// A loaded character model.
pub struct Network {
    plans: Plans,
    beside: usize,
    alphabet: Vec<char>,
    /// The model of patches in doubt, loaded with the first of them.
    careful: Option<Box<OnceLock<Result<Network, String>>>>,
}

impl Network {
    /// The two models of moves built into the program: one for all cells, one for those in doubt.
    ///
    /// # Errors
    /// [`ModelError`] never in a released program; the tests load it.
    pub fn embedded() -> Result<Self, ModelError> {
        let mut network = Self::from_bytes(EMBEDDED, BESIDE)?;
        network.careful = Some(Box::default());
        Ok(network)
    }

    /// The model of names, numbers and labels built into the program.
    ///
    /// # Errors
    /// As [`Self::embedded`].
    pub fn words() -> Result<Self, ModelError> {
        Self::from_bytes(WORDS, BESIDE)
    }

    /// A model from an ONNX file with input 1 x 1 x 48 x 192 (ink: paper 0, darkest 1), output 1 x frames x classes
    /// log-posteriors, and the characters of classes 1, 2, 3... as metadata `alphabet`. One whose input has no fixed width
    /// is shown no more of a patch than its writing and some paper beside it.
    ///
    /// # Errors
    /// [`ModelError`] where the file cannot be read or is another kind of model.
    pub fn from_file(path: &Path) -> Result<Self, ModelError> {
        Self::from_bytes(&std::fs::read(path)?, BESIDE)
    }

    fn from_bytes(bytes: &[u8], beside: usize) -> Result<Self, ModelError> {
        let plans = Plans::of(bytes)?;
        let properties = &plans.model.properties;
        let alphabet: Vec<char> = properties
            .get("onnx.metadata_props.alphabet")
            .and_then(|t| {
                t.to_plain_array_view::<String>()
                    .ok()
                    .and_then(|a| a.first().cloned())
            })
            .map(|s| s.chars().collect())
            .ok_or(ModelError::Alphabet)?;
        let network = Self {
            plans,
            beside,
            alphabet,
            careful: None,
        };
        let probe = network.log_posteriors(&GrayImage::new(PATCH_WIDTH, PATCH_HEIGHT))?;
        if probe.classes != network.alphabet.len() + 1 || probe.frames == 0 {
            return Err(ModelError::Alphabet);
        }
        Ok(network)
    }
}

impl Model for Network {
    fn alphabet(&self) -> &[char] {
        &self.alphabet
    }

    fn careful_log_posteriors(&self, patch: &GrayImage) -> Result<Posteriors, ModelError> {
        let Some(careful) = &self.careful else {
            return self.log_posteriors(patch);
        };
        let loaded = careful
            .get_or_init(|| Self::from_bytes(CAREFUL, BESIDE_CAREFUL).map_err(|e| e.to_string()));
        let careful = loaded.as_ref().map_err(|e| ModelError::Onnx(e.clone()))?;
        careful.log_posteriors(patch)
    }

    fn log_posteriors(&self, patch: &GrayImage) -> Result<Posteriors, ModelError> {
        if patch.dimensions() != (PATCH_WIDTH, PATCH_HEIGHT) {
            return Err(ModelError::PatchSize(patch.width(), patch.height()));
        }
        let ink = ink(patch);
        if self.plans.width.is_some() {
            let shown = shown(&ink, self.beside);
            self.plans.run(&columns(&ink, &shown), shown.len())
        } else {
            self.plans.run(&ink, PATCH_WIDTH as usize)
        }
    }
}

/// A model as it runs on patches of each of [`WIDTHS`].
struct Plans {
    model: TypedModel,
    /// That of its input, where it takes any.
    width: Option<Symbol>,
    by_width: [OnceLock<Result<Arc<TypedRunnableModel>, String>>; WIDTHS.len()],
}

impl Plans {
    fn of(bytes: &[u8]) -> Result<Self, ModelError> {
        let model = tract_onnx::onnx()
            .with_ignore_value_info(true)
            .model_for_read(&mut Cursor::new(bytes))
            .map_err(said)?;
        let fixed = model.input_fact(0).map_err(said)?.shape.dim(3);
        let fixed = fixed.and_then(|width| width.concretize()?.to_usize().ok());
        let width = fixed
            .is_none()
            .then(|| model.symbols.new_with_prefix("width"));
        let pixels = width
            .clone()
            .map_or(i64::from(PATCH_WIDTH).to_dim(), TDim::from);
        let shape = [
            1.to_dim(),
            1.to_dim(),
            i64::from(PATCH_HEIGHT).to_dim(),
            pixels,
        ];
        let model = model.with_input_fact(0, f32::fact(shape).into());
        let model = model.and_then(|m| m.into_typed()?.into_decluttered());
        Ok(Self {
            model: model.map_err(said)?,
            width,
            by_width: Default::default(),
        })
    }

    /// Log-posteriors of normalised ink, 48 rows of `width` pixels; the plan of a width is made when it is first needed.
    fn run(&self, ink: &[f32], width: usize) -> Result<Posteriors, ModelError> {
        let plan = WIDTHS.iter().position(|&w| w == width);
        let plan = plan.map(|k| self.by_width[k].get_or_init(|| self.plan(width)));
        let plan = plan.ok_or(ModelError::PatchSize(width as u32, PATCH_HEIGHT))?;
        let plan = plan.as_ref().map_err(|e| ModelError::Onnx(e.clone()))?;
        let shape = [1, 1, PATCH_HEIGHT as usize, width];
        let input = Tensor::from_shape(&shape, ink).map_err(said)?;
        let output = plan.run(tvec!(input.into())).map_err(said)?;
        let view = output[0].to_plain_array_view::<f32>().map_err(said)?;
        let [1, frames, classes] = *view.shape() else {
            let shape = format!("output of shape {:?}", view.shape());
            return Err(ModelError::Onnx(shape));
        };
        Ok(Posteriors {
            frames,
            classes,
            log: view.iter().copied().collect(),
        })
    }

    fn plan(&self, width: usize) -> Result<Arc<TypedRunnableModel>, String> {
        let known = self
            .width
            .iter()
            .map(|symbol| (symbol.clone(), width.to_dim()));
        let fixed = self.model.set_symbols(&known.collect());
        let plan = fixed.and_then(|m| m.into_optimized()?.into_runnable());
        plan.map_err(|e| e.root_cause().to_string())
    }
}

fn said(e: TractError) -> ModelError {
    ModelError::Onnx(e.root_cause().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rendered cells and the trainer's log-posteriors for them, as models/train/export.py writes them.
    static GOLDEN: &[u8] = include_bytes!("../../models/golden.bin");
    /// The same of the careful model.
    static GOLDEN_CAREFUL: &[u8] = include_bytes!("../../models/golden-careful.bin");
    /// The same of words.
    static GOLDEN_WORDS: &[u8] = include_bytes!("../../models/golden-words.bin");

    #[test]
    fn agrees_with_the_trainer() {
        agrees(&Network::embedded().unwrap(), GOLDEN);
    }

    #[test]
    fn the_careful_model_agrees_with_the_trainer() {
        let network = Network::from_bytes(CAREFUL, BESIDE_CAREFUL).unwrap();
        assert_eq!(network.alphabet, Network::embedded().unwrap().alphabet);
        agrees(&network, GOLDEN_CAREFUL);
    }

    #[test]
    fn the_model_of_words_agrees_with_the_trainer() {
        agrees(&Network::words().unwrap(), GOLDEN_WORDS);
    }

    fn agrees(network: &Network, golden: &[u8]) {
        let word = |at: usize| -> [u8; 4] { golden[at..at + 4].try_into().unwrap() };
        let count = |at: usize| u32::from_le_bytes(word(at)) as usize;
        let (cells, classes) = (count(0), count(4));
        let pixels = (PATCH_WIDTH * PATCH_HEIGHT) as usize;
        let mut at = 8;
        for _ in 0..cells {
            let patch =
                GrayImage::from_raw(PATCH_WIDTH, PATCH_HEIGHT, golden[at..at + pixels].to_vec())
                    .unwrap();
            at += pixels;
            let got = network.log_posteriors(&patch).unwrap();
            assert_eq!((got.frames, got.classes), (count(at), classes));
            at += 4;
            for &value in &got.log {
                let wanted = f32::from_le_bytes(word(at));
                assert!(
                    (value - wanted).abs() < 1e-3,
                    "{value} where the trainer has {wanted}"
                );
                at += 4;
            }
        }
        assert!(cells > 0 && at == golden.len());
    }

    #[test]
    fn refuses_what_is_not_a_model() {
        assert!(matches!(
            Network::from_bytes(b"not a model", BESIDE),
            Err(ModelError::Onnx(_) | ModelError::Alphabet)
        ));
    }
}
