//! What was read on a sheet, as text that travels in its line of JSON: with it, copies of a game that were scanned in
//! different runs are decoded together, to the bit as if one run had read both.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::cache::Digest;
use crate::decode::{Decoder, FixedMove, Options};
use crate::notation::Language;
use crate::reader::WordReading;
use crate::scan::{self, ScannedGame, Sheet};

/// Version of the form; it grows with every change of what is packed.
const FORM: u8 = 2;

/// Most frames and classes of a cell, and further games, that are believed: ten times what any model or person wants.
const MOST: usize = 1000;

/// Why a text is no evidence of this version.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    /// Not base64.
    #[error("its evidence is damaged ({0})")]
    Text(#[from] base64::DecodeError),
    /// Not the bytes of the form.
    #[error("its evidence is damaged ({0})")]
    Bytes(#[from] postcard::Error),
    /// Of another version.
    #[error(
        "its evidence is of form {0}, which this version of sheetscan does not know; scan the sheet again"
    )]
    Form(u8),
    /// Sizes that do not fit each other.
    #[error("its evidence is damaged (the posteriors do not fit the alphabet)")]
    Sizes,
}

/// Words of a sheet as text without spaces or quotes.
pub fn pack_words(words: &[WordReading]) -> String {
    let mut bytes = vec![FORM];
    bytes.extend(postcard::to_stdvec(words).expect("memory does not fail"));
    STANDARD.encode(bytes)
}

/// Reads what [`pack_words`] wrote.
///
/// # Errors
/// [`EvidenceError`] where it is damaged or of another version.
pub fn unpack_words(text: &str) -> Result<Vec<WordReading>, EvidenceError> {
    Ok(postcard::from_bytes(&unwrapped(text)?)?)
}

/// The bytes behind the number of the form.
fn unwrapped(text: &str) -> Result<Vec<u8>, EvidenceError> {
    let mut bytes = STANDARD.decode(text)?;
    match bytes.first().copied().unwrap_or(0) {
        FORM => {
            bytes.remove(0);
            Ok(bytes)
        }
        other => Err(EvidenceError::Form(other)),
    }
}

/// A sheet as read, and how its game was searched for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    alphabet: String,
    language: Option<String>,
    ask: Option<f32>,
    runners_up: usize,
    /// Moves that a person has read on the sheet: the ply from 1, and SAN.
    pub held: Vec<(u16, String)>,
    /// The sheet, without path, page and hash.
    pub sheet: Sheet,
}

impl Evidence {
    /// The evidence of a sheet that was read with a model of this alphabet, its game searched with these options, of
    /// which those count that the command line offers. Nothing is held yet.
    pub fn new(sheet: Sheet, alphabet: &[char], options: &Options) -> Self {
        Self {
            alphabet: alphabet.iter().collect(),
            language: options.language.map(|language| language.code.to_owned()),
            ask: options.ask,
            runners_up: options.runners_up,
            held: Vec::new(),
            sheet,
        }
    }

    /// As text without spaces or quotes.
    pub fn pack(&self) -> String {
        let mut bytes = vec![FORM];
        bytes.extend(postcard::to_stdvec(self).expect("memory does not fail"));
        STANDARD.encode(bytes)
    }

    /// Reads what [`Self::pack`] wrote; every number is the same to the bit.
    ///
    /// # Errors
    /// [`EvidenceError`] where it is damaged or of another version.
    pub fn unpack(text: &str) -> Result<Self, EvidenceError> {
        let evidence: Self = postcard::from_bytes(&unwrapped(text)?)?;
        let classes = evidence.alphabet.chars().count() + 1;
        let posteriors = evidence.sheet.cells.iter();
        let mut posteriors = posteriors.filter_map(|cell| cell.posteriors.as_ref());
        let fit = posteriors.all(|p| p.classes() == classes && p.frames() <= MOST);
        if classes > MOST || !fit {
            return Err(EvidenceError::Sizes);
        }
        Ok(evidence)
    }

    /// The same for two sheets that show the same picture, whatever their files are called.
    pub fn digest(&self) -> Digest {
        let bytes = postcard::to_stdvec(&self.sheet).expect("memory does not fail");
        Sha256::digest(bytes).into()
    }

    /// The options of the search.
    fn options(&self) -> Options {
        Options {
            language: self.language.as_deref().and_then(Language::from_code),
            ask: self.ask,
            runners_up: self.runners_up.min(MOST),
            ..Options::default()
        }
    }

    /// The game that copies record, each a sheet or several pages, searched for as that of the first was.
    pub fn decode(copies: Vec<Vec<Self>>, held: &[FixedMove]) -> ScannedGame {
        let first = copies.first().and_then(|pages| pages.first());
        let options = first.map_or_else(Options::default, Self::options);
        let alphabet = first.map_or("", |first| &first.alphabet);
        let alphabet: Vec<char> = alphabet.chars().collect();
        let sheet = |pages: Vec<Self>| pages.into_iter().map(|page| page.sheet).collect();
        let sheets = copies.into_iter().map(sheet).collect();
        scan::decode(&Decoder::new(options), &alphabet, sheets, held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Side;
    use crate::reader::Posteriors;
    use crate::scan::tests::{cell, reading, scanned};

    fn evidence() -> Evidence {
        let mut sheet = scanned().sheets.remove(0);
        let mut read = reading(cell(1, Side::White), "e4");
        let dense = Posteriors {
            frames: 2,
            classes: 3,
            // Neighbours of round numbers, which a detour over text would lose.
            log: vec![
                -0.1f32.next_up(),
                -30.0,
                -11.999_999,
                f32::MIN_POSITIVE,
                -1e-40,
                -2.0,
            ],
        };
        read.posteriors = Some((&dense).into());
        sheet.cells = vec![read];
        let options = Options {
            language: Language::from_code("pt"),
            ask: Some(0.04),
            runners_up: 2,
            ..Options::default()
        };
        let mut evidence = Evidence::new(sheet, &['e', '4'], &options);
        evidence.held.push((5, "Nf3".to_owned()));
        evidence
    }

    #[test]
    fn every_number_comes_back_to_the_bit() {
        let there = evidence();
        let back = Evidence::unpack(&there.pack()).unwrap();
        assert_eq!(back.sheet.cells, there.sheet.cells);
        let bits = |e: &Evidence| {
            let sparse = e.sheet.cells[0].posteriors.as_ref().unwrap();
            let log = Posteriors::from(sparse).log;
            log.into_iter().map(f32::to_bits).collect::<Vec<_>>()
        };
        assert_eq!(bits(&back), bits(&there));
        assert_eq!(bits(&back)[0], (-0.1f32.next_up()).to_bits());
        assert_eq!(back.held, [(5, "Nf3".to_owned())]);
        let options = back.options();
        assert_eq!(options.language.map(|l| l.code), Some("pt"));
        assert_eq!((options.ask, options.runners_up), (Some(0.04), 2));
    }

    #[test]
    fn damage_is_told() {
        let text = evidence().pack();
        assert!(matches!(Evidence::unpack("%"), Err(EvidenceError::Text(_))));
        assert!(matches!(Evidence::unpack(""), Err(EvidenceError::Form(0))));
        let half = &text[..text.len() / 8 * 4];
        assert!(matches!(
            Evidence::unpack(half),
            Err(EvidenceError::Bytes(_))
        ));
        let mut other = evidence();
        other.alphabet.push('x');
        assert!(matches!(
            Evidence::unpack(&other.pack()),
            Err(EvidenceError::Sizes)
        ));
    }
}
