//! The character models that ship with the program, or one from a file.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::thread;

use image::GrayImage;
use rayon::prelude::*;

use super::plans::Plans;
use super::shown::{columns, ink, shown};
use super::{Model, Posteriors};
use crate::cell::{PATCH_HEIGHT, PATCH_WIDTH};

/// The model that ships with the program; `models/README.md` is its card.
static EMBEDDED: &[u8] = include_bytes!("../../models/reader.onnx");
/// The model that looks again where that one is in doubt, of the same form: larger, slower and better.
static CAREFUL: &[u8] = include_bytes!("../../models/second_stage.onnx");
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
    /// The model of patches in doubt.
    careful: Option<Arc<Careful>>,
}

/// The careful model, loaded on another thread or with the first patch in doubt, whichever comes first.
#[derive(Default)]
struct Careful(OnceLock<Result<Network, String>>);

impl Careful {
    fn loaded(&self) -> Result<&Network, ModelError> {
        let load = || Network::from_bytes(CAREFUL, BESIDE_CAREFUL).map_err(|e| e.to_string());
        let loaded = self.0.get_or_init(load).as_ref();
        loaded.map_err(|e| ModelError::Onnx(e.clone()))
    }
}

impl Network {
    /// The two models of moves built into the program: one for all cells, one for those in doubt, which is loaded meanwhile.
    ///
    /// # Errors
    /// [`ModelError`] never in a released program; the tests load it.
    pub fn embedded() -> Result<Self, ModelError> {
        let mut network = Self::from_bytes(EMBEDDED, BESIDE)?;
        let careful = Arc::new(Careful::default());
        network.careful = Some(Arc::clone(&careful));
        // What fails here is tried again, and told, when it is needed.
        let _ = thread::Builder::new().spawn(move || careful.loaded().is_ok());
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
        let network = Self::from_bytes(&std::fs::read(path)?, BESIDE)?;
        let probe = network.log_posteriors(&[GrayImage::new(PATCH_WIDTH, PATCH_HEIGHT)])?;
        let fits = |p: &Posteriors| p.classes == network.alphabet.len() + 1 && p.frames > 0;
        if probe.iter().all(fits) {
            Ok(network)
        } else {
            Err(ModelError::Alphabet)
        }
    }

    fn from_bytes(bytes: &[u8], beside: usize) -> Result<Self, ModelError> {
        let plans = Plans::of(bytes)?;
        let alphabet = plans.alphabet.as_ref().ok_or(ModelError::Alphabet)?;
        let alphabet = alphabet.chars().collect();
        Ok(Self {
            plans,
            beside,
            alphabet,
            careful: None,
        })
    }
}

impl Model for Network {
    fn alphabet(&self) -> &[char] {
        &self.alphabet
    }

    fn log_posteriors(&self, patches: &[GrayImage]) -> Result<Vec<Posteriors>, ModelError> {
        let shown = |patch: &GrayImage| {
            if patch.dimensions() != (PATCH_WIDTH, PATCH_HEIGHT) {
                return Err(ModelError::PatchSize(patch.width(), patch.height()));
            }
            let ink = ink(patch);
            Ok(if self.plans.any_width {
                columns(&ink, &shown(&ink, self.beside))
            } else {
                ink
            })
        };
        let shown = patches.par_iter().map(shown);
        self.plans.run(&shown.collect::<Result<Vec<_>, _>>()?)
    }

    fn careful_log_posteriors(&self, patches: &[GrayImage]) -> Result<Vec<Posteriors>, ModelError> {
        match &self.careful {
            Some(careful) if !patches.is_empty() => careful.loaded()?.log_posteriors(patches),
            _ => self.log_posteriors(patches),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rendered cells and the trainer's log-posteriors for them, as models/train/export.py writes them.
    static GOLDEN: &[u8] = include_bytes!("../../models/golden.bin");
    /// The same of the careful model.
    static GOLDEN_CAREFUL: &[u8] = include_bytes!("../../models/golden-second_stage.bin");
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
        let (mut at, mut patches, mut wanted) = (8, Vec::new(), Vec::new());
        for _ in 0..cells {
            let luma = golden[at..at + pixels].to_vec();
            patches.push(GrayImage::from_raw(PATCH_WIDTH, PATCH_HEIGHT, luma).unwrap());
            at += pixels;
            let values = count(at) * classes;
            let values = (0..values).map(|k| f32::from_le_bytes(word(at + 4 + 4 * k)));
            wanted.push(values.collect::<Vec<_>>());
            at += 4 + 4 * wanted.last().unwrap().len();
        }
        // Twice, so that some go through the recurrent layers together, some of these filled up, and some alone.
        let twice = [&patches[..], &patches].concat();
        let read = network.log_posteriors(&twice).unwrap();
        for (i, wanted) in wanted.iter().enumerate() {
            let alone = &network.log_posteriors(&patches[i..=i]).unwrap()[0];
            for got in [&read[i], &read[cells + i], alone] {
                assert_eq!((got.classes, got.log.len()), (classes, wanted.len()));
                let apart = |(a, b): (&f32, &f32)| (a - b).abs();
                let most = got.log.iter().zip(wanted).map(apart).fold(0.0, f32::max);
                assert!(most < 1e-3, "cell {i} is {most} from what the trainer has");
            }
        }
        assert!(cells > 0 && read.len() == 2 * cells && at == golden.len());
    }

    #[test]
    fn refuses_what_is_not_a_model() {
        assert!(matches!(
            Network::from_bytes(b"not a model", BESIDE),
            Err(ModelError::Onnx(_) | ModelError::Alphabet)
        ));
    }
}
