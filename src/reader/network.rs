//! The character models that ship with the program, or one from a file.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::thread;

use image::GrayImage;
use rayon::prelude::*;

use super::onnx_session::OnnxSession;
use super::preprocess::{crop_to_ink, normalize_ink, select_columns};
use super::{Model, ModelError, Posteriors};
use crate::models;
use crate::patch::{PATCH_HEIGHT, PATCH_WIDTH};

/// Smallest number of pixels of paper that a model is given on either side of the writing.
const PADDING_PX: usize = 16;
/// The same for the second stage, whose channels are weighted by their mean over the whole patch.
/// With 32 pixels a slightly smaller second stage read 88.33 % instead of 88.27 % of the HCS dev
/// cells (n = 3,675), at 323 instead of 335 cells a second.
const SECOND_STAGE_PADDING_PX: usize = 24;

/// A character model: a network, or a cascade of two.
pub struct Network {
    session: OnnxSession,
    /// Pixels of paper on either side of the writing.
    padding: usize,
    alphabet: Vec<char>,
    second_stage: Option<Arc<SecondStage>>,
}

/// The second stage, loaded by another thread or with the first patch that needs it, whichever
/// comes first.
#[derive(Default)]
struct SecondStage(OnceLock<Result<Network, Arc<ModelError>>>);

impl SecondStage {
    fn network(&self) -> Result<&Network, ModelError> {
        let load = || {
            let network = Network::from_bytes(models::SECOND_STAGE, SECOND_STAGE_PADDING_PX);
            network.map_err(Arc::new)
        };
        let loaded = self.0.get_or_init(load).as_ref();
        loaded.map_err(|error| ModelError::SecondStage(Arc::clone(error)))
    }
}

impl Network {
    /// The cascade for moves that is built into the program. Its second stage is loaded in the
    /// background.
    ///
    /// # Errors
    /// [`ModelError`] never in a released program; the tests load it.
    pub fn embedded() -> Result<Self, ModelError> {
        let mut network = Self::from_bytes(models::READER, PADDING_PX)?;
        let second_stage = Arc::new(SecondStage::default());
        network.second_stage = Some(Arc::clone(&second_stage));
        // Where no thread starts, the first patch that needs the second stage loads it.
        let _ = thread::Builder::new().spawn(move || second_stage.network().is_ok());
        Ok(network)
    }

    /// The model of names, numbers and labels that is built into the program.
    ///
    /// # Errors
    /// As [`Self::embedded`].
    pub fn embedded_words() -> Result<Self, ModelError> {
        Self::from_bytes(models::WORDS, PADDING_PX)
    }

    /// A model from an ONNX file with an input `[1, 1, 48, 192]` (ink: paper 0, darkest 1), an
    /// output `[1, T, C]` of log-posteriors, and the characters of classes 1, 2, 3 and so on as
    /// metadata `alphabet`. One whose input has no fixed width is given no more of a patch than its
    /// writing and some paper beside it.
    ///
    /// # Errors
    /// [`ModelError`] where the file cannot be read or holds another kind of model.
    pub fn from_file(path: &Path) -> Result<Self, ModelError> {
        let network = Self::from_bytes(&std::fs::read(path)?, PADDING_PX)?;
        let probe = network.log_posteriors(&[GrayImage::new(PATCH_WIDTH, PATCH_HEIGHT)])?;
        let fits = |p: &Posteriors| p.classes == network.alphabet.len() + 1 && p.frames > 0;
        if probe.iter().all(fits) {
            Ok(network)
        } else {
            Err(ModelError::Alphabet)
        }
    }

    fn from_bytes(bytes: &[u8], padding: usize) -> Result<Self, ModelError> {
        let session = OnnxSession::from_bytes(bytes)?;
        let alphabet = session.alphabet.as_ref().ok_or(ModelError::Alphabet)?;
        let alphabet = alphabet.chars().collect();
        Ok(Self {
            session,
            padding,
            alphabet,
            second_stage: None,
        })
    }

    /// What the network is given of a patch, `[48, W]`, row by row.
    fn input(&self, patch: &GrayImage) -> Result<Vec<f32>, ModelError> {
        if patch.dimensions() != (PATCH_WIDTH, PATCH_HEIGHT) {
            return Err(ModelError::PatchSize(patch.width(), patch.height()));
        }
        let ink = normalize_ink(patch);
        Ok(if self.session.any_width {
            select_columns(&ink, &crop_to_ink(&ink, self.padding))
        } else {
            ink
        })
    }
}

impl Model for Network {
    fn alphabet(&self) -> &[char] {
        &self.alphabet
    }

    fn log_posteriors(&self, patches: &[GrayImage]) -> Result<Vec<Posteriors>, ModelError> {
        let inputs = patches.par_iter().map(|patch| self.input(patch));
        self.session.run(&inputs.collect::<Result<Vec<_>, _>>()?)
    }

    fn second_stage_log_posteriors(
        &self,
        patches: &[GrayImage],
    ) -> Result<Vec<Posteriors>, ModelError> {
        match &self.second_stage {
            Some(stage) if !patches.is_empty() => stage.network()?.log_posteriors(patches),
            _ => self.log_posteriors(patches),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rendered cells and the trainer's log-posteriors for them, written by
    /// `models/train/export.py`: the counts of cells and of classes, then for each cell its patch,
    /// its number of frames and its posteriors.
    static GOLDEN: &[u8] = include_bytes!("../../models/golden.bin");
    /// The same of the second stage.
    static GOLDEN_SECOND_STAGE: &[u8] = include_bytes!("../../models/golden-second_stage.bin");
    /// The same of the model of words.
    static GOLDEN_WORDS: &[u8] = include_bytes!("../../models/golden-words.bin");

    #[test]
    fn the_first_stage_agrees_with_the_trainer() {
        agrees(&Network::embedded().unwrap(), GOLDEN);
    }

    #[test]
    fn the_second_stage_agrees_with_the_trainer() {
        let network = Network::from_bytes(models::SECOND_STAGE, SECOND_STAGE_PADDING_PX).unwrap();
        assert_eq!(network.alphabet, Network::embedded().unwrap().alphabet);
        agrees(&network, GOLDEN_SECOND_STAGE);
    }

    #[test]
    fn the_model_of_words_agrees_with_the_trainer() {
        agrees(&Network::embedded_words().unwrap(), GOLDEN_WORDS);
    }

    fn agrees(network: &Network, golden: &[u8]) {
        let word = |at: usize| -> [u8; 4] { golden[at..at + 4].try_into().unwrap() };
        let count = |at: usize| u32::from_le_bytes(word(at)) as usize;
        let (cells, classes) = (count(0), count(4));
        let pixels = (PATCH_WIDTH * PATCH_HEIGHT) as usize;
        let (mut at, mut patches, mut expected) = (8, Vec::new(), Vec::new());
        for _ in 0..cells {
            let luma = golden[at..at + pixels].to_vec();
            patches.push(GrayImage::from_raw(PATCH_WIDTH, PATCH_HEIGHT, luma).unwrap());
            at += pixels;
            let values = count(at) * classes;
            let values = (0..values).map(|k| f32::from_le_bytes(word(at + 4 + 4 * k)));
            expected.push(values.collect::<Vec<_>>());
            at += 4 + 4 * expected.last().unwrap().len();
        }
        // Each patch twice, so that the recurrent layers see full batches, padded ones and single
        // patches.
        let twice = [&patches[..], &patches].concat();
        let read = network.log_posteriors(&twice).unwrap();
        for (i, expected) in expected.iter().enumerate() {
            let alone = &network.log_posteriors(&patches[i..=i]).unwrap()[0];
            for got in [&read[i], &read[cells + i], alone] {
                assert_eq!((got.classes, got.log.len()), (classes, expected.len()));
                let error = |(a, b): (&f32, &f32)| (a - b).abs();
                let max_error = got.log.iter().zip(expected).map(error).fold(0.0, f32::max);
                assert!(max_error < 1e-3, "cell {i} is off by {max_error}");
            }
        }
        assert!(cells > 0 && read.len() == 2 * cells && at == golden.len());
    }

    #[test]
    fn refuses_what_is_not_a_model() {
        assert!(matches!(
            Network::from_bytes(b"not a model", PADDING_PX),
            Err(ModelError::Onnx(_) | ModelError::Alphabet)
        ));
    }
}
