//! How hands spell moves: made when first asked for, and kept from game to game for the hands of which nothing but the
//! language is known.

use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use crate::notation::{MoveShape, spellings};

use super::encoder::{Encoder, Letter};
use super::evidence::Finish;
use super::hand::Hand;

/// The spellings of a shape.
type Letters = Arc<[Letter]>;

/// Shapes kept from game to game, of all languages together: about 50 MB at most.
const KEPT: usize = 16_384;

/// The spellings that every game asks for again, over one alphabet.
#[derive(Debug)]
pub(super) struct Spellings {
    pub(super) encoder: Encoder,
    /// By language, and shape without its check: that decorates a move and does not change how it is spelt.
    known: RwLock<FxHashMap<(&'static str, MoveShape), Letters>>,
}

impl Spellings {
    pub(super) fn new(alphabet: &[char]) -> Self {
        Self {
            encoder: Encoder::new(alphabet),
            known: RwLock::default(),
        }
    }

    fn make(&self, shape: &MoveShape, hand: &Hand) -> Letters {
        let spellings = spellings(shape, hand.language, &hand.habits);
        self.encoder.spellings(&spellings).into()
    }

    fn of_usual(&self, shape: &MoveShape, hand: &Hand) -> Letters {
        let check = false;
        let key = (hand.language.code, MoveShape { check, ..*shape });
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(letters) = known.get(&key) {
            return Arc::clone(letters);
        }
        drop(known);
        let letters = self.make(shape, hand);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() < KEPT {
            known.insert(key, Arc::clone(&letters));
        }
        letters
    }
}

/// The lexicons of the hands met so far in a game, and which one wrote each copy.
#[derive(Debug)]
pub(super) struct Lexicons<'a> {
    spellings: &'a Spellings,
    known: Vec<Lexicon<'a>>,
    of_copy: Vec<usize>,
}

impl<'a> Lexicons<'a> {
    pub(super) fn new(spellings: &'a Spellings) -> Self {
        Self {
            spellings,
            known: Vec::new(),
            of_copy: Vec::new(),
        }
    }

    /// Takes each copy for written by its one of these hands; whether that is anything new.
    pub(super) fn take(&mut self, hands: &[Hand]) -> bool {
        let before = std::mem::take(&mut self.of_copy);
        for &hand in hands {
            let known = self.known.iter().position(|l| l.hand == hand);
            self.of_copy.push(known.unwrap_or(self.known.len()));
            if known.is_none() {
                self.known.push(Lexicon {
                    hand,
                    usual: hand == Hand::usual(hand.language),
                    spellings: self.spellings,
                    entries: Vec::new(),
                });
            }
        }
        self.of_copy != before
    }

    /// The lexicon of a copy.
    pub(super) fn of(&mut self, copy: usize) -> &mut Lexicon<'a> {
        &mut self.known[self.of_copy[copy]]
    }
}

/// The spellings of shapes by one hand, by the number that the game gives them.
#[derive(Debug)]
pub(super) struct Lexicon<'a> {
    hand: Hand,
    usual: bool,
    spellings: &'a Spellings,
    entries: Vec<Option<(Letters, Finish)>>,
}

impl Lexicon<'_> {
    /// Spellings of a shape and what may stand behind them.
    pub(super) fn entry(&mut self, number: u32, shape: &MoveShape) -> (&[Letter], Finish) {
        let at = number as usize;
        if self.entries.len() <= at {
            self.entries.resize_with(at + 1, || None);
        }
        let (letters, finish) = self.entries[at].get_or_insert_with(|| {
            let letters = if self.usual {
                self.spellings.of_usual(shape, &self.hand)
            } else {
                self.spellings.make(shape, &self.hand)
            };
            (letters, Finish::of(shape))
        });
        (letters, *finish)
    }
}
