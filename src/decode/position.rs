//! Positions met in a search, each looked at once: its legal moves, their shapes and prior.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use shakmaty::{Chess, Move, Position};

use crate::notation::{Shape, spellings};
use crate::prior::{Context, Prior};

use super::encoder::{Encoder, Letter};
use super::evidence::Finish;
use super::hand::Hand;

/// Legal moves of a position, with the number of their shape and the log of their prior probability.
#[derive(Debug)]
pub(super) struct Expansion {
    pub moves: Vec<(Move, u32, f32)>,
}

/// Expansions by position, and numbers for shapes.
#[derive(Debug)]
pub(super) struct Positions<'a> {
    prior: &'a Prior,
    evenness: f32,
    known: FxHashMap<u64, Rc<Expansion>>,
    numbers: FxHashMap<Shape, u32>,
    shapes: Vec<Shape>,
}

impl<'a> Positions<'a> {
    pub(super) fn new(prior: &'a Prior, evenness: f32) -> Self {
        Self {
            prior,
            evenness,
            known: FxHashMap::default(),
            numbers: FxHashMap::default(),
            shapes: Vec::new(),
        }
    }

    /// The legal moves of a position known by its hash.
    pub(super) fn expand(
        &mut self,
        hash: u64,
        position: &Chess,
        context: Context,
    ) -> Rc<Expansion> {
        if let Some(known) = self.known.get(&hash) {
            return Rc::clone(known);
        }
        let legal = position.legal_moves();
        let log_prior = self.prior.log_probabilities(position, &legal, context);
        let evenness = self.evenness;
        let even = evenness / legal.len().max(1) as f32;
        let log_prior = log_prior
            .into_iter()
            .map(|lp| ((1.0 - evenness) * lp.exp() + even).ln());
        let shapes = Shape::of_all(position, &legal);
        let moves = legal
            .iter()
            .zip(shapes)
            .zip(log_prior)
            .map(|((&m, shape), lp)| (m, self.number(shape), lp));
        let expansion = Rc::new(Expansion {
            moves: moves.collect(),
        });
        self.known.insert(hash, Rc::clone(&expansion));
        expansion
    }

    /// Whether a position known by its hash leaves no move.
    pub(super) fn is_over(&self, hash: u64, position: &Chess) -> bool {
        match self.known.get(&hash) {
            Some(known) => known.moves.is_empty(),
            None => position.legal_moves().is_empty(),
        }
    }

    fn number(&mut self, shape: Shape) -> u32 {
        let next = self.shapes.len() as u32;
        let shapes = &mut self.shapes;
        *self.numbers.entry(shape).or_insert_with(|| {
            shapes.push(shape);
            next
        })
    }

    /// The shape of a number.
    pub(super) fn shape(&self, number: u32) -> &Shape {
        &self.shapes[number as usize]
    }
}

/// The lexicons of the hands met so far, and which one wrote each copy.
#[derive(Debug)]
pub(super) struct Lexicons<'a> {
    encoder: &'a Encoder,
    known: Vec<Lexicon<'a>>,
    of_copy: Vec<usize>,
}

impl<'a> Lexicons<'a> {
    pub(super) fn new(encoder: &'a Encoder) -> Self {
        Self {
            encoder,
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
                    encoder: self.encoder,
                    letters: Vec::new(),
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

/// The spellings of shapes by one hand, made when first asked for.
#[derive(Debug)]
pub(super) struct Lexicon<'a> {
    hand: Hand,
    encoder: &'a Encoder,
    /// Of all entries, one after the other.
    letters: Vec<Letter>,
    entries: Vec<Option<(Range<usize>, Finish)>>,
}

impl Lexicon<'_> {
    /// Spellings of a shape and what may stand behind them.
    pub(super) fn entry(&mut self, number: u32, shape: &Shape) -> (&[Letter], Finish) {
        let at = number as usize;
        if self.entries.len() <= at {
            self.entries.resize_with(at + 1, || None);
        }
        let (letters, finish) = self.entries[at].get_or_insert_with(|| {
            let start = self.letters.len();
            let spellings = spellings(shape, self.hand.language, &self.hand.habits);
            self.encoder.spellings(&spellings, &mut self.letters);
            (start..self.letters.len(), Finish::of(shape))
        });
        (&self.letters[letters.clone()], *finish)
    }
}
