//! What travels in a shard's line: all that was read on a sheet, so that copies of a game that were
//! scanned in different runs are decoded together, bit for bit as if one run had read both.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::cache::Digest;
use crate::decode::{Decoder, Options};
use crate::notation::Language;
use crate::packed::{self, UnpackError};
use crate::reader::MixtureComponent;
use crate::scan::{RecordSheets, Sheet};

/// Largest number of frames of a cell that is believed: ten times what any model has. More would be
/// damage that asks for memory without end.
const MAX_FRAMES: usize = 1000;

/// Largest number of classes of a cell that is believed: ten times what any model has.
const MAX_CLASSES: usize = 1000;

/// Largest number of cells of a sheet that is believed: ten times what any form has.
const MAX_CELLS: usize = 5000;

/// Largest number of components of a cell's mixture that is believed: ten times what the cascade
/// makes.
const MAX_COMPONENTS: usize = 40;

/// Largest number of further games that is believed: ten times what any person wants.
const MAX_RUNNERS_UP: usize = 1000;

/// Why a text is no payload of this version.
#[derive(Debug, thiserror::Error)]
pub enum ShardPayloadError {
    /// The text is not base64.
    #[error("its evidence is damaged ({0})")]
    Text(base64::DecodeError),
    /// The bytes are not those of a payload.
    #[error("its evidence is damaged ({0})")]
    Bytes(postcard::Error),
    /// The payload has the form of another version of sheetscan.
    #[error(
        "its evidence is of form {0}, which this version of sheetscan does not know; \
         scan the sheet again"
    )]
    Form(u8),
    /// The posteriors of a cell do not fit the alphabet.
    #[error("its evidence is damaged (the posteriors do not fit the alphabet)")]
    Sizes,
}

impl From<UnpackError> for ShardPayloadError {
    fn from(error: UnpackError) -> Self {
        match error {
            UnpackError::Text(e) => Self::Text(e),
            UnpackError::Bytes(e) => Self::Bytes(e),
            UnpackError::Form(form) => Self::Form(form),
        }
    }
}

/// A sheet as it was read, and how its game was searched for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShardPayload {
    /// The characters of the reader's classes 1, 2, 3, and so on; class 0 is CTC's blank.
    alphabet: String,
    /// The code of the language of [`Options::language`].
    language: Option<String>,
    /// [`Options::ask`].
    ask: Option<f32>,
    /// [`Options::runners_up`].
    runners_up: usize,
    /// What a person has read on the sheet: the keys and values of fixes.
    pub fixes: Vec<(String, String)>,
    /// The sheet, without path, page and hash.
    pub sheet: Sheet,
}

impl ShardPayload {
    /// The payload of a sheet that was read with a model of this alphabet and whose game is
    /// searched for with these options. It keeps those options that the command line offers, and no
    /// fixes.
    pub fn new(sheet: Sheet, alphabet: &[char], options: &Options) -> Self {
        Self {
            alphabet: alphabet.iter().collect(),
            language: options.language.map(|language| language.code.to_owned()),
            ask: options.ask,
            runners_up: options.runners_up,
            fixes: Vec::new(),
            sheet,
        }
    }

    /// Packs it into text without spaces or quotes.
    pub fn pack(&self) -> String {
        packed::pack(self)
    }

    /// Unpacks what [`Self::pack`] made; every float is the same bit for bit.
    ///
    /// # Errors
    /// [`ShardPayloadError`] if the text is damaged or comes from another version.
    pub fn unpack(text: &str) -> Result<Self, ShardPayloadError> {
        let payload: Self = packed::unpack(text)?;
        let classes = payload.alphabet.chars().count() + 1;
        let fits = |MixtureComponent { weight, posteriors }: &MixtureComponent| {
            let has_size = posteriors.classes() == classes && posteriors.frames() <= MAX_FRAMES;
            has_size && *weight > 0.0 && *weight <= 1.0
        };
        let cells = &payload.sheet.cells;
        let are_sound = cells.len() <= MAX_CELLS
            && (cells.iter())
                .all(|cell| cell.mixture.len() <= MAX_COMPONENTS && cell.mixture.iter().all(fits));
        if classes > MAX_CLASSES || !are_sound {
            return Err(ShardPayloadError::Sizes);
        }
        Ok(payload)
    }

    /// Hash of all that was read. Two sheets that show the same picture have the same hash,
    /// whatever their files are called.
    pub fn digest(&self) -> Digest {
        let bytes = postcard::to_stdvec(&self.sheet).expect("a vector takes any number of bytes");
        Sha256::digest(bytes).into()
    }

    /// The options of the search; what the payload does not keep is as in `defaults`.
    fn options(&self, defaults: &Options) -> Options {
        Options {
            language: self.language.as_deref().and_then(|code| {
                Language::from_code(code).or_else(|| Language::from_letters(code).ok())
            }),
            ask: self.ask,
            runners_up: self.runners_up.min(MAX_RUNNERS_UP),
            ..defaults.clone()
        }
    }

    /// The sheets of some copies, each a sheet or several pages, and the decoder of their game. It
    /// has the options of the first sheet, and those of `defaults` that a payload does not keep.
    pub fn record(copies: Vec<Vec<Self>>, defaults: &Options) -> (RecordSheets, Decoder) {
        let first = copies.first().and_then(|pages| pages.first());
        let options = first.map_or_else(|| defaults.clone(), |first| first.options(defaults));
        let alphabet = first.map_or("", |first| &first.alphabet);
        let alphabet: Vec<char> = alphabet.chars().collect();
        let sheet = |pages: Vec<Self>| pages.into_iter().map(|page| page.sheet).collect();
        let sheets = copies.into_iter().map(sheet).collect();
        (RecordSheets::new(sheets, &alphabet), Decoder::new(options))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Side;
    use crate::reader::Posteriors;
    use crate::scan::tests::{cell, reading, scanned};

    fn payload() -> ShardPayload {
        let mut sheet = scanned().sheets.remove(0);
        let mut read = reading(cell(1, Side::White), "e4");
        let dense = Posteriors {
            frames: 2,
            classes: 3,
            // Numbers beside round ones, which decimal text would round.
            log: vec![
                -0.1f32.next_up(),
                -30.0,
                -11.999_999,
                f32::MIN_POSITIVE,
                -1e-40,
                -2.0,
            ],
        };
        read.mixture = MixtureComponent::alone(&dense);
        sheet.cells = vec![read];
        let options = Options {
            language: Language::from_code("pt"),
            ask: Some(0.04),
            runners_up: 2,
            ..Options::default()
        };
        let mut payload = ShardPayload::new(sheet, &['e', '4'], &options);
        payload.fixes.push(("5".to_owned(), "Nf3".to_owned()));
        payload
    }

    #[test]
    fn every_number_comes_back_to_the_bit() {
        let payload = payload();
        let back = ShardPayload::unpack(&payload.pack()).unwrap();
        assert_eq!(back.sheet.cells, payload.sheet.cells);
        let bits = |payload: &ShardPayload| {
            let sparse = &payload.sheet.cells[0].mixture[0].posteriors;
            let log = Posteriors::from(sparse).log;
            log.into_iter().map(f32::to_bits).collect::<Vec<_>>()
        };
        assert_eq!(bits(&back), bits(&payload));
        assert_eq!(bits(&back)[0], (-0.1f32.next_up()).to_bits());
        assert_eq!(back.fixes, payload.fixes);
        let options = back.options(&Options::default());
        assert_eq!(options.language.map(|l| l.code), Some("pt"));
        assert_eq!((options.ask, options.runners_up), (Some(0.04), 2));
    }

    #[test]
    fn letters_that_a_person_gave_come_back() {
        let mut payload = payload();
        let letters = Language::from_letters("MDTOK").unwrap();
        payload.language = Some(letters.code.to_owned());
        let back = ShardPayload::unpack(&payload.pack()).unwrap();
        assert_eq!(back.options(&Options::default()).language, Some(letters));
    }

    #[test]
    fn damage_is_reported() {
        let text = payload().pack();
        let unpack = ShardPayload::unpack;
        assert!(matches!(unpack("%"), Err(ShardPayloadError::Text(_))));
        assert!(matches!(unpack(""), Err(ShardPayloadError::Form(0))));
        let half = &text[..text.len() / 8 * 4];
        assert!(matches!(unpack(half), Err(ShardPayloadError::Bytes(_))));
        let mut other = payload();
        other.alphabet.push('x');
        assert!(matches!(
            unpack(&other.pack()),
            Err(ShardPayloadError::Sizes)
        ));
        for weight in [0.0, -0.5, 1.5, f32::NAN] {
            let mut other = payload();
            other.sheet.cells[0].mixture[0].weight = weight;
            let read = unpack(&other.pack());
            assert!(matches!(read, Err(ShardPayloadError::Sizes)), "{weight}");
        }
    }
}
